package sql

import "strconv"

// objectTexts are the words of the kinds of objects; what was not written is a table.
var objectTexts = [...]string{
	ObjectAny: "TABLE", ObjectTable: "TABLE", ObjectDictionary: "DICTIONARY", ObjectView: "VIEW", ObjectDatabase: "DATABASE", ObjectFunction: "FUNCTION",
}

// optional writes a text if a condition holds.
func (w *writer) optional(set bool, text string) {
	if set {
		w.WriteString(text)
	}
}

// createHead writes CREATE [OR REPLACE] kind [IF NOT EXISTS] name [UUID] [ON CLUSTER].
func (w *writer) createHead(verb, kind string, ifNotExists bool, name TableName, uuid, cluster string) {
	w.write(verb, " ", kind, " ")
	w.optional(ifNotExists, "IF NOT EXISTS ")
	w.tableName(name)
	if uuid != "" {
		w.WriteString(" UUID ")
		w.str(uuid)
	}
	w.cluster(cluster)
}

func (w *writer) cluster(name string) {
	if name != "" {
		w.WriteString(" ON CLUSTER ")
		w.name(name)
	}
}

// createVerb is the first words of a statement that creates.
func createVerb(attach, orReplace, replace bool) string {
	switch {
	case attach:
		return "ATTACH"
	case replace:
		return "REPLACE"
	case orReplace:
		return "CREATE OR REPLACE"
	}
	return "CREATE"
}

func (w *writer) comment(text string, has bool) {
	if has {
		w.clause("COMMENT ")
		w.str(text)
	}
}

// definitions writes a list in brackets, each element on a line of its own.
func (w *writer) definitions(items []func()) {
	w.line()
	w.WriteByte('(')
	w.indent++
	for i, item := range items {
		if i > 0 {
			w.WriteByte(',')
			if !w.pretty {
				w.WriteByte(' ')
			}
		}
		w.breakLine()
		item()
	}
	w.indent--
	w.breakLine()
	w.WriteByte(')')
}

// createDictionary writes the clauses in ClickHouse's order, whatever order they were written in.
func (w *writer) createDictionary(d *CreateDictionary) {
	w.createHead(createVerb(d.Attach, d.OrReplace, d.Replace), "DICTIONARY", d.IfNotExists, d.Name, d.UUID, d.Cluster)
	items := make([]func(), 0, len(d.Attributes))
	for _, a := range d.Attributes {
		items = append(items, func() { w.dictAttribute(a) })
	}
	w.definitions(items)
	if d.PrimaryKey != nil {
		w.clause("PRIMARY KEY ")
		w.exprs(d.PrimaryKey)
	}
	if d.Source != nil {
		w.clause("SOURCE(")
		w.keyValues(d.Source)
		w.WriteByte(')')
	}
	if d.Lifetime != nil {
		w.clause("LIFETIME(MIN ")
		w.write(strconv.FormatUint(d.Lifetime.Min, 10), " MAX ", strconv.FormatUint(d.Lifetime.Max, 10), ")")
	}
	if d.Layout != nil {
		w.clause("LAYOUT(")
		w.keyValues(d.Layout)
		w.WriteByte(')')
	}
	if d.Range != nil {
		w.clause("RANGE(MIN ")
		w.name(d.Range.Min)
		w.WriteString(" MAX ")
		w.name(d.Range.Max)
		w.WriteByte(')')
	}
	if d.HasSettings {
		w.clause("SETTINGS(")
		w.settings(d.Settings)
		w.WriteByte(')')
	}
	w.comment(d.Comment, d.HasComment)
}

func (w *writer) dictAttribute(a *DictAttribute) {
	w.quoted(a.Name)
	w.WriteByte(' ')
	w.typeExpr(a.Type)
	if a.Default != nil {
		w.WriteString(" DEFAULT ")
		w.expr(a.Default)
	}
	if a.Expression != nil {
		w.WriteString(" EXPRESSION ")
		w.expr(a.Expression)
	}
	w.optional(a.Hierarchical, " HIERARCHICAL")
	w.optional(a.Bidirectional, " BIDIRECTIONAL")
	w.optional(a.Injective, " INJECTIVE")
	w.optional(a.IsObjectID, " IS_OBJECT_ID")
	if a.HasComment {
		w.WriteString(" COMMENT ")
		w.str(a.Comment)
	}
}

// keyValues writes NAME(KEY value ...).
func (w *writer) keyValues(kv *KeyValues) {
	w.WriteString(upperText(kv.Name))
	if kv.NoBrackets {
		return
	}
	w.WriteByte('(')
	w.pairs(kv.Pairs)
	w.WriteByte(')')
}

func (w *writer) pairs(pairs []*KeyValue) {
	for i, p := range pairs {
		if i > 0 {
			w.WriteByte(' ')
		}
		w.write(upperText(p.Key), " ")
		if p.Nested {
			w.WriteByte('(')
			w.pairs(p.Pairs)
			w.WriteByte(')')
		} else if p.Value != nil {
			w.expr(p.Value)
		}
	}
}

// createTable writes CREATE TABLE.
func (w *writer) createTable(t *CreateTable) {
	kind := "TABLE"
	if t.Temporary {
		kind = "TEMPORARY TABLE"
	}
	w.createHead(createVerb(t.Attach, t.OrReplace, t.Replace), kind, t.IfNotExists, t.Name, t.UUID, t.Cluster)
	if t.HasColumns { // before AS, whose table a bracket would make a function
		w.columnList(t)
	}
	if t.AsTable != nil {
		w.optional(t.Clone, " CLONE")
		w.WriteString(" AS ")
		w.tableName(*t.AsTable)
	}
	if t.AsFunc != nil {
		w.WriteString(" AS ")
		w.function(t.AsFunc)
	}
	engine := t.Engine
	if t.ColumnsPK != nil {
		if engine == nil {
			engine = &Engine{}
		}
		if engine.PrimaryKey == nil {
			with := *engine
			with.PrimaryKey = t.ColumnsPK[0]
			engine = &with
		}
	}
	w.engine(engine)
	if t.AsSelect != nil {
		w.optional(t.Empty, " EMPTY")
		w.clause("AS ")
		w.query(t.AsSelect)
	}
	w.comment(t.Comment, t.HasComment)
	w.output(&t.Output)
}

func (w *writer) columnList(t *CreateTable) {
	var items []func()
	for _, c := range t.Columns {
		items = append(items, func() { w.column(c) })
	}
	for _, d := range t.Indexes {
		items = append(items, func() {
			w.WriteString("INDEX ")
			w.name(d.Name)
			w.WriteByte(' ')
			w.expr(d.Expr)
			w.WriteString(" TYPE ")
			w.expr(d.Type)
			if d.Granularity != nil {
				w.WriteString(" GRANULARITY ")
				w.expr(d.Granularity)
			}
		})
	}
	for _, c := range t.Constraints {
		items = append(items, func() {
			w.WriteString("CONSTRAINT ")
			w.name(c.Name)
			w.WriteString(map[bool]string{false: " CHECK ", true: " ASSUME "}[c.Assume])
			w.expr(c.Expr)
		})
	}
	for _, d := range t.Projections {
		items = append(items, func() {
			w.WriteString("PROJECTION ")
			w.name(d.Name)
			w.line()
			w.WriteByte('(')
			w.indent++
			w.breakLine()
			w.projection = true
			w.selectQuery(d.Select)
			w.projection = false
			w.indent--
			w.breakLine()
			w.WriteByte(')')
		})
	}
	w.definitions(items)
}

func (w *writer) column(c *ColumnDef) {
	w.quoted(c.Name)
	if c.Type != nil {
		w.WriteByte(' ')
		w.typeExpr(c.Type)
	}
	if c.Collate != "" {
		w.WriteString(" COLLATE ")
		w.name(c.Collate)
	}
	w.optional(c.Null, " NULL")
	w.optional(c.NotNull, " NOT NULL")
	w.WriteString([...]string{
		DefaultNone: "", DefaultValue: " DEFAULT", DefaultMaterialized: " MATERIALIZED", DefaultAlias: " ALIAS", DefaultEphemeral: " EPHEMERAL",
	}[c.DefaultKind])
	if c.Default != nil {
		w.WriteByte(' ')
		w.expr(c.Default)
	}
	if c.HasComment {
		w.WriteString(" COMMENT ")
		w.str(c.Comment)
	}
	if c.Codec != nil {
		w.WriteString(" CODEC(")
		w.exprs(c.Codec)
		w.WriteByte(')')
	}
	if c.Statistics != nil {
		w.WriteString(" STATISTICS(")
		w.exprs(c.Statistics)
		w.WriteByte(')')
	}
	if c.TTL != nil {
		w.WriteString(" TTL ")
		w.expr(c.TTL)
	}
	w.optional(c.PrimaryKey, " PRIMARY KEY")
	if c.Settings != nil {
		w.WriteString(" SETTINGS (")
		w.settings(c.Settings)
		w.WriteByte(')')
	}
}

// engine writes ENGINE = Name(args) with its clauses.
func (w *writer) engine(e *Engine) {
	if e == nil {
		return
	}
	if e.Name != "" {
		w.clause("ENGINE = ")
		w.name(e.Name)
		if len(e.Args) > 0 {
			w.WriteByte('(')
			w.exprs(e.Args)
			w.WriteByte(')')
		}
	}
	w.clauseExpr("PARTITION BY", e.PartitionBy)
	w.clauseExpr("PRIMARY KEY", e.PrimaryKey)
	w.clauseExpr("ORDER BY", e.OrderBy)
	w.clauseExpr("SAMPLE BY", e.SampleBy)
	if e.TTL != nil {
		w.clause("TTL ")
		for i := range e.TTL {
			w.optional(i > 0, ", ")
			w.ttl(&e.TTL[i])
		}
	}
	if e.Settings != nil {
		w.clause("SETTINGS ")
		w.settings(e.Settings)
	}
}

func (w *writer) ttl(t *TTLItem) {
	w.expr(t.Expr)
	switch t.Action {
	case "TO DISK", "TO VOLUME":
		w.write(" ", t.Action, " ")
		w.str(t.Target)
	case "RECOMPRESS":
		w.WriteString(" RECOMPRESS CODEC(")
		w.exprs(t.Codec)
		w.WriteByte(')')
	case "GROUP BY":
		w.WriteString(" GROUP BY ")
		w.exprs(t.GroupBy)
		if t.Set != nil {
			w.WriteString(" SET ")
			w.exprs(t.Set)
		}
	}
	if t.Where != nil {
		w.WriteString(" WHERE ")
		w.expr(t.Where)
	}
}

func (w *writer) createDatabase(d *CreateDatabase) {
	w.createHead(createVerb(d.Attach, false, false), "DATABASE", d.IfNotExists, d.Name, d.UUID, d.Cluster)
	w.engine(d.Engine)
	w.comment(d.Comment, d.HasComment)
}

func (w *writer) createView(v *CreateView) {
	kind := "VIEW"
	if v.Materialized {
		kind = "MATERIALIZED VIEW"
	}
	w.createHead(createVerb(v.Attach, v.OrReplace, false), kind, v.IfNotExists, v.Name, v.UUID, v.Cluster)
	if v.To != nil {
		w.WriteString(" TO ")
		w.tableName(*v.To)
	}
	if v.HasColumns {
		w.columnList(&CreateTable{Columns: v.Columns})
	}
	if len(v.Aliases) > 0 {
		w.WriteString(" (")
		for i, a := range v.Aliases {
			if i > 0 {
				w.WriteString(", ")
			}
			w.name(a)
		}
		w.WriteString(")")
	}
	w.engine(v.Engine)
	w.optional(v.Populate, " POPULATE")
	w.optional(v.Empty, " EMPTY")
	w.comment(v.Comment, v.HasComment)
	w.clause("AS ")
	w.query(v.Query)
}
