package function

import (
	"fmt"
	"math"
	"math/big"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"dictsvc/column"
)

// render writes row i as ClickHouse's TabSeparatedRaw does; the tests have their own writer so that they do not trust the one under test.
func render(c column.Column, i int, quoted bool) string {
	switch x := c.(type) {
	case *column.Const:
		return render(x.Val, 0, quoted)
	case *column.LowCard:
		return render(x.Dict, int(x.Index[i]), quoted)
	case *column.Null:
		if x.Nulls[i] != 0 {
			if quoted {
				return "NULL"
			}
			return `\N`
		}
		return render(x.Inner, i, quoted)
	case *column.Str:
		return renderString(string(x.At(i)), quoted)
	case *column.FixedStr:
		return renderString(string(x.At(i)), quoted)
	case *column.Arr:
		from, to := x.Range(i)
		parts := []string{}
		for ; from < to; from++ {
			parts = append(parts, render(x.Elem, from, true))
		}
		return "[" + strings.Join(parts, ",") + "]"
	case *column.Tup:
		parts := []string{}
		for _, e := range x.Elems {
			parts = append(parts, render(e, i, true))
		}
		return "(" + strings.Join(parts, ",") + ")"
	case *column.MapColumn:
		from, to := x.Arr.Range(i)
		parts := []string{}
		for ; from < to; from++ {
			parts = append(parts, render(x.Keys(), from, true)+":"+render(x.Values(), from, true))
		}
		return "{" + strings.Join(parts, ",") + "}"
	}
	return renderScalar(c, i, quoted)
}

func renderString(s string, quoted bool) string {
	if quoted {
		return "'" + strings.NewReplacer("\\", "\\\\", "'", "\\'", "\n", "\\n", "\t", "\\t", "\x00", "\\0").Replace(s) + "'"
	}
	return strings.NewReplacer("\\", "\\\\", "\n", "\\n", "\t", "\\t", "\x00", "\\0", "\r", "\\r", "\b", "\\b", "\f", "\\f", "'", "\\'").Replace(s)
}

func renderScalar(c column.Column, i int, quoted bool) string {
	t := c.Type()
	switch t.Kind {
	case column.Bool:
		return strconv.FormatBool(c.(*column.Num[uint8]).Data[i] != 0)
	case column.Float64:
		return renderFloat(c.(*column.Num[float64]).Data[i], 64)
	case column.Float32:
		return renderFloat(float64(c.(*column.Num[float32]).Data[i]), 32)
	case column.UUID:
		v := c.(*column.Wide[column.UUIDValue]).Data[i]
		return quoteIf(fmt.Sprintf("%08x-%04x-%04x-%04x-%012x", v.Hi>>32, v.Hi>>16&0xffff, v.Hi&0xffff, v.Lo>>48, v.Lo&(1<<48-1)), quoted)
	case column.IPv6:
		a := netip.AddrFrom16(c.(*column.Wide[column.IPv6Value]).Data[i])
		return quoteIf(a.String(), quoted)
	}
	w, _ := wides(c.Slice(i, i+1))
	n := bigOf(w[0], t.IsUnsigned())
	switch {
	case t.IsDecimal():
		return renderDecimal(n, t.Scale)
	case t.IsEnum():
		name, _ := t.Enum.Name(int16(n.Int64()))
		return renderString(name, quoted)
	case t.Kind == column.Date || t.Kind == column.Date32:
		return quoteIf(time.Unix(n.Int64()*86400, 0).UTC().Format("2006-01-02"), quoted)
	case t.Kind == column.DateTime:
		return quoteIf(time.Unix(n.Int64(), 0).In(t.Location()).Format("2006-01-02 15:04:05"), quoted)
	case t.Kind == column.DateTime64:
		p := ipow10(t.Scale)
		s := floorDiv64(n.Int64(), p)
		text := time.Unix(s, 0).In(t.Location()).Format("2006-01-02 15:04:05")
		if t.Scale > 0 {
			text += fmt.Sprintf(".%0*d", t.Scale, n.Int64()-s*p)
		}
		return quoteIf(text, quoted)
	case t.Kind == column.IPv4:
		v := uint32(n.Uint64())
		return quoteIf(fmt.Sprintf("%d.%d.%d.%d", v>>24, v>>16&255, v>>8&255, v&255), quoted)
	}
	return n.String()
}

func quoteIf(s string, quoted bool) string {
	if quoted {
		return "'" + s + "'"
	}
	return s
}

func bigOf(w wide, unsigned bool) *big.Int {
	neg := !unsigned && w.negative()
	if neg {
		w = w.neg()
	}
	n := new(big.Int)
	for i := 3; i >= 0; i-- {
		n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(w[i]))
	}
	if neg {
		n.Neg(n)
	}
	return n
}

func renderDecimal(n *big.Int, scale int) string {
	s := new(big.Int).Abs(n).String()
	if len(s) <= scale {
		s = strings.Repeat("0", scale-len(s)+1) + s
	}
	whole, frac := s[:len(s)-scale], strings.TrimRight(s[len(s)-scale:], "0")
	if n.Sign() < 0 {
		whole = "-" + whole
	}
	if frac == "" {
		return whole
	}
	return whole + "." + frac
}

func renderFloat(f float64, bits int) string {
	switch {
	case f != f:
		return "nan"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	case f == 0 && math.Signbit(f):
		return "-0"
	}
	if a := math.Abs(f); a >= 1e21 || a < 1e-6 && a > 0 {
		s := strconv.FormatFloat(f, 'e', -1, bits)
		return strings.NewReplacer("e+0", "e", "e+", "e", "e-0", "e-").Replace(s)
	}
	return strconv.FormatFloat(f, 'f', -1, bits)
}
