package agg

import (
	"slices"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/internal/cityhash"
)

const (
	upToDefault = 5
	upToMost    = 100
)

// uniqUpTo(N) keeps up to N distinct values, or hashes of them, and tells N + 1 of more.
func bindUniqUpTo(name string, params []column.Column, args []*column.Type) (*Function, error) {
	most := uint64(upToDefault)
	if len(params) > 1 {
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Aggregate function %s takes at most one parameter, got %d", name, len(params))
	}
	if len(params) == 1 {
		n, ok := UintParam(params[0])
		if !ok || n > upToMost {
			return nil, errcode.New(errcode.ArgumentOutOfBound, "The parameter of aggregate function %s is greater than %d", name, upToMost)
		}
		most = n
	}
	if err := noArguments(name, args); err != nil {
		return nil, err
	}
	return &Function{Name: name, Type: column.Of(column.UInt64), NewStates: upToStates(args, int(most))}, nil
}

// upToStates chooses what is kept of a value: numbers and UUIDs themselves, of all else a hash of 8 bytes.
func upToStates(args []*column.Type, most int) func() States {
	kinds := hashKinds{number: asIs, float: asIs,
		u128: func(v column.U128) uint64 { return sipWords(v.Lo, v.Hi) },
		u256: func(v column.U256) uint64 { return sipWords(v.W[:]...) },
		i256: func(v column.I256) uint64 { return sipWords(v.W[:]...) },
		ipv6: func(v column.IPv6Value) uint64 { return cityhash.Sum64(v[:]) },
	}
	s := upTo{hash: severalHash(args), most: most, width: 8, words: 1}
	if len(args) == 1 {
		switch t := args[0]; t.Kind {
		case column.IPv4:
		case column.Int128:
			s.hash, s.width, s.words = wordPairs(func(v column.I128) (uint64, uint64) { return v.Lo, uint64(v.Hi) }), 16, 2
		case column.UUID:
			s.hash, s.width, s.words = wordPairs(func(v column.UUIDValue) (uint64, uint64) { return v.Hi, v.Lo }), 16, 2
		default:
			if own, ok := kinds.single(t); ok {
				s.hash = own
				if w := t.FixedWidth(); w > 0 && w < 8 && !t.IsString() {
					s.width = w
				}
			}
		}
	}
	return func() States { own := s; return &own }
}

// wordPairs gives values of 16 bytes as two words a row.
func wordPairs[T column.WideValue[T]](split func(T) (first, second uint64)) rowHasher {
	return func(args []column.Column, rows int, buf []uint64) []uint64 {
		out := room(buf, 2*rows)
		for i, v := range args[0].(*column.Wide[T]).Data[:rows] {
			out[2*i], out[2*i+1] = split(v)
		}
		return out
	}
}

type upTo struct {
	hash   rowHasher
	most   int
	width  int // bytes of a value in a state
	words  int // of a value here
	n      []uint8
	values []uint64 // room for most values a group
	buf    []uint64
}

func (s *upTo) Grow(n int) {
	s.n = grow(s.n, n)
	s.values = grow(s.values, len(s.n)*s.most*s.words)
}

// of is the values of a group.
func (s *upTo) of(group int) []uint64 {
	room := s.most * s.words
	return s.values[group*room : group*room+min(int(s.n[group]), s.most)*s.words]
}

func (s *upTo) insert(g uint32, v []uint64) {
	n := int(s.n[g])
	if n > s.most {
		return
	}
	own := s.of(int(g))
	for at := 0; at < len(own); at += s.words {
		if slices.Equal(own[at:at+s.words], v) {
			return
		}
	}
	if n < s.most {
		copy(own[len(own):len(own)+s.words], v)
	}
	s.n[g]++
}

func (s *upTo) Add(groups []uint32, args []column.Column, rows int) error {
	s.buf = s.hash(args, rows, s.buf)
	if cut := 64 - 8*s.width; cut > 0 {
		for i, v := range s.buf {
			s.buf[i] = v << cut >> cut
		}
	}
	g := uint32(0)
	for i := range rows {
		if groups != nil {
			g = groups[i]
		}
		s.insert(g, s.buf[i*s.words:(i+1)*s.words])
	}
	return nil
}

func (s *upTo) Merge(other States, from, to []uint32) error {
	o := other.(*upTo)
	for i, g := range to {
		src := source(from, i)
		if int(o.n[src]) > s.most {
			s.n[g] = o.n[src]
			continue
		}
		for list := o.of(int(src)); len(list) > 0; list = list[s.words:] {
			s.insert(g, list[:s.words])
		}
	}
	return nil
}

func (s *upTo) Save(buf []byte, group int) []byte {
	buf = append(buf, s.n[group])
	if int(s.n[group]) > s.most {
		return buf
	}
	for list := s.of(group); len(list) > 0; list = list[s.words:] {
		buf = append(buf, column.Raw(list[:s.words])[:s.width]...)
	}
	return buf
}

func (s *upTo) Load(r *column.StateReader, group int) error {
	n := int(r.U8())
	if n > s.most+1 {
		return r.Corrupt("A state of uniqUpTo(%d) counts %d", s.most, n)
	}
	if n > s.most {
		s.n[group] = uint8(n)
		return r.Err()
	}
	for range n {
		var v [2]uint64
		copy(column.Raw(v[:])[:s.width], r.Bytes(s.width))
		s.insert(uint32(group), v[:s.words])
	}
	return r.Err()
}

func (s *upTo) Result(from, to int) (column.Column, error) {
	return column.UInt64s(mapped(s.n[from:to], func(n uint8) uint64 { return uint64(n) })...), nil
}

func (s *upTo) Bytes() int { return cap(s.n) + 8*(cap(s.values)+cap(s.buf)) }
