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
	place []int // for each column of the table: its place among given, -1-k for the k-th result of fill, notStored
	check *program
	out   *tableWriter
}

// notStored is the place of columns that the table does not keep.
const notStored = 1 << 30

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

// insertable are the places of the columns that an INSERT without a list fills.
func (t *memoryTable) insertable() []int {
	var all []int
	for i := range t.cols {
		if t.cols[i].insertable() && t.cols[i].stored() {
			all = append(all, i)
		}
	}
	return all
}

// insertColumns are the places of the columns that an INSERT names, all that can be inserted where it names none.
func (q *run) insertColumns(s *sql.Insert, t *memoryTable, name sql.TableName) ([]int, error) {
	if len(s.Columns) == 0 {
		return t.insertable(), nil
	}
	var given []int
	add := func(column string) error {
		i := slices.IndexFunc(t.cols, func(c columnInfo) bool { return c.Name == column })
		if i < 0 || t.cols[i].DefaultKind == kindAlias {
			return errcode.New(errcode.NoSuchColumnInTable, "No such column %s in table %s", column, name)
		}
		if t.cols[i].DefaultKind == kindMaterialized {
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
	if len(given) == 0 {
		return nil, errcode.New(errcode.EmptyListOfColumnsPassed, "Empty list of columns to insert")
	}
	return given, nil
}

// plan compiles the defaults of the columns that the data do not hold, and the table's conditions.
func (in *inserter) plan() error {
	t := in.t
	x := in.q.newColumnExprs(t.cols, t.defs, in.given)
	in.place = make([]int, len(t.cols))
	var outs []*expr
	for i := range t.cols {
		switch k := slices.Index(in.given, i); {
		case !t.cols[i].stored():
			in.place[i] = notStored
		case k >= 0:
			in.place[i] = k
		default:
			in.place[i] = -1 - len(outs)
			e, err := x.bind(i)
			if err != nil {
				return err
			}
			outs = append(outs, e)
		}
	}
	var err error
	if in.fill, err = x.compile(outs); err != nil {
		return err
	}
	return in.planChecks()
}

// planChecks compiles the conditions of CONSTRAINT ... CHECK over the columns that are stored.
func (in *inserter) planChecks() error {
	if len(in.t.checks) == 0 {
		return nil
	}
	var stored []int
	for i := range in.t.cols {
		if in.t.cols[i].stored() {
			stored = append(stored, i)
		}
	}
	x := in.q.newColumnExprs(in.t.cols, in.t.defs, stored)
	var outs []*expr
	for _, c := range in.t.checks {
		if c.Assume {
			continue
		}
		if err := x.bindUsed(c.Expr); err != nil {
			return err
		}
		e, err := x.b.bind(c.Expr)
		if err != nil {
			return err
		}
		if k := e.typ.Base().Kind; k != column.UInt8 && k != column.Bool {
			return errcode.New(errcode.UnsupportedMethod, "Constraint `%s` does not return a value of type UInt8", c.Name)
		}
		outs = append(outs, e)
	}
	var err error
	in.check, err = x.compile(outs)
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
		switch {
		case p == notStored:
		case p >= 0:
			out[i] = cols[p]
		default:
			out[i] = column.Full(filled[-1-p])
		}
	}
	if in.check != nil {
		if err := in.checkRows(out, rows); err != nil {
			return err
		}
	}
	return in.out.add(out, rows)
}

// checkRows tells the first row that a condition of the table does not hold for.
func (in *inserter) checkRows(cols []column.Column, rows int) error {
	stored := slices.DeleteFunc(slices.Clone(cols), func(c column.Column) bool { return c == nil })
	results, err := newFrame(in.check, &in.q.env).run(stored, rows)
	if err != nil {
		return err
	}
	k := 0
	for _, c := range in.t.checks {
		if c.Assume {
			continue
		}
		keep, n := conditionBytes(results[k], rows)
		k++
		if n == rows {
			continue
		}
		row := max(0, slices.Index(keep, 0))
		var values []string
		for _, i := range usedColumns(c.Expr, in.t.cols) {
			if cols[i] != nil {
				values = append(values, in.t.cols[i].Name+" = "+string(column.AppendText(nil, cols[i], row, column.TextQuoted)))
			}
		}
		return errcode.New(errcode.ViolatedConstraint, "Constraint `%s` for table %s is violated at row %d. Expression: (%s). Column values: %s",
			c.Name, in.t.tableName(), row+1, sql.Format(c.Expr), strings.Join(values, ", "))
	}
	return nil
}

// fromQuery is INSERT ... SELECT: columns are taken by place.
func (in *inserter) fromQuery(sq *sql.SelectQuery) error {
	p, err := in.q.bindQuery(sq, nil)
	if err != nil {
		return err
	}
	return in.fromRelation(p)
}

func (in *inserter) fromRelation(p relation) error {
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
		return true, in.addMissing(cols, b.rows)
	})
}

// convert converts a column to the type of the table's column i. Where that has no NULL and the column has some, they stay, as addMissing takes them
// (insert_null_as_default).
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
	return &column.Null{T: n.T, Nulls: n.Nulls, Inner: v}, nil
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
	return format.Unknown(s.Format)
}

// names are the given columns.
func (in *inserter) columns() []columnInfo {
	cols := make([]columnInfo, len(in.given))
	for i, c := range in.given {
		cols[i] = columnInfo{Name: in.t.cols[c].Name, Type: in.t.cols[c].Type}
	}
	return cols
}

// nullable are the given columns, those that have a default as Nullable: a value that is missing must be NULL to be seen. nested tells that arrays, tuples and
// maps, which SQL knows no NULL of, are read so too.
func (in *inserter) nullable(nested bool) []columnInfo {
	cols := in.columns()
	for i, c := range cols {
		if in.defaultOf(in.given[i]) != nil && !c.Type.IsNullable() && (nested || canBeNullable(c.Type)) {
			cols[i].Type = column.NewNullable(c.Type.NoLowCardinality())
		}
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
		if err := in.addMissing(out, b.Rows); err != nil {
			return err
		}
	}
}

// fromJSON reads JSONEachRow. A field that is missing or null takes its column's default, so columns with one are read as Nullable.
func (in *inserter) fromJSON(text string) error {
	o := jsonl.Options{Name: "the data of INSERT", Threads: 1}
	for i, c := range in.nullable(true) {
		var def column.Column
		if c.Type == in.t.cols[in.given[i]].Type { // a column of another type is NULL where its value is missing
			var err error
			if def, err = in.constantDefault(in.given[i]); err != nil {
				return err
			}
		}
		o.Columns = append(o.Columns, jsonl.Column{Name: c.Name, Type: c.Type, Default: def})
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
	missing := map[int][]uint8{}
	for i, c := range cols {
		t := in.t.cols[in.given[i]].Type
		n, ok := column.Full(c).(*column.Null)
		if !ok || t.IsNullable() {
			out[i] = c
			continue
		}
		v := n.Inner
		if !v.Type().Equal(t) {
			var err error
			if v, err = column.Cast(v, t, column.CastPlain); err != nil {
				return err
			}
		}
		out[i] = column.Full(v)
		if column.Count(n.Nulls) > 0 {
			missing[i] = n.Nulls
		}
	}
	if err := in.fillMissing(out, missing, rows); err != nil {
		return err
	}
	return in.add(out, rows)
}

// fillMissing puts defaults where values of given columns are missing (a byte a row that is not 0), those first that others are computed from.
func (in *inserter) fillMissing(cols []column.Column, missing map[int][]uint8, rows int) error {
	for len(missing) > 0 {
		i := in.readyToFill(missing)
		other := &inserter{q: in.q, t: in.t}
		var avail []column.Column
		for k, c := range in.given {
			if missing[k] == nil {
				other.given = append(other.given, c)
				avail = append(avail, column.Full(cols[k]))
			}
		}
		x := in.q.newColumnExprs(in.t.cols, in.t.defs, other.given)
		e, err := x.bind(in.given[i])
		if err != nil {
			return err
		}
		prog, err := x.compile([]*expr{e})
		if err != nil {
			return err
		}
		filled, err := newFrame(prog, &in.q.env).run(avail, rows)
		if err != nil {
			return err
		}
		cols[i] = mergeMissing(cols[i], column.Full(filled[0]), missing[i])
		delete(missing, i)
	}
	return nil
}

// readyToFill is a column with missing values whose default needs no other such column.
func (in *inserter) readyToFill(missing map[int][]uint8) int {
	needs := func(i int) bool {
		var seen []int
		var visit func(col int) bool
		visit = func(col int) bool {
			def := in.defaultOf(col)
			if def == nil || slices.Contains(seen, col) {
				return false
			}
			seen = append(seen, col)
			for _, k := range usedColumns(def, in.t.cols) {
				g := slices.Index(in.given, k)
				if g >= 0 && g != i && missing[g] != nil || (g < 0 || missing[g] != nil) && visit(k) {
					return true
				}
			}
			return false
		}
		return visit(in.given[i])
	}
	last := -1
	for i := range in.given {
		if missing[i] == nil {
			continue
		}
		if last = i; !needs(i) {
			return i
		}
	}
	return last // there are no circles among defaults, so this is not reached
}

// mergeMissing is the rows of def where they are missing in c.
func mergeMissing(c, def column.Column, missing []uint8) column.Column {
	out := c.New(c.Len())
	for from := 0; from < len(missing); {
		to := from + 1
		for to < len(missing) && (missing[to] != 0) == (missing[from] != 0) {
			to++
		}
		if missing[from] != 0 {
			out.AppendRange(def, from, to)
		} else {
			out.AppendRange(c, from, to)
		}
		from = to
	}
	return out
}

// fromText reads TabSeparated and CSV.
func (in *inserter) fromText(name, text string) error {
	names, types := split(in.nullable(false))
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
		if err := in.addMissing(b.Cols, b.Rows); err != nil {
			return err
		}
	}
}
