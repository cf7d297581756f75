package format

import (
	"bufio"
	"strconv"
	"time"

	"dictsvc/column"
)

func itoa(n int) string { return strconv.Itoa(n) }

// jsonDocument is JSON and JSONCompact: one document with the columns, the rows, totals and statistics.
type jsonDocument struct {
	w       *bufio.Writer
	compact bool
	names   [][]byte
	rows    uint64
	start   time.Time
	tot     *column.Block
	buf     []byte
}

func (j *jsonDocument) Header(b *column.Block) error {
	j.start = time.Now()
	buf := append(j.buf[:0], "{\n\t\"meta\":\n\t[\n"...)
	for i, c := range b.Cols {
		if i > 0 {
			buf = append(buf, ",\n"...)
		}
		name := column.AppendJSONString(nil, []byte(b.Names[i]))
		j.names = append(j.names, name)
		buf = append(append(buf, "\t\t{\n\t\t\t\"name\": "...), name...)
		buf = append(buf, ",\n\t\t\t\"type\": "...)
		buf = column.AppendJSONString(buf, []byte(c.Type().String()))
		buf = append(buf, "\n\t\t}"...)
	}
	buf = append(buf, "\n\t],\n\n\t\"data\":\n\t[\n"...)
	j.buf = buf
	_, err := j.w.Write(buf)
	return err
}

func (j *jsonDocument) Block(b *column.Block) error {
	for i := range b.Rows {
		buf := j.buf[:0]
		if j.rows > 0 {
			buf = append(buf, ",\n"...)
		}
		j.rows++
		buf = append(buf, "\t\t"...)
		if j.compact {
			buf = compactRow(buf, b, i)
		} else {
			buf = j.object(buf, b, i, 2)
		}
		j.buf = buf
		if _, err := j.w.Write(buf); err != nil {
			return err
		}
	}
	return nil
}

func tabs(buf []byte, n int) []byte {
	for ; n > 0; n-- {
		buf = append(buf, '\t')
	}
	return buf
}

func (j *jsonDocument) object(buf []byte, b *column.Block, i, depth int) []byte {
	buf = append(buf, "{\n"...)
	for k, c := range b.Cols {
		if k > 0 {
			buf = append(buf, ",\n"...)
		}
		buf = append(append(tabs(buf, depth+1), j.names[k]...), ": "...)
		buf = spreadValue(buf, c, i, depth+1)
	}
	return append(tabs(append(buf, '\n'), depth), '}')
}

// spreadValue writes a value; tuples and maps are spread over lines.
func spreadValue(buf []byte, c column.Column, i, depth int) []byte {
	if k, ok := c.(*column.Const); ok {
		c, i = k.Val, 0
	}
	switch x := c.(type) {
	case *column.Tup:
		open, end := byte('['), byte(']')
		if x.T.Names != nil {
			open, end = '{', '}'
		}
		buf = append(buf, open, '\n')
		for k, e := range x.Elems {
			if k > 0 {
				buf = append(buf, ",\n"...)
			}
			buf = tabs(buf, depth+1)
			if x.T.Names != nil {
				buf = append(column.AppendJSONString(buf, []byte(x.T.Names[k])), ": "...)
			}
			buf = spreadValue(buf, e, i, depth+1)
		}
		return append(tabs(append(buf, '\n'), depth), end)
	case *column.MapColumn:
		from, to := x.Arr.Range(i)
		if from == to {
			return append(buf, "{}"...)
		}
		buf = append(buf, "{\n"...)
		for k := from; k < to; k++ {
			if k > from {
				buf = append(buf, ",\n"...)
			}
			buf = tabs(buf, depth+1)
			key := column.AppendText(nil, x.Keys(), k, column.TextRaw)
			buf = append(column.AppendJSONString(buf, key), ": "...)
			buf = spreadValue(buf, x.Values(), k, depth+1)
		}
		return append(tabs(append(buf, '\n'), depth), '}')
	}
	return column.AppendText(buf, c, i, column.TextJSON)
}

func (j *jsonDocument) Totals(b *column.Block) error {
	j.tot = b
	return nil
}

func (j *jsonDocument) Close() error {
	if j.names == nil { // no result at all
		return j.w.Flush()
	}
	buf := append(j.buf[:0], "\n\t],\n\n"...)
	if j.tot != nil && j.tot.Rows > 0 {
		buf = append(buf, "\t\"totals\":"...)
		if j.compact {
			buf = append(compactRow(append(buf, ' '), j.tot, 0), ",\n\n"...)
		} else {
			buf = append(j.object(append(buf, "\n\t"...), j.tot, 0, 1), ",\n\n"...)
		}
	}
	buf = append(buf, "\t\"rows\": "...)
	buf = strconv.AppendUint(buf, j.rows, 10)
	buf = append(buf, ",\n\n\t\"statistics\":\n\t{\n\t\t\"elapsed\": "...)
	buf = strconv.AppendFloat(buf, time.Since(j.start).Seconds(), 'f', -1, 64)
	buf = append(buf, ",\n\t\t\"rows_read\": "...)
	buf = strconv.AppendUint(buf, j.rows, 10)
	buf = append(buf, ",\n\t\t\"bytes_read\": 0\n\t}\n}\n"...)
	if _, err := j.w.Write(buf); err != nil {
		return err
	}
	return j.w.Flush()
}
