// Package bench measures dictsvc against its peers.
//
// Tables compares the hash tables with Go's map, github.com/dolthub/swiss and sorted arrays, in this process.
// ClickHouse compares dictionaries with those of ClickHouse 26.7: the same SQL text on both, each dictionary in a
// process of its own, so that the growth of the process is the dictionary's. SQL compares queries over tables and
// dictionaries, again the same text on both, and checks that both answer alike.
//
// # The roof
//
// A lookup in a table larger than the caches costs at least one random cache line. How many of these a core reads
// in a second depends on the machine, the page size and what the neighbours do, and changes by a factor of two
// within an hour. So a plain loop that reads random lines of a region as large as the table runs right beside each
// measured lookup, and lookups are given as a share of it too. Small tables pass it not: where everything is in the
// first cache, the loop measures its own arithmetic.
//
// # Figures
//
// A figure is the median of several runs, with the least and the greatest beside it. Runs of the compared systems
// alternate, so that a busy minute hits all of them.
package bench
