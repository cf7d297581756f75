//go:build !noasm

package simd

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// have tells whether the kernels can run.
var have = cpu.X86.HasAVX2 && cpu.X86.HasBMI1

type (
	place   = unsafe.Pointer
	kernel2 func(out, a, b place, turns, strideA, strideB int)
	compare func(out, a, b place, turns, strideA, strideB int, bias uint64, flip uint8)
	kernel1 func(out, in place, turns int)
)

//go:noescape
func addInt8(out, a, b place, turns, strideA, strideB int)

//go:noescape
func addInt16(out, a, b place, turns, strideA, strideB int)

//go:noescape
func addInt32(out, a, b place, turns, strideA, strideB int)

//go:noescape
func addInt64(out, a, b place, turns, strideA, strideB int)

//go:noescape
func addFloat32(out, a, b place, turns, strideA, strideB int)

//go:noescape
func addFloat64(out, a, b place, turns, strideA, strideB int)

//go:noescape
func subInt8(out, a, b place, turns, strideA, strideB int)

//go:noescape
func subInt16(out, a, b place, turns, strideA, strideB int)

//go:noescape
func subInt32(out, a, b place, turns, strideA, strideB int)

//go:noescape
func subInt64(out, a, b place, turns, strideA, strideB int)

//go:noescape
func subFloat32(out, a, b place, turns, strideA, strideB int)

//go:noescape
func subFloat64(out, a, b place, turns, strideA, strideB int)

//go:noescape
func mulInt16(out, a, b place, turns, strideA, strideB int)

//go:noescape
func mulInt32(out, a, b place, turns, strideA, strideB int)

//go:noescape
func mulFloat32(out, a, b place, turns, strideA, strideB int)

//go:noescape
func mulFloat64(out, a, b place, turns, strideA, strideB int)

//go:noescape
func divFloat32(out, a, b place, turns, strideA, strideB int)

//go:noescape
func divFloat64(out, a, b place, turns, strideA, strideB int)

//go:noescape
func andBits(out, a, b place, turns, strideA, strideB int)

//go:noescape
func orBits(out, a, b place, turns, strideA, strideB int)

//go:noescape
func xorBits(out, a, b place, turns, strideA, strideB int)

//go:noescape
func mulInt64(out, a, b place, turns, strideA, strideB int)

//go:noescape
func equalInt8(out, a, b place, turns, strideA, strideB int, bias uint64, flip uint8)

//go:noescape
func equalInt16(out, a, b place, turns, strideA, strideB int, bias uint64, flip uint8)

//go:noescape
func equalInt32(out, a, b place, turns, strideA, strideB int, bias uint64, flip uint8)

//go:noescape
func equalInt64(out, a, b place, turns, strideA, strideB int, bias uint64, flip uint8)

//go:noescape
func greaterInt8(out, a, b place, turns, strideA, strideB int, bias uint64, flip uint8)

//go:noescape
func greaterInt16(out, a, b place, turns, strideA, strideB int, bias uint64, flip uint8)

//go:noescape
func greaterInt32(out, a, b place, turns, strideA, strideB int, bias uint64, flip uint8)

//go:noescape
func greaterInt64(out, a, b place, turns, strideA, strideB int, bias uint64, flip uint8)

//go:noescape
func equalFloat64(out, a, b place, turns, strideA, strideB int, bias uint64, flip uint8)

//go:noescape
func lessFloat64(out, a, b place, turns, strideA, strideB int, bias uint64, flip uint8)

//go:noescape
func lessEqualFloat64(out, a, b place, turns, strideA, strideB int, bias uint64, flip uint8)

//go:noescape
func equalFloat32(out, a, b place, turns, strideA, strideB int, bias uint64, flip uint8)

//go:noescape
func lessFloat32(out, a, b place, turns, strideA, strideB int, bias uint64, flip uint8)

//go:noescape
func lessEqualFloat32(out, a, b place, turns, strideA, strideB int, bias uint64, flip uint8)

//go:noescape
func sumInt64(out, in place, turns int)

//go:noescape
func sumUint32(out, in place, turns int)

//go:noescape
func sumInt32(out, in place, turns int)

//go:noescape
func sumUint16(out, in place, turns int)

//go:noescape
func sumInt16(out, in place, turns int)

//go:noescape
func sumInt8(out, in place, turns int)

//go:noescape
func sumFloat64(out, in place, turns int)

//go:noescape
func sumFloat32(out, in place, turns int)

//go:noescape
func minUint8(out, in place, turns int)

//go:noescape
func maxUint8(out, in place, turns int)

//go:noescape
func minInt8(out, in place, turns int)

//go:noescape
func maxInt8(out, in place, turns int)

//go:noescape
func minUint16(out, in place, turns int)

//go:noescape
func maxUint16(out, in place, turns int)

//go:noescape
func minInt16(out, in place, turns int)

//go:noescape
func maxInt16(out, in place, turns int)

//go:noescape
func minUint32(out, in place, turns int)

//go:noescape
func maxUint32(out, in place, turns int)

//go:noescape
func minInt32(out, in place, turns int)

//go:noescape
func maxInt32(out, in place, turns int)

//go:noescape
func minFloat64(out, in place, turns int)

//go:noescape
func maxFloat64(out, in place, turns int)

//go:noescape
func minFloat32(out, in place, turns int)

//go:noescape
func maxFloat32(out, in place, turns int)

//go:noescape
func extendUint8(out, in place, turns int)

//go:noescape
func extendUint16(out, in place, turns int)

//go:noescape
func extendUint32(out, in place, turns int)

//go:noescape
func extendInt8(out, in place, turns int)

//go:noescape
func extendInt16(out, in place, turns int)

//go:noescape
func extendInt32(out, in place, turns int)

//go:noescape
func floatInt32(out, in place, turns int)

//go:noescape
func floatFloat32(out, in place, turns int)

//go:noescape
func sqrtFloat64(out, in place, turns int)

//go:noescape
func floatUint64(out, in place, turns int)

//go:noescape
func floatInt64(out, in place, turns int)

//go:noescape
func sumUint8(out, in place, turns int)

//go:noescape
func narrow8(out, in place, turns int)

//go:noescape
func narrow16(out, in place, turns int)

//go:noescape
func narrow32(out, in place, turns int)

//go:noescape
func minInt64(out, in place, turns int, bias uint64)

//go:noescape
func maxInt64(out, in place, turns int, bias uint64)

//go:noescape
func nansFloat64(in place, turns int) int32

//go:noescape
func nansFloat32(in place, turns int) int32

//go:noescape
func compress8(out, data, keep place, turns int) place

//go:noescape
func compress16(out, data, keep place, turns int) place

//go:noescape
func compress32(out, data, keep place, turns int) place

//go:noescape
func compress64(out, data, keep place, turns int) place

//go:noescape
func select8(out, cond, a, b place, turns, strideA, strideB int)

//go:noescape
func select32(out, cond, a, b place, turns, strideA, strideB int)

//go:noescape
func select64(out, cond, a, b place, turns, strideA, strideB int)

//go:noescape
func steps(out place, turns int, first, step uint64)

//go:noescape
func hash64(out, in place, turns int)

//go:noescape
func candidates(masks, data place, turns, d int, first, last uint64)

//go:noescape
func hash32(out, in place, turns int)
