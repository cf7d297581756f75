package query

import (
	"slices"

	"dictsvc/agg"
	"dictsvc/column"
)

// joinAlternative is one alternative of a condition a.x = b.x OR a.y = b.y: a table of its own over the right rows, which tells the candidates that the
// whole condition is then computed for.
type joinAlternative struct {
	plan  *joinPlan // with the alternative's keys alone
	keys  agg.Grouper
	ids   []uint32 // by right row, its group + 1; 0 for rows with a NULL
	first []uint32
	rows  []uint32
}

// alternatives are the keys of each alternative of an OR among the conditions, nil where the condition is not of that kind.
func (p *joinPlan) alternatives() [][]joinKey {
	if len(p.keys) > 0 || len(p.rightIf) > 0 || p.never || p.asof != nil {
		return nil
	}
	for _, c := range p.mixed {
		if c.op == opCall && c.name == "or" && p.eachEquates(c) {
			if list, ok := p.alternativeKeys(c, nil); ok {
				return list
			}
		}
	}
	return nil
}

func (p *joinPlan) alternativeKeys(or *expr, list [][]joinKey) ([][]joinKey, bool) {
	for _, alternative := range or.args {
		if alternative.op == opCall && alternative.name == "or" {
			var ok bool
			if list, ok = p.alternativeKeys(alternative, list); !ok {
				return nil, false
			}
			continue
		}
		one := &joinPlan{left: p.left, right: p.right}
		for _, c := range conjuncts(alternative, nil) {
			if l, r, nulls, ok := p.equality(c); ok && one.addKey(l, r, c, nulls) != nil {
				return nil, false
			}
		}
		list = append(list, one.keys)
	}
	return list, true
}

func newAlternative(keys []joinKey) *joinAlternative {
	types := make([]*column.Type, len(keys))
	for i, k := range keys {
		types[i] = bitsType(k.typ)
	}
	return &joinAlternative{plan: &joinPlan{keys: keys}, keys: agg.NewGrouper(types)}
}

// add takes in the keys of a block of right rows.
func (a *joinAlternative) add(cols []column.Column, rows int) error {
	keys, may, err := joinKeys(a.plan, cols, rows)
	if err != nil {
		return err
	}
	n := rows
	if may != nil {
		n = column.Count(may)
		for i := range keys {
			keys[i] = keys[i].Filter(may, n)
		}
	}
	groups := make([]uint32, n)
	if n > 0 {
		a.keys.Groups(keys, n, groups)
	}
	at := len(a.ids)
	a.ids = append(a.ids, make([]uint32, rows)...)
	for i := range rows {
		if may == nil || may[i] != 0 {
			a.ids[at+i] = groups[0] + 1
			groups = groups[1:]
		}
	}
	return nil
}

// index puts the rows of each key side by side.
func (a *joinAlternative) index() {
	a.first = make([]uint32, a.keys.Len()+2)
	for _, id := range a.ids {
		a.first[id+1]++
	}
	for g := 1; g < len(a.first); g++ {
		a.first[g] += a.first[g-1]
	}
	// first[id] is where the rows of an id begin, those without a key (id 0) in front of all.
	next := slices.Clone(a.first)
	a.rows = make([]uint32, len(a.ids))
	for row, id := range a.ids {
		a.rows[next[id]] = uint32(row)
		next[id]++
	}
	a.ids = nil
}

func (a *joinAlternative) bytes() int {
	return a.keys.Bytes() + 4*(cap(a.ids)+cap(a.first)+cap(a.rows))
}

// find looks the keys of a batch of left rows up.
func (a *joinAlternative) find(cols []column.Column, rows int) ([]uint32, error) {
	keys, may, err := joinKeys(a.plan, cols, rows)
	if err != nil {
		return nil, err
	}
	out := make([]uint32, rows)
	a.keys.Find(keys, rows, out)
	for i, m := range may {
		if m == 0 {
			out[i] = 0
		}
	}
	return out, nil
}

// merged are the right rows that any alternative names for a left row, in order and once each.
func (s *probeStream) merged(row int) []uint32 {
	s.merge = s.merge[:0]
	lists := 0
	for i, a := range s.j.table.alts {
		if id := s.ids[i][row]; id != 0 {
			s.merge = append(s.merge, a.rows[a.first[id]:a.first[id+1]]...)
			lists++
		}
	}
	if lists > 1 {
		slices.Sort(s.merge)
		s.merge = slices.Compact(s.merge)
	}
	return s.merge
}
