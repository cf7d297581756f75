package agg

import (
	"math"
	"slices"
	"strings"

	"dictsvc/column"
	"dictsvc/errcode"
)

// quantiles is what the functions of the quantile family have in common: the levels and the type of the result.
type quantiles struct {
	name   string
	levels []float64
	order  []int // the levels' numbers, ascending by level
	many   bool  // quantilesX: an array of all levels
	arg    *column.Type
	// accuracy is the parameter before the levels that some kinds have: 1 / accuracy is how far a rank may be off, or accuracy how far a value
	accuracy float64
	elem     *column.Type // of a quantile
}

// quantileKind is a way of finding quantiles: the part of a function's name behind quantile, quantiles or median.
type quantileKind struct {
	suffix   string
	weighted bool // a second argument, an unsigned integer
	// accuracy reads the parameter before the levels, where there is one
	accuracy func(name string, p column.Column) (float64, error)
	// bind gives the type of a quantile of values of type t and the states; nil where it does not take t.
	bind func(q *quantiles, t *column.Type) (*column.Type, func() States)
}

func quantileKinds() []quantileKind {
	return []quantileKind{
		{suffix: "", bind: bindReservoir},
		{suffix: "Exact", bind: bindExact},
		{suffix: "ExactLow", bind: bindExact},
		{suffix: "ExactHigh", bind: bindExact},
		{suffix: "ExactExclusive", bind: bindExact},
		{suffix: "ExactInclusive", bind: bindExact},
		{suffix: "ExactWeighted", weighted: true, bind: bindWeighted},
		{suffix: "ExactWeightedInterpolated", weighted: true, bind: bindWeighted},
		{suffix: "InterpolatedWeighted", weighted: true, bind: bindWeighted},
		{suffix: "TDigest", bind: bindTDigest},
		{suffix: "TDigestWeighted", weighted: true, bind: bindTDigest},
		{suffix: "Timing", bind: bindTiming},
		{suffix: "TimingWeighted", weighted: true, bind: bindTiming},
		{suffix: "Deterministic", weighted: true, bind: bindDeterministic},
		{suffix: "GK", accuracy: gkAccuracy, bind: bindGK},
		{suffix: "DD", accuracy: ddAccuracy, bind: bindDD},
		{suffix: "BFloat16", bind: bindBFloat16},
		{suffix: "BFloat16Weighted", weighted: true, bind: bindBFloat16},
	}
}

// quantileBase splits a name into the kind's suffix and whether all levels are answered.
func quantileBase(name string) (suffix string, many, ok bool) {
	if s, ok := strings.CutPrefix(name, "quantiles"); ok {
		return s, true, true
	}
	if s, ok := strings.CutPrefix(name, "quantile"); ok {
		return s, false, true
	}
	s, ok := strings.CutPrefix(name, "median")
	return s, false, ok
}

func bindQuantile(name string, params []column.Column, args []*column.Type) (*Function, error) {
	suffix, many, _ := quantileBase(name)
	kinds := quantileKinds()
	k := &kinds[slices.IndexFunc(kinds, func(k quantileKind) bool { return k.suffix == suffix })]
	if len(args) == 0 {
		code := errcode.NumberOfArgumentsDoesntMatch
		if suffix == "" {
			code = errcode.TooFewArgumentsForFunction
		}
		return nil, errcode.New(code, "Aggregate function %s requires at least one argument", name)
	}
	q := &quantiles{name: name, many: many, arg: args[0]}
	elem, states := k.bind(q, args[0])
	if states == nil {
		return nil, illegal(name, args[0])
	}
	if k.accuracy != nil {
		if len(params) == 0 {
			return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Aggregate function %s requires at least one param", name)
		}
		accuracy, err := k.accuracy(name, params[0])
		if err != nil {
			return nil, err
		}
		q.accuracy, params = accuracy, params[1:]
	}
	if err := q.setLevels(params); err != nil {
		return nil, err
	}
	if k.weighted {
		if err := twoArguments(name, args); err != nil {
			return nil, err
		}
		if !args[1].IsUnsigned() {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Second argument (weight) for function %s must be unsigned integer, but it has type %s", name, args[1])
		}
	} else if err := oneArgument(name, args); err != nil {
		return nil, err
	}
	q.elem = elem
	t := elem
	if many {
		t = column.NewArray(elem)
	}
	same := "quantile" + suffix // quantile and quantiles have the same states, whatever the levels
	for _, a := range args {
		same += ", " + a.String()
	}
	sketch := suffix == "" || strings.HasPrefix(suffix, "TDigest") || suffix == "GK"
	return &Function{Name: name, Type: t, sameStates: same, OrderSensitive: sketch, Sketch: sketch, NewStates: states}, nil
}

// setLevels reads the parameters; the median is the default of a single quantile.
func (q *quantiles) setLevels(params []column.Column) error {
	if len(params) == 0 {
		if q.many {
			return errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Aggregate function for calculation of multiple quantiles require at least one parameter")
		}
		q.levels, q.order = []float64{0.5}, []int{0}
		return nil
	}
	for i, p := range params {
		v, ok := FloatParam(p)
		if !ok {
			return errcode.New(errcode.CannotConvertType, "Cannot convert %s to double", p.Type())
		}
		if !(v >= 0 && v <= 1) {
			return errcode.New(errcode.ParameterOutOfBound, "Quantile level is out of range [0..1]")
		}
		q.levels = append(q.levels, v)
		q.order = append(q.order, i)
	}
	slices.SortStableFunc(q.order, func(a, b int) int {
		switch {
		case q.levels[a] < q.levels[b]:
			return -1
		case q.levels[a] > q.levels[b]:
			return 1
		}
		return 0
	})
	if !q.many && len(q.levels) > 1 {
		return errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Aggregate function %s requires one level parameter or less", q.name)
	}
	return nil
}

// wrap makes the result column of the quantiles of n groups, level by level for each group.
func (q *quantiles) wrap(values column.Column, n int) column.Column {
	if !q.many {
		return values
	}
	ends := make([]uint64, n)
	for i := range ends {
		ends[i] = uint64((i + 1) * len(q.levels))
	}
	return &column.Arr{T: column.NewArray(q.elem), Ends: ends, Elem: values}
}

// basicNumber: integers and floats of up to 64 bits.
func basicNumber(t *column.Type) bool {
	return (t.IsInteger() || t.IsFloat()) && t.FixedWidth() <= 8
}

// plainTime: the dates and times that count in unsigned integers.
func plainTime(t *column.Type) bool { return t.Kind == column.Date || t.Kind == column.DateTime }

// placeOf is the fractional place of a level among n > 0 sorted values.
func placeOf(level float64, n int) float64 {
	return math.Max(0, math.Min(float64(n-1), level*float64(n-1)))
}

// interpolate is the value at a fractional place between two of n sorted values, weighted by its nearness.
func interpolate(level float64, n int, at func(i int) float64) float64 {
	if n == 0 {
		return column.NaN()
	}
	place := placeOf(level, n)
	left := int(place)
	right := left + 1
	if right == n {
		return at(left)
	}
	return at(left)*(float64(right)-place) + at(right)*(place-float64(left))
}

// narrow turns quantiles computed as floats into a column of q's type: floats, or dates and times with the fraction cut off; NaN, of no rows, is 0 then.
func (q *quantiles) narrow(v []float64) column.Column {
	whole := func(f float64) float64 {
		if f != f {
			return 0
		}
		return f
	}
	switch q.elem.Kind {
	case column.Date:
		return column.NewNum(q.elem, mapped(v, func(f float64) uint16 { return uint16(whole(f)) }))
	case column.DateTime:
		return column.NewNum(q.elem, mapped(v, func(f float64) uint32 { return uint32(whole(f)) }))
	case column.Float32:
		return column.NewNum(q.elem, mapped(v, func(f float64) float32 { return float32(f) }))
	}
	return column.NewNum(q.elem, v)
}

func mapped[A, B any](v []A, f func(A) B) []B {
	out := make([]B, len(v))
	for i, x := range v {
		out[i] = f(x)
	}
	return out
}
