package query

import (
	"math"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/sql"
)

// missing is the place of a row that is not there.
const missing = math.MaxUint32

// pickRows is the rows of a column that places name. For a row that is missing it is the row of other, or the default where other is nil.
func pickRows(c column.Column, places []uint32, other column.Column) column.Column {
	none := 0
	for _, p := range places {
		if p == missing {
			none++
		}
	}
	if none == 0 {
		return c.Gather(places)
	}
	n := uint32(c.Len())
	all := c.New(c.Len() + none)
	all.AppendRange(c, 0, c.Len())
	if other == nil {
		all.AppendDefault(1)
		for i, p := range places {
			if p == missing {
				places[i] = n
			}
		}
		return all.Gather(places)
	}
	for i, p := range places {
		if p == missing {
			all.AppendRange(other, i, i+1)
			places[i] = n
			n++
		}
	}
	return all.Gather(places)
}

func offsetType(t *column.Type) error {
	if !t.IsInteger() || t.FixedWidth() > 8 {
		return errcode.New(errcode.BadArguments, "Offset must be an integer, '%s' given", t)
	}
	return nil
}

// offsets are an argument's values as numbers that are at least min; nil where all are n.
func (r *windowRun) offsets(s *segment, i int, min int64) (n int64, list []int64, err error) {
	c, err := column.Cast(r.arg(s, i), column.Of(column.Int64), column.CastPlain)
	if err != nil {
		return 0, nil, err
	}
	list = column.Plain(c).(*column.Num[int64]).Data
	for _, v := range list {
		if v < min {
			return 0, nil, errcode.New(errcode.BadArguments, "The offset for function %s must be in (%d, %d], %d given", r.win.fn.name, min, int64(math.MaxInt64), v)
		}
	}
	if r.args[i].val != nil && len(list) > 0 {
		return list[0], nil, nil
	}
	return 0, list, nil
}

func bindNthValue(w *windowCall, args []*expr) (*column.Type, error) {
	if err := noParameters(w); err != nil {
		return nil, err
	}
	if len(args) != 2 {
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Function nth_value takes exactly two arguments")
	}
	if w.nulls == sql.NullsRespect {
		return nil, errcode.New(errcode.NotImplemented, "Function nth_value does not support RESPECT NULLS")
	}
	return args[0].typ.NoLowCardinality(), offsetType(args[1].typ)
}

func nthValue(s *segment, r *windowRun) (column.Column, error) {
	n, list, err := r.offsets(s, 1, 1)
	if err != nil {
		return nil, err
	}
	b := s.bounds(&r.win.frame)
	places := make([]uint32, s.rows)
	for i := range places {
		if list != nil {
			n = list[i]
		}
		places[i] = missing
		if n <= int64(b.to[i]-b.from[i]) {
			places[i] = b.from[i] + uint32(n-1)
		}
	}
	return pickRows(column.Plain(r.arg(s, 0)), places, nil), nil
}

func bindLagLead(w *windowCall, args []*expr) (*column.Type, error) {
	if w.frame.given {
		return nil, errcode.New(errcode.BadArguments, "Window function '%s' does not expect window frame to be explicitly specified", w.fn.name)
	}
	return bindLagLeadInFrame(w, args)
}

func bindLagLeadInFrame(w *windowCall, args []*expr) (*column.Type, error) {
	if err := noParameters(w); err != nil {
		return nil, err
	}
	switch {
	case len(args) == 0:
		return nil, errcode.New(errcode.TooFewArgumentsForFunction, "Function %s takes at least one argument", w.fn.name)
	case len(args) > 3:
		return nil, errcode.New(errcode.TooManyArgumentsForFunction, "Function '%s' accepts at most 3 arguments, %d given", w.fn.name, len(args))
	}
	t := args[0].typ.NoLowCardinality()
	if len(args) > 1 {
		if err := offsetType(args[1].typ); err != nil {
			return nil, err
		}
	}
	if len(args) > 2 {
		d := args[2].typ.NoLowCardinality()
		super, err := column.CommonType([]*column.Type{t, d})
		if err != nil {
			return nil, errcode.New(errcode.BadArguments, "There is no supertype for the argument type '%s' and the default value type '%s'", t, d)
		}
		if !super.Equal(t) && (!t.IsDecimal() || super.Kind != t.Kind || super.Scale != t.Scale) {
			return nil, errcode.New(errcode.BadArguments, "The supertype '%s' for the argument type '%s' and the default value type '%s' is not the same as the argument type", super, t, d)
		}
	}
	return t, nil
}

func lag(s *segment, r *windowRun) (column.Column, error)  { return r.shifted(s, -1, wholeFrame()) }
func lead(s *segment, r *windowRun) (column.Column, error) { return r.shifted(s, 1, wholeFrame()) }

func lagInFrame(s *segment, r *windowRun) (column.Column, error) {
	return r.shifted(s, -1, &r.win.frame)
}

func leadInFrame(s *segment, r *windowRun) (column.Column, error) {
	return r.shifted(s, 1, &r.win.frame)
}

// wholeFrame is the frame of all rows of the partition.
func wholeFrame() *windowFrame {
	f := defaultFrame()
	f.end.kind = f.begin.kind
	return &f
}

// shifted takes each row's value from some rows in front of it or behind it, where that row is in the frame.
func (r *windowRun) shifted(s *segment, direction int64, frame *windowFrame) (column.Column, error) {
	n := int64(1)
	var list []int64
	if len(r.args) > 1 {
		var err error
		if n, list, err = r.offsets(s, 1, 0); err != nil {
			return nil, err
		}
	}
	b := s.bounds(frame)
	places := make([]uint32, s.rows)
	for i := range places {
		if list != nil {
			n = list[i]
		}
		places[i] = missing
		if n > int64(s.rows) {
			continue
		}
		if at := int64(i) + direction*n; at >= int64(b.from[i]) && at < int64(b.to[i]) {
			places[i] = uint32(at)
		}
	}
	var other column.Column
	if len(r.args) > 2 {
		c, err := column.Cast(r.arg(s, 2), r.e.typ, column.CastPlain)
		if err != nil {
			return nil, err
		}
		other = column.Plain(c)
	}
	return pickRows(column.Plain(r.arg(s, 0)), places, other), nil
}
