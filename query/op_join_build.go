package query

import (
	"math"

	"dictsvc/agg"
	"dictsvc/column"
	"dictsvc/errcode"
)

// joinTable is the right side of a join in memory: its columns, and its rows by key. Keys have dense numbers in the order in which they are first met;
// the rows of a key stand side by side in rows, in the order of the source.
type joinTable struct {
	keys   agg.Grouper // nil without keys: all rows are of one group
	groups int
	unique bool     // group i is row i, and that alone
	first  []uint32 // by group, where its rows begin; one more than there are groups
	rows   []uint32
	n      int             // rows
	cols   []column.Column // row n holds the defaults that stand for no match
	at     map[*expr]int   // the column of a node in its own type
	asof   column.Column   // the values that an ASOF join compares, by row
	words  []uint64        // the same in the order of rows, as words that order like them; nil for types without
	alts   []*joinAlternative
}

// groupRows are the rows of a group.
func (t *joinTable) groupRows(g uint32) (from, to uint32) { return t.first[g], t.first[g+1] }

// rightLoad is the right side while it is read.
type rightLoad struct {
	j       *joinRun
	t       *joinTable
	prog    *program
	nodes   []*expr
	ids     []uint32 // by row with a key, its group
	valid   []uint32 // the rows that have a key; nil while all rows do
	skipped bool
	blocks  [][]column.Column
	keep    bool // rows that cannot match are wanted all the same
}

// build reads the right side; nodes are its columns that are needed behind the join.
func (j *joinRun) build(nodes []*expr, outs []int) error {
	p := j.p
	l := &rightLoad{j: j, t: &joinTable{at: map[*expr]int{}}, nodes: nodes, keep: j.unused}
	var needs []*expr
	for _, k := range p.keys {
		needs = append(needs, k.right)
	}
	if p.asof != nil {
		needs = append(needs, p.asof.right)
	}
	needs = append(needs, p.rightIf...)
	for _, alt := range j.alts {
		l.t.alts = append(l.t.alts, newAlternative(alt))
		for _, k := range alt {
			needs = append(needs, k.right)
		}
	}
	needs = append(needs, nodes...)
	n := newNeed(isSource)
	n.add(needs...)
	req := readRequest{limit: -1, streams: j.ex.q.threads, ordered: true}
	for _, e := range n.nodes {
		req.cols = append(req.cols, p.right.table.place(e))
	}
	streams, err := p.right.source(p).open(j.ex, req)
	if err != nil {
		return err
	}
	c := &chain{ex: j.ex, streams: streams, at: newLayout(n.nodes), lazy: p.lazy, ordered: true, blockSize: p.blockSize}
	c.single()
	if l.prog, err = c.compile(needs); err != nil {
		return err
	}
	if len(p.keys) > 0 {
		types := make([]*column.Type, len(p.keys))
		for i, k := range p.keys {
			types[i] = bitsType(k.typ)
		}
		l.t.keys = agg.NewGrouper(types)
	}
	j.table = l.t
	held := 0
	j.ex.onClose(func() { _ = j.ex.q.reserve(-held) })
	if err := l.read(c.streams[0], c.frame(l.prog), &held); err != nil {
		return err
	}
	if err := l.index(&held); err != nil {
		return err
	}
	return l.columns(outs, &held)
}

// read takes in all rows: their keys into the table, their columns for later.
func (l *rightLoad) read(in stream, f *frame, held *int) error {
	p, q := l.j.p, l.j.ex.q
	maxRows, maxBytes := q.settings.number("max_rows_in_join", 0), q.settings.number("max_bytes_in_join", 0)
	breaks := q.settings.text("join_overflow_mode", "throw") == "break"
	conds := len(p.keys)
	if p.asof != nil {
		conds++
	}
	tableBytes := 0
	cut := cutter{in: in, f: f}
	for {
		b, cols, err := cut.next(nil)
		if b == nil || err != nil {
			return err
		}
		if err := q.tick(); err != nil {
			return err
		}
		if b.rows == 0 {
			continue
		}
		before := l.t.n
		if err := l.add(cols, conds, b.rows); err != nil {
			return err
		}
		n := 0
		if last := len(l.blocks) - 1; last >= 0 && l.t.n > before {
			for _, c := range l.blocks[last] {
				n += c.Bytes()
			}
		}
		if l.t.keys != nil {
			now := l.t.keys.Bytes() + 4*cap(l.ids) + 4*cap(l.valid)
			n += now - tableBytes
			tableBytes = now
		}
		if l.t.alts != nil {
			now := 0
			for _, a := range l.t.alts {
				now += a.bytes()
			}
			n += now - tableBytes
			tableBytes = now
		}
		if err := q.reserve(n); err != nil {
			return err
		}
		*held += n
		if maxRows > 0 && uint64(l.t.n) > maxRows || maxBytes > 0 && uint64(*held) > maxBytes {
			if breaks {
				return nil
			}
			return errcode.New(errcode.SetSizeLimitExceeded, "Limit for JOIN exceeded, max rows: %d, max bytes: %d, current rows: %d, current bytes: %d", maxRows, maxBytes, l.t.n, *held)
		}
		if l.t.n >= 1<<32-2 {
			return errcode.New(errcode.SetSizeLimitExceeded, "Limit for JOIN exceeded: the right side has more than %d rows", uint32(1<<32-2))
		}
	}
}

// add takes in one block: keys, the compared value of ASOF, conditions, then the columns.
func (l *rightLoad) add(cols []column.Column, conds, rows int) error {
	p := l.j.p
	keys, may, err := joinKeys(p, cols, rows)
	if err != nil {
		return err
	}
	for i := range p.rightIf {
		may = andCondition(may, cols[conds+i], rows)
	}
	carry := cols[conds+len(p.rightIf):]
	for _, a := range l.t.alts {
		if err := a.add(carry[:len(a.plan.keys)], rows); err != nil {
			return err
		}
		carry = carry[len(a.plan.keys):]
	}
	if p.asof != nil {
		carry = append([]column.Column{keys[len(p.keys)]}, carry...)
	}
	keys = keys[:len(p.keys)]
	n := rows
	if may != nil {
		if n = column.Count(may); n < rows {
			for i := range keys {
				keys[i] = keys[i].Filter(may, n)
			}
		}
	}
	if n < rows && !l.keep {
		for i, c := range carry {
			carry[i] = column.Full(c).Filter(may, n)
		}
		rows, may = n, nil
	}
	if n < rows && !l.skipped { // from here on rows and keys differ in number
		l.skipped = true
		for i := range l.t.n {
			l.valid = append(l.valid, uint32(i))
		}
	}
	if l.skipped {
		for i := range rows {
			if n == rows || may[i] != 0 {
				l.valid = append(l.valid, uint32(l.t.n+i))
			}
		}
	}
	if l.t.keys != nil && n > 0 {
		at := len(l.ids)
		l.ids = append(l.ids, make([]uint32, n)...)
		l.t.keys.Groups(keys, n, l.ids[at:])
	}
	if rows > 0 {
		full := make([]column.Column, len(carry))
		for i, c := range carry {
			full[i] = column.Full(c)
		}
		l.blocks = append(l.blocks, full)
		l.t.n += rows
	}
	return nil
}

// index puts the rows of each key side by side.
func (l *rightLoad) index(held *int) error {
	t := l.t
	if t.keys == nil {
		t.groups = 1
		t.first = []uint32{0, uint32(t.n)}
		if l.skipped {
			t.rows = l.valid
			t.first[1] = uint32(len(t.rows))
		}
		for _, a := range t.alts {
			if err := l.reserve(held, 4*len(a.ids)); err != nil {
				return err
			}
			a.index()
			if err := l.j.ex.q.tick(); err != nil {
				return err
			}
		}
		return nil
	}
	t.groups = t.keys.Len()
	if t.groups == t.n && l.j.p.asof == nil {
		t.unique = true
		l.ids = nil
		return nil
	}
	if err := l.reserve(held, 4*(t.groups+1+len(l.ids))); err != nil {
		return err
	}
	t.first = make([]uint32, t.groups+1)
	for at := 0; at < len(l.ids); at += checkedRows {
		for _, g := range l.ids[at:min(at+checkedRows, len(l.ids))] {
			t.first[g+1]++
		}
		if err := l.j.ex.q.tick(); err != nil {
			return err
		}
	}
	for g := range t.groups {
		t.first[g+1] += t.first[g]
	}
	t.rows = make([]uint32, len(l.ids))
	for at := 0; at < len(l.ids); at += checkedRows {
		for i, g := range l.ids[at:min(at+checkedRows, len(l.ids))] {
			row := uint32(at + i)
			if l.skipped {
				row = l.valid[row]
			}
			t.rows[t.first[g]] = row // moves each beginning to the next group's
			t.first[g]++
		}
		if err := l.j.ex.q.tick(); err != nil {
			return err
		}
	}
	copy(t.first[1:], t.first[:t.groups])
	t.first[0] = 0
	l.ids, l.valid = nil, nil
	return nil
}

// checkedRows is after how many rows a loop without batches looks whether the query was cancelled.
const checkedRows = 1 << 20

func (l *rightLoad) reserve(held *int, n int) error {
	*held += n
	return l.j.ex.q.reserve(n)
}

// columns puts the blocks' columns together, in the types of the result, with a row of defaults behind.
func (l *rightLoad) columns(outs []int, held *int) error {
	j, t := l.j, l.t
	shift := 0
	if j.p.asof != nil {
		shift = 1
		c, err := l.whole(0, j.p.asof.typ, held)
		if err != nil {
			return err
		}
		t.asof = c
		if err := t.sortAsof(j.ex.q.tick); err != nil {
			return err
		}
	}
	needed := newNeed(isSource) // by conditions, in their own types
	needed.add(j.p.mixed...)
	kept := map[*expr]bool{}
	for _, e := range needed.nodes {
		kept[e] = true
	}
	place := map[*expr]int{}
	for i, e := range l.nodes {
		place[e] = i + shift
		if kept[e] {
			if err := l.column(e, place[e], e.typ, held); err != nil {
				return err
			}
		}
	}
	for _, at := range outs {
		o := j.p.out[at]
		col := joinColumn{typ: o.node.typ, left: -1, right: -1}
		if o.left != nil {
			for i, e := range j.carry {
				if e == o.left {
					col.left = i
				}
			}
			if !o.left.typ.Equal(o.node.typ) {
				cast, err := column.NewCast(o.left.typ, o.node.typ, column.CastPlain)
				if err != nil {
					return err
				}
				col.cast = cast
			}
		}
		if o.right != nil {
			i, ok := t.at[o.right]
			if !ok || !o.right.typ.Equal(o.node.typ) {
				i = len(t.cols)
				if err := l.columnAs(o.right, place[o.right], o.node.typ, held); err != nil {
					return err
				}
			}
			col.right = i
		}
		j.outs = append(j.outs, col)
	}
	l.blocks = nil
	return nil
}

// column adds a column to the table under its node.
func (l *rightLoad) column(e *expr, at int, typ *column.Type, held *int) error {
	l.t.at[e] = len(l.t.cols)
	return l.columnAs(e, at, typ, held)
}

func (l *rightLoad) columnAs(e *expr, at int, typ *column.Type, held *int) error {
	c, err := l.whole(at, e.typ, held)
	if err != nil {
		return err
	}
	if !typ.Equal(e.typ) {
		if c, err = column.Cast(c, typ, column.CastPlain); err != nil {
			return err
		}
		c = column.Full(c)
		whole := c.New(c.Len() + 1)
		whole.AppendRange(c, 0, c.Len())
		c = whole
	}
	c.AppendRange(noMatch(typ), 0, 1)
	l.t.cols = append(l.t.cols, c)
	return nil
}

// noMatch is the one row that stands for no match: the type's default, which for an Enum is its first value.
func noMatch(t *column.Type) column.Column {
	c := column.New(t, 1)
	switch x := c.(type) {
	case *column.Num[int8]:
		if t.Kind == column.Enum8 {
			x.Data = append(x.Data, int8(t.Enum.Values[0]))
			return c
		}
	case *column.Num[int16]:
		if t.Kind == column.Enum16 {
			x.Data = append(x.Data, t.Enum.Values[0])
			return c
		}
	}
	c.AppendDefault(1)
	return c
}

// whole is one column of all blocks.
func (l *rightLoad) whole(at int, typ *column.Type, held *int) (column.Column, error) {
	c := column.New(typ, l.t.n+1)
	for _, b := range l.blocks {
		c.AppendRange(b[at], 0, b[at].Len())
		if err := l.j.ex.q.tick(); err != nil {
			return nil, err
		}
	}
	return c, l.reserve(held, c.Bytes())
}

// joinKeys converts a block's key columns to the types in which they are compared; may has a 0 for rows that can match nothing because a key is NULL,
// nil where there are none. The compared value of an ASOF join is the last of keys.
func joinKeys(p *joinPlan, cols []column.Column, rows int) (keys []column.Column, may []uint8, err error) {
	n := len(p.keys)
	if p.asof != nil {
		n++
	}
	keys = make([]column.Column, n)
	for i := range n {
		c := column.Plain(cols[i])
		if i < len(p.keys) && p.keys[i].nulls {
			if c, err = column.Cast(c, p.keys[i].typ, column.CastPlain); err != nil {
				return nil, nil, err
			}
			null := column.Full(c).(*column.Null)
			keys[i] = &column.Null{T: column.NewNullable(bitsType(null.T.Elems[0])), Nulls: null.Nulls, Inner: keyBits(null.Inner)}
			continue
		}
		if null, ok := c.(*column.Null); ok {
			may = andNotNull(may, null.Nulls)
			c = null.Inner
		}
		typ := p.asofType()
		if i < len(p.keys) {
			typ = p.keys[i].typ
		}
		if c.Type().Kind == column.Nothing {
			c = defaults(typ, rows)
		}
		if !c.Type().Equal(typ) {
			if c, err = column.Cast(c, typ, column.CastPlain); err != nil {
				return nil, nil, err
			}
		}
		keys[i] = column.Full(c)
		if i < len(p.keys) {
			keys[i] = keyBits(keys[i])
		}
	}
	if p.never {
		may = make([]uint8, rows)
	}
	return keys, may, nil
}

func (p *joinPlan) asofType() *column.Type {
	if p.asof == nil {
		return nil
	}
	return p.asof.typ
}

// andNotNull takes the rows of NULLs out of may.
func andNotNull(may, nulls []uint8) []uint8 {
	if column.Count(nulls) == 0 {
		return may
	}
	if may == nil {
		may = make([]uint8, len(nulls))
		for i, z := range nulls {
			may[i] = 1 - z
		}
		return may
	}
	for i, z := range nulls {
		if z != 0 {
			may[i] = 0
		}
	}
	return may
}

// bitsType is the type that keys are compared as: floats by their bits, so that NaN equals itself and -0 is not 0, as in ClickHouse.
func bitsType(t *column.Type) *column.Type {
	switch t.Kind {
	case column.Nullable:
		return column.NewNullable(bitsType(t.Elems[0]))
	case column.Float32:
		return column.Of(column.UInt32)
	case column.Float64:
		return column.Of(column.UInt64)
	}
	return t
}

// keyBits are the values of a column of bitsType.
func keyBits(c column.Column) column.Column {
	switch x := c.(type) {
	case *column.Num[float32]:
		bits := make([]uint32, len(x.Data))
		for i, v := range x.Data {
			if v != v {
				v = float32(column.NaN())
			}
			bits[i] = math.Float32bits(v)
		}
		return &column.Num[uint32]{T: column.Of(column.UInt32), Data: bits}
	case *column.Num[float64]:
		bits := make([]uint64, len(x.Data))
		for i, v := range x.Data {
			if v != v {
				v = column.NaN()
			}
			bits[i] = math.Float64bits(v)
		}
		return &column.Num[uint64]{T: column.Of(column.UInt64), Data: bits}
	}
	return c
}

// andCondition takes the rows out of may where a condition is not true.
func andCondition(may []uint8, cond column.Column, rows int) []uint8 {
	keep, n := conditionBytes(cond, rows)
	if n == rows {
		return may
	}
	if keep == nil { // none
		return make([]uint8, rows)
	}
	if may == nil {
		return append([]uint8(nil), keep...)
	}
	for i := range may {
		if keep[i] == 0 {
			may[i] = 0
		}
	}
	return may
}
