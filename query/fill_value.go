package query

import (
	"math"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/function"
)

// fillValue is a value of a key that is filled: an integer of any width (of dates and times: days, seconds or ticks), or a float.
type fillValue struct {
	null bool
	f    float64
	i    column.I256
}

// fillKey is a sort key WITH FILL.
type fillKey struct {
	node     *expr
	typ      *column.Type // without Nullable
	desc     bool
	float    bool
	from, to fillValue
	step     fillStep
	stale    fillStep
}

// fillStep is by how much a value goes on.
type fillStep struct {
	none  bool
	value fillValue
	add   func(v fillValue, times int64) (fillValue, error) // of intervals; nil: the value is added
}

// scale is how many ticks make a second of a DateTime64, 1 for all else.
func (f *fillKey) scale() column.I256 {
	if f.typ.Kind == column.DateTime64 {
		return column.Pow10(f.typ.Scale)
	}
	return column.WideInt(1)
}

// compare orders two values in the direction of the sort.
func (f *fillKey) compare(a, b fillValue) int {
	d := 0
	switch {
	case !f.float:
		d = a.i.Cmp(b.i)
	case a.f < b.f:
		d = -1
	case a.f > b.f:
		d = 1
	}
	if f.desc {
		return -d
	}
	return d
}

// same tells whether two values are equal; NULL equals NULL alone.
func (f *fillKey) same(a, b fillValue) bool {
	if a.null || b.null {
		return a.null == b.null
	}
	return f.compare(a, b) == 0
}

func (f *fillKey) before(a, b fillValue) bool { return f.compare(a, b) < 0 }

// after is the value some steps on.
func (f *fillKey) after(v fillValue, s *fillStep, times int64) (fillValue, error) {
	switch {
	case s.add != nil:
		return s.add(v, times)
	case f.float:
		return fillValue{f: v.f + s.value.f*float64(times)}, nil
	}
	return fillValue{i: v.i.Add(s.value.i.Mul(column.WideInt(times)))}, nil
}

// odd tells whether a value is NaN or infinite, where filling ends.
func (f *fillKey) odd(v fillValue) bool {
	return f.float && !v.null && (math.IsNaN(v.f) || math.IsInf(v.f, 0))
}

// fillValues are the values of a column.
func fillValues(c column.Column, float bool) []fillValue {
	out := make([]fillValue, c.Len())
	if n, ok := c.(*column.Null); ok {
		c = n.Inner
		defer func() {
			for i, null := range n.Nulls {
				out[i].null = null != 0
			}
		}()
	}
	switch x := c.(type) {
	case *column.Num[uint8]:
		unsignedFill(x.Data, out)
	case *column.Num[uint16]:
		unsignedFill(x.Data, out)
	case *column.Num[uint32]:
		unsignedFill(x.Data, out)
	case *column.Num[uint64]:
		unsignedFill(x.Data, out)
	case *column.Num[int8]:
		signedFill(x.Data, out)
	case *column.Num[int16]:
		signedFill(x.Data, out)
	case *column.Num[int32]:
		signedFill(x.Data, out)
	case *column.Num[int64]:
		signedFill(x.Data, out)
	case *column.Num[float32]:
		for i, v := range x.Data {
			out[i].f = float64(v)
		}
	case *column.Num[float64]:
		for i, v := range x.Data {
			out[i].f = v
		}
	default:
		for i, v := range wideValues(c) {
			out[i].i = v
		}
	}
	return out
}

func unsignedFill[T uint8 | uint16 | uint32 | uint64](data []T, out []fillValue) {
	for i, v := range data {
		out[i].i = column.WideUint(uint64(v))
	}
}

func signedFill[T int8 | int16 | int32 | int64](data []T, out []fillValue) {
	for i, v := range data {
		out[i].i = column.WideInt(int64(v))
	}
}

// put appends a value to a column of the key's type; a value beyond the type is an error.
func (f *fillKey) put(c column.Column, v fillValue) error {
	if n, ok := c.(*column.Null); ok {
		if v.null {
			n.AppendNull()
			return nil
		}
		n.Nulls = append(n.Nulls, 0)
		c = n.Inner
	}
	if v.null {
		c.AppendDefault(1)
		return nil
	}
	fits := true
	switch x := c.(type) {
	case *column.Num[uint8]:
		x.Data, fits = append(x.Data, uint8(v.i.W[0])), v.i == column.WideUint(uint64(uint8(v.i.W[0])))
	case *column.Num[uint16]:
		x.Data, fits = append(x.Data, uint16(v.i.W[0])), v.i == column.WideUint(uint64(uint16(v.i.W[0])))
	case *column.Num[uint32]:
		x.Data, fits = append(x.Data, uint32(v.i.W[0])), v.i == column.WideUint(uint64(uint32(v.i.W[0])))
	case *column.Num[uint64]:
		x.Data, fits = append(x.Data, v.i.W[0]), v.i.FitsU64()
	case *column.Num[int8]:
		x.Data, fits = append(x.Data, int8(v.i.W[0])), v.i == column.WideInt(int64(int8(v.i.W[0])))
	case *column.Num[int16]:
		x.Data, fits = append(x.Data, int16(v.i.W[0])), v.i == column.WideInt(int64(int16(v.i.W[0])))
	case *column.Num[int32]:
		x.Data, fits = append(x.Data, int32(v.i.W[0])), v.i == column.WideInt(int64(int32(v.i.W[0])))
	case *column.Num[int64]:
		x.Data, fits = append(x.Data, int64(v.i.W[0])), v.i.Fits64()
	case *column.Num[float32]:
		x.Data = append(x.Data, float32(v.f))
	case *column.Num[float64]:
		x.Data = append(x.Data, v.f)
	default:
		c.AppendRange(wideColumn(c.Type(), []column.I256{v.i}), 0, 1)
	}
	if !fits {
		return errcode.New(errcode.InvalidWithFillExpression, "WITH FILL generates a value which is out of range of the ORDER BY column type %s", f.typ)
	}
	return nil
}

// fits tells whether the key's type has a value.
func (f *fillKey) fits(v fillValue) bool { return f.put(column.New(f.typ, 1), v) == nil }

// adder adds an interval some times to a value of a date or time, by the function of the interval's unit.
func (b *binder) adder(t *column.Type, unit string, length int64) (func(fillValue, int64) (fillValue, error), error) {
	fn := b.q.engine.function("add" + unit + "s")
	if fn == nil {
		return nil, b.unknownFunction("add" + unit + "s")
	}
	bound, err := function.Bind(&b.q.env, fn, []function.Arg{{Type: t}, {Type: column.Of(column.Int64)}})
	if err != nil {
		return nil, err
	}
	cast, err := column.NewCast(bound.Type, t, column.CastPlain)
	if err != nil {
		return nil, err
	}
	key := &fillKey{typ: t}
	env := &b.q.env
	return func(v fillValue, times int64) (fillValue, error) {
		c := column.New(t, 1)
		if err := key.put(c, v); err != nil {
			return v, err
		}
		out, err := bound.Exec(&function.Call{Args: []column.Column{c, column.Int64s(length * times)}, Rows: 1, Env: env})
		if err != nil {
			return v, err
		}
		if !bound.Type.Equal(t) {
			if out, err = cast(out); err != nil {
				return v, err
			}
		}
		return fillValues(column.Full(out), false)[0], nil
	}, nil
}
