package query

import (
	"fmt"
	"sync/atomic"

	"dictsvc/column"
	"dictsvc/dict"
	"dictsvc/errcode"
)

// dictTable is a dictionary as a table: its rows, keys first. Where a query fixes the key, rows are looked up instead of scanned.
type dictTable struct {
	d    *dict.Dictionary
	def  *dict.Definition
	cols []columnInfo
	keys []column.Column // of a look-up: wanted keys; nil for a scan
	n    int
}

func newDictTable(d *dict.Dictionary) *dictTable {
	t := &dictTable{d: d, def: d.Definition()}
	for _, a := range t.def.Columns() {
		t.cols = append(t.cols, columnInfo{Name: a.Name, Type: a.Type})
	}
	return t
}

func (t *dictTable) columns() []columnInfo { return t.cols }
func (t *dictTable) engine() string        { return "Dictionary" }
func (t *dictTable) id() string            { return t.def.UUID }
func (t *dictTable) comment() string       { return t.def.Comment }

func (t *dictTable) create() string {
	if t.def.SQL == "" {
		return definitionText(t.def)
	}
	return t.def.SQL
}

func (t *dictTable) explain() string {
	if t.keys != nil {
		return fmt.Sprintf("ReadFromDictionary (lookup: %d keys)", t.n)
	}
	return "ReadFromDictionary (scan)"
}

func (t *dictTable) size() (rows, bytes uint64, ok bool) {
	info := t.d.Info()
	return info.Elements, info.Bytes, info.Status == dict.Loaded || info.Status == dict.LoadedAndReloading
}

// acquire takes the dictionary's version for the time of the exec.
func (t *dictTable) acquire(ex *exec) (*dict.Version, error) {
	v, err := dict.AcquireNow(ex.ctx, t.d, t.def, func() (*dict.Dictionary, error) {
		return ex.q.engine.dicts.Get(t.def.Database, t.def.Name), nil
	})
	if err != nil {
		return nil, err
	}
	ex.onClose(v.Release)
	return v, nil
}

// count implements counted.
func (t *dictTable) count(ex *exec) (uint64, bool, error) {
	if t.keys != nil {
		return 0, false, nil
	}
	v, err := t.acquire(ex)
	if err != nil {
		return 0, false, err
	}
	return v.Len(), true, nil
}

// keyColumns implements keyed.
func (t *dictTable) keyColumns() []int {
	keys := make([]int, len(t.def.Keys))
	for i := range keys {
		keys[i] = i
	}
	return keys
}

// lookup implements keyed.
func (t *dictTable) lookup(keys []column.Column, n int) relation {
	c := *t
	c.keys, c.n = keys, n
	return &c
}

// open implements relation.
func (t *dictTable) open(ex *exec, r readRequest) ([]stream, error) {
	v, err := t.acquire(ex)
	if err != nil {
		return nil, err
	}
	if t.keys != nil {
		return []stream{t.openLookup(ex, v, r.cols)}, nil
	}
	ex.q.totalRows.Add(v.Len())
	var next atomic.Int64
	scanners := v.Scan(r.cols, max(r.streams, 1))
	streams := make([]stream, len(scanners))
	for i, s := range scanners {
		streams[i] = streamFunc(func() (*batch, error) {
			if err := ex.check(); err != nil {
				return nil, err
			}
			cols, n := s.Next()
			if n == 0 {
				return nil, nil
			}
			b := &batch{cols: cols, rows: n, seq: int(next.Add(1)) - 1}
			ex.q.read(n, b.bytes())
			return b, nil
		})
	}
	return streams, nil
}

// openLookup gives the rows of the wanted keys that exist.
func (t *dictTable) openLookup(ex *exec, v *dict.Version, cols []int) stream {
	ex.q.totalRows.Add(uint64(t.n))
	at, seq := 0, 0
	var l dict.Lookup
	return streamFunc(func() (*batch, error) {
		if at >= t.n {
			return nil, nil
		}
		if err := ex.check(); err != nil {
			return nil, err
		}
		to := min(at+column.MaxBlockRows, t.n)
		keys := make([]column.Column, len(t.keys))
		for i, k := range t.keys {
			keys[i] = k.Slice(at, to)
		}
		n := to - at
		at = to
		v.Find(keys, n, &l)
		b := &batch{rows: n, seq: seq}
		seq++
		for _, c := range cols {
			if c < len(keys) {
				b.cols = append(b.cols, keys[c])
			} else {
				b.cols = append(b.cols, v.Attribute(c-len(keys), &l, t.def.Attrs[c-len(keys)].Default))
			}
		}
		ex.q.read(n, b.bytes())
		found := column.Count(l.Found)
		t.d.Count(n, found)
		return b.filter(l.Found, found), nil
	})
}

// dictionaryFunction is dictionary('name').
func dictionaryFunction(f *tableCall) (relation, error) {
	if err := f.count(1, 1); err != nil {
		return nil, err
	}
	name, err := f.text(0)
	if err != nil {
		return nil, err
	}
	d := f.b.q.engine.findDictionary(f.b.q.database, name)
	if d == nil {
		return nil, dictionaryNotFound(name)
	}
	return newDictTable(d), nil
}

// writable refuses INSERT into dictionaries and tables that are not stored.
func notWritable(t table) error {
	return errcode.New(errcode.NotImplemented, "Method write is not supported by storage %s", t.engine())
}
