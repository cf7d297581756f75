package function

import (
	"bytes"
	"slices"

	"dictsvc/column"
	"dictsvc/errcode"
)

func stringPartFunctions() []Function {
	return []Function{
		{Name: "concat", MinArgs: 0, MaxArgs: -1, Bind: bindConcat},
		{Name: "concatAssumeInjective", MinArgs: 0, MaxArgs: -1, Bind: bindConcat},
		{Name: "concatWithSeparator", MinArgs: 1, MaxArgs: -1, Bind: bindConcatSeparator("concatWithSeparator")},
		{Name: "concatWithSeparatorAssumeInjective", MinArgs: 1, MaxArgs: -1, Bind: bindConcatSeparator("concatWithSeparatorAssumeInjective")},
		{Name: "substring", MinArgs: 2, MaxArgs: 3, Bind: bindSubstring("substring", false)},
		{Name: "substringUTF8", MinArgs: 2, MaxArgs: 3, Bind: bindSubstring("substringUTF8", true)},
		{Name: "left", MinArgs: 2, MaxArgs: 2, Bind: bindSide("left", false, false)},
		{Name: "leftUTF8", MinArgs: 2, MaxArgs: 2, Bind: bindSide("leftUTF8", false, true)},
		{Name: "right", MinArgs: 2, MaxArgs: 2, Bind: bindSide("right", true, false)},
		{Name: "rightUTF8", MinArgs: 2, MaxArgs: 2, Bind: bindSide("rightUTF8", true, true)},
		{Name: "substringIndex", MinArgs: 3, MaxArgs: 3, Bind: bindSubstringIndex},
		{Name: "overlay", MinArgs: 3, MaxArgs: 4, Bind: bindOverlay("overlay", false)},
		{Name: "overlayUTF8", MinArgs: 3, MaxArgs: 4, Bind: bindOverlay("overlayUTF8", true)},
	}
}

// toStrings brings any column to text: strings as they are, enums by name, the rest as CAST(x, 'String') writes it.
func toStrings(t *column.Type) (castFn, error) {
	if t.IsString() {
		return func(c column.Column, _ int) (column.Column, error) { return c, nil }, nil
	}
	return castKernel(t, column.Of(column.String))
}

func textArgs(args []Arg) ([]castFn, error) {
	out := make([]castFn, len(args))
	for i, a := range args {
		var err error
		if out[i], err = toStrings(a.Type); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func bindConcat(env *Env, args []Arg) (*Bound, error) {
	if len(args) > 0 && !slices.ContainsFunc(args, func(a Arg) bool { return a.Type.Kind != args[0].Type.Kind }) {
		switch args[0].Type.Kind {
		case column.Array:
			f, _ := Lookup("arrayConcat")
			return Bind(env, f, args)
		case column.Map:
			f, _ := Lookup("mapConcat")
			return Bind(env, f, args)
		case column.Tuple:
			f, _ := Lookup("tupleConcat")
			return Bind(env, f, args)
		}
	}
	return bindJoin("", args)
}

func bindConcatSeparator(name string) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		sep, ok := constStr(args[0])
		if !ok {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "A value of illegal type was provided as 1st argument 'separator' to function '%s'. Expected: const String, got: %s", name, args[0].Type)
		}
		inner, err := bindJoin(sep, args[1:])
		if err != nil {
			return nil, err
		}
		return result(inner.Type, func(call *Call) (column.Column, error) {
			c := *call
			c.Args = call.Args[1:]
			return inner.Exec(&c)
		})
	}
}

func bindJoin(sep string, args []Arg) (*Bound, error) {
	casts, err := textArgs(args)
	if err != nil {
		return nil, err
	}
	direct := make([]column.ScratchCaster, len(args))
	for i, a := range args {
		direct[i] = column.NewScratchCast(a.Type, column.Of(column.String))
	}
	return result(column.Of(column.String), func(call *Call) (column.Column, error) {
		j := joiner{rows: call.Rows}
		for i, c := range call.Args {
			if i > 0 {
				j.constant([]byte(sep))
			}
			if _, isConst := c.(*column.Const); !isConst && direct[i] != nil {
				j.add(direct[i](call.Scratch, c))
				continue
			}
			c, err := casts[i](c, call.Rows)
			if err != nil {
				return nil, err
			}
			j.add(c)
		}
		return j.run(call)
	})
}

// cutStr is substring(s, offset, length) by ClickHouse's rules: offsets count from 1, negative ones from the end, a negative length from the end too.
func cutStr(v []byte, off, size int64, sized, runes bool) []byte {
	n := int64(len(v))
	if runes {
		n = int64(countRunes(v))
	}
	if off == 0 {
		return nil
	}
	begin, end := sliceBounds(off, n)
	if sized {
		end = sliceEnd(begin, size, n)
	}
	begin, end = min(max(begin, 0), n), min(end, n)
	if begin >= end {
		return nil
	}
	if !runes {
		return v[begin:end]
	}
	from := prefixLen(v, int(begin), true)
	return v[from : from+prefixLen(v[from:], int(end-begin), true)]
}

func bindSubstring(name string, runes bool) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		a := args[0].Type
		if !isText(a) && !a.IsEnum() {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of first argument of function %s, expected String, FixedString or Enum", a, name)
		}
		for i, x := range args[1:] {
			if !x.Type.IsInteger() {
				return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of %s argument of function %s, expected (U)Int*", x.Type, [...]string{"second", "third"}[i], name)
			}
		}
		return result(column.Of(column.String), func(call *Call) (column.Column, error) {
			s := newStrs(enumNames(call.Args[0]))
			off, oc := nums[int64](call.Args[1])
			if _, isConst := call.Args[0].(*column.Const); oc && off[0] == 0 && !isConst {
				return nil, errcode.New(errcode.ZeroArrayOrTupleIndex, "Indices in strings are 1-based")
			}
			size, sc := []int64{0}, true
			sized := len(call.Args) == 3
			if sized {
				size, sc = nums[int64](call.Args[2])
			}
			out := newStr(call.Rows)
			for i := 0; i < call.Rows; i++ {
				out.Append(cutStr(s.at(i), at(off, oc, i), at(size, sc, i), sized, runes))
			}
			return out, nil
		})
	}
}

func bindSide(name string, right, runes bool) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		if !isText(args[0].Type) {
			return nil, illegalType(name, args[0].Type)
		}
		if !args[1].Type.IsInteger() {
			return nil, illegalType(name, args[1].Type)
		}
		return result(column.Of(column.String), func(call *Call) (column.Column, error) {
			s := newStrs(call.Args[0])
			n, nc := nums[int64](call.Args[1])
			out := newStr(call.Rows)
			for i := 0; i < call.Rows; i++ {
				v, k := s.at(i), at(n, nc, i)
				switch {
				case !right:
					out.Append(cutStr(v, 1, k, true, runes))
				case k > 0:
					out.Append(cutStr(v, -k, k, true, runes))
				case k < 0:
					out.Append(cutStr(v, 1-k, 0, false, runes))
				default:
					out.EndRow()
				}
			}
			return out, nil
		})
	}
}

func bindSubstringIndex(_ *Env, args []Arg) (*Bound, error) {
	if !isText(args[0].Type) {
		return nil, illegalType("substringIndex", args[0].Type)
	}
	delim, ok := constStr(args[1])
	if !ok {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "The second argument of function substringIndex must be a constant string")
	}
	if !args[2].Type.IsInteger() {
		return nil, illegalType("substringIndex", args[2].Type)
	}
	d := []byte(delim)
	return result(column.Of(column.String), func(call *Call) (column.Column, error) {
		s := newStrs(call.Args[0])
		n, nc := nums[int64](call.Args[2])
		out := newStr(call.Rows)
		for i := 0; i < call.Rows; i++ {
			out.Append(substringIndex(s.at(i), d, at(n, nc, i)))
		}
		return out, nil
	})
}

func substringIndex(v, d []byte, n int64) []byte {
	if len(d) == 0 || n == 0 {
		return nil
	}
	if n > 0 {
		pos := 0
		for ; n > 0; n-- {
			k := bytes.Index(v[pos:], d)
			if k < 0 {
				return v
			}
			pos += k + len(d)
		}
		return v[:pos-len(d)]
	}
	end := len(v)
	for ; n < 0; n++ {
		k := bytes.LastIndex(v[:end], d)
		if k < 0 {
			return v
		}
		end = k
	}
	return v[end+len(d):]
}

func bindOverlay(name string, runes bool) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		for i, a := range args {
			if i < 2 && !isText(a.Type) || i >= 2 && !a.Type.IsInteger() {
				return nil, illegalType(name, a.Type)
			}
		}
		return result(column.Of(column.String), func(call *Call) (column.Column, error) {
			s, r := newStrs(call.Args[0]), newStrs(call.Args[1])
			off, oc := nums[int64](call.Args[2])
			var size []int64
			sc := false
			if len(call.Args) == 4 {
				size, sc = nums[int64](call.Args[3])
			}
			out := newStr(call.Rows)
			for i := 0; i < call.Rows; i++ {
				v, w, o := s.at(i), r.at(i), at(off, oc, i)
				n := int64(len(v))
				k := int64(len(w))
				if runes {
					n, k = int64(countRunes(v)), int64(countRunes(w))
				}
				if size != nil {
					if z := at(size, sc, i); z >= 0 {
						k = z
					}
				}
				begin := o - 1
				if o < 0 {
					begin = n + o
				}
				begin = min(max(begin, 0), n)
				end := n
				if k < n-begin {
					end = begin + k
				}
				out.Data = append(out.Data, v[:prefixLen(v, int(begin), runes)]...)
				out.Data = append(out.Data, w...)
				out.Data = append(out.Data, v[prefixLen(v, int(end), runes):]...)
				out.EndRow()
			}
			return out, nil
		})
	}
}
