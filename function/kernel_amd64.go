//go:build !noasm

package function

import "golang.org/x/sys/cpu"

// haveVectors: hashWords can run.
var haveVectors = cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ

// hashVectors hashes a head of in, eight words at a time, and returns its length.
func hashVectors(out, in []uint64) int {
	n := len(in) &^ 7
	if !haveVectors || n == 0 {
		return 0
	}
	hashWords(&out[0], &in[0], n)
	return n
}

// hashWords is intHash64 of n words, a multiple of 8 and not 0.
//
//go:noescape
func hashWords(out, in *uint64, n int)
