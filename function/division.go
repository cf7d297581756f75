package function

import (
	"math"
	"math/bits"

	"dictsvc/column"
	"dictsvc/errcode"
)

var (
	errDivideByZero = errcode.New(errcode.IllegalDivision, "Division by zero")
	errDivideMin    = errcode.New(errcode.IllegalDivision, "Division of minimal signed number by minus one")
	errDivideFloat  = errcode.New(errcode.IllegalDivision, "Cannot perform integer division, because it will produce infinite or too large number")
)

// intDivKernel follows ClickHouse's DivideIntegralImpl: where one operand is signed both are taken as signed numbers of the dividend's width (the divisor's own where that
// is wider), which may turn a large unsigned number negative.
func intDivKernel(op arithOp, a, b numClass, t *column.Type) binary {
	orZero := op == opIntDivOrZero
	if a.float || b.float {
		return intDivFloat(orZero, t)
	}
	signed := a.signed || b.signed
	if a.size > 8 || b.size > 8 {
		return wideDivKernel(t, signed, orZero, a, b)
	}
	if !signed {
		return func(m *column.Scratch, x, y column.Column, rows int) (column.Column, error) {
			n, nc := numsIn[uint64](m, x)
			d, dc := nums[uint64](y)
			if dc && !nc && d[0] != 0 {
				return constQuotients(m, t, n[:rows], d[0]), nil
			}
			out := make([]uint64, rows)
			for i := range out {
				v := at(d, dc, i)
				if v == 0 {
					if orZero {
						continue
					}
					return nil, errDivideByZero
				}
				out[i] = at(n, nc, i) / v
			}
			return numCut(t, out), nil
		}
	}
	sizeB := max(a.size, b.size)
	return func(_ *column.Scratch, x, y column.Column, rows int) (column.Column, error) {
		n, nc := nums[int64](x)
		d, dc := nums[int64](y)
		out := make([]int64, rows)
		for i := range out {
			u, v := signCut(at(n, nc, i), a.size), signCut(at(d, dc, i), sizeB)
			if v == 0 || v == -1 && u == minSigned(a.size) && a.size >= b.size {
				if orZero {
					continue
				}
				if v == 0 {
					return nil, errDivideByZero
				}
				return nil, errDivideMin
			}
			out[i] = u / v
		}
		return numCut(t, out), nil
	}
}

// signCut takes the low bytes of v as a signed number of that size.
func signCut(v int64, size int) int64 {
	s := uint(64 - 8*size)
	return v << s >> s
}

func minSigned(size int) int64 { return math.MinInt64 >> uint(64-8*size) }

// numCut makes a column of a native integer type of 64-bit values.
func numCut[S integer](t *column.Type, v []S) column.Column { return numCutIn(nil, t, v) }

func numCutIn[S integer](m *column.Scratch, t *column.Type, v []S) column.Column {
	switch t.Kind {
	case column.UInt8, column.Bool:
		return column.NewNum(t, convertIn[uint8](m, v))
	case column.UInt16, column.Date:
		return column.NewNum(t, convertIn[uint16](m, v))
	case column.UInt32, column.DateTime, column.IPv4:
		return column.NewNum(t, convertIn[uint32](m, v))
	case column.UInt64:
		if same, ok := any(v).([]uint64); ok {
			return column.NewNum(t, same)
		}
		return column.NewNum(t, convertIn[uint64](m, v))
	case column.Int8:
		return column.NewNum(t, convertIn[int8](m, v))
	case column.Int16:
		return column.NewNum(t, convertIn[int16](m, v))
	case column.Int32, column.Date32, column.Decimal32:
		return column.NewNum(t, convertIn[int32](m, v))
	}
	if same, ok := any(v).([]int64); ok {
		return column.NewNum(t, same)
	}
	return column.NewNum(t, convertIn[int64](m, v))
}

func intDivFloat(orZero bool, t *column.Type) binary {
	size := t.FixedWidth()
	limit := math.Ldexp(1, 8*size-1)
	return func(_ *column.Scratch, x, y column.Column, rows int) (column.Column, error) {
		n, nc := nums[float64](x)
		d, dc := nums[float64](y)
		out := make([]wide, rows)
		for i := range out {
			v := at(d, dc, i)
			if v == 0 {
				if orZero {
					continue
				}
				return nil, errDivideByZero
			}
			q := at(n, nc, i) / v
			if !(q >= -limit && q < limit) {
				if orZero {
					continue
				}
				return nil, errDivideFloat
			}
			out[i] = wideFloat(q)
		}
		return narrow(t, out), nil
	}
}

// wideDivKernel is integer division where an operand is wider than 64 bits.
func wideDivKernel(t *column.Type, signed, orZero bool, a, b numClass) binary {
	return func(_ *column.Scratch, x, y column.Column, rows int) (column.Column, error) {
		n, nc := wides(x)
		d, dc := wides(y)
		out := make([]wide, rows)
		for i := range out {
			u, v := at(n, nc, i), at(d, dc, i)
			if v.zero() {
				if orZero {
					continue
				}
				return nil, errDivideByZero
			}
			var q wide
			if !a.signed && signed && a.size < 8 { // as in intDivKernel
				u = wideI(signCut(int64(u[0]), a.size))
			}
			if signed {
				q, _ = u.divmodS(v)
			} else {
				q, _ = u.divmodU(v)
			}
			out[i] = q
		}
		return narrow(t, out), nil
	}
}

// moduloKernel follows C++'s rules for a % b: operands below 32 bits are taken as int, others as the wider of the two, unsigned where both are equally wide and one is unsigned.
func moduloKernel(op arithOp, a, b numClass, t *column.Type) binary {
	orZero := op == opModuloOrZero || op == opPositiveModuloOrZero
	positive := op == opPositiveModulo || op == opPositiveModuloOrZero
	if a.float || b.float {
		return moduloFloat(positive, t)
	}
	if a.size > 8 || b.size > 8 {
		return wideModulo(t, a, b, orZero, positive)
	}
	if !a.signed && !b.signed {
		return moduloUnsigned(t, orZero)
	}
	size := max(a.size, b.size, 4)
	unsigned := !a.signed && a.size == size || !b.signed && b.size == size
	return func(_ *column.Scratch, x, y column.Column, rows int) (column.Column, error) {
		n, nc := nums[int64](x)
		d, dc := nums[int64](y)
		out := make([]int64, rows)
		for i := range out {
			u, v := at(n, nc, i), at(d, dc, i)
			if v == 0 || v == -1 && b.signed && a.signed && u == minSigned(a.size) {
				if orZero {
					continue
				}
				if v == 0 {
					return nil, errDivideByZero
				}
				return nil, errDivideMin
			}
			switch {
			case unsigned && size == 4:
				out[i] = int64(uint32(u) % uint32(v))
			case unsigned:
				out[i] = int64(uint64(u) % uint64(v))
			case v == -1:
			default:
				out[i] = u % v
			}
			if positive && out[i] < 0 {
				if v < 0 {
					v = -v
				}
				out[i] += v
			}
		}
		return numCut(t, out), nil
	}
}

func moduloUnsigned(t *column.Type, orZero bool) binary {
	return func(m *column.Scratch, x, y column.Column, rows int) (column.Column, error) {
		n, nc := numsIn[uint64](m, x)
		d, dc := nums[uint64](y)
		if dc && !nc && d[0] != 0 {
			return constRemainders(m, t, n[:rows], d[0]), nil
		}
		out := make([]uint64, rows)
		for i := range out {
			v := at(d, dc, i)
			if v == 0 {
				if orZero {
					continue
				}
				return nil, errDivideByZero
			}
			out[i] = at(n, nc, i) % v
		}
		return numCut(t, out), nil
	}
}

func moduloFloat(positive bool, t *column.Type) binary {
	return func(_ *column.Scratch, x, y column.Column, rows int) (column.Column, error) {
		n, nc := nums[float64](x)
		d, dc := nums[float64](y)
		return column.NewNum(t, each2(n, nc, d, dc, rows, func(a, b float64) float64 {
			r := math.Mod(a, b)
			if positive && r < 0 {
				r += math.Abs(b)
			}
			return r
		})), nil
	}
}

func wideModulo(t *column.Type, a, b numClass, orZero, positive bool) binary {
	size := max(a.size, b.size)
	unsigned := !a.signed && a.size == size || !b.signed && b.size == size
	mask := wide{}.not().shr(uint(256 - 8*size))
	return func(_ *column.Scratch, x, y column.Column, rows int) (column.Column, error) {
		n, nc := wides(x)
		d, dc := wides(y)
		out := make([]wide, rows)
		for i := range out {
			u, v := at(n, nc, i), at(d, dc, i)
			if v.zero() {
				if orZero {
					continue
				}
				return nil, errDivideByZero
			}
			if unsigned {
				if b.signed && b.size == a.size { // ClickHouse takes the magnitude of an equally wide divisor
					v = v.abs()
				}
				for k := range mask {
					u[k], v[k] = u[k]&mask[k], v[k]&mask[k]
				}
				_, out[i] = u.divmodU(v)
				continue
			}
			_, r := u.divmodS(v)
			if positive && r.negative() {
				r = r.add(v.abs())
			}
			out[i] = r
		}
		return narrow(t, out), nil
	}
}

// divider divides by a constant with a multiplication (Granlund and Montgomery, "Division by invariant integers using multiplication").
type divider struct {
	d, magic uint64
	shift    uint8
	add      bool
	power    bool
}

func newDivider(d uint64) divider {
	l := uint8(bits.Len64(d) - 1)
	if d&(d-1) == 0 {
		return divider{d: d, shift: l, power: true}
	}
	m, rem := bits.Div64(1<<l, 0, d)
	if d-rem < 1<<l {
		return divider{d: d, magic: m + 1, shift: l}
	}
	m += m
	if twice := rem + rem; twice >= d || twice < rem {
		m++
	}
	return divider{d: d, magic: m + 1, shift: l, add: true}
}

func (d *divider) quotient(n uint64) uint64 {
	if d.power {
		return n >> (d.shift & 63)
	}
	q, _ := bits.Mul64(d.magic, n)
	if d.add {
		q += (n - q) >> 1
	}
	return q >> (d.shift & 63)
}

// constQuotients divides unsigned numbers by one divisor, which is not 0.
func constQuotients(m *column.Scratch, t *column.Type, n []uint64, by uint64) column.Column {
	switch t.Kind {
	case column.UInt8:
		return column.NewNum(t, quotients(column.Make[uint8](m, len(n)), n, newDivider(by)))
	case column.UInt16:
		return column.NewNum(t, quotients(column.Make[uint16](m, len(n)), n, newDivider(by)))
	case column.UInt32:
		return column.NewNum(t, quotients(column.Make[uint32](m, len(n)), n, newDivider(by)))
	case column.UInt64:
		return column.NewNum(t, quotients(column.Make[uint64](m, len(n)), n, newDivider(by)))
	}
	return numCutIn(m, t, quotients(column.Make[uint64](m, len(n)), n, newDivider(by)))
}

// constRemainders is constQuotients for the remainders.
func constRemainders(m *column.Scratch, t *column.Type, n []uint64, by uint64) column.Column {
	switch t.Kind {
	case column.UInt8:
		return column.NewNum(t, remainders(column.Make[uint8](m, len(n)), n, newDivider(by)))
	case column.UInt16:
		return column.NewNum(t, remainders(column.Make[uint16](m, len(n)), n, newDivider(by)))
	case column.UInt32:
		return column.NewNum(t, remainders(column.Make[uint32](m, len(n)), n, newDivider(by)))
	case column.UInt64:
		return column.NewNum(t, remainders(column.Make[uint64](m, len(n)), n, newDivider(by)))
	}
	return numCutIn(m, t, remainders(column.Make[uint64](m, len(n)), n, newDivider(by)))
}

func quotients[R integer](out []R, n []uint64, d divider) []R {
	out = out[:len(n)]
	switch {
	case d.power:
		for i, v := range n {
			out[i] = R(v >> (d.shift & 63))
		}
	case d.add:
		for i, v := range n {
			q, _ := bits.Mul64(d.magic, v)
			out[i] = R(((v-q)>>1 + q) >> (d.shift & 63))
		}
	default:
		for i, v := range n {
			q, _ := bits.Mul64(d.magic, v)
			out[i] = R(q >> (d.shift & 63))
		}
	}
	return out
}

func remainders[R integer](out []R, n []uint64, d divider) []R {
	out = out[:len(n)]
	switch {
	case d.power:
		for i, v := range n {
			out[i] = R(v & (d.d - 1))
		}
	case d.add:
		for i, v := range n {
			q, _ := bits.Mul64(d.magic, v)
			out[i] = R(v - d.d*(((v-q)>>1+q)>>(d.shift&63)))
		}
	default:
		for i, v := range n {
			q, _ := bits.Mul64(d.magic, v)
			out[i] = R(v - d.d*(q>>(d.shift&63)))
		}
	}
	return out
}

func gcdKernel(op arithOp, a, b numClass, t *column.Type) binary {
	signed := a.signed || b.signed
	check := func(u, v wide) error {
		switch {
		case u.zero() || v.zero():
			return errDivideByZero
		case signed && (isMin(u, a, b, t) || isMin(v, b, a, t)):
			return errDivideMin
		}
		return nil
	}
	return func(_ *column.Scratch, x, y column.Column, rows int) (column.Column, error) {
		n, nc := wides(x)
		d, dc := wides(y)
		out, err := each2e(n, nc, d, dc, rows, func(u, v wide) (wide, error) {
			if err := check(u, v); err != nil {
				return u, err
			}
			// The least common multiple of wide numbers keeps the sign of their product, that of native ones is made positive.
			negative := signed && t.FixedWidth() > 8 && u.negative() != v.negative()
			if signed {
				u, v = u.abs(), v.abs()
			}
			g, h := u, v
			for !h.zero() {
				_, r := g.divmodU(h)
				g, h = h, r
			}
			if op == opGCD {
				return g, nil
			}
			q, _ := u.divmodU(g)
			r := q.mul(v)
			if negative {
				r = r.neg()
			}
			return r, nil
		})
		if err != nil {
			return nil, err
		}
		return narrow(t, out), nil
	}
}

// isMin: the smallest value of the result type cannot be made positive.
func isMin(u wide, own, other numClass, t *column.Type) bool {
	return own.signed && own.size == t.FixedWidth() && u.negative() && u.neg().sub(wideU(1)).bitLen() == 8*own.size-1 && u.bitLen() > 0 && u.neg().bitLen() == 8*own.size
}
