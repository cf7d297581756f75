package agg

import (
	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/internal/exp2"
)

// decayedSum is the sum of values, each of which counts half for every half-life that has passed between its time and the latest.
type decayedSum struct{ value, time float64 }

// merge adds a sum of its own time.
func (s *decayedSum) merge(o decayedSum, half float64) {
	switch {
	case s.time > o.time:
		s.value += o.value * exp2.Of(-(s.time-o.time)/half)
	case s.time < o.time:
		s.value = s.value*exp2.Of(-(o.time-s.time)/half) + o.value
		s.time = o.time
	default:
		s.value += o.value
	}
}

// bindExponentialMovingAverage: exponentialMovingAverage(half)(value, time) divides the decayed sum by the sum of the weights of all times.
func bindExponentialMovingAverage(name string, params []column.Column, args []*column.Type) (*Function, error) {
	if err := twoArguments(name, args); err != nil {
		return nil, err
	}
	for _, t := range args {
		if !t.IsNumber() {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Both arguments for aggregate function %s must have numeric type, got %s", name, t)
		}
	}
	if len(params) != 1 {
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Aggregate function %s requires exactly one parameter: half decay time", name)
	}
	half, ok := FloatParam(params[0])
	if !ok {
		return nil, errcode.New(errcode.CannotConvertType, "Cannot convert %s to double", params[0].Type())
	}
	t := column.Of(column.Float64)
	f := flatOf[decayedSum]{
		merge: func(into, from *decayedSum) { into.merge(*from, half) },
		result: perState(t, func(s *decayedSum) float64 {
			return s.value / (1 / (1 - exp2.Of(-1/half)))
		}),
	}
	return &Function{Name: name, Type: t, OrderSensitive: true, NewStates: func() States {
		own := f
		var values, times floatBuffer[float64]
		own.add = func(v []decayedSum, groups []uint32, args []column.Column, rows int) error {
			x, at := values.of(args[0], rows), times.of(args[1], rows)
			g := uint32(0)
			for i := range rows {
				if groups != nil {
					g = groups[i]
				}
				v[g].merge(decayedSum{x[i], at[i]}, half)
			}
			return nil
		}
		return own.states()
	}}, nil
}
