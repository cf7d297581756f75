package query

import (
	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/sql"
)

// tableCall is a call of a table function with its arguments bound.
type tableCall struct {
	b    *binder
	name string
	f    *sql.Func
}

// tableFunctions are the table functions, a line each.
func tableFunctions() map[string]func(*tableCall) (relation, error) {
	return map[string]func(*tableCall) (relation, error){
		"numbers":         numbersFunction,
		"numbers_mt":      numbersFunction,
		"zeros":           zerosFunction,
		"zeros_mt":        zerosFunction,
		"generate_series": seriesFunction,
		"generateSeries":  seriesFunction,
		"dictionary":      dictionaryFunction,
		"values":          valuesFunction,
		"view":            viewFunction,
		"file":            fileFunction,
		"null":            nullFunction,
		"remote":          noFunction,
		"remoteSecure":    noFunction,
		"cluster":         noFunction,
		"url":             noFunction,
		"s3":              noFunction,
		"mysql":           noFunction,
		"postgresql":      noFunction,
		"merge":           noFunction,
		"input":           noFunction,
		"generateRandom":  noFunction,
		"executable":      noFunction,
	}
}

// tableFunction binds a table function in FROM.
func (b *binder) tableFunction(f *sql.Func) (relation, error) {
	make := tableFunctions()[f.Name]
	if make == nil {
		if rel, ok, err := b.parameterisedView(f); ok {
			return rel, err
		}
		return nil, errcode.New(errcode.UnknownFunction, "Unknown table function %s. In scope %s", f.Name, b.scopeText())
	}
	return make(&tableCall{b: b, name: f.Name, f: f})
}

// noFunction answers for table functions that ClickHouse has and this program has not.
func noFunction(f *tableCall) (relation, error) {
	return nil, errcode.New(errcode.NotImplemented, "Table function %s is not supported; there are numbers, zeros, generate_series, dictionary, values, view, file and null", f.name)
}

// constant is an argument's value.
func (f *tableCall) constant(i int) (column.Column, error) {
	e, err := f.b.bind(f.f.Args[i])
	if err != nil {
		return nil, err
	}
	if !e.isConst() {
		return nil, errcode.New(errcode.BadArguments, "Argument %d of table function %s must be a constant", i+1, f.name)
	}
	return column.Plain(e.val), nil
}

// unsigned are all arguments as numbers, between min and max of them.
func (f *tableCall) unsigned(min, max int) ([]uint64, error) {
	if n := len(f.f.Args); n < min || n > max {
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Table function '%s' requires 'limit' or 'offset, limit' or 'offset, limit, step'.", f.name)
	}
	out := make([]uint64, len(f.f.Args))
	for i := range out {
		c, err := f.constant(i)
		if err != nil {
			return nil, err
		}
		if !c.Type().IsNumber() {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Table function %s expects a number as argument %d, got %s", f.name, i+1, c.Type())
		}
		v, err := column.Cast(c, column.NewNullable(column.Of(column.UInt64)), column.CastAccurateOrNull)
		if err != nil {
			return nil, err
		}
		n := column.Full(v).(*column.Null)
		if n.Nulls[0] != 0 {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Argument %d of table function %s is not in the range of UInt64", i+1, f.name)
		}
		out[i] = n.Inner.(*column.Num[uint64]).Data[0]
	}
	return out, nil
}

// text is an argument as text: a string constant, or an identifier's name.
func (f *tableCall) text(i int) (string, error) {
	if id, ok := f.f.Args[i].(*sql.Ident); ok && f.b.alias[id.Name()] == nil {
		return id.Name(), nil
	}
	c, err := f.constant(i)
	if err != nil {
		return "", err
	}
	s, ok := c.(*column.Str)
	if !ok {
		return "", errcode.New(errcode.BadArguments, "Argument %d of table function %s must be a string, got %s", i+1, f.name, c.Type())
	}
	return string(s.At(0)), nil
}

func (f *tableCall) count(min, max int) error {
	if n := len(f.f.Args); n < min || n > max {
		return errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Table function '%s' takes %d to %d arguments, %d are given", f.name, min, max, n)
	}
	return nil
}

// viewFunction is view(SELECT ...).
func viewFunction(f *tableCall) (relation, error) {
	if err := f.count(1, 1); err != nil {
		return nil, err
	}
	s, ok := f.f.Args[0].(*sql.Subquery)
	if !ok {
		return nil, errcode.New(errcode.BadArguments, "Table function 'view' takes a query")
	}
	return f.b.q.bindQuery(s.Query, f.b)
}

// nullFunction is null('structure'): columns without rows.
func nullFunction(f *tableCall) (relation, error) {
	if err := f.count(1, 1); err != nil {
		return nil, err
	}
	text, err := f.text(0)
	if err != nil {
		return nil, err
	}
	cols, err := structure(text)
	if err != nil {
		return nil, err
	}
	return newRows(cols, nil, 0), nil
}

// structure reads 'name Type, name Type'.
func structure(text string) ([]columnInfo, error) {
	t, err := column.Parse("Tuple(" + text + ")")
	if err != nil {
		return nil, errcode.New(errcode.BadArguments, "Cannot read the structure '%s': %v", text, err)
	}
	if len(t.Elems) == 0 || t.Names == nil {
		return nil, errcode.New(errcode.BadArguments, "Cannot read the structure '%s': want names with types", text)
	}
	cols := make([]columnInfo, len(t.Elems))
	for i := range cols {
		cols[i] = columnInfo{Name: t.Names[i], Type: t.Elems[i]}
	}
	return cols, nil
}

// valuesFunction is values('structure', row, ...) or values(row, ...).
func valuesFunction(f *tableCall) (relation, error) {
	args := f.f.Args
	var cols []columnInfo
	if len(args) > 0 {
		if l, ok := args[0].(*sql.Literal); ok && l.Value.Kind == sql.StringValue && (len(args) > 1) {
			if c, err := structure(l.Value.Str()); err == nil {
				cols, args = c, args[1:]
			}
		}
	}
	if len(args) == 0 {
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Table function 'values' requires 1 or more arguments")
	}
	rows := make([][]column.Column, len(args))
	for i, a := range args {
		e, err := f.b.bind(a)
		if err != nil {
			return nil, err
		}
		if !e.isConst() {
			return nil, errcode.New(errcode.BadArguments, "Table function 'values' takes constants")
		}
		rows[i] = []column.Column{column.Full(e.val)}
		if t, ok := e.val.(*column.Tup); ok && (cols == nil || len(cols) > 1 || len(t.Elems) == 1) {
			rows[i] = t.Elems
		}
		if want := len(rows[0]); len(rows[i]) != want || cols != nil && len(cols) != want {
			return nil, errcode.New(errcode.BadArguments, "Values table function requires all rows amount of elements to be the same: want %d, got %d", max(want, len(cols)), len(rows[i]))
		}
	}
	if cols == nil {
		for k := range rows[0] {
			types := make([]*column.Type, len(rows))
			for i := range rows {
				types[i] = rows[i][k].Type()
			}
			t, err := column.CommonType(types)
			if err != nil {
				return nil, err
			}
			cols = append(cols, columnInfo{Name: "c" + string(column.AppendText(nil, column.UInt64s(uint64(k+1)), 0, column.TextRaw)), Type: t})
		}
	}
	out := make([]column.Column, len(cols))
	for k := range cols {
		out[k] = column.New(cols[k].Type, len(rows))
		for i := range rows {
			v, err := column.Cast(rows[i][k], cols[k].Type, column.CastPlain)
			if err != nil {
				return nil, err
			}
			out[k].AppendRange(column.Full(v), 0, 1)
		}
	}
	return newRows(cols, out, len(rows)), nil
}
