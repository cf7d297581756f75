package packed

import (
	"math/bits"
	"unsafe"

	"dictsvc/hashmap"
	"dictsvc/internal/mem"
)

// Rows are kept by the high bits of their hash, in more and more partitions as they get many: with 64, little is wasted; with
// 2048, a partition of 100 million rows and its slice of the table fit the L2 cache; with 65,536 two bytes of a hash are told by the partition.
var partitionLevels = [...]uint{6, 11, 16}

// levelRows is how many rows a partition of a level has on average before there are more partitions.
var levelRows = [len(partitionLevels) - 1]uint64{64 << 10, 256 << 10}

// The first pages of a partition are small, for half of one is wasted; later ones are large, and cost fewer calls.
const (
	smallPage  = mem.PageSize
	largePage  = 16 << 10
	smallPages = 8
)

const (
	bufferBytes = 128 // rows of a partition are collected in two cache lines before they are written to its page
	pageHead    = 8   // the address of the partition's next page
)

// stage keeps rows, (hash, value), of some of the partitions in the order in which they come. It belongs to one worker.
type stage struct {
	budget    *mem.Budget
	pages     [2]*mem.Pages // small and large
	worker    int
	workers   int
	level     int
	bits      uint   // partitions are numbered by so many high bits of the hash
	first     uint64 // the stage's first partition
	parts     []part
	buffered  []uint8     // bytes used of each partition's buffer; apart, because every row reads and writes one
	buffers   *mem.Region // bufferBytes a partition
	restBytes int         // of a row: what the partition does not tell of the hash
	width     int         // of a row: those and the value's bytes
	perBuffer int         // bytes of whole rows in a buffer
	perPage   [2]int      // bytes of whole buffers in a small and in a large page, with its head
	n         uint64
	levelRows [len(levelRows)]uint64
}

// part is one partition: a list of pages.
type part struct {
	head, tail unsafe.Pointer
	pages      int
	at         int // bytes used of the tail
}

func newStage(budget *mem.Budget, worker, workers int) (*stage, error) {
	s := &stage{budget: budget, worker: worker, workers: workers, levelRows: levelRows}
	var err error
	if s.buffers, err = mem.Alloc(budget, 0); err != nil {
		return nil, err
	}
	if err = s.layOut(0, 0); err != nil {
		s.free()
		return nil, err
	}
	return s, nil
}

// layOut makes the stage empty, for a level of partitions and a width of values.
func (s *stage) layOut(level, valueBytes int) error {
	bits := partitionLevels[level]
	// Shares are the same on every level.
	share := func(worker int) uint64 {
		return uint64(worker) << partitionLevels[0] / uint64(s.workers) << (bits - partitionLevels[0])
	}
	first, last := share(s.worker), share(s.worker+1)
	if err := s.buffers.Resize(int(last-first) * bufferBytes); err != nil {
		return err
	}
	s.level, s.bits, s.first = level, bits, first
	s.pages = [2]*mem.Pages{mem.NewPages(s.budget, smallPage), mem.NewPages(s.budget, largePage)}
	s.parts, s.buffered = make([]part, last-first), make([]uint8, last-first)
	s.restBytes = int(64-bits+7) / 8
	s.width = s.restBytes + valueBytes
	s.perBuffer = (bufferBytes - 8) / s.width * s.width // eight bytes are written at a row's last byte
	for i, size := range [2]int{smallPage, largePage} {
		s.perPage[i] = pageHead + (size-pageHead-bufferBytes)/s.perBuffer*s.perBuffer + s.perBuffer
	}
	s.n = 0
	return nil
}

// keptRows is the working memory of add: rows that are the stage's, and what eight at a time are written over.
type keptRows struct {
	hash  [block + 8]uint64
	value [block + 8]uint64
}

// add keeps those of some rows that are the stage's. The values fit its width.
func (s *stage) add(keys, values []uint64, seed uint64) error {
	var kept keptRows
	shift, first, count := 64-s.bits, s.first, uint64(len(s.parts))
	for len(keys) > 0 {
		now := keys[:min(block, len(keys))]
		n, done := 0, 0
		if eights := len(now) &^ 7; haveVectors && eights > 0 {
			n, done = filterKeys(&now[0], &values[0], eights, seed, uint64(shift), first, count, &kept), eights
		}
		for i := done; i < len(now); i++ {
			h := hashmap.Mix64(now[i] ^ seed)
			kept.hash[n], kept.value[n] = h, values[i]
			_, mine := bits.Sub64(h>>(shift&63)-first, count, 0)
			n += int(mine)
		}
		keys, values = keys[len(now):], values[len(now):]
		if err := s.keep(kept.hash[:n], kept.value[:n]); err != nil {
			return err
		}
	}
	if s.level < len(s.levelRows) && s.n > s.levelRows[s.level]*uint64(len(s.parts)) {
		return s.pourOver(s.level+1, s.width-s.restBytes, nil)
	}
	return nil
}

// keep writes rows of the stage's partitions.
func (s *stage) keep(hash, value []uint64) error {
	value = value[:len(hash)]
	shift, first := 64-s.bits, s.first
	buffers := s.buffers.Pointer()
	width, restBytes, full, buffered := s.width, s.restBytes, s.perBuffer, s.buffered
	for i, h := range hash {
		at := h>>(shift&63) - first
		buffer := unsafe.Add(buffers, at*bufferBytes)
		used := int(buffered[at])
		row := unsafe.Add(buffer, used)
		*(*uint64)(row) = h
		*(*uint64)(unsafe.Add(row, restBytes)) = value[i]
		used += width
		buffered[at] = uint8(used)
		if used == full {
			buffered[at] = 0
			if err := s.flush(&s.parts[at], buffer); err != nil {
				return err
			}
		}
	}
	s.n += uint64(len(hash))
	return nil
}

// sizeOf tells whether a partition's page of some number is small (0) or large (1).
func sizeOf(page int) int {
	if page < smallPages {
		return 0
	}
	return 1
}

// flush writes a partition's full buffer to its last page. The eight bytes written for a value may pass the row's end by seven.
func (s *stage) flush(p *part, buffer unsafe.Pointer) error {
	if p.pages == 0 || p.at == s.perPage[sizeOf(p.pages-1)] {
		page, err := s.pages[sizeOf(p.pages)].Get()
		if err != nil {
			return err
		}
		p.pages++
		*(*unsafe.Pointer)(page) = nil
		if p.tail == nil {
			p.head = page
		} else {
			*(*unsafe.Pointer)(p.tail) = page
		}
		p.tail, p.at = page, pageHead
	}
	*(*[bufferBytes]byte)(unsafe.Add(p.tail, p.at)) = *(*[bufferBytes]byte)(buffer)
	p.at += s.perBuffer
	return nil
}

// drain hands a partition's rows on in order, at most a block at a time, and gives each page back when it is read.
func (s *stage) drain(at int, take func(hash, value []uint64) error) error {
	err := s.read(at, true, take)
	s.parts[at], s.buffered[at] = part{}, 0
	return err
}

// read is drain that can leave the rows there.
func (s *stage) read(at int, drain bool, take func(hash, value []uint64) error) error {
	var hash, value [block]uint64
	p := &s.parts[at]
	page, tail, tailAt := p.head, p.tail, p.at
	buffer := unsafe.Add(s.buffers.Pointer(), at*bufferBytes)
	buffered := int(s.buffered[at])
	restMask, valueMask := maskOf(64-s.bits), maskOf(uint(8*(s.width-s.restBytes)))
	high := (s.first + uint64(at)) << (64 - s.bits)
	n := 0
	read := func(p unsafe.Pointer, size int) error {
		for end := unsafe.Add(p, size); p != end; p = unsafe.Add(p, s.width) {
			if n == block {
				if err := take(hash[:], value[:]); err != nil {
					return err
				}
				n = 0
			}
			hash[n&(block-1)] = *(*uint64)(p)&restMask | high
			value[n&(block-1)] = *(*uint64)(unsafe.Add(p, s.restBytes)) & valueMask
			n++
		}
		return nil
	}
	for i := 0; page != nil; i++ {
		end := s.perPage[sizeOf(i)]
		if page == tail {
			end = tailAt
		}
		if err := read(unsafe.Add(page, pageHead), end-pageHead); err != nil {
			return err
		}
		next := *(*unsafe.Pointer)(page)
		if drain {
			s.pages[sizeOf(i)].Put(page)
		}
		page = next
	}
	if err := read(buffer, buffered); err != nil {
		return err
	}
	return take(hash[:n], value[:n])
}

// pourOver moves all rows into another level of partitions, or another width of values, which change may change.
func (s *stage) pourOver(level, valueBytes int, change func(values []uint64) error) error {
	fresh := &stage{budget: s.budget, worker: s.worker, workers: s.workers, levelRows: s.levelRows}
	var err error
	if fresh.buffers, err = mem.Alloc(s.budget, 0); err != nil {
		return err
	}
	if err = fresh.layOut(level, valueBytes); err == nil {
		for at := range s.parts {
			err = s.drain(at, func(hash, value []uint64) error {
				if change != nil {
					if err := change(value); err != nil {
						return err
					}
				}
				return fresh.keep(hash, value)
			})
			if err != nil {
				break
			}
		}
	}
	if err != nil {
		fresh.free()
		return err
	}
	s.free()
	*s = *fresh
	return nil
}

func (s *stage) bytes() int64 { return s.pages[0].Held() + s.pages[1].Held() + s.buffers.Held() }

// discharge takes bytes off the budget that something else is charged for now.
func (s *stage) discharge(n int64) {
	small := min(n, s.pages[0].Held())
	s.pages[0].Discharge(small)
	s.pages[1].Discharge(n - small)
}

func (s *stage) free() {
	s.pages[0].Free()
	s.pages[1].Free()
	s.buffers.Free()
	s.parts, s.buffered, s.n = nil, nil, 0
}
