package agg

import (
	"strings"

	"dictsvc/errcode"
)

// action is one part of a pattern.
type action struct {
	kind  actionKind
	extra uint64 // the event's number, from 0; or a time
}

type actionKind uint8

const (
	oneEvent actionKind = iota
	anyEvent
	anyEvents // .*
	timeLessOrEqual
	timeLess
	timeGreaterOrEqual
	timeGreater
	timeEqual
)

// pattern is a parsed pattern of sequenceMatch: (?1) an event, . any one, .* any number, (?t<=5) the time since the event before.
type pattern struct {
	actions []action
	events  uint32 // those that it names
	timed   bool
}

func parsePattern(text string, events int) (*pattern, error) {
	p := &pattern{actions: []action{{kind: anyEvents}}}
	rest := text
	take := func(prefix string) bool {
		after, ok := strings.CutPrefix(rest, prefix)
		rest = after
		return ok
	}
	bad := func(why string) error {
		return errcode.New(errcode.SyntaxError, "%s '%s' at position %d", why, rest, len(text)-len(rest))
	}
	number := func() (uint64, bool) {
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		n := uint64(0)
		for _, d := range rest[:digits] {
			n = n*10 + uint64(d-'0')
		}
		rest = rest[digits:]
		return n, digits > 0
	}
	for rest != "" {
		switch {
		case take("(?t"):
			kind, ok := timeCondition(take)
			if !ok {
				return nil, bad("Unknown time condition")
			}
			n, ok := number()
			if !ok {
				return nil, bad("Could not parse number")
			}
			if p.actions[len(p.actions)-1].kind > anyEvents {
				return nil, errcode.New(errcode.BadArguments, "Temporal condition should be preceded by an event condition")
			}
			p.timed = true
			p.actions = append(p.actions, action{kind, n})
			if !take(")") {
				return nil, bad("Expected closing parenthesis, found")
			}
		case take("(?"):
			n, ok := number()
			switch {
			case !ok:
				return nil, bad("Could not parse number")
			case n > uint64(events):
				return nil, errcode.New(errcode.BadArguments, "Event number %d is out of range", n)
			case n == 0:
				return nil, errcode.New(errcode.StdException, "Event number 0 is out of range")
			}
			p.actions = append(p.actions, action{oneEvent, n - 1})
			p.events |= 1 << (n - 1)
			if !take(")") {
				return nil, bad("Expected closing parenthesis, found")
			}
		case take(".*"):
			p.actions = append(p.actions, action{kind: anyEvents})
		case take("."):
			p.actions = append(p.actions, action{kind: anyEvent})
		default:
			return nil, bad("Could not parse pattern, unexpected starting symbol")
		}
	}
	return p, nil
}

func timeCondition(take func(string) bool) (actionKind, bool) {
	switch {
	case take("<="):
		return timeLessOrEqual, true
	case take("<"):
		return timeLess, true
	case take(">="):
		return timeGreaterOrEqual, true
	case take(">"):
		return timeGreater, true
	case take("=="):
		return timeEqual, true
	}
	return 0, false
}

// match tells whether a pattern without times occurs among n events. It follows all places of the pattern that the events so far lead to.
func (p *pattern) match(n int, events func(i int) uint32) bool {
	steps := make([]action, 0, len(p.actions)) // without .*, which stays at its place
	stays := make([]bool, 1, len(p.actions)+1)
	for _, a := range p.actions {
		if a.kind == anyEvents {
			stays[len(steps)] = true
			continue
		}
		steps = append(steps, a)
		stays = append(stays, false)
	}
	active, next := make([]bool, len(stays)), make([]bool, len(stays))
	active[0] = true
	last := len(stays) - 1
	for i, some := 0, true; i < n && some && !active[last]; i++ {
		clear(next)
		some = false
		for at, on := range active {
			if !on {
				continue
			}
			if at < last && (steps[at].kind == anyEvent || events(i)>>steps[at].extra&1 != 0) {
				next[at+1], some = true, true
			}
			if stays[at] {
				next[at], some = true, true
			}
		}
		active, next = next, active
	}
	return active[last]
}

// stepsMost bounds the attempts of one match.
const stepsMost = 1000000

// choice is a place to come back to: an action, the event it was at and the event that times are counted from.
type choice struct{ action, event, base int }

// backtrack looks for the pattern from event at on, and tells where it stopped.
func (p *pattern) backtrack(at, n int, events func(i int) uint32, since func(i, base int) (uint64, bool)) (next int, ok bool, err error) {
	var choices []choice
	a, e, base := 0, at, at
	back := func() bool {
		for len(choices) > 0 {
			c := choices[len(choices)-1]
			choices = choices[:len(choices)-1]
			a, e, base = c.action, c.event+1, c.base
			if e < n {
				return true
			}
		}
		return false
	}
	choose := func() {
		choices = append(choices, choice{a, e, base})
		base = e
		a++
	}
	for steps := 1; a < len(p.actions) && e < n; steps++ {
		x := p.actions[a]
		goOn := true
		switch x.kind {
		case oneEvent:
			if events(e)>>x.extra&1 != 0 {
				base = e
				a++
				e++
			} else {
				goOn = back()
			}
		case anyEvent:
			base = e
			a++
			e++
		case anyEvents:
			choose()
		default:
			passed, fits := since(e, base)
			switch {
			case x.holds(passed, fits):
				choose()
			case x.kind == timeLessOrEqual || x.kind == timeLess:
				goOn = back()
			default:
				if e++; e == n {
					goOn = back()
				}
			}
		}
		if !goOn {
			break
		}
		if steps >= stepsMost+1 {
			return 0, false, errcode.New(errcode.TooSlow, "Pattern application proves too difficult, exceeding max iterations (%d)", stepsMost)
		}
	}
	for a < len(p.actions) && p.actions[a].empty() {
		a++
	}
	if e == at {
		e++
	}
	return e, a == len(p.actions), nil
}

// holds tells whether a time that has passed meets the condition; fits is false where it is beyond 64 bits.
func (x action) holds(passed uint64, fits bool) bool {
	switch x.kind {
	case timeLessOrEqual:
		return fits && passed <= x.extra
	case timeLess:
		return fits && passed < x.extra
	case timeGreaterOrEqual:
		return !fits || passed >= x.extra
	case timeGreater:
		return !fits || passed > x.extra
	}
	return fits && passed == x.extra
}

// empty tells whether the part of a pattern matches no events at the end.
func (x action) empty() bool {
	switch x.kind {
	case anyEvents, timeLessOrEqual, timeLess:
		return true
	case timeGreaterOrEqual:
		return x.extra == 0
	}
	return false
}
