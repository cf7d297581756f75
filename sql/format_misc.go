package sql

// statement writes a statement of any kind.
func (w *writer) statement(s Statement) {
	switch s := s.(type) {
	case *SelectQuery:
		w.query(s)
		w.output(&s.Output)
	case *CreateDictionary:
		w.createDictionary(s)
	case *CreateTable:
		w.createTable(s)
	case *CreateDatabase:
		w.createDatabase(s)
	case *CreateView:
		w.createView(s)
	case *CreateFunction:
		w.createHead(createVerb(false, s.OrReplace, false), "FUNCTION", s.IfNotExists, TableName{Table: s.Name}, "", s.Cluster)
		w.WriteString(" AS ")
		w.expr(s.Body)
	case *Drop:
		w.drop(s)
	case *Attach:
		w.createHead("ATTACH", objectTexts[s.Object], s.IfNotExists, s.Name, "", s.Cluster)
	case *Rename:
		w.rename(s)
	case *Insert:
		w.insert(s)
	case *Show:
		w.show(s)
	case *ShowCreate:
		w.WriteString("SHOW CREATE ")
		w.object(s.Object, s.Temporary, s.Name)
		w.output(&s.Output)
	case *Describe:
		w.WriteString("DESCRIBE TABLE")
		if s.Table.Query != nil {
			w.line()
		} else {
			w.WriteByte(' ')
		}
		w.tableExpr(s.Table)
		w.output(&s.Output)
	case *Exists:
		w.WriteString("EXISTS ")
		w.object(s.Object, s.Temporary, s.Name)
		w.output(&s.Output)
	case *Use:
		w.WriteString("USE ")
		w.tableName(TableName{Database: s.Database, DatabaseParam: s.DatabaseParam})
	case *Set:
		w.WriteString("SET ")
		w.settings(s.Settings)
	case *System:
		w.system(s)
	case *Kill:
		w.write("KILL ", s.Object)
		w.cluster(s.Cluster)
		w.WriteString(" WHERE ")
		w.expr(s.Where)
		switch {
		case s.Test:
			w.WriteString(" TEST")
		case s.Sync:
			w.WriteString(" SYNC")
		default:
			w.WriteString(" ASYNC")
		}
		w.output(&s.Output)
	case *Explain:
		w.explain(s)
	case *GenericStatement:
		w.WriteString(s.Text)
	}
}

// object writes [TEMPORARY] kind name.
func (w *writer) object(kind ObjectKind, temporary bool, name TableName) {
	w.optional(temporary, "TEMPORARY ")
	w.write(objectTexts[kind], " ")
	w.tableName(name)
}

func (w *writer) drop(d *Drop) {
	w.write([...]string{DropDrop: "DROP", DropDetach: "DETACH", DropTruncate: "TRUNCATE"}[d.Kind], " ")
	if d.AllTables {
		w.WriteString("ALL TABLES FROM ")
	} else {
		w.optional(d.Temporary, "TEMPORARY ")
		w.write(objectTexts[d.Object], " ")
	}
	w.optional(d.IfExists, "IF EXISTS ")
	w.optional(d.IfEmpty, "IF EMPTY ")
	for i, name := range d.Names {
		w.optional(i > 0, ", ")
		w.tableName(name)
	}
	w.like(d.Like)
	w.cluster(d.Cluster)
	w.optional(d.Permanently, " PERMANENTLY")
	w.optional(d.Sync, " SYNC")
	if d.Settings != nil {
		w.clause("SETTINGS ")
		w.settings(d.Settings)
	}
}

func (w *writer) rename(r *Rename) {
	separator := " TO "
	switch {
	case r.Exchange && r.Object == ObjectDictionary:
		w.WriteString("EXCHANGE DICTIONARIES ")
	case r.Exchange:
		w.WriteString("EXCHANGE TABLES ")
	default:
		w.write("RENAME ", objectTexts[r.Object], " ")
		w.optional(r.IfExists, "IF EXISTS ")
	}
	if r.Exchange {
		separator = " AND "
	}
	for i, pair := range r.Pairs {
		w.optional(i > 0, ", ")
		w.tableName(pair.From)
		w.WriteString(separator)
		w.tableName(pair.To)
	}
	w.cluster(r.Cluster)
}

func (w *writer) insert(ins *Insert) {
	w.WriteString("INSERT INTO ")
	if ins.Func != nil {
		w.WriteString("FUNCTION ")
		w.function(ins.Func)
		if ins.Partition != nil {
			w.WriteString(" PARTITION BY ")
			w.expr(ins.Partition)
		}
	} else {
		w.tableName(ins.Table)
	}
	if ins.HasList {
		w.WriteString(" (")
		w.exprs(ins.Columns)
		w.WriteByte(')')
	}
	if ins.HasInfile {
		w.WriteString(" FROM INFILE ")
		w.str(ins.Infile)
		if ins.Compress != "" {
			w.WriteString(" COMPRESSION ")
			w.str(ins.Compress)
		}
	}
	if ins.Settings != nil {
		w.clause("SETTINGS ")
		w.settings(ins.Settings)
	}
	if ins.Query != nil {
		if ins.Settings != nil {
			w.line()
		} else {
			w.WriteByte(' ')
		}
		w.query(ins.Query)
	}
	if ins.Format != "" {
		if ins.Settings != nil && ins.Query == nil {
			w.line()
		} else {
			w.WriteByte(' ')
		}
		w.write("FORMAT ", ins.Format)
	}
}

// showTexts are the words of the kinds of SHOW that have fields of their own.
var showTexts = [...]string{
	ShowTables: "TABLES", ShowDatabases: "DATABASES", ShowDictionaries: "DICTIONARIES", ShowColumns: "COLUMNS", ShowFunctions: "FUNCTIONS",
	ShowProcesslist: "PROCESSLIST", ShowSettings: "SETTINGS", ShowSetting: "SETTING", ShowClusters: "CLUSTERS", ShowCluster: "CLUSTER",
	ShowEngines: "ENGINES", ShowIndexes: "INDEXES", ShowMerges: "MERGES", ShowAccess: "", ShowPrivileges: "PRIVILEGES", ShowFilesystemCaches: "FILESYSTEM CACHES",
}

func (w *writer) show(s *Show) {
	w.WriteString("SHOW ")
	w.optional(s.Extended, "EXTENDED ")
	w.optional(s.Full, "FULL ")
	w.optional(s.Changed, "CHANGED ")
	w.optional(s.Temporary, "TEMPORARY ")
	w.WriteString(showTexts[s.Kind])
	w.WriteString(s.Words)
	switch {
	case s.Kind == ShowSetting || s.Kind == ShowCluster:
		w.WriteByte(' ')
		w.tableName(s.From)
	case s.From.Database != "" || s.From.Table != "" || s.From.DatabaseParam != nil || s.From.TableParam != nil:
		w.WriteString(" FROM ")
		w.tableName(s.From)
	}
	w.like(s.Like)
	if s.Where != nil {
		w.WriteString(" WHERE ")
		w.expr(s.Where)
	}
	if s.Limit != nil {
		w.WriteString(" LIMIT ")
		w.expr(s.Limit)
	}
	w.output(&s.Output)
}

func (w *writer) like(l *LikeClause) {
	if l == nil {
		return
	}
	w.optional(l.Not, " NOT")
	w.WriteString(map[bool]string{false: " LIKE ", true: " ILIKE "}[l.ILike])
	w.str(l.Pattern)
}

func (w *writer) system(s *System) {
	w.write("SYSTEM ", s.Command)
	w.cluster(s.Cluster)
	if s.Target != nil {
		w.WriteByte(' ')
		w.tableName(*s.Target)
	}
	if s.Args != "" {
		w.write(" ", s.Args)
	}
}

func (w *writer) explain(e *Explain) {
	w.WriteString("EXPLAIN")
	if e.KindGiven && e.Kind != ExplainPlan {
		w.write(" ", explainNames[e.Kind])
	}
	if e.Settings != nil {
		w.WriteByte(' ')
		w.settings(e.Settings)
	}
	if e.Query != nil {
		w.line()
		w.statement(e.Query)
	}
	w.output(&e.Output)
}
