package column

import (
	"strconv"
	"time"

	"dictsvc/errcode"
)

// The seconds that a DateTime64 can hold: 0000-01-01 00:00:00 to 9999-12-31 23:59:59.
const (
	firstSecond = -62167219200
	lastSecond  = 253402300799
)

// The days that a Date32 can hold: 1900-01-01 to 2299-12-31.
const (
	firstDate32 = -25567
	lastDate32  = 120529
)

func number(b []byte, i, most int) (v, next int) {
	for next = i; next < len(b) && next < i+most && b[next] >= '0' && b[next] <= '9'; next++ {
		v = v*10 + int(b[next]-'0')
	}
	return v, next
}

// scanYMD reads YYYY-MM-DD (one-digit month and day too, any separator) or YYYYMMDD. A month out of range gives noDay.
func scanYMD(b []byte) (days int64, n int, ok bool) {
	y, i := number(b, 0, 4)
	if i != 4 || len(b) < 8 {
		return 0, 0, false
	}
	if b[4] >= '0' && b[4] <= '9' {
		m, j := number(b, 4, 2)
		d, k := number(b, 6, 2)
		if j != 6 || k != 8 {
			return 0, 0, false
		}
		return dayOf(y, m, d), 8, true
	}
	m, j := number(b, 5, 2)
	if j == 5 || j >= len(b) {
		return 0, 0, false
	}
	d, k := number(b, j+1, 2)
	if k == j+1 {
		return 0, 0, false
	}
	return dayOf(y, m, d), k, true
}

// noDay stands for a date that no calendar has; it is below all days.
const noDay = -1 << 40

// dayOf is Days for what was written, noDay for months and days that no month has.
func dayOf(y, m, d int) int64 {
	if m < 1 || m > 12 || d < 1 || d > 31 {
		return noDay
	}
	return Days(y, m, d)
}

func scanDate(b []byte, put func(days int64)) (int, error) {
	days, n, ok := scanYMD(b)
	if !ok {
		if len(b) < 8 {
			return 0, fail(errcode.CannotParseDate, "Cannot parse date: value is too short")
		}
		return 0, fail(errcode.CannotParseDate, "Cannot parse date here: "+string(b[:min(len(b), 50)]))
	}
	put(days)
	return n, nil
}

// scanTime reads all of b as a time: YYYY-MM-DD hh:mm:ss[.fraction] at once, other spellings by ParseBestEffort. frac is in units of
// 10^-scale; plain says that b is seconds with a fraction and nothing else.
func scanTime(b []byte, loc *time.Location, scale int) (sec, frac int64, plain bool, err *scanError) {
	if sec, n, ok := fastTime(b); ok {
		f, end := fraction(b, n, scale)
		if end == len(b) {
			return localSeconds(sec, loc), f, false, nil
		}
	}
	m, ok := ParseBestEffort(b, loc)
	if !ok {
		return 0, 0, false, notTime(b)
	}
	return m.Seconds, m.Nanos / pow10[9-min(scale, 9)], m.Fraction && !m.Dated, nil
}

// notTime words why b is no time.
func notTime(b []byte) *scanError {
	i := 0
	for i < len(b) && (wordByte(b[i]) && b[i] != '_' || b[i] == '-' || b[i] == ':' || b[i] == ' ' || b[i] == '+' || b[i] == ',' || b[i] == '.' || b[i] == '/') {
		i++
	}
	digits := 0
	for digits < len(b) && isDigit(b[digits]) {
		digits++
	}
	switch {
	case digits > 18 || i > 0 && i < len(b) && digits > 0: // something was read, and the rest is no time
		return &scanError{code: errcode.CannotParseText, at: min(i, 19)}
	case len(b) > 1 && b[0]|0x20 >= 'a' && b[0]|0x20 <= 'z' && b[1]|0x20 >= 'a' && b[1]|0x20 <= 'z':
		return fail(errcode.CannotParseDatetime, "Cannot read DateTime: unexpected word")
	case digits > 0 && digits < len(b) && b[digits]|0x20 >= 'a' && b[digits]|0x20 <= 'z', len(b) == 1 && b[0]|0x20 >= 'a' && b[0]|0x20 <= 'z':
		return fail(errcode.CannotParseDatetime, "Cannot read DateTime: unexpected alphabetical character")
	case digits == len(b) && digits > 0:
		return fail(errcode.CannotParseDatetime, "Cannot read DateTime: unexpected number of decimal digits: "+strconv.Itoa(digits))
	}
	return fail(errcode.CannotParseDatetime, "Cannot read DateTime: neither Date nor Time was parsed successfully")
}

// fastTime reads YYYY-MM-DD hh:mm:ss and YYYY-MM-DD alone, in range, as wall-clock seconds.
func fastTime(b []byte) (sec int64, n int, ok bool) {
	if len(b) < 10 || b[4] != '-' || b[7] != '-' {
		return 0, 0, false
	}
	two := func(i int) int {
		if !isDigit(b[i]) || !isDigit(b[i+1]) {
			return -1
		}
		return int(b[i]-'0')*10 + int(b[i+1]-'0')
	}
	hi, lo, m, d := two(0), two(2), two(5), two(8)
	if hi < 0 || lo < 0 || m < 1 || m > 12 || d < 1 || d > 28 { // the ends of months are left to the long way
		return 0, 0, false
	}
	sec = Days(hi*100+lo, m, d) * 86400
	if len(b) == 10 {
		return sec, 10, true
	}
	if len(b) < 19 || b[10] != ' ' || b[13] != ':' || b[16] != ':' {
		return 0, 0, false
	}
	h, mi, s := two(11), two(14), two(17)
	if h < 0 || h > 23 || mi < 0 || mi > 59 || s < 0 || s > 59 {
		return 0, 0, false
	}
	return sec + int64(h*3600+mi*60+s), 19, true
}

func fraction(b []byte, i, scale int) (int64, int) {
	if i >= len(b) || b[i] != '.' || i+1 >= len(b) || b[i+1] < '0' || b[i+1] > '9' {
		return 0, i
	}
	i++
	var v int64
	k := 0
	for ; i < len(b) && b[i] >= '0' && b[i] <= '9'; i++ {
		if k < scale {
			v = v*10 + int64(b[i]-'0')
			k++
		}
	}
	return v * pow10[scale-k], i
}

// localSeconds turns seconds of wall-clock time since 1970-01-01 in a zone into Unix time. Where clocks were put back, the
// earlier of two instants is taken; a time that was skipped is reckoned by the offset behind the change.
func localSeconds(wall int64, loc *time.Location) int64 {
	if loc == time.UTC {
		return wall
	}
	offset := func(sec int64) int64 {
		_, o := time.Unix(sec, 0).In(loc).Zone()
		return int64(o)
	}
	before, after := offset(wall-86400), offset(wall+86400)
	early, late := wall-before, wall-after
	switch {
	case before == after:
		return early
	case offset(early) == before && (offset(late) != after || early < late):
		return early
	}
	return late
}

// withoutTime takes the time off a date and time, which CAST passes over when it wants a date.
func withoutTime(b []byte) []byte {
	if _, n, ok := scanYMD(b); ok && len(b) >= n+9 && b[n] == ' ' {
		if _, k, ok := fastTime(append([]byte("2000-01-01"), b[n:n+9]...)); ok && k == 19 {
			if _, end := fraction(b, n+9, 0); end == len(b) {
				return b[:n]
			}
		}
	}
	return b
}
