package column

import "encoding/binary"

// AppendImage is AppendKey without the rules of equality: the value comes back from ReadKey to the bit, -0.0 and NaN payloads included.
func AppendImage(buf []byte, c Column, i int) []byte {
	switch x := c.(type) {
	case *Num[float32]:
		return append(buf, Raw(x.Data[i:i+1])...)
	case *Num[float64]:
		return append(buf, Raw(x.Data[i:i+1])...)
	case *Const:
		return AppendImage(buf, x.Val, 0)
	case *LowCard:
		return AppendImage(buf, x.Dict, int(x.Index[i]))
	case *Null:
		if x.Nulls[i] != 0 {
			return append(buf, 1)
		}
		return AppendImage(append(buf, 0), x.Inner, i)
	case *Arr:
		from, to := x.Range(i)
		buf = binary.AppendUvarint(buf, uint64(to-from))
		for ; from < to; from++ {
			buf = AppendImage(buf, x.Elem, from)
		}
		return buf
	case *MapColumn:
		return AppendImage(buf, x.Arr, i)
	case *Tup:
		for _, e := range x.Elems {
			buf = AppendImage(buf, e, i)
		}
		return buf
	}
	return c.AppendKey(buf, i)
}
