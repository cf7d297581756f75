package wire

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// watchAfter is how long a query runs before anyone listens to its client. Most queries are done by then and pay for a timer only.
const watchAfter = 10 * time.Millisecond

// watcher listens to the client while its query runs: a Cancel packet or the end of the connection cancels the query. It also sends
// progress, and what has waited in the buffer, every interactive_delay.
//
// While it listens it owns conn.in; pause and end take that back by interrupting its read.
type watcher struct {
	c         *conn
	cancelled atomic.Bool // the client has sent Cancel
	gone      atomic.Bool // the client has closed the connection

	mu      sync.Mutex
	timer   *time.Timer
	ticker  *time.Timer
	cancel  context.CancelFunc
	delay   time.Duration
	active  bool          // a query runs
	paused  bool          // the query itself reads
	reading chan struct{} // closed when the listening goroutine has ended; nil where none listens
}

// begin starts watching a query.
func (w *watcher) begin(cancel context.CancelFunc, delay time.Duration) {
	w.cancelled.Store(false)
	w.gone.Store(false)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cancel, w.delay, w.active, w.paused = cancel, delay, true, false
	if w.timer == nil {
		w.timer = time.AfterFunc(watchAfter, w.fire)
		return
	}
	w.timer.Reset(watchAfter)
}

// fire runs when a query takes long: from here on its client is listened to.
func (w *watcher) fire() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.active {
		return
	}
	if w.ticker == nil {
		w.ticker = time.AfterFunc(w.delay, w.tick)
	} else {
		w.ticker.Reset(w.delay)
	}
	w.listen()
}

// listen starts the listening goroutine; mu is held.
func (w *watcher) listen() {
	if w.paused || w.reading != nil || w.gone.Load() || w.cancelled.Load() {
		return
	}
	done := make(chan struct{})
	w.reading = done
	cancel := w.cancel
	go func() {
		defer close(done)
		w.hear(cancel)
	}()
}

// hear waits for the client's next byte and acts on it. Bytes of other packets stay for the loop.
func (w *watcher) hear(cancel context.CancelFunc) {
	c := w.c
	if c.in.pos == len(c.in.buf) {
		c.sock.expect(readWatch)
		if err := c.more(); err != nil {
			if err != errInterrupted {
				w.gone.Store(true)
				cancel()
				c.nc.Close() // frees a writer that waits for the client
			}
			return
		}
	}
	switch c.in.buf[c.in.pos] {
	case clientCancel:
		c.in.pos++
		w.cancelled.Store(true)
		cancel()
	case clientHello: // ch-go sends a stray 0 before its Cancel and then closes
		w.gone.Store(true)
		cancel()
		c.nc.Close()
	}
}

// stopQuery cancels the query for a Cancel packet that another reader has met.
func (w *watcher) stopQuery() {
	w.cancelled.Store(true)
	w.mu.Lock()
	cancel := w.cancel
	w.mu.Unlock()
	cancel()
}

// pause gives conn.in to the query, which reads the rows of an INSERT.
func (w *watcher) pause() {
	w.mu.Lock()
	w.paused = true
	w.stop()
	w.mu.Unlock()
}

// resume listens again.
func (w *watcher) resume() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.paused = false
	if w.active {
		w.timer.Reset(watchAfter)
	}
}

// stop ends the listening goroutine; mu is held.
func (w *watcher) stop() {
	if w.reading == nil {
		return
	}
	select {
	case <-w.reading:
	default:
		w.c.sock.interrupt()
		<-w.reading
		w.c.resumeReads()
	}
	w.reading = nil
}

// end stops watching; conn.in belongs to the loop again.
func (w *watcher) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.active = false
	w.timer.Stop()
	if w.ticker != nil {
		w.ticker.Stop()
	}
	w.stop()
}

// tick sends progress and whatever waits in the buffer. It skips its turn while the query itself is writing.
func (w *watcher) tick() {
	c := w.c
	if c.mu.TryLock() {
		if c.res.active && !c.broken && c.out.err == nil {
			c.res.progress()
			c.out.spill()
		}
		c.mu.Unlock()
	}
	w.mu.Lock()
	if w.active {
		w.ticker.Reset(w.delay)
	}
	w.mu.Unlock()
}
