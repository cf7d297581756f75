package column

import "dictsvc/errcode"

// MaxColumnBytes caps what one column of a block may take. A query of a few words can ask for more than any machine has
// (a constant of a megabyte, a million rows long), and memory that is not there ends the process: what is about to be allocated in one go, or
// has grown past the cap, is refused first.
const MaxColumnBytes = 2 << 30

// claim panics with error 241 MEMORY_LIMIT_EXCEEDED where a column would pass the cap. The query engine, which recovers from panics at the
// borders of a query and its goroutines, answers it as the query's error; nothing in between needs to know.
func claim(bytes uint64) {
	if bytes > MaxColumnBytes {
		panic(errcode.New(errcode.MemoryLimitExceeded, "Memory limit exceeded: a column of a block would take %d bytes, maximum: %d", bytes, int64(MaxColumnBytes)))
	}
}

// Claim is claim for code outside of the package that builds a column's data itself.
func Claim(bytes int) { claim(uint64(bytes)) }
