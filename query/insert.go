package query

import (
	"errors"
	"io"
	"slices"
	"strings"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/format"
	"dictsvc/source/jsonl"
	"dictsvc/sql"
)

// inserter takes rows into a table: some columns come from the data, the others get their defaults.
type inserter struct {
	q     *run
	t     *memoryTable
	given []int // places of the columns that the data hold, in the data's order
	fill  *program
	place []int // for each column of the table: its place among given, or -1-k for the k-th result of fill
	out   *tableWriter
}

// insert runs INSERT. All rows appear at once when all of them are read.
func (q *run) insert(s *sql.Insert) error {
	if err := q.setAll(q.settings, s.Settings); err != nil {
		return err
	}
	if s.Func != nil {
		return q.insertFunction(s)
	}
	if s.HasInfile {
		return errcode.New(errcode.NotImplemented, "INSERT ... FROM INFILE is done by the client; send the rows, or use INSERT ... SELECT * FROM file(...)")
	}
	t, name, err := q.table(s.Table)
	if err != nil {
		return err
	}
	m, ok := t.(*memoryTable)
	if !ok {
		return notWritable(t)
	}
	in := &inserter{q: q, t: m, out: &tableWriter{q: q, t: m}}
	defer in.out.close()
	if in.given, err = q.insertColumns(s, m, name); err != nil {
		return err
	}
	if s.Query != nil {
		err = in.fromQuery(s.Query)
	} else {
		if err = in.plan(); err != nil {
			return err
		}
		err = in.fromData(s)
	}
	if err != nil {
		return err
	}
	if err := in.out.commit(); err != nil {
		return err
	}
	return q.sendProgress()
}

// insertFunction is INSERT INTO FUNCTION null(...), which takes rows and forgets them.
func (q *run) insertFunction(s *sql.Insert) error {
	if s.Func.Name != "null" {
		return errcode.New(errcode.NotImplemented, "INSERT INTO FUNCTION %s is not supported", s.Func.Name)
	}
	b := &binder{q: q}
	rel, err := b.tableFunction(s.Func)
	if err != nil {
		return err
	}
	t := &memoryTable{kind: nullEngine, cols: rel.columns()}
	in := &inserter{q: q, t: t, out: &tableWriter{q: q, t: t}}
	for i := range in.t.cols {
		in.given = append(in.given, i)
	}
	if s.Query != nil {
		return in.fromQuery(s.Query)
	}
	if err := in.plan(); err != nil {
		return err
	}
	return in.fromData(s)
}

// insertColumns are the places of the columns that an INSERT names, all that can be inserted where it names none.
func (q *run) insertColumns(s *sql.Insert, t *memoryTable, name sql.TableName) ([]int, error) {
	var all []int
	for i, c := range t.cols {
		if c.DefaultKind != "MATERIALIZED" {
			all = append(all, i)
		}
	}
	if len(s.Columns) == 0 {
		return all, nil
	}
	var given []int
	add := func(column string) error {
		i := slices.IndexFunc(t.cols, func(c columnInfo) bool { return c.Name == column })
		if i < 0 {
			return errcode.New(errcode.NoSuchColumnInTable, "No such column %s in table %s", column, name)
		}
		if t.cols[i].DefaultKind == "MATERIALIZED" {
			return errcode.New(errcode.IllegalColumn, "Cannot insert column %s, because it is MATERIALIZED column", column)
		}
		if slices.Contains(given, i) {
			return errcode.New(errcode.DuplicateColumn, "Column %s in table %s specified more than once", column, name)
		}
		given = append(given, i)
		return nil
	}
	for _, e := range s.Columns {
		switch e := e.(type) {
		case *sql.Ident:
			parts, err := q.identParts(e)
			if err != nil {
				return nil, err
			}
			if err := add(joinParts(parts)); err != nil {
				return nil, err
			}
		default:
			b := &binder{q: q, sel: &sql.Select{}}
			b.source = []*scopeTable{newScopeTable(t)}
			items, err := b.expand(e)
			if err != nil {
				return nil, err
			}
			for _, it := range items {
				if err := add(it.name); err != nil {
					return nil, err
				}
			}
		}
	}
	return given, nil
}

// plan compiles the defaults of the columns that the data do not hold. A default may use other columns and other defaults.
func (in *inserter) plan() error {
	t := in.t
	known := make([]columnInfo, len(in.given))
	for i, c := range in.given {
		known[i] = columnInfo{Name: t.cols[c].Name, Type: t.cols[c].Type}
	}
	b := &binder{q: in.q}
	st := newScopeTable(newRows(known, nil, 0))
	b.source = []*scopeTable{st}
	in.place = make([]int, len(t.cols))
	var missing []int
	for i := range t.cols {
		if k := slices.Index(in.given, i); k >= 0 {
			in.place[i] = k
			continue
		}
		in.place[i] = -1 - len(missing)
		missing = append(missing, i)
		if d := in.defaultOf(i); d != nil {
			if b.alias == nil {
				b.alias = map[string]*alias{}
			}
			b.alias[t.cols[i].Name] = &alias{expr: d}
		}
	}
	outs := make([]*expr, len(missing))
	for k, i := range missing {
		d := in.defaultOf(i)
		if d == nil {
			outs[k] = b.pool.constant(defaults(t.cols[i].Type, 1))
			continue
		}
		e, err := b.bindAlias(b.alias[t.cols[i].Name])
		if err != nil {
			return err
		}
		if outs[k], err = b.cast(e, t.cols[i].Type); err != nil {
			return err
		}
	}
	nodes := make([]*expr, len(known))
	for i := range known {
		nodes[i] = b.columnNode(st, i)
	}
	var err error
	in.fill, err = compile(outs, newLayout(nodes), true, func(e *expr) error { return b.unknownIdentifier([]string{e.name}) })
	return err
}

func (in *inserter) defaultOf(i int) sql.Expr {
	if in.t.defs == nil {
		return nil
	}
	return in.t.defs[i].Default
}

// add takes a block of the given columns, of the table's types.
func (in *inserter) add(cols []column.Column, rows int) error {
	if rows == 0 {
		return nil
	}
	for i, c := range cols {
		cols[i] = column.Full(c)
	}
	filled, err := newFrame(in.fill, &in.q.env).run(cols, rows)
	if err != nil {
		return err
	}
	out := make([]column.Column, len(in.t.cols))
	for i, p := range in.place {
		if p >= 0 {
			out[i] = cols[p]
		} else {
			out[i] = column.Full(filled[-1-p])
		}
	}
	return in.out.add(out, rows)
}

// fromQuery is INSERT ... SELECT: columns are taken by place.
func (in *inserter) fromQuery(sq *sql.SelectQuery) error {
	p, err := in.q.bindQuery(sq, nil)
	if err != nil {
		return err
	}
	if err := in.plan(); err != nil {
		return err
	}
	if n := len(p.columns()); n != len(in.given) {
		return columnsDontMatch(n, len(in.given))
	}
	return in.q.runPlan(p, nil, func(b *batch) (bool, error) {
		cols := make([]column.Column, len(b.cols))
		for i, c := range b.cols {
			v, err := in.convert(c, in.given[i])
			if err != nil {
				return false, err
			}
			cols[i] = v
		}
		return true, in.add(cols, b.rows)
	})
}

// convert converts a column to the type of the table's column i. NULL becomes the default where the type has no NULL (insert_null_as_default).
func (in *inserter) convert(c column.Column, i int) (column.Column, error) {
	t := in.t.cols[i].Type
	c = column.Full(c)
	if !c.Type().IsNullable() || t.IsNullable() || !canBeNullable(t) || !in.q.settings.flag("insert_null_as_default", true) {
		return convertColumn(c, t)
	}
	n := column.Plain(c).(*column.Null)
	v, err := convertColumn(n.Inner, t)
	if err != nil || column.Count(n.Nulls) == 0 {
		return v, err
	}
	return in.replaceNulls(v, n.Nulls, i)
}

// replaceNulls puts the default of column i where nulls says. Defaults that need other columns are the type's default there.
func (in *inserter) replaceNulls(v column.Column, nulls []uint8, i int) (column.Column, error) {
	def, err := in.constantDefault(i)
	if err != nil {
		return nil, err
	}
	if def == nil {
		def = defaults(in.t.cols[i].Type, 1)
	}
	out := v.New(v.Len())
	for r, z := range nulls {
		if z != 0 {
			out.AppendRange(def, 0, 1)
		} else {
			out.AppendRange(v, r, r+1)
		}
	}
	return out, nil
}

// constantDefault is the default of column i as one row, nil where it has none or needs other columns.
func (in *inserter) constantDefault(i int) (column.Column, error) {
	d := in.defaultOf(i)
	if d == nil {
		return nil, nil
	}
	b := &binder{q: in.q}
	e, err := b.bind(d)
	if err != nil || !e.isConst() {
		return nil, nil // it was bound at CREATE: it uses other columns
	}
	if e, err = b.cast(e, in.t.cols[i].Type); err != nil {
		return nil, err
	}
	return column.Full(e.val), nil
}

// fromData takes the rows that stand behind the statement, or that the client sends as blocks.
func (in *inserter) fromData(s *sql.Insert) error {
	inline := ""
	if s.HasData && !(in.q.req.OldClient && in.q.req.Input != nil) { // old clients send all rows as blocks; the end of their text is that of a whole script
		inline = in.q.text[s.DataOffset:s.DataEnd]
	}
	if strings.TrimSpace(inline) == "" && in.q.req.Input != nil {
		return in.fromClient()
	}
	switch {
	case strings.TrimSpace(inline) == "" || s.Format == "":
		return errcode.New(errcode.NoDataToInsert, "No data to insert")
	case strings.EqualFold(s.Format, "Values"):
		return in.fromValues(inline)
	case isJSONRows(s.Format):
		return in.fromJSON(strings.TrimRight(strings.TrimSuffix(strings.TrimRight(inline, " \t\r\n"), ";"), " \t\r\n"))
	case format.Readable(s.Format):
		return in.fromText(s.Format, inline)
	}
	return errcode.New(errcode.UnknownFormat, "Unknown format %s", s.Format)
}

// names are the given columns.
func (in *inserter) columns() []columnInfo {
	cols := make([]columnInfo, len(in.given))
	for i, c := range in.given {
		cols[i] = columnInfo{Name: in.t.cols[c].Name, Type: in.t.cols[c].Type}
	}
	return cols
}

// fromClient asks the client for blocks and takes their columns by name.
func (in *inserter) fromClient() error {
	cols := in.columns()
	names, types := split(cols)
	if err := in.q.req.Input.Header(column.Empty(names, types)); err != nil {
		return err
	}
	for {
		b, err := in.q.req.Input.Next(in.q.ctx)
		if b == nil && err == nil || errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		out := make([]column.Column, len(cols))
		for i, c := range cols {
			k := b.Index(c.Name)
			if k < 0 {
				return errcode.New(errcode.NotFoundColumnInBlock, "Not found column %s in block", c.Name)
			}
			if out[i], err = in.convert(b.Cols[k], in.given[i]); err != nil {
				return errcode.Wrap(err, "column %s", c.Name)
			}
		}
		if err := in.add(out, b.Rows); err != nil {
			return err
		}
	}
}

// fromJSON reads JSONEachRow. A field that is missing or null takes its column's default, so columns with one are read as Nullable.
func (in *inserter) fromJSON(text string) error {
	o := jsonl.Options{Name: "the data of INSERT", Threads: 1}
	cols := in.columns()
	for i, c := range cols {
		t := c.Type
		if in.defaultOf(in.given[i]) != nil && !t.IsNullable() && canBeNullable(t) {
			t = column.NewNullable(t.NoLowCardinality())
		}
		def, err := in.constantDefault(in.given[i])
		if err != nil {
			return err
		}
		if t != c.Type { // a missing value must be NULL to be seen
			def = nil
		}
		o.Columns = append(o.Columns, jsonl.Column{Name: c.Name, Type: t, Default: def})
	}
	r, err := jsonl.New(strings.NewReader(text), o)
	if err != nil {
		return err
	}
	defer r.Close()
	for {
		b, err := r.Next(in.q.ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := in.addMissing(b.Cols, b.Rows); err != nil {
			return err
		}
	}
}

// addMissing adds a block in which NULL stands for a value that is missing, in columns whose own type has no NULL. Those rows are added
// with their defaults, which may use the row's other columns.
func (in *inserter) addMissing(cols []column.Column, rows int) error {
	out := make([]column.Column, len(cols))
	var missing []int
	for i, c := range cols {
		t := in.t.cols[in.given[i]].Type
		n, ok := c.(*column.Null)
		if !ok || t.IsNullable() {
			out[i] = c
			continue
		}
		v, err := column.Cast(n.Inner, t, column.CastPlain)
		if err != nil {
			return err
		}
		out[i] = column.Full(v)
		if column.Count(n.Nulls) > 0 {
			missing = append(missing, i)
		}
	}
	if len(missing) == 0 {
		return in.add(out, rows)
	}
	for _, i := range missing {
		v, err := in.computeDefaults(cols, out, i, missing, rows)
		if err != nil {
			return err
		}
		out[i] = v
	}
	return in.add(out, rows)
}

// computeDefaults replaces the missing values of the given column i.
func (in *inserter) computeDefaults(cols, out []column.Column, i int, missing []int, rows int) (column.Column, error) {
	other := &inserter{q: in.q, t: in.t}
	var avail []column.Column
	for k, c := range in.given {
		if !slices.Contains(missing, k) {
			other.given = append(other.given, c)
			avail = append(avail, out[k])
		}
	}
	if err := other.plan(); err != nil {
		return nil, err
	}
	filled, err := newFrame(other.fill, &in.q.env).run(avail, rows)
	if err != nil {
		return nil, err
	}
	p := other.place[in.given[i]]
	def := column.Full(filled[-1-p])
	nulls := cols[i].(*column.Null).Nulls
	v := out[i].New(rows)
	for r, z := range nulls {
		if z != 0 {
			v.AppendRange(def, r, r+1)
		} else {
			v.AppendRange(out[i], r, r+1)
		}
	}
	return v, nil
}

// fromText reads TabSeparated and CSV.
func (in *inserter) fromText(name, text string) error {
	names, types := split(in.columns())
	r, err := format.NewReader(name, strings.NewReader(strings.TrimLeft(text, "\r\n")), names, types)
	if err != nil {
		return err
	}
	for {
		b, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := in.add(b.Cols, b.Rows); err != nil {
			return err
		}
	}
}
