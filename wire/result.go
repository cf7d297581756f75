package wire

import (
	"sync/atomic"
	"time"

	"dictsvc/column"
	"dictsvc/errcode"
)

// result is a connection's ResultWriter, reused from query to query. Small answers gather in the connection's buffer and leave in one write.
type result struct {
	c       *conn
	active  bool // guarded by conn.mu: the query has not been finished
	framed  bool
	method  Compression
	delay   time.Duration
	started time.Time
	told    time.Duration // of the time since started, how much progress packets have told
	profile Profile
	header  bool
	input   insertInput

	read, readBytes, total, written, writtenBytes atomic.Uint64 // progress not yet told
}

func (r *result) reset(q *Query) {
	r.c.mu.Lock()
	defer r.c.mu.Unlock()
	r.active, r.framed = true, q.Compressed
	r.delay = interactiveDelay(q)
	r.started, r.told = time.Now(), 0
	r.profile, r.header = Profile{}, false
	r.takeProgress()
	r.input = insertInput{c: r.c}
	if r.framed {
		name, _ := q.Setting("network_compression_method")
		r.method = compressionMethod(name)
	}
}

// data writes a packet that carries a block; conn.mu is held.
func (r *result) data(id uint8, b *column.Block, rows bool) error {
	c := r.c
	if c.out.err != nil {
		return c.out.err
	}
	c.broken = true
	c.out.u8(id)
	c.out.str("")
	if r.framed {
		if c.frames == nil {
			c.frames = newFrameWriter(&c.out)
		}
		c.frames.method = r.method
		raw := &c.frames.raw
		writeBlock(raw, b, rows, c.revision)
		raw.spill()
		if c.out.err == nil {
			c.out.err = raw.err
		}
	} else {
		writeBlock(&c.out, b, rows, c.revision)
	}
	if c.out.err != nil {
		return c.out.err
	}
	c.broken = false
	return nil
}

// sendable checks a header's types before any of it is written.
func sendable(b *column.Block) error {
	for i, c := range b.Cols {
		if t := c.Type(); t.Kind == column.Lambda {
			return errcode.New(errcode.NotImplemented, "Column %q of type %s cannot be sent", b.Names[i], t)
		}
	}
	return nil
}

func (r *result) Header(b *column.Block) error {
	if err := sendable(b); err != nil {
		return err
	}
	r.c.mu.Lock()
	defer r.c.mu.Unlock()
	r.header = true
	return r.data(serverData, b, false)
}

func (r *result) Block(b *column.Block) error {
	if b.Rows == 0 {
		return nil
	}
	r.c.mu.Lock()
	defer r.c.mu.Unlock()
	r.profile.Rows += uint64(b.Rows)
	r.profile.Blocks++
	r.profile.Bytes += uint64(b.Bytes())
	return r.data(serverData, b, true)
}

func (r *result) Totals(b *column.Block) error {
	r.c.mu.Lock()
	defer r.c.mu.Unlock()
	return r.data(serverTotals, b, true)
}

func (r *result) Extremes(b *column.Block) error {
	r.c.mu.Lock()
	defer r.c.mu.Unlock()
	return r.data(serverExtremes, b, true)
}

func (r *result) Progress(p Progress) {
	add := func(a *atomic.Uint64, n uint64) {
		if n > 0 {
			a.Add(n)
		}
	}
	add(&r.read, p.Rows)
	add(&r.readBytes, p.Bytes)
	add(&r.total, p.TotalRows)
	add(&r.written, p.WrittenRows)
	add(&r.writtenBytes, p.WrittenBytes)
}

func (r *result) RowsBeforeLimit(n uint64) {
	r.profile.AppliedLimit, r.profile.RowsBeforeLimit = true, n
}

func (r *result) takeProgress() Progress {
	return Progress{Rows: r.read.Swap(0), Bytes: r.readBytes.Swap(0), TotalRows: r.total.Swap(0),
		WrittenRows: r.written.Swap(0), WrittenBytes: r.writtenBytes.Swap(0)}
}

// progress writes what has been read since the last time, if anything; conn.mu is held.
func (r *result) progress() {
	if r.input.requested && !FeatureWrittenProgress.In(r.c.revision) {
		return // clickhouse-client 18.16 takes nothing but an end or an exception after the rows of an INSERT
	}
	p := r.takeProgress()
	if p == (Progress{}) || r.input.requested && !FeatureWrittenProgress.In(r.c.revision) { // older clients take no progress of an INSERT
		return
	}
	now := time.Since(r.started)
	p.ElapsedNS = uint64(now - r.told)
	r.told = now
	p.encode(&r.c.out, r.c.revision)
}

// closing writes what comes between the last block and EndOfStream; conn.mu is held.
func (r *result) closing() {
	if r.header && !r.input.requested {
		if !r.profile.AppliedLimit {
			r.profile.RowsBeforeLimit = r.profile.Rows
		}
		r.profile.CalculatedRowsBeforeLimit = true // without it clickhouse-client 18.16 looks for streams that it does not have, and crashes
		r.profile.encode(&r.c.out)
	}
	r.progress()
}

func (r *result) RequestData(header *column.Block) error {
	if err := sendable(header); err != nil {
		return err
	}
	r.c.mu.Lock()
	defer r.c.mu.Unlock()
	r.header, r.input.requested = true, true
	if err := r.data(serverData, header, false); err != nil {
		return err
	}
	r.c.out.spill()
	return r.c.out.err
}
