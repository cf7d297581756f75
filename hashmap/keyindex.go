package hashmap

import (
	"math"
	"math/bits"
	"unsafe"

	"dictsvc/errcode"
	"dictsvc/internal/mem"
)

// KeyBatch is a column of byte-string keys: key i is Data[Ends[i-1]:Ends[i]], where Ends[-1] is Start; or, where
// Width is not 0, Data[Start+i*Width:Start+(i+1)*Width], and Ends is nil.
type KeyBatch struct {
	Data  []byte
	Ends  []uint64
	Start uint64
	Width int
}

// Len is the number of keys.
func (k *KeyBatch) Len() int {
	if k.Width > 0 {
		return (len(k.Data) - int(k.Start)) / k.Width
	}
	return len(k.Ends)
}

// At is key i.
func (k *KeyBatch) At(i int) []byte {
	if k.Width > 0 {
		from := int(k.Start) + i*k.Width
		return k.Data[from : from+k.Width]
	}
	from := k.Start
	if i > 0 {
		from = k.Ends[i-1]
	}
	return k.Data[from:k.Ends[i]]
}

// KeyOptions say how a KeyIndex is built.
type KeyOptions struct {
	Options
	// Width is the length of all keys, where they have one length; no offsets are kept then. 0 if they differ.
	Width int
}

// A cell holds, from the low bits on, a row number plus one, the distance in buckets from the home bucket (255 for
// this and more), and hash bits. 0 is an empty cell.
const (
	bucketCells = 8 // a cache line
	bucketShift = 6
	rowBits     = 40
	farBits     = 8
	farthest    = 1<<farBits - 1
	rowMask     = 1<<rowBits - 1
	offsetBytes = 5
	maxArena    = 1<<(8*offsetBytes) - 1
)

// DefaultKeyLoadFactor is used where KeyOptions has none. Reading the key costs more than a longer search.
const DefaultKeyLoadFactor = 0.75

// KeyIndex numbers byte-string keys 0, 1, 2 ... in the order in which they are first inserted. It is built by one
// goroutine, and may be read by many while it does not change. Free gives its memory back.
//
// Collisions are resolved by linear probing over buckets with the Robin Hood rule: where a bucket is full, the
// entry that is farthest from its home stays. So a search at distance d ends at the first bucket that has an empty
// cell or one with a distance below d, and misses stay short at high load factors.
type KeyIndex struct {
	region  *mem.Region
	base    unsafe.Pointer
	buckets uint64
	limit   uint64 // rows that maxLoad allows
	maxLoad float64
	seed    uint64
	width   int
	n       uint64
	keys    *mem.Arena
	offsets *mem.Slice[uint8] // 3 unused bytes, then where each key begins and the last ends, 5 bytes each
}

// NewKeyIndex makes an empty index with room for o.Rows keys.
func NewKeyIndex(o KeyOptions) (*KeyIndex, error) {
	if o.MaxLoadFactor == 0 {
		o.MaxLoadFactor = DefaultKeyLoadFactor
	}
	load, err := CheckLoadFactor(o.MaxLoadFactor)
	if err != nil {
		return nil, err
	}
	if o.Rows >= MaxRows {
		return nil, tooManyRows(o.Rows)
	}
	if o.Width < 0 {
		return nil, errcode.New(errcode.BadArguments, "make a key index: want a width of 0 or more, got %d", o.Width)
	}
	x := &KeyIndex{maxLoad: load, seed: o.Seed, width: o.Width, keys: mem.NewArena(o.Budget)}
	if o.Width == 0 {
		if x.offsets, err = mem.NewSlice[uint8](o.Budget, 3+offsetBytes); err != nil {
			return nil, err
		}
	}
	if x.region, err = mem.Alloc(o.Budget, 0); err == nil {
		err = x.rebuild(x.bucketsFor(o.Rows))
	}
	if err != nil {
		x.Free()
		return nil, err
	}
	return x, nil
}

// bucketsFor is the number of buckets for n rows, rounded up to pages.
func (x *KeyIndex) bucketsFor(n uint64) uint64 {
	const page = mem.PageSize / (8 * bucketCells)
	buckets := uint64(math.Ceil(float64(n) / (x.maxLoad * bucketCells)))
	return max(page, (buckets+page-1)&^(page-1))
}

// Len is the number of keys.
func (x *KeyIndex) Len() uint64 { return x.n }

// Bytes is the memory held outside the heap: cells, offsets and keys.
func (x *KeyIndex) Bytes() int64 {
	n := x.region.Held() + x.keys.Held()
	if x.offsets != nil {
		n += x.offsets.Held()
	}
	return n
}

// LoadFactor is the share of cells in use.
func (x *KeyIndex) LoadFactor() float64 { return float64(x.n) / float64(x.buckets*bucketCells) }

// Free gives the memory back. The index must not be used again.
func (x *KeyIndex) Free() {
	if x != nil {
		x.base = nil
		x.region.Free()
		x.keys.Free()
		x.offsets.Free()
	}
}

// KeyAt is the key of a row below Len, valid until the index changes.
func (x *KeyIndex) KeyAt(row uint64) []byte {
	if x.width > 0 {
		return x.keys.At(row*uint64(x.width), x.width)
	}
	from := x.offset(row)
	return x.keys.At(from, int(x.offset(row+1)-from))
}

// offset is where a key begins. The eight bytes read end with the offset's five.
func (x *KeyIndex) offset(row uint64) uint64 {
	p := unsafe.Pointer(unsafe.SliceData(x.offsets.Data()))
	return *(*uint64)(unsafe.Add(p, row*offsetBytes)) >> 24
}

// cell is a cell for a row at some distance from the home of its hash.
func cell(hash, row, far uint64) uint64 { return label(hash, far) | (row + 1) }

// label is the part of a cell that a search compares: hash bits and distance.
func label(hash, far uint64) uint64 {
	return hash<<(rowBits+farBits) | min(far, farthest)<<rowBits
}

func farOf(cell uint64) uint64 { return cell >> rowBits & farthest }

func (x *KeyIndex) bucket(b uint64) *[bucketCells]uint64 {
	return (*[bucketCells]uint64)(unsafe.Add(x.base, b*8*bucketCells))
}

// home is the bucket where the search for a hash begins.
func (x *KeyIndex) home(hash uint64) uint64 {
	hi, _ := bits.Mul64(hash, x.buckets)
	return hi
}

func (x *KeyIndex) next(b uint64) uint64 {
	if b++; b == x.buckets {
		return 0
	}
	return b
}

// candidate is the first row with the hash bits of a key at the home of its hash or behind, plus one; 0 if none.
func (x *KeyIndex) candidate(hash, b uint64) uint64 {
	for far := uint64(0); ; far++ {
		line := x.bucket(b)
		want := label(hash, far)
		last := uint64(math.MaxUint64) // smallest distance in the bucket
		for _, c := range line {
			if c&^rowMask == want && c != 0 {
				return c & rowMask
			}
			if c == 0 {
				return 0
			}
			last = min(last, farOf(c))
		}
		if last < min(far, farthest) {
			return 0
		}
		b = x.next(b)
	}
}

// find is the row of a key, plus one; 0 if it is not there.
func (x *KeyIndex) find(key []byte, hash, b uint64) uint64 {
	for far := uint64(0); ; far++ {
		line := x.bucket(b)
		want := label(hash, far)
		last := uint64(math.MaxUint64)
		for _, c := range line {
			if c == 0 {
				return 0
			}
			if c&^rowMask == want && string(x.KeyAt(c&rowMask-1)) == string(key) {
				return c & rowMask
			}
			last = min(last, farOf(c))
		}
		if last < min(far, farthest) {
			return 0
		}
		b = x.next(b)
	}
}

// put puts a cell for a row that is not there. Empty cells are at the end of a bucket.
func (x *KeyIndex) put(hash, row, b uint64) {
	c := cell(hash, row, 0)
	for far := uint64(0); ; far++ {
		line := x.bucket(b)
		c = c&^(farthest<<rowBits) | min(far, farthest)<<rowBits
		nearest := 0
		for i, old := range line {
			if old == 0 {
				line[i] = c
				return
			}
			if farOf(old) < farOf(line[nearest]) {
				nearest = i
			}
		}
		if old := farOf(line[nearest]); old < min(far, farthest) {
			line[nearest], c, far = c, line[nearest], old
		}
		b = x.next(b)
	}
}

// probes is what is known of a block of keys before their bytes are compared.
type probes struct {
	hash, home, row, from, to [block]uint64
}

// probe hashes keys start.. and finds for each the row it may be, and touches what the comparison will read: each
// step touches the lines of all keys, so that their cache misses overlap.
func (x *KeyIndex) probe(keys *KeyBatch, start, n int, p *probes) {
	for i := range n {
		h := HashBytes(keys.At(start+i), x.seed)
		p.hash[i&(block-1)], p.home[i&(block-1)] = h, x.home(h)
		if i%step == step-1 {
			mem.Prefetch(x.base, p.home[i+1-step:i+1], bucketShift)
		}
	}
	mem.Prefetch(x.base, p.home[n/step*step:n], bucketShift)
	var lines [block]uint64
	rows := 0
	for i := range n {
		i &= block - 1
		row := x.candidate(p.hash[i], p.home[i])
		p.from[i], p.to[i] = 0, 0
		if p.row[i] = row; row != 0 {
			p.from[i], p.to[i] = (row-1)*uint64(x.width), row*uint64(x.width)
			lines[rows&(block-1)] = (row - 1) * offsetBytes >> bucketShift
			rows++
		}
	}
	if x.width == 0 {
		mem.Prefetch(unsafe.Pointer(unsafe.SliceData(x.offsets.Data())), lines[:rows], bucketShift)
		for i := range n {
			i &= block - 1
			if row := p.row[i]; row != 0 {
				p.from[i], p.to[i] = x.offset(row-1), x.offset(row)
			}
		}
	}
	rows = 0
	for i := range n {
		i &= block - 1
		if p.from[i] < p.to[i] {
			lines[rows&(block-1)] = p.from[i] >> bucketShift
			rows++
		}
	}
	mem.Prefetch(unsafe.Pointer(unsafe.SliceData(x.keys.Data())), lines[:rows], bucketShift)
}

// FindBatch looks up keys: where a key is in the index, rows[i] becomes its row and found[i] 1; elsewhere rows[i]
// stays as it is and found[i] becomes 0. It returns how many were found. rows and found have keys.Len() elements;
// either may be nil.
func (x *KeyIndex) FindBatch(keys KeyBatch, rows []uint64, found []uint8) int {
	var p probes
	hits, total := 0, keys.Len()
	for start := 0; start < total; start += block {
		n := min(block, total-start)
		x.probe(&keys, start, n, &p)
		data := x.keys.Data()
		for i := range n {
			i &= block - 1
			hit := uint8(0)
			if row := p.row[i]; row != 0 {
				key := keys.At(start + i)
				if string(data[p.from[i]:p.to[i]]) != string(key) {
					row = x.find(key, p.hash[i], p.home[i])
				}
				if row != 0 {
					hit = 1
					hits++
					if rows != nil {
						rows[start+i] = row - 1
					}
				}
			}
			if found != nil {
				found[start+i] = hit
			}
		}
	}
	return hits
}

// FindOrInsertBatch numbers keys: rows[i] becomes the row of key i, which for a key not seen before is the next
// one, x.Len(). added, if not nil, tells which keys were new (1). Both have keys.Len() elements. On error,
// MEMORY_LIMIT_EXCEEDED, the keys before some point are in and the index works as before.
func (x *KeyIndex) FindOrInsertBatch(keys KeyBatch, rows []uint64, added []uint8) error {
	var p probes
	total := keys.Len()
	if keys.Width != x.width {
		return errcode.New(errcode.LogicalError, "insert into a key index: want keys of width %d, got %d", x.width, keys.Width)
	}
	clear(added)
	for start := 0; start < total; start += block {
		n := min(block, total-start)
		if err := x.ensure(x.n + uint64(n)); err != nil {
			return err
		}
		x.probe(&keys, start, n, &p)
		for i := range n {
			i &= block - 1
			key := keys.At(start + i)
			row := p.row[i]
			if row == 0 || string(x.keys.Data()[p.from[i]:p.to[i]]) != string(key) {
				row = x.find(key, p.hash[i], p.home[i])
			}
			if row == 0 {
				if err := x.appendKey(key); err != nil {
					return err
				}
				x.put(p.hash[i], x.n, p.home[i])
				x.n++
				row = x.n
				if added != nil {
					added[start+i] = 1
				}
			}
			rows[start+i] = row - 1
		}
	}
	return nil
}

// appendKey keeps the bytes of row x.n.
func (x *KeyIndex) appendKey(key []byte) error {
	if uint64(x.keys.Len())+uint64(len(key)) > maxArena {
		return errcode.New(errcode.MemoryLimitExceeded, "append to a key index: want at most %d bytes of keys", uint64(maxArena))
	}
	if x.offsets != nil {
		if err := x.offsets.Reserve(offsetBytes); err != nil {
			return err
		}
	}
	at, err := x.keys.Append(key)
	if err != nil || x.offsets == nil {
		return err
	}
	end := at + uint64(len(key))
	return x.offsets.Append(byte(end), byte(end>>8), byte(end>>16), byte(end>>24), byte(end>>32))
}

// ensure makes room for n rows.
func (x *KeyIndex) ensure(n uint64) error {
	if n <= x.limit {
		return nil
	}
	if n >= MaxRows {
		return tooManyRows(n)
	}
	grown := x.buckets + x.buckets/2
	if x.region.Size() < mem.HugePage {
		grown = 2 * x.buckets
	}
	return x.rebuild(max(grown, x.bucketsFor(n)))
}

// Reserve makes room for n rows in all.
func (x *KeyIndex) Reserve(n uint64) error {
	if n <= x.limit {
		return nil
	}
	if n >= MaxRows {
		return tooManyRows(n)
	}
	return x.rebuild(x.bucketsFor(n))
}

// Compact gives back the memory that the largest load factor does not need, and what keys and offsets reserved.
func (x *KeyIndex) Compact() error {
	if err := x.keys.Trim(); err != nil {
		return err
	}
	if x.offsets != nil {
		if err := x.offsets.Trim(); err != nil {
			return err
		}
	}
	if buckets := x.bucketsFor(x.n); buckets < x.buckets {
		return x.rebuild(buckets)
	}
	return nil
}

// rebuild makes an array of some buckets and fills it from the keys, in order. The old array is given back before
// the new one is touched. On error the index is as it was.
func (x *KeyIndex) rebuild(buckets uint64) error {
	if err := x.region.Reset(int(buckets * 8 * bucketCells)); err != nil {
		return err
	}
	x.base, x.buckets = x.region.Pointer(), buckets
	x.limit = uint64(float64(buckets*bucketCells) * x.maxLoad)
	var hash, home [block]uint64
	for start := uint64(0); start < x.n; start += block {
		n := min(block, x.n-start)
		for i := range n {
			h := HashBytes(x.KeyAt(start+i), x.seed)
			hash[i&(block-1)], home[i&(block-1)] = h, x.home(h)
		}
		mem.Prefetch(x.base, home[:n], bucketShift)
		for i := range n {
			x.put(hash[i&(block-1)], start+i, home[i&(block-1)])
		}
	}
	return nil
}

// Check walks the whole index and reports the first broken rule.
func (x *KeyIndex) Check() error {
	seen := uint64(0)
	for b := range x.buckets {
		ended := false
		for i, c := range x.bucket(b) {
			if c == 0 {
				ended = true
				continue
			}
			row := c & rowMask
			if ended || row > x.n {
				return errcode.New(errcode.LogicalError, "check key index: bucket %d of %d, cell %d: row %d of %d (behind an empty cell: %v)", b, x.buckets, i, row-1, x.n, ended)
			}
			h := HashBytes(x.KeyAt(row-1), x.seed)
			far := (b + x.buckets - x.home(h)) % x.buckets
			if label(h, far) != c&^rowMask {
				return errcode.New(errcode.LogicalError, "check key index: bucket %d of %d, cell %d: want label %#x, got %#x", b, x.buckets, i, label(h, far), c&^rowMask)
			}
			if got := x.find(x.KeyAt(row-1), h, x.home(h)); got != row {
				return errcode.New(errcode.LogicalError, "check key index: row %d is found as %d", row-1, int64(got)-1)
			}
			seen++
		}
	}
	if seen != x.n || x.n > x.limit {
		return errcode.New(errcode.LogicalError, "check key index: want %d rows (room for %d), got %d", x.n, x.limit, seen)
	}
	return nil
}
