package hashmap

import (
	"math"

	"dictsvc/errcode"
	"dictsvc/internal/mem"
)

// Options say how a table is built. The zero value is good.
type Options struct {
	// MaxLoadFactor is the largest share of cells in use, 0.5 to 0.99; 0 means DefaultLoadFactor.
	MaxLoadFactor float64
	// Rows is the expected number of rows, 0 if unknown. The table starts with room for them.
	Rows uint64
	// Seed is xored into keys before they are hashed. A seed that outsiders do not know keeps them from
	// choosing keys that collide.
	Seed uint64
	// Budget is charged for the memory; nil means mem.Process.
	Budget *mem.Budget
}

const (
	// DefaultLoadFactor is used where Options has none: the fastest, and ClickHouse's default.
	DefaultLoadFactor = 0.5
	// MinLoadFactor and MaxLoadFactor bound Options.MaxLoadFactor, as in ClickHouse.
	MinLoadFactor, MaxLoadFactor = 0.5, 0.99
	// MaxRows is the largest number of rows in any table.
	MaxRows = 1 << 40

	// block is the number of keys that are worked on together.
	block = 128
	// step is the number of keys whose lines are asked for before the keys one step behind are resolved: longer
	// than memory takes, and no more lines than the processor can wait for.
	step = 16
)

// CheckLoadFactor is f, or the default for 0, or an error with code BAD_ARGUMENTS.
func CheckLoadFactor(f float64) (float64, error) {
	if f == 0 {
		return DefaultLoadFactor, nil
	}
	if math.IsNaN(f) || f < MinLoadFactor || f > MaxLoadFactor {
		return 0, errcode.New(errcode.BadArguments, "max_load_factor: want a number between %v and %v, got %v", MinLoadFactor, MaxLoadFactor, f)
	}
	return f, nil
}

// tooManyRows is the error for a table that would pass MaxRows.
func tooManyRows(n uint64) error {
	return errcode.New(errcode.MemoryLimitExceeded, "grow a hash table: want at most %d rows, got %d", uint64(MaxRows), n)
}

// Cursor is a place in a scan; the zero value is the start. A scan is right as long as the table does not change.
type Cursor struct {
	at    uint64
	aside bool // what is kept beside the array has been given
}
