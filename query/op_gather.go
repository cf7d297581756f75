package query

import "sync/atomic"

// gatherStreams runs several streams in goroutines and gives their batches, where ordered in the source's order, which the batches' numbers
// tell. The goroutines start at the first call and end with the exec.
func gatherStreams(ex *exec, streams []stream, ordered bool) stream {
	return &gather{ex: ex, streams: streams, ordered: ordered}
}

type gather struct {
	ex      *exec
	streams []stream
	ordered bool
	out     chan gathered
	tokens  chan struct{} // one a batch under way: a slow stream must not make the others fill the memory
	left    atomic.Int32
	wait    map[int][]*batch
	seq     int
	ready   []*batch
}

type gathered struct {
	b   *batch
	err error
}

func (g *gather) start() {
	n := len(g.streams)
	g.out = make(chan gathered, n)
	g.tokens = make(chan struct{}, 4*n)
	g.wait = map[int][]*batch{}
	g.left.Store(int32(n))
	for _, s := range g.streams {
		g.ex.spawn(func() error { return g.pump(s) }, func(err error) {
			if err != nil {
				select {
				case g.out <- gathered{err: err}:
				case <-g.ex.ctx.Done():
				}
			}
			if g.left.Add(-1) == 0 {
				close(g.out)
			}
		})
	}
}

func (g *gather) pump(s stream) error {
	fresh := true // the next batch begins a number
	for {
		if fresh {
			select {
			case g.tokens <- struct{}{}:
			case <-g.ex.ctx.Done():
				return nil
			}
		}
		b, err := s.next()
		if b == nil || err != nil {
			return err
		}
		fresh = !b.more
		select {
		case g.out <- gathered{b: b}:
		case <-g.ex.ctx.Done():
			return nil
		}
	}
}

func (g *gather) next() (*batch, error) {
	if g.out == nil {
		g.start()
	}
	for {
		if len(g.ready) > 0 {
			b := g.ready[0]
			g.ready = g.ready[1:]
			if b.rows == 0 {
				continue
			}
			return b, nil
		}
		if list := g.wait[g.seq]; len(list) > 0 {
			g.ready = list
			if !list[len(list)-1].more {
				delete(g.wait, g.seq)
				g.seq++
				<-g.tokens
			} else {
				g.wait[g.seq] = nil
			}
			continue
		}
		select {
		case r, ok := <-g.out:
			if !ok {
				if err := g.ex.check(); err != nil {
					return nil, err
				}
				return nil, nil
			}
			if r.err != nil {
				g.ex.cancel(r.err)
				return nil, r.err
			}
			if !g.ordered {
				if !r.b.more {
					<-g.tokens
				}
				g.ready = append(g.ready[:0], r.b)
				continue
			}
			g.wait[r.b.seq] = append(g.wait[r.b.seq], r.b)
		case <-g.ex.ctx.Done():
			return nil, g.ex.check()
		}
	}
}
