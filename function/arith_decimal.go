package function

import (
	"math/bits"

	"dictsvc/column"
)

// Arithmetic of decimals of up to 18 digits, in machine words.

// decimalFast computes decimals of up to 18 digits, whose arguments are brought to the result's scale by mulA and mulB; nil where a word is too small.
func decimalFast(op arithOp, t *column.Type, mulA, mulB wide) binary {
	if t.FixedWidth() > 8 || mulA.bitLen() > 62 || mulB.bitLen() > 62 {
		return nil
	}
	var loop func(d *decimalLoop) error
	switch op {
	case opPlus:
		loop = (*decimalLoop).plus
	case opMinus:
		loop = (*decimalLoop).minus
	case opMultiply:
		loop = (*decimalLoop).multiply
	case opDivide:
		loop = (*decimalLoop).divide
	case opModulo, opPositiveModulo:
		loop = (*decimalLoop).modulo
	default:
		return nil
	}
	lo := minSigned(t.FixedWidth())
	return func(m *column.Scratch, a, b column.Column, rows int) (column.Column, error) {
		d := decimalLoop{op: op, mulA: int64(mulA[0]), mulB: int64(mulB[0]), lo: lo, hi: ^lo}
		d.a, d.ac = numsIn[int64](m, a)
		d.b, d.bc = numsIn[int64](m, b)
		d.out = column.Make[int64](m, rows)
		if err := loop(&d); err != nil {
			return nil, err
		}
		return numCutIn(m, t, d.out), nil
	}
}

// decimalLoop is the work on one block.
type decimalLoop struct {
	op         arithOp
	a, b, out  []int64
	ac, bc     bool
	mulA, mulB int64
	lo, hi     int64 // the least and the greatest result
}

// scaled gives row i's arguments, multiplied, and whether both fit a word.
func (d *decimalLoop) scaled(i int) (u, v int64, ok bool) {
	u, over := mul64(at(d.a, d.ac, i), d.mulA)
	v, more := mul64(at(d.b, d.bc, i), d.mulB)
	return u, v, over|more == 0
}

func (d *decimalLoop) within(v int64) bool { return v >= d.lo && v <= d.hi }

func (d *decimalLoop) plus() error {
	for i := range d.out {
		u, v, ok := d.scaled(i)
		r := u + v
		if !ok || (u^r)&(v^r) < 0 || !d.within(r) || !d.within(u) || !d.within(v) {
			return errDecimal
		}
		d.out[i] = r
	}
	return nil
}

func (d *decimalLoop) minus() error {
	for i := range d.out {
		u, v, ok := d.scaled(i)
		r := u - v
		if !ok || (u^v)&(u^r) < 0 || !d.within(r) || !d.within(u) || !d.within(v) {
			return errDecimal
		}
		d.out[i] = r
	}
	return nil
}

func (d *decimalLoop) multiply() error {
	for i := range d.out {
		u, v := at(d.a, d.ac, i), at(d.b, d.bc, i)
		r, over := mul64(u, v)
		if over != 0 || !d.within(r) || !d.within(u) || !d.within(v) {
			return errDecimal
		}
		d.out[i] = r
	}
	return nil
}

// divide cuts quotients off towards zero.
func (d *decimalLoop) divide() error {
	if d.bc && len(d.out) > 0 && d.b[0] > 0 {
		return d.divideBy(newDivider(uint64(d.b[0])))
	}
	for i := range d.out {
		u, over := mul64(at(d.a, d.ac, i), d.mulA)
		v := at(d.b, d.bc, i)
		switch {
		case over != 0 || !d.within(u):
			return errDecimal
		case v == 0:
			return errDivideByZero
		}
		r := -u
		if v != -1 {
			r = u / v
		} else if u == d.lo {
			return errDecimal
		}
		d.out[i] = r
	}
	return nil
}

// divideBy is divide by one number greater than 0.
func (d *decimalLoop) divideBy(by divider) error {
	for i := range d.out {
		u, over := mul64(at(d.a, d.ac, i), d.mulA)
		if over != 0 || !d.within(u) {
			return errDecimal
		}
		sign := u >> 63
		d.out[i] = int64(by.quotient(uint64((u ^ sign) - sign)))
		d.out[i] = (d.out[i] ^ sign) - sign
	}
	return nil
}

func (d *decimalLoop) modulo() error {
	for i := range d.out {
		u, v := at(d.a, d.ac, i), at(d.b, d.bc, i)
		switch {
		case !d.within(u) || !d.within(v):
			return errDecimal
		case v == 0:
			return errDivideByZero
		}
		r := u % v
		if d.op == opPositiveModulo && r < 0 {
			if r += max(v, -v); !d.within(r) {
				return errDecimal
			}
		}
		d.out[i] = r
	}
	return nil
}

// mul64 multiplies; over is not 0 where the product does not fit.
func mul64(a, b int64) (product, over int64) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	high := int64(hi) - a>>63&b - b>>63&a
	return int64(lo), high ^ int64(lo)>>63
}
