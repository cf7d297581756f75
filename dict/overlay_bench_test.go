package dict

import (
	"context"
	"fmt"
	"math/rand"
	"testing"

	"dictsvc/column"
)

// BenchmarkOverlay looks random keys up in versions of which a share of the rows lies in an overlay.
func BenchmarkOverlay(b *testing.B) {
	const n, batch = 4_000_000, 65409
	ctx := context.Background()
	for _, attrs := range [][]string{{"UInt16"}, {"UInt32", "String"}} {
		def := &Definition{Database: "default", Name: "d", Layout: Layout{Name: SparseHashed}, Source: Source{Kind: "null"}, Keys: []Attribute{{Name: "k", Type: column.Of(column.UInt64)}}}
		for i, a := range attrs {
			def.Attrs = append(def.Attrs, Attribute{Name: fmt.Sprint("a", i), Type: column.MustParse(a)})
		}
		if err := def.Normalise(); err != nil {
			b.Fatal(err)
		}
		live, err := Load(ctx, def, &numberSource{def: def, n: n}, LoadOptions{})
		if err != nil {
			b.Fatal(err)
		}
		for _, share := range []uint64{0, 100, 10} {
			v, err := Reload(ctx, def, live, &numberSource{def: def, n: n, share: share, g: 1})
			if err != nil {
				b.Fatal(err)
			}
			keys := make([]uint64, batch)
			b.Run(fmt.Sprintf("%d attributes/one of %d", len(attrs), share), func(b *testing.B) {
				var l Lookup
				for b.Loop() {
					for i := range keys {
						keys[i] = rand.Uint64() % n * 0x9e3779b97f4a7c15
					}
					v.Find([]column.Column{column.UInt64s(keys...)}, batch, &l)
					v.Attribute(len(attrs)-1, &l, def.Attrs[len(attrs)-1].Default)
				}
				b.ReportMetric(float64(b.N)*batch/b.Elapsed().Seconds()/1e6, "Mkeys/s")
			})
			v.Release()
		}
		live.Release()
	}
}
