package query

import (
	"slices"
	"strings"

	"dictsvc/errcode"
	"dictsvc/sql"
)

// explainStatement runs EXPLAIN [PLAN], SYNTAX, AST, PIPELINE and ESTIMATE.
func (q *run) explainStatement(s *sql.Explain) error {
	lines := func(text string) error {
		return q.reply(&s.Output, textColumns("explain"), func(add func(...any)) {
			for _, l := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
				add(l)
			}
		})
	}
	if err := explainSettings(s); err != nil {
		return err
	}
	switch s.Kind {
	case sql.ExplainAst:
		return lines(sql.ExplainAST(s.Query))
	case sql.ExplainSyntax:
		return lines(sql.FormatPretty(s.Query))
	case sql.ExplainPlan, sql.ExplainPipeline:
		sq, ok := s.Query.(*sql.SelectQuery)
		if !ok {
			return errcode.New(errcode.IncorrectQuery, "Only SELECT is supported for EXPLAIN query")
		}
		p, err := q.bindQuery(sq, nil)
		if err != nil {
			return err
		}
		e := explainer{header: explainFlag(s, "header")}
		if err := e.relation(p, nil, 0, q); err != nil {
			return err
		}
		return lines(e.b.String())
	case sql.ExplainEstimate:
		cols := sysColumns("database", "String", "table", "String", "parts", "UInt64", "rows", "UInt64", "marks", "UInt64")
		return q.reply(&s.Output, cols, func(func(...any)) {})
	}
	return errcode.New(errcode.NotImplemented, "This kind of EXPLAIN is not supported; there are PLAN, SYNTAX, AST and PIPELINE")
}

// explainSettings checks the names of EXPLAIN's own settings, and that they are 0 or 1; query_tree_passes is any number.
func explainSettings(s *sql.Explain) error {
	var kind, names string
	switch s.Kind {
	case sql.ExplainPlan:
		kind, names = "PLAN", "header description actions indexes sorting optimize json distributed projections keep_logical_steps compact column_structure input_headers pretty estimates"
	case sql.ExplainPipeline:
		kind, names = "PIPELINE", "header graph compact distributed compact_repeated_processor_chains"
	case sql.ExplainAst:
		kind, names = "AST", "graph optimize"
	case sql.ExplainSyntax:
		kind, names = "SYNTAX", "oneline run_query_tree_passes query_tree_passes"
	default:
		return nil
	}
	for _, st := range s.Settings {
		if !slices.Contains(strings.Fields(names), st.Name) {
			return errcode.New(errcode.UnknownSetting, "Unknown setting \"%s\" for EXPLAIN %s query. Supported settings: %s", st.Name, kind, strings.ReplaceAll(names, " ", ", "))
		}
		if st.Value.Kind != sql.UInt64Value && st.Value.Kind != sql.BoolValue {
			return errcode.New(errcode.InvalidSettingValue, "Invalid type for setting \"%s\" only integer settings are supported", st.Name)
		}
		if t := st.Value.Text(); t != "0" && t != "1" && t != "true" && t != "false" && st.Name != "query_tree_passes" {
			return errcode.New(errcode.InvalidSettingValue, "Invalid value %s for setting \"%s\". Expected boolean type", t, st.Name)
		}
	}
	return nil
}

func explainFlag(s *sql.Explain, name string) bool {
	for _, st := range s.Settings {
		if st.Name == name {
			t := st.Value.Text()
			return t == "1" || t == "true"
		}
	}
	return false
}

// explainer writes a plan, the last step first, two spaces a level.
type explainer struct {
	b      strings.Builder
	header bool
}

func (e *explainer) line(depth int, text string) {
	e.b.WriteString(strings.Repeat("  ", depth))
	e.b.WriteString(text)
	e.b.WriteByte('\n')
}

func (e *explainer) columns(depth int, r relation) {
	if !e.header {
		return
	}
	for i, c := range r.columns() {
		head := "        "
		if i == 0 {
			head = "Header: "
		}
		e.line(depth, head+c.Name+" "+c.Type.String())
	}
}

func (e *explainer) relation(r relation, fixed []fixed, depth int, q *run) error {
	switch r := r.(type) {
	case *selectPlan:
		return e.selectPlan(r, fixed, depth, q)
	case *unionPlan:
		e.line(depth, r.explain())
		e.columns(depth, r)
		for _, p := range r.parts {
			if err := e.relation(p, nil, depth+1, q); err != nil {
				return err
			}
		}
	case *setPlan:
		e.line(depth, r.explain())
		for _, p := range []relation{r.left, r.right} {
			if err := e.relation(p, nil, depth+1, q); err != nil {
				return err
			}
		}
	case *joinPlan:
		if r.swaps() {
			r = r.swapped()
		}
		e.line(depth, r.explain())
		e.columns(depth, r)
		sides := []relation{r.left.source(r), r.right.source(r)}
		if r.direct() != nil {
			sides = sides[:1]
		}
		for _, p := range sides {
			if err := e.relation(p, nil, depth+1, q); err != nil {
				return err
			}
		}
	case *renamed:
		return e.relation(r.relation, fixed, depth, q)
	default:
		e.line(depth, r.explain())
		e.columns(depth, r)
	}
	return nil
}

func (e *explainer) selectPlan(p *selectPlan, outer []fixed, depth int, q *run) error {
	step := func(used bool, text string) {
		if used {
			e.line(depth, text)
			depth++
		}
	}
	e.line(depth, "Expression (Projection)")
	e.columns(depth, p)
	depth++
	step(p.limit != noLimit, "Limit (LIMIT)")
	step(p.limit == noLimit && p.offset != (amount{}), "Offset")
	step(p.fill != nil, "Filling")
	step(p.limitBy != nil, "LimitBy")
	step(len(p.order) > 0, "Sorting (Sorting for ORDER BY)")
	step(p.distinct, "Distinct")
	step(p.qualify != nil, "Filter (QUALIFY)")
	for i := len(p.windows) - 1; i >= 0; i-- {
		w := &p.windows[i]
		step(true, "Window (Window step for window '"+w.spec.text()+"')")
		step(w.sort && len(w.keys) > 0, "Sorting (Sorting for window '"+w.spec.text()+"')")
	}
	step(p.totals, "TotalsHaving")
	step(p.having != nil && !p.totals, "Filter (HAVING)")
	if p.rollup != nil {
		step(p.rollup.kind != "Aggregating", p.rollup.kind)
	}
	step(p.aggregated, "Aggregating")
	if p.where != nil {
		step(true, "Filter (WHERE): "+exprText(p.where))
	}
	step(p.array != nil, "ArrayJoin (ARRAY JOIN)")
	if len(p.source) == 0 {
		e.line(depth, "ReadFromSystemOne")
		return nil
	}
	if err := p.fillSets(q); err != nil { // a look-up shows how many keys it has
		return err
	}
	rel, fixed := p.lookup(outer)
	return e.relation(rel, fixed, depth, q)
}
