package query

import (
	"context"

	"dictsvc/column"
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
	if s, ok := stmt.(*sql.SelectQuery); ok { // limits of the outermost SELECT are those of the query
		if one := s.Single(); one != nil && len(one.Settings) > 0 {
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
	}
	return errcode.New(errcode.NotImplemented, "Statements of the kind %s are not supported", q.kind)
}

// outputOf is the FORMAT and SETTINGS part of a statement, nil where it has none.
func outputOf(stmt sql.Statement) *sql.Output {
	switch s := stmt.(type) {
	case *sql.SelectQuery:
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

// setAll applies SETTINGS name = value or SET.
func (q *run) setAll(s *settings, list []sql.Setting) error {
	for i := range list {
		st := &list[i]
		if st.Default {
			if err := s.reset(st.Name); err != nil {
				return err
			}
			continue
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
		t := &memoryTable{temp: true, name: sql.TableName{Table: x.Name}}
		types := x.Header.Types()
		for k, n := range x.Header.Names {
			t.cols = append(t.cols, columnInfo{Name: n, Type: types[k]})
		}
		for _, b := range x.Blocks {
			cols, err := q.convertBlock(b, t.cols)
			if err != nil {
				return err
			}
			t.append([][]column.Column{cols}, []int{b.Rows})
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
