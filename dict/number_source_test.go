package dict

import (
	"context"
	"io"
	"strconv"

	"dictsvc/column"
)

// numberSource makes rows of numbers; every share-th has values of generation g, 0 = none.
type numberSource struct {
	slow
	def   *Definition
	n, at uint64
	share uint64
	g     uint64
}

func (s *numberSource) Next(context.Context) (*column.Block, error) {
	n := min(s.n-s.at, column.MaxBlockRows)
	if n == 0 {
		return nil, io.EOF
	}
	b := &column.Block{Rows: int(n)}
	keys := make([]uint64, n)
	for i := range keys {
		keys[i] = (s.at + uint64(i)) * 0x9e3779b97f4a7c15
	}
	b.Cols = append(b.Cols, column.UInt64s(keys...))
	for _, a := range s.def.Attrs {
		c := column.New(a.Type, int(n))
		var text []byte
		for i := range n {
			v := s.at + i
			if s.share > 0 && v%s.share == 0 {
				v += s.g
			}
			switch x := c.(type) {
			case *column.Num[uint16]:
				x.Data = append(x.Data, uint16(v*v))
			case *column.Num[uint32]:
				x.Data = append(x.Data, uint32(v*v*v))
			case *column.Num[float64]:
				x.Data = append(x.Data, float64(v%10000)/100)
			case *column.Str:
				text = append(strconv.AppendUint(append(text[:0], "user-"...), v, 10), "@example.org"...)
				x.Append(text)
			case *column.Null:
				x.Nulls = append(x.Nulls, uint8(v&1))
				x.Inner.(*column.Num[int64]).Data = append(x.Inner.(*column.Num[int64]).Data, int64(v*v))
			}
		}
		b.Cols = append(b.Cols, c)
	}
	s.at += n
	return b, nil
}
