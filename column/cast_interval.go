package column

import (
	"math"

	"dictsvc/errcode"
)

// intervalSeconds are the lengths of the units that have one.
var intervalSeconds = map[string]float64{"Nanosecond": 1e-9, "Microsecond": 1e-6, "Millisecond": 1e-3, "Second": 1, "Minute": 60, "Hour": 3600, "Day": 86400, "Week": 7 * 86400}

// intervalMonths are those of the others.
var intervalMonths = map[string]float64{"Month": 1, "Quarter": 3, "Year": 12}

// intervalToInterval converts units that stand in a fixed relation, rounding towards zero.
func intervalToInterval(from, to *Type) (kernel, error) {
	a, b := intervalSeconds[from.Unit], intervalSeconds[to.Unit]
	if a == 0 || b == 0 {
		a, b = intervalMonths[from.Unit], intervalMonths[to.Unit]
	}
	if a == 0 || b == 0 {
		return nil, errcode.New(errcode.CannotConvertType, "Cannot convert %s to %s", from, to)
	}
	up, down := int64(math.Round(a/b)), int64(math.Round(b/a))
	return func(c Column, _ []uint8) (Column, error) {
		in := c.(*Num[int64]).Data
		out := make([]int64, len(in))
		for i, v := range in {
			if a >= b {
				out[i] = v * up
			} else {
				out[i] = v / down
			}
		}
		return NewNum(to, out), nil
	}, nil
}
