package agg

import (
	"fmt"
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"dictsvc/column"
)

// someRows are n random rows of any type, of few distinct values; floats are small whole numbers, whose sums are exact.
func someRows(t testing.TB, typ *column.Type, n int, r *rand.Rand) column.Column {
	t.Helper()
	ends := func(room int) ([]uint64, int) {
		out := make([]uint64, n)
		at := 0
		for i := range out {
			at += r.Intn(room)
			out[i] = uint64(at)
		}
		return out, at
	}
	switch typ.Kind {
	case column.Nullable:
		nulls := make([]uint8, n)
		for i := range nulls {
			nulls[i] = flag(r.Intn(4) == 0)
		}
		return &column.Null{T: typ, Nulls: nulls, Inner: someRows(t, typ.Elems[0], n, r)}
	case column.Array:
		e, total := ends(4)
		return &column.Arr{T: typ, Ends: e, Elem: someRows(t, typ.Elems[0], total, r)}
	case column.Tuple:
		out := &column.Tup{T: typ, N: n}
		for _, e := range typ.Elems {
			out.Elems = append(out.Elems, someRows(t, e, n, r))
		}
		return out
	}
	texts := make([]string, n)
	for i := range texts {
		v := r.Intn(12)
		switch typ.Kind {
		case column.UUID:
			texts[i] = fmt.Sprintf("61f0c404-5cb3-11e7-907b-a6006ad3db%02d", v)
		case column.IPv6:
			texts[i] = fmt.Sprintf("::%d", v)
		case column.Date:
			texts[i] = fmt.Sprintf("2020-01-%02d", v+1)
		case column.DateTime, column.DateTime64:
			texts[i] = fmt.Sprintf("2020-01-01 00:00:%02d", v)
		default:
			texts[i] = fmt.Sprint(v)
		}
	}
	c, err := column.Cast(column.Strings(texts...), typ, column.CastPlain)
	if err != nil {
		t.Fatalf("%s: %v", typ, err)
	}
	return column.Full(c)
}

// Functions whose answer over merged states may differ from that over all rows: what they keep depends on how rows are divided.
var dividedDiffers = []string{"anyHeavy", "TDigest", "histogram", "approx_top", "topK", "sparkbar", "GK", "DD", "exponential", "Sample", "groupConcatDistinct", "groupArrayDistinct",
	"deltaSumTimestamp"} // whose states are of spans of time that do not overlap

// For every function of the registry and many argument types: the rows' parts, each saved and loaded, merged group by group in pieces, give what all rows give.
func TestMergedPartsEqualTheWhole(t *testing.T) {
	r := rand.New(rand.NewSource(7))
	tested := map[string]bool{}
	for _, f := range fuzzed(t) {
		differs := false
		for _, part := range dividedDiffers {
			differs = differs || strings.Contains(f.Name, part)
		}
		for _, a := range f.Args {
			differs = differs || a.Kind == column.Map
		}
		if differs {
			continue
		}
		tested[f.Name] = true
		checkParts(t, f, r)
	}
	if len(tested) < 100 {
		t.Errorf("%d functions are tested, want at least 100", len(tested))
	}
}

func checkParts(t *testing.T, f *Function, r *rand.Rand) {
	t.Helper()
	const groups, parts, rows = 5, 3, 40
	what := fmt.Sprint(f.Name, f.Args)
	whole, merged := f.NewStates(), f.NewStates()
	whole.Grow(groups)
	merged.Grow(groups)
	for range parts {
		args := make([]column.Column, len(f.Args))
		for i, typ := range f.Args {
			args[i] = someRows(t, typ, rows, r)
		}
		if len(args) > 1 && args[0].Type().Kind == column.Array && args[1].Type().Kind == column.Array { // of the same lengths
			args[1].(*column.Arr).Ends = args[0].(*column.Arr).Ends
			args[1].(*column.Arr).Elem = someRows(t, f.Args[1].Elems[0], args[0].(*column.Arr).Elem.Len(), r)
		}
		if len(args) == 1 && args[0].Type().Kind == column.Tuple {
			elems := args[0].(*column.Tup).Elems
			if first, ok := elems[0].(*column.Arr); ok && len(elems) > 1 {
				elems[1].(*column.Arr).Ends = first.Ends
				elems[1].(*column.Arr).Elem = someRows(t, f.Args[0].Elems[1].Elems[0], first.Elem.Len(), r)
			}
		}
		ids := make([]uint32, rows)
		for i := range ids {
			ids[i] = uint32(r.Intn(groups - 1)) // the last group stays empty
		}
		part := f.NewStates()
		part.Grow(groups)
		if err := whole.Add(ids, args, rows); err != nil {
			return // these types' values do not suit
		}
		if err := part.Add(ids, args, rows); err != nil {
			t.Errorf("%s: %v", what, err)
			return
		}
		loaded := f.NewStates()
		loaded.Grow(groups)
		for g := range groups {
			reader := column.NewStateReader(part.Save(nil, g))
			if err := loaded.Load(reader, g); err != nil || reader.Len() > 0 {
				t.Errorf("%s: a saved state: %v, %d bytes are left", what, err, reader.Len())
				return
			}
		}
		seal(loaded)
		for _, some := range [][]uint32{{1, 3}, {0}, {2, 4}} {
			if err := merged.Merge(loaded, some, some); err != nil {
				t.Errorf("%s: %v", what, err)
				return
			}
		}
	}
	want, err := whole.Result(0, groups)
	if err != nil {
		return
	}
	got, err := merged.Result(0, groups)
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	for g := range groups {
		sets := strings.HasPrefix(f.Name, "groupUniqArray")
		w, h := resultText(want, g, sets), resultText(got, g, sets)
		if w != h && !nearly(want, got, g) {
			t.Errorf("%s: group %d: got %s, want %s", what, g, h, w)
		}
	}
}

// resultText is a result as text; the order of a set's values is not looked at.
func resultText(c column.Column, row int, set bool) string {
	if a, ok := c.(*column.Arr); ok && set {
		from, to := a.Range(row)
		var list []string
		for ; from < to; from++ {
			list = append(list, resultText(a.Elem, from, false))
		}
		slices.Sort(list)
		return strings.Join(list, ",")
	}
	return string(column.AppendText(nil, c, row, column.TextRaw))
}

// nearly tells whether two floats differ by rounding alone.
func nearly(a, b column.Column, row int) bool {
	number := func(c column.Column) float64 {
		if n, ok := c.(*column.Null); ok {
			c = n.Inner
		}
		if f, ok := c.(*column.Num[float64]); ok {
			return f.Data[row]
		}
		return math.NaN()
	}
	x, y := number(a), number(b)
	return math.Abs(x-y) <= 1e-6*math.Max(1, math.Abs(x))
}
