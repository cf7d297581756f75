package fuzz

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// class is what the grammar knows of a type: enough to choose functions that fit, not the type itself. Kinds:
//
//	i integer that Int64 holds   w wider integer or UInt64   f float whose sums are exact   g any float   c Decimal   s String   d Date   t DateTime   T DateTime64
//	b Bool or condition   e Enum   u UUID   p IPv4   q IPv6
//	[ Array   ( Tuple   { Map
//
// and, in signatures, groups and variables:
//
//	n number (i f c)   x date or time (d t T)   k scalar that can be compared   y anything
//	V W variables   N X K variables for numbers, times, scalars   M variable for keys of a Map
type class struct {
	kind  byte
	elems []*class
}

func of(kind byte, elems ...*class) *class { return &class{kind, elems} }

const (
	numberKinds = "ifc"
	timeKinds   = "dtT"
	scalarKinds = "iiiiwfcssssdtTbeupq"
)

func (c *class) String() string {
	s := string(c.kind)
	for _, e := range c.elems {
		s += e.String()
	}
	switch c.kind {
	case '[':
		s += "]"
	case '(':
		s += ")"
	case '{':
		s += "}"
	}
	return s
}

func (c *class) equal(o *class) bool { return c.String() == o.String() }

// has tells whether a kind occurs in the class.
func (c *class) has(kind byte) bool {
	if c.kind == kind {
		return true
	}
	for _, e := range c.elems {
		if e.has(kind) {
			return true
		}
	}
	return false
}

// bindings are the classes of a signature's variables.
type bindings map[byte]*class

// unify tells whether a class is an instance of a pattern; variables of the pattern are bound.
func unify(pattern, c *class, b bindings) bool {
	switch pattern.kind {
	case 'V', 'W', 'N', 'X', 'K', 'M':
		if bound, ok := b[pattern.kind]; ok {
			return bound.equal(c)
		}
		if group := restrictions[pattern.kind]; group != "" && strings.IndexByte(group, c.kind) < 0 {
			return false
		}
		b[pattern.kind] = c
		return true
	case 'n':
		return strings.IndexByte(numberKinds, c.kind) >= 0
	case 'x':
		return strings.IndexByte(timeKinds, c.kind) >= 0
	case 'k':
		return c.kind != 'g' && len(c.elems) == 0
	case 'y':
		return c.kind != 'g'
	}
	if pattern.kind != c.kind || len(pattern.elems) != len(c.elems) {
		return false
	}
	for i := range pattern.elems {
		if !unify(pattern.elems[i], c.elems[i], b) {
			return false
		}
	}
	return true
}

// restrictions are the kinds that a variable may stand for; a variable without one is free.
var restrictions = map[byte]string{'N': numberKinds, 'X': timeKinds, 'K': "iwfcsdtTbeupq", 'M': "isdue"}

// instance makes a class of a pattern; variables that are not bound get a random class.
func instance(r *rand.Rand, pattern *class, b bindings) *class {
	switch pattern.kind {
	case 'V', 'W':
		if b[pattern.kind] == nil {
			b[pattern.kind] = randomClass(r, 1)
		}
		return b[pattern.kind]
	case 'N', 'X', 'K', 'M':
		if b[pattern.kind] == nil {
			kinds := restrictions[pattern.kind]
			b[pattern.kind] = of(kinds[r.IntN(len(kinds))])
		}
		return b[pattern.kind]
	case 'n':
		return of(numberKinds[r.IntN(len(numberKinds))])
	case 'x':
		return of(timeKinds[r.IntN(len(timeKinds))])
	case 'k':
		return randomClass(r, 0)
	case 'y':
		return randomClass(r, 1)
	}
	out := of(pattern.kind)
	for _, e := range pattern.elems {
		out.elems = append(out.elems, instance(r, e, b))
	}
	return out
}

// randomClass is a class of values that may be a key: no inexact floats in it. deep allows arrays, tuples and maps.
func randomClass(r *rand.Rand, deep int) *class {
	if deep > 0 {
		switch r.IntN(12) {
		case 0, 1:
			return of('[', randomClass(r, deep-1))
		case 2:
			return of('(', withoutDecimals(randomClass(r, deep-1)), withoutDecimals(randomClass(r, deep-1)))
		case 3:
			return of('{', of("is"[r.IntN(2)]), randomClass(r, deep-1))
		}
	}
	return of(scalarKinds[r.IntN(len(scalarKinds))])
}

// parseClass reads the notation above from the front of a text and returns the rest.
func parseClass(s string) (*class, string) {
	if s == "" {
		panic("class: nothing to read")
	}
	c := of(s[0])
	s = s[1:]
	end := map[byte]byte{'[': ']', '(': ')', '{': '}'}[c.kind]
	if end == 0 {
		if !strings.Contains("iwfgcsdtTbeupqnxkyVWNXKM", string(c.kind)) {
			panic(fmt.Sprintf("class: unknown kind %q", c.kind))
		}
		return c, s
	}
	for s[0] != end {
		var e *class
		e, s = parseClass(s)
		c.elems = append(c.elems, e)
	}
	return c, s[1:]
}

// withoutDecimals keeps Decimals out of tuples: branches of an if with tuples of other scales are an error of ClickHouse's alone.
func withoutDecimals(c *class) *class {
	if c.has('c') {
		return of('i')
	}
	return c
}
