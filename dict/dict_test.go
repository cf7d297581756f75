package dict

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/source"
)

var attributeTypes = []string{"UInt8", "UInt16", "UInt32", "UInt64", "Int8", "Int16", "Int32", "Int64", "Float32", "Float64", "Bool", "Decimal(9, 2)", "Decimal(18, 4)",
	"Decimal(38, 5)", "Decimal(76, 5)", "Int128", "UInt256", "String", "Date", "Date32", "DateTime", "DateTime64(3)", "UUID", "IPv4", "IPv6", "Nullable(String)", "Nullable(Int64)",
	"Nullable(Float64)", "Array(String)", "Array(Nullable(Float64))", "Map(String, UInt64)"}

// fill appends n values of a shape to a column of any type.
func fill(c column.Column, n, shape int, r *rand.Rand) {
	for i := 0; i < n; i++ {
		switch x := c.(type) {
		case *column.Num[uint8]:
			x.Data = append(x.Data, uint8(word(shape, r)))
		case *column.Num[uint16]:
			x.Data = append(x.Data, uint16(word(shape, r)))
		case *column.Num[uint32]:
			x.Data = append(x.Data, uint32(word(shape, r)))
		case *column.Num[uint64]:
			x.Data = append(x.Data, word(shape, r))
		case *column.Num[int8]:
			x.Data = append(x.Data, int8(word(shape, r)))
		case *column.Num[int16]:
			x.Data = append(x.Data, int16(word(shape, r)))
		case *column.Num[int32]:
			x.Data = append(x.Data, int32(word(shape, r)))
		case *column.Num[int64]:
			x.Data = append(x.Data, int64(word(shape, r)))
		case *column.Num[float32]:
			x.Data = append(x.Data, float32(float(shape, r)))
		case *column.Num[float64]:
			x.Data = append(x.Data, float(shape, r))
		case *column.Wide[column.I128]:
			x.Data = append(x.Data, column.I128{Lo: r.Uint64(), Hi: int64(word(shape, r))})
		case *column.Wide[column.I256]:
			x.Data = append(x.Data, column.I256{W: [4]uint64{r.Uint64(), 1, 2, word(shape, r)}})
		case *column.Wide[column.U256]:
			x.Data = append(x.Data, column.U256{W: [4]uint64{r.Uint64(), 1, 2, word(shape, r)}})
		case *column.Wide[column.UUIDValue]:
			x.Data = append(x.Data, column.UUIDValue{Hi: r.Uint64(), Lo: word(shape, r)})
		case *column.Wide[column.IPv6Value]:
			x.Data = append(x.Data, column.IPv6Value{1, 2, byte(word(shape, r))})
		case *column.Str:
			switch shape {
			case 0:
				x.AppendString("")
			case 1:
				x.AppendString(fmt.Sprint("value ", r.Intn(200)))
			case 2:
				x.AppendString(strings.Repeat("x", r.Intn(3)*[]int{1, 40, 40000}[r.Intn(3)/2+r.Intn(100)/99]))
			default:
				x.AppendString(fmt.Sprint("user-", r.Uint64(), "@example.org"))
			}
		case *column.Null:
			if r.Intn(5) == 0 {
				x.AppendNull()
			} else {
				x.Nulls = append(x.Nulls, 0)
				fill(x.Inner, 1, shape, r)
			}
		case *column.Arr:
			fill(x.Elem, r.Intn(4), shape, r)
			x.EndRow()
		case *column.MapColumn:
			k := r.Intn(3)
			t := x.Arr.Elem.(*column.Tup)
			fill(t.Elems[0], k, 1, r)
			fill(t.Elems[1], k, shape, r)
			t.N += k
			x.Arr.EndRow()
		default:
			c.AppendDefault(1)
		}
	}
}

func word(shape int, r *rand.Rand) uint64 {
	switch shape {
	case 0:
		return 7
	case 1:
		return 1<<40 + uint64(r.Intn(300))
	case 2:
		return uint64(r.Intn(2)) - 1 // 0 and all ones
	}
	return r.Uint64()
}

func float(shape int, r *rand.Rand) float64 {
	switch shape {
	case 0:
		return 0
	case 1:
		return float64(r.Intn(1000)) / 10
	case 2:
		return []float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), -1e300, 0.1}[r.Intn(6)]
	}
	return r.NormFloat64()
}

func definition(t *testing.T, keys, attrs []string, layout string) *Definition {
	t.Helper()
	d := &Definition{Database: "default", Name: "d", Layout: Layout{Name: layout}, Source: Source{Kind: "null"}}
	for i, k := range keys {
		d.Keys = append(d.Keys, Attribute{Name: fmt.Sprint("k", i), Type: column.MustParse(k)})
	}
	for i, a := range attrs {
		d.Attrs = append(d.Attrs, Attribute{Name: fmt.Sprint("a", i), Type: column.MustParse(a)})
	}
	if err := d.Normalise(); err != nil {
		t.Fatal(err)
	}
	return d
}

// sameImage compares to the bit, -0.0 and NaN included.
func sameImage(a column.Column, i int, b column.Column, j int) bool {
	return string(column.AppendImage(nil, a, i)) == string(column.AppendImage(nil, b, j))
}

// build loads rows into a version, in blocks of odd sizes, and checks look-ups, scans and a snapshot against them.
func checkVersion(t *testing.T, def *Definition, n, shape int) {
	t.Helper()
	r := rand.New(rand.NewSource(int64(n + shape)))
	keys := make([]column.Column, len(def.Keys))
	for i, k := range def.Keys {
		keys[i] = column.New(k.Type, n)
		fill(keys[i], n, 3, r)
	}
	cols := append([]column.Column(nil), keys...)
	for _, a := range def.Attrs {
		c := column.New(a.Type, n)
		fill(c, n, shape, r)
		cols = append(cols, c)
	}
	b, err := NewBuilder(def)
	if err != nil {
		t.Fatal(err)
	}
	for from := 0; from < n; {
		to := min(n, from+1+r.Intn(50000))
		part := make([]column.Column, len(cols))
		for i, c := range cols {
			part[i] = c.Slice(from, to)
		}
		if err := b.Add(part, to-from); err != nil {
			t.Fatal(err)
		}
		from = to
	}
	// the same keys again with other values must change nothing
	if n > 0 {
		again := append([]column.Column(nil), keys...)
		for _, a := range def.Attrs {
			c := column.New(a.Type, n)
			c.AppendDefault(n)
			again = append(again, c)
		}
		if err := b.Add(again, n); err != nil {
			t.Fatal(err)
		}
	}
	v, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	defer v.Release()
	checkRows(t, v, cols, n)

	path := filepath.Join(t.TempDir(), "d.dict")
	if err := v.Save(path); err != nil {
		t.Fatal(err)
	}
	w, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Release()
	checkRows(t, w, cols, n)
}

func checkRows(t *testing.T, v *Version, cols []column.Column, n int) {
	t.Helper()
	def := v.Definition()
	nk := len(def.Keys)
	first := map[string]int{} // the first row of each key
	for i := 0; i < n; i++ {
		var k []byte
		for _, c := range cols[:nk] {
			k = c.AppendKey(k, i)
		}
		if _, ok := first[string(k)]; !ok {
			first[string(k)] = i
		}
	}
	if v.Len() != uint64(len(first)) {
		t.Fatalf("%d keys, want %d", v.Len(), len(first))
	}
	var l Lookup
	v.Find(cols[:nk], n, &l)
	for i, f := range l.Found {
		if f != 1 {
			t.Fatalf("row %d is not found", i)
		}
	}
	for a := range def.Attrs {
		got := v.Attribute(a, &l, def.Attrs[a].Default)
		for i := 0; i < n; i++ {
			var k []byte
			for _, c := range cols[:nk] {
				k = c.AppendKey(k, i)
			}
			if want := first[string(k)]; !sameImage(got, i, cols[nk+a], want) {
				t.Fatalf("attribute %s of %d rows: row %d differs: got %x, want %x", def.Attrs[a].Type, n, i, column.AppendImage(nil, got, i), column.AppendImage(nil, cols[nk+a], want))
			}
		}
	}
	all := make([]int, len(cols))
	for i := range all {
		all[i] = i
	}
	rows := 0
	for _, s := range v.Scan(all, 2) {
		for {
			got, m := s.Next()
			if m == 0 {
				break
			}
			rows += m
			for i := 0; i < m; i++ {
				var k []byte
				for _, c := range got[:nk] {
					k = c.AppendKey(k, i)
				}
				want, ok := first[string(k)]
				if !ok {
					t.Fatal("the scan gives a key that was never put in")
				}
				for c := range got {
					if c >= nk && !sameImage(got[c], i, cols[c], want) {
						t.Fatalf("scan: column %d of key of row %d differs", c, want)
					}
				}
			}
		}
	}
	if rows != len(first) {
		t.Fatalf("the scan gives %d rows, want %d", rows, len(first))
	}
}

func TestAttributesOfEveryType(t *testing.T) {
	for shape := 0; shape < 4; shape++ {
		for _, n := range []int{0, 1, 29, 3000} {
			checkVersion(t, definition(t, []string{"UInt64"}, attributeTypes, Hashed), n, shape)
		}
		if shape != 2 {
			checkVersion(t, definition(t, []string{"UInt64"}, []string{"String", "Nullable(String)", "Float64", "Int64"}, SparseHashed), chunkRows+100, shape)
		}
	}
}

func TestInlineValues(t *testing.T) {
	for _, name := range append(attributeTypes, "") {
		attrs := []string{name}
		if name == "" {
			attrs = nil
		}
		for _, layout := range []string{Hashed, SparseHashed} {
			checkVersion(t, definition(t, []string{"UInt64"}, attrs, layout), 2000, 3)
		}
	}
}

func TestComplexKeys(t *testing.T) {
	for _, keys := range [][]string{{"String"}, {"UInt64", "String"}, {"Nullable(String)", "Float64"}, {"Array(String)"}, {"UUID"}, {"UInt8", "UInt8"}} {
		for _, n := range []int{0, 1, 5000} {
			checkVersion(t, definition(t, keys, []string{"UInt32", "String"}, Hashed), n, 3)
		}
	}
}

func TestMissingKeysGiveDefaults(t *testing.T) {
	def := definition(t, []string{"UInt64"}, []string{"UInt16", "String", "Nullable(Int64)"}, Hashed)
	def.Attrs[0].Default = column.NewNum(column.Of(column.UInt16), []uint16{7})
	def.Attrs[1].Default = column.Strings("none")
	b, _ := NewBuilder(def)
	null := column.New(def.Attrs[2].Type, 1).(*column.Null)
	null.AppendNull()
	if err := b.Add([]column.Column{column.UInt64s(5), column.NewNum(column.Of(column.UInt16), []uint16{1}), column.Strings("x"), null}, 1); err != nil {
		t.Fatal(err)
	}
	v, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	defer v.Release()
	var l Lookup
	v.Find([]column.Column{column.UInt64s(4, 5, 0)}, 3, &l)
	a := v.Attribute(0, &l, def.Attrs[0].Default).(*column.Num[uint16])
	s := v.Attribute(1, &l, def.Attrs[1].Default).(*column.Str)
	if a.Data[0] != 7 || a.Data[1] != 1 || a.Data[2] != 7 || s.StringAt(0) != "none" || s.StringAt(1) != "x" {
		t.Errorf("got %v, %q %q", a.Data, s.StringAt(0), s.StringAt(1))
	}
}

// Many rows of few keys must cost the memory of the keys.
func TestDuplicatesCostNothing(t *testing.T) {
	def := definition(t, []string{"UInt64"}, []string{"String", "Int64"}, Hashed)
	b, _ := NewBuilder(def)
	keys, s, n := make([]uint64, 50000), &column.Str{T: column.Of(column.String)}, make([]int64, 50000)
	for i := range keys {
		keys[i] = uint64(i % 100)
		s.AppendString(fmt.Sprint("a long value, different in each row: ", i))
	}
	for range 40 {
		if err := b.Add([]column.Column{column.UInt64s(keys...), s, column.Int64s(n...)}, len(keys)); err != nil {
			t.Fatal(err)
		}
	}
	v, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	defer v.Release()
	if v.Len() != 100 || v.Bytes() > 200000 {
		t.Errorf("2,000,000 rows of 100 keys: %d keys, %d bytes", v.Len(), v.Bytes())
	}
}

// Strings and arrays count in Bytes.
func TestBytesCountPayload(t *testing.T) {
	def := definition(t, []string{"UInt64"}, []string{"Array(String)"}, Hashed)
	b, _ := NewBuilder(def)
	c := column.New(def.Attrs[0].Type, 0).(*column.Arr)
	var keys []uint64
	for i := range 100 {
		for j := range 1000 {
			c.Elem.(*column.Str).AppendString(fmt.Sprint("element ", i, " ", j))
		}
		c.EndRow()
		keys = append(keys, uint64(i))
	}
	if err := b.Add([]column.Column{column.UInt64s(keys...), c}, 100); err != nil {
		t.Fatal(err)
	}
	v, _ := b.Finish()
	defer v.Release()
	if v.Bytes() < 100*1000*10 {
		t.Errorf("100,000 strings of 11 to 14 bytes count as %d bytes", v.Bytes())
	}
}

// slow is a source that can be held and made to fail.
type slow struct {
	cols []column.Column
	gate chan error
	done bool
}

func (s *slow) Header() ([]string, []*column.Type)    { return nil, nil }
func (s *slow) Progress() (rows, bytes, total uint64) { return 0, 0, 0 }
func (s *slow) Close() error                          { return nil }
func (s *slow) Next(context.Context) (*column.Block, error) {
	if s.done {
		return nil, io.EOF
	}
	s.done = true
	if s.gate != nil {
		if err := <-s.gate; err != nil {
			return nil, err
		}
	}
	return column.NewBlock(make([]string, len(s.cols)), s.cols), nil
}

func TestReload(t *testing.T) {
	ctx := context.Background()
	var mu sync.Mutex
	value, gate := uint16(1), (chan error)(nil)
	reg := NewRegistry(func(context.Context, *Definition) (source.Source, error) {
		mu.Lock()
		defer mu.Unlock()
		return &slow{cols: []column.Column{column.UInt64s(1), column.NewNum(column.Of(column.UInt16), []uint16{value})}, gate: gate}, nil
	})
	defer reg.Close()
	d, err := reg.Create(definition(t, []string{"UInt64"}, []string{"UInt16"}, Hashed), false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := reg.Create(definition(t, []string{"UInt64"}, []string{"UInt16"}, Hashed), false); errcode.Of(err) != errcode.DictionaryAlreadyExists {
		t.Errorf("created twice: %v", err)
	}
	if s := d.Info().Status; s != NotLoaded {
		t.Errorf("status before the first use: %d", s)
	}
	ask := func() uint16 {
		v, err := d.Acquire(ctx)
		if err != nil {
			t.Fatal(err)
		}
		defer v.Release()
		var l Lookup
		v.Find([]column.Column{column.UInt64s(1)}, 1, &l)
		return v.Attribute(0, &l, v.def.Attrs[0].Default).(*column.Num[uint16]).Data[0]
	}
	if got := ask(); got != 1 {
		t.Fatalf("got %d, want 1", got)
	}
	mu.Lock()
	value, gate = 2, make(chan error)
	mu.Unlock()
	done := make(chan error)
	go func() { done <- d.Reload(ctx) }()
	for d.Info().Status != LoadedAndReloading {
	}
	if got := ask(); got != 1 { // readers do not wait and see the old version
		t.Errorf("during the reload: got %d, want 1", got)
	}
	gate <- nil
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if got := ask(); got != 2 {
		t.Errorf("after the reload: got %d, want 2", got)
	}
	go func() { done <- d.Reload(ctx) }()
	gate <- errors.New("the source broke")
	if err := <-done; err == nil {
		t.Error("a failed reload gives no error")
	}
	if got := ask(); got != 2 {
		t.Errorf("after a failed reload: got %d, want 2", got)
	}
	if in := d.Info(); in.Status != Loaded || in.Errors != 1 || in.LastError == nil {
		t.Errorf("after a failed reload: %+v", in)
	}
}

func TestDamagedSnapshots(t *testing.T) {
	def := definition(t, []string{"UInt64"}, []string{"String", "Array(Int32)"}, Hashed)
	b, _ := NewBuilder(def)
	r := rand.New(rand.NewSource(9))
	cols := []column.Column{column.New(column.Of(column.UInt64), 0), column.New(def.Attrs[0].Type, 0), column.New(def.Attrs[1].Type, 0)}
	for _, c := range cols {
		fill(c, 500, 3, r)
	}
	if err := b.Add(cols, 500); err != nil {
		t.Fatal(err)
	}
	v, _ := b.Finish()
	defer v.Release()
	dir := t.TempDir()
	path := filepath.Join(dir, "x.dict")
	if err := v.Save(path); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	try := func(what string, data []byte) {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		w, err := Open(path)
		if err == nil {
			w.Release()
			t.Errorf("%s: opened without an error", what)
		}
	}
	for cut := 0; cut < len(whole); cut += 1 + len(whole)/200 {
		try(fmt.Sprintf("cut at byte %d", cut), whole[:cut])
	}
	for i := 0; i < len(whole); i += 1 + len(whole)/200 {
		bad := append([]byte(nil), whole...)
		bad[i] ^= 0x41
		try(fmt.Sprintf("byte %d changed", i), bad)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".x.dict*")); len(left) > 0 {
		t.Errorf("files left behind: %v", left)
	}
}

func TestDefinitionsRefused(t *testing.T) {
	for _, c := range []struct {
		change func(*Definition)
		code   errcode.Code
	}{
		{func(d *Definition) { d.Layout.Name = "nosuch" }, errcode.UnknownElementInConfig},
		{func(d *Definition) { d.Layout.Name = "flat" }, errcode.NotImplemented},
		{func(d *Definition) { d.Keys = nil }, errcode.IncorrectDictionaryDefinition},
		{func(d *Definition) { d.Attrs[0].Name = d.Keys[0].Name }, errcode.BadArguments},
		{func(d *Definition) { d.Attrs[0].Type = column.MustParse("Enum8('a' = 1)") }, errcode.UnknownType},
		{func(d *Definition) { d.LifetimeMin, d.LifetimeMax = 5, 2 }, errcode.BadArguments},
	} {
		d := &Definition{Name: "d", Layout: Layout{Name: Hashed}, Keys: []Attribute{{Name: "k", Type: column.Of(column.UInt64)}}, Attrs: []Attribute{{Name: "a", Type: column.Of(column.UInt8)}}}
		c.change(d)
		if err := d.Normalise(); errcode.Of(err) != c.code {
			t.Errorf("got %v, want code %s", err, c.code)
		}
	}
	d := definition(t, []string{"UInt64"}, []string{"UInt8"}, Hashed)
	d.Layout.MaxLoadFactor = 1
	if _, err := NewBuilder(d); errcode.Of(err) != errcode.BadArguments {
		t.Errorf("max load factor 1: got %v", err)
	}
}
