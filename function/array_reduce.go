package function

import (
	"dictsvc/column"
	"dictsvc/errcode"
)

type reduceOp uint8

const (
	reduceSum reduceOp = iota
	reduceAvg
	reduceMin
	reduceMax
	reduceProduct
)

// sumType is the type that sums of a type have; nil for what cannot be summed.
func sumType(t *column.Type) *column.Type {
	c, ok := classOf(t)
	switch {
	case t.IsDecimal():
		return column.NewDecimal(max(38, decimalDigits(t)), t.Scale)
	case !ok:
		return nil
	case c.float:
		return column.Of(column.Float64)
	case c.size > 8:
		return t
	case c.signed:
		return column.Of(column.Int64)
	}
	return column.Of(column.UInt64)
}

func bindArrayReduce(op reduceOp) func(string, *higher) (*Bound, error) {
	return func(_ string, h *higher) (*Bound, error) {
		if op == reduceMin || op == reduceMax {
			return bindArrayMinMax(op, h)
		}
		sum := sumType(h.body)
		if sum == nil {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "array aggregation function cannot be performed on type %s", h.body)
		}
		t := sum
		if op != reduceSum {
			t = column.Of(column.Float64)
		}
		return result(t, func(call *Call) (column.Column, error) {
			v, err := h.run(call)
			if err != nil {
				return nil, err
			}
			switch {
			case op == reduceProduct:
				x, _ := decimalFloats(v.body)
				return column.NewNum(t, foldEach(v.ends, x, 1, func(a, b float64) float64 { return a * b })), nil
			case op == reduceAvg:
				return arrayAvg(v), nil
			case t.Kind == column.Float64:
				x, _ := nums[float64](v.body)
				return column.NewNum(t, sumEach(call.Scratch, v.ends, x)), nil
			case t.Kind == column.UInt64:
				x, _ := nums[uint64](v.body)
				return column.NewNum(t, sumEach(call.Scratch, v.ends, x)), nil
			case t.Kind == column.Int64:
				x, _ := nums[int64](v.body)
				return column.NewNum(t, sumEach(call.Scratch, v.ends, x)), nil
			}
			x, _ := wides(v.body)
			return narrow(t, foldEach(v.ends, x, wide{}, wide.add)), nil
		})
	}
}

func sumEach[T column.Number](m *column.Scratch, ends []uint64, v []T) []T {
	out := column.Make[T](m, len(ends))
	from := uint64(0)
	for i, e := range ends {
		var s T
		for _, x := range v[from:e] {
			s += x
		}
		out[i], from = s, e
	}
	return out
}

func foldEach[T any](ends []uint64, v []T, start T, f func(a, b T) T) []T {
	out := make([]T, len(ends))
	from := uint64(0)
	for i, e := range ends {
		s := start
		for _, x := range v[from:e] {
			s = f(s, x)
		}
		out[i], from = s, e
	}
	return out
}

func arrayAvg(v *values) column.Column {
	if t := v.body.Type(); t.IsDecimal() { // the quotient has the scale of the elements
		x, _ := wides(v.body)
		out := make([]float64, len(v.ends))
		v.rows(func(row, from, to int) {
			var sum wide
			for _, e := range x[from:to] {
				sum = sum.add(e)
			}
			q, _ := sum.divmodS(wideI(int64(max(to-from, 1))))
			out[row] = q.floatS() / pow10(t.Scale)
		})
		return column.Float64s(out...)
	}
	x, _ := decimalFloats(v.body)
	out := sumEach(nil, v.ends, x)
	v.rows(func(row, from, to int) { out[row] /= float64(max(to-from, 1)) }) // 0 of none
	return column.Float64s(out...)
}

func bindArrayMinMax(op reduceOp, h *higher) (*Bound, error) {
	t := h.body
	if t.Kind == column.Nothing {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Invalid projection column with type Nothing")
	}
	return result(t, func(call *Call) (column.Column, error) {
		v, err := h.run(call)
		if err != nil {
			return nil, err
		}
		if out := extremeEach(call.Scratch, op == reduceMax, v); out != nil {
			return out, nil
		}
		padded := column.New(t, v.body.Len()+1)
		padded.AppendRange(v.body, 0, v.body.Len())
		padded.AppendDefault(1)
		_, nulls := splitNull(v.body)
		rows := make([]uint32, call.Rows)
		v.rows(func(row, from, to int) {
			best := v.body.Len()
			for ; from < to; from++ {
				if nulls.at(from) {
					continue
				}
				if best == v.body.Len() {
					best = from
				} else if c := v.body.Compare(from, v.body, best, 1); c < 0 && op == reduceMin || c > 0 && op == reduceMax {
					best = from
				}
			}
			rows[row] = uint32(best)
		})
		return padded.Gather(rows), nil
	})
}

// extremeEach is the least or greatest element of each array of machine words, 0 of an empty one; nil for other elements. NaN is greater than all numbers.
func extremeEach(m *column.Scratch, greatest bool, v *values) column.Column {
	switch x := v.body.(type) {
	case *column.Num[uint8]:
		return extremeWords(m, x, greatest, v.ends)
	case *column.Num[uint16]:
		return extremeWords(m, x, greatest, v.ends)
	case *column.Num[uint32]:
		return extremeWords(m, x, greatest, v.ends)
	case *column.Num[uint64]:
		return extremeWords(m, x, greatest, v.ends)
	case *column.Num[int8]:
		return extremeWords(m, x, greatest, v.ends)
	case *column.Num[int16]:
		return extremeWords(m, x, greatest, v.ends)
	case *column.Num[int32]:
		return extremeWords(m, x, greatest, v.ends)
	case *column.Num[int64]:
		return extremeWords(m, x, greatest, v.ends)
	case *column.Num[float32]:
		return extremeWords(m, x, greatest, v.ends)
	case *column.Num[float64]:
		return extremeWords(m, x, greatest, v.ends)
	}
	return nil
}

func extremeWords[T column.Number](m *column.Scratch, c *column.Num[T], greatest bool, ends []uint64) column.Column {
	out := column.Make[T](m, len(ends))
	from := uint64(0)
	for i, e := range ends {
		span := c.Data[from:e]
		from = e
		if len(span) == 0 {
			out[i] = 0
			continue
		}
		best := span[0]
		if greatest {
			for _, x := range span[1:] {
				if x > best || x != x && best == best {
					best = x
				}
			}
		} else {
			for _, x := range span[1:] {
				if x < best || best != best && x == x {
					best = x
				}
			}
		}
		out[i] = best
	}
	return column.NewNum(c.T, out)
}

// running replaces each element by the sum of those up to it; floor0 starts again at 0 where the sum would be negative.
func running[T column.Number](ends []uint64, v []T, floor0 bool) []T {
	out := make([]T, len(v))
	from := uint64(0)
	for _, e := range ends {
		var s T
		for i := from; i < e; i++ {
			if s += v[i]; floor0 && s < 0 {
				s = 0
			}
			out[i] = s
		}
		from = e
	}
	return out
}

func bindArrayCumSum(floor0 bool) func(string, *higher) (*Bound, error) {
	return func(_ string, h *higher) (*Bound, error) {
		elem := sumType(h.body)
		if elem == nil {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "%s cannot add values of type %s", h.name, h.body)
		}
		t := column.NewArray(elem)
		return result(t, func(call *Call) (column.Column, error) {
			v, err := h.run(call)
			if err != nil {
				return nil, err
			}
			var flat column.Column
			switch elem.Kind {
			case column.Float64:
				x, _ := nums[float64](v.body)
				flat = column.NewNum(elem, running(v.ends, x, floor0))
			case column.UInt64:
				x, _ := nums[uint64](v.body)
				flat = column.NewNum(elem, running(v.ends, x, floor0))
			case column.Int64:
				x, _ := nums[int64](v.body)
				flat = column.NewNum(elem, running(v.ends, x, floor0))
			default:
				x, _ := wides(v.body)
				v.rows(func(_, from, to int) {
					for i := from; i < to; i++ {
						if i > from {
							x[i] = x[i].add(x[i-1])
						}
						if floor0 && x[i].negative() {
							x[i] = wide{}
						}
					}
				})
				flat = narrow(elem, x)
			}
			return &column.Arr{T: t, Ends: v.ends, Elem: flat}, nil
		})
	}
}

func bindArrayDifference(_ string, h *higher) (*Bound, error) {
	elem := h.body
	if c, ok := classOf(h.body); ok {
		elem = arithType(opMinus, c, c)
	} else if !h.body.IsDecimal() {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "arrayDifference cannot process values of type %s", h.body)
	}
	t := column.NewArray(elem)
	return result(t, func(call *Call) (column.Column, error) {
		v, err := h.run(call)
		if err != nil {
			return nil, err
		}
		if elem.Kind == column.Float64 {
			x, _ := nums[float64](v.body)
			return &column.Arr{T: t, Ends: v.ends, Elem: column.NewNum(elem, differences(v, x, func(a, b float64) float64 { return a - b }))}, nil
		}
		x, _ := wides(v.body)
		return &column.Arr{T: t, Ends: v.ends, Elem: narrow(elem, differences(v, x, wide.sub))}, nil
	})
}

func differences[T any](v *values, x []T, sub func(a, b T) T) []T {
	out := make([]T, len(x))
	v.rows(func(_, from, to int) {
		for i := from + 1; i < to; i++ {
			out[i] = sub(x[i], x[i-1])
		}
	})
	return out
}
