package agg

import "dictsvc/column"

// spanAdder is what States implement that add runs of rows, each to one group, faster than row by row.
type spanAdder interface {
	// addSpans adds rows ends[i-1] to ends[i] of the arguments, from row 0 for the first, to group i.
	addSpans(ends []uint64, args []column.Column) error
}

// spanReducer is what States implement that have a shorter way to the results of many groups of few rows each.
type spanReducer interface {
	// spanResults is the result by group, its rows given as in addSpans; false where these arguments have no shorter way.
	spanResults(ends []uint64, args []column.Column) (column.Column, bool)
}

// ReduceSpans is the result for each span of rows, given as in AddSpans, by itself. hold is told the memory that the states take.
func ReduceSpans(f *Function, ends []uint64, args []column.Column, hold func(bytes int)) (column.Column, error) {
	states := f.NewStates()
	if s, ok := states.(spanReducer); ok {
		if res, ok := s.spanResults(ends, args); ok {
			return res, nil
		}
	}
	states.Grow(len(ends))
	if err := AddSpans(states, ends, args); err != nil {
		return nil, err
	}
	hold(states.Bytes())
	return states.Result(0, len(ends))
}

// AddSpans adds rows ends[i-1] to ends[i] of the arguments, from row 0 for the first, to group i, which exists already. It is Add for the
// elements of arrays.
func AddSpans(s States, ends []uint64, args []column.Column) error {
	if f, ok := s.(spanAdder); ok {
		return f.addSpans(ends, args)
	}
	rows := 0
	if len(ends) > 0 {
		rows = int(ends[len(ends)-1])
	}
	if rows == 0 {
		return nil
	}
	groups := make([]uint32, rows)
	from := uint64(0)
	for i, e := range ends {
		for k := range groups[from:e] {
			groups[from+uint64(k)] = uint32(i)
		}
		from = e
	}
	return s.Add(groups, args, rows)
}

func (s *sumOf[T, S]) addSpans(ends []uint64, args []column.Column) error {
	data, from := args[0].(*column.Num[T]).Data, uint64(0)
	v := s.v[:len(ends)]
	for i, e := range ends {
		sum := v[i]
		for _, x := range data[from:e] {
			sum += S(x)
		}
		v[i], from = sum, e
	}
	return nil
}

func (s *countStates) addSpans(ends []uint64, _ []column.Column) error {
	from := uint64(0)
	for i, e := range ends {
		s.n[i] += e - from
		from = e
	}
	return nil
}

func (s *avgStates) addSpans(ends []uint64, args []column.Column) error {
	if err := AddSpans(s.sum, ends, args); err != nil {
		return err
	}
	return s.n.addSpans(ends, nil)
}

func (s *extreme[T]) addSpans(ends []uint64, args []column.Column) error {
	data, from := args[0].(*column.Num[T]).Data, uint64(0)
	for i, e := range ends {
		if from < e {
			s.put(i, s.ofSome(data[from], data[from+1:e]))
		}
		from = e
	}
	return nil
}
