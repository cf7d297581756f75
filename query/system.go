package query

import (
	"math"

	"dictsvc/column"
)

// sysTable is a table of the database system. Its rows are made when a query reads it.
type sysTable struct {
	name string
	cols []columnInfo
	rows func(q *run, add func(values ...any)) // nil where rel is set
	rel  relation                              // endless tables
	q    *run
}

// forQuery is the table as one query reads it.
func (t *sysTable) forQuery(q *run) table {
	c := *t
	c.q = q
	return &c
}

func (t *sysTable) columns() []columnInfo { return t.cols }
func (t *sysTable) engine() string        { return "System" + camel(t.name) }
func (t *sysTable) create() string        { return "" }
func (t *sysTable) id() string            { return "" }
func (t *sysTable) comment() string       { return "" }
func (t *sysTable) explain() string       { return "ReadFromSystem" + camel(t.name) }

func (t *sysTable) size() (rows, bytes uint64, ok bool) { return 0, 0, false }

func camel(s string) string {
	out, up := make([]byte, 0, len(s)), true
	for i := range len(s) {
		switch {
		case s[i] == '_':
			up = true
			continue
		case up && 'a' <= s[i] && s[i] <= 'z':
			out = append(out, s[i]-32)
		default:
			out = append(out, s[i])
		}
		up = false
	}
	return string(out)
}

// open implements relation.
func (t *sysTable) open(ex *exec, r readRequest) ([]stream, error) {
	if t.rel != nil {
		return t.rel.open(ex, r)
	}
	q := t.q
	if q == nil {
		q = ex.q
	}
	full := make([]column.Column, len(t.cols))
	for _, c := range r.cols {
		full[c] = column.New(t.cols[c].Type, 0)
	}
	rows := 0
	t.rows(q, func(values ...any) {
		rows++
		for _, c := range r.cols {
			var v any
			if c < len(values) {
				v = values[c]
			}
			appendAny(full[c], v)
		}
	})
	b := &batch{rows: rows}
	for _, c := range r.cols {
		b.cols = append(b.cols, full[c])
	}
	ex.q.read(rows, b.bytes())
	return []stream{streamFunc(func() (*batch, error) {
		one := b
		b = nil
		return one, nil
	})}, nil
}

// appendAny appends a Go value to a column of the fitting type, the default where v is nil or does not fit.
func appendAny(c column.Column, v any) {
	switch x := c.(type) {
	case *column.Str:
		if s, ok := v.(string); ok {
			x.Append([]byte(s))
			return
		}
	case *column.Num[uint8]:
		switch v := v.(type) {
		case bool:
			if v {
				x.Data = append(x.Data, 1)
				return
			}
		case int:
			x.Data = append(x.Data, uint8(v))
			return
		}
	case *column.Num[uint16]:
		if n, ok := v.(int); ok {
			x.Data = append(x.Data, uint16(n))
			return
		}
	case *column.Num[uint32]:
		if n, ok := v.(int64); ok {
			x.Data = append(x.Data, uint32(max(n, 0)))
			return
		}
	case *column.Num[int8]:
		if n, ok := v.(int); ok {
			x.Data = append(x.Data, int8(n))
			return
		}
	case *column.Num[int32]:
		if n, ok := v.(int); ok {
			x.Data = append(x.Data, int32(n))
			return
		}
	case *column.Num[uint64]:
		switch n := v.(type) {
		case uint64:
			x.Data = append(x.Data, n)
			return
		case int:
			x.Data = append(x.Data, uint64(n))
			return
		}
	case *column.Num[int64]:
		if n, ok := v.(int64); ok {
			x.Data = append(x.Data, n)
			return
		}
	case *column.Num[float32]:
		if f, ok := v.(float64); ok {
			x.Data = append(x.Data, float32(f))
			return
		}
	case *column.Num[float64]:
		if f, ok := v.(float64); ok {
			x.Data = append(x.Data, f)
			return
		}
	case *column.Null:
		if v != nil {
			appendAny(x.Inner, v)
			x.Nulls = append(x.Nulls, 0)
			return
		}
	case *column.Arr:
		if list, ok := v.([]string); ok {
			for _, s := range list {
				appendAny(x.Elem, s)
			}
			x.EndRow()
			return
		}
	case *column.Wide[column.UUIDValue]:
		if s, ok := v.(string); ok && column.ParseText(x, []byte(s), column.TextRaw) == nil {
			return
		}
	}
	c.AppendDefault(1)
}

// cols makes column descriptions of names and type names.
func sysColumns(pairs ...string) []columnInfo {
	out := make([]columnInfo, 0, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		t, err := column.Parse(pairs[i+1])
		if err != nil {
			panic("query: system table column " + pairs[i] + ": " + err.Error())
		}
		out = append(out, columnInfo{Name: pairs[i], Type: t})
	}
	return out
}

// systemTables lists the tables of the database system, a line each.
func systemTables() []func() *sysTable {
	return []func() *sysTable{
		sysOne, sysNumbers("numbers"), sysNumbers("numbers_mt"), sysZeros("zeros"), sysZeros("zeros_mt"),
		sysDatabases, sysTables, sysColumnsTable, sysFunctions, sysSettings, sysProcesses, sysDictionaries,
		sysFormats, sysTableEngines, sysTableFunctions, sysBuildOptions, sysDataTypes, sysCombinators,
		sysEmpty("clusters", "cluster", "String", "shard_num", "UInt32", "host_name", "String", "port", "UInt16"),
		sysEmpty("macros", "macro", "String", "substitution", "String"),
		sysEmpty("merges", "database", "String", "table", "String", "elapsed", "Float64"),
		sysEmpty("mutations", "database", "String", "table", "String", "mutation_id", "String", "is_done", "UInt8"),
		sysEmpty("parts", "database", "String", "table", "String", "name", "String", "active", "UInt8", "rows", "UInt64", "bytes_on_disk", "UInt64"),
	}
}

// systemTable finds a table of the database system; nil where there is none.
func systemTable(name string) *sysTable {
	for _, f := range systemTables() {
		if t := f(); t.name == name {
			return t
		}
	}
	return nil
}

func systemTableNames() []string {
	var names []string
	for _, f := range systemTables() {
		names = append(names, f().name)
	}
	return names
}

func sysOne() *sysTable {
	return &sysTable{name: "one", cols: []columnInfo{{Name: "dummy", Type: column.Of(column.UInt8)}}, rows: func(_ *run, add func(...any)) { add(0) }}
}

func sysNumbers(name string) func() *sysTable {
	return func() *sysTable {
		n := &numbersTable{name: "number", step: 1, count: math.MaxUint64, line: "ReadFromSystemNumbers"}
		return &sysTable{name: name, cols: n.columns(), rel: n}
	}
}

func sysZeros(name string) func() *sysTable {
	return func() *sysTable {
		n := &numbersTable{zeros: true, count: math.MaxUint64, line: "ReadFromSystemZeros"}
		return &sysTable{name: name, cols: n.columns(), rel: n}
	}
}

// sysEmpty is a table that tools ask for and that never has rows here.
func sysEmpty(name string, columns ...string) func() *sysTable {
	return func() *sysTable {
		return &sysTable{name: name, cols: sysColumns(columns...), rows: func(*run, func(...any)) {}}
	}
}
