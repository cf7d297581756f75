package dict

import (
	"bytes"
	"unsafe"
)

// affix is what all strings of a chunk begin and end with: the scheme and host of addresses, the domain of mails, units. It is kept once a chunk.
//
// Measured on 10 million strings "user-N@example.org" looked up at random, on one core (BenchmarkGatherAffix): 10.1 bytes a string with its place
// instead of 27.1, and 72 ns instead of 74: bytes that are not there need not come from memory. LZ4 over blocks of 64 strings took 7.8 bytes and 437 ns, as
// a look-up unpacks a whole block.
type affix struct {
	prefix, suffix span
}

// len is the length of the string.
func (s span) len() uint64 {
	if s.affix == nil {
		return s.n
	}
	return s.affix.prefix.n + s.n + s.affix.suffix.n
}

// view is the span's own bytes.
func (s span) view() []byte { return unsafe.Slice((*byte)(s.p), s.n) }

// equal tells whether the string is b.
func (s span) equal(b []byte) bool {
	if a := s.affix; a != nil {
		if uint64(len(b)) != s.len() || string(b[:a.prefix.n]) != string(a.prefix.view()) || string(b[a.prefix.n+s.n:]) != string(a.suffix.view()) {
			return false
		}
		b = b[a.prefix.n : a.prefix.n+s.n]
	}
	return string(b) == string(s.view())
}

// bytes is the string; where it stands in pieces, in buf.
func (s span) bytes(buf []byte) []byte {
	if s.affix == nil {
		return s.view()
	}
	buf = append(buf[:0], s.affix.prefix.view()...)
	buf = append(buf, s.view()...)
	return append(buf, s.affix.suffix.view()...)
}

func (a *affix) bytes() int {
	if a == nil {
		return 0
	}
	return int(unsafe.Sizeof(*a)) + int(a.prefix.n+a.suffix.n) + 2*readSlack
}

// leastAffix is the number of bytes a string that an affix must save.
const leastAffix = 2

// takeAffix takes what the strings not packed yet have in common away from them; nil where that is not worth it.
func (s *strStore) takeAffix() *affix {
	n := len(s.ends)
	if s.whole || n < 2 {
		return nil
	}
	at := func(i int) []byte { return s.data[s.begin(i):s.ends[i]] }
	first := at(0)
	prefix, suffix, least := len(first), len(first), len(first)
	for i := 1; i < n && prefix+suffix >= leastAffix; i++ {
		b := at(i)
		least = min(least, len(b))
		prefix, suffix = min(prefix, len(b)), min(suffix, len(b))
		if !bytes.Equal(b[:prefix], first[:prefix]) {
			for k := range prefix {
				if b[k] != first[k] {
					prefix = k
					break
				}
			}
		}
		if tail := first[len(first)-suffix:]; !bytes.Equal(b[len(b)-suffix:], tail) {
			for k := range suffix {
				if b[len(b)-1-k] != first[len(first)-1-k] {
					suffix = k
					break
				}
			}
		}
	}
	suffix = min(suffix, least-prefix) // in a short string the two may meet
	if prefix+suffix < leastAffix {
		return nil
	}
	a := &affix{slackSpan(first[:prefix]), slackSpan(first[len(first)-suffix:])}
	from, to := uint64(0), 0
	for i, end := range s.ends {
		to += copy(s.data[to:], s.data[from+uint64(prefix):end-uint64(suffix)])
		s.ends[i] = uint64(to)
		from = end
	}
	s.data = s.data[:to]
	return a
}
