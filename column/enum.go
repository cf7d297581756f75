package column

import (
	"slices"

	"dictsvc/errcode"
)

// AppendTypeDefault appends the default of a column's type, which for an Enum is its least value and for Date32 the first day that it has, where
// AppendDefault appends 0.
func AppendTypeDefault(c Column) { appendTypeDefault(c, firstDate32) }

// AppendEmptyValue appends what an aggregate function has of no rows: the default of the type, but day 0 of a Date32.
func AppendEmptyValue(c Column) { appendTypeDefault(c, 0) }

func appendTypeDefault(c Column, day int32) {
	switch x := c.(type) {
	case *Num[int8]:
		if x.T.Kind == Enum8 {
			x.Data = append(x.Data, int8(x.T.Enum.Values[0]))
			return
		}
	case *Num[int16]:
		if x.T.Kind == Enum16 {
			x.Data = append(x.Data, x.T.Enum.Values[0])
			return
		}
	case *Num[int32]:
		if x.T.Kind == Date32 {
			x.Data = append(x.Data, day)
			return
		}
	case *Tup:
		for _, e := range x.Elems {
			appendTypeDefault(e, day)
		}
		x.N++
		return
	}
	c.AppendDefault(1)
}

// CheckEnums finds values that are not of their Enum: error 691. Defaults of columns are 0 whether or not the Enum has it, and text has no word for them.
func CheckEnums(c Column) error {
	switch x := c.(type) {
	case *Const:
		return CheckEnums(x.Val)
	case *Null:
		if x.Inner.Type().IsEnum() {
			return checkEnum(x.Inner, x.Nulls)
		}
	case *Arr:
		if hasEnum(x.T) {
			return CheckEnums(x.Elem)
		}
	case *MapColumn:
		return CheckEnums(x.Arr)
	case *Tup:
		for _, e := range x.Elems {
			if err := CheckEnums(e); err != nil {
				return err
			}
		}
	default:
		if c.Type().IsEnum() {
			return checkEnum(c, nil)
		}
	}
	return nil
}

func hasEnum(t *Type) bool { return t.IsEnum() || slices.ContainsFunc(t.Elems, hasEnum) }

func checkEnum(c Column, nulls []uint8) error {
	t := c.Type()
	for i := range c.Len() {
		if v := enumAt(c, i); nulls == nil || nulls[i] == 0 {
			if _, ok := t.Enum.Name(v); !ok {
				return errcode.New(errcode.UnknownElementOfEnum, "Unexpected value %d in enum", v)
			}
		}
	}
	return nil
}
