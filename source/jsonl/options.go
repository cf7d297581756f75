// Package jsonl reads JSONEachRow, also known as JSONLines and NDJSON: JSON objects separated by white space or commas, or one array of
// objects; plain, or packed with gzip, zstd or LZ4.
//
// One goroutine reads the input and cuts it into chunks at newlines, Threads goroutines parse chunks into blocks of columns, and Next
// hands the blocks out in order:
//
//	input -> chunk, chunk, chunk -> parser -> blocks -> Next
//	                          \---> parser -> blocks --/
//
// A parser takes for granted that its chunk begins with a row. Where that proves wrong, because the chunk before ended inside a row
// (objects over several lines, all of a file on one line), what is left of the chunk before goes in front and both are parsed again, in
// sequence. So the rows never depend on where chunks end.
//
// Within a row a parser expects the field that followed the last time: one comparison of up to 16 bytes covers comma, name, colon and
// the space between them, and links from field to field are learnt as rows come (node). Numbers and strings without escapes are read
// eight bytes at a time (words.go); all else takes the general path (values.go), which gives the same answers.
//
// What is accepted is what ClickHouse 26.7 accepts, but for four things, which are errors here: an integer out of its type's range
// (ClickHouse wraps it round), a field that comes twice in a row (it takes the first), a bad escape (it takes the character), and text
// that is no JSON where ClickHouse happens to pass it (a comma before a bracket in a list, a field without a value).
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
	// Required makes a row in which the field is missing or null a bad row.
	Required bool
}

// Options say what to read and how.
type Options struct {
	// Name of the input in messages, a file's path as a rule.
	Name string
	// Columns to read. Fields that are none of them are checked and passed over. A field's name may differ from the column's in case
	// where no column and no other field of the row has it letter by letter.
	Columns []Column
	// CountOnly reads no column: blocks have rows and no columns. The rows are checked all the same.
	CountOnly bool
	// Threads is the number of parsing goroutines; 0 is 1.
	Threads int
	// ChunkSize is how many bytes are read and parsed at a time; 0 is 1 MiB.
	ChunkSize int
	// MaxErrors is how many bad rows are skipped before one is an error. A bad row ends at the next newline.
	MaxErrors uint64
	// RefuseUnknown makes a field without a column an error (input_format_skip_unknown_fields = 0).
	RefuseUnknown bool
	// RefuseNull makes null in a column that cannot hold NULL an error (input_format_null_as_default = 0).
	RefuseNull bool
	// MaxRowBytes is the longest row, which is held in memory as a whole; 0 is 128 MiB.
	MaxRowBytes int
	// BlockRows is the most rows of a block; 0 is column.MaxBlockRows.
	BlockRows int

	general bool // every name and value takes the general path; tests compare
}

const (
	defaultChunk  = 1 << 20
	defaultMaxRow = 128 << 20
	maxDepth      = 1000 // of values in values; ClickHouse's limit, too
	maxFields     = 1 << 16
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
	if o.CountOnly {
		o.Columns = nil
	}
	o.Columns = append([]Column(nil), o.Columns...)
	for i := range o.Columns {
		c := &o.Columns[i]
		if c.Default == nil {
			c.Default = column.New(c.Type, 1)
			appendDefault(c.Default)
		}
	}
	return o
}

// appendDefault appends a type's default value: for an enum its first, as ClickHouse has it for fields that are missing.
func appendDefault(c column.Column) {
	if t := c.Type(); t.IsEnum() && len(t.Enum.Values) > 0 {
		switch x := c.(type) {
		case *column.Num[int8]:
			x.Data = append(x.Data, int8(t.Enum.Values[0]))
			return
		case *column.Num[int16]:
			x.Data = append(x.Data, t.Enum.Values[0])
			return
		}
	}
	c.AppendDefault(1)
}
