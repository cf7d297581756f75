package query

import (
	"math"

	"dictsvc/column"
	"dictsvc/errcode"
)

// floatable tells whether a type is one that floats are made of.
func floatable(t *column.Type) bool {
	return t.IsInteger() || t.IsFloat() || t.IsDecimal()
}

// floats are the values of an argument; times are seconds.
func (r *windowRun) floats(s *segment, i int) ([]float64, error) {
	c := column.Plain(r.arg(s, i))
	scale := 0
	switch t := c.Type(); t.Kind {
	case column.DateTime:
		c = column.Retype(c, column.Of(column.UInt32))
	case column.DateTime64:
		scale = t.Scale
		c = column.Retype(c, column.Of(column.Int64))
	}
	f, err := column.Cast(c, column.Of(column.Float64), column.CastPlain)
	if err != nil {
		return nil, err
	}
	out := column.Plain(f).(*column.Num[float64]).Data
	if scale > 0 {
		scaled := make([]float64, len(out))
		for i, v := range out {
			scaled[i] = v / math.Pow10(scale)
		}
		out = scaled
	}
	return out, nil
}

// ticks are the times of an argument as integers, and how many of these make a second.
func (r *windowRun) ticks(s *segment, i int) (t []int64, second float64) {
	switch c := column.Plain(r.arg(s, i)).(type) {
	case *column.Num[uint32]:
		t = make([]int64, len(c.Data))
		for i, v := range c.Data {
			t[i] = int64(v)
		}
		return t, 1
	case *column.Num[int64]:
		return c.Data, math.Pow10(c.T.Scale)
	}
	return nil, 1
}

func isTime(t *column.Type) bool { return t.Kind == column.DateTime || t.Kind == column.DateTime64 }

func bindDerivative(w *windowCall, args []*expr) (*column.Type, error) {
	if err := noParameters(w); err != nil {
		return nil, err
	}
	bad := func(text string, t *column.Type) error { return errcode.New(errcode.BadArguments, text, t) }
	switch {
	case len(args) != 2 && len(args) != 3:
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Function nonNegativeDerivative takes 2 or 3 arguments")
	case !floatable(args[0].typ):
		return nil, bad("Argument 0 must be a number, '%s' given", args[0].typ)
	case !isTime(args[1].typ):
		return nil, bad("Argument 1 must be DateTime or DateTime64, '%s' given", args[1].typ)
	}
	if len(args) == 3 {
		t := args[2].typ
		if t.Kind != column.Interval {
			return nil, bad("Argument 2 must be an INTERVAL, '%s' given", t)
		}
		if _, ok := unitSeconds(t.Unit); !ok {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "The INTERVAL must be a week or shorter, '%s' given", t)
		}
	}
	return column.Of(column.Float64), nil
}

// derivative is by how much a value grew since the row before, a second or another time.
func derivative(s *segment, r *windowRun) (column.Column, error) {
	v, err := r.floats(s, 0)
	if err != nil {
		return nil, err
	}
	t, scale := r.ticks(s, 1)
	length := 1.0
	if len(r.args) == 3 {
		c := column.Plain(r.arg(s, 2))
		seconds, _ := unitSeconds(c.Type().Unit)
		length = float64(c.(*column.Num[int64]).Data[0]) * seconds
	}
	out := make([]float64, s.rows)
	s.partitions(func(from, to int) {
		for i := from + 1; i < to; i++ {
			if elapsed := float64(t[i]-t[i-1]) / scale; elapsed > 0 && v[i] > v[i-1] {
				out[i] = (v[i] - v[i-1]) / elapsed * length
			}
		}
	})
	return column.Float64s(out...), nil
}

func bindDecayed(w *windowCall, args []*expr) (*column.Type, error) {
	name, n := w.fn.name, 2
	if name == "exponentialTimeDecayedCount" {
		n = 1
	}
	switch {
	case len(w.params) != 1:
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Function %s takes exactly one parameter", name)
	case !floatable(w.params[0].Type()):
		return nil, errcode.New(errcode.CannotConvertType, "Cannot convert %s to double", w.params[0].Type())
	case len(args) != n:
		words := [...]string{1: "one argument", 2: "two arguments"}
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Function %s takes exactly %s", name, words[n])
	case n == 2 && !floatable(args[0].typ):
		return nil, errcode.New(errcode.BadArguments, "Argument 0 must be a number, '%s' given", args[0].typ)
	}
	if t := args[n-1].typ; !isTime(t) && !floatable(t) {
		return nil, errcode.New(errcode.BadArguments, "Argument %d must be DateTime, DateTime64 or a number, '%s' given", n-1, t)
	}
	return column.Of(column.Float64), nil
}

// decay adds up values that lose their weight with time.
type decay struct {
	length      float64
	v, t        []float64 // v is nil for counts
	sum, weight float64
	max         float64
	at          int // the row whose time the sums are of
}

// moveTo ages the sums to the time of a row.
func (d *decay) moveTo(row int) {
	f := math.Exp((d.t[d.at] - d.t[row]) / d.length)
	d.sum *= f
	d.weight *= f
	d.max *= f
	d.at = row
}

// add adds a row with its value at the time of the sums.
func (d *decay) add(row int) {
	f := math.Exp((d.t[row] - d.t[d.at]) / d.length)
	v := 1.0
	if d.v != nil {
		v = d.v[row]
	}
	d.sum += v * f
	d.weight += f
	if x := v * f; d.max != d.max || x > d.max {
		d.max = x
	}
}

func (d *decay) result(name string) float64 {
	switch name {
	case "exponentialTimeDecayedAvg":
		return d.sum / d.weight
	case "exponentialTimeDecayedMax":
		return d.max
	case "exponentialTimeDecayedCount":
		return d.weight
	}
	return d.sum
}

// decayed computes the exponentialTimeDecayed functions: each row of a frame counts less by the time between it and the frame's last row.
func decayed(s *segment, r *windowRun) (column.Column, error) {
	length, err := column.Cast(r.win.params[0], column.Of(column.Float64), column.CastPlain)
	if err != nil {
		return nil, err
	}
	d := decay{length: column.Plain(length).(*column.Num[float64]).Data[0]}
	if len(r.args) == 2 {
		if d.v, err = r.floats(s, 0); err != nil {
			return nil, err
		}
	}
	if d.t, err = r.floats(s, len(r.args)-1); err != nil {
		return nil, err
	}
	b := s.bounds(&r.win.frame)
	out := make([]float64, s.rows)
	name := r.win.fn.name
	work := 0
	for i := range out {
		from, to := int(b.from[i]), int(b.to[i])
		begin := from
		switch {
		case i > 0 && from == int(b.from[i-1]) && to == int(b.to[i-1]):
			out[i] = out[i-1]
			continue
		case i > 0 && from == int(b.from[i-1]) && int(b.to[i-1]) > from: // the frame has grown
			begin = int(b.to[i-1])
			d.moveTo(to - 1)
		default:
			d.sum, d.weight, d.max, d.at = 0, 0, column.NaN(), max(to-1, 0)
		}
		for k := begin; k < to; k++ {
			d.add(k)
		}
		if work += to - begin; work > 1<<16 {
			work = 0
			if err := s.ex.q.tick(); err != nil {
				return nil, err
			}
		}
		out[i] = d.result(name)
	}
	return column.Float64s(out...), nil
}

// unitSeconds is the length of an interval's unit; ok is false for units longer than a week.
func unitSeconds(unit string) (seconds float64, ok bool) {
	switch unit {
	case "Nanosecond":
		return 1e-9, true
	case "Microsecond":
		return 1e-6, true
	case "Millisecond":
		return 1e-3, true
	case "Second":
		return 1, true
	case "Minute":
		return 60, true
	case "Hour":
		return 3600, true
	case "Day":
		return 86400, true
	case "Week":
		return 7 * 86400, true
	}
	return 0, false
}
