package bench

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// contestant is one dictionary, named d, in a process of its own, and what was measured of it.
type contestant struct {
	server
	system, layout string
	need           int64 // bytes that a load may take

	elements, bytes int64
	factor          float64
	rss, peak       int64 // growth of the process by the first load
	loads           []float64

	keys     []string // name and threads of lookups, in order
	rates    map[string][]float64
	queries  map[string]LookupResult
	answers  map[string]string // by the lookup's name
	roof     *roof             // dictsvc's
	roofs    []float64
	ofRoof   []float64
	rssEmpty int64
}

// contestant starts a process and warms it up with a small dictionary, so that what grows later is the dictionary's.
func (o *ClickHouseOptions) contestant(ctx context.Context, system, layout, small string) (*contestant, error) {
	s, err := o.startServer(ctx, system)
	if err != nil {
		return nil, err
	}
	c := &contestant{server: s, system: system, layout: layout, rates: map[string][]float64{}, queries: map[string]LookupResult{}, answers: map[string]string{}}
	for _, sql := range []string{"SELECT sum(cityHash64(number)) FROM numbers_mt(1000000)", small, "SYSTEM RELOAD DICTIONARY d", "DROP DICTIONARY d"} {
		if _, err := c.run(ctx, sql); err != nil {
			c.close()
			return nil, err
		}
	}
	return c, nil
}

// run runs a statement, with who was asked and what in its error, and returns its seconds.
func (c *contestant) run(ctx context.Context, sql string) (float64, error) {
	_, seconds, err := c.ask(ctx, sql)
	return seconds, err
}

func (c *contestant) ask(ctx context.Context, sql string) (string, float64, error) {
	answer, seconds, err := c.server.run(ctx, sql)
	if err != nil {
		return "", 0, fmt.Errorf("%s %s: %s: %w", c.system, c.layout, sql, err)
	}
	return answer, seconds, nil
}

// load creates and loads the dictionary and reads its figures. The first load tells the growth of the process.
func (c *contestant) load(ctx context.Context, create string, n int) error {
	first := len(c.loads) == 0
	if first {
		c.rssEmpty = settled(ctx, c.pid(), n)
	}
	if _, err := c.run(ctx, create); err != nil {
		return err
	}
	warm(c.need)
	peaks := first && resetPeak(c.pid())
	seconds, err := c.run(ctx, "SYSTEM RELOAD DICTIONARY d")
	if err != nil {
		return err
	}
	c.loads = append(c.loads, seconds)
	if peaks {
		c.peak = residentPeak(c.pid()) - c.rssEmpty
	}
	if first {
		c.rss = settled(ctx, c.pid(), n) - c.rssEmpty
	}
	return c.figures(ctx, n)
}

// figures reads system.dictionaries.
func (c *contestant) figures(ctx context.Context, n int) error {
	answer, _, err := c.ask(ctx, "SELECT element_count, bytes_allocated, load_factor FROM system.dictionaries WHERE name = 'd'")
	if err != nil {
		return err
	}
	fields := strings.Split(answer, "\t")
	if len(fields) != 3 {
		return fmt.Errorf("%s %s: system.dictionaries: got %q, want three columns", c.system, c.layout, answer)
	}
	if c.elements, err = strconv.ParseInt(fields[0], 10, 64); err == nil {
		c.bytes, err = strconv.ParseInt(fields[1], 10, 64)
	}
	if err == nil {
		c.factor, err = strconv.ParseFloat(fields[2], 64)
	}
	if err != nil {
		return fmt.Errorf("%s %s: system.dictionaries: %w", c.system, c.layout, err)
	}
	// ClickHouse counts the elements of each attribute.
	if want := int64(n); c.elements != want && (c.system == dictsvc || c.elements%want != 0) {
		return fmt.Errorf("%s %s: %d elements after the load, want %d", c.system, c.layout, c.elements, want)
	}
	return nil
}

// lookup runs one query and keeps its rate and answer; withRoof measures the roof beside it, where there is one.
func (c *contestant) lookup(ctx context.Context, l *lookup, n, threads int, withRoof bool) error {
	sql := l.text(n, threads)
	answer, seconds, err := c.ask(ctx, sql)
	if err != nil {
		return err
	}
	if had, ok := c.answers[l.name]; ok && had != answer {
		return fmt.Errorf("%s %s: the answers of two runs of %s differ: %s and %s", c.system, c.layout, sql, had, answer)
	}
	c.answers[l.name] = answer
	q := LookupResult{Name: l.name, Threads: threads, SQL: sql, Answer: answer}
	if _, ok := c.queries[q.label()]; !ok {
		c.keys = append(c.keys, q.label())
		c.queries[q.label()] = q
	}
	rate := float64(n) / seconds
	c.rates[q.label()] = append(c.rates[q.label()], rate/1e6)
	if withRoof && c.roof != nil {
		top := c.roof.measure(4 * roofTime)
		c.roofs, c.ofRoof = append(c.roofs, top/1e6), append(c.ofRoof, rate/top)
	}
	return nil
}

func (c *contestant) result(n int) DictionaryResult {
	perRow := func(bytes int64) float64 { return float64(bytes) / float64(n) }
	d := DictionaryResult{System: c.system, Layout: c.layout, Elements: c.elements, Bytes: c.bytes, LoadFactor: c.factor, BytesPerRow: perRow(c.bytes),
		RSS: c.rss, RSSPerRow: perRow(c.rss), PeakRSS: c.peak, PeakRSSPerRow: perRow(c.peak), LoadSeconds: spreadOf(c.loads),
		Roof: spreadOf(c.roofs), HitsOfRoof: spreadOf(c.ofRoof)}
	for _, key := range c.keys {
		l := c.queries[key]
		l.Rate = spreadOf(c.rates[key])
		d.Lookups = append(d.Lookups, l)
	}
	return d
}

// largeFrom is the number of rows from which the memory of a process tells something about its dictionary.
const largeFrom = 1e6

// settled waits until a process gives no more memory back, which allocators do some seconds late, and returns what is resident.
func settled(ctx context.Context, pid, rows int) int64 {
	quiet := 2 * time.Second
	if rows < largeFrom {
		quiet = 100 * time.Millisecond
	}
	least, since := resident(pid), time.Now()
	for start := time.Now(); time.Since(since) < quiet && time.Since(start) < 8*quiet && ctx.Err() == nil; {
		time.Sleep(quiet / 10)
		if now := resident(pid); now < least-1<<20 {
			least, since = now, time.Now()
		}
	}
	return resident(pid)
}
