package sql

// Options are the limits of a parse. Zero values stand for ClickHouse's defaults.
type Options struct {
	MaxDepth       int // nesting of brackets, subqueries and types (max_parser_depth, 1000): code 306
	MaxQuerySize   int // bytes of the text, inline data of INSERT not counted (max_query_size, 262144): code 62
	MaxASTDepth    int // depth of the finished tree (max_ast_depth, 1000): code 167
	MaxASTElements int // nodes of the finished tree (max_ast_elements, 50000): code 168
}

// The defaults of Options.
const (
	DefaultMaxDepth       = 1000
	DefaultMaxQuerySize   = 262144
	DefaultMaxASTDepth    = 1000
	DefaultMaxASTElements = 50000
)

func (o Options) withDefaults() Options {
	set := func(field *int, value int) {
		if *field <= 0 {
			*field = value
		}
	}
	set(&o.MaxDepth, DefaultMaxDepth)
	set(&o.MaxQuerySize, DefaultMaxQuerySize)
	set(&o.MaxASTDepth, DefaultMaxASTDepth)
	set(&o.MaxASTElements, DefaultMaxASTElements)
	return o
}

// equalFold compares ASCII text without regard to case.
func equalFold(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := 0; i < len(a); i++ {
		if lower(a[i]) != lower(b[i]) {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
