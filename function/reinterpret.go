package function

import (
	"strconv"
	"unsafe"

	"dictsvc/column"
	"dictsvc/errcode"
)

func fixedFloat(f float64, n int) string { return strconv.FormatFloat(f, 'f', n, 64) }

func reinterpretFunctions() []Function {
	list := []Function{
		{Name: "reinterpret", MinArgs: 2, MaxArgs: 2, Bind: func(env *Env, args []Arg) (*Bound, error) {
			t, err := castTarget(env, "reinterpret", args[1])
			if err != nil {
				return nil, err
			}
			return bindReinterpret("reinterpret", args[0].Type, t)
		}},
		{Name: "reinterpretAsString", MinArgs: 1, MaxArgs: 1, Bind: func(_ *Env, args []Arg) (*Bound, error) {
			return bindReinterpret("reinterpretAsString", args[0].Type, column.Of(column.String))
		}},
		{Name: "reinterpretAsFixedString", MinArgs: 1, MaxArgs: 1, Bind: func(_ *Env, args []Arg) (*Bound, error) {
			w := args[0].Type.FixedWidth()
			if w == 0 {
				return nil, illegalType("reinterpretAsFixedString", args[0].Type)
			}
			return bindReinterpret("reinterpretAsFixedString", args[0].Type, column.NewFixedString(w))
		}},
	}
	kinds := []column.Kind{column.Date, column.DateTime, column.UUID}
	for k := column.UInt8; k <= column.Float64; k++ {
		kinds = append(kinds, k)
	}
	for _, k := range kinds {
		name, t := "reinterpretAs"+k.String(), column.Of(k)
		list = append(list, Function{Name: name, MinArgs: 1, MaxArgs: 1, Bind: func(_ *Env, args []Arg) (*Bound, error) {
			return bindReinterpret(name, args[0].Type, t)
		}})
	}
	return list
}

// bindReinterpret takes a value's bytes for another type: shorter ones are filled up with zero bytes, longer ones cut; a string loses its trailing zero bytes.
func bindReinterpret(name string, from, to *column.Type) (*Bound, error) {
	if !isText(from) && from.FixedWidth() == 0 {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Cannot reinterpret %s as %s because it is not contiguous in memory (function %s)", from, to, name)
	}
	if !isText(to) && to.FixedWidth() == 0 {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Cannot reinterpret %s as %s (function %s)", from, to, name)
	}
	return result(to, func(call *Call) (column.Column, error) {
		c := call.full(call.Args[0])
		s := newStrs(c)
		raw, fw := rawBytes(c), from.FixedWidth()
		value := func(i int) []byte {
			if from.Kind == column.String {
				return s.at(i)
			}
			return raw[i*fw : (i+1)*fw]
		}
		if to.Kind == column.String {
			out := newStr(call.Rows)
			for i := 0; i < call.Rows; i++ {
				v := value(i)
				if from.Kind != column.String {
					for len(v) > 0 && v[len(v)-1] == 0 {
						v = v[:len(v)-1]
					}
				}
				out.Append(v)
			}
			return out, nil
		}
		w := to.FixedWidth()
		data := make([]byte, w*call.Rows)
		for i := 0; i < call.Rows; i++ {
			v := value(i)
			copy(data[i*w:(i+1)*w], v[:min(len(v), w)])
		}
		return fromRaw(to, data, call.Rows), nil
	})
}

// fromRaw makes a column of fixed-width values of their bytes.
func fromRaw(t *column.Type, data []byte, rows int) column.Column {
	switch column.New(t, 0).(type) {
	case *column.FixedStr:
		return &column.FixedStr{T: t, Data: data}
	case *column.Num[uint8]:
		return column.NewNum(t, words[uint8](data, rows))
	case *column.Num[uint16]:
		return column.NewNum(t, words[uint16](data, rows))
	case *column.Num[uint32]:
		return column.NewNum(t, words[uint32](data, rows))
	case *column.Num[uint64]:
		return column.NewNum(t, words[uint64](data, rows))
	case *column.Num[int8]:
		return column.NewNum(t, words[int8](data, rows))
	case *column.Num[int16]:
		return column.NewNum(t, words[int16](data, rows))
	case *column.Num[int32]:
		return column.NewNum(t, words[int32](data, rows))
	case *column.Num[int64]:
		return column.NewNum(t, words[int64](data, rows))
	case *column.Num[float32]:
		return column.NewNum(t, words[float32](data, rows))
	case *column.Num[float64]:
		return column.NewNum(t, words[float64](data, rows))
	case *column.Wide[column.U128]:
		return column.NewWide(t, words[column.U128](data, rows))
	case *column.Wide[column.I128]:
		return column.NewWide(t, words[column.I128](data, rows))
	case *column.Wide[column.U256]:
		return column.NewWide(t, words[column.U256](data, rows))
	case *column.Wide[column.I256]:
		return column.NewWide(t, words[column.I256](data, rows))
	case *column.Wide[column.UUIDValue]:
		return column.NewWide(t, words[column.UUIDValue](data, rows))
	}
	return column.NewWide(t, words[column.IPv6Value](data, rows))
}

// words copies bytes into a slice of values of their size.
func words[T any](data []byte, rows int) []T {
	out := make([]T, rows)
	if rows > 0 {
		var one T
		copy(unsafe.Slice((*byte)(unsafe.Pointer(&out[0])), rows*int(unsafe.Sizeof(one))), data)
	}
	return out
}
