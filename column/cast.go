package column

import (
	"bytes"

	"dictsvc/errcode"
)

// CastMode says what a cast does with a value that does not fit.
type CastMode uint8

const (
	// CastPlain is CAST and toX: integers wrap round, fractions are cut off, text that is no value is an error.
	CastPlain CastMode = iota
	// CastOrNull is toXOrNull: text that is no value becomes NULL; the target is Nullable. Times are read as basicTime does.
	CastOrNull
	// CastTextOrNull is a CAST of text to a Nullable type: the same, with all spellings of times.
	CastTextOrNull
	// CastOrDefault is toXOrZero and toXOrDefault: it becomes the type's default.
	CastOrDefault
	// CastAccurate is accurateCast: a value that would change is error 70.
	CastAccurate
	// CastAccurateOrNull is accurateCastOrNull: it becomes NULL; the target is Nullable.
	CastAccurateOrNull
)

// CastType is the type that CAST(x AS to) has for x of type from: times keep the zone of times where to names none.
func CastType(from, to *Type) *Type {
	zoned := from.Base()
	if zoned.Zone == "" || zoned.Kind != DateTime && zoned.Kind != DateTime64 {
		return to
	}
	switch {
	case to.Kind == Nullable:
		return NewNullable(CastType(from, to.Elems[0]))
	case to.Zone != "":
		return to
	case to.Kind == DateTime:
		return finish(&Type{Kind: DateTime, Zone: zoned.Zone, Loc: zoned.Loc})
	case to.Kind == DateTime64:
		return finish(&Type{Kind: DateTime64, Precision: to.Scale, Scale: to.Scale, Zone: zoned.Zone, Loc: zoned.Loc})
	}
	return to
}

// Caster converts columns of one type into another. Constants stay constants.
type Caster = func(Column) (Column, error)

// kernel converts a full, plain column. bad, if not nil, receives a 1 for each row that does not fit instead of an error.
type kernel func(c Column, bad []uint8) (Column, error)

// Cast converts a column; NewCast is the same for many columns of one type.
func Cast(c Column, to *Type, mode CastMode) (Column, error) {
	f, err := NewCast(c.Type(), to, mode)
	if err != nil {
		return nil, err
	}
	return f(c)
}

// NewCast prepares the cast of columns of type from to type to. A pair that cannot be cast is an error here: 43, 48, 53 or 70.
func NewCast(from, to *Type, mode CastMode) (Caster, error) {
	if from.Equal(to) {
		return func(c Column) (Column, error) { return c, nil }, nil
	}
	f, err := newCast(from, to, mode)
	if err != nil {
		return nil, err
	}
	return func(c Column) (Column, error) {
		if k, ok := c.(*Const); ok {
			one, err := f(k.Val)
			if err != nil {
				return nil, err
			}
			return NewConst(one, k.N), nil
		}
		return f(c)
	}, nil
}

// ScratchCaster converts full columns into memory of m, or the collector's; it cannot fail.
type ScratchCaster = func(m *Scratch, c Column) Column

// NewScratchCast is NewCast in mode CastPlain for the pairs that queries cast by the million: numbers of machine words, floats into integers aside, and
// integers as text. It is nil for all others.
func NewScratchCast(from, to *Type) ScratchCaster {
	switch {
	case !from.IsInteger() && !from.IsFloat() || from.Kind == Bool || from.FixedWidth() > 8:
		return nil
	case to.Kind == String && from.IsInteger():
		return func(m *Scratch, c Column) Column { return textOfIntegers(m, c) }
	case !to.IsInteger() && !to.IsFloat() || to.Kind == Bool || to.FixedWidth() > 8, from.IsFloat() && !to.IsFloat(), from.Equal(to):
		return nil
	}
	return wordCast(from, to)
}

func newCast(from, to *Type, mode CastMode) (Caster, error) {
	switch {
	case from.Equal(to):
		return func(c Column) (Column, error) { return c, nil }, nil
	case from.Kind == LowCardinality:
		f, err := newCast(from.Elems[0], to, mode)
		if err != nil {
			return nil, err
		}
		return func(c Column) (Column, error) { return f(Plain(c)) }, nil
	case to.Kind == LowCardinality:
		f, err := newCast(from, to.Elems[0], mode)
		if err != nil {
			return nil, err
		}
		return func(c Column) (Column, error) {
			inner, err := f(c)
			if err != nil {
				return nil, err
			}
			out := NewLowCard(to, inner.Len())
			out.AppendRange(inner, 0, inner.Len())
			return out, nil
		}, nil
	case from.Kind == Nullable:
		return castFromNullable(from, to, mode)
	case from.Kind == Nothing:
		return func(c Column) (Column, error) {
			out := New(to, c.Len())
			out.AppendDefault(c.Len())
			return out, nil
		}, nil
	case to.Kind == Nullable:
		return castToNullable(from, to, mode)
	}
	k, err := newKernel(from, to, mode)
	if err != nil {
		return nil, err
	}
	if mode == CastOrDefault {
		return func(c Column) (Column, error) { return k(Full(c), make([]uint8, c.Len())) }, nil
	}
	return func(c Column) (Column, error) { return k(Full(c), nil) }, nil
}

// castToNullable casts to the inner type; rows that do not fit become NULL in the OrNull modes.
func castToNullable(from, to *Type, mode CastMode) (Caster, error) {
	fromText := (mode == CastPlain || mode == CastAccurate) && from.Kind == String && !to.Elems[0].IsString() && !to.Elems[0].IsEnum() // CAST gives NULL for what cannot be read
	if fromText {
		mode = CastTextOrNull
	}
	k, err := newKernel(from, to.Elems[0], mode)
	if err != nil {
		return nil, err
	}
	return func(c Column) (Column, error) {
		nulls := make([]uint8, c.Len())
		var bad []uint8
		if mode == CastOrNull || mode == CastTextOrNull || mode == CastAccurateOrNull {
			bad = nulls
		}
		inner, err := k(Full(c), bad)
		if err != nil {
			return nil, err
		}
		return &Null{T: to, Nulls: nulls, Inner: inner}, nil
	}, nil
}

// castFromNullable casts the values that are not NULL; NULL stays NULL, and is an error where the target cannot hold it.
func castFromNullable(from, to *Type, mode CastMode) (Caster, error) {
	if from.Elems[0].Kind == Nothing {
		if !to.IsNullable() && mode != CastOrDefault {
			return nil, errcode.New(errcode.CannotConvertType, "Cannot convert NULL to a non-nullable type")
		}
		return func(c Column) (Column, error) {
			out := New(to, c.Len())
			out.AppendDefault(c.Len())
			return out, nil
		}, nil
	}
	f, err := newCast(from.Elems[0], to, mode)
	if err != nil {
		return nil, err
	}
	return func(c Column) (Column, error) {
		n := Full(c).(*Null)
		kept := make([]uint8, len(n.Nulls))
		count := 0
		for i, null := range n.Nulls {
			kept[i] = 1 - null
			count += int(kept[i])
		}
		if count == len(kept) {
			return f(n.Inner)
		}
		if !to.IsNullable() && mode != CastOrDefault {
			return nil, errcode.New(errcode.CannotInsertNullInOrdinaryColumn, "Cannot convert NULL value to non-Nullable type")
		}
		some, err := f(n.Inner.Filter(kept, count))
		if err != nil {
			return nil, err
		}
		return scatter(some, to, kept), nil
	}, nil
}

// scatter spreads rows to the places marked in kept; the others get the default.
func scatter(some Column, to *Type, kept []uint8) Column {
	out := New(to, len(kept))
	next := 0
	for i := 0; i < len(kept); {
		j := i + 1
		for j < len(kept) && kept[j] == kept[i] {
			j++
		}
		if kept[i] == 0 {
			out.AppendDefault(j - i)
		} else {
			out.AppendRange(some, next, next+j-i)
			next += j - i
		}
		i = j
	}
	return out
}

// cannot is the error of a pair of types without a conversion.
func cannot(from, to *Type) error {
	return errcode.New(errcode.NotImplemented, "Conversion from %s to %s is not supported", from, to)
}

func newKernel(from, to *Type, mode CastMode) (kernel, error) {
	if from.Equal(to) {
		return func(c Column, _ []uint8) (Column, error) { return c, nil }, nil
	}
	if err := scalarRefusal(from, to, mode); err != nil {
		if err.Code == errcode.CannotConvertType && mode == CastAccurateOrNull && to.Kind != Interval {
			return allBad(to), nil
		}
		return nil, err
	}
	if to.Kind == AggregateFunction && !from.IsString() {
		return nil, errcode.New(errcode.CannotConvertType, "Conversion from %s to %s is not supported", from, to)
	}
	switch {
	case to.Kind == String:
		return toString(from), nil
	case from.IsString():
		return fromString(from, to, mode)
	case to.Kind == FixedString: // of Bool and Enum
		return toFixedString(from, to), nil
	case from.Kind == Array && to.Kind == Array:
		if from.Elems[0].Kind == Array && !isComposite(to.Elems[0]) && to.Elems[0].Kind != String {
			return nil, errcode.New(errcode.TypeMismatch, "CAST AS Array can only be performed between same-dimensional array types")
		}
		f, err := newCast(from.Elems[0], to.Elems[0], mode)
		if err != nil {
			return nil, err
		}
		return func(c Column, _ []uint8) (Column, error) {
			a := c.(*Arr)
			e, err := f(a.Elem)
			if err != nil {
				return nil, err
			}
			return &Arr{T: to, Ends: a.Ends, Elem: Full(e), Start: a.Start}, nil
		}, nil
	case from.Kind == Tuple && to.Kind == Tuple:
		return castTuple(from, to, mode)
	case from.Kind == Map && to.Kind == Map:
		f, err := castTuple(NewTuple(from.Elems, mapNames), NewTuple(to.Elems, mapNames), mode)
		if err != nil {
			return nil, err
		}
		return func(c Column, _ []uint8) (Column, error) {
			m := c.(*MapColumn)
			e, err := f(m.Arr.Elem, nil)
			if err != nil {
				return nil, err
			}
			return &MapColumn{T: to, Arr: &Arr{T: NewArray(e.Type()), Ends: m.Arr.Ends, Elem: e, Start: m.Arr.Start}}, nil
		}, nil
	case from.Kind == Array && to.Kind == Map && from.Elems[0].Kind == Tuple && len(from.Elems[0].Elems) == 2:
		f, err := castTuple(from.Elems[0], NewTuple(to.Elems, mapNames), mode)
		if err != nil {
			return nil, err
		}
		return func(c Column, _ []uint8) (Column, error) {
			a := c.(*Arr)
			e, err := f(a.Elem, nil)
			if err != nil {
				return nil, err
			}
			return &MapColumn{T: to, Arr: &Arr{T: NewArray(e.Type()), Ends: a.Ends, Elem: e, Start: a.Start}}, nil
		}, nil
	}
	if from.Kind == Tuple && to.Kind == Map && len(from.Elems) == 2 && from.Elems[0].Kind == Array && from.Elems[1].Kind == Array {
		return arraysToMap(from, to, mode)
	}
	switch from.Kind {
	case Array, Tuple, Map, AggregateFunction, Lambda:
		return nil, errcode.New(errcode.TypeMismatch, "CAST AS %s can only be performed between same types or from String. Left type: %s, right type: %s", to.Kind, from, to)
	}
	switch to.Kind {
	case Array:
		return nil, errcode.New(errcode.TypeMismatch, "CAST AS Array can only be performed between same-dimensional Array, Map or String types")
	case Tuple:
		return nil, errcode.New(errcode.TypeMismatch, "CAST AS Tuple can only be performed between tuple types or from String.\nLeft type: %s, right type: %s", from, to)
	case Map:
		return nil, errcode.New(errcode.TypeMismatch, "Unsupported types to CAST AS Map. Left type: %s, right type: %s", from, to)
	}
	return newScalarKernel(from, to, mode)
}

// scalarRefusal is refusal for types that are not composite. A composite type becomes composite by its own rules, text, or nothing else.
func scalarRefusal(from, to *Type, mode CastMode) *errcode.Error {
	switch {
	case isComposite(to) || isComposite(from) && to.Kind == String:
		return nil
	case !isComposite(from):
		return refusal(from, to, mode)
	case to.Kind == FixedString:
		return errcode.New(errcode.NotImplemented, "CAST AS FixedString is only implemented for types String and FixedString")
	case to.IsDecimal() || to.Kind == DateTime64 || to.IsEnum() || to.Kind == Nothing:
		return errcode.New(errcode.CannotConvertType, "Conversion from %s to %s is not supported", from, to)
	}
	name := to.String()
	if to.Kind == Bool {
		name = "UInt8"
	}
	return errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of argument of function to%s", from, name)
}

func isComposite(t *Type) bool {
	switch t.Kind {
	case Array, Tuple, Map, AggregateFunction, Lambda:
		return true
	}
	return false
}

// allBad is the cast of a pair of types without a conversion where that means NULL.
func allBad(to *Type) kernel {
	return func(c Column, bad []uint8) (Column, error) {
		for i := range bad {
			bad[i] = 1
		}
		out := New(to, c.Len())
		out.AppendDefault(c.Len())
		return out, nil
	}
}

func toFixedString(from, to *Type) kernel {
	text := toString(from)
	return func(c Column, _ []uint8) (Column, error) {
		s, err := text(c, nil)
		if err != nil {
			return nil, err
		}
		out := New(to, c.Len()).(*FixedStr)
		for i := range c.Len() {
			b := s.(*Str).At(i)
			if len(b) > to.Width {
				return nil, errcode.New(errcode.TooLargeStringSize, "Too large string for FixedString column")
			}
			out.Append(b)
		}
		return out, nil
	}
}

func castTuple(from, to *Type, mode CastMode) (kernel, error) {
	if len(from.Elems) != len(to.Elems) {
		return nil, errcode.New(errcode.TypeMismatch, "CAST AS Tuple can only be performed between tuple types with the same number of elements.\nLeft type: %s, right type: %s", from, to)
	}
	casts := make([]Caster, len(to.Elems))
	order := make([]int, len(to.Elems))
	for i := range to.Elems {
		order[i] = i
		if from.Names != nil && to.Names != nil { // named tuples match by name where the names are the same set
			for k, n := range from.Names {
				if n == to.Names[i] {
					order[i] = k
				}
			}
		}
		f, err := newCast(from.Elems[order[i]], to.Elems[i], mode)
		if err != nil {
			return nil, err
		}
		casts[i] = f
	}
	return func(c Column, _ []uint8) (Column, error) {
		t := c.(*Tup)
		out := &Tup{T: to, Elems: make([]Column, len(casts)), N: t.Len()}
		for i, f := range casts {
			e, err := f(t.Elems[order[i]])
			if err != nil {
				return nil, err
			}
			out.Elems[i] = Full(e)
		}
		return out, nil
	}, nil
}

// toString writes each row; the zero bytes that pad a FixedString are no part of it.
func toString(from *Type) kernel {
	return func(c Column, _ []uint8) (Column, error) {
		n := c.Len()
		out := &Str{T: Of(String), Ends: make([]uint64, n)}
		if f, ok := c.(*FixedStr); ok {
			out.Data = make([]byte, 0, len(f.Data))
			for i := range n {
				out.Data = append(out.Data, bytes.TrimRight(f.At(i), "\x00")...)
				out.Ends[i] = uint64(len(out.Data))
			}
			return out, nil
		}
		if err := CheckEnums(c); err != nil {
			return nil, err
		}
		if s := textOfIntegers(nil, c); s != nil {
			return s, nil
		}
		text := textDefaults[TextRaw].Bind(c)
		for i := range n {
			out.Data = text(out.Data, i)
			out.Ends[i] = uint64(len(out.Data))
		}
		return out, nil
	}
}

// fromString parses each row.
func fromString(from, to *Type, mode CastMode) (kernel, error) {
	fixed := from.Kind == FixedString
	switch to.Kind {
	case IPv4:
		if fixed {
			return nil, errcode.New(errcode.IllegalColumn, "Illegal column type %s. Expected String", from)
		}
	case Array:
		if fixed {
			return nil, errcode.New(errcode.TypeMismatch, "CAST AS Array can only be performed between same-dimensional Array, Map or String types")
		}
	case Tuple:
		if fixed {
			return nil, errcode.New(errcode.TypeMismatch, "CAST AS Tuple can only be performed between tuple types or from String.\nLeft type: %s, right type: %s", from, to)
		}
	case Map:
		return nil, errcode.New(errcode.TypeMismatch, "Unsupported types to CAST AS Map. Left type: %s, right type: %s", from, to)
	case AggregateFunction:
		if fixed {
			return nil, cannot(from, to)
		}
	case Interval: // no mode makes NULL or a default of bad text here
		k, err := fromString(from, Of(Int64), CastPlain)
		return retyped(func(c Column, _ []uint8) (Column, error) { return k(c, nil) }, to), err
	}
	return func(c Column, bad []uint8) (Column, error) {
		n := c.Len()
		out := New(to, n)
		p := stringCast{to: to, from: from, mode: mode}
		for i := range n {
			var b []byte
			switch s := c.(type) {
			case *Str:
				b = s.At(i)
			case *FixedStr:
				b = s.At(i)
				if to.Kind != FixedString && to.Kind != Bool && !to.IsEnum() { // padding is no part of a number
					b = bytes.TrimRight(b, "\x00")
				}
			}
			if err := p.append(out, b); err != nil {
				keep := to.IsEnum() || fixed && to.Kind != IPv6 && to.Kind != Bool && to.Kind != FixedString
				if bad == nil || mode == CastAccurateOrNull && keep {
					return nil, err
				}
				bad[i] = 1
				if to.Kind == Date32 && mode == CastOrDefault {
					AppendTypeDefault(out)
				} else {
					out.AppendDefault(1)
				}
			}
		}
		return out, nil
	}, nil
}

// stringCast parses strings as the values of a type, as a mode wants it.
type stringCast struct {
	from, to *Type
	mode     CastMode
}

// append parses b; dst is unchanged on an error.
func (p *stringCast) append(dst Column, b []byte) error {
	if len(b) > 10 && (p.to.Kind == Date || p.to.Kind == Date32) {
		b = withoutTime(b)
	}
	if (p.mode == CastOrNull || p.mode == CastOrDefault) && (p.to.Kind == DateTime || p.to.Kind == DateTime64) {
		if !appendBasicTime(dst, b) {
			return notTime(b)
		}
		return nil
	}
	err := parseText(dst, b, TextRaw, p.mode != CastPlain)
	if err != nil && p.mode == CastAccurate && p.to.IsInteger() && p.to.Kind != Bool && !wideKind(p.to.Kind) {
		return errcode.New(errcode.CannotParseText, "Cannot parse string to type %s", p.to)
	}
	return err
}

// arraysToMap makes maps of an array of keys and one of values, equally long.
func arraysToMap(from, to *Type, mode CastMode) (kernel, error) {
	pair := NewTuple(to.Elems, mapNames)
	f, err := castTuple(NewTuple([]*Type{from.Elems[0].Elems[0], from.Elems[1].Elems[0]}, nil), pair, mode)
	if err != nil {
		return nil, err
	}
	return func(c Column, _ []uint8) (Column, error) {
		t := c.(*Tup)
		keys, values := Full(t.Elems[0]).(*Arr), Full(t.Elems[1]).(*Arr)
		for i := range keys.Ends {
			kf, kt := keys.Range(i)
			if vf, vt := values.Range(i); kt-kf != vt-vf {
				return nil, errcode.New(errcode.TypeMismatch, "CAST AS Map from tuple requires arrays of equal length")
			}
		}
		e, err := f(&Tup{T: NewTuple([]*Type{keys.Elem.Type(), values.Elem.Type()}, nil), Elems: []Column{keys.Elem, values.Elem}, N: keys.Elem.Len()}, nil)
		if err != nil {
			return nil, err
		}
		return &MapColumn{T: to, Arr: &Arr{T: NewArray(pair), Ends: keys.Offsets(), Elem: e}}, nil
	}, nil
}
