package column

// SizeOf is about the number of bytes in a column's rows, where Bytes is what lies in memory: each row of a constant counts, and what a slice leaves out
// does not.
func SizeOf(c Column) int {
	rows := c.Len()
	if rows == 0 {
		return 0
	}
	switch x := c.(type) {
	case *Const:
		one := SizeOf(x.Val)
		if one > MaxColumnBytes/rows {
			return MaxColumnBytes
		}
		return one * rows
	case *Null:
		return SizeOf(x.Inner)
	case *LowCard:
		return 4 * rows
	case *Str:
		return int(x.Ends[rows-1] - x.Start)
	case *Arr:
		from, _ := x.Range(0)
		_, to := x.Range(rows - 1)
		all := x.Elem.Len()
		if all == 0 || from == to {
			return 0
		}
		return int(float64(SizeOf(x.Elem)) * float64(to-from) / float64(all))
	case *MapColumn:
		return SizeOf(x.Arr)
	case *Tup:
		n := 0
		for _, e := range x.Elems {
			n += SizeOf(e)
		}
		return n
	}
	return rows * c.Type().FixedWidth()
}

// WidestRow is about the size of a column's largest row; a constant's rows take nothing.
func WidestRow(c Column) int {
	rows := c.Len()
	if rows == 0 {
		return 0
	}
	switch x := c.(type) {
	case *Const:
		return 0
	case *Null:
		return WidestRow(x.Inner)
	case *Tup:
		n := 0
		for _, e := range x.Elems {
			n += WidestRow(e)
		}
		return n
	case *MapColumn:
		return WidestRow(x.Arr)
	case *Str:
		return int(widestSpan(x.Start, x.Ends))
	case *Arr:
		if n := x.Elem.Len(); n > 0 {
			return int(float64(widestSpan(x.Start, x.Ends)) * float64(SizeOf(x.Elem)) / float64(n))
		}
		return 0
	}
	return SizeOf(c) / rows
}

func widestSpan(from uint64, ends []uint64) uint64 {
	widest := uint64(0)
	for _, end := range ends {
		widest, from = max(widest, end-from), end
	}
	return widest
}
