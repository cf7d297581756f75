package function

import (
	"math"
	"math/bits"
	"strconv"

	"dictsvc/column"
	"dictsvc/errcode"
)

func bitFunctions() []Function {
	return []Function{
		{Name: "bitNot", MinArgs: 1, MaxArgs: 1, Bind: bindBitNot},
		{Name: "bitCount", MinArgs: 1, MaxArgs: 1, Bind: bindBitCount},
		{Name: "bitShiftLeft", MinArgs: 2, MaxArgs: 2, Bind: bindShift("bitShiftLeft", shiftLeft)},
		{Name: "bitShiftRight", MinArgs: 2, MaxArgs: 2, Bind: bindShift("bitShiftRight", shiftRight)},
		{Name: "bitRotateLeft", MinArgs: 2, MaxArgs: 2, Bind: bindShift("bitRotateLeft", rotateLeft)},
		{Name: "bitRotateRight", MinArgs: 2, MaxArgs: 2, Bind: bindShift("bitRotateRight", rotateRight)},
		{Name: "bitTest", MinArgs: 2, MaxArgs: 2, Bind: bindBitTest},
		{Name: "bitTestAll", MinArgs: 2, MaxArgs: -1, Bind: bindBitTests("bitTestAll", true)},
		{Name: "bitTestAny", MinArgs: 2, MaxArgs: -1, Bind: bindBitTests("bitTestAny", false)},
		{Name: "bitHammingDistance", MinArgs: 2, MaxArgs: 2, Bind: bindHamming},
		{Name: "byteSwap", MinArgs: 1, MaxArgs: 1, Bind: bindByteSwap},
		{Name: "bitmaskToList", MinArgs: 1, MaxArgs: 1, Bind: bindBitmaskToList},
		{Name: "bitmaskToArray", MinArgs: 1, MaxArgs: 1, Bind: bindBitmaskToArray},
		{Name: "bitPositionsToArray", MinArgs: 1, MaxArgs: 1, Bind: bindBitPositions},
	}
}

func leadingZeros(v uint64) int { return bits.LeadingZeros64(v) }

// bitsOf reads the bits of integers and floats as they lie in memory.
func bitsOf(c column.Column) column.Column {
	switch x := c.(type) {
	case *column.Const:
		return column.NewConst(bitsOf(x.Val), x.N)
	case *column.Num[float32]:
		return column.NewNum(column.Of(column.UInt32), mapSlice(x.Data, math.Float32bits))
	case *column.Num[float64]:
		return column.NewNum(column.Of(column.UInt64), mapSlice(x.Data, math.Float64bits))
	}
	return c
}

func bindBitNot(_ *Env, args []Arg) (*Bound, error) {
	t := args[0].Type
	if t.IsString() {
		return unary(t, func(c column.Column) column.Column {
			switch x := c.(type) {
			case *column.Str:
				return &column.Str{T: t, Data: mapSlice(x.Data, notByte), Ends: x.Ends, Start: x.Start}
			case *column.FixedStr:
				return &column.FixedStr{T: t, Data: mapSlice(x.Data, notByte)}
			}
			return c
		})
	}
	c, ok := classOf(t)
	if !ok {
		return nil, illegalType("bitNot", t)
	}
	r := numClass{signed: c.signed, size: c.size}.typ()
	return unary(r, func(x column.Column) column.Column {
		if c.size > 8 {
			return narrow(r, mapWide(x, wide.not))
		}
		if c.float {
			v, _ := nums[int64](x)
			return numCut(r, mapSlice(v, func(v int64) int64 { return ^v }))
		}
		v, _ := nums[uint64](x)
		return numCut(r, mapSlice(v, func(v uint64) uint64 { return ^v }))
	})
}

func notByte(b byte) byte { return ^b }

func bindBitCount(_ *Env, args []Arg) (*Bound, error) {
	t := args[0].Type
	if t.IsString() {
		r := column.Of(column.UInt64)
		return result(r, func(call *Call) (column.Column, error) {
			s := newStrs(call.full(call.Args[0]))
			out := make([]uint64, call.Rows)
			for i := range out {
				for _, b := range s.at(i) {
					out[i] += uint64(bits.OnesCount8(b))
				}
			}
			return column.NewNum(r, out), nil
		})
	}
	c, ok := classOf(t)
	if !ok {
		return nil, illegalType("bitCount", t)
	}
	r := column.Of(column.UInt8)
	if c.size == 32 {
		r = column.Of(column.UInt16)
	}
	mask := wide{}.not().shr(uint(256 - 8*c.size))
	return unary(r, func(x column.Column) column.Column {
		x = bitsOf(x)
		if c.size <= 8 {
			v, _ := nums[uint64](x)
			return numCut(r, mapSlice(v, func(v uint64) uint64 { return uint64(bits.OnesCount64(v & mask[0])) }))
		}
		return numCut(r, mapSlice(mapWide(x, func(w wide) wide { return w }), func(w wide) uint64 {
			n := 0
			for i := range w {
				n += bits.OnesCount64(w[i] & mask[i])
			}
			return uint64(n)
		}))
	})
}

type shiftOp uint8

const (
	shiftLeft shiftOp = iota
	shiftRight
	rotateLeft
	rotateRight
)

func bindShift(name string, op shiftOp) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		a, b := args[0].Type, args[1].Type
		y, yok := classOf(b)
		if a.IsString() && yok && !y.float && y.size <= 8 && op <= shiftRight {
			return bindShiftString(op, a)
		}
		x, xok := classOf(a)
		if !xok || !yok || x.float || y.float {
			return nil, illegalTypes(name, args)
		}
		if op >= rotateLeft && max(x.size, y.size) > 8 {
			return nil, errcode.New(errcode.NotImplemented, "Bit rotate is not implemented for big integers")
		}
		if y.size > 8 {
			return nil, errcode.New(errcode.NotImplemented, "%s is not implemented for big integers as second argument", "B"+name[1:])
		}
		t := numClass{signed: x.signed || y.signed, size: max(x.size, y.size)}.typ()
		width := uint(t.FixedWidth() * 8)
		signed := x.signed || y.signed
		return result(t, func(call *Call) (column.Column, error) {
			n, nc := nums[int64](call.Args[1])
			if y.signed && op <= shiftRight {
				for _, s := range n {
					if s < 0 {
						return nil, errcode.New(errcode.ArgumentOutOfBound, "The number of shift positions needs to be a non-negative value")
					}
				}
			}
			if width > 64 {
				v, vc := wides(call.Args[0])
				return narrow(t, each2(v, vc, n, nc, call.Rows, func(w wide, s int64) wide { return shiftWide(op, w, uint64(s), width, signed) })), nil
			}
			if op <= shiftRight && !signed {
				v, vc := nums[uint64](call.Args[0])
				if op == shiftLeft {
					return numCut(t, each2(v, vc, n, nc, call.Rows, func(u uint64, s int64) uint64 { return u << min(uint64(s), 64) })), nil
				}
				return numCut(t, each2(v, vc, n, nc, call.Rows, func(u uint64, s int64) uint64 { return u >> min(uint64(s), 64) })), nil
			}
			v, vc := nums[int64](call.Args[0])
			return numCut(t, each2(v, vc, n, nc, call.Rows, func(u, s int64) int64 {
				switch op {
				case shiftLeft:
					return u << min(uint64(s), 64)
				case shiftRight:
					if uint64(s) >= uint64(width) {
						return 0
					}
					return u >> uint64(s)
				}
				return rotate(op, u, s, width)
			})), nil
		})
	}
}

// rotate turns the bits of the result's width.
func rotate(op shiftOp, u, s int64, width uint) int64 {
	mask := uint64(math.MaxUint64) >> (64 - width)
	k := uint(s) % width
	if op == rotateRight {
		k = (width - k) % width
	}
	v := uint64(u) & mask
	return int64((v<<k | v>>(width-k)) & mask)
}

func shiftWide(op shiftOp, w wide, s uint64, width uint, signed bool) wide {
	switch {
	case s >= uint64(width):
		return wide{}
	case op == shiftLeft:
		return w.shl(uint(s))
	case signed:
		return w.sar(uint(s))
	}
	return w.shr(uint(s))
}

// bindShiftString shifts the bits of a string. Left makes it longer by the whole bytes shifted in and one for the rest, right makes it shorter; a FixedString keeps its width.
func bindShiftString(op shiftOp, t *column.Type) (*Bound, error) {
	return result(t, func(call *Call) (column.Column, error) {
		s := newStrs(call.Args[0])
		n, nc := nums[int64](call.Args[1])
		out := newStrOut(t, call.Rows)
		var buf []byte
		for i := 0; i < call.Rows; i++ {
			k, v := at(n, nc, i), s.at(i)
			if k < 0 || k > int64(len(v))*8 {
				if k < 0 {
					return nil, errcode.New(errcode.ArgumentOutOfBound, "The number of shift positions needs to be a non-negative value")
				}
				k = int64(len(v)) * 8
			}
			fixed := t.Kind == column.FixedString
			if op == shiftLeft {
				buf = shiftBytesLeft(buf[:0], v, int(k))
				if fixed {
					buf = buf[len(buf)-len(v):]
				}
				if !fixed && k == int64(len(v))*8 {
					buf = buf[:0]
				}
			} else {
				buf = shiftBytesRight(buf[:0], v, int(k), fixed)
			}
			out.append(buf)
		}
		return out.column(), nil
	})
}

func shiftBytesLeft(buf, v []byte, k int) []byte {
	whole, rest := k/8, uint(k%8)
	if rest > 0 && len(v) > 0 {
		buf = append(buf, v[0]>>(8-rest))
	}
	for i := range v {
		b := v[i] << rest
		if rest > 0 && i+1 < len(v) {
			b |= v[i+1] >> (8 - rest)
		}
		buf = append(buf, b)
	}
	for ; whole > 0; whole-- {
		buf = append(buf, 0)
	}
	return buf
}

func shiftBytesRight(buf, v []byte, k int, fixed bool) []byte {
	whole, rest := k/8, uint(k%8)
	keep := v[:max(len(v)-whole, 0)]
	if fixed {
		for i := len(keep); i < len(v); i++ {
			buf = append(buf, 0)
		}
	}
	for i := range keep {
		b := keep[i] >> rest
		if rest > 0 && i > 0 {
			b |= keep[i-1] << (8 - rest)
		}
		buf = append(buf, b)
	}
	return buf
}

func bindBitTest(_ *Env, args []Arg) (*Bound, error) {
	x, xok := classOf(args[0].Type)
	y, yok := classOf(args[1].Type)
	if !xok || !yok || x.float || y.float {
		return nil, illegalTypes("bitTest", args)
	}
	if max(x.size, y.size) > 8 {
		return nil, errcode.New(errcode.NotImplemented, "bitTest is not implemented for big integers as second argument")
	}
	t := column.Of(column.UInt8)
	width := int64(max(x.size, y.size) * 8)
	if !y.signed && !x.signed {
		width = int64(x.size * 8)
	}
	return result(t, func(call *Call) (column.Column, error) {
		v, vc := nums[int64](call.Args[0])
		n, nc := nums[int64](call.Args[1])
		out, err := each2e(v, vc, n, nc, call.Rows, func(v, s int64) (uint8, error) {
			if s < 0 || s >= width {
				return 0, errcode.New(12, "The bit position argument needs to a positive value and less or equal to %d for integer %d", width-1, v)
			}
			return uint8(v >> uint(s) & 1), nil
		})
		if err != nil {
			return nil, err
		}
		return column.NewNum(t, out), nil
	})
}

func bindBitTests(name string, all bool) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		for i, a := range args {
			c, ok := classOf(a.Type)
			if !ok || c.float || c.signed && i > 0 {
				return nil, illegalType(name, a.Type)
			}
		}
		for _, a := range args {
			if c, _ := classOf(a.Type); c.size > 8 {
				return nil, errcode.New(errcode.IllegalColumn, "Illegal column %s of argument of function %s", a.Type, name)
			}
		}
		t := column.Of(column.UInt8)
		return result(t, func(call *Call) (column.Column, error) {
			v, vc := nums[uint64](call.Args[0])
			masks := make([]uint64, call.Rows)
			for _, a := range call.Args[1:] {
				n, nc := nums[uint64](a)
				for i := range masks {
					if s := at(n, nc, i); s < 64 {
						masks[i] |= 1 << s
					}
				}
			}
			out := make([]uint8, call.Rows)
			for i, m := range masks {
				hit := at(v, vc, i) & m
				if all && hit == m || !all && hit != 0 {
					out[i] = 1
				}
			}
			return column.NewNum(t, out), nil
		})
	}
}

func bindHamming(_ *Env, args []Arg) (*Bound, error) {
	a, b := args[0].Type, args[1].Type
	if a.IsString() && b.IsString() {
		t := column.Of(column.UInt64)
		return result(t, func(call *Call) (column.Column, error) {
			x, y := newStrs(call.Args[0]), newStrs(call.Args[1])
			out := make([]uint64, call.Rows)
			for i := range out {
				u, v := x.at(i), y.at(i)
				if len(u) != len(v) {
					return nil, errcode.New(errcode.BadArguments, "Function bitHammingDistance expects strings of equal length, got %d and %d bytes", len(u), len(v))
				}
				for k := range u {
					out[i] += uint64(bits.OnesCount8(u[k] ^ v[k]))
				}
			}
			return column.NewNum(t, out), nil
		})
	}
	x, xok := classOf(a)
	y, yok := classOf(b)
	if !xok || !yok {
		return nil, illegalTypes("bitHammingDistance", args)
	}
	if max(x.size, y.size) > 8 {
		return nil, errcode.New(errcode.IllegalColumn, "Unsupported data type combination in function 'bitHammingDistance'")
	}
	t := column.Of(column.UInt8)
	return result(t, func(call *Call) (column.Column, error) {
		u, uc := nums[uint64](call.Args[0])
		v, vc := nums[uint64](call.Args[1])
		return column.NewNum(t, each2(u, uc, v, vc, call.Rows, func(a, b uint64) uint8 { return uint8(bits.OnesCount64(a ^ b)) })), nil
	})
}

func bindByteSwap(_ *Env, args []Arg) (*Bound, error) {
	c, ok := classOf(args[0].Type)
	if !ok {
		return nil, illegalType("byteSwap", args[0].Type)
	}
	if c.float {
		return nil, errcode.New(errcode.NotImplemented, "byteSwap is not implemented for float datatype")
	}
	t := c.typ()
	return unary(t, func(x column.Column) column.Column {
		if c.size > 8 {
			return narrow(t, mapWide(x, func(w wide) wide { return w.reverseBytes().shr(uint(256 - 8*c.size)) }))
		}
		v, _ := nums[uint64](x)
		return numCut(t, mapSlice(v, func(u uint64) uint64 { return bits.ReverseBytes64(u) >> uint(64-8*c.size) }))
	})
}

func smallInt(name string, t *column.Type) (numClass, error) {
	c, ok := classOf(t)
	if !ok || c.float {
		return c, illegalType(name, t)
	}
	if c.size > 8 {
		return c, errcode.New(errcode.IllegalColumn, "Illegal column %s of first argument of function %s", t, name)
	}
	return c, nil
}

// eachBit calls f with the number of each bit set in v, lowest first.
func eachBit(v uint64, f func(bit int)) {
	for ; v != 0; v &= v - 1 {
		f(bits.TrailingZeros64(v))
	}
}

func bindBitmaskToList(_ *Env, args []Arg) (*Bound, error) {
	c, err := smallInt("bitmaskToList", args[0].Type)
	if err != nil {
		return nil, err
	}
	mask := uint64(math.MaxUint64) >> uint(64-8*c.size)
	return unary(column.Of(column.String), func(x column.Column) column.Column {
		v, _ := nums[uint64](x)
		out := &column.Str{T: column.Of(column.String)}
		for _, u := range v {
			first := true
			eachBit(u&mask, func(bit int) {
				if !first {
					out.Data = append(out.Data, ',')
				}
				first = false
				if bit == 8*c.size-1 && c.signed {
					out.Data = strconv.AppendInt(out.Data, math.MinInt64>>(63-bit), 10)
				} else {
					out.Data = strconv.AppendUint(out.Data, 1<<bit, 10)
				}
			})
			out.EndRow()
		}
		return out
	})
}

func bindBitmaskToArray(_ *Env, args []Arg) (*Bound, error) {
	c, err := smallInt("bitmaskToArray", args[0].Type)
	if err != nil {
		return nil, err
	}
	return bindBitArray(c, c.typ(), func(bit int) uint64 { return 1 << bit })
}

func bindBitPositions(_ *Env, args []Arg) (*Bound, error) {
	c, ok := classOf(args[0].Type)
	if !ok || c.float {
		return nil, illegalType("bitPositionsToArray", args[0].Type)
	}
	elem := column.Of(column.UInt64)
	if c.size <= 8 {
		return bindBitArray(c, elem, func(bit int) uint64 { return uint64(bit) })
	}
	mask := wide{}.not().shr(uint(256 - 8*c.size))
	t := column.NewArray(elem)
	return unary(t, func(x column.Column) column.Column {
		v, _ := wides(x)
		var flat []uint64
		ends := make([]uint64, len(v))
		for i, w := range v {
			for k := range w {
				eachBit(w[k]&mask[k], func(bit int) { flat = append(flat, uint64(64*k+bit)) })
			}
			ends[i] = uint64(len(flat))
		}
		return &column.Arr{T: t, Ends: ends, Elem: column.NewNum(elem, flat)}
	})
}

func bindBitArray(c numClass, elem *column.Type, f func(bit int) uint64) (*Bound, error) {
	mask := uint64(math.MaxUint64) >> uint(64-8*c.size)
	t := column.NewArray(elem)
	return unary(t, func(x column.Column) column.Column {
		v, _ := nums[uint64](x)
		var flat []uint64
		ends := make([]uint64, len(v))
		for i, u := range v {
			eachBit(u&mask, func(bit int) { flat = append(flat, f(bit)) })
			ends[i] = uint64(len(flat))
		}
		return &column.Arr{T: t, Ends: ends, Elem: numCut(elem, flat)}
	})
}
