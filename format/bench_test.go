package format

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"testing"

	"dictsvc/column"
)

// benchBlock has a million integers, floats and strings.
func benchBlock() *column.Block {
	const n = 1 << 20
	ints, floats, texts := make([]uint64, n), make([]float64, n), column.Strings()
	for i := range ints {
		ints[i], floats[i] = uint64(i)*2654435761, float64(i)/10
		texts.AppendString(fmt.Sprintf("user-%d@example.org", i))
	}
	return column.NewBlock([]string{"id", "score", "name"}, []column.Column{column.UInt64s(ints...), column.Float64s(floats...), texts})
}

func BenchmarkWrite(b *testing.B) {
	all := benchBlock()
	for i, name := range all.Names {
		one := column.NewBlock([]string{name}, all.Cols[i:i+1])
		for _, f := range []string{"TSV", "JSONEachRow"} {
			b.Run(f+"/"+name, func(b *testing.B) {
				for b.Loop() {
					w, err := NewWriter(f, io.Discard)
					if err != nil {
						b.Fatal(err)
					}
					if err := w.Header(one); err != nil {
						b.Fatal(err)
					}
					if err := w.Block(one); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(one.Rows), "ns/row")
			})
		}
	}
}

func BenchmarkRead(b *testing.B) {
	all := benchBlock()
	for _, f := range []string{"TSV", "CSV", "JSONCompactEachRow"} {
		var text bytes.Buffer
		w, err := NewWriter(f, &text)
		if err != nil {
			b.Fatal(err)
		}
		if err := errors.Join(w.Header(all), w.Block(all), w.Close()); err != nil {
			b.Fatal(err)
		}
		b.Run(f, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r, err := NewReader(f, bytes.NewReader(text.Bytes()), all.Names, all.Types())
				if err != nil {
					b.Fatal(err)
				}
				rows := 0
				for {
					block, err := r.Next()
					if err == io.EOF {
						break
					}
					if err != nil {
						b.Fatal(err)
					}
					rows += block.Rows
				}
				if rows != all.Rows {
					b.Fatalf("read %d rows of %d", rows, all.Rows)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(all.Rows), "ns/row")
		})
	}
}
