package column

import (
	"strconv"
	"strings"
	"time"
)

// Moment is a date and time read by ParseBestEffort.
type Moment struct {
	Seconds  int64 // Unix time
	Nanos    int64
	Fraction bool // a fraction of the second was written
	Dated    bool // year, month and day were written, in more than digits
}

// ParseBestEffort reads a date, a date and time, or a Unix time in many spellings, as ClickHouse does under
// date_time_input_format = 'best_effort': ISO 8601 with or without an offset, 02/01/2020, 2 Jan 2020, Thu, 02 Jan 2020 03:04:05 GMT,
// 03:04 PM, 20200102030405, seconds and milliseconds since 1970. Times without a zone are in loc; a year that is not written is this one.
func ParseBestEffort(b []byte, loc *time.Location) (m Moment, ok bool) {
	p := momentParser{b: b, year: -1, month: -1, day: -1, hour: -1, now: time.Now}
	if p.digitsOnly() {
		return p.number(loc)
	}
	if !p.read() || p.year < 0 && p.month < 0 && p.day < 0 && p.hour < 0 {
		return m, false
	}
	m.Dated = p.year >= 0 && p.month >= 0 && p.day >= 0
	m.Nanos, m.Fraction = p.nanos, p.fraction
	m.Seconds, ok = p.seconds(loc)
	return m, ok
}

type momentParser struct {
	b                                   []byte
	i                                   int
	year, month, day, hour, minute, sec int
	nanos                               int64
	fraction                            bool
	offset                              int // seconds east of UTC
	zoned                               bool
	now                                 func() time.Time
}

// digitsOnly tells whether the text is a number, with or without a fraction.
func (p *momentParser) digitsOnly() bool {
	point := 0
	for _, c := range p.b {
		switch {
		case c == '.':
			point++
		case c < '0' || c > '9':
			return false
		}
	}
	return len(p.b) > 0 && p.b[0] != '.' && point <= 1
}

func (p *momentParser) number(loc *time.Location) (m Moment, ok bool) {
	whole, frac, fraction := strings.Cut(string(p.b), ".")
	v, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || fraction && len(whole) != 10 && len(whole) != 14 {
		return m, false
	}
	if fraction {
		p.b = []byte("." + frac)
		p.readFraction()
		m.Nanos, m.Fraction = p.nanos, true
	}
	n := int(v)
	switch len(whole) {
	case 13:
		return Moment{Seconds: v / 1000, Nanos: v % 1000 * 1e6}, true
	case 9, 10:
		m.Seconds = v
		return m, true
	case 14:
		p.year, p.month, p.day = n/1e10, n/1e8%100, n/1e6%100
		p.hour, p.minute, p.sec = n/1e4%100, n/100%100, n%100
	case 8:
		p.year, p.month, p.day = n/1e4, n/100%100, n%100
	case 6:
		p.year, p.month = n/100, n%100
	case 4:
		p.year = n
	case 1, 2:
		p.day = n
	default:
		return m, false
	}
	m.Seconds, ok = p.seconds(loc)
	return m, ok
}

// digits reads up to most digits.
func (p *momentParser) digits(most int) (v, n int) {
	start := p.i
	for p.i < len(p.b) && p.i < start+most && p.b[p.i] >= '0' && p.b[p.i] <= '9' {
		v = v*10 + int(p.b[p.i]-'0')
		p.i++
	}
	return v, p.i - start
}

func (p *momentParser) peek(k int) byte {
	if p.i+k < len(p.b) {
		return p.b[p.i+k]
	}
	return 0
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func (p *momentParser) read() bool {
	for p.i < len(p.b) {
		c := p.b[p.i]
		ok := true
		switch {
		case c == ' ' || c == ',':
			p.i++
		case isDigit(c):
			ok = p.readNumber()
		case c|0x20 >= 'a' && c|0x20 <= 'z':
			ok = p.readWord()
		case (c == '+' || c == '-') && p.hour >= 0:
			ok = p.readOffset()
		default:
			ok = false
		}
		if !ok {
			return false
		}
	}
	return true
}

func (p *momentParser) readNumber() bool {
	v, n := p.digits(14)
	sep := p.peek(0)
	follows := isDigit(p.peek(1))
	dated := p.day >= 0 && p.month >= 0
	switch {
	case n == 14 && p.year < 0:
		p.year, p.month, p.day = v/1e10, v/1e8%100, v/1e6%100
		p.hour, p.minute, p.sec = v/1e4%100, v/100%100, v%100
	case n == 8 && p.year < 0:
		p.year, p.month, p.day = v/1e4, v/100%100, v%100
	case n == 6 && dated && p.hour < 0:
		p.hour, p.minute, p.sec = v/1e4, v/100%100, v%100
	case n <= 2 && sep == ':' && p.hour < 0:
		p.hour = v
		p.i++
		if p.minute, n = p.digits(2); n == 0 {
			return false
		}
		if p.peek(0) == ':' {
			p.i++
			if p.sec, n = p.digits(2); n == 0 {
				return false
			}
			p.readFraction()
		}
	case n == 4 && p.year < 0:
		p.year = v
		if (sep == '-' || sep == '/' || sep == '.') && follows {
			p.i++
			p.month, _ = p.digits(2)
			if p.peek(0) == sep && isDigit(p.peek(1)) {
				p.i++
				p.day, _ = p.digits(2)
			}
		}
	case n <= 2 && p.day < 0 && (sep == '/' || sep == '-' || sep == '.') && follows:
		p.day = v
		p.i++
		if p.month, n = p.digits(2); n == 0 {
			return false
		}
		if p.peek(0) == sep && isDigit(p.peek(1)) {
			p.i++
			if p.year, n = p.digits(4); n == 2 {
				p.year += 2000
				if p.year >= 2070 {
					p.year -= 100
				}
			} else if n != 4 {
				return false
			}
		}
	case n <= 2 && dated && p.hour < 0:
		p.hour = v
	case n <= 2 && p.day < 0:
		p.day = v
		if p.peek(0) == '-' { // 2-Jan-2020
			p.i++
		}
	default:
		return false
	}
	return true
}

// readFraction reads the fraction of a second where one stands.
func (p *momentParser) readFraction() {
	if p.peek(0) != '.' || !isDigit(p.peek(1)) {
		return
	}
	p.i++
	p.fraction = true
	scale := int64(1e9)
	for ; isDigit(p.peek(0)); p.i++ {
		if scale > 1 {
			scale /= 10
			p.nanos += int64(p.b[p.i]-'0') * scale
		}
	}
}

const (
	monthNames = "janfebmaraprmayjunjulaugsepoctnovdec"
	dayNames   = "montuewedthufrisatsun"
)

func (p *momentParser) readWord() bool {
	start := p.i
	for c := p.peek(0) | 0x20; c >= 'a' && c <= 'z'; c = p.peek(0) | 0x20 {
		p.i++
	}
	w := strings.ToLower(string(p.b[start:p.i]))
	switch w {
	case "t":
		return p.day >= 0 && p.hour < 0
	case "z", "utc", "gmt":
		p.zoned = true
		return p.hour >= 0
	case "am":
		if p.hour == 12 {
			p.hour = 0
		}
		return p.hour >= 0
	case "pm":
		if p.hour < 12 {
			p.hour += 12
		}
		return p.hour >= 12
	}
	if len(w) < 3 {
		return false
	}
	if k := strings.Index(monthNames, w[:3]); k >= 0 && k%3 == 0 && p.month < 0 {
		p.month = k/3 + 1
		if p.peek(0) == '-' {
			p.i++
		}
		return true
	}
	k := strings.Index(dayNames, w[:3])
	return k >= 0 && k%3 == 0
}

// readOffset reads +hh, +hhmm or +hh:mm.
func (p *momentParser) readOffset() bool {
	neg := p.b[p.i] == '-'
	p.i++
	h, n := p.digits(4)
	m := 0
	switch n {
	case 4:
		h, m = h/100, h%100
	case 1, 2:
		if p.peek(0) == ':' {
			p.i++
			if m, n = p.digits(2); n != 2 {
				return false
			}
		}
	default:
		return false
	}
	p.offset = h*3600 + m*60
	if neg {
		p.offset = -p.offset
	}
	p.zoned = true
	return true
}

func (p *momentParser) seconds(loc *time.Location) (int64, bool) {
	if p.year < 0 {
		p.year = p.now().UTC().Year()
	}
	p.month, p.day = max(p.month, -1), max(p.day, -1)
	if p.month == -1 {
		p.month = 1
	}
	if p.day == -1 {
		p.day = 1
	}
	if p.month < 1 || p.month > 12 || p.day < 1 || p.day > time.Date(p.year, time.Month(p.month)+1, 0, 0, 0, 0, 0, time.UTC).Day() {
		return 0, false
	}
	wall := Days(p.year, p.month, p.day)*86400 + int64(max(p.hour, 0)*3600+p.minute*60+p.sec)
	if p.zoned {
		return wall - int64(p.offset), true
	}
	return localSeconds(wall, loc), true
}
