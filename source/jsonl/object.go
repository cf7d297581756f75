package jsonl

import (
	"fmt"
	"math"
	"strings"
	"unsafe"

	"dictsvc/errcode"
)

// node is a field as written: all from the end of the value before it (or the opening brace) to its own value, such as `, "name": `.
type node struct {
	text  string
	words [2]uint64 // its first bytes
	masks [2]uint64
	col   int32
	op    op
	loose bool // its name differs from the column's in case
	// learnt nodes may be linked: their text is short and has no zero byte, which could be taken for padding.
	learnt bool
	// The nodes that followed it last: next most lately, other before that.
	next, other *node
}

const (
	maxNodes    = 4096 // that a parser learns
	maxNodeText = 512
)

// matches tells whether a node stands at place i.
func (n *node) matches(p *parser, i int) bool {
	if (load(p.base, i)^n.words[0])&n.masks[0]|(load(p.base, i+8)^n.words[1])&n.masks[1] != 0 {
		return false
	}
	return len(n.text) <= 16 || i+len(n.text) <= len(p.b) && string(p.b[i+16:i+len(n.text)]) == n.text[16:]
}

// object reads one row; p.i stands behind its brace. It is one long function so that the place and the parser's fields stay in registers:
// a row of five fields takes about 170 cycles.
func (p *parser) object() *rowError {
	found := 0 // fields with a column
	row := p.rows
	base := p.base
	prev := &p.root
	i := p.i
	for fields := 0; ; fields++ {
		n := prev.next
		if n == nil || (load(base, i)^n.words[0])&n.masks[0]|(load(base, i+8)^n.words[1])&n.masks[1] != 0 || len(n.text) > 16 && !n.matches(p, i) {
			if n = prev.other; n == nil || !n.matches(p, i) {
				p.i = i
				var err *rowError
				if n, err = p.field(prev); err != nil {
					return err
				}
				if n == nil {
					break
				}
				if fields >= maxFields {
					return p.fault(errcode.TooManyColumns, "a row has more than %d fields", maxFields)
				}
			}
		}
		i += len(n.text)
		o := n.op
		col := int(n.col)
		if col >= 0 {
			if p.seen[col] == p.row {
				p.i = i
				pass, err := p.again(n)
				if err != nil {
					return err
				}
				found--
				if pass {
					o, col = opSkip, -1
				}
			}
			if n.loose && col >= 0 {
				p.loose[col] = p.row
			}
			found++
		}
		if col >= 0 {
			p.seen[col] = p.row
			s := &p.slots[col]
			if s.nulls != nil {
				*(*uint8)(unsafe.Add(s.nulls, row)) = 0
			}
			switch o {
			case opString:
				if at(base, i) == '"' {
					if s.room-s.used < plainMax+8 {
						s.reserve(plainMax + 8)
					}
					if k := copyPlain(unsafe.Add(s.data, s.used), unsafe.Add(base, i+1)); k >= 0 {
						s.used += k
						*(*uint64)(unsafe.Add(s.ends, 8*row)) = uint64(s.used)
						i += k + 2
						goto behind
					} else if k == plainLong && i+1 < len(p.b) {
						if k := longPlain(p.b[i+1:]); k >= 0 {
							s.reserve(k)
							copy(unsafe.Slice((*byte)(unsafe.Add(s.data, s.used)), k), p.b[i+1:])
							s.used += k
							*(*uint64)(unsafe.Add(s.ends, 8*row)) = uint64(s.used)
							i += k + 2
							goto behind
						}
					}
				}
			case opUint64:
				if v, k := digits(base, i); k > 0 && ends(at(base, i+k)) {
					*(*uint64)(unsafe.Add(s.data, 8*row)) = v
					i += k
					goto behind
				}
			case opUint32, opUint16, opUint8:
				if v, k := digits(base, i); k > 0 && v>>(8*uint(s.width)) == 0 && ends(at(base, i+k)) {
					s.put(row, v)
					i += k
					goto behind
				}
			case opInt64, opInt32, opInt16, opInt8:
				neg := at(base, i) == '-'
				j := i
				if neg {
					j++
				}
				if v, k := digits(base, j); k > 0 && v>>(8*uint(s.width)-1) == 0 && ends(at(base, j+k)) {
					if neg {
						v = -v
					}
					s.put(row, v)
					i = j + k
					goto behind
				}
			case opFloat64:
				if m, scale, neg, k := decimalText(base, i); k > 0 && ends(at(base, i+k)) {
					f := float64(m)
					if scale > 0 {
						f /= floatTens[scale]
					}
					if neg {
						f = -f
					}
					*(*float64)(unsafe.Add(s.data, 8*row)) = f
					i += k
					goto behind
				}
				if f, k := longFloat(p.b[min(i, len(p.b)):]); k > 0 {
					*(*float64)(unsafe.Add(s.data, 8*row)) = f
					i += k
					goto behind
				}
			case opFloat32:
				if m, scale, neg, k := decimalText(base, i); k > 0 && m < 1<<24 && scale <= 10 && ends(at(base, i+k)) {
					f := float32(m) / float32(floatTens[scale])
					if neg {
						f = -f
					}
					*(*uint32)(unsafe.Add(s.data, 4*row)) = math.Float32bits(f)
					i += k
					goto behind
				}
			case opOther:
				if v, k := plainOther(s.t, base, i); k > 0 && ends(at(base, i+k)) {
					s.put(row, v)
					i += k
					goto behind
				}
			}
			p.i = i
			if err := p.odd(s, col); err != nil {
				if err != more && err.column == "" {
					err.column = p.o.Columns[col].Name
				}
				return err
			}
			i = p.i
		} else {
			p.i = i
			if err := p.pass(); err != nil {
				return err
			}
			i = p.i
		}
	behind:
		if at(base, i) == '}' {
			p.i = i + 1
			break
		}
		prev = n
	}
	if found < len(p.slots) {
		for k := range p.slots {
			if p.o.Columns[k].Required && p.seen[k] != p.row {
				name := p.o.Columns[k].Name
				e := p.fault(errcode.IncorrectData, "the row has no field %q", name)
				e.column = name
				return e
			}
		}
		p.missing()
	}
	return nil
}

// odd reads a value that the fast paths do not.
func (p *parser) odd(s *slot, col int) *rowError {
	c := p.cols[col]
	if p.o.Columns[col].Required && uint32(load(p.base, p.i)) == 'n'|'u'<<8|'l'<<16|'l'<<24 {
		return p.fault(errcode.IncorrectData, "field %q is null", p.o.Columns[col].Name)
	}
	if s.op == opGeneral {
		return p.value(c, p.o.Columns[col].Default, 0)
	}
	if s.nulls != nil && uint32(load(p.base, p.i)) == 'n'|'u'<<8|'l'<<16|'l'<<24 {
		p.i += 4
		s.putNull(p.rows)
		return nil
	}
	s.sync(c, p.rows)
	err := p.value(c, p.o.Columns[col].Default, 0)
	if s.op == opString {
		s.hold()
	}
	return err
}

// missing gives the columns that the row has no field for their defaults.
func (p *parser) missing() {
	for k, c := range p.cols {
		if p.seen[k] == p.row {
			continue
		}
		s := &p.slots[k]
		switch {
		case s.nullDefault:
			s.putNull(p.rows)
		case s.plainDefault:
			if s.nulls != nil {
				*(*uint8)(unsafe.Add(s.nulls, p.rows)) = 0
			}
			s.put(p.rows, s.bits)
		default:
			s.sync(c, p.rows)
			c.AppendRange(p.o.Columns[k].Default, 0, 1)
			if s.op == opString {
				s.hold()
			}
		}
	}
}

// again decides on a field whose column has a value already: one written letter by letter as the column takes the place of one that
// differs in case, and such a one is passed over; else it is a duplicate.
func (p *parser) again(n *node) (pass bool, err *rowError) {
	col := n.col
	if n.loose {
		return true, nil
	}
	if p.loose[col] != p.row {
		name := p.o.Columns[col].Name
		return false, &rowError{at: p.i, code: errcode.IncorrectData, column: name, text: "Duplicate field found while parsing JSONEachRow format: " + name}
	}
	p.loose[col] = 0
	s := &p.slots[col]
	if s.op == opGeneral {
		p.cols[col].Truncate(p.rows)
	} else {
		s.rewind(p.rows)
	}
	return false, nil
}

// field reads a field's name the general way, p.i standing behind the value before it (or behind the brace, prev being the root), and
// learns that it may follow prev. nil: the object ended.
func (p *parser) field(prev *node) (*node, *rowError) {
	start := p.i
	p.space()
	if p.i == len(p.b) {
		return nil, more
	}
	first := prev == &p.root
	switch c := p.b[p.i]; {
	case c == '}':
		p.i++
		return nil, nil
	case first:
	case c == ',':
		p.i++
		p.space()
	default:
		return nil, p.fault(errcode.CannotParseInputAssertionFailed, "got %s, want ',' or '}'", p.here())
	}
	if p.i == len(p.b) {
		return nil, more
	}
	name, err := p.str()
	if err != nil {
		return nil, err
	}
	p.space()
	if p.i == len(p.b) {
		return nil, more
	}
	if p.b[p.i] != ':' {
		return nil, p.fault(errcode.CannotParseInputAssertionFailed, "got %s behind field name %q, want ':'", p.here(), name)
	}
	p.i++
	p.space()
	if p.i == len(p.b) {
		return nil, more
	}
	text := p.b[start:p.i]
	n := p.known[string(text)]
	if n == nil {
		if n, err = p.learn(string(text), name); err != nil {
			return nil, err
		}
	}
	if n.learnt && prev.next != n {
		prev.next, prev.other = n, prev.next
	}
	p.i = start
	return n, nil
}

// learn makes a node.
func (p *parser) learn(text string, name []byte) (*node, *rowError) {
	n := &node{text: text, col: -1, op: opSkip}
	if c, ok := p.names[string(name)]; ok {
		n.col, n.op = int32(c), p.slots[c].op
	} else if c, ok := p.lower[lowerASCII(string(name))]; ok && c >= 0 {
		n.col, n.op, n.loose = int32(c), p.slots[c].op, true
	} else if p.o.RefuseUnknown {
		return nil, p.fault(errcode.IncorrectData, "Unknown field found while parsing JSONEachRow format: %s", clip(name))
	}
	n.words, n.masks = words([]byte(text))
	if !p.o.general && len(p.known) < maxNodes && len(text) <= maxNodeText && strings.IndexByte(text, 0) < 0 {
		n.learnt = true
		p.known[text] = n
	}
	return n, nil
}

func lowerASCII(s string) string {
	for i := range len(s) {
		if s[i] >= 'A' && s[i] <= 'Z' {
			b := []byte(s)
			for ; i < len(b); i++ {
				if b[i] >= 'A' && b[i] <= 'Z' {
					b[i] += 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return s
}

// rowError is a fault at a byte of a chunk.
type rowError struct {
	at     int
	code   errcode.Code
	column string
	text   string
}

func (e *rowError) Error() string { return e.text }

// more says that the chunk ends inside a row.
var more = &rowError{text: "the row is cut short"}

func (p *parser) fault(code errcode.Code, format string, args ...any) *rowError {
	return &rowError{at: p.i, code: code, text: fmt.Sprintf(format, args...)}
}
