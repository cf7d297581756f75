package query

import (
	"context"
	"strings"

	"dictsvc/errcode"
	"dictsvc/sql"
)

// runStatement settles the query's own settings and runs it.
func (q *run) runStatement(ctx context.Context, stmt sql.Statement) error {
	q.kind = statementKind(stmt)
	if out := outputOf(stmt); out != nil && len(out.Settings) > 0 {
		if err := q.setAll(q.settings, out.Settings); err != nil {
			return err
		}
	}
	if s := selectOf(stmt); s != nil { // the settings of the outermost SELECT are those of the query
		if err := q.setAll(q.settings, s.Output.Settings); err != nil {
			return err
		}
		if one := s.Single(); one != nil {
			if err := q.setAll(q.settings, one.Settings); err != nil {
				return err
			}
		}
	}
	if err := q.allowed(stmt); err != nil {
		return err
	}
	end, err := q.begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	if err := q.addExternal(); err != nil {
		return err
	}
	err = q.dispatch(stmt)
	if err != nil && q.ctx.Err() != nil { // whatever failed, it failed because the query was ended
		return q.cause()
	}
	return err
}

func (q *run) dispatch(stmt sql.Statement) error {
	switch s := stmt.(type) {
	case *sql.SelectQuery:
		return q.selectStatement(s)
	case *sql.Insert:
		return q.insert(s)
	case *sql.CreateDatabase:
		return q.createDatabase(s)
	case *sql.CreateTable:
		return q.createTable(s)
	case *sql.CreateDictionary:
		return q.createDictionary(s)
	case *sql.CreateFunction:
		return q.createFunction(s)
	case *sql.Drop:
		return q.drop(s)
	case *sql.Rename:
		return q.rename(s)
	case *sql.Set:
		return q.set(s)
	case *sql.Use:
		return q.use(s)
	case *sql.System:
		return q.system(s)
	case *sql.Show:
		return q.show(s)
	case *sql.ShowCreate:
		return q.showCreate(s)
	case *sql.Describe:
		return q.describe(s)
	case *sql.Exists:
		return q.existsStatement(s)
	case *sql.Explain:
		return q.explainStatement(s)
	case *sql.Kill:
		return q.killQuery(s)
	case *sql.CreateView:
		return q.createView(s)
	case *sql.Attach:
		return q.attach(s)
	case *sql.GenericStatement:
		return q.generic(s)
	}
	return errcode.New(errcode.NotImplemented, "Statements of the kind %s are not supported", q.kind)
}

// selectOf is the query in a statement, nil where there is none.
func selectOf(stmt sql.Statement) *sql.SelectQuery {
	switch s := stmt.(type) {
	case *sql.SelectQuery:
		return s
	case *sql.Insert:
		return s.Query
	case *sql.CreateTable:
		return s.AsSelect
	}
	return nil
}

// outputOf is the FORMAT and SETTINGS part of a statement, nil where it has none.
func outputOf(stmt sql.Statement) *sql.Output {
	switch s := stmt.(type) {
	case *sql.CreateTable:
		return &s.Output
	case *sql.Show:
		return &s.Output
	case *sql.ShowCreate:
		return &s.Output
	case *sql.Describe:
		return &s.Output
	case *sql.Exists:
		return &s.Output
	case *sql.Explain:
		return &s.Output
	case *sql.Kill:
		return &s.Output
	}
	return nil
}

// statementKind names a statement as system.processes does.
func statementKind(stmt sql.Statement) string {
	switch stmt.(type) {
	case *sql.SelectQuery:
		return "Select"
	case *sql.Insert:
		return "Insert"
	case *sql.CreateDictionary, *sql.CreateTable, *sql.CreateDatabase, *sql.CreateView, *sql.CreateFunction, *sql.Attach:
		return "Create"
	case *sql.Drop:
		return "Drop"
	case *sql.Rename:
		return "Rename"
	case *sql.Show, *sql.ShowCreate:
		return "Show"
	case *sql.Describe:
		return "Describe"
	case *sql.Exists:
		return "Exists"
	case *sql.Explain:
		return "Explain"
	case *sql.Use:
		return "Use"
	case *sql.Set:
		return "Set"
	case *sql.System:
		return "System"
	case *sql.Kill:
		return "KillQuery"
	}
	return "None"
}

// allowed refuses what the setting readonly forbids.
func (q *run) allowed(stmt sql.Statement) error {
	level := q.session.settings.number("readonly", 0)
	if level == 0 {
		return nil
	}
	switch stmt.(type) {
	case *sql.Set:
		if level == 1 {
			return errcode.New(errcode.Readonly, "Cannot modify settings in readonly mode")
		}
	case *sql.SelectQuery, *sql.Show, *sql.ShowCreate, *sql.Describe, *sql.Exists, *sql.Explain, *sql.Use:
	default:
		return errcode.New(errcode.Readonly, "default: Cannot execute query in readonly mode. For queries over HTTP, method GET implies readonly. You should use method POST for modifying queries")
	}
	return nil
}

// set runs SET. Names that begin with param_ are parameters of later queries.
func (q *run) set(s *sql.Set) error {
	changed := q.session.settings
	for i := range s.Settings {
		st := &s.Settings[i]
		if name, ok := strings.CutPrefix(st.Name, "param_"); ok {
			params := make(map[string]string, len(q.session.params)+1)
			for n, v := range q.session.params { // queries that run hold the old map
				params[n] = v
			}
			params[name] = st.Value.Text()
			q.session.params = params
			continue
		}
		if err := q.setAll(changed, s.Settings[i:i+1]); err != nil {
			return err
		}
	}
	return nil
}

// use runs USE.
func (q *run) use(s *sql.Use) error {
	name := s.Database
	if s.DatabaseParam != nil {
		var err error
		if name, err = q.paramText(s.DatabaseParam); err != nil {
			return err
		}
	}
	if !q.engine.HasDatabase(name) {
		return q.engine.catalog.suggest(unknownDatabase(name), sql.TableName{Database: name})
	}
	q.session.database = name
	return nil
}

// setAll applies SETTINGS name = value or SET.
func (q *run) setAll(s *settings, list []sql.Setting) error {
	for i := range list {
		st := &list[i]
		if q.session.settings.number("readonly", 0) == 1 || st.Name == "readonly" && q.session.settings.number("readonly", 0) > 0 {
			return errcode.New(errcode.Readonly, "Cannot modify '%s' setting in readonly mode", st.Name)
		}
		if st.Default {
			if err := s.reset(st.Name); err != nil {
				return err
			}
			continue
		}
		if info := findSetting(st.Name); st.Alone && info != nil && info.Type != "Bool" {
			return errcode.New(errcode.SyntaxError, "Syntax error: setting %s of type %s wants a value", st.Name, info.Type)
		}
		value := st.Value.Text()
		if st.Value.Kind == sql.BoolValue {
			value = "0"
			if st.Value.Bool() {
				value = "1"
			}
		}
		if st.Param != nil {
			var err error
			if value, err = q.paramText(st.Param); err != nil {
				return err
			}
		}
		if err := s.change(st.Name, value); err != nil {
			return err
		}
	}
	return nil
}

// addExternal makes the tables that came with the query.
func (q *run) addExternal() error {
	for i := range q.req.External {
		x := &q.req.External[i]
		t := &memoryTable{kind: memoryEngine, temp: true}
		t.name = sql.TableName{Table: x.Name}
		types := x.Header.Types()
		for k, n := range x.Header.Names {
			t.cols = append(t.cols, columnInfo{Name: n, Type: types[k]})
		}
		for _, b := range x.Blocks {
			cols, err := q.convertBlock(b, t.cols)
			if err != nil {
				return err
			}
			if err := t.append([]*tableBlock{plainBlock(cols, b.Rows)}); err != nil {
				return err
			}
			if err := q.reserve(b.Bytes()); err != nil {
				return err
			}
		}
		if q.external == nil {
			q.external = map[string]*memoryTable{}
		}
		q.external[x.Name] = t
	}
	return nil
}
