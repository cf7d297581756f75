package function

import (
	"math"
	"strconv"

	"dictsvc/column"
	"dictsvc/errcode"
)

func readableFunctions() []Function {
	return []Function{
		{Name: "formatReadableSize", MinArgs: 1, MaxArgs: 1, Bind: bindReadable("formatReadableSize", 1024, []string{" B", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB", " ZiB", " YiB"})},
		{Name: "formatReadableDecimalSize", MinArgs: 1, MaxArgs: 1, Bind: bindReadable("formatReadableDecimalSize", 1000, []string{" B", " KB", " MB", " GB", " TB", " PB", " EB", " ZB", " YB"})},
		{Name: "formatReadableQuantity", MinArgs: 1, MaxArgs: 1, Bind: bindReadable("formatReadableQuantity", 1000, []string{"", " thousand", " million", " billion", " trillion", " quadrillion",
			" quintillion", " sextillion", " septillion", " octillion", " nonillion", " decillion"})},
		{Name: "formatReadableTimeDelta", MinArgs: 1, MaxArgs: 3, Bind: bindTimeDelta},
	}
}

func bindReadable(name string, step float64, units []string) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		if !args[0].Type.IsNumber() {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "A value of illegal type was provided as 1st argument 'value' to function '%s'. Expected: Number, got: %s", name, args[0].Type)
		}
		return unary(column.Of(column.String), func(c column.Column) column.Column {
			v, _ := decimalFloats(c)
			out := newStr(len(v))
			for _, f := range v {
				u := 0
				for u+1 < len(units) && math.Abs(f) >= step {
					f /= step
					u++
				}
				out.Data = append(strconv.AppendFloat(out.Data, f, 'f', 2, 64), units[u]...)
				out.EndRow()
			}
			return out
		})
	}
}

// deltaUnits are the units of formatReadableTimeDelta: a month is 30.5 days.
var deltaUnits = []struct {
	name    string
	seconds float64
}{{"year", 31536000}, {"month", 2635200}, {"day", 86400}, {"hour", 3600}, {"minute", 60}, {"second", 1}, {"millisecond", 1e-3}, {"microsecond", 1e-6}, {"nanosecond", 1e-9}}

func deltaUnit(name string) (int, bool) {
	for i, u := range deltaUnits {
		if name == u.name+"s" {
			return i, true
		}
	}
	return 0, false
}

// bindTimeDelta is formatReadableTimeDelta(seconds[, largest unit[, smallest unit]]).
func bindTimeDelta(_ *Env, args []Arg) (*Bound, error) {
	if !args[0].Type.IsNumber() {
		return nil, illegalType("formatReadableTimeDelta", args[0].Type)
	}
	bounds := [2]int{0, 5}
	for i, a := range args[1:] {
		text, ok := constStr(a)
		if !ok {
			return nil, illegalType("formatReadableTimeDelta", a.Type)
		}
		u, ok := deltaUnit(text)
		if !ok {
			return nil, errcode.New(errcode.BadArguments, "Unexpected value of unit argument (%s) for function formatReadableTimeDelta", text)
		}
		bounds[i] = u
		if i == 0 && u > bounds[1] {
			bounds[1] = u
		}
	}
	if bounds[0] > bounds[1] {
		return nil, errcode.New(errcode.BadArguments, "Explicit minimum unit value must be less than maximum unit value in function formatReadableTimeDelta")
	}
	return unary(column.Of(column.String), func(c column.Column) column.Column {
		v, _ := decimalFloats(c)
		out := newStr(len(v))
		for _, f := range v {
			out.Data = appendDelta(out.Data, f, bounds[0], bounds[1])
			out.EndRow()
		}
		return out
	})
}

func appendDelta(dst []byte, f float64, from, to int) []byte {
	if f-f != 0 {
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	if f < 0 {
		dst = append(dst, '-')
		f = -f
	}
	var parts []string
	for u := from; u <= to; u++ {
		if f+1 == f { // too large for the smaller units to mean anything
			parts = append(parts, string(column.AppendText(nil, column.Float64s(math.Floor(f/deltaUnits[u].seconds)), 0, column.TextRaw))+" "+deltaUnits[u].name+"s")
			break
		}
		n := math.Floor(f/deltaUnits[u].seconds + 1e-12)
		if n == 0 && !(u == to && parts == nil) {
			continue
		}
		f -= n * deltaUnits[u].seconds
		text := strconv.FormatFloat(n, 'f', 0, 64) + " " + deltaUnits[u].name
		if n != 1 {
			text += "s"
		}
		parts = append(parts, text)
	}
	for i, p := range parts {
		switch {
		case i == 0:
		case i == len(parts)-1:
			dst = append(dst, " and "...)
		default:
			dst = append(dst, ", "...)
		}
		dst = append(dst, p...)
	}
	return dst
}
