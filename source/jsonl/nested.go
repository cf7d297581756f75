package jsonl

import (
	"dictsvc/column"
	"dictsvc/errcode"
)

// recode gives the errors of a list's elements the list's code, as ClickHouse does; those of the file's own shape stay.
func recode(err *rowError, code errcode.Code) *rowError {
	switch {
	case err == more || err.code == errcode.TooDeepRecursion || err.code == errcode.CannotParseEscapeSequence || err.code == errcode.ValueIsOutOfRangeOfDataType:
	default:
		err.code = code
	}
	return err
}

// open passes an opening bracket; a value that begins otherwise is an error that says what the column wants.
func (p *parser) open(c byte, t *column.Type, code errcode.Code) *rowError {
	if p.b[p.i] == c {
		p.i++
		return nil
	}
	start := p.i
	if err := p.skip(0); err != nil {
		return err
	}
	return p.wrong(t, start, code)
}

func (p *parser) array(c *column.Arr, depth int) *rowError {
	if err := p.open('[', c.T, errcode.CannotReadArrayFromText); err != nil {
		return err
	}
	before := c.Elem.Len()
	for done := p.empty(']'); !done; {
		err := p.value(c.Elem, nil, depth+1)
		if err == nil {
			done, err = p.next(']')
		}
		if err != nil {
			c.Elem.Truncate(before)
			return recode(err, errcode.CannotReadArrayFromText)
		}
	}
	c.EndRow()
	return nil
}

// tuple reads an object of named elements, or an array of unnamed ones.
func (p *parser) tuple(c *column.Tup, depth int) *rowError {
	n := c.N
	undo := func(err *rowError) *rowError {
		c.Truncate(n)
		return err
	}
	if c.T.Names != nil {
		if err := p.members(c, depth); err != nil {
			return undo(err)
		}
		c.N = n + 1
		return nil
	}
	start := p.i
	if err := p.open('[', c.T, errcode.CannotParseInputAssertionFailed); err != nil {
		return err
	}
	for k, e := range c.Elems {
		if k == 0 && p.empty(']') {
			return undo(p.wrong(c.T, start, errcode.CannotParseInputAssertionFailed))
		}
		if err := p.value(e, nil, depth+1); err != nil {
			return undo(err)
		}
		done, err := p.next(']')
		if err != nil {
			return undo(err)
		}
		if done != (k == len(c.Elems)-1) {
			return undo(&rowError{at: start, code: errcode.CannotParseInputAssertionFailed, text: "want " + c.T.String() + ", got another number of elements"})
		}
	}
	c.N = n + 1
	return nil
}

// members reads an object into a tuple's elements; those it has no member for get their defaults, other members are passed over.
func (p *parser) members(c *column.Tup, depth int) *rowError {
	if err := p.open('{', c.T, errcode.CannotParseInputAssertionFailed); err != nil {
		return err
	}
	row := c.N
	for done := p.empty('}'); !done; {
		name, err := p.key()
		if err != nil {
			return err
		}
		at := -1
		for k, e := range c.T.Names {
			if e == string(name) {
				at = k
				break
			}
		}
		switch {
		case at < 0:
			err = p.skip(depth + 1)
		case c.Elems[at].Len() > row:
			return p.fault(errcode.IncorrectData, "the name %s comes twice in an object", clip(name))
		default:
			err = p.value(c.Elems[at], nil, depth+1)
		}
		if err != nil {
			return err
		}
		if done, err = p.next('}'); err != nil {
			return err
		}
	}
	for _, e := range c.Elems {
		if e.Len() == row {
			appendDefault(e)
		}
	}
	return nil
}

func (p *parser) mapping(c *column.MapColumn, depth int) *rowError {
	if err := p.open('{', c.T, errcode.CannotParseInputAssertionFailed); err != nil {
		return err
	}
	t := c.Arr.Elem.(*column.Tup)
	before := t.N
	undo := func(err *rowError) *rowError {
		t.Truncate(before)
		return err
	}
	for done := p.empty('}'); !done; {
		p.space()
		start := p.i
		key, err := p.key()
		if err != nil {
			return undo(err)
		}
		if code := p.mapKey(t.Elems[0], key); code != 0 {
			return undo(&rowError{at: start, code: code, text: "want a key of " + c.T.String() + ", got " + clip(key)})
		}
		if err := p.value(t.Elems[1], nil, depth+1); err != nil {
			return undo(err)
		}
		t.N++
		if done, err = p.next('}'); err != nil {
			return undo(err)
		}
	}
	c.Arr.EndRow()
	return nil
}

func (p *parser) mapKey(dst column.Column, key []byte) errcode.Code {
	switch c := dst.(type) {
	case *column.Str:
		c.Append(key)
		return 0
	case *column.LowCard:
		one := p.one(c.T.Elems[0])
		one.Truncate(0)
		if code := p.mapKey(one, key); code != 0 {
			return code
		}
		c.Index = append(c.Index, c.Code(one, 0))
		return 0
	}
	if dst.Type().Kind == column.Bool {
		return fromNumber(dst, key)
	}
	return fromText(dst, key)
}
