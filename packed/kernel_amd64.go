//go:build !noasm

package packed

import "golang.org/x/sys/cpu"

// haveAssembly: searchLines can run; haveVectors: placeKeys can.
var (
	haveAssembly = cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasBMI2
	haveVectors  = cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512BW
)

// searchLines is searchAll. s.line has ahead entries behind the last.
//
//go:noescape
func searchLines(k *kernel, s *scratch, n int, choice uint64) (hits, again int)

// filterKeys hashes n keys, a multiple of 8, and keeps hashes and values of those whose hash >> shift is of the count numbers from first on.
//
//go:noescape
func filterKeys(keys, values *uint64, n int, seed, shift, first, count uint64, out *keptRows) int

// placeKeys hashes n keys, a multiple of 8, for a table of fewer than 2^32 lines.
//
//go:noescape
func placeKeys(k *kernel, keys *uint64, n int, s *scratch)
