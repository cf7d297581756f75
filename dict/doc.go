// Package dict holds dictionaries: their definitions, the loaded tables, look-ups by batches of keys, reloads and snapshots.
//
// A loaded dictionary (a Version) is one key table and the attributes beside it. A key becomes a word of 64 bits: a number is itself, columns of at
// most 8 bytes stand side by side, and of strings and longer tuples it is a hash, with the image of the key kept by row. The key table leads the word
// to the row number, or straight to the value where the only attribute is a number of at most 64 bits, or a string of few distinct values, of
// which it has the code:
//
//	key --> word --> [packed table] --> row --> image of the key, if the word is a hash
//	                       \              \--> attribute 1: chunks of 65,536 rows
//	                        \--> value     \--> attribute 2: ...
//
// ClickHouse's HASHED keeps the key once an attribute; here it is kept once. All layouts use the packed table, and differ in the load factor that it has
// where none is given. A chunk of an attribute is packed when it is full:
//
//	numbers   frame of reference: the least value of the chunk, and each row's distance to it in as many bits as the greatest
//	          distance takes. Floats that are decimal fractions (12.5, 0.01) are held as such integers where every
//	          value of the chunk comes back bit for bit.
//	strings   the bytes one after another; end offsets in lines of 64 bytes: a 4-byte base and 30 two-byte ends, so a row's
//	          place costs one cache line and 2.13 bytes. What all strings of a chunk begin and end with is held once (affix.go). A column with at most 65,536 distinct strings holds each once and a code a row.
//	NULLs     one bit a row, in chunks that have any
//	the rest  arrays, maps and wide numbers: as their serialised image, like strings
//
// All of it lies outside Go's heap. A Version never changes once published: readers take it from an atomic pointer
// and a reload puts another in its place.
//
// A reload of a large dictionary builds only what is different (Reload). The new version has the key table and the stores of its base, which the
// versions count their uses of, and an overlay:
//
//	key --> base --> row or value  --\
//	    \-> filter --> overlay's rows --> the overlay's row or value goes first
//	               \-> keys gone      --> not there
//
// Rows are compared with the base, not with an older overlay, so there is one overlay at most, of at most a tenth of the base's rows; beyond
// that the reload goes over to a version of its own.
package dict
