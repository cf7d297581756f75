package query

import (
	"strings"

	"dictsvc/dict"
	"dictsvc/errcode"
	"dictsvc/function"
	"dictsvc/sql"
)

// dictFunctions is the dictGet family over the engine's dictionaries.
func (e *Engine) dictFunctions() map[string]*function.Function {
	list := dict.Functions(e.resolveDictionary)
	m := make(map[string]*function.Function, len(list))
	for i := range list {
		m[list[i].Name] = &list[i]
	}
	return m
}

// resolveDictionary finds a dictionary as queries name it: db.name, or a name in the current database.
func (e *Engine) resolveDictionary(env *function.Env, name string) (*dict.Dictionary, error) {
	if d := e.findDictionary(env.Database, name); d != nil {
		return d, nil
	}
	return nil, dictionaryNotFound(name)
}

func (e *Engine) findDictionary(database, name string) *dict.Dictionary {
	if d := e.dicts.Get(database, name); d != nil {
		return d
	}
	if db, table, ok := strings.Cut(name, "."); ok {
		if d := e.dicts.Get(db, table); d != nil {
			return d
		}
	}
	return e.dicts.Get("", name) // dictionaries that belong to no database
}

func dictionaryNotFound(name string) error {
	return errcode.New(errcode.BadArguments, "Dictionary (`%s`) not found", name)
}

// isDictFunction tells whether a function takes the name of a dictionary first.
func isDictFunction(name string) bool { return strings.HasPrefix(name, "dict") }

// dictArguments lets the dictionary be named by an identifier: dictGet(db.name, ...).
func (b *binder) dictArguments(f *sql.Func) error {
	if len(f.Args) == 0 {
		return nil
	}
	id, ok := f.Args[0].(*sql.Ident)
	if !ok || len(id.Parts) > 2 {
		return nil
	}
	parts, err := b.q.identParts(id)
	if err != nil {
		return err
	}
	if e, _, err := b.resolve(parts); err == nil && e != nil {
		return nil
	}
	args := append([]sql.Expr(nil), f.Args...)
	args[0] = &sql.Literal{Value: sql.StringOf(joinParts(parts))}
	f.Args = args
	return nil
}
