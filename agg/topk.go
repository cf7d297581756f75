package agg

import (
	"math"
	"strings"

	"dictsvc/column"
	"dictsvc/errcode"
)

// topMost bounds the parameters of topK and its like.
const topMost = 0xFFFFFF

// topK[(N[, load_factor[, 'counts']])] and approx_top_k[(N[, reserved])] give the values that came most often, about; topKWeighted and approx_top_sum those of the
// greatest weight.
func bindTopK(name string, params []column.Column, args []*column.Type) (*Function, error) {
	approx := strings.HasPrefix(strings.ToLower(name), "approx")
	weighted := name == "topKWeighted" || name == "approx_top_sum"
	if !weighted {
		if err := oneArgument(name, args); err != nil {
			return nil, err
		}
	} else {
		if err := twoArguments(name, args); err != nil {
			return nil, err
		}
		if !args[1].IsInteger() && args[1].Kind != column.Bool {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "The second argument for aggregate function 'topKWeighted' must have integer type")
		}
	}
	n, capacity, counts, err := topParams(name, params, approx)
	if err != nil {
		return nil, err
	}
	elem := args[0]
	if counts {
		u := column.Of(column.UInt64)
		elem = column.NewTuple([]*column.Type{args[0], u, u}, []string{"item", "count", "error"})
	}
	top := &topParameters{t: column.NewArray(elem), n: n, capacity: capacity, counts: counts, weighted: weighted}
	return &Function{Name: name, Type: top.t, OrderSensitive: true, Sketch: true, NewStates: topStatesOf(top, args[0])}, nil
}

// topParams reads how many values are wanted, how many are counted, and whether their counts are part of the result.
func topParams(name string, params []column.Column, approx bool) (n, capacity int, counts bool, err error) {
	if len(params) > 3 {
		return 0, 0, false, errcode.New(errcode.TooManyArgumentsForFunction, "Aggregate function '%s' requires three parameters or less", name)
	}
	counts = approx
	var v [2]uint64
	for i := range v {
		if i >= len(params) {
			break
		}
		if v[i], err = wholeParam(params[i]); err != nil {
			return 0, 0, false, err
		}
	}
	if len(params) < 1 {
		v[0] = 10
	}
	factor := uint64(3)
	if len(params) > 1 {
		factor = v[1]
		if factor < 1 {
			what := "load_factor"
			if approx {
				what = "reserved"
			}
			return 0, 0, false, errcode.New(errcode.ArgumentOutOfBound, "Too small parameter '%s' for aggregate function '%s' (got %d, minimum is 1)", what, name, factor)
		}
	}
	if len(params) > 2 {
		option, ok := StringParam(params[2])
		if !ok {
			return 0, 0, false, errcode.New(errcode.BadGet, "Bad get: has %s, requested String", params[2].Type())
		}
		if option != "counts" {
			return 0, 0, false, errcode.New(errcode.BadArguments, "Aggregate function %s doesn't support a parameter: %s", name, option)
		}
		counts = true
	}
	reserved := v[0] * factor
	if approx && len(params) > 1 {
		reserved = factor
	}
	if reserved > topMost || factor > topMost || v[0] > topMost {
		return 0, 0, false, errcode.New(errcode.ArgumentOutOfBound, "Too large parameter(s) for aggregate function '%s' (maximum is %d)", name, topMost)
	}
	if v[0] == 0 {
		return 0, 0, false, errcode.New(errcode.ArgumentOutOfBound, "Parameter 0 is illegal for aggregate function '%s'", name)
	}
	return int(v[0]), int(reserved), counts, nil
}

// wholeParam converts a parameter to a whole number as ClickHouse does: the fraction is cut off, a negative one is a great one.
func wholeParam(c column.Column) (uint64, error) {
	if v, ok := UintParam(c); ok {
		return v, nil
	}
	if v, ok := IntParam(c); ok {
		return uint64(v), nil
	}
	if f, ok := FloatParam(c); ok && f > -1 && f < math.MaxUint64 {
		return uint64(f), nil
	}
	return 0, errcode.New(errcode.CannotConvertType, "Cannot convert %s to unsigned long", c.Type())
}

type topParameters struct {
	t                *column.Type // of the result
	n                int          // values wanted
	capacity         int          // values whose counters survive
	counts, weighted bool
}

// topStatesOf chooses the keys for a type: numbers count as their bits, all else as its bytes.
func topStatesOf(top *topParameters, t *column.Type) func() States {
	switch t.Kind {
	case column.Bool, column.UInt8:
		return topNumbers[uint8, uint8](top, t)
	case column.Int8, column.Enum8:
		return topNumbers[int8, uint8](top, t)
	case column.UInt16, column.Date:
		return topNumbers[uint16, uint16](top, t)
	case column.Int16, column.Enum16:
		return topNumbers[int16, uint16](top, t)
	case column.UInt32, column.DateTime, column.IPv4:
		return topNumbers[uint32, uint32](top, t)
	case column.Int32:
		return topNumbers[int32, uint32](top, t)
	case column.Float32:
		return topNumbers[float32, uint32](top, t)
	case column.UInt64:
		return topNumbers[uint64, uint64](top, t)
	case column.Int64:
		return topNumbers[int64, uint64](top, t)
	case column.Float64:
		return topNumbers[float64, uint64](top, t)
	case column.UInt128:
		return topWide(top, t, crcU128)
	case column.Int128:
		return topWide(top, t, crcI128)
	case column.UInt256:
		return topWide(top, t, crcU256)
	case column.Int256:
		return topWide(top, t, crcI256)
	}
	return topBytes(top, t)
}

func topNumbers[T column.Number, K uint8 | uint16 | uint32 | uint64](top *topParameters, t *column.Type) func() States {
	f := &topOf[K]{
		topParameters: top,
		keys: func(c column.Column, rows int, buf *topBuffer[K]) []K {
			buf.keys = grow(buf.keys, rows)
			keys := buf.keys[:rows]
			copy(column.Raw(keys), column.Raw(c.(*column.Num[T]).Data[:rows]))
			return keys
		},
		hash: func(k K) uint32 { return crc64(math.MaxUint32, uint64(k)) },
		save: func(buf []byte, k K) []byte { return append(buf, column.Raw([]K{k})...) },
		load: loadFixed[K],
		column: func(keys []K) (column.Column, error) {
			data := make([]T, len(keys))
			copy(column.Raw(data), column.Raw(keys))
			return column.NewNum(t, data), nil
		},
	}
	return f.states
}

func topWide[T column.WideValue[T]](top *topParameters, t *column.Type, hash func(T) uint64) func() States {
	f := &topOf[T]{
		topParameters: top,
		keys:          func(c column.Column, rows int, _ *topBuffer[T]) []T { return c.(*column.Wide[T]).Data[:rows] },
		hash:          func(k T) uint32 { return uint32(hash(k)) },
		save:          func(buf []byte, k T) []byte { return append(buf, column.Raw([]T{k})...) },
		load:          loadFixed[T],
		column:        func(keys []T) (column.Column, error) { return column.NewWide(t, keys), nil },
	}
	return f.states
}

// loadFixed reads a value of fixed width.
func loadFixed[K any](r *column.StateReader) (K, error) {
	var one [1]K
	raw := column.Raw(one[:])
	copy(raw, r.Bytes(len(raw)))
	return one[0], r.Err()
}
