package agg

import (
	"encoding/binary"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/internal/siphash"
)

func bindUniqExact(name string, params []column.Column, args []*column.Type) (*Function, error) {
	if len(args) == 0 {
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Incorrect number of arguments for aggregate function %s", name)
	}
	if err := noParams(name, params); err != nil {
		return nil, err
	}
	key, hashed := exactKey(args)
	pair := NewGrouper([]*column.Type{column.Of(column.UInt32), key})
	alone := NewGrouper([]*column.Type{key})
	return &Function{Name: name, Type: column.Of(column.UInt64), NewStates: func() States {
		return &uniqExact{key: key, hashed: hashed, pair: pair, alone: alone}
	}}, nil
}

// exactKey is what uniqExact keeps of a row: a single number, date, time in seconds, UUID or IPv4 address as it is, else a hash of 128 bits, as ClickHouse does.
func exactKey(args []*column.Type) (key *column.Type, hashed bool) {
	if t := args[0]; len(args) == 1 {
		switch t.Kind {
		case column.Bool, column.Enum8, column.Enum16, column.Date, column.Date32, column.DateTime, column.UUID, column.IPv4:
			return t, false
		}
		if t.IsInteger() || t.IsFloat() {
			return t, false
		}
	}
	return column.Of(column.UInt128), true
}

// uniqExact counts distinct values. Of one group, the set holds the values; of several, pairs of group and value.
type uniqExact struct {
	key         *column.Type
	hashed      bool    // the key is a hash of the arguments
	pair, alone Grouper // what the sets are made like
	groups      int
	set         *exactSet
	paired      bool

	n            []uint64 // values by group, nil where they have to be counted
	starts, rows []uint32 // the set's keys by group
	keys         *Image   // the set's keys, one after another
	order        setTable // of the values of a state
	check        func() error
}

// SetCheck implements Checker.
func (s *uniqExact) SetCheck(check func() error) {
	s.check = check
	if s.set != nil {
		s.set.check = check
	}
}

func (s *uniqExact) Grow(n int) {
	if n > s.groups {
		s.groups = n
		s.changed()
	}
}

func (s *uniqExact) changed() { s.n, s.starts, s.rows, s.keys = nil, nil, nil, nil }

func (s *uniqExact) Add(groups []uint32, args []column.Column, rows int) error {
	value := args[0]
	if s.hashed {
		value = hash128(args, rows)
	}
	return s.add(groups, value, rows)
}

// add puts rows into the set; groups nil is group 0.
func (s *uniqExact) add(groups []uint32, value column.Column, rows int) error {
	if rows == 0 {
		return nil
	}
	s.begin(groups != nil)
	s.changed()
	switch {
	case !s.paired:
		return s.set.add([]column.Column{value}, rows)
	case groups == nil:
		return s.set.add([]column.Column{column.UInt32s(make([]uint32, rows)...), value}, rows)
	}
	return s.set.add([]column.Column{column.UInt32s(groups[:rows]...), value}, rows)
}

// begin makes the set, of pairs where there are groups; a set of values becomes one of pairs of group 0.
func (s *uniqExact) begin(paired bool) {
	switch {
	case s.set == nil && paired:
		s.set, s.paired = newExactSet(s.pair), true
	case s.set == nil:
		s.set = newExactSet(s.alone)
	case paired && !s.paired:
		old := s.set
		s.set, s.paired = newExactSet(s.pair), true
		s.set.check = s.check
		for _, t := range old.tables() {
			for at := 0; at < t.Len(); at += column.MaxBlockRows {
				n := min(column.MaxBlockRows, t.Len()-at)
				if s.set.add([]column.Column{column.UInt32s(make([]uint32, n)...), t.Keys(at, at+n)[0]}, n) != nil {
					return // the query has ended, as whoever goes on with the set finds out
				}
			}
		}
	}
	s.set.check = s.check
}

// hash128 hashes rows as ClickHouse does: a string alone by its bytes; several values, or those of a tuple, one after another, strings
// among them behind their length of eight bytes.
func hash128(args []column.Column, rows int) column.Column {
	out := make([]column.U128, rows)
	if t, ok := args[0].(*column.Tup); ok && len(args) == 1 {
		args = t.Elems
	} else if len(args) == 1 {
		switch x := args[0].(type) {
		case *column.Str:
			for i := range out {
				out[i].Lo, out[i].Hi = siphash.Sum128(x.At(i))
			}
			return column.NewWide(column.Of(column.UInt128), out)
		case *column.FixedStr:
			for i := range out {
				out[i].Lo, out[i].Hi = siphash.Sum128(x.At(i))
			}
			return column.NewWide(column.Of(column.UInt128), out)
		}
	}
	var buf []byte
	for i := range out {
		buf = buf[:0]
		for _, a := range args {
			buf = column.AppendHashed(buf, a, i)
		}
		out[i].Lo, out[i].Hi = siphash.Sum128(buf)
	}
	return column.NewWide(column.Of(column.UInt128), out)
}

func (s *uniqExact) Merge(other States, from, to []uint32) error {
	o := other.(*uniqExact)
	if len(to) == 0 || o.set == nil {
		return nil
	}
	s.changed()
	if from != nil && len(to) < o.groups {
		o.Seal()
		s.begin(true)
		var img Image
		for i, g := range from {
			o.collect(g, to[i], &img)
		}
		return s.set.addImage(&img)
	}
	if s.alike(o, to) {
		return o.set.images(s.set.addImage)
	}
	target := targets(from, to, o.groups)
	var changed Image
	return o.set.images(func(img *Image) error {
		regroup(target, img, &changed)
		return s.set.addImage(&changed)
	})
}

// alike makes the sets of the same kind, and tells whether the keys of the other can be taken as they are.
func (s *uniqExact) alike(o *uniqExact, to []uint32) bool {
	if !o.paired && !s.paired && to[0] == 0 {
		s.begin(false)
		return true
	}
	o.begin(true)
	s.begin(true)
	return false
}

// MergeParallel implements ParallelMerger. Small sets are united by one processor.
func (s *uniqExact) MergeParallel(other States, from, to []uint32, run func(n int, f func(part int) error) error) error {
	o := other.(*uniqExact)
	if o.set == nil || o.set.small() || from != nil && len(to) < o.groups {
		if err := s.Merge(other, from, to); err != nil || s.set == nil || len(s.set.kept) == 0 {
			return err
		}
		return s.set.settle(run)
	}
	s.changed()
	if s.alike(o, to) {
		return s.set.unite(o.set, nil, run)
	}
	target := targets(from, to, o.groups)
	return s.set.unite(o.set, func(img, changed *Image) { regroup(target, img, changed) }, run)
}

// regroup copies the pairs whose group has a target, which takes its place.
func regroup(target []uint32, from, to *Image) {
	to.room(from.Rows, from.width)
	w, n := from.width, 0
	for i := range from.Rows {
		word := from.words[i*w]
		t := target[uint32(word)]
		if t == 0 {
			continue
		}
		copy(to.words[n*w:n*w+w], from.words[i*w:i*w+w])
		to.words[n*w] = word&^(1<<32-1) | uint64(t-1)
		n++
	}
	to.Rows, to.words = n, to.words[:n*w]
}

// collect appends the pairs of one group to an image, as those of another. The set is sealed.
func (s *uniqExact) collect(group, as uint32, img *Image) {
	img.width = s.keys.width
	w := s.keys.width
	for _, row := range s.rows[s.starts[group]:s.starts[group+1]] {
		at := len(img.words)
		img.words = append(img.words, s.keys.words[int(row)*w:int(row)*w+w]...)
		img.words[at] = img.words[at]&^(1<<32-1) | uint64(as)
		img.Rows++
	}
}

// Seal lists the pairs by group.
func (s *uniqExact) Seal() {
	if s.set != nil {
		s.set.tables() // all keys are in them now
	}
	if s.starts != nil || s.set == nil || s.groups <= 1 && !s.paired {
		return
	}
	s.begin(true)
	all := &Image{}
	groups := make([]uint32, 0, s.set.len())
	s.set.images(func(img *Image) error {
		all.width = img.width
		all.words = append(all.words, img.words...)
		all.Rows += img.Rows
		for i := range img.Rows {
			groups = append(groups, uint32(img.words[i*img.width]))
		}
		return nil
	})
	s.starts, s.rows = byGroup(groups, s.groups)
	s.keys = all
}

// Save writes the number of values and the values: those of a set that has not been divided in the order of ClickHouse's table.
func (s *uniqExact) Save(buf []byte, group int) []byte {
	switch {
	case s.set == nil || !s.paired && group > 0:
		return binary.AppendUvarint(buf, 0)
	case !s.paired && s.set.parts == nil:
		var img Image
		s.set.one.Stored(0, s.set.one.Len(), &img)
		return s.save(buf, &img, nil, img.Rows, 0)
	case !s.paired:
		buf = binary.AppendUvarint(buf, uint64(s.set.len()))
		w := s.key.FixedWidth()
		s.set.images(func(img *Image) error {
			for i := range img.Rows {
				buf = append(buf, column.Raw(img.words[i*img.width : (i+1)*img.width])[:w]...)
			}
			return nil
		})
		return buf
	}
	s.Seal()
	own := s.rows[s.starts[group]:s.starts[group+1]]
	return s.save(buf, s.keys, own, len(own), 4)
}

// save writes n values of an image, of the rows given or of all: they stand at a byte of their row.
func (s *uniqExact) save(buf []byte, img *Image, rows []uint32, n, at int) []byte {
	buf = binary.AppendUvarint(buf, uint64(n))
	w := s.key.FixedWidth()
	if w <= 8 && rows != nil && n <= setCells/2 {
		return saveFew(buf, img, rows, w)
	}
	value := func(i int) []byte {
		if rows != nil {
			i = int(rows[i])
		}
		return column.Raw(img.words[i*img.width : (i+1)*img.width])[at : at+w]
	}
	if n >= divideSet {
		for i := range n {
			buf = append(buf, value(i)...)
		}
		return buf
	}
	for _, i := range s.ordered(img, rows, n, at) {
		buf = append(buf, value(int(i))...)
	}
	return buf
}

// saveFew writes the values of up to 8 bytes of a small group, which stand at byte 4 of their rows.
func saveFew(buf []byte, img *Image, rows []uint32, w int) []byte {
	var cells [setCells]uint8               // as a setTable's
	var values, sorted [setCells + 1]uint64 // values in cells are counted from 1
	mask := uint64(1)<<(8*w) - 1            // of 8 bytes: all bits
	n := 0
	for i, row := range rows {
		key := img.words[int(row)*img.width:]
		v := key[0] >> 32
		if w > 4 {
			v |= key[1] << 32
		}
		if v &= mask; v == 0 {
			n = 1 // the zero stands first
			continue
		}
		values[i+1] = v
		at := crcKey(v) % setCells
		for cells[at] != 0 {
			at = (at + 1) % setCells
		}
		cells[at] = uint8(i + 1)
	}
	for _, c := range cells {
		sorted[n] = values[c]
		n += int(c+setCells-1) / setCells // 0 for a free cell, else 1, without a branch that cannot be foretold
	}
	if w == 8 {
		return append(buf, column.Raw(sorted[:n])...)
	}
	for _, v := range sorted[:n] {
		buf = append(buf, column.Raw([]uint64{v})[:w]...)
	}
	return buf
}

// ordered is the order in which ClickHouse's table of uniqExact has values as save finds them. A hash of 128 bits hashes to its lower half.
func (s *uniqExact) ordered(img *Image, rows []uint32, n, at int) []uint32 {
	w := s.key.FixedWidth()
	hashes, zeroAt := grow(s.order.hashes[:0], n), -1
	var words [4]uint64
	for i := range hashes {
		row := i
		if rows != nil {
			row = int(rows[i])
		}
		key := img.words[row*img.width : (row+1)*img.width]
		if w > 8 {
			copy(column.Raw(words[:]), column.Raw(key)[at:at+w])
		} else {
			words[0] = key[0] >> (8 * at)
			if at > 0 && len(key) > 1 {
				words[0] |= key[1] << (64 - 8*at)
			}
			if w < 8 {
				words[0] &= 1<<(8*w) - 1
			}
		}
		switch {
		case s.hashed:
			hashes[i] = words[0]
		case w <= 8:
			hashes[i] = crcKey(words[0])
		default:
			hashes[i] = crcWords(words[:w/8]...)
		}
		if words[0] == 0 && words == [4]uint64{} {
			zeroAt = i
		}
	}
	s.order.hashes = hashes
	first := setCells
	if s.hashed {
		first = fewCells
	}
	return s.order.place(first, zeroAt)
}

func (s *uniqExact) Load(r *column.StateReader, group int) error {
	for n := r.Count(1<<32-1, s.key.FixedWidth()); n > 0; n -= min(n, column.MaxBlockRows) {
		k := min(n, column.MaxBlockRows)
		value := column.New(s.key, 0)
		for range k {
			if err := column.ReadNative(value, r); err != nil {
				return err
			}
		}
		var groups []uint32
		if s.groups > 1 {
			groups = make([]uint32, k)
			for i := range groups {
				groups[i] = uint32(group)
			}
		}
		if err := s.add(groups, value, k); err != nil {
			return err
		}
	}
	return r.Err()
}

func (s *uniqExact) Result(from, to int) (column.Column, error) {
	if s.n == nil {
		s.count()
	}
	return column.UInt64s(s.n[from:to:to]...), nil
}

// count counts the values of each group.
func (s *uniqExact) count() {
	s.n = make([]uint64, s.groups)
	switch {
	case s.set == nil:
	case !s.paired:
		s.n[0] = uint64(s.set.len())
	default:
		s.set.images(func(img *Image) error {
			for i := 0; i < len(img.words); i += img.width {
				s.n[uint32(img.words[i])]++
			}
			return nil
		})
	}
}

func (s *uniqExact) Bytes() int {
	n := 8*cap(s.n) + 4*(cap(s.starts)+cap(s.rows))
	if s.set != nil {
		n += s.set.bytes()
	}
	if s.keys != nil {
		n += 8 * cap(s.keys.words)
	}
	return n
}
