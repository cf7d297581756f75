package function

import (
	"dictsvc/column"
	"dictsvc/errcode"
)

// bindTransform is transform(x, from, to[, default]): each x that is in the array from becomes its partner in to.
func bindTransform(env *Env, args []Arg) (*Bound, error) {
	from, ok1 := unconst(args[1].Const).(*column.Arr)
	to, ok2 := unconst(args[2].Const).(*column.Arr)
	if !ok1 || !ok2 {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Second and third arguments of function transform must be constant arrays")
	}
	if from.Elem.Len() != to.Elem.Len() {
		return nil, errcode.New(errcode.BadArguments, "Second and third arguments of function transform must be arrays of same size")
	}
	x := args[0].Type
	deflt := x
	if len(args) == 4 {
		deflt = args[3].Type
	}
	ch, err := newChoice([]*column.Type{to.Elem.Type(), deflt})
	if err != nil {
		return nil, err
	}
	key, err := commonType(x, from.Elem.Type())
	if err != nil {
		return nil, err
	}
	castX, err := castKernel(x, key)
	if err != nil {
		return nil, err
	}
	castFrom, err := castKernel(from.Elem.Type(), key)
	if err != nil {
		return nil, err
	}
	keys, err := castFrom(from.Elem, from.Elem.Len())
	if err != nil {
		return nil, err
	}
	index := make(map[string]uint32, keys.Len())
	for i := keys.Len() - 1; i >= 0; i-- {
		index[string(keys.AppendKey(nil, i))] = uint32(i)
	}
	return result(ch.t, func(call *Call) (column.Column, error) {
		v, err := castX(call.Args[0], call.Rows)
		if err != nil {
			return nil, err
		}
		s := ch.start(call.Rows)
		var hit, place, other []uint32
		var buf []byte
		for i := 0; i < call.Rows; i++ {
			buf = v.AppendKey(buf[:0], i)
			if k, ok := index[string(buf)]; ok {
				hit, place = append(hit, uint32(i)), append(place, k)
			} else {
				other = append(other, uint32(i))
			}
		}
		if len(hit) > 0 {
			if err := ch.add(s, 0, to.Elem.Gather(place), hit, true); err != nil {
				return nil, err
			}
		}
		rest := call.Args[0]
		if len(args) == 4 {
			rest = call.Args[3]
		}
		if err := ch.add(s, 1, rest, other, false); err != nil {
			return nil, err
		}
		return s.column(), nil
	})
}
