package dict

import (
	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/function"
)

// A hierarchical dictionary has one attribute that names each key's parent. 0, a missing parent and a NULL end a chain, and so does a key that
// has been seen on it: a loop in the data ends the walk.

func hierarchyFunctions(resolve Resolver) []function.Function {
	list := []function.Function{
		{Name: "dictGetHierarchy", MinArgs: 2, MaxArgs: 2},
		{Name: "dictIsIn", MinArgs: 3, MaxArgs: 3},
		{Name: "dictGetChildren", MinArgs: 2, MaxArgs: 2},
		{Name: "dictGetDescendants", MinArgs: 2, MaxArgs: 3},
	}
	for i := range list {
		name := list[i].Name
		list[i].Bind = func(env *function.Env, args []function.Arg) (*function.Bound, error) {
			return bindHierarchy(resolve, name, env, args)
		}
	}
	return list
}

func bindHierarchy(resolve Resolver, name string, env *function.Env, args []function.Arg) (*function.Bound, error) {
	d, err := dictArgument(resolve, name, env, args[0])
	if err != nil {
		return nil, err
	}
	def := d.Definition()
	parent := -1
	for i, a := range def.Attrs {
		if a.Hierarchical {
			parent = i
		}
	}
	if parent < 0 || def.Complex() {
		return nil, errcode.New(errcode.UnsupportedMethod, "Dictionary %s does not support hierarchy", d)
	}
	if k := def.Attrs[parent].Type.NoNull().Kind; k != column.UInt64 {
		return nil, errcode.New(errcode.TypeMismatch, "Dictionary %s hierarchical attribute must have type UInt64, got %s", d, def.Attrs[parent].Type)
	}
	h := &hierarchy{d: d, parent: parent}
	casts := make([]func(column.Column) (column.Column, error), len(args))
	for i, a := range args[1:] {
		if casts[i+1], err = column.NewCast(a.Type, column.Of(column.UInt64), column.CastAccurate); err != nil {
			return nil, err
		}
	}
	number := func(call *function.Call, i int) ([]uint64, error) {
		c, err := casts[i](call.Args[i])
		if err != nil {
			return nil, err
		}
		return column.Full(c).(*column.Num[uint64]).Data, nil
	}
	t := column.NewArray(column.Of(column.UInt64))
	exec := func(call *function.Call) (column.Column, error) {
		keys, err := number(call, 1)
		if err != nil {
			return nil, err
		}
		v, err := AcquireNow(call.Env.Ctx, d, def, func() (*Dictionary, error) { return dictArgument(resolve, name, call.Env, args[0]) })
		if err != nil {
			return nil, err
		}
		defer v.Release()
		d.Count(len(keys), len(keys))
		switch name {
		case "dictIsIn":
			of, err := number(call, 2)
			if err != nil {
				return nil, err
			}
			return h.isIn(v, keys, of), nil
		case "dictGetHierarchy":
			return h.chains(v, keys), nil
		}
		level := []uint64{1}
		if name == "dictGetDescendants" {
			level = []uint64{0}
			if len(args) == 3 {
				if level, err = number(call, 2); err != nil {
					return nil, err
				}
			}
		}
		return h.descendants(v, keys, level), nil
	}
	if name == "dictIsIn" {
		t = column.Of(column.UInt8)
	}
	return &function.Bound{Type: t, Exec: exec}, nil
}

type hierarchy struct {
	d      *Dictionary
	parent int
}

// parents looks up the parents of keys; 0 where a chain ends. known tells which keys are in the dictionary.
func (h *hierarchy) parents(v *Version, keys []uint64) (parents []uint64, known []uint8) {
	var l Lookup
	v.Find([]column.Column{column.UInt64s(keys...)}, len(keys), &l)
	def := column.New(v.def.Attrs[h.parent].Type, 1)
	def.AppendDefault(1)
	c := v.Attribute(h.parent, &l, def)
	if n, ok := c.(*column.Null); ok {
		c = n.Inner // NULL has 0 under it
	}
	return c.(*column.Num[uint64]).Data, l.Found
}

// chain is a key and its ancestors, the key first, ended by the first key seen before.
func (h *hierarchy) chain(v *Version, key uint64) []uint64 {
	var chain []uint64
	seen := map[uint64]bool{}
	for !seen[key] {
		p, known := h.parents(v, []uint64{key})
		if known[0] == 0 {
			break
		}
		seen[key] = true
		chain = append(chain, key)
		if p[0] == 0 {
			break
		}
		key = p[0]
	}
	return chain
}

func (h *hierarchy) chains(v *Version, keys []uint64) column.Column {
	out := column.New(column.NewArray(column.Of(column.UInt64)), len(keys)).(*column.Arr)
	elems := out.Elem.(*column.Num[uint64])
	for _, k := range keys {
		elems.Data = append(elems.Data, h.chain(v, k)...)
		out.EndRow()
	}
	return out
}

func (h *hierarchy) isIn(v *Version, keys, of []uint64) column.Column {
	out := make([]uint8, len(keys))
	for i, k := range keys {
		for _, a := range h.chain(v, k) {
			if a == of[i] {
				out[i] = 1
				break
			}
		}
	}
	return column.NewNum(column.Of(column.UInt8), out)
}

// children builds the index from parents to their children by one scan, in the order of the key table.
func (h *hierarchy) children(v *Version) map[uint64][]uint64 {
	index := map[uint64][]uint64{}
	for _, s := range v.Scan([]int{0, len(v.def.Keys) + h.parent}, 1) {
		for {
			cols, n := s.Next()
			if n == 0 {
				break
			}
			keys := cols[0].(*column.Num[uint64]).Data
			c := cols[1]
			if x, ok := c.(*column.Null); ok {
				c = x.Inner
			}
			for i, p := range c.(*column.Num[uint64]).Data {
				if p != 0 {
					index[p] = append(index[p], keys[i])
				}
			}
		}
	}
	return index
}

// descendants lists the keys below each key: those exactly level steps down, or all for level 0.
func (h *hierarchy) descendants(v *Version, keys, level []uint64) column.Column {
	index := h.children(v)
	out := column.New(column.NewArray(column.Of(column.UInt64)), len(keys)).(*column.Arr)
	elems := out.Elem.(*column.Num[uint64])
	for i, k := range keys {
		want := level[min(i, len(level)-1)]
		seen := map[uint64]bool{k: true}
		front := []uint64{k}
		for depth := uint64(1); len(front) > 0 && (want == 0 || depth <= want); depth++ {
			var next []uint64
			for _, p := range front {
				for _, c := range index[p] {
					if !seen[c] {
						seen[c] = true
						next = append(next, c)
					}
				}
			}
			if want == 0 || depth == want {
				elems.Data = append(elems.Data, next...)
			}
			front = next
		}
		out.EndRow()
	}
	return out
}
