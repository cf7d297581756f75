package function

import "dictsvc/internal/simd"

// The loops of comparisons, written out like those of arithmetic. Greater and greater-or-equal are less and less-or-equal with the arguments swapped.

// comparable values with an order: machine words.
type ordered interface{ integer | float }

func eqLoop[T ordered](out []uint8, a, b []T, ac, bc bool) {
	if n := simd.Equal(out, a, b, ac, bc); n > 0 {
		out, a, b = out[n:], behind(a, ac, n), behind(b, bc, n)
	}
	switch {
	case ac && bc:
		for i := range out {
			out[i] = bit(a[0] == b[0])
		}
	case ac:
		x, b := a[0], b[:len(out)]
		for i := range out {
			out[i] = bit(x == b[i])
		}
	case bc:
		y, a := b[0], a[:len(out)]
		for i := range out {
			out[i] = bit(a[i] == y)
		}
	default:
		a, b := a[:len(out)], b[:len(out)]
		for i := range out {
			out[i] = bit(a[i] == b[i])
		}
	}
}

func neLoop[T ordered](out []uint8, a, b []T, ac, bc bool) {
	if n := simd.NotEqual(out, a, b, ac, bc); n > 0 {
		out, a, b = out[n:], behind(a, ac, n), behind(b, bc, n)
	}
	switch {
	case ac && bc:
		for i := range out {
			out[i] = bit(a[0] != b[0])
		}
	case ac:
		x, b := a[0], b[:len(out)]
		for i := range out {
			out[i] = bit(x != b[i])
		}
	case bc:
		y, a := b[0], a[:len(out)]
		for i := range out {
			out[i] = bit(a[i] != y)
		}
	default:
		a, b := a[:len(out)], b[:len(out)]
		for i := range out {
			out[i] = bit(a[i] != b[i])
		}
	}
}

func ltLoop[T ordered](out []uint8, a, b []T, ac, bc bool) {
	if n := simd.Less(out, a, b, ac, bc); n > 0 {
		out, a, b = out[n:], behind(a, ac, n), behind(b, bc, n)
	}
	switch {
	case ac && bc:
		for i := range out {
			out[i] = bit(a[0] < b[0])
		}
	case ac:
		x, b := a[0], b[:len(out)]
		for i := range out {
			out[i] = bit(x < b[i])
		}
	case bc:
		y, a := b[0], a[:len(out)]
		for i := range out {
			out[i] = bit(a[i] < y)
		}
	default:
		a, b := a[:len(out)], b[:len(out)]
		for i := range out {
			out[i] = bit(a[i] < b[i])
		}
	}
}

func leLoop[T ordered](out []uint8, a, b []T, ac, bc bool) {
	if n := simd.LessEqual(out, a, b, ac, bc); n > 0 {
		out, a, b = out[n:], behind(a, ac, n), behind(b, bc, n)
	}
	switch {
	case ac && bc:
		for i := range out {
			out[i] = bit(a[0] <= b[0])
		}
	case ac:
		x, b := a[0], b[:len(out)]
		for i := range out {
			out[i] = bit(x <= b[i])
		}
	case bc:
		y, a := b[0], a[:len(out)]
		for i := range out {
			out[i] = bit(a[i] <= y)
		}
	default:
		a, b := a[:len(out)], b[:len(out)]
		for i := range out {
			out[i] = bit(a[i] <= b[i])
		}
	}
}

// bit turns a condition into a byte without a branch.
func bit(c bool) uint8 {
	var r uint8
	if c {
		r = 1
	}
	return r
}
