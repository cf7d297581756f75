package column

import (
	"math"
	"strconv"
)

func appendUint(buf []byte, v uint64) []byte { return strconv.AppendUint(buf, v, 10) }

// appendDecimalZeros writes an integer with scale digits behind the point; trailing zeros are left out unless zeros is set.
func appendDecimalZeros(buf []byte, v I256, scale int, zeros bool) []byte {
	if scale == 0 {
		return v.AppendDecimal(buf, false)
	}
	if v.Neg() {
		buf = append(buf, '-')
		v = v.Negate()
	}
	var tmp [96]byte
	digits := v.AppendDecimal(tmp[:0], true)
	for len(digits) <= scale {
		digits = append(digits, 0)
		copy(digits[1:], digits)
		digits[0] = '0'
	}
	whole, frac := digits[:len(digits)-scale], digits[len(digits)-scale:]
	for !zeros && len(frac) > 0 && frac[len(frac)-1] == '0' {
		frac = frac[:len(frac)-1]
	}
	buf = append(buf, whole...)
	if len(frac) > 0 {
		buf = append(append(buf, '.'), frac...)
	}
	return buf
}

// AppendFloat appends the shortest text that reads back as f, in ClickHouse's form: plain from 1e-6 up to below 1e21, else with an exponent.
func AppendFloat(buf []byte, f float64, size int) []byte {
	switch {
	case f != f:
		return append(buf, "nan"...)
	case math.IsInf(f, 1):
		return append(buf, "inf"...)
	case math.IsInf(f, -1):
		return append(buf, "-inf"...)
	}
	if a := math.Abs(f); a == 0 || a >= 1e-6 && a < 1e21 {
		if i := int64(f); size == 64 && float64(i) == f && i != 0 && a < 1<<53 {
			return strconv.AppendInt(buf, i, 10)
		}
		return strconv.AppendFloat(buf, f, 'f', -1, size)
	}
	start := len(buf)
	buf = strconv.AppendFloat(buf, f, 'e', -1, size)
	for i := len(buf) - 1; i > start; i-- { // 1e+21 -> 1e21, 1e-07 -> 1e-7
		if buf[i] != 'e' {
			continue
		}
		j := i + 1
		out := i + 1
		if buf[j] == '-' {
			out++
		}
		j++
		for j < len(buf)-1 && buf[j] == '0' {
			j++
		}
		buf = append(buf[:out], buf[j:]...)
		break
	}
	return buf
}

// appendDecimal64 writes the two narrow decimals.
func appendDecimal64(buf []byte, v int64, scale int, zeros bool) []byte {
	u := uint64(v)
	if v < 0 {
		buf = append(buf, '-')
		u = -u
	}
	unit := uint64(pow10[scale])
	buf = appendUint(buf, u/unit)
	frac := u % unit
	if scale == 0 || frac == 0 && !zeros {
		return buf
	}
	buf = append(buf, '.')
	for unit /= 10; unit > 0 && (frac > 0 || zeros); unit /= 10 {
		buf = append(buf, byte('0'+frac/unit))
		frac %= unit
	}
	return buf
}
