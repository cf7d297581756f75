package fuzz

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// field is a column of a table, a subquery or a lambda.
type field struct {
	name  string
	class *class
}

// relation is a table or a dictionary of the schema.
type relation struct {
	name   string
	fields []field
	keys   []field // of a dictionary; they stand in fields too
	make   []string
	uses   *relation // a dictionary's table
}

// schema is what the statements of one batch run over.
type schema struct {
	tables []*relation
	dicts  []*relation
}

// setup lists the statements that make it.
func (s *schema) setup() []string {
	// Branches of an if without a common type are an error, not a Variant, which dictsvc does not have.
	all := []string{"SET allow_suspicious_low_cardinality_types = 1", "SET use_variant_as_common_type = 0"}
	for _, r := range append(append([]*relation{}, s.tables...), s.dicts...) {
		all = append(all, r.make...)
	}
	return all
}

// teardown lists the statements that drop it.
func (s *schema) teardown() []string {
	var all []string
	for _, d := range s.dicts {
		all = append(all, "DROP DICTIONARY "+d.name)
	}
	for _, t := range s.tables {
		all = append(all, "DROP TABLE "+t.name)
	}
	return all
}

// mentioned lists the statements that make what a statement names.
func (s *schema) mentioned(sql string) []string {
	var all []string
	wanted := map[*relation]bool{}
	for _, d := range s.dicts {
		if strings.Contains(sql, d.name) {
			wanted[d], wanted[d.uses] = true, true
		}
	}
	for _, r := range append(append([]*relation{}, s.tables...), s.dicts...) {
		if wanted[r] || strings.Contains(sql, r.name) {
			all = append(all, r.make...)
		}
	}
	return all
}

func newSchema(r *rand.Rand) *schema {
	s := &schema{}
	for i := range 3 {
		s.tables = append(s.tables, newTable(r, fmt.Sprintf("tab%d", i)))
	}
	for i := range 4 {
		source, d := newDictionary(r, i)
		s.tables, s.dicts = append(s.tables, source), append(s.dicts, d)
	}
	return s
}

// newTable is a table of every important class and some more, in a few blocks.
func newTable(r *rand.Rand, name string) *relation {
	types := []columnType{integerType(pick(r, "UInt8", "UInt64", "Int32")), quotedType("String", 's', someStrings...), nullable(integerType("Int64"))}
	for range 7 + r.IntN(4) {
		types = append(types, randomType(r, 2))
	}
	t := &relation{name: name}
	var columns []string
	for i, ct := range types {
		t.fields = append(t.fields, field{fmt.Sprintf("c%d", i), ct.class})
		columns = append(columns, fmt.Sprintf("c%d %s", i, ct.name))
	}
	t.make = append(t.make, fmt.Sprintf("CREATE TABLE %s (%s) ENGINE = Memory", name, strings.Join(columns, ", ")))
	for range pick(r, 1, 1, 2, 3) {
		rows := make([]string, pick(r, 1, 4, 9, 20))
		for i := range rows {
			if i > 0 && chance(r, 6) {
				rows[i] = rows[i-1]
				continue
			}
			rows[i] = row(r, types)
		}
		t.make = append(t.make, fmt.Sprintf("INSERT INTO %s VALUES %s", name, strings.Join(rows, ", ")))
	}
	return t
}

func row(r *rand.Rand, types []columnType) string {
	values := make([]string, len(types))
	for i, t := range types {
		values[i] = t.value(r)
	}
	return "(" + strings.Join(values, ", ") + ")"
}

// newDictionary is a dictionary with the table it is loaded from: half of them with a number as the key.
func newDictionary(r *rand.Rand, i int) (*relation, *relation) {
	source, d := &relation{name: fmt.Sprintf("src%d", i)}, &relation{name: fmt.Sprintf("dic%d", i)}
	d.uses = source
	var keys []columnType
	if i%2 == 0 {
		keys = []columnType{integerType("UInt64")}
	} else {
		for range 1 + r.IntN(2) {
			keys = append(keys, pick(r, quotedType("String", 's', someStrings...), integerType("Int32"), quotedType("Date", 'd', someDates...)))
		}
	}
	var attributes []columnType
	for len(attributes) < 4 {
		t := scalarType(r)
		if strings.HasPrefix(t.name, "LowCardinality") || strings.HasPrefix(t.name, "FixedString") || t.class.kind == 'b' || t.class.kind == 'e' {
			continue
		}
		if chance(r, 3) {
			t = nullable(t)
		}
		attributes = append(attributes, t)
	}
	var own, plainColumns, names []string
	for j, k := range keys {
		f := field{fmt.Sprintf("k%d", j), k.class}
		d.keys, names = append(d.keys, f), append(names, f.name)
		d.fields, own = append(d.fields, f), append(own, f.name+" "+k.name)
	}
	plainColumns = append(plainColumns, own...)
	for j, a := range attributes {
		f := field{fmt.Sprintf("v%d", j), a.class}
		text := f.name + " " + a.name
		plainColumns = append(plainColumns, text)
		wide := strings.Contains(a.name, "128") || strings.Contains(a.name, "256") // a number as a default is read through a double
		if !a.null && !wide && chance(r, 2) {
			text += " DEFAULT " + a.value(r)
		}
		d.fields, own = append(d.fields, f), append(own, text)
	}
	source.fields = d.fields
	source.make = append(source.make, fmt.Sprintf("CREATE TABLE %s (%s) ENGINE = Memory", source.name, strings.Join(plainColumns, ", ")))
	var rows []string
	seen := map[string]bool{}
	for range 4 + r.IntN(12) {
		if key := row(r, keys); !seen[key] {
			seen[key] = true
			rows = append(rows, strings.TrimSuffix(key, ")")+", "+strings.TrimPrefix(row(r, attributes), "("))
		}
	}
	source.make = append(source.make, fmt.Sprintf("INSERT INTO %s VALUES %s", source.name, strings.Join(rows, ", ")))
	layout := pick(r, "HASHED()", "SPARSE_HASHED()")
	if i%2 == 1 {
		layout = "COMPLEX_KEY_" + layout
	}
	d.make = append(d.make, fmt.Sprintf("CREATE DICTIONARY %s (%s) PRIMARY KEY %s SOURCE(CLICKHOUSE(TABLE '%s')) LAYOUT(%s) LIFETIME(0)",
		d.name, strings.Join(own, ", "), strings.Join(names, ", "), source.name, layout))
	return source, d
}
