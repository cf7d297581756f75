package query

import (
	"dictsvc/column"
	"dictsvc/errcode"
)

// convertBlock takes a block's columns by name and converts them to the types wanted; the order of the block does not matter.
func (q *run) convertBlock(b *column.Block, want []columnInfo) ([]column.Column, error) {
	out := make([]column.Column, len(want))
	for i, c := range want {
		k := b.Index(c.Name)
		if k < 0 {
			return nil, errcode.New(errcode.NotFoundColumnInBlock, "Not found column %s in block", c.Name)
		}
		v, err := convertColumn(b.Cols[k], c.Type)
		if err != nil {
			return nil, errcode.Wrap(err, "column %s", c.Name)
		}
		out[i] = v
	}
	return out, nil
}

// convertColumn converts a column to a type as INSERT does: NULL into a type without NULL is error 70.
func convertColumn(c column.Column, t *column.Type) (column.Column, error) {
	c = column.Full(c)
	if c.Type().Equal(t) {
		return c, nil
	}
	if c.Type().IsNullable() && !t.IsNullable() && canBeNullable(t) {
		n, ok := column.Plain(c).(*column.Null)
		if ok && column.Count(n.Nulls) > 0 {
			return nil, errcode.New(errcode.CannotConvertType, "Cannot convert NULL to a non-nullable type")
		}
	}
	v, err := column.Cast(c, t, column.CastPlain)
	if err != nil {
		return nil, err
	}
	return column.Full(v), nil
}
