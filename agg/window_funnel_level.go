package agg

import "dictsvc/errcode"

// timed is a step with its time in 64 bits.
type timed struct {
	at     uint64 // the low bits
	beyond bool   // the time is greater than 64 bits hold
	n      int    // the step, from 1
	id     uint64
}

// within tells whether the time is no later than limit.
func (t *timed) within(limit uint64) bool { return !t.beyond && t.at <= limit }

// after tells whether the time is later than another.
func (t *timed) after(other uint64) bool { return t.beyond || t.at > other }

// reached is a chain that got to a step: the times of its first step and of its last.
type reached struct {
	first, last uint64
	some        bool
}

// level is the farthest step that a chain reaches, of n steps in the order of time.
func (f *funnel) level(n int, at func(i int) timed) uint8 {
	var chains [maxEvents]reached
	started := false
	for i := range n {
		x := at(i)
		if x.n == 0 {
			if started {
				break
			}
			continue
		}
		k := x.n - 1
		switch {
		case k == 0:
			chains[0] = reached{x.at, x.at, true}
			started = true
		case f.deduplication && chains[k].some:
			return farthest(chains[:f.steps])
		case f.order && started && !chains[k-1].some:
			if f.reentry {
				continue
			}
			return firstGap(chains[:f.steps])
		case chains[k-1].some:
			before := chains[k-1]
			if x.within(before.first+f.window) && (!f.increase || x.after(before.last)) {
				chains[k] = reached{before.first, x.at, true}
				if x.n == f.steps {
					return uint8(f.steps)
				}
			}
		}
	}
	return farthest(chains[:f.steps])
}

func farthest(chains []reached) uint8 {
	for k := len(chains); k > 0; k-- {
		if chains[k-1].some {
			return uint8(k)
		}
	}
	return 0
}

func firstGap(chains []reached) uint8 {
	for k := range chains {
		if !chains[k].some {
			return uint8(k)
		}
	}
	return uint8(len(chains))
}

// pathsMost bounds the chains that strict_once follows at a time: their number can grow with the product of the numbers of steps.
const pathsMost = 4 << 20

// path is one of the chains that reach a step; its steps before are those of the path it continues.
type path struct {
	reached
	id   uint64
	from int32 // the path it continues; -1 at the first step
}

// paths are all chains that are followed.
type paths struct {
	all []path
	at  [maxEvents][]int32 // by the step they have reached
}

func (p *paths) add(k int, x path) error {
	if len(p.all) >= pathsMost {
		return errcode.New(errcode.MemoryLimitExceeded, "windowFunnel with strict_once has more than %d chains of events in one group", pathsMost)
	}
	p.at[k] = append(p.at[k], int32(len(p.all)))
	p.all = append(p.all, x)
	return nil
}

// has tells whether a row is part of a path.
func (p *paths) has(at int32, id uint64) bool {
	for ; at >= 0; at = p.all[at].from {
		if p.all[at].id == id {
			return true
		}
	}
	return false
}

// reached are the steps as level's chains are, for what both ask of them.
func (p *paths) reached(steps int) []reached {
	out := make([]reached, steps)
	for k := range out {
		out[k].some = len(p.at[k]) > 0
	}
	return out
}

// levelOnce is level where no row may take two steps of one chain: since a row may meet several conditions, all chains are followed.
func (f *funnel) levelOnce(n int, at func(i int) timed) (uint8, error) {
	var p paths
	started := false
	for i := range n {
		x := at(i)
		if x.n == 0 {
			if started {
				break
			}
			continue
		}
		k := x.n - 1
		switch {
		case k == 0:
			if err := p.add(0, path{reached{x.at, x.at, true}, x.id, -1}); err != nil {
				return 0, err
			}
			started = true
		case f.deduplication && len(p.at[k]) > 0:
			return farthest(p.reached(f.steps)), nil
		case f.order && started && len(p.at[k-1]) == 0:
			if f.reentry {
				continue
			}
			return firstGap(p.reached(f.steps)), nil
		default:
			done, err := f.advance(&p, k, &x)
			if done || err != nil {
				return uint8(f.steps), err
			}
		}
	}
	return farthest(p.reached(f.steps)), nil
}

// advance continues the paths before step k by x; it tells whether one is complete. Paths that are too old are dropped, all but one.
func (f *funnel) advance(p *paths, k int, x *timed) (done bool, err error) {
	before := p.at[k-1]
	kept, left := before[:0], len(before)
	for _, at := range before {
		from := p.all[at].reached
		ok := x.within(from.first + f.window)
		if !ok && left > 1 {
			left--
			continue
		}
		kept = append(kept, at)
		if !ok || p.has(at, x.id) || f.increase && !x.after(from.last) {
			continue
		}
		if x.n == f.steps {
			return true, nil
		}
		if err := p.add(k, path{reached{from.first, x.at, true}, x.id, at}); err != nil {
			return false, err
		}
	}
	p.at[k-1] = kept
	return false, nil
}
