//go:build !amd64 || noasm

package simd

import "unsafe"

// Without kernels every function of the package does nothing and says so.
const have = false

type (
	place   = unsafe.Pointer
	kernel2 func(out, a, b place, turns, strideA, strideB int)
	compare func(out, a, b place, turns, strideA, strideB int, bias uint64, flip uint8)
	kernel1 func(out, in place, turns int)
)

var (
	andBits, orBits, xorBits                                    kernel2
	addKernels, subKernels, mulKernels, divKernels              [kinds]kernel2
	equalKernels, greaterKernels, lessKernels, lessEqualKernels [kinds]compare
	sumKernels, minKernels, maxKernels                          [kinds]kernel1
	convertKernels                                              [kinds][kinds]kernel1
	sqrtFloat64, hash64, hash32                                 kernel1
	minInt64, maxInt64                                          func(out, in place, turns int, bias uint64)
	nansFloat32, nansFloat64                                    func(in place, turns int) int32
	compress8, compress16, compress32, compress64               func(out, data, keep place, turns int) place
	select8, select32, select64                                 func(out, cond, a, b place, turns, strideA, strideB int)
	steps                                                       func(out place, turns int, first, step uint64)
	candidates                                                  func(masks, data place, turns, d int, first, last uint64)
)
