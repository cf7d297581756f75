package wire

import (
	"encoding/hex"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"dictsvc/errcode"
)

// packets are all packets but blocks, each with a value, its encoder, and a decoder that gives the value back.
var packets = []struct {
	name      string
	value     any
	encode    func(w *output, v any, revision uint64)
	decode    func(r *input, revision uint64) any
	golden    map[uint64]string // hex by revision
	revisions []uint64
}{
	{
		name:  "client hello",
		value: clientHelloPacket{Name: "c", Major: 1, Minor: 2, Revision: 54460, Database: "d", User: "u", Password: "p"},
		encode: func(w *output, v any, _ uint64) {
			h := v.(clientHelloPacket)
			h.encode(w)
		},
		decode: func(r *input, _ uint64) any {
			var h clientHelloPacket
			h.decode(r, &testLimits)
			return h
		},
		golden: map[uint64]string{54460: "00" + "0163" + "01" + "02" + "bca903" + "0164" + "0175" + "0170"},
	},
	{
		name:  "server hello",
		value: ServerInfo{Name: "s", Major: 26, Minor: 7, Patch: 1, Revision: 54460, Timezone: "UTC", DisplayName: "n"},
		encode: func(w *output, v any, revision uint64) {
			h := v.(ServerInfo)
			h.encode(w, revision)
		},
		decode: func(r *input, revision uint64) any {
			var h ServerInfo
			h.decode(r, revision, &testLimits)
			return h
		},
		golden:    map[uint64]string{54460: "00" + "0173" + "1a" + "07" + "bca903" + "03555443" + "016e" + "01"},
		revisions: dialects,
	},
	{
		name: "query",
		value: Query{ID: "q", SQL: "SELECT 1", Stage: StageComplete, Compressed: true, Secret: "",
			Settings: []Setting{{Name: "max_threads", Value: "3", Flags: 1}}, Params: []Param{{"p", "a'b"}},
			Client: ClientInfo{Kind: KindInitial, InitialUser: "u", InitialAddress: "a", StartTimeUS: 1, Interface: interfaceTCP,
				OSUser: "o", Hostname: "h", ClientName: "c", Major: 1, Minor: 2, Patch: 3, Revision: 54460, QuotaKey: "k", DistributedDepth: 1,
				Trace: Trace{Set: true, TraceID: [16]byte{1}, SpanID: [8]byte{2}, State: "s", Flags: 1}, ReplicaCount: 2}},
		encode: encodeTestQuery,
		decode: decodeTestQuery,
		golden: map[uint64]string{
			54412: "01" + "0171" + "01" + "0175" + "00" + "0161" + "01" + "016f" + "0168" + "0163" + "01" + "02" + "bca903" + "016b" + "03" +
				"0b6d61785f74687265616473" + "03" + "00" + "02" + "01" + "0853454c4543542031",
			54460: "01" + "0171" + "01" + "0175" + "00" + "0161" + "0100000000000000" + "01" + "016f" + "0168" + "0163" + "01" + "02" + "bca903" + "016b" + "01" + "03" +
				"01" + "01000000000000000000000000000000" + "0200000000000000" + "0173" + "01" + "00" + "02" + "00" +
				"0b6d61785f74687265616473" + "01" + "0133" + "00" + "00" + "02" + "01" + "0853454c4543542031" +
				"0170" + "02" + "0627615c276227" + "00",
		},
		revisions: dialects,
	},
	{
		name:      "query over HTTP",
		value:     Query{ID: "q", SQL: "SELECT 1", Stage: StageWithMergeableState, Client: ClientInfo{Kind: KindSecondary, Interface: interfaceHTTP, HTTPMethod: 2, UserAgent: "curl", ForwardedFor: "f", Referer: "r"}},
		encode:    encodeTestQuery,
		decode:    decodeTestQuery,
		revisions: dialects,
	},
	{
		name:      "query from another interface",
		value:     Query{ID: "q", SQL: "SELECT 1", Stage: StageComplete, Client: ClientInfo{Kind: KindSecondary, Interface: 6, QuotaKey: "k"}},
		encode:    encodeTestQuery,
		decode:    decodeTestQuery,
		revisions: dialects,
	},
	{
		name:      "query from nobody",
		value:     Query{SQL: strings.Repeat("x", 100_000)},
		encode:    encodeTestQuery,
		decode:    decodeTestQuery,
		revisions: dialects,
	},
	{
		name:  "progress",
		value: Progress{Rows: 1, Bytes: 2, TotalRows: 300, WrittenRows: 4, WrittenBytes: 5, ElapsedNS: 6},
		encode: func(w *output, v any, revision uint64) {
			p := v.(Progress)
			p.encode(w, revision)
		},
		decode: func(r *input, revision uint64) any {
			var p Progress
			p.decode(r, revision)
			return p
		},
		golden:    map[uint64]string{54412: "03" + "01" + "02" + "ac02", 54453: "03" + "01" + "02" + "ac02" + "04" + "05", 54460: "03" + "01" + "02" + "ac02" + "04" + "05" + "06"},
		revisions: dialects,
	},
	{
		name:  "profile",
		value: Profile{Rows: 1, Blocks: 2, Bytes: 3, AppliedLimit: true, RowsBeforeLimit: 4, CalculatedRowsBeforeLimit: true},
		encode: func(w *output, v any, _ uint64) {
			p := v.(Profile)
			p.encode(w)
		},
		decode: func(r *input, _ uint64) any {
			var p Profile
			p.decode(r)
			return p
		},
		golden: map[uint64]string{54460: "06" + "01" + "02" + "03" + "01" + "04" + "01"},
	},
	{
		name:  "exception",
		value: "36 bad arguments",
		encode: func(w *output, v any, _ uint64) {
			encodeException(w, errcode.New(errcode.BadArguments, "bad arguments"))
		},
		decode: func(r *input, _ uint64) any {
			err := decodeException(r, &testLimits)
			return fmt.Sprint(int(errcode.Of(err)), " ", err)
		},
		golden: map[uint64]string{54460: "02" + "24000000" + "0d44423a3a457863657074696f6e" + "1c44423a3a457863657074696f6e3a2062616420617267756d656e7473" + "00" + "00"},
	},
	{
		name:   "tables request",
		value:  []TableName{{"d", "t"}, {"", "u"}},
		encode: func(w *output, v any, _ uint64) { encodeTablesRequest(w, v.([]TableName)) },
		decode: func(r *input, _ uint64) any { return decodeTablesRequest(r, &testLimits) },
		golden: map[uint64]string{54460: "05" + "02" + "0164" + "0174" + "00" + "0175"},
	},
	{
		name:   "tables response",
		value:  []TableName{{"d", "t"}},
		encode: func(w *output, v any, _ uint64) { encodeTablesResponse(w, v.([]TableName)) },
		decode: func(r *input, _ uint64) any { return decodeTablesResponse(r, &testLimits) },
		golden: map[uint64]string{54460: "09" + "01" + "0164" + "0174" + "00"},
	},
}

func encodeTestQuery(w *output, v any, revision uint64) {
	q := v.(Query)
	if !FeatureParameters.In(revision) {
		q.Params = nil
	}
	if err := q.encode(w, revision); err != nil {
		panic(err)
	}
}

func decodeTestQuery(r *input, revision uint64) any {
	var q Query
	if err := q.decode(r, revision, &testLimits, &words{}); err != nil {
		return err
	}
	return q
}

func TestPackets(t *testing.T) {
	for _, p := range packets {
		revisions := p.revisions
		if revisions == nil {
			revisions = []uint64{Revision}
		}
		for _, revision := range revisions {
			revision = min(revision, Revision)
			t.Run(fmt.Sprint(p.name, " ", revision), func(t *testing.T) {
				var w output
				p.encode(&w, p.value, revision)
				if want, ok := p.golden[revision]; ok && hex.EncodeToString(w.buf) != want {
					t.Fatalf("want %s\n got %x", want, w.buf)
				}
				for _, k := range []int{1, 3, len(w.buf)} {
					r := trickle(w.buf, k)
					r.uvarint() // the id
					got := p.decode(r, revision)
					if r.err != nil || r.pos != len(r.buf) {
						t.Fatalf("decode: %v, %d bytes left", r.err, len(r.buf)-r.pos)
					}
					var again output // fields that the revision does not have are lost, the bytes must not be
					if reflect.TypeOf(got) != reflect.TypeOf(p.value) {
						t.Fatalf("decoded as %T: %v", got, got)
					}
					if p.encode(&again, got, revision); string(again.buf) != string(w.buf) {
						t.Fatalf("decoded as %+v and encoded again:\nwant %x\n got %x", got, w.buf, again.buf)
					}
					if revision == Revision && !reflect.DeepEqual(clean(got), clean(p.value)) {
						t.Fatalf("want %+v\n got %+v", p.value, got)
					}
				}
				step := max(len(w.buf)/500, 1)
				for n := 1; n < len(w.buf); n += step { // every proper prefix fails
					r := newBytesInput(w.buf[:n])
					r.uvarint()
					if p.decode(r, revision); r.err == nil {
						t.Fatalf("%d of %d bytes are decoded without an error", n, len(w.buf))
					}
				}
			})
		}
	}
}

// clean takes off what a decoder adds.
func clean(v any) any {
	if q, ok := v.(Query); ok {
		q.Revision = 0
		if len(q.Settings) == 0 {
			q.Settings = nil
		}
		return q
	}
	return v
}

func TestNestedException(t *testing.T) {
	var w output
	for i := 0; i < 2; i++ {
		w.i32(int32(10 + i))
		w.str("DB::Exception")
		w.str(fmt.Sprintf("DB::Exception: level %d", i))
		w.str("stack")
		w.bool(i == 0)
	}
	err := decodeException(newBytesInput(w.buf), &testLimits)
	if errcode.Of(err) != 10 || err.Error() != "level 0; caused by: level 1" {
		t.Fatal(err)
	}
	w.buf = nil
	for i := 0; i < 100; i++ {
		w.i32(1)
		w.str("")
		w.str("")
		w.str("")
		w.bool(true)
	}
	wantCode(t, decodeException(newBytesInput(w.buf), &testLimits), errcode.IncorrectData)
}

func TestBinarySettings(t *testing.T) {
	in := []Setting{{Name: "max_threads", Value: "auto"}, {Name: "extremes", Value: "true"}, {Name: "distributed_ddl_task_timeout", Value: "-1"},
		{Name: "totals_mode", Value: "after_having_exclusive"}, {Name: "unheard_of", Value: "1"}}
	var w output
	if err := encodeSettings(&w, in, 54412); err != nil {
		t.Fatal(err)
	}
	want := "0b6d61785f74687265616473" + "00" + "0865787472656d6573" + "01" + "1c" + hex.EncodeToString([]byte("distributed_ddl_task_timeout")) + "01" +
		"0b" + hex.EncodeToString([]byte("totals_mode")) + "16" + hex.EncodeToString([]byte("after_having_exclusive")) + "00"
	if got := hex.EncodeToString(w.buf); got != want {
		t.Fatalf("want %s\n got %s", want, got)
	}
	got := decodeSettings(newBytesInput(w.buf), nil, 54412, &testLimits, &words{})
	if fmt.Sprint(got) != "[{max_threads 0 0} {extremes 1 0} {distributed_ddl_task_timeout -1 0} {totals_mode after_having_exclusive 0}]" {
		t.Fatal(got)
	}
	if len(binarySettings) != 184 {
		t.Fatalf("want the 184 settings of 18.16, got %d", len(binarySettings))
	}
	r := newBytesInput(append([]byte{3}, "new\x01"...))
	decodeSettings(r, nil, 54412, &testLimits, &words{})
	wantCode(t, r.err, errcode.UnknownSetting)
	if err := encodeSettings(&w, []Setting{{Name: "max_threads", Value: "many"}}, 54412); errcode.Of(err) != errcode.CannotParseNumber {
		t.Fatal(err)
	}
}

func TestUnquoteParam(t *testing.T) {
	for in, want := range map[string]string{`'5'`: "5", `'it\'s'`: "it's", `'it's'`: "it's", `5`: "5", `'a\\b\n'`: "a\\b\n", `'\x41'`: `\x41`, `'`: `'`, `''`: "", `'\'`: `\`} {
		if got := unquoteParam(in); got != want {
			t.Errorf("%s: want %q, got %q", in, want, got)
		}
	}
	for _, s := range []string{"", "it's", `a\b`, "tab\t", `\'`} {
		if got := unquoteParam(quoteParam(s)); got != s {
			t.Errorf("want %q back, got %q", s, got)
		}
	}
}

func TestVarints(t *testing.T) {
	for _, v := range []uint64{0, 1, 127, 128, 300, 1<<63 - 1, 1 << 63, 1<<64 - 1} {
		var w output
		w.uvarint(v)
		w.varint(int64(v))
		for _, k := range []int{1, 100} {
			r := trickle(w.buf, k)
			if a, b := r.uvarint(), r.varint(); a != v || b != int64(v) || r.err != nil {
				t.Fatalf("want %d, got %d and %d, %v", v, a, b, r.err)
			}
		}
	}
	for _, b := range []string{"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", strings.Repeat("\x80", 11) + "\x00"} {
		for _, k := range []int{1, 100} {
			r := trickle([]byte(b), k)
			if r.uvarint(); errcode.Of(r.err) != errcode.IncorrectData {
				t.Fatalf("%x in pieces of %d: %v", b, k, r.err)
			}
		}
	}
	r := newBytesInput(nil)
	if r.uvarint(); errors.Is(r.err, nil) {
		t.Fatal("a number out of nothing")
	}
}
