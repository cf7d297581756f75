package function

import (
	"fmt"
	"testing"

	"dictsvc/column"
)

// benchRows is a block's usual size.
const benchRows = column.MaxBlockRows

func benchBlock() (n, m *column.Num[uint64], s *column.Str) {
	n, m, s = column.UInt64s(), column.UInt64s(), column.Strings()
	for i := range uint64(benchRows) {
		n.Data = append(n.Data, i*2654435761)
		m.Data = append(m.Data, i%1000)
		s.AppendString(fmt.Sprintf("https://example.com/path/%d", i*7919))
	}
	return n, m, s
}

// BenchmarkKernels measures rows a second of the functions that queries spend their time in.
func BenchmarkKernels(b *testing.B) {
	n, m, s := benchBlock()
	konst := func(v uint64) column.Column { return column.NewConst(column.UInt64s(v), benchRows) }
	text := func(v string) column.Column { return column.NewConst(column.Strings(v), benchRows) }
	for _, c := range []struct {
		name string
		args []column.Column
	}{
		{"plus", []column.Column{n, m}}, {"plus", []column.Column{n, konst(7)}}, {"multiply", []column.Column{n, konst(7)}}, {"modulo", []column.Column{n, konst(1000)}},
		{"intDiv", []column.Column{n, konst(1000)}}, {"divide", []column.Column{n, m}}, {"equals", []column.Column{n, konst(7)}}, {"less", []column.Column{n, m}}, {"equals", []column.Column{s, text("https://77")}},
		{"cityHash64", []column.Column{n}}, {"cityHash64", []column.Column{s}}, {"sipHash64", []column.Column{s}}, {"like", []column.Column{s, text("%77%")}}, {"like", []column.Column{s, text("https://%9")}},
		{"length", []column.Column{s}}, {"lower", []column.Column{s}}, {"substring", []column.Column{s, konst(9), konst(7)}}, {"toString", []column.Column{n}}, {"toUInt32", []column.Column{n}},
		{"toFloat64", []column.Column{n}}, {"bitAnd", []column.Column{n, konst(255)}}, {"concat", []column.Column{s, text("x")}},
	} {
		args := make([]Arg, len(c.args))
		kind := ""
		for i, a := range c.args {
			args[i] = Arg{Type: a.Type()}
			if k, ok := a.(*column.Const); ok {
				args[i].Const = k.Val
				kind += "Const"
			}
			kind += a.Type().String()
		}
		f, _ := Lookup(c.name)
		bound, err := Bind(testEnv, f, args)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(c.name+"/"+kind, func(b *testing.B) {
			b.SetBytes(benchRows) // so that MB/s reads as million rows a second
			for b.Loop() {
				if _, err := bound.Exec(&Call{Args: c.args, Rows: benchRows, Env: testEnv}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
