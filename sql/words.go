package sql

// wordSet is a set of keywords in upper case.
type wordSet map[string]struct{}

func words(list ...string) wordSet {
	set := make(wordSet, len(list))
	for _, w := range list {
		set[w] = struct{}{}
	}
	return set
}

// notAnAlias are the words that cannot name an expression without AS, notATableAlias those that cannot name a table so.
var (
	notAnAlias = words("ALL", "AND", "ANTI", "ANY", "ARRAY", "AS", "ASOF", "BETWEEN", "CROSS", "DIV", "ELSE", "EXCEPT", "FINAL",
		"FORMAT", "FROM", "FULL", "GLOBAL", "GROUP", "HAVING", "ILIKE", "IN", "INNER", "INTERSECT", "INTO", "JOIN", "LEFT", "LIKE",
		"LIMIT", "MOD", "NOT", "OFFSET", "ON", "ONLY", "OR", "ORDER", "PARALLEL", "PASTE", "PREWHERE", "QUALIFY", "REGEXP", "RIGHT",
		"SAMPLE", "SEMI", "SETTINGS", "UNION", "USING", "WHERE", "WINDOW", "WITH")
	notATableAlias = words("ALL", "ANTI", "ANY", "ARRAY", "AS", "ASOF", "BETWEEN", "CROSS", "ELSE", "EXCEPT", "FINAL",
		"FORMAT", "FROM", "FULL", "GLOBAL", "GROUP", "HAVING", "ILIKE", "INNER", "INTERSECT", "INTO", "JOIN", "LEFT", "LIKE",
		"LIMIT", "NATURAL", "NOT", "OFFSET", "ON", "ONLY", "ORDER", "PARALLEL", "PASTE", "PREWHERE", "QUALIFY", "RIGHT",
		"SAMPLE", "SELECT", "SEMI", "SETTINGS", "STREAM", "UNION", "USING", "WHERE", "WINDOW", "WITH")
)

// longestWord is the length of the longest word in the sets.
const longestWord = 16

// currentIn says whether the current token is a word of the set.
func (p *parser) currentIn(set wordSet) bool { return p.tokenIn(p.tok, set) }

func (p *parser) tokenIn(t token, set wordSet) bool {
	if t.kind != tokWord || t.end-t.pos > longestWord {
		return false
	}
	var buf [longestWord]byte
	text := p.text(t)
	for i := range len(text) {
		buf[i] = upper(text[i])
	}
	_, ok := set[string(buf[:len(text)])]
	return ok
}

func upper(c byte) byte {
	if 'a' <= c && c <= 'z' {
		return c - 'a' + 'A'
	}
	return c
}

// upperText is an ASCII text in upper case.
func upperText(s string) string {
	out := []byte(s)
	for i, c := range out {
		out[i] = upper(c)
	}
	return string(out)
}
