package column

import (
	"strconv"
	"strings"
)

// FieldText is row i of c as ClickHouse writes a literal in names and types: dates are numbers, whole floats end in a point, the elements of
// arrays and tuples are parted by a comma and a space.
func FieldText(c Column, i int) string {
	switch x := Full(c).(type) {
	case *Null:
		if x.Nulls[i] == 0 {
			return FieldText(x.Inner, i)
		}
		return "NULL"
	case *Arr:
		from, to := x.Range(i)
		parts := make([]string, 0, to-from)
		for k := from; k < to; k++ {
			parts = append(parts, FieldText(x.Elem, k))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case *Tup:
		parts := make([]string, len(x.Elems))
		for k, e := range x.Elems {
			parts[k] = FieldText(e, i)
		}
		return "(" + strings.Join(parts, ", ") + ")"
	case *Num[float64]:
		text := string(AppendText(nil, c, i, TextQuoted))
		if strings.Trim(text, "-0123456789") == "" {
			text += "."
		}
		return text
	case *Num[uint16]:
		return strconv.FormatUint(uint64(x.Data[i]), 10)
	case *Num[uint32]:
		if x.T.Kind == DateTime {
			return strconv.FormatUint(uint64(x.Data[i]), 10)
		}
	case *Num[int32]:
		if x.T.Kind == Date32 {
			return strconv.FormatInt(int64(x.Data[i]), 10)
		}
	}
	return string(AppendText(nil, c, i, TextQuoted))
}
