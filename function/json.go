package function

import (
	"math"
	"strconv"

	"dictsvc/column"
	"dictsvc/errcode"
)

func jsonFunctions() []Function {
	list := []Function{
		{Name: "isValidJSON", MinArgs: 1, MaxArgs: 1, Bind: bindStrNum("isValidJSON", column.UInt8, func(s []byte) uint64 { _, ok := parseJSON(s); return uint64(bit(ok)) })},
		{Name: "JSONExtract", MinArgs: 2, MaxArgs: -1, Flags: OwnNulls, Bind: bindJSONExtract},
		{Name: "JSONExtractKeysAndValues", MinArgs: 2, MaxArgs: -1, Bind: bindJSONKeysValues},
	}
	for _, j := range jsonTable() {
		list = append(list, Function{Name: j.name, MinArgs: 1, MaxArgs: -1, Flags: PlainResult, Bind: j.bind})
	}
	for _, s := range []struct{ simple, full string }{{"simpleJSONHas", "JSONHas"}, {"simpleJSONExtractInt", "JSONExtractInt"}, {"simpleJSONExtractUInt", "JSONExtractUInt"},
		{"simpleJSONExtractFloat", "JSONExtractFloat"}, {"simpleJSONExtractBool", "JSONExtractBool"}, {"simpleJSONExtractString", "JSONExtractString"}, {"simpleJSONExtractRaw", "JSONExtractRaw"}} {
		list = append(list, Function{Name: s.simple, MinArgs: 2, MaxArgs: 2, Bind: func(env *Env, args []Arg) (*Bound, error) {
			if _, ok := constStr(args[1]); !ok {
				return nil, errcode.New(errcode.IllegalTypeOfArgument, "The second argument of function %s must be a constant string", s.simple)
			}
			f, _ := Lookup(s.full)
			return f.Bind(env, args)
		}})
	}
	return list
}

// jsonFn is a function of a JSON text and a path: it appends one row for the value found, nil where there is none.
type jsonFn struct {
	name string
	t    *column.Type
	row  func(dst column.Column, v *jsonValue, key []byte)
}

func jsonTable() []jsonFn {
	u8, u64, str := uint8Type, column.Of(column.UInt64), column.Of(column.String)
	into := func(dst column.Column, v *jsonValue, _ []byte) {
		if v == nil || !appendJSON(dst, v) {
			dst.AppendDefault(1)
		}
	}
	pairT := column.NewTuple([]*column.Type{str, str}, nil)
	enum := column.NewEnumType(column.Enum8, column.NewEnum([]string{"Null", "String", "Array", "Bool", "Double", "Int64", "UInt64", "Object"}, []int16{0, '"', '[', 'b', 'd', 'i', 'u', '{'}))
	return []jsonFn{
		{"JSONHas", u8, func(dst column.Column, v *jsonValue, _ []byte) {
			d := dst.(*column.Num[uint8])
			d.Data = append(d.Data, bit(v != nil))
		}},
		{"JSONLength", u64, func(dst column.Column, v *jsonValue, _ []byte) {
			d, n := dst.(*column.Num[uint64]), 0
			if v != nil {
				n = len(v.list)
			}
			d.Data = append(d.Data, uint64(n))
		}},
		{"JSONKey", str, func(dst column.Column, _ *jsonValue, key []byte) { dst.(*column.Str).Append(key) }},
		{"JSONType", enum, func(dst column.Column, v *jsonValue, _ []byte) {
			d, k := dst.(*column.Num[int8]), jsonNull
			if v != nil {
				k = v.kind
			}
			d.Data = append(d.Data, int8(k))
		}},
		{"JSONExtractInt", column.Of(column.Int64), into},
		{"JSONExtractUInt", u64, into},
		{"JSONExtractFloat", column.Of(column.Float64), into},
		{"JSONExtractString", str, into},
		{"JSONExtractBool", u8, func(dst column.Column, v *jsonValue, _ []byte) {
			d := dst.(*column.Num[uint8])
			d.Data = append(d.Data, bit(v != nil && (v.kind == jsonBool || v.kind == jsonInt || v.kind == jsonUInt) && v.bits != 0))
		}},
		{"JSONExtractRaw", str, func(dst column.Column, v *jsonValue, _ []byte) {
			d := dst.(*column.Str)
			if v != nil {
				d.Data = v.appendRaw(d.Data)
			}
			d.EndRow()
		}},
		{"JSONExtractArrayRaw", stringArray, func(dst column.Column, v *jsonValue, _ []byte) {
			d := dst.(*column.Arr)
			if v != nil && v.kind == jsonArray {
				for i := range v.list {
					d.Elem.(*column.Str).Append(v.list[i].appendRaw(nil))
				}
			}
			d.EndRow()
		}},
		{"JSONExtractKeys", stringArray, func(dst column.Column, v *jsonValue, _ []byte) {
			d := dst.(*column.Arr)
			if v != nil {
				for _, k := range v.keys {
					d.Elem.(*column.Str).Append(k)
				}
			}
			d.EndRow()
		}},
		{"JSONExtractKeysAndValuesRaw", column.NewArray(pairT), func(dst column.Column, v *jsonValue, _ []byte) {
			d := dst.(*column.Arr)
			if v != nil {
				pair := d.Elem.(*column.Tup)
				for i, k := range v.keys {
					pair.Elems[0].(*column.Str).Append(k)
					pair.Elems[1].(*column.Str).Append(v.list[i].appendRaw(nil))
				}
			}
			d.EndRow()
		}},
	}
}

// jsonStep is one step of a path: a key or an index, a column each.
type jsonStep struct {
	key   *strs
	index []int64
	cst   bool
}

func checkJSONPath(name string, args []Arg) error {
	if !isText(args[0].Type) {
		return errcode.New(errcode.IllegalTypeOfArgument, "The first argument of function %s should be a string containing JSON or a JSON object, illegal type: %s", name, args[0].Type)
	}
	for i, a := range args[1:] {
		if !isText(a.Type) && !a.Type.IsInteger() {
			return errcode.New(errcode.IllegalTypeOfArgument, "The argument %d of function %s has illegal type %s, it should be a string (a key) or an integer (an index)", i+2, name, a.Type)
		}
	}
	return nil
}

func jsonPath(cols []column.Column) []jsonStep {
	path := make([]jsonStep, len(cols))
	for i, c := range cols {
		if isText(c.Type()) {
			s := newStrs(c)
			path[i].key = &s
		} else {
			path[i].index, path[i].cst = nums[int64](c)
		}
	}
	return path
}

func (j jsonFn) bind(_ *Env, args []Arg) (*Bound, error) {
	if err := checkJSONPath(j.name, args); err != nil {
		return nil, err
	}
	return jsonRows(j.t, func(call *Call) []column.Column { return call.Args }, j.row)
}

// jsonRows parses each text once and hands on the value at the path.
func jsonRows(t *column.Type, args func(*Call) []column.Column, row func(dst column.Column, v *jsonValue, key []byte)) (*Bound, error) {
	return result(t, func(call *Call) (column.Column, error) {
		cols := args(call)
		s, path := newStrs(cols[0]), jsonPath(cols[1:])
		out := column.New(t, call.Rows)
		for i := 0; i < call.Rows; i++ {
			var found *jsonValue
			var key []byte
			if root, ok := parseJSON(s.at(i)); ok {
				found, key = root.find(path, i)
			}
			row(out, found, key)
		}
		return out, nil
	})
}

// splitJSONType takes the type's name, the last argument, off the arguments.
func splitJSONType(name string, args []Arg) (*column.Type, []Arg, error) {
	last := len(args) - 1
	text, ok := constStr(args[last])
	if !ok {
		return nil, nil, errcode.New(errcode.IllegalTypeOfArgument, "The last argument of function %s should be a constant string specifying the returned data type, illegal value: %s", name, args[last].Type)
	}
	t, err := column.Parse(text)
	if err != nil {
		return nil, nil, err
	}
	return t, args[:last], checkJSONPath(name, args[:last])
}

func bindJSONExtract(_ *Env, args []Arg) (*Bound, error) {
	if n := args[0].Type; n.IsNullable() && n.Base().Kind == column.Nothing {
		return pick(n, 0)
	}
	bare := append([]Arg{}, args...)
	bare[0].Type = bare[0].Type.NoNull()
	t, _, err := splitJSONType("JSONExtract", bare)
	if err != nil {
		return nil, err
	}
	last := len(args) - 1
	return jsonRows(t, func(call *Call) []column.Column {
		cols := append([]column.Column{}, call.Args[:last]...)
		cols[0], _ = splitNull(cols[0])
		return cols
	}, func(dst column.Column, v *jsonValue, _ []byte) {
		if v == nil || !appendJSON(dst, v) {
			dst.AppendDefault(1)
		}
	})
}

func bindJSONKeysValues(_ *Env, args []Arg) (*Bound, error) {
	t, _, err := splitJSONType("JSONExtractKeysAndValues", args)
	if err != nil {
		return nil, err
	}
	last := len(args) - 1
	pair := column.NewTuple([]*column.Type{column.Of(column.String), t}, nil)
	return jsonRows(column.NewArray(pair), func(call *Call) []column.Column { return call.Args[:last] }, func(dst column.Column, v *jsonValue, _ []byte) {
		d := dst.(*column.Arr)
		if v != nil {
			tup := d.Elem.(*column.Tup)
			for i, k := range v.keys {
				if appendJSON(tup.Elems[1], &v.list[i]) {
					tup.Elems[0].(*column.Str).Append(k)
				}
			}
		}
		d.EndRow()
	})
}

// appendJSON appends a value to a column of any type; where it does not fit nothing is appended and false comes back.
func appendJSON(dst column.Column, v *jsonValue) bool {
	switch x := dst.(type) {
	case *column.Null:
		n := x.Inner.Len()
		if v.kind == jsonNull || !appendJSON(x.Inner, v) {
			x.Inner.Truncate(n)
			x.AppendNull()
			return true
		}
		x.Nulls = append(x.Nulls, 0)
		return true
	case *column.LowCard:
		one := column.New(x.T.Elems[0], 1)
		if !appendJSON(one, v) {
			return false
		}
		x.AppendRange(one, 0, 1)
		return true
	case *column.Str:
		switch v.kind {
		case jsonNull:
			return false
		case jsonString:
			x.Append(v.text)
		default:
			x.Data = v.appendRaw(x.Data)
			x.EndRow()
		}
		return true
	case *column.Arr:
		return appendJSONArray(x, v)
	case *column.Tup:
		return appendJSONTuple(x, v)
	case *column.MapColumn:
		return appendJSONMap(x, v)
	}
	return appendJSONScalar(dst, v)
}

func appendJSONArray(x *column.Arr, v *jsonValue) bool {
	if v.kind != jsonArray {
		return false
	}
	for i := range v.list {
		if !appendJSON(x.Elem, &v.list[i]) {
			x.Elem.AppendDefault(1)
		}
	}
	x.EndRow()
	return true
}

func appendJSONTuple(x *column.Tup, v *jsonValue) bool {
	if v.kind != jsonArray && v.kind != jsonObject {
		return false
	}
	for i, e := range x.Elems {
		var part *jsonValue
		if v.kind == jsonObject && x.T.Names != nil {
			for k := range v.keys {
				if string(v.keys[k]) == x.T.Names[i] {
					part = &v.list[k]
				}
			}
		} else if i < len(v.list) {
			part = &v.list[i]
		}
		if part == nil || !appendJSON(e, part) {
			e.AppendDefault(1)
		}
	}
	x.N++
	return true
}

func appendJSONMap(x *column.MapColumn, v *jsonValue) bool {
	if v.kind != jsonObject {
		return false
	}
	tup := x.Arr.Elem.(*column.Tup)
	for i, k := range v.keys {
		n := tup.Elems[0].Len()
		if !appendJSON(tup.Elems[0], &jsonValue{kind: jsonString, text: k}) {
			continue
		}
		if !appendJSON(tup.Elems[1], &v.list[i]) {
			tup.Elems[0].Truncate(n)
		}
	}
	x.Arr.EndRow()
	return true
}

// appendJSONScalar converts numbers within the type's range, texts as CAST does.
func appendJSONScalar(dst column.Column, v *jsonValue) bool {
	t := dst.Type()
	var from column.Column
	switch v.kind {
	case jsonString:
		if t.IsInteger() && t.Kind != column.Bool {
			if f, err := strconv.ParseFloat(string(v.text), 64); err == nil && f != math.Trunc(f) {
				return false
			}
		}
		from = column.Strings(string(v.text))
	case jsonBool:
		if !t.IsNumber() {
			return false
		}
		from = column.UInt8s(uint8(v.bits))
	case jsonInt:
		from = column.Int64s(int64(v.bits))
	case jsonUInt:
		from = column.UInt64s(v.bits)
	case jsonDouble:
		f := math.Float64frombits(v.bits)
		if t.IsInteger() {
			f = math.Trunc(f)
		}
		from = column.Float64s(f)
	default:
		return false
	}
	if t.Kind == column.UUID || t.IsDateOrTime() || t.IsString() || t.Kind == column.IPv4 || t.Kind == column.IPv6 {
		if v.kind != jsonString && !t.IsDateOrTime() && !t.IsString() {
			return false
		}
	}
	mode := column.CastAccurateOrNull
	if v.kind == jsonString || t.IsDecimal() || t.IsFloat() || t.IsEnum() {
		mode = column.CastOrNull
	}
	cast, err := column.NewCast(from.Type(), column.NewNullable(t), mode)
	if err != nil {
		return false
	}
	res, err := cast(from)
	if err != nil {
		return false
	}
	n, ok := column.Full(res).(*column.Null)
	if !ok || n.Nulls[0] != 0 {
		return false
	}
	dst.AppendRange(n.Inner, 0, 1)
	return true
}
