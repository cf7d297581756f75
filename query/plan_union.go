package query

import (
	"slices"

	"dictsvc/agg"
	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/sql"
)

// unionPlan is UNION ALL: the rows of its parts one after another.
type unionPlan struct {
	parts []relation
	info  []columnInfo
	casts [][]column.Caster // by part and column, nil where nothing is to be done
}

// bindUnion binds a query with set operations. INTERSECT binds tighter; otherwise they go from left to right.
func (q *run) bindUnion(sq *sql.SelectQuery, up *binder) (relation, error) {
	var parts []relation
	var ops []sql.SetOp
	var with []sql.WithItem
	if first := firstSelect(sq); first != nil && q.settings.flag("enable_global_with_statement", true) {
		with = first.With
	}
	for i, operand := range sq.Queries {
		if i > 0 && len(with) > 0 {
			operand = giveWith(operand, with)
		}
		p, err := q.bindOperand(operand, up)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			op, err := q.setOp(sq.Ops[i-1], sq)
			if err != nil {
				return nil, err
			}
			if op == sql.IntersectAll || op == sql.IntersectDistinct {
				if parts[len(parts)-1], err = combine(parts[len(parts)-1], p, op); err != nil {
					return nil, err
				}
				continue
			}
			ops = append(ops, op)
		}
		parts = append(parts, p)
	}
	return foldSetOps(parts, ops)
}

// firstSelect is the SELECT whose WITH holds for all operands of a UNION.
func firstSelect(sq *sql.SelectQuery) *sql.Select {
	switch op := sq.Queries[0].(type) {
	case *sql.SelectQuery:
		return firstSelect(op)
	case *sql.Select:
		return op
	}
	return nil
}

// giveWith is an operand of a UNION with the first one's WITH in front of its own; what it names itself stays its own.
func giveWith(operand sql.Query, with []sql.WithItem) sql.Query {
	switch op := operand.(type) {
	case *sql.SelectQuery:
		c := *op
		c.Queries = slices.Clone(op.Queries)
		for i, o := range c.Queries {
			c.Queries[i] = giveWith(o, with)
		}
		return &c
	case *sql.Select:
		own := map[string]bool{}
		for _, w := range op.With {
			own[withName(w)] = true
		}
		c := *op
		c.With = nil
		for _, w := range with {
			if !own[withName(w)] {
				c.With = append(c.With, w)
			}
		}
		c.With = append(c.With, op.With...)
		return &c
	}
	return operand
}

func withName(w sql.WithItem) string {
	if w.Query == nil && w.Expr != nil {
		return w.Expr.Alias()
	}
	return w.Name
}

// foldSetOps applies UNION and EXCEPT from left to right; a row of UNION ALLs becomes one plan.
func foldSetOps(parts []relation, ops []sql.SetOp) (relation, error) {
	left := parts[0]
	for i := 0; i < len(ops); i++ {
		if ops[i] == sql.UnionAll {
			list := []relation{left}
			for ; i < len(ops) && ops[i] == sql.UnionAll; i++ {
				list = append(list, parts[i+1])
			}
			i--
			u, err := newUnion(list)
			if err != nil {
				return nil, err
			}
			left = u
			continue
		}
		var err error
		if left, err = combine(left, parts[i+1], ops[i]); err != nil {
			return nil, err
		}
	}
	return left, nil
}

// setOp settles the operations written without ALL or DISTINCT.
func (q *run) setOp(op sql.SetOp, sq *sql.SelectQuery) (sql.SetOp, error) {
	mode := func(setting string, all, distinct sql.SetOp, name string) (sql.SetOp, error) {
		def := "ALL"
		if setting == "union_default_mode" {
			def = ""
		}
		switch q.settings.text(setting, def) {
		case "ALL":
			return all, nil
		case "DISTINCT":
			return distinct, nil
		}
		return 0, errcode.New(errcode.ExpectedAllOrDistinct, "Expected ALL or DISTINCT in %s query, because setting (%s) is empty: While processing %s", name, setting, sql.Format(sq))
	}
	switch op {
	case sql.UnionDefault:
		return mode("union_default_mode", sql.UnionAll, sql.UnionDistinct, "SelectWithUnion")
	case sql.ExceptDefault:
		return mode("except_default_mode", sql.ExceptAll, sql.ExceptDistinct, "SelectWithExcept")
	case sql.IntersectDefault:
		return mode("intersect_default_mode", sql.IntersectAll, sql.IntersectDistinct, "SelectWithIntersect")
	}
	return op, nil
}

func newUnion(parts []relation) (*unionPlan, error) {
	u := &unionPlan{parts: parts, casts: make([][]column.Caster, len(parts))}
	first := parts[0].columns()
	u.info = make([]columnInfo, len(first))
	for _, p := range parts[1:] {
		if len(p.columns()) != len(first) {
			return nil, errcode.New(errcode.UnionAllResultStructuresMismatch, "Different number of columns in UNION elements: %d and %d", len(first), len(p.columns()))
		}
	}
	for i, c := range first {
		types := make([]*column.Type, len(parts))
		for k, p := range parts {
			types[k] = p.columns()[i].Type
		}
		t, err := column.CommonType(types)
		if err != nil {
			return nil, err
		}
		u.info[i] = columnInfo{Name: c.Name, Type: t}
		for k := range parts {
			var cast column.Caster
			if !types[k].Equal(t) {
				if cast, err = column.NewCast(types[k], t, column.CastPlain); err != nil {
					return nil, err
				}
			}
			u.casts[k] = append(u.casts[k], cast)
		}
	}
	return u, nil
}

func (u *unionPlan) columns() []columnInfo { return u.info }
func (u *unionPlan) explain() string       { return "Union" }

// open implements relation. Where the order does not matter, the streams of all parts run side by side.
func (u *unionPlan) open(ex *exec, r readRequest) ([]stream, error) {
	r.fixed = nil // the parts may have other types
	r.transient = false
	var all []stream
	for k, p := range u.parts {
		streams, err := p.open(ex, r)
		if err != nil {
			return nil, err
		}
		for _, s := range streams {
			all = append(all, u.cast(s, k, r.cols))
		}
		if r.ordered && len(streams) > 1 {
			all = append(all[:len(all)-len(streams)], gatherStreams(ex, append([]stream(nil), all[len(all)-len(streams):]...), true))
		}
	}
	if r.ordered || r.streams <= 1 {
		return []stream{concatStreams(all)}, nil
	}
	return shareStreams(all, r.streams), nil
}

func (u *unionPlan) cast(s stream, part int, cols []int) stream {
	casts := make([]column.Caster, len(cols))
	any := false
	for i, c := range cols {
		casts[i] = u.casts[part][c]
		any = any || casts[i] != nil
	}
	if !any {
		return s
	}
	return streamFunc(func() (*batch, error) {
		b, err := s.next()
		if b == nil || err != nil {
			return nil, err
		}
		out := *b
		out.cols = make([]column.Column, len(b.cols))
		for i, c := range b.cols {
			out.cols[i] = c
			if casts[i] != nil {
				if out.cols[i], err = casts[i](c); err != nil {
					return nil, err
				}
			}
		}
		return &out, nil
	})
}

// concatStreams gives the batches of streams one after another.
func concatStreams(list []stream) stream {
	if len(list) == 1 {
		return list[0]
	}
	return streamFunc(func() (*batch, error) {
		for len(list) > 0 {
			b, err := list[0].next()
			if b != nil || err != nil {
				return b, err
			}
			list = list[1:]
		}
		return nil, nil
	})
}

// shareStreams makes at most n streams of a list.
func shareStreams(list []stream, n int) []stream {
	if len(list) <= n {
		return list
	}
	out := make([]stream, n)
	for i := range out {
		var own []stream
		for k := i; k < len(list); k += n {
			own = append(own, list[k])
		}
		out[i] = concatStreams(own)
	}
	return out
}

// setPlan is UNION DISTINCT, EXCEPT or INTERSECT of two queries.
type setPlan struct {
	left, right relation // of equal types
	both        *unionPlan
	op          sql.SetOp
}

func combine(left, right relation, op sql.SetOp) (relation, error) {
	u, err := newUnion([]relation{left, right})
	if err != nil {
		return nil, err
	}
	return &setPlan{left: left, right: right, both: u, op: op}, nil
}

func (p *setPlan) columns() []columnInfo { return p.both.info }

func (p *setPlan) explain() string {
	switch p.op {
	case sql.UnionDistinct:
		return "Distinct"
	case sql.ExceptAll, sql.ExceptDistinct:
		return "Except"
	}
	return "Intersect"
}

// open implements relation. All columns count, whichever are asked for.
func (p *setPlan) open(ex *exec, r readRequest) ([]stream, error) {
	all := make([]int, len(p.both.info))
	types := make([]*column.Type, len(all))
	for i := range all {
		all[i], types[i] = i, p.both.info[i].Type
	}
	req := readRequest{cols: all, ordered: true, limit: -1, streams: 1}
	part := func(k int) (stream, error) {
		rel := []relation{p.left, p.right}[k]
		list, err := rel.open(ex, req)
		if err != nil {
			return nil, err
		}
		if len(list) > 1 {
			list = []stream{gatherStreams(ex, list, true)}
		}
		return p.both.cast(list[0], k, all), nil
	}
	left, err := part(0)
	if err != nil {
		return nil, err
	}
	right, err := part(1)
	if err != nil {
		return nil, err
	}
	var out stream
	if p.op == sql.UnionDistinct {
		distinct := &distinctStream{in: concatStreams([]stream{left, right}), places: all, seen: agg.NewGrouper(types), ex: ex}
		ex.onClose(func() { _ = ex.q.reserve(-distinct.held) })
		out = distinct
	} else {
		set := &setStream{left: left, right: right, groups: agg.NewGrouper(types), op: p.op, ex: ex}
		ex.onClose(func() { _ = ex.q.reserve(-set.held) })
		out = set
	}
	return []stream{pick(out, r.cols)}, nil
}

// pick gives some columns of a stream.
func pick(in stream, cols []int) stream {
	return streamFunc(func() (*batch, error) {
		b, err := in.next()
		if b == nil || err != nil {
			return nil, err
		}
		out := &batch{rows: b.rows, seq: b.seq, more: b.more}
		for _, c := range cols {
			out.cols = append(out.cols, b.cols[c])
		}
		return out, nil
	})
}

// setStream is EXCEPT and INTERSECT: the left rows that are not, or are, on the right; ALL counts repeats.
type setStream struct {
	left, right stream
	groups      agg.Grouper
	counts      []int // of the right side's rows that are not used up, by group
	taken       []bool
	op          sql.SetOp
	ex          *exec
	loaded      bool
	ids         []uint32
	held        int
}

// number gives each row its group.
func (s *setStream) number(b *batch) ([]uint32, error) {
	if cap(s.ids) < b.rows {
		s.ids = make([]uint32, b.rows)
	}
	ids := s.ids[:b.rows]
	s.groups.Groups(b.cols, b.rows, ids)
	for len(s.counts) < s.groups.Len() {
		s.counts = append(s.counts, 0)
		s.taken = append(s.taken, false)
	}
	bytes := s.groups.Bytes() + 8*cap(s.counts) + cap(s.taken)
	err := s.ex.q.reserve(bytes - s.held)
	s.held = bytes
	return ids, err
}

func (s *setStream) load() error {
	s.loaded = true
	for {
		b, err := s.right.next()
		if b == nil || err != nil {
			return err
		}
		if err := s.ex.q.tick(); err != nil {
			return err
		}
		ids, err := s.number(b)
		if err != nil {
			return err
		}
		for _, id := range ids {
			s.counts[id]++
		}
	}
}

func (s *setStream) next() (*batch, error) {
	if !s.loaded {
		if err := s.load(); err != nil {
			return nil, err
		}
	}
	b, err := s.left.next()
	if b == nil || err != nil {
		return nil, err
	}
	if err := s.ex.q.tick(); err != nil {
		return nil, err
	}
	ids, err := s.number(b)
	if err != nil {
		return nil, err
	}
	keep := make([]uint8, b.rows)
	n := 0
	for i, id := range ids {
		ok := false
		switch s.op {
		case sql.ExceptAll:
			if ok = s.counts[id] == 0; !ok {
				s.counts[id]--
			}
		case sql.IntersectAll:
			if ok = s.counts[id] > 0; ok {
				s.counts[id]--
			}
		case sql.ExceptDistinct:
			ok = s.counts[id] == 0 && !s.taken[id]
			s.taken[id] = true
		default:
			ok = s.counts[id] > 0 && !s.taken[id]
			s.taken[id] = true
		}
		if ok {
			keep[i] = 1
			n++
		}
	}
	return b.filter(keep, n), nil
}

// renamed is a relation with other names for its columns: AS t(a, b).
type renamed struct {
	relation
	info []columnInfo
}

func (r *renamed) columns() []columnInfo { return r.info }

func renameColumns(rel relation, names []string) (relation, error) {
	cols := rel.columns()
	if len(names) > len(cols) {
		return nil, errcode.New(errcode.BadArguments, "Table has %d columns, %d names are given", len(cols), len(names))
	}
	info := append([]columnInfo(nil), cols...)
	for i, n := range names {
		info[i].Name = n
	}
	return &renamed{relation: rel, info: info}, nil
}
