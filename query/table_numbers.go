package query

import (
	"math"
	"sync/atomic"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/internal/simd"
)

// numbersTable is numbers(), zeros() and their system tables: count numbers from first on, step apart.
type numbersTable struct {
	name  string // of the column
	first uint64
	step  uint64
	count uint64 // math.MaxUint64: endless
	zeros bool
	line  string
}

func (t *numbersTable) columns() []columnInfo {
	if t.zeros {
		return []columnInfo{{Name: "zero", Type: column.Of(column.UInt8)}}
	}
	return []columnInfo{{Name: t.name, Type: column.Of(column.UInt64)}}
}

func (t *numbersTable) explain() string { return t.line }

// open implements relation: the streams take blocks of numbers in turn.
func (t *numbersTable) open(ex *exec, r readRequest) ([]stream, error) {
	size := uint64(ex.q.blockSize)
	if r.rows > 0 {
		size = uint64(r.rows)
	}
	count := t.count
	if r.limit >= 0 && uint64(r.limit) < count {
		count = uint64(r.limit)
		size = max(min(size, count), 1)
	}
	if count != math.MaxUint64 {
		ex.q.totalRows.Add(count)
	}
	n := max(r.streams, 1)
	if count <= 2*size {
		n = 1
	}
	blocks := (count + size - 1) / size
	if count > math.MaxUint64-size {
		blocks = math.MaxInt64
	}
	var next atomic.Uint64
	streams := make([]stream, n)
	for i := range streams {
		var mem *column.Scratch
		if r.transient {
			mem = new(column.Scratch)
		}
		streams[i] = streamFunc(func() (*batch, error) {
			if err := ex.check(); err != nil {
				return nil, err
			}
			k := next.Add(1) - 1
			if k >= blocks {
				return nil, nil
			}
			from := k * size
			b := &batch{rows: int(min(size, count-from)), seq: int(k)}
			ex.q.read(b.rows, 8*b.rows)
			if len(r.cols) > 0 {
				b.cols = []column.Column{t.block(mem, from, b.rows)}
			}
			for len(b.cols) < len(r.cols) {
				b.cols = append(b.cols, b.cols[0])
			}
			return b, nil
		})
	}
	return streams, nil
}

func (t *numbersTable) block(mem *column.Scratch, from uint64, n int) column.Column {
	if t.zeros {
		return column.NewConst(column.UInt8s(0), n)
	}
	mem.Reset()
	data := column.Make[uint64](mem, n)
	fillSteps(data, t.first+from*t.step, t.step)
	return column.NewNum(column.Of(column.UInt64), data)
}

// fillSteps writes v, v+step, v+2*step, ...
func fillSteps(data []uint64, v, step uint64) {
	n := simd.Steps(data, v, step)
	v += uint64(n) * step
	data = data[n:]
	for i := range data {
		data[i] = v
		v += step
	}
}

// numbersFunction is numbers(n), numbers(offset, n), numbers(offset, n, step), and numbers() without an end.
func numbersFunction(f *tableCall) (relation, error) {
	t := &numbersTable{name: "number", step: 1, line: "ReadFromSystemNumbers"}
	args, err := f.unsigned(0, 3)
	if err != nil {
		return nil, err
	}
	switch len(args) {
	case 0:
		t.count = math.MaxUint64
	case 1:
		t.count = args[0]
	case 2:
		t.first, t.count = args[0], args[1]
	case 3:
		if args[2] == 0 {
			return nil, errcode.New(errcode.BadArguments, "Table function %s requires step to be a positive number", f.name)
		}
		t.first, t.step = args[0], args[2]
		t.count = args[1] / args[2]
		if args[1]%args[2] != 0 {
			t.count++
		}
	}
	return t, nil
}

// zerosFunction is zeros(n).
func zerosFunction(f *tableCall) (relation, error) {
	args, err := f.unsigned(1, 1)
	if err != nil {
		return nil, err
	}
	return &numbersTable{count: args[0], zeros: true, line: "ReadFromSystemZeros"}, nil
}

// seriesFunction is generate_series(start, stop[, step]).
func seriesFunction(f *tableCall) (relation, error) {
	args, err := f.unsigned(2, 3)
	if err != nil {
		return nil, err
	}
	t := &numbersTable{name: "generate_series", first: args[0], step: 1, line: "ReadFromSystemNumbers"}
	if len(args) == 3 {
		t.step = args[2]
	}
	if t.step == 0 {
		return nil, errcode.New(errcode.BadArguments, "Table function %s requires step to be a positive number", f.name)
	}
	if args[1] >= args[0] {
		t.count = (args[1]-args[0])/t.step + 1
	}
	return t, nil
}
