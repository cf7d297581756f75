package dict

import (
	"fmt"
	"testing"

	"dictsvc/column"
	"dictsvc/internal/mem"
	"dictsvc/packed"
)

// TestTwins gives most keys a hash that another key has: all are found, none is taken for another, and scans give each once.
func TestTwins(t *testing.T) {
	for _, width := range []int{0, 12} {
		budget := mem.CheckLeaks(t)
		region := newRegion(budget)
		images := newKeyImages(region, width)
		staged, err := packed.NewBuilder(packed.Options{Budget: budget, Same: images.same}, true, 2)
		if err != nil {
			t.Fatal(err)
		}
		// Every key comes twice; the later row is a hole.
		const n = 3000
		var b keyBatch
		for i := range 2 * n {
			b.data = fmt.Appendf(b.data, "key %08d", i%n)
			b.ends = append(b.ends, uint64(len(b.data)))
			b.words = append(b.words, uint64(i%n%100))
			b.n++
		}
		rows, found := make([]uint64, 2*n), make([]uint8, 2*n)
		for i := range rows {
			rows[i] = uint64(i)
		}
		if err := images.addBatch(&b); err != nil {
			t.Fatal(err)
		}
		if err := images.seal(); err != nil {
			t.Fatal(err)
		}
		if err := staged.Add(b.words, rows); err != nil {
			t.Fatal(err)
		}
		table, err := staged.Finish()
		if err != nil {
			t.Fatal(err)
		}
		k := &keyTable{t: table, images: images, holes: true}
		k.setTwins(staged.Twins())
		if k.len() != n {
			t.Fatalf("want %d keys, got %d", n, k.len())
		}
		k.eachRow(func(row uint64) uint64 { return row }) // changes nothing
		k.find(&b, rows, found)
		for i := range rows {
			if found[i] != 1 || rows[i] != uint64(i%n) {
				t.Fatalf("key %d: found %d, row %d", i, found[i], rows[i])
			}
		}
		missing := keyBatch{words: []uint64{5, 5000}, data: []byte("key 1234567xkey 12345678"), ends: []uint64{12, 24}, n: 2}
		k.find(&missing, rows[:2], found[:2])
		if found[0] != 0 || found[1] != 0 {
			t.Errorf("keys that are not there are found")
		}
		seen := map[string]uint64{}
		next := k.scanner(true)
		for {
			keys := &column.Str{T: column.Of(column.String)}
			got := next([]column.Column{keys}, rows[:777])
			if got == 0 {
				break
			}
			for i := range got {
				seen[keys.StringAt(i)] = rows[i]
			}
		}
		words := map[uint64]int{}
		entries := k.rowsWithWords()
		for got := entries(b.words[:777], rows[:777]); got > 0; got = entries(b.words[:777], rows[:777]) {
			for i := range got {
				words[rows[i]]++
			}
		}
		for i := range n {
			if row, ok := seen[fmt.Sprintf("key %08d", i)]; !ok || row != uint64(i) || words[uint64(i)] != 1 {
				t.Fatalf("scans give key %d the row %d (%v) and %d entries", i, row, ok, words[uint64(i)])
			}
		}
		if len(seen) != n {
			t.Errorf("scan: want %d keys, got %d", n, len(seen))
		}
		k.free()
		region.free()
	}
}
