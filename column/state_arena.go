package column

// ReadHashed appends to dst the value that AppendHashed has written.
func ReadHashed(dst Column, r *StateReader) error { return readHashed(dst, r, 0) }

func readHashed(dst Column, r *StateReader, depth int) error {
	if depth > maxTypeDepth {
		return r.Corrupt("Values are nested too deeply")
	}
	switch x := dst.(type) {
	case *Null:
		null := r.Bool()
		if r.err != nil {
			return r.err
		}
		if null {
			x.AppendDefault(1)
			return nil
		}
		if err := readHashed(x.Inner, r, depth+1); err != nil {
			return err
		}
		x.Nulls = append(x.Nulls, 0)
	case *Str:
		n := r.U64()
		if n == 0 || n > 1<<30 {
			return r.Corrupt("A string of a state cannot have %d bytes", n)
		}
		b := r.Bytes(int(n))
		if r.err != nil {
			return r.err
		}
		x.Append(b[:n-1])
	case *Arr:
		n := r.U64()
		if n > 1<<30 {
			return r.Corrupt("An array of a state cannot have %d elements", n)
		}
		was := x.Elem.Len()
		for ; n > 0 && r.err == nil; n-- {
			pos := r.pos
			if err := readHashed(x.Elem, r, depth+1); err != nil {
				x.Elem.Truncate(was)
				return err
			}
			if r.pos == pos {
				return r.Corrupt("An array of a state has elements without bytes")
			}
		}
		if r.err != nil {
			x.Elem.Truncate(was)
			return r.err
		}
		x.EndRow()
	case *MapColumn:
		return readHashed(x.Arr, r, depth+1)
	case *Tup:
		was := x.Len()
		for _, e := range x.Elems {
			if err := readHashed(e, r, depth+1); err != nil {
				for _, done := range x.Elems {
					if done.Len() > was {
						done.Truncate(was)
					}
				}
				return err
			}
		}
		x.N++
	case *NothingColumn:
		x.N++
	case rawReader:
		x.readRaw(r)
	}
	return r.err
}
