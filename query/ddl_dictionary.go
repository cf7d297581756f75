package query

import (
	"context"
	"strconv"
	"strings"

	"dictsvc/column"
	"dictsvc/dict"
	"dictsvc/errcode"
	"dictsvc/sql"
)

// createDictionary runs CREATE [OR REPLACE] DICTIONARY. Nothing is loaded: that comes with the first use, as in ClickHouse.
func (q *run) createDictionary(s *sql.CreateDictionary) error {
	c := &q.engine.catalog
	c.ddl.Lock()
	defer c.ddl.Unlock()
	return q.makeDictionary(s)
}

func (q *run) makeDictionary(s *sql.CreateDictionary) error {
	name, err := q.tableName(s.Name)
	if err != nil {
		return err
	}
	if name.Database == "" {
		name.Database = q.database
	}
	c := &q.engine.catalog
	if c.database(name.Database) == nil {
		return unknownDatabase(name.Database)
	}
	replace := s.OrReplace || s.Replace
	old, err := c.find(name.Database, name.Table)
	if err == nil {
		if s.IfNotExists {
			return nil
		}
		if _, ok := old.(*dictTable); !ok {
			return errcode.New(errcode.TableAlreadyExists, "Table %s already exists", name)
		}
		if !replace {
			return errcode.New(errcode.DictionaryAlreadyExists, "Dictionary %s already exists", name)
		}
	} else if s.Replace && !s.OrReplace {
		return err
	} else if !q.loading && c.isDetached(name) {
		return errcode.New(errcode.TableAlreadyExists, "Dictionary %s already exists (detached)", name)
	}
	def, err := q.definition(s, name)
	if err != nil {
		return err
	}
	if !q.loading {
		if err := c.writeFile(name.Database, name.Table, dictText(s, name, def, true)); err != nil {
			return err
		}
	}
	_, err = q.engine.dicts.Create(def, replace)
	return err
}

// definition makes a dictionary's definition of its statement. What ClickHouse checks at CREATE is checked here.
func (q *run) definition(s *sql.CreateDictionary, name sql.TableName) (*dict.Definition, error) {
	incomplete := func(what string) error {
		return errcode.New(errcode.IncorrectDictionaryDefinition, "Cannot create dictionary with empty %s", what)
	}
	switch {
	case len(s.Attributes) == 0:
		return nil, incomplete("attributes list")
	case s.Source == nil:
		return nil, incomplete("source")
	case s.Layout == nil:
		return nil, incomplete("layout")
	case s.Lifetime == nil && !strings.HasSuffix(strings.ToLower(s.Layout.Name), "direct"):
		return nil, incomplete("lifetime")
	case len(s.PrimaryKey) == 0:
		return nil, errcode.New(errcode.IncorrectDictionaryDefinition, "Cannot create dictionary without primary key")
	}
	def := &dict.Definition{Database: name.Database, Name: name.Table, UUID: s.UUID, Comment: s.Comment}
	if def.UUID == "" {
		def.UUID = newQueryID()
	}
	if s.Lifetime != nil {
		def.LifetimeMin, def.LifetimeMax = s.Lifetime.Min, s.Lifetime.Max
	}
	if err := q.dictColumns(s, def); err != nil {
		return nil, err
	}
	var err error
	if def.Source, err = q.dictSourceParams(s.Source, def); err != nil {
		return nil, err
	}
	if def.Layout, err = q.dictLayout(s.Layout); err != nil {
		return nil, err
	}
	if err := def.Normalise(); err != nil {
		return nil, err
	}
	def.SQL = dictText(s, name, def, false)
	return def, nil
}

// dictColumns takes over keys and attributes, keys in the order of PRIMARY KEY.
func (q *run) dictColumns(s *sql.CreateDictionary, def *dict.Definition) error {
	byName := map[string]*sql.DictAttribute{}
	for _, a := range s.Attributes {
		if byName[a.Name] != nil {
			return errcode.New(errcode.BadArguments, "Dictionary attributes names must be unique. Attribute name %s is not unique", a.Name)
		}
		byName[a.Name] = a
	}
	isKey := map[string]bool{}
	for _, e := range s.PrimaryKey {
		id, ok := e.(*sql.Ident)
		if !ok {
			return errcode.New(errcode.IncorrectDictionaryDefinition, "The primary key of a dictionary consists of names, got %s", sql.Format(e))
		}
		a := byName[id.Name()]
		if a == nil {
			return errcode.New(errcode.IncorrectDictionaryDefinition, "Unknown key attribute '%s'", id.Name())
		}
		if isKey[a.Name] {
			return errcode.New(errcode.BadArguments, "Key attribute '%s' is named twice", a.Name)
		}
		isKey[a.Name] = true
		k, err := q.dictAttribute(a)
		if err != nil {
			return err
		}
		def.Keys = append(def.Keys, k)
	}
	for _, a := range s.Attributes {
		if isKey[a.Name] {
			continue
		}
		x, err := q.dictAttribute(a)
		if err != nil {
			return err
		}
		def.Attrs = append(def.Attrs, x)
	}
	return nil
}

func (q *run) dictAttribute(a *sql.DictAttribute) (dict.Attribute, error) {
	out := dict.Attribute{Name: a.Name, Hierarchical: a.Hierarchical, Bidirectional: a.Bidirectional, Injective: a.Injective}
	if a.Type == nil {
		return out, errcode.New(errcode.IncorrectDictionaryDefinition, "Attribute %s has no type", a.Name)
	}
	var err error
	if out.Type, err = typeOf(a.Type); err != nil {
		return out, err
	}
	if a.Expression != nil {
		out.Expression = sql.Format(a.Expression)
	}
	if a.Default != nil {
		if out.Default, err = attributeDefault(a, out.Type); err != nil {
			return out, err
		}
	}
	return out, nil
}

// attributeDefault reads DEFAULT as a value of the attribute's type.
func attributeDefault(a *sql.DictAttribute, t *column.Type) (column.Column, error) {
	v := a.Default.Value
	c := column.New(t, 1)
	switch {
	case v.Kind == sql.NullValue:
		if !t.IsNullable() {
			return nil, errcode.New(errcode.UnexpectedDataAfterParsedValue, "Default value NULL of attribute %s needs a Nullable type, got %s", a.Name, t)
		}
		c.AppendDefault(1)
		return c, nil
	case v.Kind == sql.StringValue && t.Base().Kind != column.String:
		dst := c
		n, nullable := c.(*column.Null)
		if nullable {
			dst = n.Inner
		}
		if err := column.ParseText(dst, []byte(v.Str()), column.TextRaw); err != nil {
			return nil, errcode.New(errcode.UnexpectedDataAfterParsedValue, "Unexpected data %s: While parsing null_value for attribute with name %s in dictionary", sql.QuoteString(v.Str()), a.Name)
		}
		if nullable {
			n.Nulls = append(n.Nulls, 0)
		}
		return c, nil
	}
	lit, err := literalColumn(v)
	if err != nil {
		return nil, err
	}
	out, err := column.Cast(lit, t, column.CastPlain)
	if err != nil {
		return nil, errcode.Wrap(err, "default of attribute %s", a.Name)
	}
	return column.Full(out), nil
}

// dictSourceParams flattens SOURCE(kind(NAME value ...)).
func (q *run) dictSourceParams(kv *sql.KeyValues, def *dict.Definition) (dict.Source, error) {
	src := dict.Source{Kind: strings.ToLower(kv.Name), Params: map[string]string{}}
	switch src.Kind {
	case "clickhouse", "file", "null":
	case "http", "executable", "executable_pool", "mysql", "postgresql", "mongodb", "redis", "odbc", "jdbc", "cassandra", "library", "ytsaurus", "yamlregexptree", "xdbc":
		return src, errcode.New(errcode.NotImplemented, "Dictionary source %s is not supported; there are CLICKHOUSE, FILE and NULL", strings.ToUpper(kv.Name))
	default:
		return src, errcode.New(errcode.UnknownElementInConfig, "%s: unknown dictionary source type: %s", def.FullName(), src.Kind)
	}
	for _, p := range kv.Pairs {
		text, err := q.pairText(p, def.Database)
		if err != nil {
			return src, err
		}
		src.Params[strings.ToLower(p.Key)] = text
	}
	if src.Kind == "clickhouse" {
		for k := range src.Params {
			switch k {
			case "host", "port", "user", "password", "db", "database", "table", "query", "where", "secure", "invalidate_query", "update_field", "update_lag", "name":
			default:
				return src, errcode.New(errcode.BadArguments, "Unexpected key `%s` in dictionary source configuration", k)
			}
		}
		if v := src.Params["database"]; v != "" {
			src.Params["db"] = v
		}
		if src.Params["db"] == "" {
			src.Params["db"] = def.Database
		}
	}
	return src, nil
}

// pairText is a value of SOURCE as text; calls such as currentDatabase() and tcpPort() are computed.
func (q *run) pairText(p *sql.KeyValue, database string) (string, error) {
	switch v := p.Value.(type) {
	case *sql.Literal:
		return v.Value.Text(), nil
	case *sql.Ident:
		return v.Name(), nil
	case nil:
		return "", errcode.New(errcode.NotImplemented, "The parameter %s of a dictionary source is not supported", p.Key)
	default:
		b := &binder{q: q}
		e, err := b.bind(v)
		if err != nil {
			return "", err
		}
		if !e.isConst() {
			return "", errcode.New(errcode.BadArguments, "The parameter %s of a dictionary source must be a constant", p.Key)
		}
		text, _ := scalarText(column.Plain(e.val))
		return text, nil
	}
}

// dictLayout reads LAYOUT(name(PARAMETER value ...)).
func (q *run) dictLayout(kv *sql.KeyValues) (dict.Layout, error) {
	l := dict.Layout{Name: strings.ToLower(kv.Name)}
	for _, p := range kv.Pairs {
		text, err := q.pairText(p, "")
		if err != nil {
			return l, err
		}
		number := func() (float64, error) {
			f, err := strconv.ParseFloat(text, 64)
			if err != nil {
				return column.NaN(), nil // out of every range: an error at load, as all limits of layouts are
			}
			return f, nil
		}
		switch strings.ToLower(p.Key) {
		case "max_load_factor":
			if l.MaxLoadFactor, err = number(); err != nil {
				return l, err
			}
		case "shards":
			f, err := number()
			if err != nil {
				return l, err
			}
			l.Shards = int(f)
			if !(f >= 1) {
				l.Shards = -1 // 0 would stand for none given
			}
		case "preallocate", "shard_load_queue_backlog", "initial_array_size", "max_array_size": // accepted; the tables here do not need them
		default:
			return l, errcode.New(errcode.BadArguments, "Unknown parameter %s of the layout %s", p.Key, kv.Name)
		}
	}
	return l, nil
}

// dictText is the statement as SHOW CREATE prints it, with passwords hidden; full keeps them and the UUID, for the data folder.
func dictText(s *sql.CreateDictionary, name sql.TableName, def *dict.Definition, full bool) string {
	out := *s
	out.Attach, out.OrReplace, out.Replace, out.IfNotExists, out.UUID = false, false, false, false, ""
	if full {
		out.UUID = def.UUID
	}
	out.Name = name
	layout := *s.Layout
	layout.Name = strings.ToUpper(def.Layout.Name)
	out.Layout = &layout
	src := *s.Source
	src.Name = strings.ToUpper(src.Name)
	src.Pairs = append([]*sql.KeyValue(nil), src.Pairs...)
	for i, p := range src.Pairs {
		if strings.EqualFold(p.Key, "password") && !full {
			hidden := *p
			hidden.Value = &sql.Literal{Value: sql.StringOf("[HIDDEN]")}
			src.Pairs[i] = &hidden
		}
	}
	out.Source = &src
	return sql.FormatPretty(&out)
}

// definitionText writes the CREATE DICTIONARY statement of a definition that was not made by one, but by loading a file.
func definitionText(def *dict.Definition) string {
	s := &sql.CreateDictionary{Name: sql.TableName{Database: def.Database, Table: def.Name}, Comment: def.Comment, HasComment: def.Comment != "",
		Lifetime: &sql.DictLifetime{Min: def.LifetimeMin, Max: def.LifetimeMax}}
	add := func(a dict.Attribute, key bool) {
		d := &sql.DictAttribute{Name: a.Name, Hierarchical: a.Hierarchical, Bidirectional: a.Bidirectional, Injective: a.Injective}
		if t, err := sql.ParseType(a.Type.String(), sql.Options{}); err == nil {
			d.Type = t
		}
		if a.Expression != "" {
			if e, err := sql.ParseExpr(a.Expression, sql.Options{}); err == nil {
				d.Expression = e
			}
		}
		if !key && a.Default != nil && !isDefault(a.Default) {
			text := string(column.AppendText(nil, a.Default, 0, column.TextQuoted))
			if e, err := sql.ParseExpr(text, sql.Options{}); err == nil {
				d.Default, _ = e.(*sql.Literal)
			}
		}
		s.Attributes = append(s.Attributes, d)
	}
	for _, k := range def.Keys {
		add(k, true)
		s.PrimaryKey = append(s.PrimaryKey, &sql.Ident{Parts: []string{k.Name}})
	}
	for _, a := range def.Attrs {
		add(a, false)
	}
	s.Source = &sql.KeyValues{Name: strings.ToUpper(def.Source.Kind)}
	for _, k := range sortedKeys(def.Source.Params) {
		v := sql.StringOf(def.Source.Params[k])
		if k == "password" {
			v = sql.StringOf("[HIDDEN]")
		}
		if n, err := strconv.ParseUint(def.Source.Params[k], 10, 64); err == nil && k == "port" {
			v = sql.UInt64Of(n)
		}
		s.Source.Pairs = append(s.Source.Pairs, &sql.KeyValue{Key: strings.ToUpper(k), Value: &sql.Literal{Value: v}})
	}
	s.Layout = &sql.KeyValues{Name: strings.ToUpper(def.Layout.Name)}
	if f := def.Layout.MaxLoadFactor; f != 0 {
		s.Layout.Pairs = append(s.Layout.Pairs, &sql.KeyValue{Key: "MAX_LOAD_FACTOR", Value: &sql.Literal{Value: sql.Float64Of(f)}})
	}
	if n := def.Layout.Shards; n != 0 {
		s.Layout.Pairs = append(s.Layout.Pairs, &sql.KeyValue{Key: "SHARDS", Value: &sql.Literal{Value: sql.UInt64Of(uint64(n))}})
	}
	return sql.FormatPretty(s)
}

func isDefault(c column.Column) bool {
	d := c.New(1)
	d.AppendDefault(1)
	return column.Compare(c, 0, d, 0, 1) == 0
}

// createFunction runs CREATE FUNCTION name AS (x, y) -> expression.
func (q *run) createFunction(s *sql.CreateFunction) error {
	c := &q.engine.catalog
	c.ddl.Lock()
	defer c.ddl.Unlock()
	if _, ok := s.Body.(*sql.Lambda); !ok {
		return errcode.New(errcode.BadArguments, "The body of the function %s must be a lambda", s.Name)
	}
	if q.engine.function(s.Name) != nil {
		return errcode.New(errcode.FunctionAlreadyExists, "The function '%s' already exists", s.Name)
	}
	if c.userFunction(s.Name) != nil && !s.OrReplace {
		if s.IfNotExists {
			return nil
		}
		return errcode.New(errcode.FunctionAlreadyExists, "User-defined object '%s' already exists", s.Name)
	}
	if err := c.saveFunction(s); err != nil {
		return err
	}
	c.mu.Lock()
	c.functions[s.Name] = s
	c.mu.Unlock()
	return nil
}

// system runs SYSTEM commands: RELOAD of dictionaries; what has no meaning here is accepted.
func (q *run) system(s *sql.System) error {
	switch s.Command {
	case "RELOAD DICTIONARY":
		name, err := q.tableName(*s.Target)
		if err != nil {
			return err
		}
		db := name.Database
		if db == "" {
			db = q.database
		}
		d := q.engine.findDictionary(db, name.Table)
		if d == nil {
			return dictionaryNotFound(name.String())
		}
		return d.Reload(q.ctx)
	case "RELOAD DICTIONARIES", "RELOAD EMBEDDED DICTIONARIES":
		return q.engine.reloadLoaded(q.ctx)
	case "FLUSH LOGS", "RELOAD CONFIG", "RELOAD USERS", "RELOAD FUNCTIONS", "SYNC FILE CACHE", "START MERGES", "STOP MERGES":
		return nil
	}
	if strings.HasPrefix(s.Command, "DROP ") && strings.HasSuffix(s.Command, "CACHE") || strings.HasPrefix(s.Command, "CLEAR ") {
		return nil
	}
	return errcode.New(errcode.NotImplemented, "SYSTEM %s is not supported", s.Command)
}

// reloadLoaded reloads the dictionaries that are loaded. All are tried; the first error is returned.
func (e *Engine) reloadLoaded(ctx context.Context) error {
	var first error
	for _, d := range e.dicts.List() {
		switch d.Info().Status {
		case dict.NotLoaded, dict.Failed:
			continue
		}
		if err := d.Reload(ctx); err != nil && first == nil {
			first = err
		}
	}
	return first
}
