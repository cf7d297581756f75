package query

import (
	"slices"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/sql"
)

// generic runs the statements that the parser does not break down.
func (q *run) generic(s *sql.GenericStatement) error {
	switch s.Verb {
	case "ALTER":
		return q.alter(s)
	case "UNDROP":
		return errcode.New(errcode.UnknownTable, "What was dropped is gone at once, there is nothing to UNDROP")
	case "OPTIMIZE", "CHECK", "DELETE", "UPDATE":
		t, name, err := q.namedTable(s)
		switch {
		case err != nil:
			return err
		case t == nil:
		case s.Verb == "OPTIMIZE":
			return errcode.New(errcode.NotImplemented, "Method optimize is not supported by storage %s", t.engine())
		case s.Verb == "CHECK":
			return errcode.New(errcode.NotImplemented, "Check query is not supported for %s storage", t.engine())
		case s.Verb == "DELETE":
			return errcode.New(errcode.BadArguments, "DELETE query is not supported for table %s; there is ALTER TABLE ... DELETE WHERE", name)
		default:
			return errcode.New(errcode.NotImplemented, "Lightweight updates are not supported; there is ALTER TABLE ... UPDATE ... WHERE")
		}
	}
	return errcode.New(errcode.NotImplemented, "%s is not supported", s.Verb)
}

// namedTable finds the table that a statement names: OPTIMIZE TABLE t, CHECK TABLE t, DELETE FROM t, UPDATE t. nil where it names none.
func (q *run) namedTable(s *sql.GenericStatement) (table, sql.TableName, error) {
	name, ok := s.TableName()
	if !ok {
		return nil, name, nil
	}
	t, name, err := q.table(name)
	return t, name, err
}

// alter runs ALTER TABLE. Commands that change definitions come first, all of them or none; then those that change rows.
func (q *run) alter(s *sql.GenericStatement) error {
	a, err := s.Alter(sql.Options{MaxQuerySize: 1 << 30})
	if err != nil {
		return err
	}
	c := &q.engine.catalog
	c.ddl.Lock()
	defer c.ddl.Unlock()
	t, name, err := q.table(a.Name)
	if err != nil {
		return err
	}
	switch t := t.(type) {
	case *memoryTable:
		return q.alterMemory(t, a)
	case *viewTable:
		return q.alterView(t, a)
	}
	return errcode.New(errcode.NotImplemented, "Alter of %s is not supported by storage %s", name, t.engine())
}

// alterNames are ClickHouse's names of the kinds of commands.
var alterNames = [...]string{sql.AlterAddColumn: "ADD_COLUMN", sql.AlterDropColumn: "DROP_COLUMN", sql.AlterModifyColumn: "MODIFY_COLUMN",
	sql.AlterRenameColumn: "RENAME_COLUMN", sql.AlterCommentColumn: "COMMENT_COLUMN", sql.AlterModifyComment: "COMMENT_TABLE", sql.AlterModifySetting: "MODIFY_SETTING"}

func alterRefused(k *sql.AlterCommand, engine string) error {
	switch k.Kind {
	case sql.AlterDelete, sql.AlterUpdate:
		return errcode.New(errcode.NotImplemented, "Table engine %s doesn't support mutations", engine)
	case sql.AlterOther:
		if k.Name == "MODIFY_TTL" {
			return errcode.New(errcode.BadArguments, "Engine %s doesn't support TTL clause", engine)
		}
		return errcode.New(errcode.NotImplemented, "Alter of type '%s' is not supported by storage %s", k.Name, engine)
	}
	return errcode.New(errcode.NotImplemented, "Alter of type '%s' is not supported by storage %s", alterNames[k.Kind], engine)
}

// alterView changes a view's comment, the only thing of a view that ALTER changes.
func (q *run) alterView(v *viewTable, a *sql.Alter) error {
	for i := range a.Commands {
		if k := &a.Commands[i]; k.Kind != sql.AlterModifyComment {
			return alterRefused(k, v.engine())
		}
	}
	s, err := sql.Parse(v.create(), sql.Options{MaxQuerySize: 1 << 30})
	if err != nil {
		return errcode.Wrap(err, "view %s", v.tableName())
	}
	create := s.(*sql.CreateView)
	next := &viewTable{uuid: v.uuid, cols: v.cols, query: v.query, asked: v.asked, note: a.Commands[len(a.Commands)-1].Comment}
	create.Comment, create.HasComment = next.note, next.note != ""
	next.name, next.text = v.tableName(), sql.FormatPretty(create)
	return q.engine.catalog.put(next, true)
}

// newTableColumn is a column of a table that ALTER makes, with its place in the table that was.
type newTableColumn struct {
	def  *sql.ColumnDef
	from int // -1: it is new
}

// alterMemory changes a table of rows. A change of its columns makes another table of its blocks, which takes its place; an INSERT that is on
// its way into the old one ends with error 236.
func (q *run) alterMemory(t *memoryTable, a *sql.Alter) error {
	ed := &tableEdit{q: q, old: t, list: slices.Clone(t.conf.list), note: t.comment()}
	ed.columns()
	var mutations []*sql.AlterCommand
	for i := range a.Commands {
		k := &a.Commands[i]
		switch {
		case k.Kind == sql.AlterOther, t.kind == nullEngine && slices.Contains([]sql.AlterKind{sql.AlterDelete, sql.AlterUpdate, sql.AlterRenameColumn, sql.AlterModifySetting}, k.Kind):
			return alterRefused(k, t.kind)
		case k.Kind == sql.AlterDelete || k.Kind == sql.AlterUpdate:
			mutations = append(mutations, k)
		default:
			if err := ed.apply(k); err != nil {
				return err
			}
		}
	}
	if ed.changed {
		next, err := ed.finish()
		if err != nil {
			return err
		}
		t = next
	}
	for _, k := range mutations {
		if err := q.mutate(t, k); err != nil {
			return err
		}
	}
	return nil
}

// tableEdit is a table's definition while commands change it.
type tableEdit struct {
	q       *run
	old     *memoryTable
	cols    []newTableColumn
	list    []sql.Setting
	note    string
	changed bool
}

// columns takes over the table's columns. The definitions are copies: those of the table are read by others.
func (ed *tableEdit) columns() {
	for i, c := range ed.old.cols {
		d := &sql.ColumnDef{Name: c.Name}
		if ed.old.defs != nil {
			*d = *ed.old.defs[i]
		}
		d.Name, d.Comment, d.HasComment = c.Name, c.Comment, c.Comment != ""
		if e, err := sql.ParseType(c.Type.String(), sql.Options{}); err == nil {
			d.Type, d.Null, d.NotNull = e, false, false
		}
		ed.cols = append(ed.cols, newTableColumn{def: d, from: i})
	}
}

func (ed *tableEdit) find(name string) int {
	return slices.IndexFunc(ed.cols, func(c newTableColumn) bool { return c.def.Name == name })
}

// apply changes the definition by one command.
func (ed *tableEdit) apply(k *sql.AlterCommand) error {
	ed.changed = true
	name := k.Name
	if k.Column != nil {
		name = k.Column.Name
	}
	at := ed.find(name)
	missing := func(to string) error {
		if k.IfExists {
			return nil
		}
		return errcode.New(errcode.NotFoundColumnInBlock, "Wrong column name. Cannot find column `%s` to %s", name, to)
	}
	switch k.Kind {
	case sql.AlterAddColumn:
		if at >= 0 {
			if k.IfNotExists {
				return nil
			}
			return errcode.New(errcode.DuplicateColumn, "Cannot add column `%s`: column with this name already exists", name)
		}
		ed.cols = append(ed.cols, newTableColumn{def: k.Column, from: -1})
		return ed.place(len(ed.cols)-1, k)
	case sql.AlterDropColumn:
		if at < 0 {
			return missing("drop")
		}
		return ed.dropColumn(at)
	case sql.AlterModifyColumn:
		if at < 0 {
			return missing("modify")
		}
		return ed.modify(at, k)
	case sql.AlterRenameColumn:
		switch {
		case at < 0:
			return missing("rename")
		case ed.find(k.To) >= 0:
			return errcode.New(errcode.DuplicateColumn, "Cannot rename to `%s`: column with this name already exists", k.To)
		}
		return ed.renameColumn(at, k.To)
	case sql.AlterCommentColumn:
		if at < 0 {
			return missing("comment")
		}
		d := ed.cols[at].def
		d.Comment, d.HasComment = k.Comment, k.Comment != ""
	case sql.AlterModifyComment:
		ed.note = k.Comment
	case sql.AlterModifySetting:
		for _, st := range k.Settings {
			if i := slices.IndexFunc(ed.list, func(o sql.Setting) bool { return o.Name == st.Name }); i >= 0 {
				ed.list[i] = st
			} else {
				ed.list = append(ed.list, st)
			}
		}
	}
	return nil
}

// place moves a column to where FIRST or AFTER says.
func (ed *tableEdit) place(at int, k *sql.AlterCommand) error {
	if !k.First && k.After == "" {
		return nil
	}
	c := ed.cols[at]
	to := 0
	if k.After != "" {
		after := ed.find(k.After)
		if after < 0 {
			return errcode.New(errcode.NoSuchColumnInTable, "Wrong column name. Cannot find column %s to insert after", k.After)
		}
		if to = after + 1; after >= at {
			to = after
		}
	}
	ed.cols = slices.Insert(slices.Delete(ed.cols, at, at+1), to, c)
	return nil
}

// infos are the columns by name alone.
func (ed *tableEdit) infos() []columnInfo {
	out := make([]columnInfo, len(ed.cols))
	for i, c := range ed.cols {
		out[i].Name = c.def.Name
	}
	return out
}

// uses tells which other column's default uses a column.
func (ed *tableEdit) uses(at int) (string, bool) {
	infos := ed.infos()
	for i, c := range ed.cols {
		if i != at && c.def.Default != nil && slices.Contains(usedColumns(c.def.Default, infos), at) {
			return c.def.Name, true
		}
	}
	return "", false
}

func (ed *tableEdit) dropColumn(at int) error {
	name := ed.cols[at].def.Name
	if other, used := ed.uses(at); used {
		return errcode.New(errcode.IllegalColumn, "Cannot drop column `%s`, because column `%s` depends on it", name, other)
	}
	if len(ed.cols) == 1 {
		return errcode.New(errcode.BadArguments, "Cannot DROP or CLEAR all columns")
	}
	ed.cols = slices.Delete(ed.cols, at, at+1)
	return nil
}

// renameColumn gives a column another name, in the defaults that use it too.
func (ed *tableEdit) renameColumn(at int, to string) error {
	infos := ed.infos()
	from := ed.cols[at].def.Name
	for _, c := range ed.cols {
		if c.def.Default == nil || !slices.Contains(usedColumns(c.def.Default, infos), at) {
			continue
		}
		e, err := sql.ParseExpr(sql.Format(c.def.Default), sql.Options{}) // a copy to be changed
		if err != nil {
			return err
		}
		sql.Walk(e, func(n sql.Node) bool {
			if id, ok := n.(*sql.Ident); ok && joinParts(id.Parts) == from {
				id.Parts, id.Params = []string{to}, nil
			}
			return true
		})
		c.def.Default = e
	}
	ed.cols[at].def.Name = to
	return nil
}

// modify changes what MODIFY COLUMN writes and leaves the rest.
func (ed *tableEdit) modify(at int, k *sql.AlterCommand) error {
	d := ed.cols[at].def
	switch k.Remove {
	case "":
	case "COMMENT":
		d.Comment, d.HasComment = "", false
		return nil
	case "DEFAULT", "MATERIALIZED", "ALIAS", "EPHEMERAL":
		if kind := kindName(d.DefaultKind); kind != k.Remove {
			return errcode.New(errcode.BadArguments, "Column `%s` doesn't have %s, cannot remove it", d.Name, k.Remove)
		}
		d.DefaultKind, d.Default = sql.DefaultNone, nil
		return nil
	default:
		return errcode.New(errcode.BadArguments, "Column `%s` doesn't have %s, cannot remove it", d.Name, k.Remove)
	}
	if k.Column.Type != nil {
		d.Type, d.Null, d.NotNull = k.Column.Type, k.Column.Null, k.Column.NotNull
	}
	if k.Column.DefaultKind != sql.DefaultNone {
		d.DefaultKind, d.Default = k.Column.DefaultKind, k.Column.Default
	}
	if k.Column.HasComment {
		d.Comment, d.HasComment = k.Column.Comment, k.Column.Comment != ""
	}
	if k.Column.Codec != nil {
		d.Codec = k.Column.Codec
	}
	return ed.place(at, k)
}

// finish makes the new table, with the rows of the old one, and puts it in its place.
func (ed *tableEdit) finish() (*memoryTable, error) {
	q, old := ed.q, ed.old
	next := &memoryTable{uuid: old.uuid, kind: old.kind, temp: old.temp, budget: old.budget, note: ed.note}
	next.name = old.tableName()
	var err error
	if next.conf, err = newMemorySettings(ed.list); err != nil {
		return nil, err
	}
	s := &sql.CreateTable{Name: next.name, Comment: ed.note, HasComment: ed.note != "", Constraints: old.checks}
	for _, c := range ed.cols {
		s.Columns = append(s.Columns, c.def)
	}
	if err := q.columnList(s, next); err != nil {
		return nil, err
	}
	next.text = tableText(next, s)
	if err := ed.moveRows(next); err != nil {
		return nil, err
	}
	if next.temp {
		q.session.temp[next.name.Table] = next
		return next, nil
	}
	c := &q.engine.catalog
	if err := c.saveTable(next); err != nil {
		next.drop()
		return nil, err
	}
	c.mu.Lock()
	c.databases[next.name.Database].tables[next.name.Table] = next
	c.mu.Unlock()
	return next, nil
}

// moveRows makes the new table's blocks of the old one's, which is closed then. Blocks that come meanwhile are moved too.
func (ed *tableEdit) moveRows(next *memoryTable) error {
	w := &tableWriter{q: ed.q, t: next}
	defer w.close()
	done, edits := 0, -1
	for {
		ed.old.mu.Lock()
		blocks := ed.old.blocks
		if edits != ed.old.edits { // the first time, or rows went away meanwhile
			w.close()
			done, edits = 0, ed.old.edits
		}
		if done == len(blocks) {
			ed.old.closed = errcode.New(errcode.Aborted, "The columns of table %s were changed while rows were on their way; try again", next.name)
			ed.old.mu.Unlock()
			break
		}
		ed.old.mu.Unlock()
		for _, b := range blocks[done:] {
			if err := ed.q.tick(); err != nil {
				return err
			}
			moved, err := ed.moveBlock(next, b, &w.packer)
			if err != nil {
				return err
			}
			if err := w.hold(moved); err != nil {
				return err
			}
		}
		done = len(blocks)
	}
	if err := w.commit(); err != nil {
		return err
	}
	ed.old.truncate()
	return nil
}

// moveBlock makes a block of the new table's columns. What stays as it is is shared.
func (ed *tableEdit) moveBlock(next *memoryTable, b *tableBlock, p *packer) (*tableBlock, error) {
	cols := make([]storedColumn, len(next.cols))
	reader := &blockReader{}
	for i, c := range ed.cols {
		info := &next.cols[i]
		if !info.stored() {
			continue
		}
		var err error
		if c.from < 0 || !ed.old.cols[c.from].stored() {
			cols[i], err = next.packer(p).store(defaults(info.Type, b.rows))
			if err != nil {
				return nil, err
			}
			continue
		}
		if ed.old.cols[c.from].Type.Equal(info.Type) {
			cols[i] = b.cols[c.from]
			continue
		}
		have, err := reader.column(b, c.from)
		if err != nil {
			return nil, errcode.Wrap(err, "table %s, column %s", next.name, ed.old.cols[c.from].Name)
		}
		if have, err = convertColumn(have, info.Type); err != nil {
			return nil, errcode.Wrap(err, "column %s", info.Name)
		}
		if cols[i], err = next.packer(p).store(have); err != nil {
			return nil, err
		}
	}
	return newBlock(cols, b.rows), nil
}

func kindName(k sql.DefaultKind) string {
	return [...]string{sql.DefaultNone: "", sql.DefaultValue: kindDefault, sql.DefaultMaterialized: kindMaterialized, sql.DefaultAlias: kindAlias, sql.DefaultEphemeral: kindEphemeral}[k]
}

// mutate runs DELETE or UPDATE over the rows that are there: all blocks are replaced in one step, or none.
func (q *run) mutate(t *memoryTable, k *sql.AlterCommand) error {
	m, err := q.newMutation(t, k)
	if err != nil {
		return err
	}
	for {
		t.mu.RLock()
		blocks, edits := t.blocks[:len(t.blocks):len(t.blocks)], t.edits
		t.mu.RUnlock()
		w := &tableWriter{q: q, t: t}
		again, err := m.replace(w, blocks, edits)
		w.close()
		if err != nil || !again {
			return err
		}
	}
}

// mutation is DELETE or UPDATE compiled over the stored columns.
type mutation struct {
	t      *memoryTable
	stored []int // places of the stored columns
	set    []int // columns that UPDATE sets
	prog   *program
	env    *run
}

func (q *run) newMutation(t *memoryTable, k *sql.AlterCommand) (*mutation, error) {
	m := &mutation{t: t, env: q}
	for i := range t.cols {
		if t.cols[i].stored() {
			m.stored = append(m.stored, i)
		}
	}
	x := q.newColumnExprs(t.cols, t.defs, m.stored)
	bind := func(e sql.Expr) (*expr, error) {
		if err := x.bindUsed(e); err != nil {
			return nil, err
		}
		return x.b.bind(e)
	}
	cond, err := bind(k.Where)
	if err != nil {
		return nil, err
	}
	if b := cond.typ.Base(); !b.IsInteger() && !b.IsFloat() && b.Kind != column.Nothing {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of the condition of %s", cond.typ, alterVerb(k))
	}
	outs := []*expr{cond}
	for _, as := range k.Set {
		i := slices.IndexFunc(t.cols, func(c columnInfo) bool { return c.Name == as.Column })
		if i < 0 || !t.cols[i].stored() {
			return nil, errcode.New(errcode.NoSuchColumnInTable, "There is no column `%s` in table", as.Column)
		}
		e, err := bind(as.Value)
		if err != nil {
			return nil, err
		}
		if e.typ.IsNullable() && e.isConst() && !t.cols[i].Type.IsNullable() && column.Full(e.val).(*column.Null).Nulls[0] != 0 {
			return nil, errcode.New(errcode.CannotConvertType, "Cannot convert NULL to a non-nullable type")
		}
		if e, err = x.b.cast(e, t.cols[i].Type); err != nil {
			return nil, err
		}
		m.set = append(m.set, i)
		outs = append(outs, e)
	}
	sets := &selectPlan{} // of IN (SELECT ...)
	for _, e := range outs {
		sets.collectSets(e, map[*set]bool{}, map[*expr]bool{})
	}
	if err := sets.fillSets(q); err != nil {
		return nil, err
	}
	m.prog, err = x.compile(outs)
	return m, err
}

func alterVerb(k *sql.AlterCommand) string {
	if k.Kind == sql.AlterDelete {
		return "DELETE"
	}
	return "UPDATE"
}

// replace makes the new blocks and puts them in the place of the old ones; again tells that rows went away meanwhile, so that it was in vain.
func (m *mutation) replace(w *tableWriter, blocks []*tableBlock, edits int) (again bool, err error) {
	t := m.t
	reader := &blockReader{}
	f := newFrame(m.prog, &m.env.env)
	out := make([]*tableBlock, 0, len(blocks))
	freed := 0
	for n, b := range blocks {
		if err := m.env.tick(); err != nil {
			return false, err
		}
		next, err := m.block(reader, f, b, &w.packer)
		if err != nil {
			return false, errcode.Wrap(err, "table %s, block %d of %d", t.tableName(), n, len(blocks))
		}
		if next != b {
			freed += b.bytes
			if next != nil {
				if err := w.hold(next); err != nil {
					return false, err
				}
			}
		}
		if next != nil {
			out = append(out, next)
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed != nil {
		return false, t.closed
	}
	if t.edits != edits {
		return true, nil
	}
	came := t.blocks[len(blocks):]
	t.blocks = append(out, came...)
	t.total, t.bytes = 0, 0
	for _, b := range t.blocks {
		t.total += b.rows
		t.bytes += b.bytes
	}
	t.edits++
	t.release(freed)
	w.done()
	return false, nil
}

// block is what becomes of one block: itself, another, or nil.
func (m *mutation) block(reader *blockReader, f *frame, b *tableBlock, p *packer) (*tableBlock, error) {
	in := make([]column.Column, len(m.stored))
	for k, i := range m.stored {
		var err error
		if in[k], err = reader.column(b, i); err != nil {
			return nil, errcode.Wrap(err, "column %s", m.t.cols[i].Name)
		}
	}
	f.set(in, b.rows)
	cond, err := f.value(m.prog.outs[0])
	if err != nil {
		return nil, err
	}
	hit, n := conditionBytes(cond, b.rows)
	if n == 0 {
		return b, nil
	}
	if len(m.set) == 0 {
		return m.without(in, b.rows, hit, n, p)
	}
	cols := slices.Clone(b.cols)
	for k, i := range m.set {
		v, err := f.value(m.prog.outs[k+1])
		if err != nil {
			return nil, err
		}
		v = column.Full(v)
		if n < b.rows {
			v = mergeMissing(in[slices.Index(m.stored, i)], v, hit)
		}
		if cols[i], err = m.t.packer(p).store(v); err != nil {
			return nil, err
		}
	}
	return newBlock(cols, b.rows), nil
}

// without is a block without the rows that hit marks, n of them.
func (m *mutation) without(in []column.Column, rows int, hit []uint8, n int, p *packer) (*tableBlock, error) {
	if n == rows {
		return nil, nil
	}
	keep := make([]uint8, rows)
	for i, h := range hit {
		if h == 0 {
			keep[i] = 1
		}
	}
	cols := make([]column.Column, len(m.t.cols))
	for k, i := range m.stored {
		cols[i] = in[k].Filter(keep, rows-n)
	}
	return m.t.packer(p).block(cols, rows-n)
}
