package conformance

import (
	"bytes"
	"context"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/format"
	"dictsvc/query"
)

// text renders results as the recorder has them: TSVWithNamesAndTypes.
type text struct {
	buf bytes.Buffer
	w   format.Writer
}

func (t *text) head(b *column.Block) error {
	w, err := format.NewWriter("TSVWithNamesAndTypes", &t.buf)
	if err != nil {
		return err
	}
	t.w = w
	return w.Header(b)
}

func (t *text) end() (string, error) {
	if t.w == nil {
		return "", nil
	}
	err := t.w.Close()
	return t.buf.String(), err
}

// sink is a query.Sink over text.
type sink struct{ text }

func (s *sink) Header(h query.Header) error   { return s.head(h.Block) }
func (s *sink) Block(b *column.Block) error   { return s.w.Block(b) }
func (s *sink) Totals(b *column.Block) error  { return s.w.Totals(b) }
func (s *sink) Extremes(*column.Block) error  { return nil }
func (s *sink) Progress(query.Progress) error { return nil }
func (s *sink) Profile(query.Profile) error   { return nil }

// Direct runs statements on the engine itself.
type Direct struct{ Session *query.Session }

// Run is Session's.
func (d Direct) Run(ctx context.Context, sql string) (Answer, error) {
	s := &sink{}
	if err := d.Session.Run(ctx, query.Request{SQL: sql, Stage: query.StageComplete}, s); err != nil {
		return Answer{Code: int(errcode.Of(err)), Error: err.Error()}, nil
	}
	out, err := s.end()
	return Answer{Text: out}, err
}
