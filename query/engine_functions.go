package query

import (
	"time"

	"dictsvc/column"
	"dictsvc/function"
)

// engineFunctions are the functions that tell of the server itself.
func (e *Engine) engineFunctions() []function.Function {
	constant := func(name string, t *column.Type, value func() column.Column) function.Function {
		return function.Function{Name: name, Bind: func(*function.Env, []function.Arg) (*function.Bound, error) {
			return &function.Bound{Type: t, Exec: func(c *function.Call) (column.Column, error) { return column.NewConst(value(), c.Rows), nil }}, nil
		}}
	}
	return []function.Function{
		constant("uptime", column.Of(column.UInt32), func() column.Column { return column.UInt32s(uint32(e.Uptime() / time.Second)) }),
		constant("tcpPort", column.Of(column.UInt16), func() column.Column { return column.UInt16s(uint16(e.cfg.TCPPort)) }),
	}
}
