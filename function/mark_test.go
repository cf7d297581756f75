package function

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"dictsvc/column"
)

// The marks agree with a search row by row, over few letters, so that literals lie across the borders of rows too.
func TestMarks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	text := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = "ab"[r.IntN(2)]
		}
		return b
	}
	for range 3000 {
		col := &column.Str{T: column.Of(column.String)}
		for range r.IntN(60) {
			col.Append(text(r.IntN(1 + r.IntN(24))))
		}
		skip := r.IntN(col.Len() + 1)
		s := newStrs(col.Slice(skip, col.Len()))
		lit := text(r.IntN(12))
		out := make([]uint8, s.n)
		for name, c := range map[string]struct {
			mark func([]uint8, *strs, []byte)
			want func(s, lit []byte) bool
		}{"containing": {markContaining, bytes.Contains}, "prefix": {markPrefix, bytes.HasPrefix}, "suffix": {markSuffix, bytes.HasSuffix}} {
			fill(out, 7)
			c.mark(out, &s, lit)
			for i, got := range out {
				if want := bit(c.want(s.at(i), lit)); got != want {
					t.Fatalf("%s: %q in row %d, %q: got %d, want %d", name, lit, i, s.at(i), got, want)
				}
			}
		}
	}
}
