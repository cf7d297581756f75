package agg

import "dictsvc/column"

// Aggregate functions see no LowCardinality at any depth of their arguments.

// plainType is a type without LowCardinality.
func plainType(t *column.Type) *column.Type {
	switch t.Kind {
	case column.LowCardinality:
		return plainType(t.Elems[0])
	case column.Array:
		return column.NewArray(plainType(t.Elems[0]))
	case column.Map:
		return column.NewMap(plainType(t.Elems[0]), plainType(t.Elems[1]))
	case column.Tuple:
		elems := make([]*column.Type, len(t.Elems))
		for i, e := range t.Elems {
			elems[i] = plainType(e)
		}
		return column.NewTuple(elems, t.Names)
	}
	return t
}

// plainColumn is a column of plainType's type.
func plainColumn(c column.Column) column.Column {
	switch x := column.Plain(c).(type) {
	case *column.Arr:
		return &column.Arr{T: plainType(x.T), Ends: x.Ends, Start: x.Start, Elem: plainColumn(x.Elem)}
	case *column.MapColumn:
		return &column.MapColumn{T: plainType(x.T), Arr: plainColumn(x.Arr).(*column.Arr)}
	case *column.Tup:
		elems := make([]column.Column, len(x.Elems))
		for i, e := range x.Elems {
			elems[i] = plainColumn(e)
		}
		return &column.Tup{T: plainType(x.T), Elems: elems, N: x.N}
	default:
		return x
	}
}

// plainStates takes arguments with LowCardinality inside arrays, tuples and maps.
type plainStates struct{ States }

func (s *plainStates) Add(groups []uint32, args []column.Column, rows int) error {
	plain := make([]column.Column, len(args))
	for i, a := range args {
		plain[i] = plainColumn(a)
	}
	return s.States.Add(groups, plain, rows)
}

func (s *plainStates) Seal() { seal(s.States) }

func (s *plainStates) Merge(other States, from, to []uint32) error {
	return s.States.Merge(other.(*plainStates).States, from, to)
}
