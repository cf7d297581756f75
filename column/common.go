package column

import (
	"strings"

	"dictsvc/errcode"
)

// CommonType is ClickHouse's least supertype: the narrowest type that all of types convert to without loss. Error 386 NO_COMMON_TYPE where there is none.
func CommonType(types []*Type) (*Type, error) {
	if len(types) == 0 {
		return Of(Nothing), nil
	}
	same := true
	for _, t := range types[1:] {
		same = same && t.Equal(types[0])
	}
	if same {
		return types[0], nil
	}
	nullable, lowCard := false, true
	var plain []*Type
	for _, t := range types {
		if t.Kind == LowCardinality {
			t = t.Elems[0]
		} else {
			lowCard = false
		}
		if t.Kind == Nullable {
			nullable = true
			t = t.Elems[0]
		}
		if t.Kind == Nothing {
			continue
		}
		plain = append(plain, t)
	}
	if len(plain) == 0 {
		if nullable {
			return NewNullable(Of(Nothing)), nil
		}
		return Of(Nothing), nil
	}
	t, err := commonPlain(plain)
	if err != nil {
		return nil, err
	}
	if nullable {
		if !mayBeNull(t) && t.Kind != Tuple {
			return nil, noCommon(types, "because some of them are Nullable and some of them cannot be inside Nullable")
		}
		t = NewNullable(t)
	}
	if lowCard {
		t = NewLowCardinality(t)
	}
	return t, nil
}

func mayBeNull(t *Type) bool {
	switch t.Kind {
	case Array, Map, Tuple, AggregateFunction:
		return false
	}
	return true
}

func noCommon(types []*Type, why string) error {
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = t.String()
	}
	return errcode.New(errcode.NoCommonType, "There is no supertype for types %s %s", strings.Join(names, ", "), why)
}

func commonPlain(types []*Type) (*Type, error) {
	types = asNumbers(types)
	first := types[0]
	same := true
	for _, t := range types[1:] {
		same = same && t.Equal(first)
	}
	if same {
		return first, nil
	}
	all := func(f func(*Type) bool) bool {
		for _, t := range types {
			if !f(t) {
				return false
			}
		}
		return true
	}
	some := func(f func(*Type) bool) bool {
		for _, t := range types {
			if f(t) {
				return true
			}
		}
		return false
	}
	switch {
	case all(func(t *Type) bool { return t.Kind == Array }):
		e, err := CommonType(elemsOf(types, 0))
		if err != nil {
			return nil, err
		}
		return NewArray(e), nil
	case all(func(t *Type) bool { return t.Kind == Map }):
		k, err := CommonType(elemsOf(types, 0))
		if err != nil {
			return nil, err
		}
		v, err := CommonType(elemsOf(types, 1))
		if err != nil {
			return nil, err
		}
		return NewMap(k, v), nil
	case all(func(t *Type) bool { return t.Kind == Tuple && len(t.Elems) == len(first.Elems) }):
		return commonTuple(types)
	case some(func(t *Type) bool { return t.Kind == Array || t.Kind == Tuple || t.Kind == Map }):
		return nil, noCommon(types, "because some of them are Array/Tuple/Map and some of them are not")
	case some(func(t *Type) bool { return t.IsString() || t.IsEnum() }):
		if all(func(t *Type) bool { return t.IsString() || t.IsEnum() }) {
			return Of(String), nil
		}
		return nil, noCommon(types, "because some of them are String/FixedString/Enum and some of them are not")
	case some((*Type).IsDateOrTime):
		if all((*Type).IsDateOrTime) {
			return commonDate(types), nil
		}
		return nil, noCommon(types, "because some of them are Date/Date32/DateTime/DateTime64 and some of them are not")
	case some((*Type).IsDecimal):
		return commonDecimal(types)
	case all((*Type).IsNumber):
		return commonNumber(types)
	case all(func(t *Type) bool { return t.Kind == Interval }):
		return finest(types)
	}
	return nil, noCommon(types, "because some of them are numbers and some of them are not")
}

// asNumbers puts integers in the place of enums and IPv4 addresses that stand beside numbers, as ClickHouse takes them there.
func asNumbers(types []*Type) []*Type {
	numbers, decimals, same := true, false, true
	for _, t := range types {
		numbers = numbers && (t.IsNumber() || t.IsEnum() || t.Kind == IPv4)
		decimals = decimals || t.IsDecimal()
		same = same && t.Equal(types[0])
	}
	if !numbers || decimals || same {
		return types
	}
	out := make([]*Type, len(types))
	for i, t := range types {
		out[i] = t
		if t.IsEnum() || t.Kind == IPv4 {
			out[i] = wordOf(t)
		}
	}
	return out
}

// finest is the interval type of the smallest unit, where all have a fixed relation.
func finest(types []*Type) (*Type, error) {
	for _, units := range []map[string]float64{intervalSeconds, intervalMonths} {
		best := types[0]
		for _, t := range types {
			if units[t.Unit] == 0 {
				best = nil
				break
			}
			if units[t.Unit] < units[best.Unit] {
				best = t
			}
		}
		if best != nil {
			return best, nil
		}
	}
	return nil, noCommon(types, "because some of them are intervals of months and some of days")
}

func elemsOf(types []*Type, i int) []*Type {
	out := make([]*Type, len(types))
	for k, t := range types {
		out[k] = t.Elems[i]
	}
	return out
}

func commonTuple(types []*Type) (*Type, error) {
	first := types[0]
	elems := make([]*Type, len(first.Elems))
	for i := range elems {
		e, err := CommonType(elemsOf(types, i))
		if err != nil {
			return nil, err
		}
		elems[i] = e
	}
	names := first.Names
	for _, t := range types[1:] {
		if strings.Join(t.Names, "\x00") != strings.Join(names, "\x00") {
			names = nil
		}
	}
	return NewTuple(elems, names), nil
}

func commonDate(types []*Type) *Type {
	var best *Type
	rank := map[Kind]int{Date: 0, Date32: 1, DateTime: 2, DateTime64: 3}
	scale, same := 0, true // same: all are DateTime64 of one scale, and the first one's zone is taken, not the last one's of the greatest scale
	for _, t := range types {
		if t.Kind == DateTime64 {
			scale = max(scale, t.Scale)
		}
		same = same && t.Kind == DateTime64 && t.Scale == types[0].Scale
	}
	for _, t := range types {
		if best == nil || rank[t.Kind] > rank[best.Kind] || t.Kind == DateTime64 && t.Scale >= best.Scale && !same {
			best = t
		}
	}
	if best.Kind == DateTime { // Date32 reaches further than DateTime
		for _, t := range types {
			if t.Kind == Date32 {
				t, _ := NewDateTime64(0, "")
				return t
			}
		}
	}
	if best.Kind == DateTime64 && best.Scale != scale {
		best, _ = NewDateTime64(scale, best.Zone) // the zone was loaded once already
	}
	return best
}

func commonDecimal(types []*Type) (*Type, error) {
	scale, whole, width := 0, 0, Decimal32
	for _, t := range types {
		switch {
		case t.IsDecimal():
			scale = max(scale, t.Scale)
			whole = max(whole, t.Precision-t.Scale)
			width = max(width, t.Kind)
		case t.IsFloat():
			return nil, noCommon(types, "because some of them have no lossless conversion to Decimal")
		default:
			if !t.IsInteger() {
				return nil, noCommon(types, "because some of them have no lossless conversion to Decimal")
			}
			switch t.FixedWidth() { // digits of the integer
			case 1, 2:
				width = max(width, Decimal32)
			case 4:
				width = max(width, Decimal64)
			case 8:
				width = max(width, Decimal128)
			default:
				return nil, noCommon(types, "because some of them have no lossless conversion to Decimal")
			}
		}
	}
	precision := map[Kind]int{Decimal32: 9, Decimal64: 18, Decimal128: 38, Decimal256: 76}[width]
	if scale > precision {
		return nil, noCommon(types, "because the scale is beyond the precision")
	}
	return NewDecimal(precision, scale), nil
}

func commonNumber(types []*Type) (*Type, error) {
	bits := func(t *Type) int { return 8 * t.FixedWidth() }
	maxSigned, maxUnsigned, maxFloat, floatable := 0, 0, 0, 0
	for _, t := range types {
		switch {
		case t.IsFloat():
			maxFloat = max(maxFloat, bits(t))
		case t.IsSigned():
			maxSigned = max(maxSigned, bits(t))
			floatable = max(floatable, bits(t))
		default:
			maxUnsigned = max(maxUnsigned, bits(t))
			floatable = max(floatable, bits(t))
		}
	}
	if maxFloat > 0 {
		need := 32
		if maxFloat == 64 || floatable > 16 { // the mantissa of a Float32 holds 24 bits, of a Float64 53
			need = 64
		}
		if floatable > 32 {
			return nil, noCommon(types, "because some of them are integers and some are floating point, but there is no floating point type, that can exactly represent all required integers")
		}
		if need == 64 {
			return Of(Float64), nil
		}
		return Of(Float32), nil
	}
	if maxSigned == 0 {
		if types[0].Kind == Bool && maxUnsigned == 8 { // Bool is UInt8 by another name, so the first one's name stays
			return types[0], nil
		}
		return unsignedOf(maxUnsigned), nil
	}
	tooWide := maxUnsigned == 64 && maxSigned <= 64 // ClickHouse does not go from 64 to 128 bits by itself
	if maxUnsigned >= maxSigned {
		maxSigned = 2 * maxUnsigned
	}
	if maxSigned > 256 || tooWide {
		return nil, noCommon(types, "because some of them are signed integers and some are unsigned integers, but there is no signed integer type, that can exactly represent all required unsigned integer values")
	}
	return map[int]*Type{8: Of(Int8), 16: Of(Int16), 32: Of(Int32), 64: Of(Int64), 128: Of(Int128), 256: Of(Int256)}[maxSigned], nil
}

func unsignedOf(bits int) *Type {
	return map[int]*Type{8: Of(UInt8), 16: Of(UInt16), 32: Of(UInt32), 64: Of(UInt64), 128: Of(UInt128), 256: Of(UInt256)}[bits]
}
