package agg

import "dictsvc/column"

// bindRespectNulls: any_respect_nulls and anyLast_respect_nulls are any and anyLast that take NULL for a value.
func bindRespectNulls(name string, params []column.Column, args []*column.Type) (*Function, error) {
	if err := oneArgument(name, args); err != nil {
		return nil, err
	}
	if err := noParams(name, params); err != nil {
		return nil, err
	}
	if !isComparable(args[0]) {
		return nil, illegal(name, args[0])
	}
	f := respectNulls(name, args[0])
	f.ownNulls = func(params []column.Column, args []*column.Type) *Function {
		out := respectNulls(name, args[0])
		out.State, out.canon, out.Params, out.Args = name, name, params, args
		return out
	}
	return f, nil
}

func respectNulls(name string, t *column.Type) *Function {
	last := name == "anyLast_respect_nulls"
	return &Function{Name: name, Type: t, OrderSensitive: true, takesNull: true, NewStates: func() States {
		return &respectStates{picked{t: t, store: column.New(t, 0), better: func(column.Column, int, column.Column, int) bool { return last }}}
	}}
}

// respectStates have one row a group, which may be NULL.
type respectStates struct{ picked }

// What a state begins with.
const (
	respectNone  = 1
	respectNull  = 2
	respectValue = 3
)

func (s *respectStates) Merge(other States, from, to []uint32) error {
	return s.picked.Merge(&other.(*respectStates).picked, from, to)
}

func (s *respectStates) Save(buf []byte, group int) []byte {
	k := s.row[group]
	if k == 0 {
		return append(buf, respectNone)
	}
	if n, ok := s.store.(*column.Null); ok && n.Nulls[k-1] != 0 {
		return append(buf, respectNull)
	}
	return column.AppendNative(append(buf, respectValue), s.store, int(k-1))
}

func (s *respectStates) Load(r *column.StateReader, group int) error {
	switch b := r.U8(); {
	case r.Err() != nil || b == respectNone:
		return r.Err()
	case b == respectNull && s.t.Kind == column.Nullable:
		s.store.AppendDefault(1)
	case b == respectValue:
		if err := column.ReadNative(s.store, r); err != nil {
			return err
		}
	default:
		return r.Corrupt("A state of any with NULLs cannot begin with %d", b)
	}
	s.row[group] = uint32(s.store.Len())
	return nil
}
