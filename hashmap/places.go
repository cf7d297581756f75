package hashmap

// A place numbers a cell of a table as long as the table does not change: what is known of each entry can then be kept outside, in an array
// or a bitmap by place.

// Places is the number of places: every entry's is below it.
func (m *Map[V]) Places() uint64 { return m.total*uint64(cells[V]()) + 1 }

// LocateBatch is FindBatch that also gives places[i], the place of keys[i], where the key is in the table. places and found are as long as
// keys; out may be nil.
func (m *Map[V]) LocateBatch(keys []uint64, out []V, places []uint64, found []uint8) {
	var hash, home [2 * step]uint64
	width := uint64(cells[V]())
	m.ask(keys[:min(step, len(keys))], hash[:step], home[:step])
	for start := 0; start < len(keys); start += step {
		end := min(start+step, len(keys))
		half := start & step
		if end < len(keys) {
			m.ask(keys[end:min(end+step, len(keys))], hash[step-half:], home[step-half:])
		}
		for i := start; i < end; i++ {
			at := i & (2*step - 1)
			found[i] = 0
			value := &m.aside
			if h := hash[at]; h != 0 {
				p, b, pos, ok := m.find(h, home[at])
				if !ok {
					continue
				}
				places[i], value = b*width+uint64(pos), valueAt[V](p, pos)
			} else if !m.asideInUse {
				continue
			} else {
				places[i] = m.total * width
			}
			found[i] = 1
			if out != nil {
				out[i] = *value
			}
		}
	}
}

// ScanPlaces is Scan that also gives the place of each row; places is as long as keys.
func (m *Map[V]) ScanPlaces(c *Cursor, keys []uint64, values []V, places []uint64) int {
	n := 0
	width := uint64(cells[V]())
	give := func(hash, place uint64, value *V) {
		keys[n], places[n] = Unmix64(hash)^m.seed, place
		if values != nil {
			values[n] = *value
		}
		n++
	}
	if m.asideInUse && !c.aside && len(keys) > 0 {
		c.aside = true
		give(0, m.total*width, &m.aside)
	}
	for ; n < len(keys) && c.at < m.total*width; c.at++ {
		p, pos := m.bucket(c.at/width), int(c.at%width)
		if h := *keyAt(p, pos); h != 0 {
			give(h, c.at, valueAt[V](p, pos))
		}
	}
	return n
}
