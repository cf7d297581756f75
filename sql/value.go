package sql

import "math"

// ValueKind says which form a literal's value has.
type ValueKind uint8

// The kinds of literal values. Integers are UInt64 unless they were written with a minus sign; what fits
// neither UInt64 nor Int64 is a Float64, as in ClickHouse.
const (
	NullValue ValueKind = iota
	BoolValue
	UInt64Value
	Int64Value // negative numbers only
	Float64Value
	StringValue
	ArrayValue
	TupleValue
)

// Value is the value of a literal: a scalar, or an array or tuple of values. It is kept small because
// an IN list may hold a hundred thousand of them.
type Value struct {
	Kind ValueKind
	num  uint64 // the bits of a Bool, UInt64, Int64 or Float64
	str  string
	list *[]Value
}

// Constructors of values.

// Null is the NULL value.
func Null() Value { return Value{} }

// BoolOf is true or false.
func BoolOf(b bool) Value {
	v := Value{Kind: BoolValue}
	if b {
		v.num = 1
	}
	return v
}

// UInt64Of is a number without a sign.
func UInt64Of(n uint64) Value { return Value{Kind: UInt64Value, num: n} }

// Int64Of is a number with a sign.
func Int64Of(n int64) Value { return Value{Kind: Int64Value, num: uint64(n)} }

// StringOf is a string of any bytes.
func StringOf(s string) Value { return Value{Kind: StringValue, str: s} }

// ArrayOf is an array of values.
func ArrayOf(items []Value) Value { return Value{Kind: ArrayValue, list: &items} }

// TupleOf is a tuple of values.
func TupleOf(items []Value) Value { return Value{Kind: TupleValue, list: &items} }

// Bool is the value of a BoolValue.
func (v Value) Bool() bool { return v.num != 0 }

// UInt64 is the value of a UInt64Value.
func (v Value) UInt64() uint64 { return v.num }

// Int64 is the value of an Int64Value.
func (v Value) Int64() int64 { return int64(v.num) }

// Str is the bytes of a StringValue.
func (v Value) Str() string { return v.str }

// Items are the elements of an ArrayValue or TupleValue; the caller must not change them.
func (v Value) Items() []Value {
	if v.list == nil {
		return nil
	}
	return *v.list
}

// Float64Of is a floating point number.
func Float64Of(f float64) Value { return Value{Kind: Float64Value, num: math.Float64bits(f)} }

// Float64 is the value of a Float64Value.
func (v Value) Float64() float64 { return math.Float64frombits(v.num) }

// Text is the value's text: that of a string without quotes, that of any other value as a literal of SQL. It is how settings take values.
func (v Value) Text() string {
	switch v.Kind {
	case StringValue:
		return v.str
	case Float64Value:
		return floatText(v.Float64())
	}
	var w writer
	w.value(v)
	return w.String()
}
