package server

import (
	"context"
	"fmt"
	"testing"

	"dictsvc/column"
	"dictsvc/dict"
	"dictsvc/query"
	"dictsvc/wire"
)

// discard is a Sink that counts nothing.
type discard struct{}

func (discard) Header(query.Header) error     { return nil }
func (discard) Block(*column.Block) error     { return nil }
func (discard) Totals(*column.Block) error    { return nil }
func (discard) Extremes(*column.Block) error  { return nil }
func (discard) Progress(query.Progress) error { return nil }
func (discard) Profile(query.Profile) error   { return nil }

// benchServer serves a dictionary "users" of 1,000 rows.
func benchServer(b *testing.B) *Server {
	b.Helper()
	s, err := Start(&Config{TCP: "127.0.0.1:0"})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	def := &dict.Definition{Database: "default", Name: "users", Layout: dict.Layout{Name: dict.Hashed}, Source: dict.Source{Kind: "null"},
		Keys: []dict.Attribute{{Name: "id", Type: column.Of(column.UInt64)}}, Attrs: []dict.Attribute{{Name: "name", Type: column.Of(column.String)}}}
	if err := def.Normalise(); err != nil {
		b.Fatal(err)
	}
	build, err := dict.NewBuilder(def)
	if err != nil {
		b.Fatal(err)
	}
	for i := range 1000 {
		if err := build.Add([]column.Column{column.UInt64s(uint64(i)), column.Strings(fmt.Sprint("user-", i))}, 1); err != nil {
			b.Fatal(err)
		}
	}
	v, err := build.Finish()
	if err != nil {
		b.Fatal(err)
	}
	if _, err := s.Engine.Dictionaries().Adopt(v, true); err != nil {
		b.Fatal(err)
	}
	return s
}

// BenchmarkPoint is one look-up a query: in the engine alone, and over a connection.
func BenchmarkPoint(b *testing.B) {
	s := benchServer(b)
	b.Run("engine", func(b *testing.B) {
		session, _ := s.Engine.NewSession(query.User{}, "")
		b.ReportAllocs()
		for i := range b.N {
			text := fmt.Sprintf("SELECT dictGet('users','name',toUInt64(%d))", i%1000)
			if err := session.Run(context.Background(), query.Request{SQL: text, Stage: query.StageComplete}, discard{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("tcp", func(b *testing.B) {
		c, err := wire.Dial(context.Background(), s.Addr().String(), wire.ClientConfig{})
		if err != nil {
			b.Fatal(err)
		}
		defer c.Close()
		b.ReportAllocs()
		for i := range b.N {
			text := fmt.Sprintf("SELECT dictGet('users','name',toUInt64(%d))", i%1000)
			if err := c.Exec(context.Background(), &wire.Request{SQL: text}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
