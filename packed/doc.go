// Package packed is the compressed open-addressing table behind SPARSE_HASHED: UInt64 keys and values of 0 to 64
// bits at close to the smallest size possible. Everything lies outside Go's heap (see internal/mem).
//
// # Layout
//
// A key is hashed with a bijection: hash = Mix64(key ^ seed). The hash is split by one multiplication with the
// number of lines: the high word of the product is the home line, so any number of lines works and the line number
// grows with the hash; of the low word only the bits are kept that the line does not tell (64 less log2 of the
// number of lines). Line and kept bits give the hash back, hence the key, so a table can be scanned and exported.
//
// A line is a cache line of 64 bytes (two, where that wastes fewer bits). All slots' parts stand together:
//
//	bits:   5       up to 27   8 each          r each                         w each
//	      | count | marks    | tag 0 .. tag s | rest+choice 0 .. rest+choice s | value 0 .. value s | unused |
//
// The tag is the low byte of the rest, so that eight slots are compared at once; r is the other bits of the rest
// and one choice bit; w is the width of values in bits. Used slots stand at the front, count says how many.
//
//	rows    value    bits a slot     slots a line   bytes a row at 0.95
//	100 M   16 bits  41+1+16 = 58    8              8.42      (bound for random keys: 6.86)
//	100 M   none     41+1    = 42    12             5.61
//	1e9     16 bits  38+1+16 = 55    9              7.49      (bound: 6.44)
//	5 M     23 bits  45+1+23 = 69    7              9.62
//	100 M   32 bits  42+1+32 = 75    13 (128 bytes) 10.36
//
// # Two lines an entry
//
// A full home line sends an entry to its other line, which the home line and the rest choose by a second hash
// within the same group of 512 KiB: never another page, and cached while a group is worked on. The choice bit says
// that an entry is in its other line, so two entries with equal rests and different homes are never taken for each
// other. other(other(line)) = line, so an entry can be moved back without knowing more.
//
// The home line remembers it by setting one of its marks, chosen by a third hash of the rest. A lookup that finds
// nothing in the home line reads the other line only if that mark is set: one line for nearly all misses.
//
// When both lines are full, a breadth-first search over the other lines of their entries finds a chain of moves to a
// line with room; nothing is moved before the chain is known. Keys that find no room (none in most tables; some tens
// in 100 million at 0.98) go to a side table, which lookups consult only if there is anything in it.
//
// # Growth
//
// A table in which rows are counted late grows: twofold below 64 MiB, by half below 256 MiB, by a quarter from there.
//
// Groups keep the order of hashes, so a table grows, shrinks or gets wider values group by group in place: going
// from the last group to the first, the entries of a group are taken out and inserted into the grown table, whose
// groups there were already read. The extra memory is one group's entries. A table of less than 16 MiB is one
// group of any size and is copied.
//
// Deleting moves the last slot of the line into the gap. Marks stay; after as many deletes as there are rows, a
// sweep without a change of size sets them anew, so a table under churn does not age.
//
// # Building
//
// A Builder avoids growth where rows come without their number being known. Each worker keeps the rows of its share of hashes in
// partitions by the high bits of the hash: 64, then 2048, then 65,536 of them as rows get many, so that a partition tells 6 to 16 bits of the hash and
// a row takes the other bytes of it, and its value's. Small buffers stand between, so that writing to many partitions is as quick as to one.
//
// When all rows are there the table is made in its final size and filled partition by partition: a partition's rows are sorted by home line, which
// shows duplicates without a search; each line takes as many of its own rows as it has slots, and is written once; what is left over goes to other lines
// when the whole group has its own. So at 0.95 one entry of eight is not in its home line, where inserts one by one leave one of five there.
// Each partition's pages go back to the system when they are read: memory at its peak is about what the rows take, or the table if that is more.
//
// # Look-ups
//
// A batch is hashed eight keys at a time (AVX-512), asks for lines 32 keys ahead, and is then searched a key at a time without a branch that depends
// on whether the key is there (AVX2 and BMI2): such a branch is wrong for one key of eight at 0.95, and each time the processor forgets what it was
// about to ask memory for. The assembly has a twin in plain Go, which the noasm build tag chooses. docs/benchmarks.md has figures, made by "dictsvc bench".
//
// A table may be read by any number of goroutines while nobody changes it.
package packed
