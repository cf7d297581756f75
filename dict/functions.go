package dict

import (
	"bytes"
	"strings"
	"sync"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/function"
)

// Resolver finds a dictionary by the name a query wrote ("name" or "db.name"), in the query's current database.
type Resolver func(env *function.Env, name string) (*Dictionary, error)

// Functions lists the dictGet family and dictHas over the dictionaries that resolve finds.
func Functions(resolve Resolver) []function.Function {
	const own = function.OwnNulls
	list := []function.Function{
		{Name: "dictGet", MinArgs: 3, MaxArgs: -1, Flags: own, Bind: getter{resolve: resolve, name: "dictGet"}.bind},
		{Name: "dictGetOrDefault", MinArgs: 3, MaxArgs: -1, Flags: own, Bind: getter{resolve: resolve, name: "dictGetOrDefault", orDefault: true}.bind},
		{Name: "dictGetOrNull", MinArgs: 3, MaxArgs: -1, Flags: own, Bind: getter{resolve: resolve, name: "dictGetOrNull", orNull: true}.bind},
		{Name: "dictHas", MinArgs: 2, MaxArgs: 3, Flags: own, Bind: getter{resolve: resolve, name: "dictHas", has: true}.bind},
	}
	for _, k := range []column.Kind{column.UInt8, column.UInt16, column.UInt32, column.UInt64, column.Int8, column.Int16, column.Int32, column.Int64,
		column.Float32, column.Float64, column.Date, column.DateTime, column.UUID, column.IPv4, column.IPv6, column.String} {
		name := "dictGet" + k.String()
		list = append(list,
			function.Function{Name: name, MinArgs: 3, MaxArgs: -1, Flags: own, Bind: getter{resolve: resolve, name: name, want: k}.bind},
			function.Function{Name: name + "OrDefault", MinArgs: 3, MaxArgs: -1, Flags: own, Bind: getter{resolve: resolve, name: name + "OrDefault", want: k, orDefault: true}.bind})
	}
	return append(list, hierarchyFunctions(resolve)...)
}

// getter is one function of the family.
type getter struct {
	resolve   Resolver
	name      string
	want      column.Kind // the type a typed form asks for; Nothing for the general ones
	orDefault bool
	orNull    bool
	has       bool
}

func (g getter) bind(env *function.Env, args []function.Arg) (*function.Bound, error) {
	d, err := dictArgument(g.resolve, g.name, env, args[0])
	if err != nil {
		return nil, err
	}
	def := d.Definition()
	keyArg := 2
	if g.has {
		keyArg = 1
	}
	b := &binding{getter: g, d: d, def: def}
	b.dict, _ = constString(args[0])
	if !g.has {
		if err := b.attributes(args[1]); err != nil {
			return nil, err
		}
		want := 3
		if g.orDefault {
			want = 4
		}
		if len(args) != want {
			return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Number of arguments for function %s doesn't match: passed %d should be %d", g.name, len(args), want)
		}
	}
	onlyNull, err := b.key(args[keyArg])
	if err != nil {
		return nil, err
	}
	if g.orDefault {
		if err := b.defaults(args[3]); err != nil {
			return nil, err
		}
	}
	if onlyNull {
		return b.onlyNull()
	}
	return b.result()
}

func dictArgument(resolve Resolver, name string, env *function.Env, a function.Arg) (*Dictionary, error) {
	s, ok := constString(a)
	if !ok {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of first argument of function %s, expected a const string", a.Type, name)
	}
	return resolve(env, s)
}

func constString(a function.Arg) (string, bool) {
	s, ok := a.Const.(*column.Str)
	if !ok || a.Type.Kind != column.String {
		return "", false
	}
	return string(s.At(0)), true
}

// acquire is the dictionary's version, of the one with its name now where it was replaced since the call was bound.
func (b *binding) acquire(env *function.Env) (*Version, error) {
	return AcquireNow(env.Ctx, b.d, b.def, func() (*Dictionary, error) { return b.resolve(env, b.dict) })
}

// binding is a call chosen for its argument types.
type binding struct {
	getter
	d        *Dictionary
	dict     string // as the query names it
	def      *Definition
	attrs    []int
	tuple    bool // attributes were named as a tuple of several
	keyCasts []func(column.Column) (column.Column, error)
	nullable bool // the key may be NULL
	keyTuple bool // the key comes as a tuple column
	types    []*column.Type
	defCast  func(column.Column) (column.Column, error)
	nullDef  bool      // the default is NULL for a plain attribute
	lookups  sync.Pool // *Lookup
}

func (b *binding) attributes(a function.Arg) error {
	names, ok := attributeNames(a)
	if !ok {
		if a.Type.Kind == column.Tuple {
			return errcode.New(errcode.IllegalTypeOfArgument, "Tuple second argument of function %s must contain multiple constant string columns", b.name)
		}
		return errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of second argument of function %s, expected a const string or const tuple of const strings", a.Type, b.name)
	}
	b.tuple = len(names) > 1
	for _, n := range names {
		i := b.def.Attr(n)
		if i < 0 {
			return errcode.New(errcode.BadArguments, "No such attribute '%s'", n)
		}
		t := b.def.Attrs[i].Type
		if b.want != column.Nothing && t.Kind != b.want {
			return errcode.New(errcode.TypeMismatch, "Function %s dictionary attribute has different type %s expected %s", b.name, t, b.want)
		}
		if b.want == column.DateTime {
			t = column.Of(column.DateTime) // the typed form leaves the zone out
		}
		b.attrs = append(b.attrs, i)
		b.types = append(b.types, t)
	}
	return nil
}

func attributeNames(a function.Arg) ([]string, bool) {
	if s, ok := constString(a); ok {
		return []string{s}, true
	}
	t, ok := a.Const.(*column.Tup)
	if !ok || len(t.Elems) == 0 {
		return nil, false
	}
	names := make([]string, len(t.Elems))
	for i, e := range t.Elems {
		s, ok := column.Full(e).(*column.Str)
		if !ok {
			return nil, false
		}
		names[i] = string(s.At(0))
	}
	return names, true
}

// key prepares the casts of the key argument to the key's types. onlyNull: the key is the literal NULL.
func (b *binding) key(a function.Arg) (onlyNull bool, err error) {
	t := a.Type
	if t.Kind == column.Nullable {
		if t.Elems[0].Kind == column.Nothing {
			return true, nil
		}
		b.nullable = true
		t = t.Elems[0]
	}
	keys := b.def.Keys
	if !b.def.Complex() {
		if !castableKey(t) {
			return false, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of argument of function toUInt64", t)
		}
		return false, b.cast(t, keys[0].Type)
	}
	if t.Kind != column.Tuple {
		if len(keys) > 1 {
			return false, errcode.New(errcode.IllegalTypeOfArgument, "Third argument of function %s must be tuple when dictionary is complex and key contains more than 1 attribute.Actual type %s", b.name, t)
		}
		return false, b.cast(t, keys[0].Type)
	}
	if len(t.Elems) != len(keys) {
		return false, errcode.New(errcode.TypeMismatch, "Dictionary %s key lookup structure does not match, expected %s", b.d, b.keyTypes())
	}
	b.keyTuple = true
	for i, e := range t.Elems {
		if err := b.cast(e, keys[i].Type); err != nil {
			return false, err
		}
	}
	return false, nil
}

func castableKey(t *column.Type) bool {
	switch t.Kind {
	case column.Array, column.Tuple, column.Map, column.AggregateFunction, column.Lambda:
		return false
	}
	return true
}

func (b *binding) keyTypes() string {
	names := make([]string, len(b.def.Keys))
	for i, k := range b.def.Keys {
		names[i] = k.Type.String()
	}
	return "(" + strings.Join(names, ", ") + ")"
}

func (b *binding) cast(from, to *column.Type) error {
	if from.Equal(to) {
		b.keyCasts = append(b.keyCasts, nil)
		return nil
	}
	f, err := column.NewCast(from, to, column.CastAccurate)
	if to.Kind == column.Date && (from.Kind == column.Date32 || from.Kind == column.DateTime64) {
		f, err = column.ClampedDate(from)
	}
	b.keyCasts = append(b.keyCasts, f)
	return err
}

// defaults prepares the fourth argument: cast to the attribute's type (a tuple of them for several attributes).
func (b *binding) defaults(a function.Arg) error {
	to := b.valueType()
	if a.Type.Kind == column.Nullable && a.Type.Elems[0].Kind == column.Nothing && !b.tuple && to.Kind != column.Nullable {
		// ClickHouse refuses NULL here, or answers NULL for keys that are there. The missing keys are NULL, the others have their value.
		b.nullDef = true
		if !nullableElement(to) {
			return errcode.New(errcode.CannotConvertType, "Cannot convert NULL to a non-nullable type")
		}
		return nil
	}
	if a.Type.Equal(to) {
		return nil
	}
	f, err := column.NewCast(a.Type, to, column.CastAccurate)
	if to.NoNull().Kind == column.Date && (a.Type.Kind == column.Date32 || a.Type.Kind == column.DateTime64) {
		var clamp column.Caster
		if clamp, err = column.ClampedDate(a.Type); err == nil {
			f = func(c column.Column) (column.Column, error) {
				days, err := clamp(c)
				if err != nil {
					return nil, err
				}
				return column.Cast(days, to, column.CastAccurate)
			}
		}
	}
	b.defCast = f
	return err
}

// valueType is the type of the attribute, or the named tuple of several.
func (b *binding) valueType() *column.Type {
	if !b.tuple {
		return b.types[0]
	}
	names := make([]string, len(b.attrs))
	for i, a := range b.attrs {
		names[i] = b.def.Attrs[a].Name
	}
	return column.NewTuple(b.types, names)
}

func nullableElement(t *column.Type) bool {
	switch t.Kind {
	case column.Array, column.Map, column.Tuple:
		return false
	}
	return true
}

func cannotBeNull(t *column.Type) error {
	return errcode.New(errcode.IllegalTypeOfArgument, "Nested type %s cannot be inside Nullable type", t)
}

// onlyNull answers a call whose key is the literal NULL.
func (b *binding) onlyNull() (*function.Bound, error) {
	t := column.NewNullable(column.Of(column.Nothing))
	if b.orNull {
		return nil, errcode.New(errcode.CannotConvertType, "Cannot convert NULL to a non-nullable type")
	}
	if !b.has && b.want == column.Nothing {
		if b.tuple {
			return nil, errcode.New(errcode.UnsupportedMethod, "Function %s support nullable key only for single dictionary attribute", b.name)
		}
		if !nullableElement(b.types[0]) {
			return nil, cannotBeNull(b.types[0])
		}
		t = column.NewNullable(b.types[0])
	}
	return &function.Bound{Type: t, Exec: func(call *function.Call) (column.Column, error) {
		one := column.New(t, 1)
		one.AppendDefault(1)
		return column.NewConst(one, call.Rows), nil
	}}, nil
}

// result settles the type and the kernel.
func (b *binding) result() (*function.Bound, error) {
	t := column.Of(column.UInt8)
	if !b.has {
		if b.orNull {
			for i, a := range b.types {
				if !nullableElement(a) {
					return nil, cannotBeNull(a)
				}
				b.types[i] = column.NewNullable(a)
			}
		}
		t = b.valueType()
		if b.nullDef {
			t = column.NewNullable(t)
		}
	}
	if b.nullable {
		if b.tuple {
			return nil, errcode.New(errcode.UnsupportedMethod, "Function %s support nullable key only for single dictionary attribute", b.name)
		}
		if !nullableElement(t) {
			return nil, cannotBeNull(t)
		}
		t = column.NewNullable(t)
	}
	keyArg := 2
	if b.has {
		keyArg = 1
	}
	bound := &function.Bound{Type: t}
	bound.Exec = func(call *function.Call) (column.Column, error) {
		return b.run(call.Env, call.Scratch, call.Args[keyArg], call.Rows, func(keep []uint8, n int) (column.Column, error) {
			c := call.Args[3]
			if keep == nil {
				return c, nil
			}
			return column.FilterIn(call.Scratch, c, keep, n), nil
		})
	}
	if b.orDefault {
		bound.ExecLazy = func(call *function.LazyCall) (column.Column, error) {
			key, err := call.Args[keyArg](nil, call.Rows)
			if err != nil {
				return nil, err
			}
			return b.run(call.Env, call.Scratch, key, call.Rows, call.Args[3])
		}
	}
	return bound, nil
}

// run looks a block of keys up; its result lies in mem, or the collector's memory. defaults is evaluated only for the rows whose key is missing.
func (b *binding) run(env *function.Env, mem *column.Scratch, key column.Column, rows int, defaults function.LazyArg) (column.Column, error) {
	if k, ok := key.(*column.Const); ok && !b.orDefault { // one key asked many times
		one, err := b.run(env, nil, k.Val, 1, nil)
		if err != nil {
			return nil, err
		}
		return column.NewConst(one, rows), nil
	}
	key = column.Full(key)
	var nulls []uint8
	if n, ok := key.(*column.Null); ok {
		nulls, key = n.Nulls, n.Inner
		if b.orNull && bytes.IndexByte(nulls, 1) >= 0 { // NULL stands for a key that is missing
			return nil, errcode.New(errcode.CannotInsertNullInOrdinaryColumn, "Cannot convert NULL value to non-Nullable type")
		}
	}
	keys, err := b.keyColumns(key)
	if err != nil {
		return nil, err
	}
	v, err := b.acquire(env)
	if err != nil {
		return nil, err
	}
	defer v.Release()
	l, _ := b.lookups.Get().(*Lookup)
	if l == nil {
		l = new(Lookup)
	}
	defer func() {
		l.Rows, l.Found = nil, nil // these are the block's
		b.lookups.Put(l)
	}()
	l.Rows, l.Found = column.Make[uint64](mem, rows), column.Make[uint8](mem, rows)
	v.Find(keys, rows, l)
	b.d.Count(rows, column.Count(l.Found))

	var out column.Column
	switch {
	case b.has:
		out = column.NewNum(column.Of(column.UInt8), l.Found)
	case b.orDefault:
		out, err = b.withDefaults(v, mem, l, nulls, rows, defaults)
	case b.orNull:
		out = b.values(v, mem, l, func(c column.Column) column.Column { return nullMissing(c, l.Found) })
	default:
		out = b.values(v, mem, l, func(c column.Column) column.Column { return c })
	}
	if err != nil || !b.nullable {
		return out, err
	}
	return orNulls(out, nulls), nil
}

func (b *binding) keyColumns(key column.Column) ([]column.Column, error) {
	keys := []column.Column{key}
	if b.keyTuple {
		keys = append([]column.Column(nil), key.(*column.Tup).Elems...)
	}
	for i, cast := range b.keyCasts {
		if cast == nil {
			continue
		}
		c, err := cast(keys[i])
		if err != nil {
			return nil, err
		}
		keys[i] = column.Full(c)
	}
	return keys, nil
}

// values collects the attributes, each passed through finish, as a column or a named tuple.
func (b *binding) values(v *Version, mem *column.Scratch, l *Lookup, finish func(column.Column) column.Column) column.Column {
	cols := make([]column.Column, len(b.attrs))
	for i, a := range b.attrs {
		c := v.attributeIn(mem, a, l, b.def.Attrs[a].Default)
		if b.want == column.DateTime {
			c = column.Retype(c, column.Of(column.DateTime))
		}
		cols[i] = finish(c)
	}
	if !b.tuple {
		return cols[0]
	}
	return &column.Tup{T: b.valueType(), Elems: cols, N: len(l.Rows)}
}

// attributeIn is Attribute with the column in mem where no overlay has a part in it.
func (v *Version) attributeIn(mem *column.Scratch, i int, l *Lookup, def column.Column) column.Column {
	if len(l.over.rows) > 0 {
		return v.Attribute(i, l, def)
	}
	out := column.NewIn(mem, v.def.Attrs[i].Type, len(l.Rows))
	v.gather(i, out, l.Rows, l.Found, def)
	return out
}

// nullMissing makes a column Nullable with NULL where a key was not found; a stored NULL stays.
func nullMissing(c column.Column, found []uint8) column.Column {
	missing := make([]uint8, len(found))
	for i, f := range found {
		missing[i] = 1 - f
	}
	return orNulls(c, missing)
}

// orNulls adds NULLs to a column.
func orNulls(c column.Column, nulls []uint8) column.Column {
	if nulls == nil {
		nulls = make([]uint8, c.Len())
	}
	n, ok := c.(*column.Null)
	if !ok {
		return column.NewNull(c, nulls)
	}
	both := make([]uint8, len(nulls))
	for i := range both {
		both[i] = n.Nulls[i] | nulls[i]
	}
	return &column.Null{T: n.T, Nulls: both, Inner: n.Inner}
}

// withDefaults takes stored values where the key was found and the default argument's elsewhere.
func (b *binding) withDefaults(v *Version, mem *column.Scratch, l *Lookup, nulls []uint8, rows int, defaults function.LazyArg) (column.Column, error) {
	stored := b.values(v, mem, l, func(c column.Column) column.Column { return c })
	if b.nullDef {
		return nullMissing(stored, l.Found), nil
	}
	missing := make([]uint8, rows)
	n := 0
	for i, f := range l.Found {
		if f == 0 && (nulls == nil || nulls[i] == 0) { // a NULL key gives NULL whatever the default
			missing[i] = 1
			n++
		}
	}
	if n == 0 {
		return stored, nil
	}
	def, err := defaults(missing, n)
	if err != nil {
		return nil, err
	}
	if b.defCast != nil {
		if def, err = b.defCast(def); err != nil {
			return nil, err
		}
	}
	return mergeRows(stored, column.Full(def), missing), nil
}
