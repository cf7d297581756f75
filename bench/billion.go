package bench

import (
	"context"
	"fmt"
	"strings"
)

const (
	// billionPerRow is what the process and the roof's region take together, in bytes a row; the load's own peak is below.
	billionPerRow = 16
	// billionSample is the number of keys that are looked up and checked.
	billionSample = 10_000_000
)

// BillionResult is the large table on dictsvc alone: its size, its load, and a sample of keys of which every answer was checked.
type BillionResult struct {
	Rows       int              `json:"rows"`
	Dictionary DictionaryResult `json:"dictionary"`
	Sample     int              `json:"sampled_keys"`
}

// sampled gives row numbers in random order, as column n; {shift} moves them behind the rows.
const sampled = "(SELECT cityHash64(number, 7) % {rows} + {shift} AS n FROM {numbers})"

// billion loads the large table and looks up a sample of keys. Each query counts the right answers, and all must be.
func (o *ClickHouseOptions) billion(ctx context.Context) (*BillionResult, error) {
	n := o.BillionRows
	u16 := scenarios()[0]
	o.status("%s, %s rows: load", billionName, rowsText(n))
	c, err := o.contestant(ctx, dictsvc, packed95, u16.create(packed95, 1000))
	if err != nil {
		return nil, err
	}
	defer c.close()
	c.need = int64(n) * billionPerRow
	if err := c.load(ctx, u16.create(packed95, n), n); err != nil {
		return nil, err
	}
	query := func(name, sql string, shift int) lookup {
		sql = strings.NewReplacer("{sampled}", sampled).Replace(sql)
		return lookup{name: name, sql: strings.NewReplacer("{rows}", fmt.Sprint(n), "{shift}", fmt.Sprint(shift)).Replace(sql)}
	}
	sample := min(billionSample, n)
	s := scenario{name: billionName, lookups: []lookup{
		query("hits", "SELECT countIf(dictGet('d', 'v', cityHash64(n)) = toUInt16(n)) FROM {sampled}", 0),
		query("misses", "SELECT countIf(dictHas('d', cityHash64(n)) = 0) FROM {sampled}", n),
	}}
	if err := o.lookups(ctx, &s, sample, []*contestant{c}); err != nil {
		return nil, err
	}
	for name, answer := range c.answers {
		if answer != fmt.Sprint(sample) {
			return nil, fmt.Errorf("%s of %d sampled keys: %s answers are right", name, sample, answer)
		}
	}
	return &BillionResult{n, c.result(n), sample}, nil
}

func (b *BillionResult) text() string {
	d := &b.Dictionary
	rows := dictionaryRows([]DictionaryResult{*d})
	return fmt.Sprintf("\n%s: %s rows UInt64 -> UInt16; %s sampled keys that are there and as many that are not, all answers right\n%s%.2f GiB allocated, RSS %.2f GiB, at the peak of the load %.2f GiB\n",
		billionName, rowsText(b.Rows), rowsText(b.Sample), align(rows, 2), gib(d.Bytes), gib(d.RSS), gib(d.PeakRSS))
}
