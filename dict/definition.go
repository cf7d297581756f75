package dict

import (
	"strings"

	"dictsvc/column"
	"dictsvc/errcode"
)

// Attribute is a column of a dictionary: a key column or an attribute.
type Attribute struct {
	Name    string
	Type    *column.Type
	Default column.Column // one row; the type's own default where none was written
	// Expression is evaluated by the source instead of a column of the name; "" = none.
	Expression    string
	Hierarchical  bool
	Bidirectional bool
	Injective     bool
}

// Layout is what LAYOUT(...) says.
type Layout struct {
	Name          string  // lower case, e.g. "complex_key_sparse_hashed"
	MaxLoadFactor float64 // 0: the table's own default
	Shards        int
}

// The layouts that are served.
const (
	Hashed                 = "hashed"
	SparseHashed           = "sparse_hashed"
	ComplexKeyHashed       = "complex_key_hashed"
	ComplexKeySparseHashed = "complex_key_sparse_hashed"
)

// knownLayouts are ClickHouse's names; false = known but not served here.
var knownLayouts = map[string]bool{
	Hashed: true, SparseHashed: true, ComplexKeyHashed: true, ComplexKeySparseHashed: true,
	"flat": false, "hashed_array": false, "complex_key_hashed_array": false, "direct": false, "complex_key_direct": false, "cache": false, "complex_key_cache": false,
	"ssd_cache": false, "complex_key_ssd_cache": false, "range_hashed": false, "complex_key_range_hashed": false, "ip_trie": false, "polygon": false, "regexp_tree": false,
	"range_hashed_array": false,
}

// Definition is a dictionary as it was created. It does not change afterwards.
type Definition struct {
	Database, Name string
	UUID           string
	Keys           []Attribute
	Attrs          []Attribute
	Source         Source
	Layout         Layout
	LifetimeMin    uint64
	LifetimeMax    uint64
	Comment        string
	SQL            string // the CREATE statement, normalised
}

// Source is what SOURCE(...) says: a kind ("file", "clickhouse", "null") and its parameters by lower-case name.
type Source struct {
	Kind   string
	Params map[string]string
}

// Describe is the text of system.dictionaries.source.
func (s *Source) Describe(database string) string {
	switch s.Kind {
	case "snapshot":
		return "Snapshot: " + s.Params["path"]
	case "file":
		return "File: " + s.Params["path"] + " " + s.Params["format"]
	case "clickhouse":
		if q := s.Params["query"]; q != "" {
			return "ClickHouse: " + q
		}
		db := s.Params["db"]
		if db == "" {
			db = database
		}
		text := "ClickHouse: " + db + "." + s.Params["table"]
		if w := s.Params["where"]; w != "" {
			text += ", where: " + w
		}
		return text
	}
	return strings.ToUpper(s.Kind[:1]) + s.Kind[1:]
}

// FullName is "db.name", or the name alone for a dictionary without a database.
func (d *Definition) FullName() string {
	if d.Database == "" {
		return d.Name
	}
	return d.Database + "." + d.Name
}

// Complex tells whether keys are tuples or strings rather than one UInt64.
func (d *Definition) Complex() bool { return strings.HasPrefix(d.Layout.Name, "complex_key_") }

// Sparse tells whether the packed table is asked for.
func (d *Definition) Sparse() bool { return strings.HasSuffix(d.Layout.Name, "sparse_hashed") }

// TypeName is system.dictionaries.type: "Hashed", "ComplexKeySparseHashed", ...
func (d *Definition) TypeName() string {
	var b strings.Builder
	for _, w := range strings.Split(d.Layout.Name, "_") {
		b.WriteString(strings.ToUpper(w[:1]))
		b.WriteString(w[1:])
	}
	return b.String()
}

// Columns lists key columns and attributes in the order keys, attributes.
func (d *Definition) Columns() []Attribute {
	return append(append([]Attribute(nil), d.Keys...), d.Attrs...)
}

// Attr finds an attribute by name; -1 where there is none.
func (d *Definition) Attr(name string) int {
	for i := range d.Attrs {
		if d.Attrs[i].Name == name {
			return i
		}
	}
	return -1
}

// tableName resolves the tables' own names.
func tableName(layout string) string {
	if layout == "packed" || layout == "packed_hashed" {
		return SparseHashed
	}
	return layout
}

// KnownLayout tells by an error that a layout, named in lower case, is not served: 137 where ClickHouse does not know it either, else 48.
func KnownLayout(layout string) error {
	l := tableName(layout)
	served, known := knownLayouts[l]
	if !known {
		return errcode.New(errcode.UnknownElementInConfig, "Unknown dictionary layout type: %s", l)
	}
	if !served {
		return errcode.New(errcode.NotImplemented, "Dictionary layout %s is not supported; there are HASHED, SPARSE_HASHED, COMPLEX_KEY_HASHED and COMPLEX_KEY_SPARSE_HASHED", strings.ToUpper(l))
	}
	return nil
}

// Normalise checks what ClickHouse checks at CREATE and settles the layout: a simple layout over several key columns, or over a key that is no
// integer, becomes the complex one. Limits of parameters (load factor, shards) are checked at load, as ClickHouse does.
func (d *Definition) Normalise() error {
	if err := KnownLayout(d.Layout.Name); err != nil {
		return err
	}
	l := tableName(d.Layout.Name)
	d.Layout.Name = l
	if len(d.Keys) == 0 {
		return errcode.New(errcode.IncorrectDictionaryDefinition, "Cannot create dictionary without primary key")
	}
	seen := map[string]bool{}
	for _, a := range d.Columns() {
		if seen[a.Name] {
			return errcode.New(errcode.BadArguments, "Dictionary attributes names must be unique. Attribute name %s is not unique", a.Name)
		}
		seen[a.Name] = true
	}
	simple := len(d.Keys) == 1 && (d.Keys[0].Type.IsInteger() || d.Keys[0].Type.IsFloat()) && d.Keys[0].Type.Kind != column.Bool
	if !d.Complex() && !simple {
		d.Layout.Name = "complex_key_" + l
	}
	if d.Complex() {
		for _, k := range d.Keys {
			if err := keyType(k.Type); err != nil {
				return err
			}
		}
	}
	for i := range d.Attrs {
		a := &d.Attrs[i]
		if !attributeType(a.Type, true) {
			return errcode.New(errcode.UnknownType, "Unknown type %s for dictionary attribute", a.Type)
		}
		if a.Default == nil {
			a.Default = column.New(a.Type, 1)
			a.Default.AppendDefault(1)
			if d, ok := a.Default.(*column.Num[int32]); ok && a.Type.Kind == column.Date32 {
				d.Data[0] = -25567 // the type's default is its first day, 1900-01-01
			}
		}
	}
	for i := range d.Keys {
		k := &d.Keys[i]
		if !d.Complex() {
			k.Type = column.Of(column.UInt64)
		}
		if k.Default == nil || !d.Complex() {
			k.Default = column.New(k.Type, 1)
			k.Default.AppendDefault(1)
		}
	}
	if d.LifetimeMin > d.LifetimeMax {
		return errcode.New(errcode.BadArguments, "Dictionary lifetime parameter 'MIN' must be less than or equal to 'MAX'")
	}
	return nil
}

// keyType refuses key columns that no table can hold.
func keyType(t *column.Type) error {
	switch t.Kind {
	case column.AggregateFunction, column.Lambda, column.Nothing, column.Interval:
		return errcode.New(errcode.UnknownType, "Unknown type %s for dictionary key", t)
	}
	return nil
}

// attributeType tells whether an attribute may have a type; ClickHouse has none of Enum, Tuple, FixedString and LowCardinality.
func attributeType(t *column.Type, top bool) bool {
	switch t.Kind {
	case column.Array, column.Map:
		return true
	case column.Nullable:
		return attributeType(t.Elems[0], false)
	case column.Enum8, column.Enum16, column.Tuple, column.FixedString, column.LowCardinality, column.Nothing, column.Interval, column.AggregateFunction, column.Lambda:
		return false
	}
	return true
}

// CheckLimits is what ClickHouse checks when it loads: the parameters of the layout.
func (d *Definition) CheckLimits() error {
	if f := d.Layout.MaxLoadFactor; f != 0 && !(f >= 0.5 && f <= 0.99) {
		return errcode.New(errcode.BadArguments, "%s: max_load_factor parameter should be within [0.5, 0.99], got %v", d.FullName(), f)
	}
	if s := d.Layout.Shards; s != 0 && (s < 1 || s > 128) {
		return errcode.New(errcode.BadArguments, "%s: SHARDS parameter should be within [1, 128]", d.FullName())
	}
	return nil
}
