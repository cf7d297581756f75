package agg

import (
	"math"
	"strings"

	"dictsvc/column"
	"dictsvc/errcode"
)

// paramText is the parameters as the type of f's states names them.
func (f *Function) paramText() string {
	if f.unnamedParams {
		return ""
	}
	return paramText(f.Params)
}

// paramText is the parameters of a function as its name in a type shows them, "(0.5, 'a')"; nothing where there are none.
func paramText(params []column.Column) string {
	if len(params) == 0 {
		return ""
	}
	var b []byte
	for i, p := range params {
		if i == 0 {
			b = append(b, '(')
		} else {
			b = append(b, ", "...)
		}
		b = append(b, column.FieldText(p, 0)...)
	}
	return string(append(b, ')'))
}

// parseName splits "quantile(0.5)" into the name and its parameters.
func parseName(text string) (string, []column.Column, error) {
	name, rest, ok := strings.Cut(text, "(")
	if !ok {
		return text, nil, nil
	}
	p := paramParser{s: strings.TrimSuffix(rest, ")"), whole: text}
	params, err := p.list()
	return strings.TrimSpace(name), params, err
}

// ParseName splits a function as arrayReduce and its like are given it, 'quantile(0.5)', into the name and its parameters.
func ParseName(text string) (string, []column.Column, error) {
	if open := strings.IndexByte(text, '('); open >= 0 && !strings.HasSuffix(text, ")") {
		return "", nil, errcode.New(errcode.BadArguments, "Incorrect parameters for aggregate function: %s", text)
	}
	return parseName(text)
}

// paramParser reads literals: numbers, strings in quotes, NULL, true and false.
type paramParser struct {
	s     string
	whole string
}

func (p *paramParser) list() ([]column.Column, error) {
	var list []column.Column
	for {
		p.s = strings.TrimLeft(p.s, " ")
		if p.s == "" && list == nil {
			return nil, nil
		}
		c, err := p.literal()
		if err != nil {
			return nil, err
		}
		list = append(list, c)
		p.s = strings.TrimLeft(p.s, " ")
		if p.s == "" {
			return list, nil
		}
		if p.s[0] != ',' {
			return nil, p.bad()
		}
		p.s = p.s[1:]
	}
}

func (p *paramParser) bad() error {
	return errcode.New(errcode.BadArguments, "Parameters of aggregate function %s must be literals; got %.50q", p.whole, p.s)
}

func (p *paramParser) literal() (column.Column, error) {
	if p.s == "" {
		return nil, p.bad()
	}
	if p.s[0] == '\'' {
		end := 1
		for end < len(p.s) && p.s[end] != '\'' {
			if p.s[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(p.s) {
			return nil, p.bad()
		}
		c := column.Strings()
		if err := column.ParseText(c, []byte(p.s[:end+1]), column.TextQuoted); err != nil {
			return nil, err
		}
		p.s = p.s[end+1:]
		return c, nil
	}
	end := strings.IndexAny(p.s, ", ")
	if end < 0 {
		end = len(p.s)
	}
	word := p.s[:end]
	rest := p.s[end:]
	t := column.Of(column.Float64)
	switch {
	case strings.EqualFold(word, "NULL"):
		p.s = rest
		c := column.New(column.NewNullable(column.Of(column.Nothing)), 1)
		c.AppendDefault(1)
		return c, nil
	case word == "true" || word == "false":
		t = column.Of(column.Bool)
	case strings.Trim(word, "0123456789") == "":
		t = column.Of(column.UInt64)
	case strings.Trim(word[1:], "0123456789") == "" && word[0] == '-':
		t = column.Of(column.Int64)
	}
	c := column.New(t, 1)
	if column.ParseTextStrict(c, []byte(word), column.TextRaw) != nil {
		return nil, p.bad()
	}
	p.s = rest
	return c, nil
}

// UintParam reads a parameter as a whole number that is not negative.
func UintParam(c column.Column) (uint64, bool) {
	switch x := column.Full(c).(type) {
	case *column.Num[uint8]:
		return uint64(x.Data[0]), true
	case *column.Num[uint16]:
		return uint64(x.Data[0]), true
	case *column.Num[uint32]:
		return uint64(x.Data[0]), true
	case *column.Num[uint64]:
		return x.Data[0], true
	}
	v, ok := IntParam(c)
	return uint64(v), ok && v >= 0
}

// IntParam reads a parameter as a whole number.
func IntParam(c column.Column) (int64, bool) {
	switch x := column.Full(c).(type) {
	case *column.Num[int8]:
		return int64(x.Data[0]), true
	case *column.Num[int16]:
		return int64(x.Data[0]), true
	case *column.Num[int32]:
		return int64(x.Data[0]), true
	case *column.Num[int64]:
		return x.Data[0], true
	case *column.Num[uint8]:
		return int64(x.Data[0]), true
	case *column.Num[uint16]:
		return int64(x.Data[0]), true
	case *column.Num[uint32]:
		return int64(x.Data[0]), true
	case *column.Num[uint64]:
		return int64(x.Data[0]), x.Data[0] <= math.MaxInt64
	}
	return 0, false
}

// FloatParam reads a parameter as a number.
func FloatParam(c column.Column) (float64, bool) {
	switch x := column.Full(c).(type) {
	case *column.Num[float64]:
		return x.Data[0], true
	case *column.Num[float32]:
		return float64(x.Data[0]), true
	}
	if c.Type().IsNumber() {
		var v floatBuffer[float64]
		return v.of(column.Full(c), 1)[0], true
	}
	return 0, false
}

// StringParam reads a parameter as text.
func StringParam(c column.Column) (string, bool) {
	if s, ok := column.Full(c).(*column.Str); ok && s.T.Kind == column.String {
		return string(s.At(0)), true
	}
	return "", false
}
