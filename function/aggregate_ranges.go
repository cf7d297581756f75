package function

import (
	"dictsvc/agg"
	"dictsvc/column"
	"dictsvc/errcode"
)

// bindReduceInRanges aggregates ranges (index, length) of arrays' elements; the index counts from 1, below 0 from the end.
func bindReduceInRanges(_ *Env, args []Arg) (*Bound, error) {
	if err := checkRanges(args[1].Type); err != nil {
		return nil, err
	}
	types := make([]*column.Type, len(args)-2)
	for i, a := range args[2:] {
		if a.Type.Kind != column.Array {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Argument %d for function arrayReduceInRanges must be an array but it has type %s.", i+2, a.Type)
		}
		types[i] = a.Type.Elems[0]
	}
	f, err := namedAggregate("arrayReduceInRanges", args[0], types)
	if err != nil {
		return nil, err
	}
	t := column.NewArray(f.Type)
	return &Bound{Type: t, Exec: func(call *Call) (column.Column, error) { return reduceInRanges(call, f, t) }}, nil
}

func checkRanges(t *column.Type) error {
	if t.Kind != column.Array {
		return errcode.New(errcode.IllegalTypeOfArgument, "Second argument for function arrayReduceInRanges must be an array of ranges.")
	}
	pair := t.Elems[0]
	if pair.Kind != column.Tuple || len(pair.Elems) != 2 {
		return errcode.New(errcode.IllegalTypeOfArgument, "Each array element in the second argument for function arrayReduceInRanges must be a tuple (index, length)")
	}
	switch pair.Elems[0].Kind {
	case column.Int8, column.Int16, column.Int32, column.Int64:
	default:
		if !unsigned(pair.Elems[0]) {
			return errcode.New(errcode.IllegalTypeOfArgument, "First tuple member in the second argument for function arrayReduceInRanges must be ints or uints")
		}
	}
	if !unsigned(pair.Elems[1]) {
		return errcode.New(errcode.IllegalTypeOfArgument, "Second tuple member in the second argument for function arrayReduceInRanges must be uints")
	}
	return nil
}

// reduceInRanges adds each range's elements to a group of its own.
func reduceInRanges(call *Call, f *agg.Function, t *column.Type) (column.Column, error) {
	ranges := call.full(call.Args[1]).(*column.Arr)
	lists := make([]*column.Arr, len(call.Args)-2)
	elems := make([]column.Column, len(lists))
	for i, a := range call.Args[2:] {
		lists[i] = call.full(a).(*column.Arr)
		if !sameLengths(lists[0], lists[i]) {
			return nil, errcode.New(errcode.SizesOfArraysDontMatch, "Lengths of all arrays passed to arrayReduceInRanges must be equal.")
		}
		elems[i] = usedElements(lists[i])
	}
	pairs := usedElements(ranges).(*column.Tup)
	index, err := column.Cast(pairs.Elems[0], column.Of(column.Int64), column.CastPlain)
	if err != nil {
		return nil, err
	}
	length, err := column.Cast(pairs.Elems[1], column.Of(column.UInt64), column.CastPlain)
	if err != nil {
		return nil, err
	}
	indexes, lengths := index.(*column.Num[int64]).Data, length.(*column.Num[uint64]).Data
	states := f.NewStates()
	call.Hold(stateWork * pairs.Len())
	states.Grow(pairs.Len())
	add := rangeAdder{call: call, states: states, elems: elems}
	ends := make([]uint64, call.Rows)
	group := 0
	for row, base := 0, 0; row < call.Rows; row++ {
		from, to := lists[0].Range(row)
		size := uint64(to - from)
		first, last := ranges.Range(row)
		for range last - first {
			begin, end := spanOf(indexes[group], lengths[group], size)
			call.Work(4)
			if err := add.span(base+int(begin), base+int(end), uint32(group)); err != nil {
				return nil, err
			}
			group++
		}
		ends[row] = uint64(group)
		base += int(size)
	}
	if err := add.flush(); err != nil {
		return nil, err
	}
	values, err := states.Result(0, group)
	if err != nil {
		return nil, err
	}
	return &column.Arr{T: t, Ends: ends, Elem: values}, nil
}

// spanOf is the part [begin, end) of an array of some size that a range means: nothing where it begins outside. The end wraps round, as in ClickHouse.
func spanOf(index int64, length, size uint64) (begin, end uint64) {
	switch {
	case index > 0:
		begin = uint64(index - 1)
	case index < 0:
		begin = size + uint64(index)
	default:
		return 0, 0
	}
	if begin >= size {
		return 0, 0
	}
	return begin, max(begin, min(begin+length, size))
}

// stateWork is about the work of adding a value to a state, and the size of a small state.
const stateWork = 32

// rangeAdder gathers ranges of rows into batches for Add.
type rangeAdder struct {
	call         *Call
	states       agg.States
	elems        []column.Column
	rows, groups []uint32
}

func (a *rangeAdder) span(from, to int, group uint32) error {
	for ; from < to; from++ {
		a.rows, a.groups = append(a.rows, uint32(from)), append(a.groups, group)
		if len(a.rows) == column.MaxBlockRows {
			if err := a.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (a *rangeAdder) flush() error {
	if len(a.rows) == 0 {
		return nil
	}
	args := make([]column.Column, len(a.elems))
	for i, e := range a.elems {
		args[i] = e.Gather(a.rows)
	}
	err := a.states.Add(a.groups, args, len(a.rows))
	a.call.Work(stateWork * len(a.rows))
	a.call.Grown(a.states.Bytes())
	a.rows, a.groups = a.rows[:0], a.groups[:0]
	return err
}
