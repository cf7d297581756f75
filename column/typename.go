package column

import (
	"math"
	"strconv"
	"strings"

	"dictsvc/errcode"
)

// maxTypeDepth bounds the nesting of a type name from outside; maxTypeName its length.
const (
	maxTypeDepth = 100
	maxTypeName  = 1 << 20
)

// Parse reads a type name such as "Nullable(Decimal(10, 2))". Names are those that ClickHouse prints and the
// SQL aliases (INT, VARCHAR, TEXT, ...). An unknown name is error 50 UNKNOWN_TYPE.
func Parse(name string) (*Type, error) { return parseType(name, false) }

// ParseSent is Parse of the type of a column that comes in a block. Aggregates of Nullable arguments may result in a Nullable(Tuple(...)), which a statement cannot name.
func ParseSent(name string) (*Type, error) { return parseType(name, true) }

func parseType(name string, sent bool) (*Type, error) {
	if len(name) > maxTypeName {
		return nil, errcode.New(errcode.UnknownType, "Type name of %d bytes is too long (at most %d)", len(name), maxTypeName)
	}
	if t, ok := plain[name]; ok {
		return t, nil
	}
	p := typeParser{s: name, sent: sent}
	t, err := p.parse(0)
	if err != nil {
		return nil, err
	}
	p.space()
	if p.i != len(p.s) {
		return nil, p.syntax("end of the type name")
	}
	return t, nil
}

// MustParse is Parse for names that the program itself writes.
func MustParse(name string) *Type {
	t, err := Parse(name)
	if err != nil {
		panic(err)
	}
	return t
}

var plain = func() map[string]*Type {
	m := map[string]*Type{}
	for _, k := range []Kind{Nothing, Bool, UInt8, UInt16, UInt32, UInt64, UInt128, UInt256, Int8, Int16, Int32, Int64, Int128, Int256,
		Float32, Float64, String, Date, Date32, DateTime, UUID, IPv4, IPv6} {
		m[k.String()] = Of(k)
	}
	return m
}()

// SQL names in any case, as ClickHouse's DataTypeFactory aliases them.
var aliases = map[string]Kind{
	"tinyint": Int8, "int1": Int8, "byte": Int8, "smallint": Int16, "int": Int32, "int4": Int32, "integer": Int32, "mediumint": Int32, "bigint": Int64, "signed": Int64,
	"unsigned": UInt64, "float": Float32, "real": Float32, "single": Float32, "double": Float64, "bool": Bool, "boolean": Bool, "char": String, "varchar": String,
	"text": String, "tinytext": String, "mediumtext": String, "longtext": String, "blob": String, "tinyblob": String, "mediumblob": String, "longblob": String,
	"nchar": String, "nvarchar": String, "varchar2": String, "character": String, "clob": String, "bytea": String, "geometry": String, "inet4": IPv4, "inet6": IPv6, "timestamp": DateTime,
	"date": Date, "date32": Date32, "datetime": DateTime, "year": UInt16, "bit": UInt64, "set": UInt64, "time": Int64,
	"int2": Int16, "int8": Int8, "oid": UInt32,
}

type typeParser struct {
	s    string
	i    int
	sent bool // as in ParseSent
}

func (p *typeParser) space() {
	for p.i < len(p.s) && (p.s[p.i] == ' ' || p.s[p.i] == '\n' || p.s[p.i] == '\t' || p.s[p.i] == '\r') {
		p.i++
	}
}

func (p *typeParser) syntax(want string) error {
	return errcode.New(errcode.UnknownType, "Cannot parse data type %q: at byte %d: want %s", clip(p.s), p.i+1, want)
}

func clip(s string) string {
	if len(s) > 200 {
		return s[:200] + "..."
	}
	return s
}

func wordByte(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

func (p *typeParser) word() string {
	p.space()
	j := p.i
	for j < len(p.s) && wordByte(p.s[j]) {
		j++
	}
	w := p.s[p.i:j]
	p.i = j
	return w
}

func (p *typeParser) take(c byte) bool {
	p.space()
	if p.i < len(p.s) && p.s[p.i] == c {
		p.i++
		return true
	}
	return false
}

func (p *typeParser) parse(depth int) (*Type, error) {
	if depth > maxTypeDepth {
		return nil, errcode.New(errcode.TooDeepRecursion, "Data type %q is nested deeper than %d", clip(p.s), maxTypeDepth)
	}
	name := p.word()
	if name == "" {
		return nil, p.syntax("a type name")
	}
	if !p.take('(') {
		return p.bare(name)
	}
	t, err := p.args(name, depth)
	if err != nil {
		return nil, err
	}
	if !p.take(')') {
		return nil, p.syntax("')'")
	}
	return t, nil
}

func (p *typeParser) bare(name string) (*Type, error) {
	if t, ok := plain[name]; ok {
		return t, nil
	}
	lower := strings.ToLower(name)
	switch lower {
	case "decimal", "numeric", "dec", "fixed":
		return NewDecimal(10, 0), nil
	case "double", "national", "character", "char":
		save := p.i
		switch w := strings.ToLower(p.word()); {
		case lower == "double" && w == "precision", w == "varying", w == "large":
		default:
			p.i = save
		}
	case "datetime64":
		return NewDateTime64(3, "")
	case "tuple":
		return nil, errcode.New(errcode.EmptyListOfColumnsQueried, "Tuple cannot be empty")
	}
	if unit, ok := strings.CutPrefix(name, "Interval"); ok && intervalUnits[unit] {
		return NewInterval(unit), nil
	}
	if k, ok := aliases[lower]; ok && (name[0] >= 'A') {
		p.unsigned(&k)
		return Of(k), nil
	}
	switch name {
	case "Enum", "Enum8", "Enum16":
		return nil, errcode.New(errcode.UnexpectedExpression, "Enum data type cannot be empty")
	case "FixedString", "Array", "Nullable", "LowCardinality":
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "%s data type family must have exactly one argument", name)
	case "Map":
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Map data type family must have two arguments: key and value types")
	}
	return nil, errcode.New(errcode.UnknownType, "Unknown data type family: %s", clip(name))
}

// unsigned handles "INT UNSIGNED" and "INT SIGNED".
func (p *typeParser) unsigned(k *Kind) {
	save := p.i
	switch strings.ToLower(p.word()) {
	case "unsigned":
		switch *k {
		case Int8:
			*k = UInt8
		case Int16:
			*k = UInt16
		case Int32:
			*k = UInt32
		case Int64:
			*k = UInt64
		}
	case "signed":
	default:
		p.i = save
	}
}

var intervalUnits = map[string]bool{"Nanosecond": true, "Microsecond": true, "Millisecond": true, "Second": true, "Minute": true, "Hour": true,
	"Day": true, "Week": true, "Month": true, "Quarter": true, "Year": true}

func (p *typeParser) args(name string, depth int) (*Type, error) {
	switch name {
	case "Nullable", "Array", "LowCardinality":
		t, err := p.parse(depth + 1)
		if err != nil {
			return nil, err
		}
		if name == "Nullable" && t.Kind == Tuple && p.sent {
			return NewNullable(t), nil
		}
		return wrap(name, t)
	case "Tuple", "Nested":
		elems, names, err := p.elements(depth + 1)
		if err != nil {
			return nil, err
		}
		if name == "Nested" {
			return NewArray(NewTuple(elems, names)), nil
		}
		return NewTuple(elems, names), nil
	case "Map":
		elems, _, err := p.elements(depth + 1)
		if err != nil {
			return nil, err
		}
		if len(elems) != 2 {
			return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Map data type family must have two arguments: key and value types")
		}
		if elems[0].IsNullable() || elems[0].Kind == Nothing || elems[0].IsFloat() {
			return nil, errcode.New(errcode.BadArguments, "Map cannot have a key of type %s", elems[0])
		}
		return NewMap(elems[0], elems[1]), nil
	case "FixedString":
		n, err := p.number(math.MinInt, 0xFFFFFF)
		if errcode.Of(err) == errcode.UnknownType || err == nil && n <= 0 {
			return nil, errcode.New(errcode.UnexpectedAstStructure, "FixedString data type family must have a number (positive integer) as its argument")
		}
		if err != nil {
			return nil, err
		}
		return NewFixedString(n), nil
	case "DateTime":
		p.space()
		if p.i < len(p.s) && p.s[p.i] != '\'' { // DateTime(0) is DateTime, DateTime(3) is DateTime64(3)
			n, err := p.number(0, 9)
			if err != nil || n == 0 {
				return Of(DateTime), err
			}
			return NewDateTime64(n, "")
		}
		zone, err := p.quoted()
		if err != nil {
			return nil, err
		}
		return NewDateTime(zone)
	case "DateTime64":
		n, err := p.number(0, 9)
		if err != nil {
			return nil, err
		}
		zone := ""
		if p.take(',') {
			if zone, err = p.quoted(); err != nil {
				return nil, err
			}
		}
		return NewDateTime64(n, zone)
	case "Enum", "Enum8", "Enum16":
		return p.enum(name)
	case "AggregateFunction", "SimpleAggregateFunction":
		return p.aggregate(name, depth+1)
	case "Decimal32", "Decimal64", "Decimal128", "Decimal256":
		prec := map[string]int{"Decimal32": 9, "Decimal64": 18, "Decimal128": 38, "Decimal256": 76}[name]
		scale, err := p.number(0, prec)
		if err != nil {
			return nil, err
		}
		return NewDecimal(prec, scale), nil
	}
	lower := strings.ToLower(name)
	switch lower {
	case "decimal", "numeric", "dec", "fixed":
		prec, err := p.number(1, 76)
		if err != nil {
			return nil, err
		}
		scale := 0
		if p.take(',') {
			if scale, err = p.number(0, prec); err != nil {
				return nil, err
			}
		}
		return NewDecimal(prec, scale), nil
	}
	if k, ok := aliases[lower]; ok && plain[name] == nil { // VARCHAR(255), INT(11): the length is ignored
		if _, err := p.number(0, math.MaxInt32); err != nil {
			return nil, err
		}
		return Of(k), nil
	}
	if plain[name] != nil {
		return nil, errcode.New(errcode.DataTypeCannotHaveArguments, "%s data type cannot have arguments", name)
	}
	return nil, errcode.New(errcode.UnknownType, "Unknown data type family: %s", clip(name))
}

// wrap checks what may stand in a Nullable, Array or LowCardinality.
func wrap(name string, t *Type) (*Type, error) {
	switch name {
	case "Array":
		return NewArray(t), nil
	case "Nullable":
		switch t.Kind {
		case Nullable, Array, Tuple, Map, LowCardinality, AggregateFunction:
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Nested type %s cannot be inside Nullable type", t)
		}
		return NewNullable(t), nil
	}
	switch b := t.NoNull(); {
	case b.IsNumber() && !b.IsDecimal(), b.IsString(), b.Kind == Date, b.Kind == DateTime, b.Kind == UUID, b.Kind == IPv4, b.Kind == IPv6, b.Kind == Date32:
		return NewLowCardinality(t), nil
	}
	return nil, errcode.New(errcode.IllegalTypeOfArgument, "DataTypeLowCardinality is supported only for numbers, strings, Date or DateTime, but got %s", t)
}

// elements reads "T, name T, ..." up to the closing bracket, which stays.
func (p *typeParser) elements(depth int) (elems []*Type, names []string, err error) {
	p.space()
	if p.i < len(p.s) && p.s[p.i] == ')' {
		return nil, nil, nil
	}
	for {
		name, err := p.elementName()
		if err != nil {
			return nil, nil, err
		}
		t, err := p.parse(depth)
		if err != nil {
			return nil, nil, err
		}
		elems = append(elems, t)
		if name != "" {
			names = append(names, name)
		}
		if !p.take(',') {
			break
		}
	}
	if names != nil && len(names) != len(elems) {
		return nil, nil, errcode.New(errcode.BadArguments, "Names are specified not for all elements of Tuple type")
	}
	return elems, names, nil
}

// elementName reads the name of a tuple element where one stands before its type.
func (p *typeParser) elementName() (string, error) {
	p.space()
	if p.i < len(p.s) && (p.s[p.i] == '`' || p.s[p.i] == '"') {
		return p.quotedBy(p.s[p.i])
	}
	save := p.i
	w := p.word()
	p.space()
	if w != "" && p.i < len(p.s) && (wordByte(p.s[p.i])) && !strings.EqualFold(w, "double") {
		return w, nil
	}
	p.i = save
	return "", nil
}

func (p *typeParser) number(lo, hi int) (int, error) {
	p.space()
	j := p.i
	for j < len(p.s) && (p.s[j] >= '0' && p.s[j] <= '9' || j == p.i && p.s[j] == '-') {
		j++
	}
	n, err := strconv.Atoi(p.s[p.i:j])
	if err != nil {
		return 0, p.syntax("a number")
	}
	if n < lo || n > hi {
		return 0, errcode.New(errcode.ArgumentOutOfBound, "Data type %s: parameter %d is out of bounds (%d to %d)", clip(p.s), n, lo, hi)
	}
	p.i = j
	return n, nil
}

func (p *typeParser) quoted() (string, error) {
	p.space()
	if p.i >= len(p.s) || p.s[p.i] != '\'' {
		return "", p.syntax("a quoted string")
	}
	return p.quotedBy('\'')
}

func (p *typeParser) quotedBy(q byte) (string, error) {
	var b strings.Builder
	for j := p.i + 1; j < len(p.s); j++ {
		c := p.s[j]
		switch {
		case c == '\\' && j+1 < len(p.s):
			j++
			b.WriteByte(unescape(p.s[j]))
		case c == q && j+1 < len(p.s) && p.s[j+1] == q:
			j++
			b.WriteByte(q)
		case c == q:
			p.i = j + 1
			return b.String(), nil
		default:
			b.WriteByte(c)
		}
	}
	return "", p.syntax("a closing quote")
}

func unescape(c byte) byte {
	switch c {
	case 'n':
		return '\n'
	case 't':
		return '\t'
	case 'r':
		return '\r'
	case '0':
		return 0
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'a':
		return '\a'
	case 'v':
		return '\v'
	}
	return c
}

func (p *typeParser) enum(name string) (*Type, error) {
	var names []string
	var values []int16
	seen := map[string]bool{}
	used := map[int16]bool{}
	next := 1
	for {
		n, err := p.quoted()
		if err != nil {
			return nil, err
		}
		if p.take('=') {
			if next, err = p.number(math.MinInt16, math.MaxInt16); err != nil {
				return nil, err
			}
		}
		if seen[n] || used[int16(next)] {
			return nil, errcode.New(errcode.SyntaxError, "Duplicate names or values in enum: %s = %d", quote(n), next)
		}
		seen[n], used[int16(next)] = true, true
		names, values = append(names, n), append(values, int16(next))
		next++
		if next > math.MaxInt16+1 {
			return nil, p.syntax("fewer enum values")
		}
		if !p.take(',') {
			break
		}
	}
	kind := Enum8
	for _, v := range values {
		if v < math.MinInt8 || v > math.MaxInt8 {
			kind = Enum16
		}
	}
	switch {
	case name == "Enum16":
		kind = Enum16
	case name == "Enum8" && kind == Enum16:
		return nil, errcode.New(errcode.ArgumentOutOfBound, "Value of an Enum8 is out of its range (-128 to 127)")
	}
	return NewEnumType(kind, NewEnum(names, values)), nil
}

// aggregate reads the inside of AggregateFunction([version, ]name[(params)], types...).
func (p *typeParser) aggregate(name string, depth int) (*Type, error) {
	p.space()
	start := p.i
	for p.i < len(p.s) && p.s[p.i] >= '0' && p.s[p.i] <= '9' {
		p.i++
	}
	version := 0
	if p.i > start {
		v, err := strconv.ParseUint(p.s[start:p.i], 10, 16)
		if err != nil || !p.take(',') {
			return nil, p.syntax("a version and ','")
		}
		version = int(v)
	}
	p.space()
	start = p.i
	if p.word() == "" {
		return nil, p.syntax("the name of an aggregate function")
	}
	if p.take('(') {
		for nest := 1; nest > 0; p.i++ {
			if p.i >= len(p.s) {
				return nil, p.syntax("')'")
			}
			switch p.s[p.i] {
			case '(':
				nest++
			case ')':
				nest--
			case '\'':
				if _, err := p.quotedBy('\''); err != nil {
					return nil, err
				}
				p.i--
			}
		}
	}
	f := strings.TrimSpace(p.s[start:p.i])
	var elems []*Type
	if p.take(',') {
		var err error
		if elems, _, err = p.elements(depth); err != nil {
			return nil, err
		}
	}
	var t *Type
	if name == "SimpleAggregateFunction" {
		if len(elems) != 1 {
			return nil, p.syntax("one argument type")
		}
		t = NewSimpleAggregateFunction(f, elems[0])
	} else {
		t = NewAggregateFunction(version, f, elems, nil)
	}
	if resolve := resolver.Load(); resolve != nil {
		return (*resolve)(t)
	}
	return t, nil
}
