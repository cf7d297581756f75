package column

import (
	"bytes"
	"math"

	"dictsvc/errcode"
)

// ScanValue reads a number, date, time, UUID or address at the head of b, appends it to dst and returns the bytes it took.
// The error carries ClickHouse's code. dst must be a column of such a type (not a string, not a composite).
func ScanValue(dst Column, b []byte, strict bool) (n int, err error) {
	if strict {
		return scanValue(dst, b, scanStrict)
	}
	return scanValue(dst, b, scanWrap)
}

// scanMode says what is taken for an integer.
type scanMode uint8

const (
	scanWrap    scanMode = iota // at least one digit; too large a number wraps round
	scanStrict                  // too large a number is an error
	scanLenient                 // as ClickHouse's row formats: no digits at all are 0, a sign '+' is none, too large a number wraps round
)

func scanValue(dst Column, b []byte, mode scanMode) (n int, err error) {
	t := dst.Type()
	var e *scanError
	switch x := dst.(type) {
	case *Num[uint8]:
		if t.Kind == Bool {
			return scanBool(x, b)
		}
		return scanUnsigned(x, b, 8, mode)
	case *Num[uint16]:
		if t.Kind == Date {
			return scanDate(b, func(days int64) { x.Data = append(x.Data, uint16(min(max(days, 0), math.MaxUint16))) })
		}
		return scanUnsigned(x, b, 16, mode)
	case *Num[uint32]:
		switch t.Kind {
		case DateTime:
			sec, _, plain, err := scanTime(b, t.Location(), 0)
			if err != nil {
				return 0, err
			}
			if plain {
				return 0, &scanError{code: errcode.CannotParseText, at: bytes.IndexByte(b, '.')}
			}
			x.Data = append(x.Data, uint32(min(max(sec, 0), math.MaxUint32)))
			return len(b), nil
		case IPv4:
			v, n, ok := scanIPv4(b)
			if !ok {
				return 0, fail(errcode.CannotParseIPv4, "Cannot parse IPv4 "+string(b[:min(len(b), 50)]))
			}
			x.Data = append(x.Data, v)
			return n, nil
		}
		return scanUnsigned(x, b, 32, mode)
	case *Num[uint64]:
		return scanUnsigned(x, b, 64, mode)
	case *Num[int8]:
		return scanSigned(x, b, 8, mode)
	case *Num[int16]:
		return scanSigned(x, b, 16, mode)
	case *Num[int32]:
		switch t.Kind {
		case Date32:
			return scanDate(b, func(days int64) {
				if days == noDay {
					days = firstDate32
				}
				x.Data = append(x.Data, int32(min(max(days, firstDate32), lastDate32)))
			})
		case Decimal32:
			var v I256
			if v, n, e = scanDecimal(b, t, mode == scanLenient); e == nil {
				x.Data = append(x.Data, int32(v.W[0]))
			}
			return n, asError(e)
		}
		return scanSigned(x, b, 32, mode)
	case *Num[int64]:
		switch t.Kind {
		case Decimal64:
			var v I256
			if v, n, e = scanDecimal(b, t, mode == scanLenient); e == nil {
				x.Data = append(x.Data, int64(v.W[0]))
			}
			return n, asError(e)
		case DateTime64:
			sec, frac, _, err := scanTime(b, t.Location(), t.Scale)
			if err != nil {
				return 0, err
			}
			if sec < firstSecond || sec > lastSecond { // 1900-01-01 to 2299-12-31
				sec, frac = min(max(sec, firstSecond), lastSecond), 0
			}
			v, ok := ticks(sec, frac, t.Scale)
			if !ok {
				return 0, fail(errcode.DecimalOverflow, "DateTime64 convert overflow")
			}
			x.Data = append(x.Data, v)
			return len(b), nil
		}
		return scanSigned(x, b, 64, mode)
	case *Num[float32]:
		f, n, err := scanFloat(b, 32)
		if err != nil {
			return 0, err
		}
		x.Data = append(x.Data, float32(f))
		return n, nil
	case *Num[float64]:
		f, n, err := scanFloat(b, 64)
		if err != nil {
			return 0, err
		}
		x.Data = append(x.Data, f)
		return n, nil
	case *Wide[I128]:
		var v I256
		if v, n, e = scanWide(b, t, mode); e == nil {
			x.Data = append(x.Data, v.Cut128())
		}
		return n, asError(e)
	case *Wide[U128]:
		var v I256
		if v, n, e = scanWide(b, t, mode); e == nil {
			x.Data = append(x.Data, v.CutU128())
		}
		return n, asError(e)
	case *Wide[I256]:
		var v I256
		if v, n, e = scanWide(b, t, mode); e == nil {
			x.Data = append(x.Data, v)
		}
		return n, asError(e)
	case *Wide[U256]:
		var v I256
		if v, n, e = scanWide(b, t, mode); e == nil {
			x.Data = append(x.Data, U256(v))
		}
		return n, asError(e)
	case *Wide[UUIDValue]:
		v, n, ok := scanUUID(b)
		if !ok {
			return 0, fail(errcode.CannotParseUUID, "Cannot parse uuid "+string(b[:min(len(b), 50)]))
		}
		x.Data = append(x.Data, v)
		return n, nil
	case *Wide[IPv6Value]:
		v, n, ok := scanIPv6(b)
		if !ok {
			return 0, fail(errcode.CannotParseIPv6, "Cannot parse IPv6 "+string(b[:min(len(b), 50)]))
		}
		x.Data = append(x.Data, v)
		return n, nil
	}
	return 0, fail(errcode.NotImplemented, "type "+t.String()+" cannot be read from text")
}

// asError keeps a nil *scanError from becoming a non-nil error.
func asError(e *scanError) error {
	if e == nil {
		return nil
	}
	return e
}

// ticks is a DateTime64's number; ok is false where 64 bits do not hold it.
func ticks(sec, frac int64, scale int) (v int64, ok bool) {
	w := WideInt(sec).Mul(WideInt(pow10[scale])).Add(WideInt(frac))
	return int64(w.W[0]), w.Fits64()
}
