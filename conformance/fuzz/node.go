package fuzz

import (
	"strings"
)

// role tells what may be done with a node to make a statement smaller.
type role uint8

const (
	fixed    role = iota // stays
	operand              // an expression or a query: one of the same role below it may stand in its place
	list                 // children with sep between them, at least min of them
	optional             // may be left out
)

// node is a piece of a statement: a text in which $0 $1 ... stand for the children, and $* for all of them with commas.
type node struct {
	role  role
	query bool // of an operand: a query, not an expression
	text  string
	sep   string // of a list
	min   int
	gone  bool // of an optional one
	kids  []*node
	class *class // of an expression
}

func text(s string) *node { return &node{text: s} }

func expression(c *class, text string, kids ...*node) *node {
	return &node{role: operand, text: text, kids: kids, class: c}
}

func maybe(n ...*node) *node { return &node{role: optional, sep: "", kids: n} }

func listOf(sep string, min int, kids ...*node) *node {
	return &node{role: list, sep: sep, min: min, kids: kids}
}

func sequence(kids ...*node) *node { return &node{role: fixed, sep: "", kids: kids} }

func queryOf(kids ...*node) *node { return &node{role: operand, query: true, kids: kids} }

func (n *node) String() string {
	var b strings.Builder
	n.write(&b)
	return strings.TrimSpace(b.String())
}

func (n *node) write(b *strings.Builder) {
	if n.gone {
		return
	}
	if n.text == "" {
		for i, k := range n.kids {
			if i > 0 {
				b.WriteString(n.sep)
			}
			k.write(b)
		}
		return
	}
	for s := n.text; s != ""; {
		i := strings.IndexByte(s, '$')
		if i < 0 || i+1 == len(s) {
			b.WriteString(s)
			return
		}
		b.WriteString(s[:i])
		switch c := s[i+1]; {
		case c == '*':
			for j, k := range n.kids {
				if j > 0 {
					b.WriteString(", ")
				}
				k.write(b)
			}
		case c >= '0' && c <= '9':
			n.kids[c-'0'].write(b)
		default:
			b.WriteString(s[i : i+2])
		}
		s = s[i+2:]
	}
}

// clone is a deep copy.
func (n *node) clone() *node {
	c := *n
	c.kids = make([]*node, len(n.kids))
	for i, k := range n.kids {
		c.kids[i] = k.clone()
	}
	return &c
}
