// Package jsonl reads JSONEachRow, also known as JSONLines and NDJSON: JSON objects separated by white space or commas, or one array of objects.
//
// The input is cut into chunks at newlines; worker goroutines parse chunks into blocks of columns, which come out in order. A row's
// fields are first expected in the order of the row before: one comparison of bytes a field. Whatever is unusual (another order,
// escapes, nested values) takes the general path, which gives the same answers. Where a chunk does not end at the end of a row (objects
// over several lines, everything on one line), the rest is read in sequence; what comes out never depends on where chunks end.
package jsonl

import (
	"dictsvc/column"
)

// Column is a column to read.
type Column struct {
	Name string
	Type *column.Type
	// Default is one row of Type, used where a field is missing, or null in a column that cannot hold NULL; nil is the type's default.
	Default column.Column
}

// Options say what to read and how.
type Options struct {
	// Name of the input in messages, a file's path as a rule.
	Name    string
	Columns []Column
	// Threads is the number of parsing goroutines; 0 is 1.
	Threads int
	// ChunkSize is how many bytes are read and parsed at a time; 0 is 4 MiB.
	ChunkSize int
	// MaxErrors is how many bad rows are skipped before one is an error. A bad row ends at the next newline.
	MaxErrors uint64
	// RefuseUnknown makes a field without a column an error (input_format_skip_unknown_fields = 0).
	RefuseUnknown bool
	// RefuseNull makes null in a column that cannot hold NULL an error (input_format_null_as_default = 0).
	RefuseNull bool
	// MaxRowBytes is the longest row; 0 is 128 MiB.
	MaxRowBytes int
	// BlockRows is the most rows of a block; 0 is column.MaxBlockRows.
	BlockRows int
}

const (
	defaultChunk  = 4 << 20
	defaultMaxRow = 128 << 20
	maxDepth      = 1000 // of values in values
)

func (o Options) withDefaults() Options {
	set := func(v *int, d int) {
		if *v <= 0 {
			*v = d
		}
	}
	set(&o.Threads, 1)
	set(&o.ChunkSize, defaultChunk)
	set(&o.MaxRowBytes, defaultMaxRow)
	set(&o.BlockRows, column.MaxBlockRows)
	for i := range o.Columns {
		c := &o.Columns[i]
		if c.Default == nil {
			c.Default = column.New(c.Type, 1)
			c.Default.AppendDefault(1)
		}
	}
	return o
}
