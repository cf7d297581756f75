package bench

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"dictsvc/hashmap"
	"dictsvc/packed"
)

const (
	// batch is the number of keys a call, about what a block of a query has.
	batch = 8192
	// segment is the number of keys that are drawn at once between measured stretches.
	segment = 4 * batch
	// lookupTime is how long a run of lookups takes at least, roofTime the loop beside it.
	lookupTime = 100 * time.Millisecond
	roofTime   = 50 * time.Millisecond
	// insertTime bounds how long the builds of one kind are repeated; there is always one.
	insertTime = 3 * time.Second
	// rssFrom is the size in bytes from which the growth of the process tells something about a table.
	rssFrom = 4 << 20
)

// TablesOptions say what Tables compares.
type TablesOptions struct {
	Output
	Rows        []int
	LoadFactors []float64 // for the tables that have one
	Tables      []string  // of TableNames
	Runs        int
}

// TablesReport is the result of Tables.
type TablesReport struct {
	Kind    string        `json:"kind"` // "tables"
	Command string        `json:"command"`
	Started time.Time     `json:"started"`
	Machine Machine       `json:"machine"`
	Runs    int           `json:"runs"`
	Results []TableResult `json:"results"`
	Skipped []string      `json:"skipped,omitempty"`
}

// TableResult is what one table gave at one size and load factor. Rates are in millions a second.
type TableResult struct {
	Table         string             `json:"table"`
	Rows          int                `json:"rows"`
	MaxLoadFactor float64            `json:"max_load_factor,omitempty"`
	LoadFactor    float64            `json:"load_factor,omitempty"`
	Bytes         int64              `json:"bytes"` // own accounting; of tables in Go's heap, the growth of the heap
	BytesPerRow   float64            `json:"bytes_per_row"`
	RSSPerRow     float64            `json:"rss_per_row,omitempty"` // growth of the process; not for small tables
	Inserts       map[string]*Spread `json:"inserts"`               // by way of building: known, growing, builder
	Hits          *Spread            `json:"hits"`
	Misses        *Spread            `json:"misses"`
	HitsOfRoof    *Spread            `json:"hits_of_roof"` // share of the roof that was measured right beside
	MissesOfRoof  *Spread            `json:"misses_of_roof"`
	Roof          *Spread            `json:"roof"` // random cache lines
	RoofBytes     int64              `json:"roof_bytes"`
}

// Tables compares the hash tables and writes a line for each to w as it is measured.
func Tables(ctx context.Context, o TablesOptions, w io.Writer) (*TablesReport, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	r := &TablesReport{Kind: "tables", Command: o.Command, Started: time.Now().UTC(), Machine: thisMachine(), Runs: o.Runs}
	fmt.Fprintf(w, "UInt64 -> UInt16; rates in millions a second, medians of %d runs\n%s\n\n", o.Runs, r.Machine.text())
	fmt.Fprintf(w, tableLine, "table", "rows", "max lf", "lf", "bytes/row", "RSS/row", "known", "growing", "builder", "hits", "of roof", "misses", "of roof", "roof")
	for _, rows := range o.Rows {
		for _, k := range kinds() {
			if !slices.Contains(o.Tables, k.name) {
				continue
			}
			factors := []float64{0}
			if k.factors {
				factors = o.LoadFactors
			}
			for _, factor := range factors {
				if err := o.table(ctx, r, w, k, rows, factor); err != nil {
					return r, fmt.Errorf("table %s, %s rows: %w", k.name, rowsText(rows), err)
				}
				if err := o.save(r); err != nil {
					return r, err
				}
			}
		}
	}
	if o.Charts == "" {
		return r, nil
	}
	return r, r.charts(o.Charts)
}

const tableLine = "%-14s %11s %6s %5s %9s %8s  %8s %8s %8s  %8s %7s  %8s %7s  %8s\n"

func (t *TableResult) line() string {
	text := func(f float64) string {
		if f == 0 {
			return "-"
		}
		return fmt.Sprintf("%.2f", f)
	}
	return fmt.Sprintf(tableLine, t.Table, rowsText(t.Rows), text(t.MaxLoadFactor), text(t.LoadFactor), text(t.BytesPerRow), text(t.RSSPerRow),
		t.Inserts[known].middle(), t.Inserts[growing].middle(), t.Inserts[builder].middle(), t.Hits.middle(), percent(t.HitsOfRoof.median()),
		t.Misses.middle(), percent(t.MissesOfRoof.median()), t.Roof.middle())
}

// table measures one table at one size and load factor.
func (o *TablesOptions) table(ctx context.Context, r *TablesReport, w io.Writer, k kind, rows int, factor float64) error {
	res := TableResult{Table: k.name, Rows: rows, MaxLoadFactor: factor, Inserts: map[string]*Spread{}}
	bench := &tableBench{rows: rows, keys: make([]uint64, batch), values: make([]uint16, batch), found: make([]uint8, batch), drawn: make([]uint64, segment), state: 1}
	fits := func(b build) bool {
		need := int64(b.perRow / max(factor, 0.5) * float64(rows))
		if !k.factors {
			need = int64(b.perRow * float64(rows))
		}
		if have := available(); have > 0 && need+64<<20 > have {
			skip := fmt.Sprintf("%s, %s rows, built %s, is skipped: it needs about %.1f GiB and %.1f GiB are available", k.name, rowsText(rows), b.way, gib(need), gib(have))
			r.Skipped = append(r.Skipped, skip)
			o.clearStatus()
			fmt.Fprintln(w, skip)
			return false
		}
		return true
	}
	debug.FreeOSMemory() // the table before this one
	// The first build comes last, because its table stays for the lookups.
	for _, b := range k.builds[1:] {
		if !fits(b) {
			continue
		}
		o.status("%s, %s rows, load factor %v: inserts, %s", k.name, rowsText(rows), factor, b.way)
		t, spread, err := bench.build(ctx, b, factor, o.Runs)
		if err != nil {
			return fmt.Errorf("build %s: %w", b.way, err)
		}
		t.free()
		res.Inserts[b.way] = spread
	}
	b := k.builds[0]
	if !fits(b) {
		return nil
	}
	o.status("%s, %s rows, load factor %v: inserts, %s", k.name, rowsText(rows), factor, b.way)
	debug.FreeOSMemory()
	heap, rss := heapBytes(), resident(os.Getpid())
	t, spread, err := bench.build(ctx, b, factor, o.Runs)
	if err != nil {
		return fmt.Errorf("build %s: %w", b.way, err)
	}
	defer t.free()
	res.Inserts[b.way] = spread
	debug.FreeOSMemory()
	heap, rss = heapBytes()-heap, resident(os.Getpid())-rss
	if res.Bytes = t.bytes(); res.Bytes == 0 {
		res.Bytes = max(heap, 0)
	}
	res.LoadFactor = t.loadFactor()
	res.BytesPerRow = float64(res.Bytes) / float64(rows)
	if res.Bytes >= rssFrom {
		res.RSSPerRow = float64(rss) / float64(rows)
	}
	o.status("%s, %s rows, load factor %v: lookups", k.name, rowsText(rows), factor)
	if err := bench.lookups(ctx, t, &res, o.Runs); err != nil {
		return err
	}
	r.Results = append(r.Results, res)
	o.clearStatus()
	fmt.Fprint(w, res.line())
	return nil
}

func gib(n int64) float64 { return float64(n) / (1 << 30) }

// heapBytes is what lives in Go's heap.
func heapBytes() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// tableBench holds what the measuring of one table needs.
type tableBench struct {
	rows   int
	keys   []uint64 // of a batch
	values []uint16
	found  []uint8
	drawn  []uint64 // keys to look up
	state  uint64   // of the generator
}

// build builds a table several times and returns the last one, with millions of rows a second.
func (b *tableBench) build(ctx context.Context, way build, factor float64, runs int) (keyTable, *Spread, error) {
	var rates []float64
	var t keyTable
	start := time.Now()
	for len(rates) == 0 || len(rates) < runs && time.Since(start) < insertTime {
		if t != nil {
			t.free()
			t = nil
			debug.FreeOSMemory()
		}
		var seconds float64
		var err error
		if t, seconds, err = b.fill(ctx, way, factor); err != nil {
			return nil, nil, err
		}
		rates = append(rates, float64(b.rows)/seconds/1e6)
	}
	return t, spreadOf(rates), nil
}

// fill builds one table; the making of keys is not in its seconds.
func (b *tableBench) fill(ctx context.Context, way build, factor float64) (keyTable, float64, error) {
	start := time.Now()
	t, err := way.make(b.rows, factor)
	spent := time.Since(start)
	if err != nil {
		return nil, 0, err
	}
	for from := 0; from < b.rows; from += batch {
		keys, values := b.keys[:min(batch, b.rows-from)], b.values[:min(batch, b.rows-from)]
		for i := range keys {
			keys[i], values[i] = benchKey(uint64(from+i)), uint16(from+i)
		}
		if err := ctx.Err(); err != nil {
			t.free()
			return nil, 0, err
		}
		start = time.Now()
		if err := t.insert(keys, values); err != nil {
			t.free()
			return nil, 0, err
		}
		spent += time.Since(start)
	}
	start = time.Now()
	if err := t.finish(); err != nil {
		t.free()
		return nil, 0, err
	}
	return t, (spent + time.Since(start)).Seconds(), nil
}

// lookups measures hits and misses in turns, each with the roof beside it.
func (b *tableBench) lookups(ctx context.Context, t keyTable, res *TableResult, runs int) error {
	// Beside a table that takes most of the memory the loop reads a smaller region, which is as hard once it is far larger than what the
	// caches and the page tables' cache cover.
	size := res.Bytes
	if have := available(); have > 0 {
		size = min(size, max(have-256<<20, lineSize))
	}
	roof, err := newRoof(size)
	if err != nil {
		return fmt.Errorf("measure the roof: %w", err)
	}
	defer roof.free()
	res.RoofBytes = size
	if err := b.verify(t); err != nil {
		return err
	}
	var hits, misses, hitShares, missShares, roofs []float64
	for range runs {
		for _, miss := range []bool{false, true} {
			if err := ctx.Err(); err != nil {
				return err
			}
			rate, err := b.lookup(t, miss)
			if err != nil {
				return err
			}
			top := roof.measure(roofTime)
			roofs = append(roofs, top/1e6)
			if miss {
				misses, missShares = append(misses, rate/1e6), append(missShares, rate/top)
			} else {
				hits, hitShares = append(hits, rate/1e6), append(hitShares, rate/top)
			}
		}
	}
	res.Hits, res.Misses, res.Roof = spreadOf(hits), spreadOf(misses), spreadOf(roofs)
	res.HitsOfRoof, res.MissesOfRoof = spreadOf(hitShares), spreadOf(missShares)
	return nil
}

// draw fills b.drawn with keys in random order: keys of rows, or keys of none.
func (b *tableBench) draw(miss bool) {
	x, shift := b.state, uint64(0)
	if miss {
		shift = uint64(b.rows)
	}
	for i := range b.drawn {
		x = x*6364136223846793005 + 1442695040888963407
		b.drawn[i] = benchKey(hashmap.Scale(x, uint64(b.rows)) + shift)
	}
	b.state = x
}

// lookup looks up fresh keys for a while and returns how many a second.
func (b *tableBench) lookup(t keyTable, miss bool) (float64, error) {
	var spent time.Duration
	done := 0
	for spent < lookupTime {
		b.draw(miss)
		start, hits := time.Now(), 0
		for at := 0; at < segment; at += batch {
			hits += t.find(b.drawn[at:at+batch], b.values, b.found)
		}
		spent += time.Since(start)
		done += segment
		if miss && hits != 0 || !miss && hits != segment {
			return 0, fmt.Errorf("lookups are wrong: of %d keys %d were found (misses: %v)", segment, hits, miss)
		}
	}
	return float64(done) / spent.Seconds(), nil
}

// verify looks a segment of rows up and compares the values.
func (b *tableBench) verify(t keyTable) error {
	rows := make([]uint64, batch)
	for i := range rows {
		rows[i] = hashmap.Scale(hashmap.Mix64(uint64(i)), uint64(b.rows))
		b.keys[i] = benchKey(rows[i])
	}
	t.find(b.keys, b.values, b.found)
	for i, row := range rows {
		if b.found[i] != 1 || b.values[i] != uint16(row) {
			return fmt.Errorf("lookups are wrong: row %d: found %d with value %d, want value %d", row, b.found[i], b.values[i], uint16(row))
		}
	}
	return nil
}

// chartFactor is the load factor a table is drawn with where only one is: the default, or what is nearest to it.
func chartFactor(table string, factors []float64) float64 {
	want := packed.DefaultLoadFactor
	if table == "hashmap" {
		want = hashmap.DefaultLoadFactor
	}
	return slices.MinFunc(factors, func(a, b float64) int {
		return int(1e6*max(a-want, want-a)) - int(1e6*max(b-want, want-b))
	})
}
