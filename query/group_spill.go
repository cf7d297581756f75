package query

import (
	"encoding/binary"
	"os"
	"path/filepath"

	"dictsvc/agg"
	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/internal/lzframe"
)

// spillFile holds groups that went to disk because GROUP BY had become too large for max_bytes_before_external_group_by. It has no name from the start, so
// that nothing is left of it whatever happens; the exec closes it. Groups stand in frames of some rows each: the keys' images, and behind them each
// group's states in ClickHouse's bytes. A partition is put together again from its frames, in the order in which they were written.
type spillFile struct {
	f      *os.File
	size   int64
	frames [agg.Partitions][]spillFrame
}

type spillFrame struct {
	at   int64
	size int
}

// spillRows is the number of groups in a frame.
const spillRows = 4096

// openSpill makes the file, at the first group that has to leave.
func (g *groupStream) openSpill() (*spillFile, error) {
	dir := os.TempDir()
	if g.ex.q.engine.cfg.DataDir != "" {
		dir = filepath.Join(g.ex.q.engine.cfg.DataDir, "tmp")
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, errcode.New(errcode.CannotOpenFile, "Cannot make the folder of temporary files: %v", err)
		}
	}
	f, err := os.CreateTemp(dir, ".group-by-*")
	if err != nil {
		return nil, errcode.New(errcode.CannotOpenFile, "Cannot make a temporary file for GROUP BY: %v", err)
	}
	_ = os.Remove(f.Name()) // it lives on until it is closed
	g.ex.onClose(func() { _ = f.Close() })
	return &spillFile{f: f}, nil
}

// spill sends all partitions' groups to disk where they hold more than is allowed.
func (p *groupParts) spill() error {
	g := p.g
	if g.limits.external <= 0 || g.held.Load() < int64(g.limits.external) {
		return nil
	}
	p.spilling.Lock() // one worker at a time writes
	defer p.spilling.Unlock()
	if g.held.Load() < int64(g.limits.external) {
		return nil
	}
	if p.file == nil {
		var err error
		if p.file, err = g.openSpill(); err != nil {
			return err
		}
	}
	for part := range p.parts {
		if err := p.spillPart(part); err != nil {
			return err
		}
	}
	return nil
}

// spillPart writes a partition's groups; its table is empty then.
func (p *groupParts) spillPart(part int) error {
	at := &p.parts[part]
	at.mu.Lock()
	defer at.mu.Unlock()
	t := at.table
	if t == nil || t.groups() == 0 {
		return nil
	}
	t.seal()
	for from := 0; from < t.groups(); from += spillRows {
		if err := p.file.write(part, t, from, min(from+spillRows, t.groups())); err != nil {
			return err
		}
		if err := p.g.ex.q.tick(); err != nil {
			return err
		}
	}
	p.total.Add(-int64(t.groups()))
	p.g.freeTable(t)
	at.table = nil
	return nil
}

// write appends a frame of groups [from, to).
func (s *spillFile) write(part int, t *groupTable, from, to int) error {
	keys := t.keys.Keys(from, to)
	raw := binary.LittleEndian.AppendUint32(nil, uint32(to-from))
	for i := range to - from {
		for _, k := range keys {
			raw = k.AppendKey(raw, i)
		}
	}
	for _, st := range t.states {
		for i := from; i < to; i++ {
			raw = st.Save(raw, i)
		}
	}
	var c lzframe.Compressor
	frame, err := c.Append(nil, raw)
	if err != nil {
		return err
	}
	if _, err := s.f.WriteAt(frame, s.size); err != nil {
		return errcode.New(errcode.CannotWriteToFileDescriptor, "Cannot write the temporary file of GROUP BY: %v", err)
	}
	s.frames[part] = append(s.frames[part], spillFrame{s.size, len(frame)})
	s.size += int64(len(frame))
	return nil
}

// load adds the groups of a partition's frames to a table.
func (p *groupParts) load(part int, into *groupTable) error {
	for _, fr := range p.file.frames[part] {
		if err := p.loadFrame(fr, into); err != nil {
			return err
		}
		if err := p.g.account(into); err != nil {
			return err
		}
		if err := p.g.ex.q.tick(); err != nil {
			return err
		}
	}
	return nil
}

func (p *groupParts) loadFrame(fr spillFrame, into *groupTable) error {
	frame := make([]byte, fr.size)
	if _, err := p.file.f.ReadAt(frame, fr.at); err != nil {
		return errcode.New(errcode.CannotReadFromFileDescriptor, "Cannot read the temporary file of GROUP BY: %v", err)
	}
	raw := make([]byte, max(lzframe.RawSize(frame), 0))
	if err := lzframe.Open(raw, frame); err != nil {
		return errcode.Wrap(err, "temporary file of GROUP BY")
	}
	n := int(binary.LittleEndian.Uint32(raw))
	raw = raw[4:]
	keys := make([]column.Column, len(p.g.plan.keys))
	for i, k := range p.g.plan.keys {
		keys[i] = column.New(k.typ, n)
	}
	for range n {
		for _, k := range keys {
			raw = k.ReadKey(raw)
		}
	}
	ids := make([]uint32, n)
	into.keys.Groups(keys, n, ids)
	into.grow()
	r := column.NewStateReader(raw)
	for i, a := range p.g.plan.aggs {
		states := a.agg.NewStates()
		states.Grow(n)
		for row := range n {
			if err := states.Load(r, row); err != nil {
				return err
			}
		}
		if s, ok := states.(agg.Sealer); ok {
			s.Seal()
		}
		if err := into.states[i].Merge(states, nil, ids); err != nil {
			return err
		}
	}
	return nil
}
