package jsonl

import (
	"time"
	"unsafe"

	"dictsvc/column"
)

// plainOther reads the usual spelling of a Bool, date, time or decimal at place i: the bits of the value and the bytes it takes, 0 where
// it is written in another way, or wrong.
func plainOther(t *column.Type, p unsafe.Pointer, i int) (v uint64, n int) {
	switch t.Kind {
	case column.Bool:
		switch uint32(load(p, i)) {
		case 't' | 'r'<<8 | 'u'<<16 | 'e'<<24:
			return 1, 4
		case 'f' | 'a'<<8 | 'l'<<16 | 's'<<24:
			if at(p, i+4) == 'e' {
				return 0, 5
			}
		}
	case column.Decimal32, column.Decimal64:
		m, scale, neg, n := decimalText(p, i)
		if n == 0 || scale > t.Scale || t.Scale-scale > 18 {
			return 0, 0
		}
		limit, factor := tens[t.Precision], tens[t.Scale-scale]
		if m >= limit || m*factor/factor != m || m*factor >= limit {
			return 0, 0
		}
		if m *= factor; neg {
			m = -m
		}
		return m, n
	case column.Date, column.Date32:
		days, ok := plainDate(p, i+1)
		if ok && at(p, i) == '"' && at(p, i+11) == '"' && days >= 0 && days <= 65535 {
			return uint64(days), 12
		}
	case column.DateTime, column.DateTime64:
		return plainTime(t, p, i)
	}
	return 0, 0
}

// two reads two digits.
func two(p unsafe.Pointer, i int) (v int, ok bool) {
	a, b := at(p, i)-'0', at(p, i+1)-'0'
	return int(a)*10 + int(b), a <= 9 && b <= 9
}

// plainDate reads YYYY-MM-DD. Days that not every month has are left to the general path.
func plainDate(p unsafe.Pointer, i int) (days int64, ok bool) {
	c, ok1 := two(p, i)
	y, ok2 := two(p, i+2)
	m, ok3 := two(p, i+5)
	d, ok4 := two(p, i+8)
	if !(ok1 && ok2 && ok3 && ok4 && at(p, i+4) == '-' && at(p, i+7) == '-' && m >= 1 && m <= 12 && d >= 1 && d <= 28) {
		return 0, false
	}
	return column.Days(c*100+y, m, d), true
}

// plainTime reads "YYYY-MM-DD hh:mm:ss[.fraction][Z]" with its quotes; the zone must be UTC.
func plainTime(t *column.Type, p unsafe.Pointer, i int) (v uint64, n int) {
	start := i
	days, ok := plainDate(p, i+1)
	h, ok1 := two(p, i+12)
	m, ok2 := two(p, i+15)
	s, ok3 := two(p, i+18)
	if !(ok && ok1 && ok2 && ok3 && at(p, i) == '"' && (at(p, i+11) == ' ' || at(p, i+11) == 'T') && at(p, i+14) == ':' && at(p, i+17) == ':') {
		return 0, 0
	}
	if h > 23 || m > 59 || s > 59 {
		return 0, 0
	}
	seconds := days*86400 + int64(h*3600+m*60+s)
	i += 20
	var fraction uint64
	digitsRead := 0
	if at(p, i) == '.' {
		fraction, digitsRead = digits(p, i+1)
		if digitsRead == 0 || digitsRead > 9 {
			return 0, 0
		}
		i += 1 + digitsRead
	}
	if at(p, i) == 'Z' {
		i++
	} else if t.Location() != time.UTC {
		return 0, 0
	}
	if at(p, i) != '"' {
		return 0, 0
	}
	n = i + 1 - start
	if t.Kind == column.DateTime {
		if seconds < 0 || seconds > 1<<32-1 {
			return 0, 0
		}
		return uint64(seconds), n
	}
	if seconds < 0 || t.Scale > 9 || seconds > 9223372035 {
		return 0, 0
	}
	if digitsRead > t.Scale {
		fraction /= tens[digitsRead-t.Scale]
	} else {
		fraction *= tens[t.Scale-digitsRead]
	}
	return uint64(seconds)*tens[t.Scale] + fraction, n
}
