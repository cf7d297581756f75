package query

import (
	"strings"

	"dictsvc/agg"
	"dictsvc/errcode"
	"dictsvc/sql"
)

// aggregateName is the aggregate function that a call means: settings choose what counts distinct values, and -OrNull goes before the combinators
// that leave rows out, so that it tells whether one was left.
func (b *binder) aggregateName(f *sql.Func) string {
	name := f.Name
	lower := strings.ToLower(name)
	switch {
	case lower == "countdistinct":
		name = b.distinctCount()
	case lower == "countifdistinct", lower == "countdistinctif" && b.q.settings.flag("rewrite_count_distinct_if_with_count_distinct_implementation", false):
		name = b.distinctCount() + "If"
	case strings.HasSuffix(lower, "ifdistinct"):
		name = name[:len(name)-len("ifdistinct")] + "DistinctIf"
	}
	if f.Nulls == sql.NullsIgnore {
		name = agg.IgnoreNulls(name)
	}
	if b.q.settings.flag("aggregate_functions_null_for_empty", false) && !strings.HasSuffix(name, "OrNull") && !agg.ZeroOnNull(name) {
		if _, ok := agg.Lookup(name); ok {
			name += "OrNull"
		}
	}
	if base, ok := strings.CutSuffix(name, "OrNull"); ok && !agg.ZeroOnNull(name) {
		for _, suffix := range []string{"MergeState", "Merge", "State", "If"} {
			if inner, ok := strings.CutSuffix(base, suffix); ok {
				return inner + "OrNull" + suffix
			}
		}
	}
	return name
}

func (b *binder) distinctCount() string {
	return b.q.settings.text("count_distinct_implementation", "uniqExact")
}

// unknownAggregate is the error for a name that is no aggregate function, which a setting may have given.
func (b *binder) unknownAggregate(f *sql.Func) error {
	name := b.aggregateName(f)
	if strings.EqualFold(f.Name, "countDistinct") {
		return errcode.New(errcode.UnknownAggregateFunction, "Unknown aggregate function %s", name)
	}
	if base, ok := strings.CutSuffix(f.Name, "Null"); ok {
		if _, ok := agg.Lookup(base); ok {
			return errcode.New(errcode.UnknownAggregateFunction, "Aggregate function combinator 'Null' is only for internal usage")
		}
	}
	return b.unknownFunction(f.Name)
}
