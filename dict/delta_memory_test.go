//go:build !race

// Memory is measured without the race detector, which has its own.

package dict

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/internal/mem"
	"dictsvc/source"
)

// A reload that makes an overlay holds at most 1.3 times one version at its peak, up to the largest overlays.
func TestReloadPeak(t *testing.T) {
	const n = 2_000_000
	ctx := context.Background()
	for _, attrs := range [][]string{{"UInt16"}, {"UInt32", "Float64", "UInt16", "Date", "Nullable(Int64)", "String"}} {
		def := definition(t, []string{"UInt64"}, attrs, SparseHashed)
		live, err := Load(ctx, def, &numberSource{def: def, n: n}, LoadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for g, share := range []uint64{100, 100, 100, 11, 11} { // unchanged; one row in so many changed, and changed again over an overlay
			one := mem.Process.Used()
			// Memory that is counted, and never touched, lifts the count to its peak of old: then the peak tells of this reload.
			ballast, err := mem.Alloc(nil, int(mem.Process.Peak()-one))
			if err != nil {
				t.Fatal(err)
			}
			from := mem.Process.Used()
			v, err := Reload(ctx, def, live, &numberSource{def: def, n: n, share: share, g: uint64(g)})
			if err != nil {
				t.Fatal(err)
			}
			peak := float64(mem.Process.Peak()-from+one) / float64(one)
			t.Logf("%d attributes, reload %d, of one row in %d: %d bytes, then %d; peak %.3f", len(attrs), g, share, one, mem.Process.Used()-from+one, peak)
			if peak > 1.3 {
				t.Errorf("%d attributes: the peak is %.3f times one version; want at most 1.3", len(attrs), peak)
			}
			if v.tables() != live.tables() || v.Len() != n {
				t.Errorf("the tables are shared: %v, %d rows", v.tables() == live.tables(), v.Len())
			}
			ballast.Free()
			live.Release()
			live = v
		}
		live.Release()
	}
}

// resident is the process's memory by the system's count.
func resident(t *testing.T) int64 {
	t.Helper()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	var size, pages int64
	if _, err := fmt.Fscan(strings.NewReader(string(text)), &size, &pages); err != nil {
		t.Fatal(err)
	}
	return pages * int64(os.Getpagesize())
}

// The memory of a version that was replaced or dropped is back at the system within a second.
func TestDroppedMemoryComesBack(t *testing.T) {
	const n = 1_500_000
	ctx := context.Background()
	generation := uint64(0)
	reg := NewRegistry(func(_ context.Context, def *Definition) (source.Source, error) {
		return &numberSource{def: def, n: n, share: 1, g: generation}, nil // every row is different
	})
	d, err := reg.Create(definition(t, []string{"UInt64"}, []string{"UInt32", "String"}, Hashed), false)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Reload(ctx); err != nil {
		t.Fatal(err)
	}
	one := int64(d.Info().Bytes)
	back := func(what string, want int64) {
		t.Helper()
		end := time.Now().Add(time.Second)
		for resident(t) > want && time.Now().Before(end) {
			time.Sleep(10 * time.Millisecond)
		}
		if got := resident(t); got > want {
			t.Errorf("%s: %d bytes are resident after a second; want at most %d, where a version has %d", what, got, want, one)
		}
	}
	loaded := resident(t)
	generation++
	if err := d.Reload(ctx); err != nil {
		t.Fatal(err)
	}
	back("replaced", loaded+one/2) // the rest is what the collector has not been at yet
	reg.Close()
	back("dropped", loaded-one/2)
}

// A reload that compares with the live version does not keep its memory when the dictionary is dropped.
func TestDropEndsReload(t *testing.T) {
	ctx := context.Background()
	used := mem.Process.Used()
	waits := make(chan struct{})
	loads := 0
	reg := NewRegistry(func(_ context.Context, def *Definition) (source.Source, error) {
		src := &endlessSource{numberSource: numberSource{def: def, n: 2 * chunkRows}}
		if loads++; loads > 1 {
			src.waits = waits
		}
		return src, nil
	})
	d, err := reg.Create(definition(t, []string{"UInt64"}, []string{"UInt16"}, SparseHashed), false)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Reload(ctx); err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() { done <- d.Reload(ctx) }()
	<-waits
	if !reg.Drop("default", "d") {
		t.Error("there is nothing to drop")
	}
	if err := <-done; errcode.Of(err) != errcode.UnknownDictionary {
		t.Errorf("a reload of a dropped dictionary: got %v; want UNKNOWN_DICTIONARY", err)
	}
	if left := mem.Process.Used() - used; left != 0 {
		t.Errorf("%d bytes are still held", left)
	}
}

// endlessSource is a numberSource that waits behind its last row until it is cancelled.
type endlessSource struct {
	numberSource
	waits chan struct{}
}

func (s *endlessSource) Next(ctx context.Context) (*column.Block, error) {
	b, err := s.numberSource.Next(ctx)
	if err == nil || s.waits == nil {
		return b, err
	}
	close(s.waits)
	<-ctx.Done()
	return nil, ctx.Err()
}
