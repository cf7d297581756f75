package agg

import (
	"strings"

	"dictsvc/errcode"
)

// aliases are other names of functions, in any case where that is standard SQL.
var aliases = []struct {
	name, to string
	anyCase  bool
}{
	{"BIT_AND", "groupBitAnd", true},
	{"BIT_OR", "groupBitOr", true},
	{"BIT_XOR", "groupBitXor", true},
	{"array_agg", "groupArray", true},
	{"array_concat_agg", "groupArrayArray", true},
	{"group_concat", "groupConcat", true},
	{"string_agg", "groupConcat", true},
	{"max_by", "argMax", true},
	{"min_by", "argMin", true},
	{"sparkBar", "sparkbar", false},
	{"anyRespectNulls", "any_respect_nulls", false},
	{"any_value_respect_nulls", "any_respect_nulls", false},
	{"anyValueRespectNulls", "any_respect_nulls", false},
	{"first_value_respect_nulls", "any_respect_nulls", false},
	{"firstValueRespectNulls", "any_respect_nulls", false},
	{"anyLastRespectNulls", "anyLast_respect_nulls", false},
	{"last_value_respect_nulls", "anyLast_respect_nulls", false},
	{"lastValueRespectNulls", "anyLast_respect_nulls", false},
}

func alias(name string) (string, bool) {
	for _, a := range aliases {
		if a.name == name || a.anyCase && strings.EqualFold(a.name, name) {
			return a.to, true
		}
	}
	return "", false
}

// respecting is the function that a function with RESPECT NULLS is.
func respecting(d *definition) (*definition, error) {
	switch {
	case strings.HasSuffix(d.name, "_respect_nulls"):
		return d, nil
	case d.name == "any" || d.state == "any":
		return find("any_respect_nulls"), nil
	case d.name == "anyLast" || d.state == "anyLast":
		return find("anyLast_respect_nulls"), nil
	}
	return nil, errcode.New(errcode.NotImplemented, "Function %s does not support RESPECT NULLS", d.name)
}

// IgnoreNulls is the name of a function with IGNORE NULLS.
func IgnoreNulls(name string) string {
	if base, ok := alias(name); ok {
		name = base
	}
	for _, base := range []string{"any", "anyLast"} {
		if rest, ok := strings.CutPrefix(name, base+"_respect_nulls"); ok {
			return base + rest
		}
	}
	return name
}

// ZeroOnNull tells whether a function, combinators included, counts rows: over NULL alone it gives 0.
func ZeroOnNull(name string) bool {
	if to, ok := alias(name); ok {
		name = to
	}
	if d := find(name); d != nil {
		return d.zeroOnNull()
	}
	if c := suffixOf(name); c != nil {
		return ZeroOnNull(name[:len(name)-len(c.suffix)])
	}
	return false
}
