package dict

import (
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/internal/mem"
	"dictsvc/source"
)

// numberSource makes rows of numbers; every share-th has values of generation g, 0 = none.
type numberSource struct {
	slow
	def   *Definition
	n, at uint64
	share uint64
	g     uint64
}

func (s *numberSource) Next(context.Context) (*column.Block, error) {
	n := min(s.n-s.at, column.MaxBlockRows)
	if n == 0 {
		return nil, io.EOF
	}
	b := &column.Block{Rows: int(n)}
	keys := make([]uint64, n)
	for i := range keys {
		keys[i] = (s.at + uint64(i)) * 0x9e3779b97f4a7c15
	}
	b.Cols = append(b.Cols, column.UInt64s(keys...))
	for _, a := range s.def.Attrs {
		c := column.New(a.Type, int(n))
		var text []byte
		for i := range n {
			v := s.at + i
			if s.share > 0 && v%s.share == 0 {
				v += s.g
			}
			switch x := c.(type) {
			case *column.Num[uint16]:
				x.Data = append(x.Data, uint16(v*v))
			case *column.Num[uint32]:
				x.Data = append(x.Data, uint32(v*v*v))
			case *column.Num[float64]:
				x.Data = append(x.Data, float64(v%10000)/100)
			case *column.Str:
				text = append(strconv.AppendUint(append(text[:0], "user-"...), v, 10), "@example.org"...)
				x.Append(text)
			case *column.Null:
				x.Nulls = append(x.Nulls, uint8(v&1))
				x.Inner.(*column.Num[int64]).Data = append(x.Inner.(*column.Num[int64]).Data, int64(v*v))
			}
		}
		b.Cols = append(b.Cols, c)
	}
	s.at += n
	return b, nil
}

// A reload that makes an overlay holds at most 1.3 times one version at its peak, up to the largest overlays.
func TestReloadPeak(t *testing.T) {
	if raceDetector {
		t.Skip("no memory is measured under the race detector")
	}
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
		t.Skip("no /proc: ", err)
	}
	var size, pages int64
	if _, err := fmt.Fscan(strings.NewReader(string(text)), &size, &pages); err != nil {
		t.Fatal(err)
	}
	return pages * int64(os.Getpagesize())
}

// The memory of a version that was replaced or dropped is back at the system within a second.
func TestDroppedMemoryComesBack(t *testing.T) {
	if raceDetector {
		t.Skip("no memory is measured under the race detector")
	}
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
