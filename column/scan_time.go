package column

import (
	"strconv"
	"time"

	"dictsvc/errcode"
)

// The seconds that a DateTime64 can hold: 1900-01-01 00:00:00 to 2299-12-31 23:59:59.
const (
	firstSecond = -2208988800
	lastSecond  = 10413791999
)

func number(b []byte, i, most int) (v, next int) {
	for next = i; next < len(b) && next < i+most && b[next] >= '0' && b[next] <= '9'; next++ {
		v = v*10 + int(b[next]-'0')
	}
	return v, next
}

// scanYMD reads YYYY-MM-DD (one-digit month and day too) or YYYYMMDD.
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
		return Days(y, m, d), 8, true
	}
	m, j := number(b, 5, 2)
	if j == 5 || j >= len(b) {
		return 0, 0, false
	}
	d, k := number(b, j+1, 2)
	if k == j+1 {
		return 0, 0, false
	}
	return Days(y, m, d), k, true
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

// scanTime reads YYYY-MM-DD[ T]hh:mm:ss[.fraction][Z], a date alone, or a Unix time (with a fraction); frac is in units of 10^-scale.
func scanTime(b []byte, loc *time.Location, scale int) (sec, frac int64, n int, err error) {
	i := 0
	if i < len(b) && b[i] == '-' {
		i++
	}
	for i < len(b) && b[i] >= '0' && b[i] <= '9' {
		i++
	}
	if i > 0 && (i == len(b) || b[i] == '.' || b[i] == ',' || b[i] == ')' || b[i] == ']' || b[i] == '\t' || b[i] == '\n') && !(i == 4 && i < len(b) && b[i] == '.') {
		if i == 8 || i == 14 { // YYYYMMDD and YYYYMMDDhhmmss
			if days, _, ok := scanYMD(b); ok && i == 8 {
				return localSeconds(days*86400, loc), 0, 8, nil
			}
			if days, _, ok := scanYMD(b); ok {
				h, _ := number(b, 8, 2)
				m, _ := number(b, 10, 2)
				s, _ := number(b, 12, 2)
				return localSeconds(days*86400+int64(h*3600+m*60+s), loc), 0, 14, nil
			}
		}
		v, perr := strconv.ParseInt(string(b[:i]), 10, 64)
		if perr != nil {
			return 0, 0, 0, fail(errcode.CannotParseDatetime, "Cannot parse DateTime here: "+string(b[:min(len(b), 50)]))
		}
		frac, i = fraction(b, i, scale)
		return v, frac, i, nil
	}
	days, i, ok := scanYMD(b)
	if !ok {
		return 0, 0, 0, fail(errcode.CannotParseDatetime, "Cannot parse DateTime here: "+string(b[:min(len(b), 50)]))
	}
	sec = days * 86400
	if i+1 < len(b) && (b[i] == ' ' || b[i] == 'T') && b[i+1] >= '0' && b[i+1] <= '9' {
		h, j := number(b, i+1, 2)
		if j >= len(b) || b[j] != ':' {
			return 0, 0, 0, fail(errcode.CannotParseDatetime, "Cannot parse DateTime here: "+string(b[:min(len(b), 50)]))
		}
		m, k := number(b, j+1, 2)
		s := 0
		if k < len(b) && b[k] == ':' {
			s, k = number(b, k+1, 2)
		}
		sec += int64(h*3600 + m*60 + s)
		i = k
	}
	frac, i = fraction(b, i, scale)
	if i < len(b) && b[i] == 'Z' {
		return sec, frac, i + 1, nil
	}
	return localSeconds(sec, loc), frac, i, nil
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

// localSeconds turns seconds of wall-clock time since 1970-01-01 in a zone into Unix time.
func localSeconds(wall int64, loc *time.Location) int64 {
	if loc == time.UTC {
		return wall
	}
	days := floorDiv(wall, 86400)
	y, m, d := civil(days)
	s := int(wall - days*86400)
	return time.Date(y, time.Month(m), d, s/3600, s/60%60, s%60, 0, loc).Unix()
}
