package jsonl

import (
	"math"

	"dictsvc/column"
	"dictsvc/errcode"
)

// dateTime appends the time that a string holds, in any of the spellings that ClickHouse's best_effort takes.
func dateTime(dst column.Column, s []byte) errcode.Code {
	t := dst.Type()
	m, ok := column.ParseBestEffort(s, t.Location())
	if !ok {
		return errcode.CannotParseDatetime
	}
	switch c := dst.(type) {
	case *column.Num[uint32]:
		if m.Fraction && !m.Dated { // ClickHouse takes 1577836800.5 for a DateTime64 only
			return errcode.CannotParseInputAssertionFailed
		}
		if m.Seconds < 0 || m.Seconds > math.MaxUint32 {
			return errcode.ValueIsOutOfRangeOfDataType
		}
		c.Data = append(c.Data, uint32(m.Seconds))
	case *column.Num[int64]:
		scale := int64(tens[t.Scale])
		if m.Seconds < firstSecond || m.Seconds > min(lastSecond, math.MaxInt64/scale-1) {
			return errcode.ValueIsOutOfRangeOfDataType
		}
		c.Data = append(c.Data, m.Seconds*scale+m.Nanos/(1e9/scale))
	}
	return 0
}

// The seconds that a DateTime64 can hold: the years 1900 to 2299, with nine digits of fraction to 2262.
const (
	firstSecond = -2208988800
	lastSecond  = 10413791999
)
