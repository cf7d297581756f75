package function

import (
	"dictsvc/column"
)

// castFn turns a column into another type; a Const stays one.
type castFn func(c column.Column, rows int) (column.Column, error)
