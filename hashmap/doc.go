// Package hashmap holds a fast hash table of whole keys, and the hash functions that all tables share. Everything lies outside Go's heap (see internal/mem).
//
// # Map: UInt64 keys, values of 0 to 16 bytes
//
// A table is an array of buckets of one cache line (two lines for 16-byte values). A bucket holds as many cells
// as fit, keys first, then values:
//
//	        0        8        16       24       32       40       48  50  52  54  56  58  60
//	V=2:    | key 0  | key 1  | key 2  | key 3  | key 4  | key 5  |v0 |v1 |v2 |v3 |v4 |v5 |    |
//
//	value bytes      0   1   2   4   8   16
//	cells a bucket   8   7   6   5   4   5 (128 bytes)
//	bytes a cell     8   9.1 10.7 12.8 16  25.6
//
// What is stored is not the key but its hash, Mix64(key ^ seed), which is a bijection, so the key can be had back.
// The home bucket of a hash is (2^64 - 1 - hash) x buckets / 2^64: any number of buckets works, and the bucket number
// falls as the hash grows.
//
// The cells of the whole array, read from left to right, are sorted by hash, the largest first. Empty cells, at the
// end of their bucket, are zero, so fresh memory is an empty table in order. This one rule gives:
//
//   - A lookup counts the cells of the home bucket that are larger than the hash, without a branch. The cell at
//     that position is the hash, or the key is not there; only when the whole bucket is larger does the search
//     go on in the next one. Hits and misses cost the same.
//   - An insert into a full bucket moves the bucket's smallest cell to the front of the next bucket, and so on until
//     a bucket has room (linear probing in hash order). A delete moves cells back the same way, so there are no
//     tombstones and a table does not age.
//   - Growing and shrinking keep the order, so both are one sweep over the array in place: the mapping is grown
//     by mremap, the cells are moved to its end and spread from the front; or they are drawn together and the
//     mapping is cut. There is never a second table.
//   - Two tables can be merged like sorted lists.
//
// The array has some spare buckets behind the last home bucket for cells pushed out of it. The row whose hash is 0,
// which looks like an empty cell, is kept beside the array; which key that is depends on the seed.
//
// # Batches
//
// All calls take columns of keys. A batch is hashed eight keys at a time, asks for buckets 16 keys ahead, and compares each bucket as one vector (AVX-512);
// other processors, and the noasm build tag, have plain Go.
//
// Dictionaries do not use Map: the table of package packed is as fast where both fit the caches and faster beyond, because it is smaller
// (docs/benchmarks.md). Map holds the few rows that find no room there, and is the fastest to grow row by row.
//
// A table may be read by any number of goroutines while nobody changes it.
package hashmap
