package function

import (
	"time"

	"dictsvc/column"
)

// civil is a day of the proleptic Gregorian calendar.
type civil struct{ y, m, d int }

// civilOf turns days since 1970-01-01 into a date (Howard Hinnant, "chrono-compatible low-level date algorithms").
func civilOf(days int) civil {
	z := days + 719468
	era := floorDiv(z, 146097)
	doe := z - era*146097
	yoe := (doe - doe/1460 + doe/36524 - doe/146096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	d := doy - (153*mp+2)/5 + 1
	m := mp + 3
	if m > 12 {
		m -= 12
	}
	y := yoe + era*400
	if m <= 2 {
		y++
	}
	return civil{y, m, d}
}

// days is the day's number since 1970-01-01; months outside 1..12 are carried into the year.
func (c civil) days() int {
	y := c.y + floorDiv(c.m-1, 12)
	m := floorMod(c.m-1, 12) + 1
	if m <= 2 {
		y--
	}
	era := floorDiv(y, 400)
	yoe := y - era*400
	mp := m - 3
	if m <= 2 {
		mp = m + 9
	}
	doy := (153*mp+2)/5 + c.d - 1
	doe := yoe*365 + yoe/4 - yoe/100 + doy
	return era*146097 + doe - 719468
}

func floorDiv(a, b int) int {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

func floorMod(a, b int) int { return a - floorDiv(a, b)*b }

func floorDiv64(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

func leap(y int) bool { return y%4 == 0 && (y%100 != 0 || y%400 == 0) }

func monthDays(y, m int) int {
	switch m {
	case 2:
		if leap(y) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// addMonths keeps the day of the month where the target month has it, else takes the month's last day.
func (c civil) addMonths(n int) civil {
	m := c.y*12 + c.m - 1 + n
	y := floorDiv(m, 12)
	mm := floorMod(m, 12) + 1
	return civil{y, mm, min(c.d, monthDays(y, mm))}
}

// weekday of a day number: Monday is 1, Sunday 7.
func weekday(days int) int { return floorMod(days+3, 7) + 1 }

// zone finds UTC offsets of a location, remembering the span in which the last one holds.
type zone struct {
	loc      *time.Location
	from, to int64 // the offset holds for [from, to)
	off      int64
}

func newZone(loc *time.Location) *zone {
	if loc == time.UTC {
		loc = nil
	}
	return &zone{loc: loc}
}

// zoneOf is the zone in which a date or time type is reckoned.
func zoneOf(t *column.Type) *zone { return newZone(t.Location()) }

// offset is the seconds east of UTC at an instant.
func (z *zone) offset(unix int64) int64 {
	if z.loc == nil {
		return 0
	}
	if unix >= z.from && unix < z.to {
		return z.off
	}
	t := time.Unix(unix, 0).In(z.loc)
	_, off := t.Zone()
	start, end := t.ZoneBounds()
	z.from, z.to, z.off = -1<<62, 1<<62, int64(off)
	if !start.IsZero() {
		z.from = start.Unix()
	}
	if !end.IsZero() {
		z.to = end.Unix()
	}
	return z.off
}

// local is the instant as seconds of the local clock since 1970-01-01 00:00:00 local.
func (z *zone) local(unix int64) int64 { return unix + z.offset(unix) }

// unix is the instant at which the local clock shows the given seconds: of two such instants the first; a time that the clock skips is reckoned by the later offset.
func (z *zone) unix(local int64) int64 {
	if z.loc == nil {
		return local
	}
	// The offsets in force a day before and a day after are those on both sides of a change, if there is one.
	before := local - z.offset(local-86400)
	if z.local(before) == local {
		return before
	}
	return local - z.offset(local+86400)
}

// dayStart is the first instant of a local day.
func (z *zone) dayStart(day int) int64 { return z.unix(int64(day) * 86400) }
