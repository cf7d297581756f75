package agg

import "dictsvc/column"

// ShardStates is f with its states as results, for a server that merges them: its type names f with all its combinators and the types of the
// arguments as they are, since that server compares it with its own.
func ShardStates(f *Function) *Function {
	out := *f
	out.Name = f.Name + "State"
	out.Type = column.NewAggregateFunction(f.Version, fullName(f.Name)+paramText(f.Params), f.Given, codec{f})
	out.NewStates = func() States { return &stateStates{States: f.NewStates(), t: out.Type} }
	return &out
}

// fullName is a function's name with aliases resolved and all combinators kept.
func fullName(name string) string {
	if d := find(name); d != nil {
		if d.state != "" {
			return d.state
		}
		return d.name
	}
	base, comb := split(name)
	if comb == nil {
		return name
	}
	return fullName(base) + comb.suffix
}

// VersionBound tells whether the bytes of f's states differ between ClickHouse's versions, from those of 2018 on.
func VersionBound(f *Function) bool {
	name := f.Name
	for {
		switch name {
		case "topK", "topKWeighted", "quantileDeterministic", "quantilesDeterministic", "medianDeterministic":
			return true
		}
		base, comb := split(name)
		if comb == nil {
			return false
		}
		name = base
	}
}
