//go:build !noasm

package hashmap

import "golang.org/x/sys/cpu"

var haveVectors = cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512BW && cpu.X86.HasBMI2

// searchBuckets looks for n hashes in their home buckets, and lists the ones it leaves to find: those that may be in a later bucket, and the hash 0.
//
//go:noescape
func searchBuckets(k *kernel, s *scratch, n int) (hits, again int)

// placeKeys hashes n keys, a multiple of 8, for a table of fewer than 2^32 home buckets.
//
//go:noescape
func placeKeys(k *kernel, keys *uint64, n int, s *scratch)
