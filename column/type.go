// Package column holds ClickHouse's data types and the typed columns and blocks that every part of the
// program passes around.
//
// A column of fixed-width values is a plain Go slice in the layout of ClickHouse's Native format, so that a
// result goes to the wire (or comes from it) without conversion. A string column is one byte slice and the
// end offset of each row. Nullable, Array, Tuple, Map and LowCardinality wrap other columns. A Const column
// is one row that stands for many.
package column

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Kind is the family of a type.
type Kind uint8

// The kinds, in the order of their widths within a family.
const (
	Nothing Kind = iota
	Bool
	UInt8
	UInt16
	UInt32
	UInt64
	UInt128
	UInt256
	Int8
	Int16
	Int32
	Int64
	Int128
	Int256
	Float32
	Float64
	Decimal32
	Decimal64
	Decimal128
	Decimal256
	String
	FixedString
	Date
	Date32
	DateTime
	DateTime64
	UUID
	IPv4
	IPv6
	Enum8
	Enum16
	Interval
	Nullable
	Array
	Tuple
	Map
	LowCardinality
	AggregateFunction
	Lambda // the type of an x -> ... argument; never a column of a table
)

// Type is one ClickHouse data type. Types are immutable and shared by pointer; compare them with Equal.
type Type struct {
	Kind      Kind
	Elems     []*Type        // Nullable, Array, LowCardinality: 1; Map: key, value; Tuple: n; AggregateFunction: arguments
	Names     []string       // Tuple: element names, nil where unnamed
	Width     int            // FixedString: bytes
	Precision int            // Decimal*: digits; DateTime64: digits of the fraction (as Scale)
	Scale     int            // Decimal*, DateTime64: digits behind the point
	Zone      string         // DateTime, DateTime64: time zone name as written, "" for the server's
	Loc       *time.Location // the zone loaded; nil where Zone is ""
	Enum      *EnumValues    // Enum8, Enum16
	Unit      string         // Interval: Second, Minute, Hour, Day, Week, Month, Quarter, Year, ...
	Func      string         // AggregateFunction: name with parameters as written, e.g. "quantile(0.5)"
	Version   int            // AggregateFunction: of the states' bytes, 0 where there is only one
	States    StateCodec     // AggregateFunction: knows the states' bytes
	Simple    bool           // AggregateFunction kind never; a SimpleAggregateFunction(f, T) is T with Func set
	name      string
}

// EnumValues is the list of an Enum's names and values, ordered by value.
type EnumValues struct {
	Names   []string
	Values  []int16
	byName  map[string]int16
	byValue map[int16]string
}

// Value returns the value of a name.
func (e *EnumValues) Value(name string) (int16, bool) { v, ok := e.byName[name]; return v, ok }

// Name returns the name of a value.
func (e *EnumValues) Name(v int16) (string, bool) { n, ok := e.byValue[v]; return n, ok }

// NewEnum makes the list of an Enum type; names and values are parallel.
func NewEnum(names []string, values []int16) *EnumValues {
	e := &EnumValues{byName: make(map[string]int16, len(names)), byValue: make(map[int16]string, len(names))}
	for i, n := range names {
		e.byName[n], e.byValue[values[i]] = values[i], n
	}
	order := make([]int, len(names))
	for i := range order {
		order[i] = i
	}
	sortBy(order, func(a, b int) bool { return values[a] < values[b] })
	for _, i := range order {
		e.Names, e.Values = append(e.Names, names[i]), append(e.Values, values[i])
	}
	return e
}

func sortBy(x []int, less func(a, b int) bool) {
	for i := 1; i < len(x); i++ { // enums have few members and come sorted
		for j := i; j > 0 && less(x[j], x[j-1]); j-- {
			x[j], x[j-1] = x[j-1], x[j]
		}
	}
}

var kindNames = [...]string{
	Nothing: "Nothing", Bool: "Bool", UInt8: "UInt8", UInt16: "UInt16", UInt32: "UInt32", UInt64: "UInt64", UInt128: "UInt128", UInt256: "UInt256",
	Int8: "Int8", Int16: "Int16", Int32: "Int32", Int64: "Int64", Int128: "Int128", Int256: "Int256", Float32: "Float32", Float64: "Float64",
	Decimal32: "Decimal32", Decimal64: "Decimal64", Decimal128: "Decimal128", Decimal256: "Decimal256", String: "String", FixedString: "FixedString",
	Date: "Date", Date32: "Date32", DateTime: "DateTime", DateTime64: "DateTime64", UUID: "UUID", IPv4: "IPv4", IPv6: "IPv6", Enum8: "Enum8",
	Enum16: "Enum16", Interval: "Interval", Nullable: "Nullable", Array: "Array", Tuple: "Tuple", Map: "Map", LowCardinality: "LowCardinality",
	AggregateFunction: "AggregateFunction", Lambda: "Function",
}

// String is the kind's bare name.
func (k Kind) String() string { return kindNames[k] }

// The types without parameters, shared.
var simple = func() (t [len(kindNames)]*Type) {
	for k := range kindNames {
		t[k] = &Type{Kind: Kind(k), name: kindNames[k]}
	}
	return t
}()

// Of returns the type of a kind that has no parameters (UInt8, String, Date, DateTime, ...).
func Of(k Kind) *Type { return simple[k] }

// NewNullable returns Nullable(t); t itself where it is Nullable already.
func NewNullable(t *Type) *Type {
	if t.Kind == Nullable {
		return t
	}
	if t.Kind == LowCardinality {
		return NewLowCardinality(NewNullable(t.Elems[0]))
	}
	return finish(&Type{Kind: Nullable, Elems: []*Type{t}})
}

// NewArray returns Array(t).
func NewArray(t *Type) *Type { return finish(&Type{Kind: Array, Elems: []*Type{t}}) }

// NewTuple returns Tuple(elems...), with element names where names is not nil.
func NewTuple(elems []*Type, names []string) *Type {
	return finish(&Type{Kind: Tuple, Elems: elems, Names: names})
}

// NewMap returns Map(k, v).
func NewMap(k, v *Type) *Type { return finish(&Type{Kind: Map, Elems: []*Type{k, v}}) }

// NewLowCardinality returns LowCardinality(t).
func NewLowCardinality(t *Type) *Type {
	return finish(&Type{Kind: LowCardinality, Elems: []*Type{t}})
}

// NewFixedString returns FixedString(n).
func NewFixedString(n int) *Type { return finish(&Type{Kind: FixedString, Width: n}) }

// NewDecimal returns Decimal(precision, scale); the precision decides the width (9, 18, 38, 76 digits).
func NewDecimal(precision, scale int) *Type {
	k := Decimal32
	switch {
	case precision > 38:
		k = Decimal256
	case precision > 18:
		k = Decimal128
	case precision > 9:
		k = Decimal64
	}
	return finish(&Type{Kind: k, Precision: precision, Scale: scale})
}

// NewDateTime returns DateTime or DateTime('zone'); an unknown zone is an error.
func NewDateTime(zone string) (*Type, error) {
	loc, err := LoadZone(zone)
	if err != nil {
		return nil, err
	}
	return finish(&Type{Kind: DateTime, Zone: zone, Loc: loc}), nil
}

// NewDateTime64 returns DateTime64(scale[, 'zone']).
func NewDateTime64(scale int, zone string) (*Type, error) {
	loc, err := LoadZone(zone)
	if err != nil {
		return nil, err
	}
	return finish(&Type{Kind: DateTime64, Precision: scale, Scale: scale, Zone: zone, Loc: loc}), nil
}

// NewEnumType returns Enum8 or Enum16 over the given values.
func NewEnumType(k Kind, e *EnumValues) *Type { return finish(&Type{Kind: k, Enum: e}) }

// NewInterval returns IntervalDay and its like.
func NewInterval(unit string) *Type { return finish(&Type{Kind: Interval, Unit: unit}) }

// NewAggregateFunction returns AggregateFunction([version, ]f, args...); f is written with its parameters.
func NewAggregateFunction(version int, f string, args []*Type, states StateCodec) *Type {
	return finish(&Type{Kind: AggregateFunction, Version: version, Func: f, Elems: args, States: states})
}

// NewSimpleAggregateFunction returns SimpleAggregateFunction(f, t): t under that name.
func NewSimpleAggregateFunction(f string, t *Type) *Type {
	s := *t
	s.Func, s.Simple = f, true
	s.name = "SimpleAggregateFunction(" + f + ", " + t.String() + ")"
	return &s
}

// NoSimple is the type whose values a SimpleAggregateFunction holds; other types come back as they are.
func (t *Type) NoSimple() *Type {
	if !t.Simple {
		return t
	}
	s := *t
	s.Func, s.Simple = "", false
	return finish(&s)
}

func finish(t *Type) *Type { t.name = t.format(); return t }

// String is the type's name as ClickHouse prints it.
func (t *Type) String() string { return t.name }

func (t *Type) format() string {
	switch t.Kind {
	case FixedString:
		return fmt.Sprintf("FixedString(%d)", t.Width)
	case Decimal32, Decimal64, Decimal128, Decimal256:
		return fmt.Sprintf("Decimal(%d, %d)", t.Precision, t.Scale)
	case DateTime:
		if t.Zone == "" {
			return "DateTime"
		}
		return "DateTime(" + quote(t.Zone) + ")"
	case DateTime64:
		if t.Zone == "" {
			return fmt.Sprintf("DateTime64(%d)", t.Scale)
		}
		return fmt.Sprintf("DateTime64(%d, %s)", t.Scale, quote(t.Zone))
	case Enum8, Enum16:
		var b strings.Builder
		b.WriteString(t.Kind.String())
		b.WriteByte('(')
		for i, n := range t.Enum.Names {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(quote(n))
			b.WriteString(" = ")
			b.WriteString(strconv.Itoa(int(t.Enum.Values[i])))
		}
		b.WriteByte(')')
		return b.String()
	case Interval:
		return "Interval" + t.Unit
	case Nullable, Array, LowCardinality, Map:
		return t.Kind.String() + "(" + joinTypes(t.Elems, nil) + ")"
	case Tuple:
		return "Tuple(" + joinTypes(t.Elems, t.Names) + ")"
	case AggregateFunction:
		var b strings.Builder
		b.WriteString("AggregateFunction(")
		if t.Version > 0 {
			b.WriteString(strconv.Itoa(t.Version) + ", ")
		}
		b.WriteString(t.Func)
		if len(t.Elems) > 0 {
			b.WriteString(", " + joinTypes(t.Elems, nil))
		}
		b.WriteByte(')')
		return b.String()
	}
	return t.Kind.String()
}

func joinTypes(ts []*Type, names []string) string {
	var b strings.Builder
	for i, t := range ts {
		if i > 0 {
			b.WriteString(", ")
		}
		if names != nil {
			b.WriteString(Identifier(names[i]))
			b.WriteByte(' ')
		}
		b.WriteString(t.String())
	}
	return b.String()
}

// Identifier returns s as an SQL identifier: bare where it can stand so, else in backticks.
func Identifier(s string) string {
	bare := s != ""
	for i := 0; i < len(s) && bare; i++ {
		c := s[i]
		bare = c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || i > 0 && c >= '0' && c <= '9'
	}
	switch strings.ToLower(s) {
	case "null", "distinct", "all", "table", "select", "from", "not", "div", "mod": // cannot stand bare where a name may be taken for a keyword
		bare = false
	}
	if bare {
		return s
	}
	return "`" + strings.NewReplacer("\\", "\\\\", "`", "\\`").Replace(s) + "`"
}

func quote(s string) string {
	return "'" + strings.NewReplacer("\\", "\\\\", "'", "\\'", "\n", "\\n", "\t", "\\t", "\r", "\\r", "\x00", "\\0", "\b", "\\b", "\f", "\\f").Replace(s) + "'"
}

// Equal tells whether two types are the same, names of tuple elements and time zones included.
func (t *Type) Equal(o *Type) bool { return t == o || t.name == o.name }

// IsNullable tells whether NULL can stand in the type: Nullable(T) and LowCardinality(Nullable(T)).
func (t *Type) IsNullable() bool {
	return t.Kind == Nullable || t.Kind == LowCardinality && t.Elems[0].Kind == Nullable
}

// NoNull takes Nullable off, inside LowCardinality too.
func (t *Type) NoNull() *Type {
	switch {
	case t.Kind == Nullable:
		return t.Elems[0]
	case t.Kind == LowCardinality && t.Elems[0].Kind == Nullable:
		return NewLowCardinality(t.Elems[0].Elems[0])
	}
	return t
}

// NoLowCardinality takes LowCardinality off the type (not off the elements of arrays and tuples).
func (t *Type) NoLowCardinality() *Type {
	if t.Kind == LowCardinality {
		return t.Elems[0]
	}
	return t
}

// Base takes LowCardinality and Nullable off.
func (t *Type) Base() *Type { return t.NoLowCardinality().NoNull() }

// IsUnsigned: UInt8..UInt256 and Bool.
func (t *Type) IsUnsigned() bool { return t.Kind >= Bool && t.Kind <= UInt256 }

// IsSigned: Int8..Int256.
func (t *Type) IsSigned() bool { return t.Kind >= Int8 && t.Kind <= Int256 }

// IsInteger: all integers, Bool included.
func (t *Type) IsInteger() bool { return t.Kind >= Bool && t.Kind <= Int256 }

// IsFloat: Float32 and Float64.
func (t *Type) IsFloat() bool { return t.Kind == Float32 || t.Kind == Float64 }

// IsDecimal: Decimal32..256.
func (t *Type) IsDecimal() bool { return t.Kind >= Decimal32 && t.Kind <= Decimal256 }

// IsNumber: integers, floats and decimals.
func (t *Type) IsNumber() bool { return t.Kind >= Bool && t.Kind <= Decimal256 }

// IsString: String and FixedString.
func (t *Type) IsString() bool { return t.Kind == String || t.Kind == FixedString }

// IsDateOrTime: Date, Date32, DateTime, DateTime64.
func (t *Type) IsDateOrTime() bool { return t.Kind >= Date && t.Kind <= DateTime64 }

// IsEnum: Enum8 and Enum16.
func (t *Type) IsEnum() bool { return t.Kind == Enum8 || t.Kind == Enum16 }

// FixedWidth is the bytes of one value in a column of this type, 0 where values have no fixed width.
func (t *Type) FixedWidth() int {
	switch t.Kind {
	case Bool, UInt8, Int8, Enum8:
		return 1
	case UInt16, Int16, Date, Enum16:
		return 2
	case UInt32, Int32, Float32, Decimal32, Date32, DateTime, IPv4:
		return 4
	case UInt64, Int64, Float64, Decimal64, DateTime64, Interval:
		return 8
	case UInt128, Int128, Decimal128, UUID, IPv6:
		return 16
	case UInt256, Int256, Decimal256:
		return 32
	case FixedString:
		return t.Width
	}
	return 0
}

// Pretty is the type's name as toTypeName and DESCRIBE print it: the elements of named tuples stand on lines of their own.
func (t *Type) Pretty() string { return t.pretty(0) }

func (t *Type) pretty(indent int) string {
	if t.Simple {
		return t.name
	}
	switch t.Kind {
	case Array, LowCardinality:
		return t.Kind.String() + "(" + t.Elems[0].pretty(indent) + ")"
	case Map:
		return "Map(" + t.Elems[0].pretty(indent) + ", " + t.Elems[1].pretty(indent) + ")"
	case Tuple:
		parts := make([]string, len(t.Elems))
		if t.Names == nil {
			for i, e := range t.Elems {
				parts[i] = e.pretty(indent)
			}
			return "Tuple(" + strings.Join(parts, ", ") + ")"
		}
		for i, e := range t.Elems {
			parts[i] = "\n" + strings.Repeat("    ", indent+1) + Identifier(t.Names[i]) + " " + e.pretty(indent+1)
		}
		return "Tuple(" + strings.Join(parts, ",") + ")"
	}
	return t.String()
}
