package column

import (
	"math"
	"strconv"
	"strings"

	"dictsvc/errcode"
)

func scanUnsigned[T Number](x *Num[T], b []byte, width uint, mode scanMode) (int, error) {
	i := 0
	if len(b) > 0 && b[0] == '+' && mode != scanLenient {
		i++
	}
	if len(b) > 0 && b[0] == '-' && mode != scanLenient {
		if mode == scanStrict {
			return 0, outOfRange(b, x.T)
		}
		return 0, fail(errcode.CannotParseNumber, "Unsigned type must not contain '-' symbol")
	}
	start := i
	var v uint64
	over := false
	for ; i < len(b); i++ {
		d := b[i] - '0'
		if d > 9 {
			break
		}
		if v > (math.MaxUint64-uint64(d))/10 {
			over = true
		}
		v = v*10 + uint64(d)
	}
	if i == start && mode != scanLenient {
		return 0, &scanError{code: errcode.CannotParseNumber}
	}
	if mode == scanStrict && (over || width < 64 && v>>width != 0) {
		return 0, outOfRange(b[:i], x.T)
	}
	x.Data = append(x.Data, T(v))
	return i, nil
}

func outOfRange(b []byte, t *Type) *scanError {
	return fail(errcode.ValueIsOutOfRangeOfDataType, "value "+string(b[:min(len(b), 60)])+" is out of range of "+t.String())
}

func scanSigned[T Number](x *Num[T], b []byte, width uint, mode scanMode) (int, error) {
	i := 0
	neg := false
	if len(b) > 0 && (b[0] == '-' || b[0] == '+' && mode != scanLenient) {
		neg = b[0] == '-'
		i++
	}
	start := i
	var v uint64
	over := false
	for ; i < len(b); i++ {
		d := b[i] - '0'
		if d > 9 {
			break
		}
		if v > (math.MaxUint64-uint64(d))/10 {
			over = true
		}
		v = v*10 + uint64(d)
	}
	if i == start && mode != scanLenient {
		if i > 0 {
			return 0, fail(errcode.CannotParseNumber, "Cannot parse number without any digits")
		}
		return 0, &scanError{code: errcode.CannotParseNumber}
	}
	limit := uint64(1)<<(width-1) - 1
	if neg {
		limit++
	}
	if mode == scanStrict && (over || v > limit) {
		return 0, outOfRange(b[:i], x.T)
	}
	s := int64(v)
	if neg {
		s = -s
	}
	x.Data = append(x.Data, T(s))
	return i, nil
}

// notBool is the error of text that is no boolean.
func notBool(b []byte) *scanError {
	if len(b) == 0 {
		return fail(errcode.CannotParseBool, "Expected boolean value but get EOF")
	}
	return fail(errcode.CannotParseBool, "Cannot parse boolean value here: '"+string(b[:min(len(b), 10)])+"', should be 'true' or 'false' controlled by setting bool_true_representation and bool_false_representation or one of True/False/T/F/Y/N/Yes/No/On/Off/Enable/Disable/Enabled/Disabled/1/0")
}

func scanBool(x *Num[uint8], b []byte) (int, error) {
	n := 0
	for n < len(b) && (wordByte(b[n])) {
		n++
	}
	switch strings.ToLower(string(b[:min(n, 10)])) {
	case "true", "t", "y", "yes", "on", "enable", "enabled", "1":
		x.Data = append(x.Data, 1)
	case "false", "f", "n", "no", "off", "disable", "disabled", "0":
		x.Data = append(x.Data, 0)
	default:
		return 0, notBool(b)
	}
	return n, nil
}

// scanFloat reads a float; short ones exactly by one multiplication or division, the rest through strconv.
func scanFloat(b []byte, size int) (float64, int, error) {
	i := 0
	neg := false
	if i < len(b) && (b[i] == '-' || b[i] == '+') {
		neg = b[i] == '-'
		i++
	}
	start := i
	var mant uint64
	digits, point := 0, -1
	for ; i < len(b); i++ {
		c := b[i]
		if c == '.' && point < 0 {
			point = i
			continue
		}
		if c < '0' || c > '9' {
			break
		}
		digits++
		if digits <= 19 {
			mant = mant*10 + uint64(c-'0')
		}
	}
	if digits == 0 {
		return scanFloatWord(b, start, neg)
	}
	frac := 0
	if point >= 0 {
		frac = i - point - 1
	}
	end := i
	exp := 0
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		j := i + 1
		if j < len(b) && (b[j] == '-' || b[j] == '+') {
			j++
		}
		k := j
		for k < len(b) && b[k] >= '0' && b[k] <= '9' {
			k++
		}
		if k > j {
			end = k
			exp, _ = strconv.Atoi(string(b[i+1 : min(k, i+8)]))
		}
	}
	if p := exp - frac; digits <= 15 && p >= -22 && p <= 22 && size == 64 {
		f := float64(mant)
		if p < 0 {
			f /= float64pow10[-p]
		} else {
			f *= float64pow10[p]
		}
		if neg {
			f = -f
		}
		return f, end, nil
	}
	f, err := strconv.ParseFloat(string(b[:end]), size)
	if err != nil && !math.IsInf(f, 0) {
		return 0, 0, fail(errcode.CannotParseNumber, "Cannot read floating point value here: "+string(b[:min(len(b), 60)]))
	}
	return f, end, nil
}

var float64pow10 = [23]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

func scanFloatWord(b []byte, i int, neg bool) (float64, int, error) {
	for _, w := range [...]struct {
		text string
		v    float64
	}{{"infinity", math.Inf(1)}, {"inf", math.Inf(1)}, {"nan", NaN()}} {
		if len(b)-i >= len(w.text) && strings.EqualFold(string(b[i:i+len(w.text)]), w.text) {
			if neg {
				return -w.v, i + len(w.text), nil
			}
			return w.v, i + len(w.text), nil
		}
	}
	if len(b) == 0 {
		return 0, 0, fail(errcode.CannotParseNumber, "Cannot read floating point value here: ")
	}
	return 0, 0, fail(errcode.CannotParseNumber, "Cannot read floating point value here: "+string(b[:min(len(b), 60)]))
}

// scanWide reads a wide integer or a decimal of 128 and 256 bits.
func scanWide(b []byte, t *Type, mode scanMode) (I256, int, *scanError) {
	if t.IsDecimal() {
		return scanDecimal(b, t, mode == scanLenient)
	}
	i := 0
	neg := false
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		neg = b[0] == '-'
		i++
		if neg && t.IsUnsigned() {
			return I256{}, 0, fail(errcode.CannotParseNumber, "Unsigned type must not contain '-' symbol")
		}
	}
	start := i
	var v I256
	ten := WideUint(10)
	for ; i < len(b) && b[i] >= '0' && b[i] <= '9'; i++ {
		v = v.Mul(ten).Add(WideUint(uint64(b[i] - '0')))
	}
	if i == start {
		if i > 0 {
			return v, 0, fail(errcode.CannotParseNumber, "Cannot parse number without any digits")
		}
		return v, 0, &scanError{code: errcode.CannotParseNumber}
	}
	if neg {
		v = v.Negate()
	}
	return v, i, nil
}

// scanDecimal reads a decimal; digits beyond the scale are cut off, too many before the point are error 69.
func scanDecimal(b []byte, t *Type, lenient bool) (v I256, n int, err *scanError) {
	i := 0
	neg := false
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		neg = b[0] == '-'
		i++
	}
	var digits []byte
	var buf [100]byte
	digits = buf[:0]
	any := false
	point := 0 // digits behind the point so far
	seen := false
	for ; i < len(b); i++ {
		c := b[i]
		if c == '.' { // ClickHouse passes over further points
			seen = true
			continue
		}
		if c < '0' || c > '9' {
			break
		}
		any = true
		if seen {
			point++
		}
		if len(digits) == 0 && c == '0' {
			continue
		}
		if len(digits) < 90 {
			digits = append(digits, c)
		} else if !seen {
			return v, 0, fail(errcode.ArgumentOutOfBound, "Too many digits in decimal value")
		} else {
			point-- // too far behind the point to matter
		}
	}
	if !any && i == 0 && !lenient {
		return v, 0, &scanError{code: errcode.CannotParseNumber}
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		j := i + 1
		if j < len(b) && (b[j] == '-' || b[j] == '+') {
			j++
		}
		k := j
		for k < len(b) && b[k] >= '0' && b[k] <= '9' {
			k++
		}
		if k > j {
			e, _ := strconv.Atoi(string(b[i+1 : min(k, i+6)]))
			point -= e
			i = k
		} else {
			return v, 0, fail(errcode.CannotParseNumber, "Cannot parse exponent while reading decimal")
		}
	}
	if whole := len(digits) - point; whole > t.Precision-t.Scale && len(digits) > 0 && whole+t.Scale > t.Precision {
		return v, 0, fail(errcode.ArgumentOutOfBound, "Too many digits ("+strconv.Itoa(whole)+" > "+strconv.Itoa(t.Precision)+") in decimal value")
	}
	cut := point - t.Scale
	if cut > 0 {
		digits = digits[:max(0, len(digits)-cut)]
	}
	ten := WideUint(10)
	for _, c := range digits {
		v = v.Mul(ten).Add(WideUint(uint64(c - '0')))
	}
	if cut < 0 {
		v = v.Mul(Pow10(min(-cut, 76)))
	}
	if neg {
		v = v.Negate()
	}
	return v, i, nil
}
