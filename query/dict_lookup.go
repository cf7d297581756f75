package query

import (
	"strings"

	"dictsvc/dict"
	"dictsvc/errcode"
	"dictsvc/function"
	"dictsvc/sql"
)

// ownFunctions are the functions that need the engine: the dictGet family over its dictionaries, and those that tell of the server.
func (e *Engine) ownFunctions() map[string]*function.Function {
	list := append(dict.Functions(e.resolveDictionary), e.engineFunctions()...)
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
	for i := range len(name) { // either name may hold dots itself
		if name[i] == '.' {
			if d := e.dicts.Get(name[:i], name[i+1:]); d != nil {
				return d
			}
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
