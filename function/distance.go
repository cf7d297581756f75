package function

import (
	"dictsvc/column"
	"dictsvc/errcode"
)

func distanceFunctions() []Function {
	return []Function{
		{Name: "editDistance", MinArgs: 2, MaxArgs: 2, Bind: bindDistance("editDistance", column.UInt64, func(c *Call, a, b []byte) float64 { return editDistance(c, byteRunes(a), byteRunes(b), false) })},
		{Name: "editDistanceUTF8", MinArgs: 2, MaxArgs: 2, Bind: bindDistance("editDistanceUTF8", column.UInt64, func(c *Call, a, b []byte) float64 {
			return editDistance(c, []rune(string(a)), []rune(string(b)), false)
		})},
		{Name: "damerauLevenshteinDistance", MinArgs: 2, MaxArgs: 2, Bind: bindDistance("damerauLevenshteinDistance", column.UInt64, func(c *Call, a, b []byte) float64 { return editDistance(c, byteRunes(a), byteRunes(b), true) })},
		{Name: "byteHammingDistance", MinArgs: 2, MaxArgs: 2, Bind: bindDistance("byteHammingDistance", column.UInt64, byteHamming)},
		{Name: "jaroSimilarity", MinArgs: 2, MaxArgs: 2, Bind: bindDistance("jaroSimilarity", column.Float64, jaro)},
		{Name: "jaroWinklerSimilarity", MinArgs: 2, MaxArgs: 2, Bind: bindDistance("jaroWinklerSimilarity", column.Float64, jaroWinkler)},
	}
}

// maxDistanceString bounds the strings whose distance is computed in time that grows with the product of their lengths.
const maxDistanceString = 1 << 16

func bindDistance(name string, k column.Kind, f func(c *Call, a, b []byte) float64) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		if err := checkTexts(name, args); err != nil {
			return nil, err
		}
		t := column.Of(k)
		return result(t, func(call *Call) (column.Column, error) {
			a, b := newStrs(enumNames(call.Args[0])), newStrs(enumNames(call.Args[1]))
			out := make([]float64, call.Rows)
			for i := range out {
				x, y := a.at(i), b.at(i)
				if len(x) > maxDistanceString || len(y) > maxDistanceString {
					return nil, errcode.New(errcode.TooLargeStringSize, "The string size is too big for function %s, should be at most %d", name, maxDistanceString)
				}
				out[i] = f(call, x, y)
			}
			if k == column.UInt64 {
				return column.NewNum(t, convert[uint64](out)), nil
			}
			return column.NewNum(t, out), nil
		})
	}
}

func byteRunes(b []byte) []rune {
	out := make([]rune, len(b))
	for i, c := range b {
		out[i] = rune(c)
	}
	return out
}

// editDistance is Levenshtein's distance by rows; with swaps the exchange of neighbours is one step too.
func editDistance(call *Call, a, b []rune, swaps bool) float64 {
	prev2, prev, cur := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		call.Work(2 * len(b))
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if swaps && i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], prev2[j-2]+1)
			}
		}
		prev2, prev, cur = prev, cur, prev2
	}
	return float64(prev[len(b)])
}

func byteHamming(_ *Call, a, b []byte) float64 {
	n := max(len(a), len(b)) - min(len(a), len(b))
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			n++
		}
	}
	return float64(n)
}

func jaro(call *Call, a, b []byte) float64 {
	if len(a) == 0 && len(b) == 0 {
		return 1
	}
	window := max(max(len(a), len(b))/2-1, 0)
	usedA, usedB := make([]bool, len(a)), make([]bool, len(b))
	m := 0
	for i := range a {
		call.Work(window)
		for j := max(i-window, 0); j < min(i+window+1, len(b)); j++ {
			if !usedB[j] && a[i] == b[j] {
				usedA[i], usedB[j] = true, true
				m++
				break
			}
		}
	}
	if m == 0 {
		return 0
	}
	swaps, j := 0, 0
	for i := range a {
		if !usedA[i] {
			continue
		}
		for !usedB[j] {
			j++
		}
		if a[i] != b[j] {
			swaps++
		}
		j++
	}
	f := float64(m)
	return (f/float64(len(a)) + f/float64(len(b)) + (f-float64(swaps/2))/f) * (1.0 / 3)
}

func jaroWinkler(call *Call, a, b []byte) float64 {
	s := jaro(call, a, b)
	if s <= 0.7 {
		return s
	}
	n := 0
	for n < 4 && n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return s + float64(n)*0.1*(1-s)
}
