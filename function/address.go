package function

import (
	"fmt"
	"net/netip"
	"strconv"

	"dictsvc/column"
	"dictsvc/errcode"
)

func addressFunctions() []Function {
	return []Function{
		{Name: "IPv4NumToString", MinArgs: 1, MaxArgs: 1, Bind: bindIPv4Text("IPv4NumToString", false)},
		{Name: "IPv4NumToStringClassC", MinArgs: 1, MaxArgs: 1, Bind: bindIPv4Text("IPv4NumToStringClassC", true)},
		{Name: "IPv4StringToNum", MinArgs: 1, MaxArgs: 1, Bind: bindIPv4Num("IPv4StringToNum", onBadThrow)},
		{Name: "IPv4StringToNumOrDefault", MinArgs: 1, MaxArgs: 1, Bind: bindIPv4Num("IPv4StringToNumOrDefault", onBadDefault)},
		{Name: "IPv4StringToNumOrNull", MinArgs: 1, MaxArgs: 1, Bind: bindIPv4Num("IPv4StringToNumOrNull", onBadNull)},
		{Name: "IPv4ToIPv6", MinArgs: 1, MaxArgs: 1, Bind: bindIPv4ToIPv6},
		{Name: "IPv6NumToString", MinArgs: 1, MaxArgs: 1, Bind: bindIPv6Text},
		{Name: "IPv6StringToNum", MinArgs: 1, MaxArgs: 1, Bind: bindIPv6Num("IPv6StringToNum", onBadThrow)},
		{Name: "IPv6StringToNumOrDefault", MinArgs: 1, MaxArgs: 1, Bind: bindIPv6Num("IPv6StringToNumOrDefault", onBadDefault)},
		{Name: "IPv6StringToNumOrNull", MinArgs: 1, MaxArgs: 1, Bind: bindIPv6Num("IPv6StringToNumOrNull", onBadNull)},
		{Name: "isIPv4String", MinArgs: 1, MaxArgs: 1, Bind: bindStrNum("isIPv4String", column.UInt8, func(s []byte) uint64 { _, ok := parseIPv4(s); return uint64(bit(ok)) })},
		{Name: "isIPv6String", MinArgs: 1, MaxArgs: 1, Bind: bindStrNum("isIPv6String", column.UInt8, func(s []byte) uint64 {
			a, err := netip.ParseAddr(string(s))
			return uint64(bit(err == nil && a.Is6() && a.Zone() == ""))
		})},
		{Name: "isIPAddressInRange", MinArgs: 2, MaxArgs: 2, Bind: bindInRange},
		{Name: "IPv4CIDRToRange", MinArgs: 2, MaxArgs: 2, Bind: bindCIDR4},
		{Name: "IPv6CIDRToRange", MinArgs: 2, MaxArgs: 2, Bind: bindCIDR6},
		{Name: "MACNumToString", MinArgs: 1, MaxArgs: 1, Bind: bindMACText},
		{Name: "MACStringToNum", MinArgs: 1, MaxArgs: 1, Bind: bindStrNum("MACStringToNum", column.UInt64, func(s []byte) uint64 { return parseMAC(s) })},
		{Name: "MACStringToOUI", MinArgs: 1, MaxArgs: 1, Bind: bindStrNum("MACStringToOUI", column.UInt64, func(s []byte) uint64 { return parseMAC(s) >> 24 })},
		{Name: "UUIDStringToNum", MinArgs: 1, MaxArgs: 2, Bind: bindUUIDNum},
		{Name: "UUIDNumToString", MinArgs: 1, MaxArgs: 2, Bind: bindUUIDText},
		{Name: "UUIDToNum", MinArgs: 1, MaxArgs: 2, Bind: bindUUIDToNum},
	}
}

// onBad says what becomes of a text that is no address.
type onBad uint8

const (
	onBadThrow onBad = iota
	onBadDefault
	onBadNull
)

func parseIPv4(s []byte) (uint32, bool) {
	var v uint32
	part, digits, dots := uint32(0), 0, 0
	for _, c := range s {
		switch {
		case c >= '0' && c <= '9' && digits < 3:
			part = part*10 + uint32(c-'0')
			digits++
		case c == '.' && digits > 0 && part <= 255 && dots < 3:
			v, part, digits = v<<8|part, 0, 0
			dots++
		default:
			return 0, false
		}
	}
	return v<<8 | part, dots == 3 && digits > 0 && part <= 255
}

func bindIPv4Text(name string, classC bool) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		t := args[0].Type
		if t.Kind != column.IPv4 && t.Kind != column.UInt8 && t.Kind != column.UInt16 && t.Kind != column.UInt32 {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of first argument of function %s, expected IPv4 or UInt8 or UInt16 or UInt32", t, name)
		}
		return unary(column.Of(column.String), func(c column.Column) column.Column {
			v, _ := nums[uint32](c)
			out := newStr(len(v))
			for _, u := range v {
				for s := 24; s >= 0; s -= 8 {
					if s == 0 && classC {
						out.Data = append(out.Data, "xxx"...)
						break
					}
					out.Data = strconv.AppendUint(out.Data, uint64(u>>s&255), 10)
					if s > 0 {
						out.Data = append(out.Data, '.')
					}
				}
				out.EndRow()
			}
			return out
		})
	}
}

func bindIPv4Num(name string, bad onBad) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		if !isText(args[0].Type) {
			return nil, illegalType(name, args[0].Type)
		}
		t := column.Of(column.UInt32)
		return bindAddress(t, bad, func(call *Call, nulls []uint8) (column.Column, error) {
			s := newStrs(call.Args[0])
			out := make([]uint32, call.Rows)
			for i := range out {
				v, ok := parseIPv4(s.at(i))
				if !ok {
					if bad == onBadThrow {
						return nil, errcode.New(errcode.CannotParseIPv4, "Invalid IPv4 value")
					}
					nulls[i] = 1
					continue
				}
				out[i] = v
			}
			return column.NewNum(t, out), nil
		})
	}
}

// bindAddress wraps the result of a parser as Nullable where bad values become NULL.
func bindAddress(t *column.Type, bad onBad, f func(call *Call, nulls []uint8) (column.Column, error)) (*Bound, error) {
	r := t
	if bad == onBadNull {
		r = column.NewNullable(t)
	}
	return result(r, func(call *Call) (column.Column, error) {
		nulls := make([]uint8, call.Rows)
		c, err := f(call, nulls)
		if err != nil || bad != onBadNull {
			return c, err
		}
		return column.NewNull(c, nulls), nil
	})
}

func bindIPv4ToIPv6(_ *Env, args []Arg) (*Bound, error) {
	t := args[0].Type
	if t.Kind != column.IPv4 && t.Kind != column.UInt32 {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of argument of function IPv4ToIPv6", t)
	}
	return unary(v6Result(t), func(c column.Column) column.Column {
		v, _ := nums[uint32](c)
		addrs := mapSlice(v, mapIPv4)
		if t.Kind == column.IPv4 {
			return column.NewWide(column.Of(column.IPv6), addrs)
		}
		return &column.FixedStr{T: v6Result(t), Data: column.Raw(addrs)}
	})
}

func v6Result(t *column.Type) *column.Type {
	if t.Kind == column.IPv4 {
		return column.Of(column.IPv6)
	}
	return column.NewFixedString(16)
}

func bindIPv6Text(_ *Env, args []Arg) (*Bound, error) {
	t := args[0].Type
	if t.Kind != column.IPv6 && !(t.Kind == column.FixedString && t.Width == 16) {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of argument of function IPv6NumToString, expected IPv6 or FixedString(16)", t)
	}
	return unary(column.Of(column.String), func(c column.Column) column.Column {
		raw := rawBytes(c)
		out := newStr(len(raw) / 16)
		for i := 0; i+16 <= len(raw); i += 16 {
			out.Data = netip.AddrFrom16([16]byte(raw[i : i+16])).AppendTo(out.Data)
			out.EndRow()
		}
		return out
	})
}

func bindIPv6Num(name string, bad onBad) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		if !isText(args[0].Type) {
			return nil, illegalType(name, args[0].Type)
		}
		t := column.NewFixedString(16)
		return bindAddress(t, bad, func(call *Call, nulls []uint8) (column.Column, error) {
			s := newStrs(call.Args[0])
			out := make([]byte, 0, 16*call.Rows)
			for i := 0; i < call.Rows; i++ {
				a, err := netip.ParseAddr(string(s.at(i)))
				if err != nil || a.Zone() != "" {
					if bad == onBadThrow {
						return nil, errcode.New(errcode.CannotParseIPv6, "Invalid IPv6 value")
					}
					nulls[i] = 1
					a = netip.IPv6Unspecified()
				}
				b := a.As16()
				out = append(out, b[:]...)
			}
			return &column.FixedStr{T: t, Data: out}, nil
		})
	}
}

func bindInRange(_ *Env, args []Arg) (*Bound, error) {
	for i, a := range args {
		if !isText(a.Type) && (i == 1 || a.Type.Kind != column.IPv4 && a.Type.Kind != column.IPv6) {
			return nil, illegalType("isIPAddressInRange", a.Type)
		}
	}
	text, err := toStrings(args[0].Type)
	if err != nil {
		return nil, err
	}
	return result(uint8Type, func(call *Call) (column.Column, error) {
		c, err := text(call.Args[0], call.Rows)
		if err != nil {
			return nil, err
		}
		s, p := newStrs(c), newStrs(call.Args[1])
		out := make([]uint8, call.Rows)
		for i := range out {
			a, err := netip.ParseAddr(string(s.at(i)))
			if err != nil {
				return nil, errcode.New(errcode.CannotParseText, "Neither IPv4 nor IPv6 address: '%s'", clipText(s.at(i)))
			}
			prefix, err := netip.ParsePrefix(string(p.at(i)))
			if err != nil {
				return nil, errcode.New(errcode.CannotParseText, "The text does not contain '/': %s", clipText(p.at(i)))
			}
			out[i] = bit(prefix.Contains(a))
		}
		return column.NewNum(uint8Type, out), nil
	})
}

func bindCIDR4(_ *Env, args []Arg) (*Bound, error) {
	if k := args[0].Type.Kind; k != column.IPv4 && k != column.UInt32 {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "The first argument of function IPv4CIDRToRange must be IPv4, got %s", args[0].Type)
	}
	if args[1].Type.Kind != column.UInt8 {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "The second argument of function IPv4CIDRToRange must be UInt8, got %s", args[1].Type)
	}
	elem := column.Of(column.IPv4)
	t := column.NewTuple([]*column.Type{elem, elem}, nil)
	return result(t, func(call *Call) (column.Column, error) {
		v, vc := nums[uint32](call.Args[0])
		n, nc := nums[uint8](call.Args[1])
		lo, hi := make([]uint32, call.Rows), make([]uint32, call.Rows)
		for i := range lo {
			mask := uint32(uint64(0xffffffff) << (32 - min(at(n, nc, i), 32)))
			lo[i] = at(v, vc, i) & mask
			hi[i] = lo[i] | ^mask
		}
		return &column.Tup{T: t, Elems: []column.Column{column.NewNum(elem, lo), column.NewNum(elem, hi)}, N: call.Rows}, nil
	})
}

func bindCIDR6(_ *Env, args []Arg) (*Bound, error) {
	if args[0].Type.Kind != column.IPv6 {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "The first argument of function IPv6CIDRToRange must be IPv6, got %s", args[0].Type)
	}
	if args[1].Type.Kind != column.UInt8 {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "The second argument of function IPv6CIDRToRange must be UInt8, got %s", args[1].Type)
	}
	elem := column.Of(column.IPv6)
	t := column.NewTuple([]*column.Type{elem, elem}, nil)
	return result(t, func(call *Call) (column.Column, error) {
		v, vc := ipv6Values(call.Args[0])
		n, nc := nums[uint8](call.Args[1])
		lo, hi := make([]column.IPv6Value, call.Rows), make([]column.IPv6Value, call.Rows)
		for i := range lo {
			a, bits := at(v, vc, i), int(min(at(n, nc, i), 128))
			for k := range a {
				mask := byte(uint16(0xff00) >> min(max(bits-8*k, 0), 8))
				lo[i][k], hi[i][k] = a[k]&mask, a[k]|^mask
			}
		}
		return &column.Tup{T: t, Elems: []column.Column{column.NewWide(elem, lo), column.NewWide(elem, hi)}, N: call.Rows}, nil
	})
}

func bindMACText(_ *Env, args []Arg) (*Bound, error) {
	if args[0].Type.Kind != column.UInt64 {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of argument of function MACNumToString, expected UInt64", args[0].Type)
	}
	return unary(column.Of(column.String), func(c column.Column) column.Column {
		v, _ := nums[uint64](c)
		out := newStr(len(v))
		for _, m := range v {
			for s := 40; s >= 0; s -= 8 {
				out.Data = appendHex(out.Data, []byte{byte(m >> s)})
				if s > 0 {
					out.Data = append(out.Data, ':')
				}
			}
			out.EndRow()
		}
		return out
	})
}

func parseMAC(s []byte) uint64 {
	if len(s) != 17 {
		return 0
	}
	var m uint64
	for i := 0; i < 17; i += 3 {
		if i > 0 && s[i-1] != ':' {
			return 0
		}
		m = m<<8 | uint64(hexValue(s[i])<<4|hexValue(s[i+1])&15)
	}
	return m
}

func uuidVariant(name string, args []Arg) (bool, error) {
	if len(args) < 2 {
		return false, nil
	}
	n, ok := constInt(args[1])
	if !ok || n != 1 && n != 2 {
		return false, errcode.New(errcode.ArgumentOutOfBound, "Expected UUID variant (1 or 2), got %d in function %s", n, name)
	}
	return n == 2, nil
}

// swapVariant turns the first three fields of a UUID into little-endian order, as Microsoft's form has them, and back.
func swapVariant(b []byte) {
	b[0], b[1], b[2], b[3] = b[3], b[2], b[1], b[0]
	b[4], b[5], b[6], b[7] = b[5], b[4], b[7], b[6]
}

func bindUUIDNum(_ *Env, args []Arg) (*Bound, error) {
	if !isText(args[0].Type) {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of first argument of function UUIDStringToNum, expected FixedString(36) or String", args[0].Type)
	}
	swap, err := uuidVariant("UUIDStringToNum", args)
	if err != nil {
		return nil, err
	}
	t := column.NewFixedString(16)
	return result(t, func(call *Call) (column.Column, error) {
		s := newStrs(call.Args[0])
		out := make([]byte, 0, 16*call.Rows)
		for i := 0; i < call.Rows; i++ {
			var b [16]byte
			if v := s.at(i); len(v) == 36 {
				k := 0
				for j := 0; j < 36 && k < 16; {
					if v[j] == '-' {
						j++
						continue
					}
					if j+1 < 36 {
						b[k] = hexValue(v[j])<<4 | hexValue(v[j+1])&15
					}
					k++
					j += 2
				}
				if swap {
					swapVariant(b[:])
				}
			}
			out = append(out, b[:]...)
		}
		return &column.FixedStr{T: t, Data: out}, nil
	})
}

func bindUUIDText(_ *Env, args []Arg) (*Bound, error) {
	t := args[0].Type
	if t.Kind != column.FixedString || t.Width != 16 {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of first argument of function UUIDNumToString, expected FixedString(16)", t)
	}
	swap, err := uuidVariant("UUIDNumToString", args)
	if err != nil {
		return nil, err
	}
	return result(column.Of(column.String), func(call *Call) (column.Column, error) {
		s := newStrs(call.Args[0])
		out := newStr(call.Rows)
		for i := 0; i < call.Rows; i++ {
			b := [16]byte(s.at(i))
			if swap {
				swapVariant(b[:])
			}
			out.Data = fmt.Appendf(out.Data, "%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
			out.EndRow()
		}
		return out, nil
	})
}

func bindUUIDToNum(_ *Env, args []Arg) (*Bound, error) {
	if args[0].Type.Kind != column.UUID {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of first argument of function UUIDToNum, expected UUID", args[0].Type)
	}
	swap, err := uuidVariant("UUIDToNum", args)
	if err != nil {
		return nil, err
	}
	t := column.NewFixedString(16)
	return result(t, func(call *Call) (column.Column, error) {
		raw := rawBytes(call.full(call.Args[0]))
		out := make([]byte, 0, len(raw))
		for i := 0; i < call.Rows; i++ {
			v := raw[16*i : 16*i+16]
			b := append(reversed(v[:8]), reversed(v[8:])...)
			if swap {
				swapVariant(b)
			}
			out = append(out, b...)
		}
		return &column.FixedStr{T: t, Data: out}, nil
	})
}
