package function

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	le "encoding/binary"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/internal/cityhash"
	"dictsvc/internal/simd"
	"dictsvc/internal/siphash"
)

// anyHash is a hash of values of any type: the hash of bytes, how integers are hashed, and how the hashes of several values are joined.
type anyHash struct {
	name    string
	bits    int // 32 or 64
	signed  bool
	bytes   func([]byte) uint64
	ints    func(uint64) uint64 // hash of integers up to 8 bytes, which cityHash64 has; nil: of their bytes
	combine func(a, b uint64) uint64
	single  bool // cannot join values
}

func xorInt64(a, b uint64) uint64 { return intHash64(a) ^ b }
func xorInt32(a, b uint64) uint64 { return uint64(intHash32(a)) ^ b }

var anyHashes = []anyHash{
	{name: "cityHash64", bits: 64, bytes: cityhash.Sum64, ints: intHash64, combine: cityhash.Mix},
	{name: "sipHash64", bits: 64, bytes: siphash.Sum64, combine: func(a, b uint64) uint64 { return siphash.Sum64(pairBytes(a, b)) }},
	{name: "murmurHash2_32", bits: 32, bytes: func(s []byte) uint64 { return uint64(murmur2(s, 0)) }, combine: xorInt32},
	{name: "murmurHash2_64", bits: 64, bytes: func(s []byte) uint64 { return murmur64A(s, 0) }, combine: xorInt64},
	{name: "gccMurmurHash", bits: 64, bytes: gccMurmur, combine: xorInt64},
	{name: "kafkaMurmurHash", bits: 32, bytes: func(s []byte) uint64 { return uint64(murmur2(s, 0x9747b28c) & 0x7fffffff) }, combine: xorInt32},
	{name: "murmurHash3_32", bits: 32, bytes: func(s []byte) uint64 { return uint64(murmur3x32(s)) }, combine: xorInt32},
	{name: "murmurHash3_64", bits: 64, bytes: func(s []byte) uint64 { a, b := murmur3x128(s); return a ^ b }, combine: xorInt64},
	{name: "xxHash32", bits: 32, bytes: func(s []byte) uint64 { return uint64(xxHash32(s)) }, combine: xorInt32},
	{name: "xxHash64", bits: 64, bytes: xxHash64, combine: cityhash.Mix},
	{name: "halfMD5", bits: 64, bytes: halfMD5, combine: func(a, b uint64) uint64 { return halfMD5(pairBytes(a, b)) }},
	{name: "hiveHash", bits: 32, signed: true, single: true, bytes: func(s []byte) uint64 { return uint64(javaHash(s) & 0x7fffffff) }},
}

func pairBytes(a, b uint64) []byte {
	return le.LittleEndian.AppendUint64(le.LittleEndian.AppendUint64(make([]byte, 0, 16), a), b)
}

func halfMD5(s []byte) uint64 {
	d := md5.Sum(s)
	return le.BigEndian.Uint64(d[:])
}

// javaHash is String.hashCode of Java over bytes.
func javaHash(s []byte) uint32 {
	var h uint32
	for _, b := range s {
		h = 31*h + uint32(int32(int8(b)))
	}
	return h
}

func hashFunctions() []Function {
	list := []Function{
		{Name: "intHash32", MinArgs: 1, MaxArgs: 1, Bind: bindIntHash("intHash32", column.UInt32)},
		{Name: "intHash64", MinArgs: 1, MaxArgs: 1, Bind: bindIntHash("intHash64", column.UInt64)},
		{Name: "javaHash", MinArgs: 1, MaxArgs: 1, Bind: bindJavaHash},
		{Name: "jumpConsistentHash", MinArgs: 2, MaxArgs: 2, Bind: bindJump},
		{Name: "sipHash128", MinArgs: 0, MaxArgs: -1, Bind: bindHash128("sipHash128", siphash.Sum128)},
		{Name: "murmurHash3_128", MinArgs: 0, MaxArgs: -1, Bind: bindHash128("murmurHash3_128", murmur3x128)},
		{Name: "MD5", MinArgs: 1, MaxArgs: 1, Bind: bindDigest("MD5", 16, func(s []byte) []byte { d := md5.Sum(s); return d[:] })},
		{Name: "SHA1", MinArgs: 1, MaxArgs: 1, Bind: bindDigest("SHA1", 20, func(s []byte) []byte { d := sha1.Sum(s); return d[:] })},
		{Name: "SHA224", MinArgs: 1, MaxArgs: 1, Bind: bindDigest("SHA224", 28, func(s []byte) []byte { d := sha256.Sum224(s); return d[:] })},
		{Name: "SHA256", MinArgs: 1, MaxArgs: 1, Bind: bindDigest("SHA256", 32, func(s []byte) []byte { d := sha256.Sum256(s); return d[:] })},
		{Name: "SHA384", MinArgs: 1, MaxArgs: 1, Bind: bindDigest("SHA384", 48, func(s []byte) []byte { d := sha512.Sum384(s); return d[:] })},
		{Name: "SHA512", MinArgs: 1, MaxArgs: 1, Bind: bindDigest("SHA512", 64, func(s []byte) []byte { d := sha512.Sum512(s); return d[:] })},
		{Name: "SHA512_256", MinArgs: 1, MaxArgs: 1, Bind: bindDigest("SHA512_256", 32, func(s []byte) []byte { d := sha512.Sum512_256(s); return d[:] })},
	}
	for i := range anyHashes {
		h := &anyHashes[i]
		list = append(list, Function{Name: h.name, MinArgs: 0, MaxArgs: -1, Bind: func(_ *Env, args []Arg) (*Bound, error) { return h.bind(args) }})
	}
	return list
}

// emptyHash is what hashes give for no values at all, nullHash for a NULL inside arrays and tuples.
const (
	emptyHash = 16324913028386710556
	nullHash  = 14234421406067173489
)

func (h *anyHash) resultType() *column.Type {
	switch {
	case h.signed:
		return column.Of(column.Int32)
	case h.bits == 32:
		return column.Of(column.UInt32)
	}
	return column.Of(column.UInt64)
}

func (h *anyHash) bind(args []Arg) (*Bound, error) {
	t := h.resultType()
	for i, a := range args {
		if h.single && (i > 0 || a.Type.Kind == column.Array && a.Type.Elems[0].Kind != column.Nothing || a.Type.Kind == column.Map || a.Type.Kind == column.Tuple && len(a.Type.Elems) > 1) {
			return nil, errcode.New(errcode.NotImplemented, "%s is not combineable for multiple arguments", h.name)
		}
		if err := h.check(a.Type); err != nil {
			return nil, err
		}
	}
	return result(t, func(call *Call) (column.Column, error) {
		out := column.Make[uint64](call.Scratch, call.Rows)
		first := true
		for _, a := range call.Args {
			h.column(out, a, &first)
		}
		if first {
			for i := range out {
				out[i] = emptyHash
			}
		}
		return numCutIn(call.Scratch, t, out), nil
	})
}

// check refuses types that cannot be hashed.
func (h *anyHash) check(t *column.Type) error {
	if t.Kind == column.AggregateFunction || t.Kind == column.Lambda {
		return illegalType(h.name, t)
	}
	return nil
}

// column hashes a column's values into out: set where first, joined to what is there otherwise.
func (h *anyHash) column(out []uint64, c column.Column, first *bool) {
	if k, ok := c.(*column.Const); ok {
		if len(out) == 0 {
			return
		}
		one := make([]uint64, 1)
		start := true
		if t, ok := k.Val.(*column.Tup); ok { // the elements join what is there one by one
			for _, e := range t.Elems {
				h.column(out, column.NewConst(e, len(out)), first)
			}
			return
		}
		switch k.Val.(type) {
		case *column.Arr, *column.MapColumn: // their parts join what is there one by one too
			if !*first {
				h.column(out, k.Expand(), first)
				return
			}
		}
		h.column(one, k.Val, &start)
		for i := range out {
			h.put(out, i, one[0], *first)
		}
		*first = false
		return
	}
	switch x := c.(type) {
	case *column.Tup:
		for _, e := range x.Elems {
			h.column(out, e, first)
		}
		return
	case *column.MapColumn:
		h.array(out, x.Arr, *first)
	case *column.Arr:
		h.array(out, x, *first)
	case *column.LowCard:
		h.column(out, x.Expand(), first)
		return
	case *column.Null:
		h.nullable(out, x, *first)
	default:
		h.scalar(out, c, *first)
	}
	*first = false
}

func (h *anyHash) put(out []uint64, i int, v uint64, first bool) {
	if !first {
		v = h.combine(out[i], v)
	}
	if h.bits == 32 {
		v &= 0xffffffff
	}
	out[i] = v
}

// array joins the hash of an array's length with those of its elements.
func (h *anyHash) array(out []uint64, a *column.Arr, first bool) {
	elems := make([]uint64, a.Elem.Len())
	start := true
	h.column(elems, a.Elem, &start)
	for i := range out {
		from, to := a.Range(i)
		n := intHash64(uint64(to - from))
		if h.bits == 32 {
			n = uint64(intHash32(uint64(to - from)))
		}
		h.put(out, i, n, first)
		for _, e := range elems[from:to] {
			h.put(out, i, e, false)
		}
	}
}

// nullable hashes values that may be NULL inside arrays and tuples.
func (h *anyHash) nullable(out []uint64, c *column.Null, first bool) {
	v := make([]uint64, len(out))
	start := true
	if c.Inner.Type().Kind != column.Nothing {
		h.column(v, c.Inner, &start)
	}
	for i := range out {
		if c.Nulls[i] != 0 {
			v[i] = nullHash
		}
		h.put(out, i, v[i], first)
	}
}

func (h *anyHash) scalar(out []uint64, c column.Column, first bool) {
	if s := newStrs(c); s.n > 0 || c.Type().IsString() {
		if first && h.ints != nil {
			hashStrings(out, &s)
			return
		}
		for i := range out {
			h.put(out, i, h.bytes(s.at(i)), first)
		}
		return
	}
	t := c.Type()
	w := t.FixedWidth()
	if h.ints != nil && w <= 8 && !t.IsDecimal() && t.Kind != column.DateTime64 {
		v, _ := nums[uint64](unsignedBits(c))
		if first {
			hashUint64s(out, v)
			return
		}
		for i := range out {
			h.put(out, i, h.ints(v[i]), first)
		}
		return
	}
	raw := rawBytes(c)
	if w == 0 {
		for i := range out {
			h.put(out, i, 0, first)
		}
		return
	}
	for i := range out {
		h.put(out, i, h.bytes(raw[i*w:(i+1)*w]), first)
	}
}

// hashUint64s is intHash64, which cityHash64 is of integers too, of many: the form that spreads keys over shards and benchmarks.
func hashUint64s(out, in []uint64) {
	in = in[:len(out)]
	done := hashVectors(out, in)
	done += simd.Hash64(out[done:], in[done:])
	out, in = out[done:], in[done:]
	for i, x := range in {
		x ^= 0x4CF2D2BAAE6DA887
		x ^= x >> 33
		x *= 0xff51afd7ed558ccd
		x ^= x >> 33
		x *= 0xc4ceb9fe1a85ec53
		out[i] = x ^ x>>33
	}
}

// hashStrings is cityHash64 of strings, called without the way through a function value.
func hashStrings(out []uint64, s *strs) {
	if s.width > 0 || s.cst || len(s.ends) < len(out) {
		for i := range out {
			out[i] = cityhash.Sum64(s.at(i))
		}
		return
	}
	from, data := s.start, s.data
	for i, end := range s.ends[:len(out)] {
		out[i] = cityhash.Sum64(data[from:end])
		from = end
	}
}

// unsignedBits reads signed numbers and floats by their bits, without extending the sign.
func unsignedBits(c column.Column) column.Column {
	switch x := c.(type) {
	case *column.Num[int8]:
		return column.UInt8s(convert[uint8](x.Data)...)
	case *column.Num[int16]:
		return column.UInt16s(convert[uint16](x.Data)...)
	case *column.Num[int32]:
		return column.UInt32s(convert[uint32](x.Data)...)
	}
	return bitsOf(c)
}

func bindIntHash(name string, k column.Kind) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		a := args[0].Type
		c, ok := classOf(a)
		if !(ok && !c.float && c.size <= 8 || a.IsEnum() || a.Kind == column.Date || a.Kind == column.DateTime || a.Kind == column.Date32 || a.Kind == column.IPv4) {
			return nil, illegalType(name, a)
		}
		t := column.Of(k)
		return unaryIn(t, func(m *column.Scratch, c column.Column) column.Column {
			if !ok || !a.IsSigned() { // signed numbers are widened with their sign
				c = unsignedBits(c)
			}
			v, _ := numsIn[uint64](m, c)
			if k == column.UInt64 {
				out := column.Make[uint64](m, len(v))
				hashUint64s(out, v)
				return column.NewNum(t, out)
			}
			out := column.Make[uint32](m, len(v))
			done := simd.Hash32(out, v)
			for i, x := range v[done:] {
				out[done+i] = intHash32(x)
			}
			return column.NewNum(t, out)
		})
	}
}

func bindJavaHash(_ *Env, args []Arg) (*Bound, error) {
	a := args[0].Type
	t := column.Of(column.Int32)
	if isText(a) {
		return bindStrNum("javaHash", column.Int32, func(s []byte) uint64 { return uint64(javaHash(s)) })(nil, args)
	}
	c, ok := compareClass(a)
	if ok && (c.float || a.Kind == column.IPv4) || !ok && a.FixedWidth() > 0 {
		w := a.FixedWidth()
		return unary(t, func(x column.Column) column.Column {
			raw := rawBytes(x)
			out := make([]uint64, x.Len())
			for i := range out {
				out[i] = uint64(javaHash(raw[i*w : (i+1)*w]))
			}
			return numCut(t, out)
		})
	}
	if !ok || c.size > 8 || !c.signed {
		return nil, errcode.New(errcode.NotImplemented, "Argument type of function javaHash must be String or signed integer, got %s", a)
	}
	return unary(t, func(x column.Column) column.Column {
		v, _ := nums[int64](x)
		return numCut(t, mapSlice(v, func(n int64) int64 {
			if c.size == 8 {
				return int64(int32(uint64(n) ^ uint64(n)>>32))
			}
			return n
		}))
	})
}

func bindJump(_ *Env, args []Arg) (*Bound, error) {
	c, ok := classOf(args[0].Type)
	n, isConst := constInt(args[1])
	if ok && !c.float && c.size > 8 {
		return nil, errcode.New(errcode.BadArguments, "Function jumpConsistentHash accepts 64-bit integers at most, got %s", args[0].Type)
	}
	if !args[1].Type.IsInteger() || args[1].Type.FixedWidth() > 8 {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "The second argument of function jumpConsistentHash (number of buckets) must be a native integer (up to 64-bit), got %s", args[1].Type)
	}
	if !ok || c.float {
		return nil, illegalType("jumpConsistentHash", args[0].Type)
	}
	if !isConst {
		return nil, errcode.New(errcode.IllegalColumn, "Illegal column of the second argument of function jumpConsistentHash. Should be a constant")
	}
	if n <= 0 || n > 32768 {
		return nil, errcode.New(errcode.BadArguments, "The second argument of function jumpConsistentHash (number of buckets) must be in (0, 32768], got %d", n)
	}
	t := column.Of(column.Int32)
	return unary(t, func(x column.Column) column.Column {
		v, _ := nums[uint64](x)
		return column.NewNum(t, mapSlice(v, func(key uint64) int32 {
			b, j := int64(-1), int64(0)
			for j < n {
				b = j
				key = key*2862933555777941757 + 1
				j = int64(float64(b+1) * (float64(1<<31) / float64(key>>33+1)))
			}
			return int32(b)
		}))
	})
}

func bindDigest(name string, width int, f func([]byte) []byte) func(env *Env, args []Arg) (*Bound, error) {
	t := column.NewFixedString(width)
	return func(_ *Env, args []Arg) (*Bound, error) {
		if !isText(args[0].Type) && args[0].Type.Kind != column.IPv6 {
			return nil, illegalType(name, args[0].Type)
		}
		return result(t, func(call *Call) (column.Column, error) {
			out := &column.FixedStr{T: t, Data: make([]byte, 0, width*call.Rows)}
			if args[0].Type.Kind == column.IPv6 {
				raw := rawBytes(call.full(call.Args[0]))
				for i := 0; i < call.Rows; i++ {
					out.Data = append(out.Data, f(raw[16*i:16*i+16])...)
				}
				return out, nil
			}
			s := newStrs(call.Args[0])
			for i := 0; i < call.Rows; i++ {
				out.Data = append(out.Data, f(s.at(i))...)
			}
			return out, nil
		})
	}
}

// bindHash128 binds the 128-bit hashes, whose values are joined by hashing the two values' bytes.
func bindHash128(name string, f func([]byte) (uint64, uint64)) func(env *Env, args []Arg) (*Bound, error) {
	t := column.NewFixedString(16)
	return func(_ *Env, args []Arg) (*Bound, error) {
		for _, a := range args {
			if !isText(a.Type) && a.Type.FixedWidth() == 0 {
				return nil, illegalType(name, a.Type)
			}
		}
		return result(t, func(call *Call) (column.Column, error) {
			out := make([]byte, 16*call.Rows)
			for k, a := range call.Args {
				c := column.Full(a)
				s := newStrs(c)
				raw, w := rawBytes(c), c.Type().FixedWidth()
				for i := 0; i < call.Rows; i++ {
					v := []byte(nil)
					if c.Type().Kind == column.String {
						v = s.at(i)
					} else {
						v = raw[i*w : (i+1)*w]
					}
					lo, hi := f(v)
					if k > 0 {
						lo, hi = f(append(append(make([]byte, 0, 32), out[16*i:16*i+16]...), pairBytes(lo, hi)...))
					}
					copy(out[16*i:], pairBytes(lo, hi))
				}
			}
			return &column.FixedStr{T: t, Data: out}, nil
		})
	}
}
