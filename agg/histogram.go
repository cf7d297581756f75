package agg

import (
	"container/heap"
	"encoding/binary"
	"math"
	"slices"

	"dictsvc/column"
	"dictsvc/errcode"
)

// histogram(N) describes values by at most N bins, each a mean and a weight; the two nearest are fused when there are too many (Ben-Haim and Tom-Tov).

const histogramMost = 250 // bins

type bin struct{ mean, weight float64 }

func (b bin) fused(o bin) bin {
	w := o.weight + b.weight
	return bin{b.mean + o.weight*(o.mean-b.mean)/w, w}
}

type bins struct {
	list         []bin
	lower, upper float64
}

func bindHistogram(name string, params []column.Column, args []*column.Type) (*Function, error) {
	if len(params) != 1 {
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Function %s requires single parameter: bins count", name)
	}
	most, ok := UintParam(params[0])
	switch {
	case !ok || !params[0].Type().IsUnsigned():
		return nil, errcode.New(errcode.UnsupportedParameter, "Invalid type for bins count")
	case most > histogramMost:
		return nil, errcode.New(errcode.ParameterOutOfBound, "Unsupported bins count. Should not be greater than %d", histogramMost)
	case most == 0:
		return nil, errcode.New(errcode.BadArguments, "Bin count should be positive")
	}
	if err := oneArgument(name, args); err != nil {
		return nil, err
	}
	if !takesNumbers(args[0], false) {
		return nil, illegal(name, args[0])
	}
	num := column.Of(column.Float64)
	t := column.NewArray(column.NewTuple([]*column.Type{num, num, num}, nil))
	return &Function{Name: name, Type: t, OrderSensitive: true, Sketch: true, NewStates: func() States { return &histograms{t: t, most: int(most)} }}, nil
}

type histograms struct {
	t      *column.Type
	most   int
	v      []bins
	held   int
	values floatBuffer[float64]
}

func (s *histograms) Grow(n int) {
	have := len(s.v)
	s.v = grow(s.v, n)
	for i := have; i < len(s.v); i++ {
		s.v[i].lower, s.v[i].upper = math.MaxFloat64, -math.MaxFloat64
	}
}

func (s *histograms) add(b *bins, one bin) error {
	if math.IsNaN(one.mean) || math.IsInf(one.mean, 0) {
		return errcode.New(errcode.IncorrectData, "Invalid value (inf or nan) for aggregation by 'histogram' function")
	}
	had := cap(b.list)
	b.list = append(b.list, one)
	s.held += cap(b.list) - had
	b.lower, b.upper = min(b.lower, one.mean), max(b.upper, one.mean)
	if len(b.list) >= 2*s.most {
		b.compress(s.most)
	}
	return nil
}

func (s *histograms) Add(groups []uint32, args []column.Column, rows int) error {
	g := uint32(0)
	for i, v := range s.values.of(args[0], rows) {
		if groups != nil {
			g = groups[i]
		}
		if err := s.add(&s.v[g], bin{v, 1}); err != nil {
			return err
		}
	}
	return nil
}

func (s *histograms) Merge(other States, from, to []uint32) error {
	o := other.(*histograms)
	for i, g := range to {
		b, p := &s.v[g], &o.v[source(from, i)]
		b.lower, b.upper = min(b.lower, p.lower), max(b.upper, p.upper)
		for _, one := range p.list {
			if err := s.add(b, one); err != nil {
				return err
			}
		}
	}
	return nil
}

// gap is the distance of a bin to its right neighbour, as it was when it came into the queue.
type gap struct {
	width float64
	left  int
}

type gaps []gap

func (g gaps) Len() int { return len(g) }
func (g gaps) Less(i, j int) bool {
	return g[i].width < g[j].width || g[i].width == g[j].width && g[i].left < g[j].left
}
func (g gaps) Swap(i, j int) { g[i], g[j] = g[j], g[i] }
func (g *gaps) Push(x any)   { *g = append(*g, x.(gap)) }
func (g *gaps) Pop() any {
	x := (*g)[len(*g)-1]
	*g = (*g)[:len(*g)-1]
	return x
}

// compress fuses nearest neighbours until most bins are left.
func (b *bins) compress(most int) {
	list := b.list
	slices.SortStableFunc(list, func(x, y bin) int {
		switch {
		case x.mean < y.mean:
			return -1
		case x.mean > y.mean:
			return 1
		}
		return 0
	})
	n := len(list)
	if n <= most {
		return
	}
	// A ring of the bins with one place, n, between the last and the first, which is never active.
	previous, next, active := make([]int, n+1), make([]int, n+1), make([]bool, n+1)
	for i := range n + 1 {
		previous[i], next[i], active[i] = (i+n)%(n+1), (i+1)%(n+1), i < n
	}
	width := func(i int) float64 { return list[next[i]].mean - list[i].mean }
	queue := make(gaps, 0, 2*n-most)
	for i := range n - 1 {
		queue = append(queue, gap{width(i), i})
	}
	heap.Init(&queue)
	for left := n; left > most && len(queue) > 0; {
		g := heap.Pop(&queue).(gap)
		r := next[g.left]
		if !active[g.left] || !active[r] || width(g.left) > g.width {
			continue
		}
		list[g.left] = list[g.left].fused(list[r])
		previous[next[r]], next[previous[r]], active[r] = previous[r], next[r], false
		if active[next[g.left]] {
			heap.Push(&queue, gap{width(g.left), g.left})
		}
		if p := previous[g.left]; active[p] {
			heap.Push(&queue, gap{width(p), p})
		}
		left--
	}
	kept := list[:0]
	for i, one := range list {
		if active[i] {
			kept = append(kept, one)
		}
	}
	b.list = kept
}

// unique fuses sorted bins that differ in their last digit only.
func unique(list []bin) []bin {
	if len(list) == 0 {
		return list
	}
	const epsilon = 0x1p-52
	l := 0
	for _, one := range list[1:] {
		if list[l].mean+math.Abs(10*(list[l].mean+one.mean)*epsilon) >= one.mean {
			list[l] = list[l].fused(one)
		} else {
			l++
			list[l] = one
		}
	}
	return list[:l+1]
}

func (s *histograms) Result(from, to int) (column.Column, error) {
	var lower, upper, weight []float64
	ends := make([]uint64, 0, to-from)
	for g := from; g < to; g++ {
		b := bins{list: slices.Clone(s.v[g].list)}
		b.compress(s.most)
		list := unique(b.list)
		for i, one := range list {
			lo, hi := s.v[g].lower, s.v[g].upper
			below, above := one.weight, one.weight
			if i > 0 {
				lo = (one.mean + list[i-1].mean) / 2
				below = (list[i-1].weight + one.weight*3) / 4
			}
			if i+1 < len(list) {
				hi = (one.mean + list[i+1].mean) / 2
				above = (list[i+1].weight + one.weight*3) / 4
			}
			lower, upper, weight = append(lower, lo), append(upper, hi), append(weight, (below+above)/2)
		}
		ends = append(ends, uint64(len(lower)))
	}
	elem := &column.Tup{T: s.t.Elems[0], Elems: []column.Column{column.Float64s(lower...), column.Float64s(upper...), column.Float64s(weight...)}, N: len(lower)}
	return &column.Arr{T: s.t, Ends: ends, Elem: elem}, nil
}

func (s *histograms) Save(buf []byte, group int) []byte {
	b := &s.v[group]
	buf = saveNum(saveNum(buf, b.lower), b.upper)
	return append(binary.AppendUvarint(buf, uint64(len(b.list))), column.Raw(b.list)...)
}

func (s *histograms) Load(r *column.StateReader, group int) error {
	b := &s.v[group]
	b.lower, b.upper = r.F64(), r.F64()
	n := r.Uvarint()
	if r.Err() == nil && n > uint64(2*s.most) {
		return r.Fail(errcode.New(errcode.TooLargeArraySize, "Too many bins"))
	}
	had := cap(b.list)
	err := loadValues(r, int(n), func(list []bin) { b.list = append(b.list, list...) })
	s.held += cap(b.list) - had
	for _, one := range b.list {
		if math.IsNaN(one.mean) {
			return r.Corrupt("A bin of histogram is not a number")
		}
	}
	return err
}

func (s *histograms) Bytes() int { return cap(s.v)*sizeOf[bins]() + 16*s.held }
