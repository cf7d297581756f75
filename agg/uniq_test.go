package agg

import (
	"math/rand"
	"testing"

	"dictsvc/column"
)

// sideBySide runs the parts in goroutines.
func sideBySide(n int, f func(part int) error) error {
	done := make(chan error, n)
	for p := range n {
		go func() { done <- f(p) }()
	}
	var first error
	for range n {
		if err := <-done; err != nil {
			first = err
		}
	}
	return first
}

func counting(n int) []uint32 {
	list := make([]uint32, n)
	for i := range list {
		list[i] = uint32(i)
	}
	return list
}

// Counts of distinct values are those of a Go map: one group and several, small sets and divided ones, merged in all combinations, whole and in part, and
// through saved bytes.
func TestUniqExact(t *testing.T) {
	r := rand.New(rand.NewSource(4))
	for _, name := range []string{"UInt8", "UInt64", "String", "Int256", "Nullable(UInt64)"} {
		typ := column.MustParse(name)
		f, err := Bind("uniqExact", nil, []*column.Type{typ}, false)
		if err != nil {
			t.Fatal(err)
		}
		for _, groups := range []int{1, 3} {
			var states []States
			var want []map[string]bool // of a state's groups, one after another
			for _, rows := range []int{0, 10, 7000, 80_000, 75_000} {
				s := f.NewStates()
				s.Grow(groups)
				values := column.New(typ, 0)
				if rows > 0 {
					values = keyColumn(typ, rows, 1<<20, r)
				}
				var ids []uint32
				seen := make([]map[string]bool, groups)
				for g := range seen {
					seen[g] = map[string]bool{}
				}
				if groups > 1 {
					ids = make([]uint32, rows)
					for i := range ids {
						ids[i] = uint32(r.Intn(groups))
					}
				}
				nulls, _ := values.(*column.Null)
				for i := range rows {
					if nulls != nil && nulls.Nulls[i] != 0 {
						continue
					}
					g := 0
					if ids != nil {
						g = int(ids[i])
					}
					seen[g][string(values.AppendKey(nil, i))] = true
				}
				for at := 0; at < rows; at += 30_000 {
					to := min(at+30_000, rows)
					var part []uint32
					if ids != nil {
						part = ids[at:to]
					}
					if err := s.Add(part, []column.Column{values.Slice(at, to)}, to-at); err != nil {
						t.Fatal(err)
					}
				}
				states, want = append(states, s), append(want, seen...)
			}
			check := func(s States, what string, want []map[string]bool) {
				t.Helper()
				c, err := s.Result(0, groups)
				if err != nil {
					t.Fatal(err)
				}
				for g, w := range want {
					if got := c.(*column.Num[uint64]).Data[g]; got != uint64(len(w)) {
						t.Errorf("%s, %s, %d groups: got %d values in group %d, want %d", name, what, groups, got, g, len(w))
					}
				}
			}
			for i, s := range states[:3] {
				check(s, "added", want[i*groups:(i+1)*groups])
				saved := f.NewStates()
				saved.Grow(groups)
				for g := range groups {
					if err := saved.Load(column.NewStateReader(s.Save(nil, g)), g); err != nil {
						t.Fatal(err)
					}
				}
				check(saved, "saved and loaded", want[i*groups:(i+1)*groups])
				all := f.NewStates()
				all.Grow(groups + 1)
				union := make([]map[string]bool, groups)
				for g := range union {
					union[g] = map[string]bool{}
				}
				for k, o := range states {
					to := make([]uint32, groups)
					for g := range to {
						to[g] = uint32(groups - 1 - g) // turned round
						for v := range want[k*groups+g] {
							union[to[g]][v] = true
						}
					}
					switch {
					case i == 0:
						err = all.Merge(o, nil, to)
					case i == 1 && groups > 1: // a group at a time
						for g := range to {
							if err == nil {
								err = all.Merge(o, []uint32{uint32(g)}, to[g:g+1])
							}
						}
					default:
						own := f.NewStates() // it is used up
						own.Grow(groups)
						if err = own.Merge(o, nil, counting(groups)); err == nil {
							err = all.(ParallelMerger).MergeParallel(own, nil, to, sideBySide)
						}
					}
					if err != nil {
						t.Fatal(err)
					}
				}
				check(all, "merged", union)
			}
		}
	}
}
