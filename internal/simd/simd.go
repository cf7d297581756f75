// Package simd holds the loops over slices that queries spend most of their time in, eight to thirty-two values at a time where the processor
// has AVX2. Each function does a head of the slices and returns its length, 0 where there is no kernel for the type or the processor; the caller's
// plain loop, which gives the same results to the bit, does the rest.
//
// Arguments that are constants (ac, bc) have their value in element 0; of two constants nothing is computed here.
package simd

import (
	"math"
	"unsafe"
)

// Number are the types that kernels know by their width.
type Number interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64 | ~int8 | ~int16 | ~int32 | ~int64 | ~float32 | ~float64
}

// A turn of a kernel of two operands gives lane bytes, one of a comparison rows bytes.
const (
	lane = 128
	rows = 32
)

// repeated is a constant as often as a turn reads it.
type repeated [256]byte

func at[T any](v []T) place { return place(unsafe.SliceData(v)) }

// operand gives a kernel's place and stride of an argument, whose turn reads n values.
func operand[T Number](v []T, isConst bool, n int) (place, int) {
	size := int(unsafe.Sizeof(v[0]))
	if !isConst {
		return at(v), n * size
	}
	r := new(repeated)
	fill := unsafe.Slice((*T)(place(r)), n)
	for i := range fill {
		fill[i] = v[0]
	}
	return place(r), 0
}

func binary[T Number](k kernel2, out, a, b []T, ac, bc bool) int {
	if k == nil || !have || ac && bc {
		return 0
	}
	n := lane / int(unsafe.Sizeof(out[0]))
	turns := len(out) / n
	if turns == 0 {
		return 0
	}
	pa, sa := operand(a, ac, n)
	pb, sb := operand(b, bc, n)
	k(at(out), pa, pb, turns, sa, sb)
	return turns * n
}

// kind is what a kernel needs to know of a type.
type kind uint8

const (
	kindUint8 kind = iota
	kindUint16
	kindUint32
	kindUint64
	kindInt8
	kindInt16
	kindInt32
	kindInt64
	kindFloat32
	kindFloat64
	kinds
)

func kindOf[T Number]() kind {
	var z T
	k := kindUint8
	switch unsafe.Sizeof(z) {
	case 2:
		k = kindUint16
	case 4:
		k = kindUint32
	case 8:
		k = kindUint64
	}
	one := T(1)
	switch {
	case one/2 != 0:
		return k + (kindFloat32 - kindUint32)
	case z-one < z:
		return k + (kindInt8 - kindUint8)
	}
	return k
}

// Add is out = a + b, integers modulo their width.
func Add[T Number](out, a, b []T, ac, bc bool) int {
	return binary(addKernels[kindOf[T]()], out, a, b, ac, bc)
}

// Sub is out = a - b.
func Sub[T Number](out, a, b []T, ac, bc bool) int {
	return binary(subKernels[kindOf[T]()], out, a, b, ac, bc)
}

// Mul is out = a * b.
func Mul[T Number](out, a, b []T, ac, bc bool) int {
	return binary(mulKernels[kindOf[T]()], out, a, b, ac, bc)
}

// Div is out = a / b of floats.
func Div[T ~float32 | ~float64](out, a, b []T, ac, bc bool) int {
	return binary(divKernels[kindOf[T]()], out, a, b, ac, bc)
}

// And, Or and Xor combine the bits of integers.
func And[T Number](out, a, b []T, ac, bc bool) int { return binary(andBits, out, a, b, ac, bc) }
func Or[T Number](out, a, b []T, ac, bc bool) int  { return binary(orBits, out, a, b, ac, bc) }
func Xor[T Number](out, a, b []T, ac, bc bool) int { return binary(xorBits, out, a, b, ac, bc) }

func comparison[T Number](k compare, out []uint8, a, b []T, ac, bc bool, flip uint8) int {
	turns := len(out) / rows
	if k == nil || !have || ac && bc || turns == 0 {
		return 0
	}
	pa, sa := operand(a, ac, rows)
	pb, sb := operand(b, bc, rows)
	k(at(out), pa, pb, turns, sa, sb, biases[kindOf[T]()], flip)
	return turns * rows
}

// Equal is out = a == b, a byte a value.
func Equal[T Number](out []uint8, a, b []T, ac, bc bool) int {
	return comparison(equalKernels[kindOf[T]()], out, a, b, ac, bc, 0)
}

// NotEqual is out = a != b.
func NotEqual[T Number](out []uint8, a, b []T, ac, bc bool) int {
	return comparison(equalKernels[kindOf[T]()], out, a, b, ac, bc, 1)
}

// Less is out = a < b.
func Less[T Number](out []uint8, a, b []T, ac, bc bool) int {
	if k := lessKernels[kindOf[T]()]; k != nil {
		return comparison(k, out, a, b, ac, bc, 0)
	}
	return comparison(greaterKernels[kindOf[T]()], out, b, a, bc, ac, 0)
}

// LessEqual is out = a <= b.
func LessEqual[T Number](out []uint8, a, b []T, ac, bc bool) int {
	if k := lessEqualKernels[kindOf[T]()]; k != nil {
		return comparison(k, out, a, b, ac, bc, 0)
	}
	return comparison(greaterKernels[kindOf[T]()], out, a, b, ac, bc, 1)
}

// Compress copies to out, which has room for them, the values whose byte of keep is not 0. It returns how many rows it has looked at and how many
// values it has written.
func Compress[T any](out, data []T, keep []uint8) (looked, written int) {
	var z T
	turns := len(keep) / rows
	if !have || turns == 0 || len(out) == 0 {
		return 0, 0
	}
	var end place
	size := unsafe.Sizeof(z)
	switch size {
	case 1:
		end = compress8(at(out), at(data), at(keep), turns)
	case 2:
		end = compress16(at(out), at(data), at(keep), turns)
	case 4:
		end = compress32(at(out), at(data), at(keep), turns)
	case 8:
		end = compress64(at(out), at(data), at(keep), turns)
	default:
		return 0, 0
	}
	return turns * rows, int((uintptr(end) - uintptr(at(out))) / size)
}

// Select is out = a where cond is not 0, b elsewhere.
func Select[T Number](out []T, cond []uint8, a, b []T, ac, bc bool) int {
	if !have || len(out) < rows {
		return 0
	}
	n := rows
	if unsafe.Sizeof(out[0]) == 8 {
		n = 16
	}
	pa, sa := operand(a, ac, n)
	pb, sb := operand(b, bc, n)
	turns := len(out) / n
	switch unsafe.Sizeof(out[0]) {
	case 8:
		select64(at(out), at(cond), pa, pb, turns, sa, sb)
	case 4:
		select32(at(out), at(cond), pa, pb, turns, sa, sb)
	case 1:
		select8(at(out), at(cond), pa, pb, turns, sa, sb)
	default:
		return 0
	}
	return turns * n
}

// SumIntegers is the sum of a head of integers, modulo 2^64.
func SumIntegers[T Number](data []T) (sum uint64, n int) {
	k := sumKernels[kindOf[T]()]
	n = 16
	if kindOf[T]() == kindUint8 {
		n = 128
	}
	turns := len(data) / n
	if k == nil || !have || turns == 0 {
		return 0, 0
	}
	var parts [16]uint64
	k(place(&parts), at(data), turns)
	for _, p := range parts {
		sum += p
	}
	return sum, turns * n
}

// SumFloats adds value i to parts[i % 16], in the order of the rows.
func SumFloats[T ~float32 | ~float64](parts *[16]float64, data []T) int {
	turns := len(data) / 16
	if !have || turns == 0 {
		return 0
	}
	sumKernels[kindOf[T]()](place(parts), at(data), turns)
	return turns * 16
}

// Min and Max are the least and the greatest of a head of the values. There is none of a head with NaN in it, and none of a head of floats whose
// extreme is 0, which has two signs.
func Min[T Number](data []T) (T, int) { return extreme(minKernels[kindOf[T]()], minInt64, data, false) }
func Max[T Number](data []T) (T, int) { return extreme(maxKernels[kindOf[T]()], maxInt64, data, true) }

func extreme[T Number](k kernel1, wide func(out, in place, turns int, bias uint64), data []T, greatest bool) (best T, n int) {
	if !have {
		return 0, 0
	}
	n = lane / int(unsafe.Sizeof(best))
	turns := len(data) / n
	if turns == 0 {
		return 0, 0
	}
	var out [32]byte
	left := unsafe.Slice((*T)(place(&out)), 32/unsafe.Sizeof(best))
	switch kd := kindOf[T](); {
	case kd == kindUint64 || kd == kindInt64:
		wide(place(&out), at(data), turns, biases[kd])
		words := unsafe.Slice((*uint64)(place(&out)), 4)
		for i := range words {
			words[i] ^= biases[kd]
		}
	case kd == kindFloat64 && nansFloat64(at(data), turns) != 0, kd == kindFloat32 && nansFloat32(at(data), turns) != 0:
		return 0, 0
	default:
		k(place(&out), at(data), turns)
	}
	best = left[0]
	for _, v := range left[1:] {
		if greatest && v > best || !greatest && v < best {
			best = v
		}
	}
	if best == 0 && kindOf[T]() >= kindFloat32 {
		return 0, 0
	}
	return best, turns * n
}

// Convert is out = R(in) for the conversions that have a kernel: narrower integers to 64 bits, 64 bits to narrower ones, 32- and 64-bit
// integers and Float32 to Float64.
func Convert[R, S Number](out []R, in []S) int {
	k, n := convertKernels[kindOf[S]()][kindOf[R]()], 16
	if k == nil || !have {
		return 0
	}
	if unsafe.Sizeof(in[0]) == 8 && unsafe.Sizeof(out[0]) < 8 {
		n = rows
	}
	turns := len(in) / n
	if turns == 0 {
		return 0
	}
	k(at(out), at(in), turns)
	return turns * n
}

// Sqrt is out = the square root of in.
func Sqrt(out, in []float64) int {
	turns := len(in) / 16
	if !have || turns == 0 {
		return 0
	}
	sqrtFloat64(at(out), at(in), turns)
	return turns * 16
}

// Hash64 is out = intHash64(in), ClickHouse's hash of integers.
func Hash64(out, in []uint64) int {
	turns := len(in) / 16
	if !have || turns == 0 {
		return 0
	}
	hash64(at(out), at(in), turns)
	return turns * 16
}

// Hash32 is out = intHash32(in).
func Hash32(out []uint32, in []uint64) int {
	turns := len(in) / 8
	if !have || turns == 0 {
		return 0
	}
	hash32(at(out), at(in), turns)
	return turns * 8
}

// Steps writes first, first + step, first + 2*step, ...
func Steps(out []uint64, first, step uint64) int {
	turns := len(out) / 16
	if !have || turns == 0 {
		return 0
	}
	steps(at(out), turns, first, step)
	return turns * 16
}

const signBit = math.MaxUint64/2 + 1

// biases turn unsigned numbers into signed ones of the same order.
var biases = [kinds]uint64{kindUint8: 0x8080808080808080, kindUint16: 0x8000800080008000, kindUint32: 0x8000000080000000, kindUint64: signBit}
