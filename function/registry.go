package function

import (
	"slices"
	"strings"
	"sync"
)

// registry is all functions, found by name: exact names first, then case-insensitive ones by their lower-case form.
type registry struct {
	exact map[string]*Function
	lower map[string]*Function
	names []Name
}

// Name is one name a function is found by, as system.functions lists it.
type Name struct {
	Name            string
	AliasTo         string // "" for a function's own name
	CaseInsensitive bool
}

// loaded is built at its first use and never changes after.
var loaded struct {
	once sync.Once
	*registry
}

func load() *registry {
	loaded.once.Do(func() { loaded.registry = build() })
	return loaded.registry
}

func build() *registry {
	r := &registry{exact: map[string]*Function{}, lower: map[string]*Function{}}
	anyCase := map[string]bool{}
	for _, n := range caseInsensitiveNames {
		anyCase[n] = true
	}
	aliases, refused := map[string][]Name{}, refusals()
	for _, a := range aliasNames {
		aliases[a.AliasTo] = append(aliases[a.AliasTo], a)
	}
	for _, group := range groups() {
		for i := range group {
			f := &group[i]
			f.refused = refused[f.Name]
			if anyCase[f.Name] {
				f.Flags |= CaseInsensitive
			}
			r.add(f, Name{Name: f.Name, CaseInsensitive: f.Flags&CaseInsensitive != 0})
			for _, a := range aliases[f.Name] {
				f.Aliases = append(f.Aliases, a.Name)
				r.add(f, a)
			}
		}
	}
	slices.SortFunc(r.names, func(a, b Name) int { return strings.Compare(a.Name, b.Name) })
	return r
}

func (r *registry) add(f *Function, n Name) {
	r.exact[n.Name] = f
	if n.CaseInsensitive {
		r.lower[strings.ToLower(n.Name)] = f
	}
	r.names = append(r.names, n)
}

// Lookup finds a function by its name or an alias; names that ClickHouse takes in any case are found so.
func Lookup(name string) (*Function, bool) {
	r := load()
	if f, ok := r.exact[name]; ok {
		return f, true
	}
	f, ok := r.lower[strings.ToLower(name)]
	return f, ok
}

// Names lists all names in order, aliases included.
func Names() []Name { return load().names }

// groups lists the functions by subject, one slice a file.
func groups() [][]Function {
	return [][]Function{
		arithmeticFunctions(),
		dateAddFunctions(),
		datePartFunctions(),
		dateFormatFunctions(),
		dateRoundFunctions(),
		dateDiffFunctions(),
		dateMakeFunctions(),
		aggregateFunctions(),
		mathFunctions(),
		roundFunctions(),
		bitFunctions(),
		compareFunctions(),
		logicFunctions(),
		conditionalFunctions(),
		extremeFunctions(),
		castFunctions(),
		bestEffortFunctions(),
		reinterpretFunctions(),
		arrayMakeFunctions(),
		arrayShapeFunctions(),
		arraySearchFunctions(),
		arrayLambdaFunctions(),
		mapFunctions(),
		miscFunctions(),
		stringFunctions(),
		stringPartFunctions(),
		likeFunctions(),
		stringSearchFunctions(),
		regexpFunctions(),
		splitFunctions(),
		encodeFunctions(),
		distanceFunctions(),
		hashFunctions(),
		jsonFunctions(),
		readableFunctions(),
		addressFunctions(),
		vectorFunctions(),
		bitmapFunctions(),
	}
}
