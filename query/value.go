package query

import (
	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/sql"
)

// literalColumn makes the one-row column of a literal, of ClickHouse's type for it: the narrowest integer, Float64, String, Array of
// the common type, Tuple.
func literalColumn(v sql.Value) (column.Column, error) {
	t, err := literalType(v)
	if err != nil {
		return nil, err
	}
	c := column.New(t, 1)
	return c, appendValue(c, v)
}

func literalType(v sql.Value) (*column.Type, error) {
	switch v.Kind {
	case sql.NullValue:
		return nullType, nil
	case sql.BoolValue:
		return column.Of(column.Bool), nil
	case sql.UInt64Value:
		return column.Of(unsignedKind(v.UInt64())), nil
	case sql.Int64Value:
		return column.Of(signedKind(v.Int64())), nil
	case sql.Float64Value:
		return column.Of(column.Float64), nil
	case sql.StringValue:
		return column.Of(column.String), nil
	case sql.ArrayValue:
		t, err := elementType(v.Items())
		if err != nil {
			return nil, err
		}
		return column.NewArray(t), nil
	case sql.TupleValue:
		elems := make([]*column.Type, len(v.Items()))
		for i, item := range v.Items() {
			t, err := literalType(item)
			if err != nil {
				return nil, err
			}
			elems[i] = t
		}
		return column.NewTuple(elems, nil), nil
	}
	return nil, errcode.New(errcode.LogicalError, "Unknown kind of literal %d", v.Kind)
}

var nullType = column.NewNullable(column.Of(column.Nothing))

func unsignedKind(n uint64) column.Kind {
	switch {
	case n < 1<<8:
		return column.UInt8
	case n < 1<<16:
		return column.UInt16
	case n < 1<<32:
		return column.UInt32
	}
	return column.UInt64
}

func signedKind(n int64) column.Kind {
	switch {
	case n >= -1<<7:
		return column.Int8
	case n >= -1<<15:
		return column.Int16
	case n >= -1<<31:
		return column.Int32
	}
	return column.Int64
}

// elementType is the common type of an array's elements. Long lists of plain integers need no type for each.
func elementType(items []sql.Value) (*column.Type, error) {
	var seen []*column.Type
	known := map[*column.Type]bool{}
	for _, item := range items {
		t, err := literalType(item)
		if err != nil {
			return nil, err
		}
		if !known[t] { // types without parameters are shared
			known[t] = true
			seen = append(seen, t)
		}
	}
	return column.CommonType(seen)
}

// appendValue appends a literal to a column of its type, or of the common type of the array it stands in.
func appendValue(c column.Column, v sql.Value) error {
	switch x := c.(type) {
	case *column.Null:
		if v.Kind == sql.NullValue {
			x.AppendNull()
			return nil
		}
		if err := appendValue(x.Inner, v); err != nil {
			return err
		}
		x.Nulls = append(x.Nulls, 0)
		return nil
	case *column.Str:
		if v.Kind == sql.StringValue {
			x.Append([]byte(v.Str()))
			return nil
		}
	case *column.Arr:
		if v.Kind == sql.ArrayValue {
			for _, item := range v.Items() {
				if err := appendValue(x.Elem, item); err != nil {
					return err
				}
			}
			x.EndRow()
			return nil
		}
	case *column.Tup:
		if v.Kind == sql.TupleValue && len(v.Items()) == len(x.Elems) {
			for i, item := range v.Items() {
				if err := appendValue(x.Elems[i], item); err != nil {
					return err
				}
			}
			x.N++
			return nil
		}
	case *column.Num[uint8]:
		x.Data = append(x.Data, uint8(integer(v)))
		return nil
	case *column.Num[uint16]:
		x.Data = append(x.Data, uint16(integer(v)))
		return nil
	case *column.Num[uint32]:
		x.Data = append(x.Data, uint32(integer(v)))
		return nil
	case *column.Num[uint64]:
		x.Data = append(x.Data, integer(v))
		return nil
	case *column.Num[int8]:
		x.Data = append(x.Data, int8(integer(v)))
		return nil
	case *column.Num[int16]:
		x.Data = append(x.Data, int16(integer(v)))
		return nil
	case *column.Num[int32]:
		x.Data = append(x.Data, int32(integer(v)))
		return nil
	case *column.Num[int64]:
		x.Data = append(x.Data, int64(integer(v)))
		return nil
	case *column.Num[float64]:
		x.Data = append(x.Data, float(v))
		return nil
	default: // the common type is wider than any literal: Int128 for UInt64 beside Int64
		one, err := literalColumn(v)
		if err != nil {
			return err
		}
		cast, err := column.Cast(one, c.Type(), column.CastPlain)
		if err != nil {
			return err
		}
		c.AppendRange(column.Full(cast), 0, 1)
		return nil
	}
	return errcode.New(errcode.TypeMismatch, "Cannot put the literal %s into a column of type %s", v.Text(), c.Type())
}

func integer(v sql.Value) uint64 {
	switch v.Kind {
	case sql.Int64Value:
		return uint64(v.Int64())
	case sql.BoolValue:
		if v.Bool() {
			return 1
		}
		return 0
	case sql.Float64Value:
		return uint64(v.Float64())
	}
	return v.UInt64()
}

func float(v sql.Value) float64 {
	switch v.Kind {
	case sql.Float64Value:
		return v.Float64()
	case sql.Int64Value:
		return float64(v.Int64())
	}
	return float64(integer(v))
}

// scalarText is the text of a constant's value as toString gives it; ok is false for NULL.
func scalarText(c column.Column) (text string, ok bool) {
	if n, isNull := c.(*column.Null); isNull {
		if n.Nulls[0] != 0 {
			return "", false
		}
		c = n.Inner
	}
	return string(column.AppendText(nil, c, 0, column.TextRaw)), true
}
