package server

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/ClickHouse/ch-go"
	"github.com/ClickHouse/ch-go/proto"
)

func chDial(t *testing.T, addr string, method ch.Compression) *ch.Client {
	t.Helper()
	c, err := ch.Dial(context.Background(), ch.Options{Address: addr, Compression: method})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// ch-go: results in columns, parameters, inserts, errors and cancelling.
func TestCHGo(t *testing.T) {
	_, addr := usersServer(t)
	ctx := context.Background()
	for _, method := range []ch.Compression{ch.CompressionDisabled, ch.CompressionNone, ch.CompressionLZ4, ch.CompressionZSTD} {
		run(t, addr, "TRUNCATE TABLE t")
		c := chDial(t, addr, method)
		var who proto.ColStr
		var nick = new(proto.ColStr).Nullable()
		q := ch.Query{Body: "SELECT dictGet('users', 'name', {x:UInt64}) AS who, dictGet('users', 'nick', {x:UInt64}) AS nick", Parameters: ch.Parameters(map[string]any{"x": 17}),
			Result: proto.Results{{Name: "who", Data: &who}, {Name: "nick", Data: nick}}}
		if err := c.Do(ctx, q); err != nil || who.Rows() != 1 || who.Row(0) != "user-17" || nick.Row(0) != proto.NewNullable("n17") {
			t.Errorf("%v, %v, %v", who, nick, err)
		}
		var id proto.ColUInt64
		rows, sum, blocks := 0, uint64(0), 0
		q = ch.Query{Body: "SELECT id FROM users", Result: proto.Results{{Name: "id", Data: &id}}, Settings: []ch.Setting{ch.SettingInt("max_block_size", 100)},
			OnResult: func(context.Context, proto.Block) error {
				blocks++
				rows += id.Rows()
				for _, v := range id {
					sum += v
				}
				return nil
			}}
		if err := c.Do(ctx, q); err != nil || rows != users || sum != users*(users+1)/2 {
			t.Errorf("%d rows, sum %d, %v", rows, sum, err)
		}
		var text proto.ColStr
		id.Reset()
		text.Reset()
		sent := 0
		in := proto.Input{{Name: "id", Data: &id}, {Name: "s", Data: &text}}
		err := c.Do(ctx, ch.Query{Body: in.Into("t"), Input: in, OnInput: func(context.Context) error {
			in.Reset()
			if sent == 5 {
				return io.EOF
			}
			for i := range 1000 {
				id.Append(uint64(sent*1000 + i))
				text.Append("x")
			}
			sent++
			return nil
		}})
		if err != nil {
			t.Error(err)
		}
		check(t, addr, "SELECT count(), uniqExact(id), any(s) FROM t", "5000\t5000\tx\n")
		var x *ch.Exception
		if err := c.Do(ctx, ch.Query{Body: "SELECT nothing"}); !errors.As(err, &x) || x.Code != 47 {
			t.Errorf("want error 47, got %v", err)
		}
		var n proto.ColUInt64
		err = c.Do(ctx, ch.Query{Body: "SELECT number FROM ext", ExternalTable: "ext", ExternalData: []proto.InputColumn{{Name: "number", Data: proto.ColUInt64{7, 8}}},
			Result: proto.Results{{Name: "number", Data: &n}}})
		if err != nil || len(n) != 2 || n[1] != 8 {
			t.Errorf("external table: %v, %v", n, err)
		}
		if err := c.Ping(ctx); err != nil {
			t.Error(err)
		}
		stop, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
		start := time.Now()
		if err := c.Do(stop, ch.Query{Body: longQuery}); err == nil || time.Since(start) > 5*time.Second {
			t.Errorf("a deadline of 100 ms: %v after %v", err, time.Since(start))
		}
		cancel()
		c.Close() // ch-go gives a cancelled connection up
		await(t, "ended", func() bool { return running(t, addr) == "0\n" })
	}
}
