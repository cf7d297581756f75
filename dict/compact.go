package dict

import (
	"math/bits"

	"dictsvc/column"
)

// compact closes the holes among rows 0..rows-1: rows that no key leads to any more, because an earlier row of the same key counts. Until it is
// done attributes are held twice. The new stores can be added to.
func (v *Version) compact(rows uint64) error {
	if err := v.sealStores(); err != nil {
		return err
	}
	live := make([]uint64, (rows+63)/64)
	v.keys.eachRow(func(row uint64) uint64 {
		live[row>>6] |= 1 << (row & 63)
		return row
	})
	before := make([]uint64, len(live)) // rows before each word's
	sum := uint64(0)
	for i, w := range live {
		before[i] = sum
		sum += uint64(bits.OnesCount64(w))
	}
	fresh := newRegion(v.mem.budget)
	stores := newStores(v.def, fresh)
	for i, s := range v.stores {
		if err := copyLive(s, stores[i], v.def.Attrs[i].Type, live); err != nil {
			fresh.free()
			return err
		}
	}
	var images *keyImages
	if old := v.keys.images; old != nil {
		images = newKeyImages(fresh, old.width)
		var buf []byte
		for i, w := range live {
			for ; w != 0; w &= w - 1 {
				image := old.image(uint64(i*64+bits.TrailingZeros64(w)), buf)
				if err := images.put(image); err != nil {
					fresh.free()
					return err
				}
				buf = grown(buf, image)
			}
		}
	}
	v.keys.eachRow(func(row uint64) uint64 {
		return before[row>>6] + uint64(bits.OnesCount64(live[row>>6]&(1<<(row&63)-1)))
	})
	v.mem.free()
	v.mem, v.stores, v.keys.images = fresh, stores, images
	return nil
}

// sealStores packs what is left of attributes and keys.
func (v *Version) sealStores() error {
	for _, s := range v.stores {
		if err := s.seal(); err != nil {
			return err
		}
	}
	if v.keys.images != nil {
		return v.keys.images.seal()
	}
	return nil
}

// copyLive copies the rows whose bit is set, in order.
func copyLive(from, to store, t *column.Type, live []uint64) error {
	rows, found := make([]uint64, 0, column.MaxBlockRows), make([]uint8, column.MaxBlockRows)
	for i := range found {
		found[i] = 1
	}
	missing := column.New(t, 1)
	missing.AppendDefault(1)
	flush := func() error {
		c := column.New(t, len(rows))
		from.gather(c, rows, found[:len(rows)], missing)
		n := len(rows)
		rows = rows[:0]
		return to.add(c, 0, n)
	}
	for i, w := range live {
		if len(rows)+64 > cap(rows) {
			if err := flush(); err != nil {
				return err
			}
		}
		for ; w != 0; w &= w - 1 {
			rows = append(rows, uint64(i*64+bits.TrailingZeros64(w)))
		}
	}
	return flush()
}
