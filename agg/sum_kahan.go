package agg

import "dictsvc/column"

// kahan is a sum with the low bits that rounding took from it.
type kahan struct{ sum, lost float64 }

func (k *kahan) add(v float64) {
	v -= k.lost
	sum := k.sum + v
	k.lost = (sum - k.sum) - v
	k.sum = sum
}

func (k *kahan) merge(o *kahan) {
	raw := k.sum + o.sum
	back := raw - k.sum
	lost := ((o.sum - back) + (k.sum - (raw - back))) + k.lost + o.lost
	k.sum = raw + lost
	k.lost = lost - (k.sum - raw)
}

// addAll adds a block as ClickHouse does: four interleaved sums, then the rest.
func (k *kahan) addAll(data []float64) {
	var part [4]kahan
	n := len(data) &^ 3
	for i := 0; i < n; i += 4 {
		for j, v := range data[i : i+4] {
			part[j].add(v)
		}
	}
	for j := range part {
		k.merge(&part[j])
	}
	for _, v := range data[n:] {
		k.add(v)
	}
}

// bindSumKahan: the sum as Float64 with compensation; decimals are summed exactly, as by sum.
func bindSumKahan(name string, params []column.Column, args []*column.Type) (*Function, error) {
	if err := noParams(name, params); err != nil {
		return nil, err
	}
	if err := oneArgument(name, args); err != nil {
		return nil, err
	}
	if !takesNumbers(args[0], true) {
		return nil, illegal(name, args[0])
	}
	if args[0].IsDecimal() {
		f, err := bindSum(name, params, args)
		if f != nil {
			f.State = "sum"
		}
		return f, err
	}
	t := column.Of(column.Float64)
	f := flatOf[kahan]{
		merge:  func(into, from *kahan) { into.merge(from) },
		result: perState(t, func(k *kahan) float64 { return k.sum }),
	}
	return &Function{Name: name, Type: t, NewStates: func() States {
		own := f
		var buffer floatBuffer[float64]
		own.add = func(v []kahan, groups []uint32, args []column.Column, rows int) error {
			data := buffer.of(args[0], rows)
			if groups == nil {
				v[0].addAll(data)
				return nil
			}
			for i, g := range groups {
				v[g].add(data[i])
			}
			return nil
		}
		return own.states()
	}}, nil
}

// bindSumCount: the sum and the number of values as a tuple.
func bindSumCount(name string, params []column.Column, args []*column.Type) (*Function, error) {
	if err := noParams(name, params); err != nil {
		return nil, err
	}
	if err := oneArgument(name, args); err != nil {
		return nil, err
	}
	make, sum := sumStates(args[0])
	if k := args[0].Kind; make == nil || k == column.Enum8 || k == column.Enum16 {
		return nil, illegal(name, args[0])
	}
	t := column.NewTuple([]*column.Type{sum, column.Of(column.UInt64)}, nil)
	return &Function{Name: name, Type: t, NewStates: func() States { return &sumCount{avgStates{t: t, sum: make(), n: &countStates{}}} }}, nil
}

// sumCount has the states of avg and another result.
type sumCount struct{ avgStates }

func (s *sumCount) Merge(other States, from, to []uint32) error {
	return s.avgStates.Merge(&other.(*sumCount).avgStates, from, to)
}

func (s *sumCount) Result(from, to int) (column.Column, error) {
	sums, err := s.sum.Result(from, to)
	if err != nil {
		return nil, err
	}
	counts, err := s.n.Result(from, to)
	if err != nil {
		return nil, err
	}
	return &column.Tup{T: s.t, Elems: []column.Column{sums, counts}, N: to - from}, nil
}
