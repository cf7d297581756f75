package column

// PaddedStrings makes strings of FixedStrings with their padding of zero bytes, which a cast takes off; Const and Nullable columns stay what they are.
func PaddedStrings(c Column) Column {
	switch x := c.(type) {
	case *Const:
		return NewConst(PaddedStrings(x.Val), x.N)
	case *Null:
		inner := PaddedStrings(x.Inner)
		return &Null{T: NewNullable(inner.Type()), Nulls: x.Nulls, Inner: inner}
	case *FixedStr:
		out := New(Of(String), x.Len()).(*Str)
		for i := range x.Len() {
			out.Append(x.At(i))
		}
		return out
	}
	return c
}
