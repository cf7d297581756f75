package column

// basicTime reads all of b as toDateTimeOrNull and toDateTime64OrNull do, which know fewer spellings than toDateTime: YYYY?MM?DD with ?hh?mm?ss behind a
// space or T, or a Unix time of five digits and more. A DateTime64 may have a fraction, be negative, and be empty. frac is in units of 10^-scale.
func basicTime(b []byte, t *Type) (sec, frac int64, ok bool) {
	fine := t.Kind == DateTime64
	if fine && len(b) == 0 {
		return 0, 0, true
	}
	negative := fine && b[0] == '-'
	var n int
	switch {
	case negative:
		sec, n, _ = unixTime(b[1:]) // "-" alone is 0
		ok, n = true, n+1
	case len(b) >= 10 && allDigits(b[:4]) && !isDigit(b[4]):
		sec, n, ok = basicDate(b, t)
	default:
		sec, n, ok = unixTime(b)
		ok = ok && n >= 5
	}
	if !ok {
		return 0, 0, false
	}
	rest := b[n:]
	switch {
	case fine && len(rest) > 0 && rest[0] == '.':
		k := 0
		for rest = rest[1:]; len(rest) > 0 && isDigit(rest[0]); rest = rest[1:] {
			if k < t.Scale {
				frac = frac*10 + int64(rest[0]-'0')
				k++
			}
		}
		frac *= pow10[t.Scale-k]
	case fine && !negative && sec > lastSecond: // written in units of the type
		unit := pow10[t.Scale]
		sec, frac = sec/unit, sec%unit
	}
	if negative {
		sec, frac = -sec, -frac
	}
	return sec, frac, len(rest) == 0
}

// unixTime reads digits as a number that 63 bits hold.
func unixTime(b []byte) (v int64, n int, ok bool) {
	for ; n < len(b) && isDigit(b[n]); n++ {
		d := int64(b[n] - '0')
		if v > (1<<63-1-d)/10 {
			return 0, 0, false
		}
		v = v*10 + d
	}
	return v, n, n > 0
}

func allDigits(b []byte) bool {
	for _, c := range b {
		if !isDigit(c) {
			return false
		}
	}
	return true
}

// basicDate reads a date of ten characters, and a time of nine behind it. Days and clocks that go on beyond the end of a month or day are reckoned on; a
// month or day that no calendar has is the first day of the type.
func basicDate(b []byte, t *Type) (sec int64, n int, ok bool) {
	pair := func(i int) int64 { return int64(b[i]-'0')*10 + int64(b[i+1]-'0') }
	if !allDigits(b[5:7]) || !allDigits(b[8:10]) {
		return 0, 0, false
	}
	clock, n := int64(0), 10
	if len(b) > 10 && (b[10] == ' ' || b[10] == 'T') {
		if len(b) < 19 || !allDigits(b[11:13]) || !allDigits(b[14:16]) || !allDigits(b[17:19]) {
			return 0, 0, false
		}
		clock, n = pair(11)*3600+pair(14)*60+pair(17), 19
	}
	y, m, d := pair(0)*100+pair(2), pair(5), pair(8)
	day := dayOf(int(y), int(m), int(d))
	switch {
	case day != noDay:
		return localSeconds(day*86400+clock, t.Location()), n, true
	case y|m|d == 0 || t.Kind == DateTime:
		return 0, n, true
	}
	return localSeconds(firstDate32*86400, t.Location()), n, true
}

// appendBasicTime appends what basicTime reads to a column of a DateTime or DateTime64; what is out of range is kept at the ends.
func appendBasicTime(dst Column, b []byte) bool {
	t := dst.Type()
	sec, frac, ok := basicTime(b, t)
	if !ok {
		return false
	}
	switch x := dst.(type) {
	case *Num[uint32]:
		x.Data = append(x.Data, uint32(min(max(sec, 0), 1<<32-1)))
	case *Num[int64]:
		if sec < firstSecond {
			sec, frac = firstSecond, 0
		}
		v, ok := ticks(min(sec, lastSecond), frac, t.Scale)
		if !ok {
			return false
		}
		x.Data = append(x.Data, v)
	}
	return true
}
