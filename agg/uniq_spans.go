package agg

import "dictsvc/column"

// spanResults implements spanReducer for values of up to a word.
func (s *uniqExact) spanResults(offsets []uint64, args []column.Column) (column.Column, bool) {
	if s.hashed || s.key.FixedWidth() > 8 {
		return nil, false
	}
	var img Image
	s.alone.Pack(args, args[0].Len(), &img)
	if img.width != 1 {
		return nil, false
	}
	out := make([]uint64, len(offsets))
	var d distinctWords
	from := uint64(0)
	for i, to := range offsets {
		out[i] = d.count(img.words[from:to])
		from = to
	}
	return column.UInt64s(out...), true
}

// distinctWords counts distinct words; its table is used again and again, cells of another turn being free.
type distinctWords struct {
	cells []uint64
	turns []uint32
	turn  uint32
}

func (d *distinctWords) count(words []uint64) uint64 {
	if len(words) <= 16 {
		n := uint64(len(words))
		for i, w := range words {
			for _, before := range words[:i] {
				if before == w {
					n--
					break
				}
			}
		}
		return n
	}
	if 2*len(words) > len(d.cells) || d.turn == 1<<32-1 {
		size := 64
		for size < 2*len(words) {
			size *= 2
		}
		d.cells, d.turns, d.turn = make([]uint64, size), make([]uint32, size), 0
	}
	d.turn++
	mask := uint64(len(d.cells) - 1)
	if 4*len(words) < len(d.cells) { // the places of a table for so many words alone
		size := 64
		for size < 2*len(words) {
			size *= 2
		}
		mask = uint64(size - 1)
	}
	n := uint64(0)
	for _, w := range words {
		at := fold(w^hashB, hashA) & mask
		for d.turns[at] == d.turn && d.cells[at] != w {
			at = (at + 1) & mask
		}
		if d.turns[at] != d.turn {
			d.turns[at], d.cells[at] = d.turn, w
			n++
		}
	}
	return n
}
