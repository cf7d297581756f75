package fuzz

import (
	"strings"
)

// aggregateSignatures are aggregates whose answer does not depend on the order of rows.
func aggregateSignatures() signatures { return parseSignatures(aggregateTable, hasAggregate) }

const aggregateTable = `
count -> w
count y -> w
count(DISTINCT $0) : V -> w
count(DISTINCT $0, $1) : k k -> w
uniqExact y+ -> w
uniqCombined k -> i
uniqCombined(14) k -> i
uniqCombined64 k -> i
uniqHLL12 k -> i
uniq k -> i
uniqUpTo(5) k -> i
sum i -> w
sum w -> w
min w -> w
avg w -> g
groupBitAnd w -> w
sum f -> f
sum c -> c
sum b -> i
sumWithOverflow i -> i
sumWithOverflow w -> w
sumKahan f -> g
avg n -> g
avg b -> g
avgWeighted i i -> g
min K -> K
max K -> K
argMin($0, (coalesce(toString($1), ''), coalesce(toString($0), ''))) : K k -> K
argMax($0, (coalesce(toString($1), ''), coalesce(toString($0), ''))) : K k -> K
groupBitAnd i -> i
groupBitOr i -> i
groupBitXor i -> i
groupBitmap i -> i
arraySort(groupArray($0)) : V -> [V]
arraySort(groupUniqArray($0)) : V -> [V]
length(groupArray(2)($0)) : V -> i
length(groupUniqArray(2)($0)) : V -> i
groupArraySorted(3) i -> [i]
groupArraySorted(2) s -> [s]
quantile n -> g
quantile(0.9) n -> g
quantiles(0.1,0.5) i -> [g]
quantileExact i -> i
quantileExact(0.25) f -> f
quantileExactLow i -> i
quantileExactHigh i -> i
quantilesExact(0.1,0.9) i -> [i]
median i -> g
medianExact c -> c
varPop n -> g
varSamp i -> g
stddevPop n -> g
stddevSamp f -> g
covarPop i i -> g
covarSamp f i -> g
corr i f -> g
sumMap {ii} -> {ii}
minMap {ii} -> {ii}
maxMap {sc} -> {sc}
entropy k -> g
arraySort(topK(50)($0)) : s -> [s]
sumCount i -> (ii)
boundingRatio i i -> g
`

// combinators that leave the answer free of the order of rows, and what they make of classes. They are put between the name and its parameters.
func (g *gen) combine(s signature) signature {
	if s.name == "" || chance(g.r, 2) {
		return s
	}
	base, params := s.name, ""
	if i := strings.IndexByte(s.name, '('); i >= 0 {
		base, params = s.name[:i], s.name[i:]
	}
	b := of('b')
	for range pick(g.r, 1, 1, 1, 2) {
		suffix := pick(g.r, "If", "If", "If", "OrNull", "OrDefault", "Distinct", "Array", "ForEach", "Map")
		if strings.Contains(base, suffix) || !hasAggregate(base+suffix) || suffix == "Distinct" && (strings.Contains(base, "If") || s.result.has('g')) {
			continue
		}
		args := append([]argument{}, s.args...)
		one := len(args) == 1 && args[0].class != nil && !args[0].many && args[0].class.kind != '{'
		switch suffix {
		case "If":
			if len(args) > 0 && args[len(args)-1].many {
				continue
			}
			args = append(args, argument{class: b})
		case "Array":
			if !one {
				continue
			}
			args[0].class = of('[', args[0].class)
		case "ForEach":
			if !one || s.result.kind == '[' {
				continue
			}
			args[0].class = of('[', args[0].class)
			s.result = of('[', s.result)
		case "Map":
			if !one {
				continue
			}
			args[0].class = of('{', of('i'), args[0].class)
			s.result = of('{', of('i'), s.result)
		}
		base, s.args = base+suffix, args
	}
	s.name = base + params
	s.text = s.name + "($*)"
	return s
}
