package function

import (
	"dictsvc/column"
	"dictsvc/internal/simd"
)

// The loops of the operators that compile to one instruction. Each is written out for column with column, column with constant and constant
// with column: a call a row through a function value would cost more than the operation.

// behind cuts off the head of an argument that a kernel has done; of a constant there is nothing to cut.
func behind[T any](v []T, isConst bool, n int) []T {
	if isConst {
		return v
	}
	return v[n:]
}

type float interface{ ~float32 | ~float64 }

func plusLoop[R column.Number](out, a, b []R, ac, bc bool) {
	if n := simd.Add(out, a, b, ac, bc); n > 0 {
		out, a, b = out[n:], behind(a, ac, n), behind(b, bc, n)
	}
	switch {
	case ac && bc:
		for i := range out {
			out[i] = a[0] + b[0]
		}
	case ac:
		x, b := a[0], b[:len(out)]
		for i := range out {
			out[i] = x + b[i]
		}
	case bc:
		y, a := b[0], a[:len(out)]
		for i := range out {
			out[i] = a[i] + y
		}
	default:
		a, b := a[:len(out)], b[:len(out)]
		for i := range out {
			out[i] = a[i] + b[i]
		}
	}
}

func minusLoop[R column.Number](out, a, b []R, ac, bc bool) {
	if n := simd.Sub(out, a, b, ac, bc); n > 0 {
		out, a, b = out[n:], behind(a, ac, n), behind(b, bc, n)
	}
	switch {
	case ac && bc:
		for i := range out {
			out[i] = a[0] - b[0]
		}
	case ac:
		x, b := a[0], b[:len(out)]
		for i := range out {
			out[i] = x - b[i]
		}
	case bc:
		y, a := b[0], a[:len(out)]
		for i := range out {
			out[i] = a[i] - y
		}
	default:
		a, b := a[:len(out)], b[:len(out)]
		for i := range out {
			out[i] = a[i] - b[i]
		}
	}
}

func timesLoop[R column.Number](out, a, b []R, ac, bc bool) {
	if n := simd.Mul(out, a, b, ac, bc); n > 0 {
		out, a, b = out[n:], behind(a, ac, n), behind(b, bc, n)
	}
	switch {
	case ac && bc:
		for i := range out {
			out[i] = a[0] * b[0]
		}
	case ac:
		x, b := a[0], b[:len(out)]
		for i := range out {
			out[i] = x * b[i]
		}
	case bc:
		y, a := b[0], a[:len(out)]
		for i := range out {
			out[i] = a[i] * y
		}
	default:
		a, b := a[:len(out)], b[:len(out)]
		for i := range out {
			out[i] = a[i] * b[i]
		}
	}
}

func divideLoop[R float](out, a, b []R, ac, bc bool) {
	if n := simd.Div(out, a, b, ac, bc); n > 0 {
		out, a, b = out[n:], behind(a, ac, n), behind(b, bc, n)
	}
	switch {
	case ac && bc:
		for i := range out {
			out[i] = a[0] / b[0]
		}
	case ac:
		x, b := a[0], b[:len(out)]
		for i := range out {
			out[i] = x / b[i]
		}
	case bc:
		y, a := b[0], a[:len(out)]
		for i := range out {
			out[i] = a[i] / y
		}
	default:
		a, b := a[:len(out)], b[:len(out)]
		for i := range out {
			out[i] = a[i] / b[i]
		}
	}
}

func andLoop[R integer](out, a, b []R, ac, bc bool) {
	if n := simd.And(out, a, b, ac, bc); n > 0 {
		out, a, b = out[n:], behind(a, ac, n), behind(b, bc, n)
	}
	switch {
	case ac && bc:
		for i := range out {
			out[i] = a[0] & b[0]
		}
	case ac:
		x, b := a[0], b[:len(out)]
		for i := range out {
			out[i] = x & b[i]
		}
	case bc:
		y, a := b[0], a[:len(out)]
		for i := range out {
			out[i] = a[i] & y
		}
	default:
		a, b := a[:len(out)], b[:len(out)]
		for i := range out {
			out[i] = a[i] & b[i]
		}
	}
}

func orLoop[R integer](out, a, b []R, ac, bc bool) {
	if n := simd.Or(out, a, b, ac, bc); n > 0 {
		out, a, b = out[n:], behind(a, ac, n), behind(b, bc, n)
	}
	switch {
	case ac && bc:
		for i := range out {
			out[i] = a[0] | b[0]
		}
	case ac:
		x, b := a[0], b[:len(out)]
		for i := range out {
			out[i] = x | b[i]
		}
	case bc:
		y, a := b[0], a[:len(out)]
		for i := range out {
			out[i] = a[i] | y
		}
	default:
		a, b := a[:len(out)], b[:len(out)]
		for i := range out {
			out[i] = a[i] | b[i]
		}
	}
}

func xorLoop[R integer](out, a, b []R, ac, bc bool) {
	if n := simd.Xor(out, a, b, ac, bc); n > 0 {
		out, a, b = out[n:], behind(a, ac, n), behind(b, bc, n)
	}
	switch {
	case ac && bc:
		for i := range out {
			out[i] = a[0] ^ b[0]
		}
	case ac:
		x, b := a[0], b[:len(out)]
		for i := range out {
			out[i] = x ^ b[i]
		}
	case bc:
		y, a := b[0], a[:len(out)]
		for i := range out {
			out[i] = a[i] ^ y
		}
	default:
		a, b := a[:len(out)], b[:len(out)]
		for i := range out {
			out[i] = a[i] ^ b[i]
		}
	}
}
