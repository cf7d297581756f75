package column

import "time"

func digits2(buf []byte, v int) []byte { return append(buf, byte('0'+v/10%10), byte('0'+v%10)) }

// appendDate writes days since 1970-01-01.
func appendDate(buf []byte, days int64) []byte {
	y, m, d := civil(days)
	return appendYMD(buf, y, m, d)
}

func appendYMD(buf []byte, y, m, d int) []byte {
	buf = digits2(digits2(buf, y/100), y%100)
	buf = digits2(append(buf, '-'), m)
	return digits2(append(buf, '-'), d)
}

// civil converts days since 1970-01-01 to a date (proleptic Gregorian); Howard Hinnant's days-from-civil algorithm turned round.
func civil(days int64) (y, m, d int) {
	z := days + 719468
	era := z / 146097
	if z < 0 {
		era = (z - 146096) / 146097
	}
	doe := z - era*146097
	yoe := (doe - doe/1460 + doe/36524 - doe/146096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	d = int(doy - (153*mp+2)/5 + 1)
	m = int(mp + 3)
	if m > 12 {
		m -= 12
	}
	y = int(yoe + era*400)
	if m <= 2 {
		y++
	}
	return y, m, d
}

// Days is the number of days from 1970-01-01 to a date; days and months out of range are carried over.
func Days(y, m, d int) int64 {
	m--
	y += m / 12
	m %= 12
	if m < 0 {
		m += 12
		y--
	}
	m++
	if m <= 2 {
		y--
		m += 12
	}
	era := y / 400
	if y < 0 {
		era = (y - 399) / 400
	}
	yoe := y - era*400
	doy := (153*(m-3)+2)/5 + d - 1
	doe := yoe*365 + yoe/4 - yoe/100 + doy
	return int64(era)*146097 + int64(doe) - 719468
}

func appendDateTime(buf []byte, sec int64, loc *time.Location) []byte {
	if loc != time.UTC {
		_, offset := time.Unix(sec, 0).In(loc).Zone()
		sec += int64(offset)
	}
	sec = min(max(sec, firstSecond), lastSecond) // what lies beyond has no text of its own
	days := floorDiv(sec, 86400)
	buf = appendDate(buf, days)
	s := int(sec - days*86400)
	buf = digits2(append(buf, ' '), s/3600)
	buf = digits2(append(buf, ':'), s/60%60)
	return digits2(append(buf, ':'), s%60)
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

var pow10 = [19]int64{1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000, 10000000000, 100000000000, 1000000000000, 10000000000000, 100000000000000,
	1000000000000000, 10000000000000000, 100000000000000000, 1000000000000000000}

func appendDateTime64(buf []byte, v int64, scale int, loc *time.Location) []byte {
	sec := floorDiv(v, pow10[scale])
	buf = appendDateTime(buf, sec, loc)
	if scale == 0 {
		return buf
	}
	frac := v - sec*pow10[scale]
	buf = append(buf, '.')
	for k := scale - 1; k >= 0; k-- {
		buf = append(buf, byte('0'+frac/pow10[k]%10))
	}
	return buf
}

// appendTime writes a DateTime or DateTime64 as the options have it.
func (o *TextOptions) appendTime(buf []byte, v int64, t *Type) []byte {
	switch o.Times {
	case TimeISO:
		buf = appendDateTime64(buf, v, t.Scale, time.UTC)
		at := len(buf) - 9
		if t.Scale > 0 {
			at -= t.Scale + 1
		}
		buf[at] = 'T'
		return append(buf, 'Z')
	case TimeUnix:
		return appendDecimal64(buf, v, t.Scale, true)
	}
	return appendDateTime64(buf, v, t.Scale, t.Location())
}
