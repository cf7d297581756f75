package dict

import (
	"context"
	"fmt"
	"io"
	"math/rand"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/internal/mem"
	"dictsvc/source"
)

// row is a row of a test's source: the number of its key and that of its values in the pool.
type row struct{ key, value int }

// pool holds the keys and values that the sources of a test are made of.
type pool struct {
	def   *Definition
	keys  []column.Column
	attrs []column.Column
	n     int // keys, and values for each
	byKey map[string]int
	rng   *rand.Rand
}

const poolVariants = 4

func newPool(def *Definition, n int) *pool {
	p := &pool{def: def, byKey: map[string]int{}, rng: rand.New(rand.NewSource(int64(n)))}
	for _, k := range def.Keys {
		p.keys = append(p.keys, column.New(k.Type, n))
	}
	for p.n < n { // distinct keys
		for _, k := range p.keys {
			fill(k, 1, 3, p.rng)
		}
		if image := p.image(p.keys, p.n); p.byKey[image] == 0 {
			p.n++
			p.byKey[image] = p.n
			continue
		}
		for _, k := range p.keys {
			k.Truncate(p.n)
		}
	}
	for i, a := range def.Attrs {
		c := column.New(a.Type, n*poolVariants)
		fill(c, n*poolVariants, 1+i%3, p.rng)
		p.attrs = append(p.attrs, c)
	}
	return p
}

func (p *pool) image(keys []column.Column, i int) string {
	var b []byte
	for _, k := range keys {
		b = k.AppendKey(b, i)
	}
	return string(b)
}

// source gives rows in blocks of odd sizes.
func (p *pool) source(rows []row) *rowSource { return &rowSource{p: p, rows: rows} }

type rowSource struct {
	p    *pool
	rows []row
	gate func() error // called before each block
}

func (s *rowSource) Header() ([]string, []*column.Type)    { return nil, nil }
func (s *rowSource) Progress() (rows, bytes, total uint64) { return 0, 0, 0 }
func (s *rowSource) Close() error                          { return nil }
func (s *rowSource) Next(context.Context) (*column.Block, error) {
	if s.gate != nil {
		if err := s.gate(); err != nil {
			return nil, err
		}
	}
	if len(s.rows) == 0 {
		return nil, io.EOF
	}
	n := min(1+s.p.rng.Intn(700), len(s.rows))
	keys, values := make([]uint32, n), make([]uint32, n)
	for i, r := range s.rows[:n] {
		keys[i], values[i] = uint32(r.key), uint32(r.value)
	}
	s.rows = s.rows[n:]
	b := &column.Block{Rows: n}
	for _, k := range s.p.keys {
		b.Cols = append(b.Cols, k.Gather(keys))
	}
	for _, a := range s.p.attrs {
		b.Cols = append(b.Cols, a.Gather(values))
	}
	return b, nil
}

// check compares look-ups and scans of a version with the rows of its source, of which the first of each key counts.
func (p *pool) check(t *testing.T, what string, v *Version, rows []row) {
	t.Helper()
	want := map[int]int{}
	for _, r := range rows {
		if _, ok := want[r.key]; !ok {
			want[r.key] = r.value
		}
	}
	if v.Len() != uint64(len(want)) {
		t.Fatalf("%s: %d keys; want %d", what, v.Len(), len(want))
	}
	var l Lookup
	v.Find(p.keys, p.n, &l)
	for i, f := range l.Found {
		if _, ok := want[i]; ok != (f == 1) {
			t.Fatalf("%s: key %d: found %d; want %v", what, i, f, ok)
		}
	}
	for a, attr := range p.def.Attrs {
		got := v.Attribute(a, &l, attr.Default)
		for i := range p.n {
			if w, ok := want[i]; ok && !sameImage(got, i, p.attrs[a], w) || !ok && !sameImage(got, i, attr.Default, 0) {
				t.Fatalf("%s: attribute %d (%s) of key %d differs", what, a, attr.Type, i)
			}
		}
	}
	all := make([]int, len(p.keys)+len(p.attrs))
	for i := range all {
		all[i] = i
	}
	seen := map[int]bool{}
	for _, s := range v.Scan(all, 2) {
		for cols, n := s.Next(); n > 0; cols, n = s.Next() {
			for i := range n {
				k := p.byKey[p.image(cols[:len(p.keys)], i)] - 1
				w, ok := want[k]
				if !ok || seen[k] {
					t.Fatalf("%s: the scan gives key %d, there: %v, given before: %v", what, k, ok, seen[k])
				}
				seen[k] = true
				for a, c := range cols[len(p.keys):] {
					if !sameImage(c, i, p.attrs[a], w) {
						t.Fatalf("%s: the scan's attribute %d of key %d differs", what, a, k)
					}
				}
			}
		}
	}
	if len(seen) != len(want) {
		t.Fatalf("%s: the scan gives %d keys; want %d", what, len(seen), len(want))
	}
	if len(p.attrs) > 0 { // attributes alone, which a scan without an overlay reads by row number
		n := 0
		for _, s := range v.Scan(all[len(p.keys):], 2) {
			for _, m := s.Next(); m > 0; _, m = s.Next() {
				n += m
			}
		}
		if n != len(want) {
			t.Fatalf("%s: a scan of attributes gives %d rows; want %d", what, n, len(want))
		}
	}
}

// change returns a source with about so many rows in a thousand changed, deleted and new, with duplicates, in another order.
func (p *pool) change(rows []row, changed, deleted, fresh, doubled int) []row {
	there := map[int]bool{}
	var out []row
	for _, r := range rows {
		if there[r.key] || p.rng.Intn(1000) < deleted {
			continue
		}
		there[r.key] = true
		if p.rng.Intn(1000) < changed {
			r.value = p.rng.Intn(p.n * poolVariants)
		}
		out = append(out, r)
	}
	for k := range p.n {
		if !there[k] && p.rng.Intn(1000) < fresh {
			out = append(out, row{k, p.rng.Intn(p.n * poolVariants)})
		}
	}
	p.rng.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	for range len(out) * doubled / 1000 { // again, with another value, which must not count
		out = append(out, row{out[p.rng.Intn(len(out))].key, p.rng.Intn(p.n * poolVariants)})
	}
	return out
}

var smallLimits = deltaLimits{least: 1, share: 8}

// reloadAll runs sequences of reloads against the model.
func reloadAll(t *testing.T, def *Definition, n int) {
	t.Helper()
	ctx := context.Background()
	used := mem.Process.Used()
	p := newPool(def, n)
	var rows []row
	for k := range n * 9 / 10 {
		rows = append(rows, row{k, p.rng.Intn(n * poolVariants)})
	}
	live, err := Load(ctx, def, p.source(rows), LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	p.check(t, "loaded", live, rows)
	for i, s := range []struct {
		what                             string
		changed, deleted, fresh, doubled int
		shared                           bool // with the base of the version before
	}{
		{"unchanged", 0, 0, 0, 0, true},
		{"1 % changed", 10, 0, 0, 0, true},
		{"unchanged again", 0, 0, 0, 100, true},
		{"1 % of all", 10, 10, 100, 500, true},
		{"deleted", 0, 30, 0, 0, true},
		{"new and back", 0, 0, 150, 300, true},
		{"half changed", 500, 0, 0, 100, false},
		{"changed a little", 20, 20, 100, 0, true},
		{"half deleted", 0, 500, 0, 0, false},
		{"back", 0, 0, 1000, 0, false},
		{"1 % again", 10, 10, 1000, 100, true},
		{"empty", 0, 1000, 0, 0, false},
		{"filled again", 0, 0, 900, 0, false},
		{"all changed", 1000, 0, 0, 0, false},
		{"only new", 0, 0, 500, 0, true},
		{"at last", 10, 0, 0, 0, true},
	} {
		rows = p.change(rows, s.changed, s.deleted, s.fresh, s.doubled)
		what := fmt.Sprintf("%s: reload %d, %s", def.Layout.Name, i, s.what)
		v, err := reload(ctx, def, live, p.source(rows), smallLimits)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if shared := v.tables() == live.tables(); shared != s.shared && len(def.Attrs) > 0 {
			t.Errorf("%s: the tables are shared: %v; want %v", what, shared, s.shared)
		}
		if s.what == "unchanged" && v != live {
			t.Errorf("%s: the version is another", what)
		}
		p.check(t, what, v, rows)
		live.Release()
		live = v
	}
	path := filepath.Join(t.TempDir(), "d.dict")
	if live.over == nil {
		t.Fatal("the last version has no overlay")
	}
	if err := live.Save(path); err != nil {
		t.Fatal(err)
	}
	w, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	p.check(t, "snapshot", w, rows)
	w.Release()
	if f := live.LoadFactor(); !(f > 0 && f < 1) || live.Bytes() <= live.tables().Bytes() {
		t.Errorf("load factor %v, %d bytes of which %d are the base's", f, live.Bytes(), live.tables().Bytes())
	}
	live.Release()
	if left := mem.Process.Used() - used; left != 0 {
		t.Errorf("%s: %d bytes are still held", def.Layout.Name, left)
	}
}

func TestReloadsAgainstModel(t *testing.T) {
	several := []string{"UInt32", "Float64", "String", "Nullable(String)", "Nullable(Float64)", "Array(Nullable(Float64))", "UUID", "Int64", "Map(String, UInt64)"}
	for _, layout := range []string{Hashed, SparseHashed} {
		for _, attr := range []string{"UInt8", "Int16", "Float32", "Float64"} {
			reloadAll(t, definition(t, []string{"UInt64"}, []string{attr}, layout), 1500)
		}
		reloadAll(t, definition(t, []string{"UInt64"}, nil, layout), 1500)
		reloadAll(t, definition(t, []string{"UInt64"}, several, layout), 1500)
		reloadAll(t, definition(t, []string{"String"}, []string{"UInt16"}, "complex_key_"+layout), 1500)
		reloadAll(t, definition(t, []string{"UInt64", "Nullable(String)"}, several, "complex_key_"+layout), 1500)
		reloadAll(t, definition(t, []string{"UInt64", "Int32"}, nil, "complex_key_"+layout), 1500)
	}
}

// The first row of a key counts, also where one of them is the base's and where a block has both.
func TestReloadFirstRowWins(t *testing.T) {
	ctx := context.Background()
	for _, layout := range []string{Hashed, SparseHashed} {
		for _, attrs := range [][]string{{"UInt64"}, {"UInt64", "String"}} {
			p := newPool(definition(t, []string{"UInt64"}, attrs, layout), 100)
			var base []row
			for k := range 90 {
				base = append(base, row{k, k})
			}
			live, err := Load(ctx, p.def, p.source(base), LoadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			rows := append([]row{{3, 3}, {3, 200}, {4, 201}, {4, 4}, {95, 95}, {95, 202}, {4, 4}, {95, 95}}, base...)
			v, err := reload(ctx, p.def, live, p.source(rows), smallLimits)
			if err != nil {
				t.Fatal(err)
			}
			if v.over == nil || v.over.rows.Len() != 2 {
				t.Errorf("%s: want an overlay of two rows", layout)
			}
			p.check(t, layout, v, rows)
			v.Release()
			live.Release()
		}
	}
}

// Small dictionaries, and definitions that lead to other tables, are loaded anew.
func TestReloadAnew(t *testing.T) {
	ctx := context.Background()
	p := newPool(definition(t, []string{"UInt64"}, []string{"UInt16"}, Hashed), 50)
	rows := []row{{1, 1}, {2, 2}}
	live, err := Load(ctx, p.def, p.source(rows), LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer live.Release()
	v, err := Reload(ctx, p.def, live, p.source(rows))
	if err != nil || v == live {
		t.Fatalf("a small dictionary: the same version: %v, error %v", v == live, err)
	}
	v.Release()
	for _, def := range []*Definition{definition(t, []string{"UInt64"}, []string{"UInt16"}, SparseHashed), definition(t, []string{"UInt64"}, []string{"Date"}, Hashed)} {
		if sameTables(def, p.def) {
			t.Errorf("%s of %s has the tables of %s of %s", def.Layout.Name, def.Attrs[0].Type, p.def.Layout.Name, p.def.Attrs[0].Type)
		}
	}
	renamed := *p.def // what RENAME leaves
	renamed.Name = "e"
	v, err = reload(ctx, &renamed, live, p.source(rows), smallLimits)
	if err != nil {
		t.Fatal(err)
	}
	if v.Definition().Name != "e" || v.tables() != live {
		t.Errorf("renamed: the version is %s's, tables shared: %v", v.Definition().Name, v.tables() == live)
	}
	p.check(t, "renamed", v, rows)
	v.Release()
}

// Wherever an allocation fails, the reload gives error 241, leaves nothing behind and the old version as it was.
func TestReloadWithoutMemory(t *testing.T) {
	ctx := context.Background()
	defer mem.Process.FailAfter(-1)
	for _, def := range []*Definition{
		definition(t, []string{"UInt64"}, []string{"UInt16"}, SparseHashed),
		definition(t, []string{"UInt64"}, []string{"UInt16"}, Hashed),
		definition(t, []string{"UInt64"}, []string{"Int64", "String", "Nullable(Int64)", "Array(String)"}, Hashed),
		definition(t, []string{"String"}, []string{"Float64", "String"}, ComplexKeySparseHashed),
	} {
		p := newPool(def, 2000)
		var base []row
		for k := range 1800 {
			base = append(base, row{k, k})
		}
		first, err := Load(ctx, def, p.source(base), LoadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		rows := p.change(base, 20, 20, 100, 10)
		live, err := reload(ctx, def, first, p.source(rows), smallLimits)
		if err != nil {
			t.Fatal(err)
		}
		first.Release()
		for _, next := range [][]row{p.change(base, 20, 20, 100, 100), p.change(base, 500, 10, 10, 10), p.change(base, 0, 500, 0, 10), nil} {
			used := mem.Process.Used()
			fails := 0
			for ; ; fails++ {
				mem.Process.FailAfter(int64(fails))
				v, err := reload(ctx, def, live, p.source(next), smallLimits)
				mem.Process.FailAfter(-1)
				if err == nil {
					p.check(t, "with memory at last", v, next)
					v.Release()
					break
				}
				if errcode.Of(err) != errcode.MemoryLimitExceeded {
					t.Fatalf("allocation %d fails: got %v", fails, err)
				}
				if left := mem.Process.Used() - used; left != 0 {
					t.Fatalf("%s: allocation %d fails: %d bytes are left", def.Layout.Name, fails, left)
				}
			}
			if fails < 2 {
				t.Errorf("%s: only %d allocations failed", def.Layout.Name, fails)
			}
			p.check(t, "after failures", live, rows)
		}
		live.Release()
	}
}

// Readers see one state of the source whole while reloads go on: all the keys that change have the value of one generation.
func TestReadersDuringReloads(t *testing.T) {
	const n, every = chunkRows + 1000, 100
	ctx := context.Background()
	texts := func(i int, g uint32) string {
		return string([]byte{'r', 'o', 'w', ' ', byte('a' + i%26), byte('0' + g)})
	}
	for _, attrs := range [][]string{{"UInt32"}, {"UInt32", "String"}} {
		var generation atomic.Uint32
		keys := make([]uint64, n)
		for i := range keys {
			keys[i] = uint64(i) * 7
		}
		broken := fmt.Errorf("the source broke")
		reg := NewRegistry(func(context.Context, *Definition) (source.Source, error) {
			g := generation.Load()
			values, text := make([]uint32, n), &column.Str{T: column.Of(column.String)}
			for i := range values {
				if i%every == 0 {
					values[i] = g
				}
				text.AppendString(texts(i, values[i]))
			}
			src := &partSource{slow: slow{cols: []column.Column{column.UInt64s(keys...), column.NewNum(column.Of(column.UInt32), values), text}[:1+len(attrs)]}}
			if g%3 == 2 {
				src.err = broken
			}
			return src, nil
		})
		d, err := reg.Create(definition(t, []string{"UInt64"}, attrs, SparseHashed), false)
		if err != nil {
			t.Fatal(err)
		}
		first, err := d.Acquire(ctx)
		if err != nil {
			t.Fatal(err)
		}
		var stop atomic.Bool
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				var l Lookup
				for !stop.Load() {
					v, err := d.Acquire(ctx)
					if err != nil {
						t.Error(err)
						return
					}
					v.Find([]column.Column{column.UInt64s(keys[:5000]...)}, 5000, &l)
					got := v.Attribute(0, &l, v.def.Attrs[0].Default).(*column.Num[uint32]).Data
					for i, x := range got {
						if want := got[0]; i%every == 0 && x != want || i%every != 0 && x != 0 {
							t.Errorf("row %d: got %d beside generation %d", i, x, want)
							stop.Store(true)
							break
						}
					}
					if len(attrs) > 1 {
						text := v.Attribute(1, &l, v.def.Attrs[1].Default).(*column.Str)
						for i, x := range got {
							if want := texts(i, x); text.StringAt(i) != want {
								t.Errorf("row %d: got %q; want %q", i, text.StringAt(i), want)
								stop.Store(true)
								break
							}
						}
					}
					v.Release()
				}
			})
		}
		for range 6 {
			g := generation.Add(1)
			if err := d.Reload(ctx); (err != nil) != (g%3 == 2) {
				t.Errorf("generation %d: %v", g, err)
			}
		}
		stop.Store(true)
		wg.Wait()
		last, err := d.Acquire(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if last.over == nil || last.tables() != first.tables() {
			t.Error("the last version does not share the first one's tables")
		}
		first.Release()
		last.Release()
		reg.Close()
	}
}

// partSource gives its columns in blocks, and an error in their place at the end if it has one.
type partSource struct {
	slow
	at  int
	err error
}

func (s *partSource) Next(context.Context) (*column.Block, error) {
	n := s.cols[0].Len()
	if s.at == n {
		return nil, io.EOF
	}
	if s.err != nil && s.at > n/2 {
		return nil, s.err
	}
	to := min(s.at+column.MaxBlockRows/2, n)
	b := &column.Block{Rows: to - s.at, Cols: slices(s.cols, s.at, to)}
	s.at = to
	return b, nil
}
