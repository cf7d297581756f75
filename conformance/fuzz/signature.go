package fuzz

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"dictsvc/agg"
	"dictsvc/function"
)

// argument is one argument of a signature.
type argument struct {
	class  *class
	lambda []*class // of the parameters; class is the body's
	low    int      // an integer constant between low and high
	high   int
	words  []string // one of these texts as they stand
	many   bool     // once to three times
}

// signature is a line of the tables: how to write a call and of which classes the arguments and the result are.
type signature struct {
	name   string // of the function, "" for a template
	text   string
	args   []argument
	result *class
}

// parseSignature reads a line such as
//
//	arrayMap \V>W [V] -> [W]
//	round f #0..3 -> g
//	toStartOfInterval x "INTERVAL 1 DAY|INTERVAL 2 HOUR" -> t
//	($0 + $1) : i i -> i
func parseSignature(line string) signature {
	arrow := strings.LastIndex(line, " -> ")
	if arrow < 0 {
		panic("signature without a result: " + line)
	}
	head, result := line[:arrow], line[arrow+4:]
	var s signature
	s.result, _ = parseClass(strings.TrimSpace(result))
	if i := strings.LastIndex(head, " : "); i >= 0 { // the operator ? : has one too
		s.text, head = strings.TrimSpace(head[:i]), head[i+3:]
	} else {
		head = strings.TrimSpace(head)
		s.name, head, _ = strings.Cut(head, " ")
		s.text = s.name + "($*)"
	}
	for head = strings.TrimSpace(head); head != ""; head = strings.TrimSpace(head) {
		var a argument
		switch head[0] {
		case '#':
			var bounds string
			bounds, head, _ = strings.Cut(head[1:], " ")
			low, high, _ := strings.Cut(bounds, "..")
			var err error
			if a.low, err = strconv.Atoi(low); err != nil {
				panic(line)
			}
			if a.high, err = strconv.Atoi(high); err != nil {
				panic(line)
			}
		case '"':
			var words string
			words, head, _ = strings.Cut(head[1:], `"`)
			a.words = strings.Split(words, "|")
		case '\\':
			head = head[1:]
			for head[0] != '>' {
				var c *class
				c, head = parseClass(head)
				a.lambda = append(a.lambda, c)
			}
			a.class, head = parseClass(head[1:])
		default:
			a.class, head = parseClass(head)
			if strings.HasPrefix(head, "+") {
				a.many, head = true, head[1:]
			}
		}
		s.args = append(s.args, a)
	}
	return s
}

// signatures are those of one table that dictsvc has the functions for, by the kind of the result; variables and groups stand under each kind they
// may be.
type signatures map[byte][]signature

func parseSignatures(table string, has func(name string) bool) signatures {
	all, called := signatures{}, regexp.MustCompile(`(\w+)\(`)
	for line := range strings.Lines(table) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "--") {
			continue
		}
		s := parseSignature(line)
		if s.name != "" && !has(s.name) || s.name == "" && slices.ContainsFunc(called.FindAllStringSubmatch(s.text, -1), func(m []string) bool { return !hasAggregate(m[1]) && !hasFunction(m[1]) }) {
			continue
		}
		kinds := string(s.result.kind)
		switch s.result.kind {
		case 'V', 'W', 'y':
			kinds = "iwfcsdtTbeupq[({"
		case 'N', 'X', 'K', 'M':
			kinds = restrictions[s.result.kind]
		}
		for i := range kinds {
			all[kinds[i]] = append(all[kinds[i]], s)
		}
	}
	return all
}

func hasFunction(name string) bool {
	_, ok := function.Lookup(name)
	return ok || strings.HasPrefix(name, "dict") || name == "CAST"
}

func hasAggregate(name string) bool {
	base, _, _ := strings.Cut(name, "(")
	_, ok := agg.Lookup(base)
	return ok
}

// chooses tells whether a function returns one of its arguments.
func (s signature) chooses() bool {
	for _, word := range []string{"if", "multiIf", "($0 ?", "CASE", "ifNull", "coalesce", "firstNonDefault"} {
		if strings.HasPrefix(s.text, word) {
			return true
		}
	}
	return false
}

func (s signature) String() string { return fmt.Sprintf("%s -> %s", s.text, s.result) }
