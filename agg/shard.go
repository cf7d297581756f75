package agg

import (
	"strings"

	"dictsvc/column"
)

// ShardStates is f with its states as results, for a server that merges them: its type names f with all its combinators and the types of the
// arguments as they are, since that server compares it with its own.
func ShardStates(f *Function) *Function {
	out := *f
	out.Name = f.Name + "State"
	out.Type = column.NewAggregateFunction(f.Version, f.canon+f.paramText(), f.Given, codec{f})
	out.NewStates = func() States { return &stateStates{States: f.NewStates(), t: out.Type} }
	return &out
}

// VersionBound tells whether f's states, their bytes or name, differ between ClickHouse's versions, from those of 2018 on.
func VersionBound(f *Function) bool {
	if strings.HasPrefix(f.canon, "nothing") || strings.Contains(f.canon, "Map") && narrowValues(f.Args) {
		return true
	}
	name := f.Name
	for {
		switch name {
		case "topK", "topKWeighted", "quantileDeterministic", "quantilesDeterministic", "medianDeterministic":
			return true
		}
		c := suffixOf(name)
		if c == nil {
			return false
		}
		name = name[:len(name)-len(c.suffix)]
	}
}

// narrowValues tells whether there are arrays among the arguments whose values sumMap promotes: old versions have them in their own width in states.
func narrowValues(args []*column.Type) bool {
	if len(args) > 0 && args[0].Kind == column.Tuple {
		args = append(append([]*column.Type(nil), args[0].Elems...), args[1:]...)
	}
	for i, t := range args {
		if i > 0 && t.Kind == column.Array && !promoted(t.Elems[0]).Equal(t.Elems[0]) {
			return true
		}
	}
	return false
}
