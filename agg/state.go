package agg

import (
	"strings"

	"dictsvc/column"
	"dictsvc/errcode"
)

// Names of types bring their states' codecs from here.
func init() { column.RegisterStates(resolveStates) }

// StateType is the type of f's states: AggregateFunction(f, arguments...).
func StateType(f *Function) *column.Type {
	return column.NewAggregateFunction(f.Version, f.State+f.paramText(), f.Args, codec{f})
}

// FromType is the function whose states a type AggregateFunction(...) holds.
func FromType(t *column.Type) (*Function, error) {
	if c, ok := t.States.(codec); ok {
		return c.f, nil
	}
	return nil, errcode.New(errcode.NotImplemented, "States of type %s are not known", t)
}

// FinalType is the type of the result that a state of type t gives.
func resolveStates(t *column.Type) (*column.Type, error) {
	name, params, err := parseName(t.Func)
	if err != nil {
		return nil, err
	}
	if t.Simple {
		return resolveSimple(t, name, params)
	}
	f, err := Bind(name, params, t.Elems, false)
	if err != nil {
		return nil, err
	}
	version := f.Version
	if t.Version > 0 || strings.HasPrefix(t.String(), "AggregateFunction(0, ") {
		version = t.Version
	}
	return column.NewAggregateFunction(version, f.State+f.paramText(), f.Args, codec{f}), nil
}

// simpleFunctions are those whose states are their results.
var simpleFunctions = []string{"any", "any_respect_nulls", "anyLast", "anyLast_respect_nulls", "min", "max", "sum", "sumWithOverflow", "groupBitAnd", "groupBitOr", "groupBitXor", "sumMap",
	"minMap", "maxMap", "groupArrayArray", "groupArrayLastArray", "groupUniqArrayArray", "groupUniqArrayArrayMap", "sumMappedArrays", "minMappedArrays", "maxMappedArrays"}

// isSimple tells whether SimpleAggregateFunction takes a function.
func isSimple(name string) error {
	for _, s := range simpleFunctions {
		if s == name {
			return nil
		}
	}
	return errcode.New(errcode.BadArguments, "Unsupported aggregate function %s, supported functions are %s", name, strings.Join(simpleFunctions, ","))
}

// resolveSimple checks that a function of the value's type gives that type again.
func resolveSimple(t *column.Type, name string, params []column.Column) (*column.Type, error) {
	value := t.NoSimple()
	f, err := Bind(name, params, []*column.Type{value}, false)
	if err != nil {
		return nil, err
	}
	if err := isSimple(f.State); err != nil {
		return nil, err
	}
	if !f.Type.Equal(value.NoLowCardinality()) {
		return nil, errcode.New(errcode.BadArguments, "Incompatible data types between aggregate function '%s' which returns %s and column storage type %s", f.State, f.Type, value)
	}
	return column.NewSimpleAggregateFunction(f.State+paramText(params), value), nil
}

// codec makes a function's states the States of a column type.
type codec struct{ f *Function }

// AppendEmpty implements column.StateCodec.
func (c codec) AppendEmpty(buf []byte) []byte {
	s := c.f.NewStates()
	s.Grow(1)
	return s.Save(buf, 0)
}

// loadRows is how many states are read into memory at a time.
const loadRows = 1024

// Read implements column.StateCodec.
func (c codec) Read(r *column.StateReader, n int, ends []uint64) ([]uint64, error) {
	for n > 0 {
		k := min(n, loadRows)
		s := c.f.NewStates()
		s.Grow(k)
		for i := range k {
			if err := s.Load(r, i); err != nil {
				return ends, err
			}
			if err := r.Err(); err != nil {
				return ends, err
			}
			ends = append(ends, uint64(r.Pos()))
		}
		n -= k
	}
	return ends, nil
}

// LoadRows reads rows [from, to) of a column of states into states of their own; row i becomes group i - from.
func LoadRows(f *Function, c *column.Str, from, to int) (States, error) {
	return loadChecked(f, c, from, to, nil)
}

func loadChecked(f *Function, c *column.Str, from, to int, check func() error) (States, error) {
	s := f.NewStates()
	SetCheck(s, check)
	s.Grow(to - from)
	var r column.StateReader
	for i := from; i < to; i++ {
		r.Reset(c.At(i))
		if err := s.Load(&r, i-from); err != nil {
			return nil, err
		}
		if err := r.Err(); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// SaveAll is the column of the states of groups [from, to).
func SaveAll(t *column.Type, s States, from, to int) *column.Str {
	return saveEach(t, s.Save, from, to)
}

func saveEach(t *column.Type, save func(buf []byte, group int) []byte, from, to int) *column.Str {
	out := &column.Str{T: t, Ends: make([]uint64, 0, to-from)}
	for i := from; i < to; i++ {
		out.Data = save(out.Data, i)
		out.EndRow()
	}
	return out
}

// loadOne reads one value into a column and gives it back through set; it is for states that hold values in slices.
func saveNum[T column.Number](buf []byte, v T) []byte { return append(buf, column.Raw([]T{v})...) }

func loadNum[T column.Number](r *column.StateReader) T {
	var v [1]T
	raw := column.Raw(v[:])
	copy(raw, r.Bytes(len(raw)))
	return v[0]
}

// source is the place in from of the i-th state to merge.
func source(from []uint32, i int) int {
	if from == nil {
		return i
	}
	return int(from[i])
}

// targets turns a merge's lists round: for each of the other's n groups the group it goes to + 1, 0 where it is not merged.
func targets(from, to []uint32, n int) []uint32 {
	out := make([]uint32, n)
	for i, g := range to {
		out[source(from, i)] = g + 1
	}
	return out
}
