package function

import (
	"bytes"
	"math"

	"dictsvc/column"
	"dictsvc/errcode"
)

func compareFunctions() []Function {
	list := []Function{
		{Name: "isNotDistinctFrom", MinArgs: 2, MaxArgs: 2, Flags: OwnNulls, Bind: bindDistinct(false)},
		{Name: "isDistinctFrom", MinArgs: 2, MaxArgs: 2, Flags: OwnNulls, Bind: bindDistinct(true)},
	}
	for op := cmpEq; op <= cmpGe; op++ {
		list = append(list, Function{Name: cmpNames[op], MinArgs: 2, MaxArgs: 2, Bind: bindCompare(op)})
	}
	return list
}

type cmpOp uint8

const (
	cmpEq cmpOp = iota
	cmpNe
	cmpLt
	cmpLe
	cmpGt
	cmpGe
)

var cmpNames = [...]string{"equals", "notEquals", "less", "lessOrEquals", "greater", "greaterOrEquals"}

// swapped is the operator with its arguments exchanged.
func (op cmpOp) swapped() cmpOp {
	switch op {
	case cmpLt:
		return cmpGt
	case cmpLe:
		return cmpGe
	case cmpGt:
		return cmpLt
	case cmpGe:
		return cmpLe
	}
	return op
}

// holds tells whether the operator is true of two values whose order is c (-1, 0, 1).
func (op cmpOp) holds(c int) bool {
	switch op {
	case cmpEq:
		return c == 0
	case cmpNe:
		return c != 0
	case cmpLt:
		return c < 0
	case cmpLe:
		return c <= 0
	case cmpGt:
		return c > 0
	}
	return c >= 0
}

var uint8Type = column.Of(column.UInt8)

func bindCompare(op cmpOp) func(env *Env, args []Arg) (*Bound, error) {
	return func(env *Env, args []Arg) (*Bound, error) {
		if args[0].Type.Kind == column.AggregateFunction || args[1].Type.Kind == column.AggregateFunction {
			return nil, illegalCompare(op, args)
		}
		f, err := comparison(env, op, args)
		if err != nil {
			return nil, err
		}
		if f.lazyType != nil {
			return f.lazyType, nil
		}
		return f.run.bound(uint8Type)
	}
}

// comparer is a bound comparison: a kernel that gives UInt8, or for tuples a whole Bound, whose type may be Nullable.
type comparer struct {
	run      binary
	lazyType *Bound
}

// illegalCompare is the error of two types that are not compared: of a column of strings and one of anything but decimals, ClickHouse says
// that they have no type in common.
func illegalCompare(op cmpOp, args []Arg) error {
	a, b := args[0].Type, args[1].Type
	if a.IsString() && !scaled(b) || b.IsString() && !scaled(a) {
		return errcode.New(errcode.NoCommonType, "There is no supertype for types %s, %s because some of them are String/FixedString/Enum and some of them are not", a, b)
	}
	return errcode.New(errcode.IllegalTypeOfArgument, "Illegal types of arguments (`%s`, `%s`) of function `%s`", args[0].Type, args[1].Type, cmpNames[op])
}

// scaled tells whether a type's values are integers with a scale.
func scaled(t *column.Type) bool {
	return t.IsDecimal() || t.Kind == column.DateTime64
}

func comparison(env *Env, op cmpOp, args []Arg) (comparer, error) {
	a, b := args[0].Type, args[1].Type
	x, xok := compareClass(a)
	y, yok := compareClass(b)
	switch {
	case a.Kind == column.Interval && b.Kind == column.Interval && a.Unit != b.Unit:
		return comparer{run: compareIntervals(op, unitOf(a.Unit), unitOf(b.Unit))}, nil
	case xok && yok && compatible(a, b):
		return comparer{run: compareNumbers(op, x, y)}, nil
	case scaled(a) && b.IsNumber() || scaled(b) && a.IsNumber():
		return comparer{run: compareDecimals(op, a, b)}, nil
	case a.IsString() && b.IsString():
		return comparer{run: compareStrings(op, a.Kind == column.FixedString || b.Kind == column.FixedString)}, nil
	case a.IsDateOrTime() && b.IsDateOrTime():
		return comparer{run: compareTimes(op, a, b)}, nil
	case b.IsString() && args[1].Const != nil:
		return compareConst(env, op, args, 1)
	case a.IsString() && args[0].Const != nil:
		return compareConst(env, op, args, 0)
	case a.IsEnum() && b.IsString() || b.IsEnum() && a.IsString():
		return comparer{run: compareEnumNames(op)}, nil
	case a.Kind == column.Tuple && b.Kind == column.Tuple:
		bound, err := compareTuples(env, op, args)
		return comparer{lazyType: bound}, err
	case (a.Kind == column.IPv4 || a.Kind == column.IPv6) && (b.Kind == column.IPv4 || b.Kind == column.IPv6):
		return comparer{run: compareAddresses(op)}, nil
	case a.Equal(b):
		return comparer{run: compareGeneric(op)}, nil
	case a.Kind == b.Kind && (a.Kind == column.Array || a.Kind == column.Map):
		return compareCommon(env, op, args)
	}
	if a.Kind == column.IPv4 && b.IsInteger() || b.Kind == column.IPv4 && a.IsInteger() {
		return comparer{}, errcode.New(errcode.NotImplemented, "Conversion from IPv4 to Int64 is not supported")
	}
	return comparer{}, illegalCompare(op, args)
}

// compareClass is classOf with the types that are compared by the number under them.
func compareClass(t *column.Type) (numClass, bool) {
	switch t.Kind {
	case column.Date, column.DateTime, column.IPv4:
		return numClass{size: t.FixedWidth()}, true
	case column.Date32, column.Enum8, column.Enum16, column.Interval:
		return numClass{signed: true, size: t.FixedWidth()}, true
	}
	return classOf(t)
}

// compatible tells whether two types of numbers may be compared with each other: plain numbers all, IPv4 and enums with integers, times with
// numbers and enums, intervals with numbers, dates only with their own kind.
func compatible(a, b *column.Type) bool {
	plain := func(t *column.Type) bool { return t.IsNumber() }
	switch {
	case plain(a) && plain(b), a.Kind == b.Kind:
		return true
	case a.IsEnum() && (b.IsEnum() || b.IsInteger()), b.IsEnum() && a.IsInteger():
		return true
	case a.Kind == column.IPv4 && b.IsUnsigned(), b.Kind == column.IPv4 && a.IsUnsigned():
		return true
	case a.Kind == column.DateTime && (plain(b) || b.IsEnum()), b.Kind == column.DateTime && (plain(a) || a.IsEnum()):
		return true
	case a.Kind == column.Interval && plain(b), b.Kind == column.Interval && plain(a):
		return true
	}
	return false
}

// compareNumbers chooses the narrowest type that holds both sides exactly.
func compareNumbers(op cmpOp, a, b numClass) binary {
	size := max(a.size, b.size)
	switch {
	case size > 8 && (a.float || b.float):
		return compareLoop[float64](op)
	case size > 8:
		return compareWide(op, a.signed, b.signed)
	case a.float && b.float && size == 4:
		return compareLoop[float32](op)
	case a.float && (b.float || b.size < 8) || b.float && a.size < 8:
		return compareLoop[float64](op)
	case a.float:
		return compareExact(op.swapped(), b.signed, true)
	case b.float:
		return compareExact(op, a.signed, false)
	case a.signed != b.signed:
		if a.signed && b.size == 8 {
			return compareMixed(op, false)
		}
		if b.signed && a.size == 8 {
			return compareMixed(op.swapped(), true)
		}
		return compareLoop[int64](op)
	}
	switch {
	case a.signed && size == 1:
		return compareLoop[int8](op)
	case a.signed && size == 2:
		return compareLoop[int16](op)
	case a.signed && size == 4:
		return compareLoop[int32](op)
	case a.signed:
		return compareLoop[int64](op)
	case size == 1:
		return compareLoop[uint8](op)
	case size == 2:
		return compareLoop[uint16](op)
	case size == 4:
		return compareLoop[uint32](op)
	}
	return compareLoop[uint64](op)
}

func compareLoop[T ordered](op cmpOp) binary {
	return func(m *column.Scratch, a, b column.Column, rows int) (column.Column, error) {
		if op >= cmpGt {
			a, b = b, a
		}
		x, xc := numsIn[T](m, a)
		y, yc := numsIn[T](m, b)
		out := column.Make[uint8](m, rows)
		switch op {
		case cmpEq:
			eqLoop(out, x, y, xc, yc)
		case cmpNe:
			neLoop(out, x, y, xc, yc)
		case cmpLt, cmpGt:
			ltLoop(out, x, y, xc, yc)
		default:
			leLoop(out, x, y, xc, yc)
		}
		return column.NewNum(uint8Type, out), nil
	}
}

// compareEach compares by an order of single values.
func compareEach[A, B any](op cmpOp, a []A, ac bool, b []B, bc bool, rows int, cmp func(A, B) int) column.Column {
	return column.NewNum(uint8Type, each2(a, ac, b, bc, rows, func(x A, y B) uint8 { return bit(op.holds(cmp(x, y))) }))
}

// compareMixed compares signed with UInt64 numbers; the signed side is the second argument where swap is set (the operator is swapped already).
func compareMixed(op cmpOp, swap bool) binary {
	return func(_ *column.Scratch, a, b column.Column, rows int) (column.Column, error) {
		if swap {
			a, b = b, a
		}
		x, xc := nums[int64](a)
		y, yc := nums[uint64](b)
		return compareEach(op, x, xc, y, yc, rows, func(s int64, u uint64) int {
			switch {
			case s < 0 || uint64(s) < u:
				return -1
			case uint64(s) > u:
				return 1
			}
			return 0
		}), nil
	}
}

// unordered is the order of NaN and a number: no operator but != holds.
const unordered = 2

// compareExact compares 64-bit integers with floats without rounding the integer.
func compareExact(op cmpOp, signed, swap bool) binary {
	return func(_ *column.Scratch, a, b column.Column, rows int) (column.Column, error) {
		if swap {
			a, b = b, a
		}
		f, fc := nums[float64](b)
		out := make([]uint8, rows)
		if signed {
			x, xc := nums[int64](a)
			for i := range out {
				out[i] = holdsOrdered(op, cmpIntFloat(at(x, xc, i), at(f, fc, i)))
			}
		} else {
			x, xc := nums[uint64](a)
			for i := range out {
				out[i] = holdsOrdered(op, cmpUintFloat(at(x, xc, i), at(f, fc, i)))
			}
		}
		return column.NewNum(uint8Type, out), nil
	}
}

func holdsOrdered(op cmpOp, c int) uint8 {
	if c == unordered {
		return bit(op == cmpNe)
	}
	return bit(op.holds(c))
}

func cmpIntFloat(v int64, f float64) int {
	switch {
	case f != f:
		return unordered
	case f >= 1<<63:
		return -1
	case f < -1<<63:
		return 1
	}
	t := math.Trunc(f)
	switch n := int64(t); {
	case v < n:
		return -1
	case v > n:
		return 1
	}
	return cmpFloat(t, f)
}

func cmpUintFloat(v uint64, f float64) int {
	switch {
	case f != f:
		return unordered
	case f >= 1<<64:
		return -1
	case f < 0:
		return 1
	}
	t := math.Trunc(f)
	switch n := uint64(t); {
	case v < n:
		return -1
	case v > n:
		return 1
	}
	return cmpFloat(t, f)
}

func cmpFloat(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func compareWide(op cmpOp, as, bs bool) binary {
	return func(_ *column.Scratch, a, b column.Column, rows int) (column.Column, error) {
		x, xc := wides(a)
		y, yc := wides(b)
		return compareEach(op, x, xc, y, yc, rows, func(u, v wide) int {
			switch un, vn := as && u.negative(), bs && v.negative(); {
			case un != vn && un:
				return -1
			case un != vn:
				return 1
			}
			return u.cmpU(v)
		}), nil
	}
}

// floatColumn is a column of numbers or decimals as Float64.
func floatColumn(c column.Column, rows int) column.Column {
	v, isConst := scaledFloats(c)
	f := column.NewNum(column.Of(column.Float64), v)
	if isConst {
		return column.NewConst(f, rows)
	}
	return f
}

// scaledConst is a constant times m as a word, nil where it is no constant or does not fit.
func scaledConst(c column.Column, m wide, rows int) column.Column {
	k, ok := c.(*column.Const)
	if !ok {
		return nil
	}
	v, _ := wides(k.Val)
	p, ok := v[0].mulSigned(m)
	if !ok || !p.fits(8) {
		return nil
	}
	return column.NewConst(column.Int64s(int64(p[0])), rows)
}

func compareDecimals(op cmpOp, a, b *column.Type) binary {
	if a.IsFloat() || b.IsFloat() {
		loop := compareLoop[float64](op) // a NaN is not equal to anything, and neither less nor greater
		return func(m *column.Scratch, x, y column.Column, rows int) (column.Column, error) {
			return loop(m, floatColumn(x, rows), floatColumn(y, rows), rows)
		}
	}
	if a.Kind == b.Kind && a.Scale == b.Scale && a.FixedWidth() <= 8 {
		return compareLoop[int64](op)
	}
	scale := max(a.Scale, b.Scale)
	ma, mb := wide10[scale-a.Scale], wide10[scale-b.Scale]
	size := max(a.FixedWidth(), b.FixedWidth())
	words := compareLoop[int64](op)
	return func(m *column.Scratch, x, y column.Column, rows int) (column.Column, error) {
		if size <= 8 { // a column that has the scale of both, and a constant: the constant is scaled once
			if _, plain := x.(*column.Num[int64]); plain && ma == wide10[0] {
				if c := scaledConst(y, mb, rows); c != nil {
					return words(m, x, c, rows)
				}
			}
			if _, plain := y.(*column.Num[int64]); plain && mb == wide10[0] {
				if c := scaledConst(x, ma, rows); c != nil {
					return words(m, c, y, rows)
				}
			}
		}
		u, uc := wides(x)
		v, vc := wides(y)
		out, err := each2e(u, uc, v, vc, rows, func(p, q wide) (uint8, error) {
			p, ok1 := p.mulSigned(ma)
			q, ok2 := q.mulSigned(mb)
			if !ok1 || !ok2 || !p.fits(size) || !q.fits(size) {
				return 0, errcode.New(errcode.DecimalOverflow, "Can't compare decimal number due to overflow")
			}
			return bit(op.holds(p.cmpS(q))), nil
		})
		if err != nil {
			return nil, err
		}
		return column.NewNum(uint8Type, out), nil
	}
}

// scaledFloats are the values of a column as floating point numbers; DateTime64 in seconds.
func scaledFloats(c column.Column) ([]float64, bool) {
	if c.Type().Kind != column.DateTime64 {
		return decimalFloats(c)
	}
	p := pow10(c.Type().Scale)
	v, isConst := nums[float64](c)
	return mapSlice(v, func(f float64) float64 { return f / p }), isConst
}

func compareStrings(op cmpOp, padded bool) binary {
	return func(_ *column.Scratch, a, b column.Column, rows int) (column.Column, error) {
		x, y := newStrs(a), newStrs(b)
		out := make([]uint8, rows)
		switch {
		case padded:
			for i := range out {
				out[i] = bit(op.holds(comparePadded(x.at(i), y.at(i))))
			}
		case op == cmpEq || op == cmpNe:
			flip := uint8(op) // cmpNe is 1
			if x.cst {
				x, y = y, x
			}
			if y.cst && !x.cst {
				equalConst(out, &x, y.at(0), flip)
				break
			}
			for i := range out {
				out[i] = bit(string(x.at(i)) == string(y.at(i))) ^ flip
			}
		default:
			for i := range out {
				out[i] = bit(op.holds(bytes.Compare(x.at(i), y.at(i))))
			}
		}
		return column.NewNum(uint8Type, out), nil
	}
}

// equalConst compares the rows of a String column with one value. Most rows are decided by their length, which needs the ends alone.
func equalConst(out []uint8, s *strs, val []byte, flip uint8) {
	if len(out) == 0 {
		return
	}
	ends, from, n := s.ends[:len(out)], s.start, uint64(len(val))
	for i, end := range ends {
		r := flip
		if end-from == n && string(s.data[from:end]) == string(val) {
			r ^= 1
		}
		out[i] = r
		from = end
	}
}

// comparePadded compares with the shorter side thought to be filled up with zero bytes, as FixedString values are.
func comparePadded(a, b []byte) int {
	n := min(len(a), len(b))
	if c := bytes.Compare(a[:n], b[:n]); c != 0 {
		return c
	}
	for _, v := range a[n:] {
		if v != 0 {
			return 1
		}
	}
	for _, v := range b[n:] {
		if v != 0 {
			return -1
		}
	}
	return 0
}

// ticks reads dates and times as int64 of 10^-scale seconds. A day begins at midnight of the zone.
func ticks(c column.Column, scale int, z *zone) ([]int64, bool) {
	v, isConst := nums[int64](c)
	p := ipow10(scale)
	switch t := c.Type(); t.Kind {
	case column.Date, column.Date32:
		return mapSlice(v, func(d int64) int64 { return z.dayStart(int(d)) * p }), isConst
	case column.DateTime64:
		m := ipow10(scale - t.Scale)
		return mapSlice(v, func(x int64) int64 { return x * m }), isConst
	}
	return mapSlice(v, func(x int64) int64 { return x * p }), isConst
}

func compareTimes(op cmpOp, a, b *column.Type) binary {
	day := func(t *column.Type) bool { return t.Kind == column.Date || t.Kind == column.Date32 }
	if day(a) && day(b) || a.Kind == b.Kind && a.Scale == b.Scale {
		return compareLoop[int64](op)
	}
	scale := max(a.Scale, b.Scale)
	z := zoneOf(a)
	if day(a) {
		z = zoneOf(b)
	}
	return func(_ *column.Scratch, x, y column.Column, rows int) (column.Column, error) {
		u, uc := ticks(x, scale, newZone(z.loc))
		v, vc := ticks(y, scale, newZone(z.loc))
		return compareEach(op, u, uc, v, vc, rows, func(p, q int64) int { return int(bit(p > q)) - int(bit(p < q)) }), nil
	}
}

// compareGeneric compares columns of equal types row by row; NULL and NaN inside arrays equal themselves.
func compareGeneric(op cmpOp) binary {
	return func(_ *column.Scratch, a, b column.Column, rows int) (column.Column, error) {
		out := make([]uint8, rows)
		for i := range out {
			out[i] = bit(op.holds(column.Compare(a, i, b, i, 1)))
		}
		return column.NewNum(uint8Type, out), nil
	}
}

// compareCommon brings both sides to their common type first.
func compareCommon(env *Env, op cmpOp, args []Arg) (comparer, error) {
	t, err := commonType(args[0].Type, args[1].Type)
	if err != nil {
		return comparer{}, illegalCompare(op, args)
	}
	ca, err := castKernel(args[0].Type, t)
	if err != nil {
		return comparer{}, err
	}
	cb, err := castKernel(args[1].Type, t)
	if err != nil {
		return comparer{}, err
	}
	run := compareGeneric(op)
	return comparer{run: func(m *column.Scratch, a, b column.Column, rows int) (column.Column, error) {
		x, err := ca(a, rows)
		if err != nil {
			return nil, err
		}
		y, err := cb(b, rows)
		if err != nil {
			return nil, err
		}
		return run(m, x, y, rows)
	}}, nil
}

func compareAddresses(op cmpOp) binary {
	return func(_ *column.Scratch, a, b column.Column, rows int) (column.Column, error) {
		x, xc := ipv6Values(a)
		y, yc := ipv6Values(b)
		return compareEach(op, x, xc, y, yc, rows, column.IPv6Value.Cmp), nil
	}
}

// ipv6Values reads IPv4 and IPv6 columns as IPv6 addresses.
func ipv6Values(c column.Column) ([]column.IPv6Value, bool) {
	k, isConst := c.(*column.Const)
	if isConst {
		c = k.Val
	}
	switch x := c.(type) {
	case *column.Wide[column.IPv6Value]:
		return x.Data, isConst
	case *column.Num[uint32]:
		return mapSlice(x.Data, mapIPv4), isConst
	}
	return nil, isConst
}

// mapIPv4 is the IPv6 form ::ffff:a.b.c.d of an address.
func mapIPv4(v uint32) column.IPv6Value {
	return column.IPv6Value{10: 0xff, 11: 0xff, 12: byte(v >> 24), 13: byte(v >> 16), 14: byte(v >> 8), 15: byte(v)}
}

func compareEnumNames(op cmpOp) binary {
	run := compareStrings(op, true)
	return func(m *column.Scratch, a, b column.Column, rows int) (column.Column, error) {
		return run(m, enumNames(a), enumNames(b), rows)
	}
}

// enumNames writes out the names of an enum column; other columns come back as they are.
func enumNames(c column.Column) column.Column {
	if k, ok := c.(*column.Const); ok {
		return column.NewConst(enumNames(k.Val), k.N)
	}
	e := c.Type().Enum
	if e == nil {
		return c
	}
	v, _ := nums[int16](c)
	out := newStr(len(v))
	for _, n := range v {
		name, _ := e.Name(n)
		out.AppendString(name)
	}
	return out
}

// compareIntervals compares intervals of different units in nanoseconds; a month counts as 30 days and a year as 365.
func compareIntervals(op cmpOp, a, b unitInfo) binary {
	return func(_ *column.Scratch, x, y column.Column, rows int) (column.Column, error) {
		u, uc := wides(x)
		v, vc := wides(y)
		ma, mb := wideI(a.nanoseconds()), wideI(b.nanoseconds())
		return compareEach(op, u, uc, v, vc, rows, func(p, q wide) int { return p.mul(ma).cmpS(q.mul(mb)) }), nil
	}
}
