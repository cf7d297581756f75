package format

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"dictsvc/column"
	"dictsvc/errcode"
)

// block is the result whose texts below were recorded from ClickHouse 26.7:
// SELECT number AS n, toString(number*1000) AS s, [1,2] AS a, if(number=1,NULL,1.5) AS x, toDate('2020-01-01') AS d, (1,'q') AS t, map('k',1) AS m FROM numbers(2)
func block(t *testing.T) *column.Block {
	t.Helper()
	names := []string{"n", "s", "a", "x", "d", "t", "m"}
	types := []string{"UInt64", "String", "Array(UInt8)", "Nullable(Float64)", "Date", "Tuple(UInt8, String)", "Map(String, UInt8)"}
	rows := [][]string{{"0", "'0'", "[1,2]", "1.5", "'2020-01-01'", "(1,'q')", "{'k':1}"}, {"1", "'1000'", "[1,2]", "NULL", "'2020-01-01'", "(1,'q')", "{'k':1}"}}
	b := &column.Block{Names: names, Rows: 2}
	for i, typ := range types {
		c := column.New(column.MustParse(typ), 2)
		for _, r := range rows {
			if err := column.ParseText(c, []byte(r[i]), column.TextQuoted); err != nil {
				t.Fatal(err)
			}
		}
		b.Cols = append(b.Cols, c)
	}
	return b
}

func write(t *testing.T, name string, b, totals *column.Block) string {
	t.Helper()
	var out bytes.Buffer
	w, err := NewWriter(name, &out)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Header(b); err != nil {
		t.Fatal(err)
	}
	if err := w.Block(b); err != nil {
		t.Fatal(err)
	}
	if totals != nil {
		if err := w.Totals(totals); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestWriters(t *testing.T) {
	for name, want := range map[string]string{
		"TabSeparatedWithNames": "n\ts\ta\tx\td\tt\tm\n0\t0\t[1,2]\t1.5\t2020-01-01\t(1,'q')\t{'k':1}\n1\t1000\t[1,2]\t\\N\t2020-01-01\t(1,'q')\t{'k':1}\n",
		"TSVRaw":                "0\t0\t[1,2]\t1.5\t2020-01-01\t(1,'q')\t{'k':1}\n1\t1000\t[1,2]\t\\N\t2020-01-01\t(1,'q')\t{'k':1}\n",
		"JSONEachRow":           `{"n":0,"s":"0","a":[1,2],"x":1.5,"d":"2020-01-01","t":[1,"q"],"m":{"k":1}}` + "\n" + `{"n":1,"s":"1000","a":[1,2],"x":null,"d":"2020-01-01","t":[1,"q"],"m":{"k":1}}` + "\n",
		"JSONCompactEachRow":    `[0, "0", [1,2], 1.5, "2020-01-01", [1,"q"], {"k":1}]` + "\n" + `[1, "1000", [1,2], null, "2020-01-01", [1,"q"], {"k":1}]` + "\n",
		"CSVWithNamesAndTypes": `"n","s","a","x","d","t.1","t.2","m"` + "\n" + `"UInt64","String","Array(UInt8)","Nullable(Float64)","Date","UInt8","String","Map(String, UInt8)"` + "\n" +
			`0,"0","[1,2]",1.5,"2020-01-01",1,"q","{'k':1}"` + "\n" + `1,"1000","[1,2]",\N,"2020-01-01",1,"q","{'k':1}"` + "\n",
		"Values":   "(0,'0',[1,2],1.5,'2020-01-01',(1,'q'),{'k':1}),(1,'1000',[1,2],NULL,'2020-01-01',(1,'q'),{'k':1})",
		"Null":     "",
		"Vertical": "Row 1:\n──────\nn: 0\ns: 0\na: [1,2]\nx: 1.5\nd: 2020-01-01\nt: (1,'q')\nm: {'k':1}\n\nRow 2:\n──────\nn: 1\ns: 1000\na: [1,2]\nx: ᴺᵁᴸᴸ\nd: 2020-01-01\nt: (1,'q')\nm: {'k':1}\n",
		"Pretty": `   ┏━━━┳━━━━━━┳━━━━━━━┳━━━━━━┳━━━━━━━━━━━━┳━━━━━━━━━┳━━━━━━━━━┓
   ┃ n ┃ s    ┃ a     ┃    x ┃          d ┃ t       ┃ m       ┃
   ┡━━━╇━━━━━━╇━━━━━━━╇━━━━━━╇━━━━━━━━━━━━╇━━━━━━━━━╇━━━━━━━━━┩
1. │ 0 │ 0    │ [1,2] │  1.5 │ 2020-01-01 │ (1,'q') │ {'k':1} │
   ├───┼──────┼───────┼──────┼────────────┼─────────┼─────────┤
2. │ 1 │ 1000 │ [1,2] │ ᴺᵁᴸᴸ │ 2020-01-01 │ (1,'q') │ {'k':1} │
   └───┴──────┴───────┴──────┴────────────┴─────────┴─────────┘
`,
		"PrettyCompact": `   ┌─n─┬─s────┬─a─────┬────x─┬──────────d─┬─t───────┬─m───────┐
1. │ 0 │ 0    │ [1,2] │  1.5 │ 2020-01-01 │ (1,'q') │ {'k':1} │
2. │ 1 │ 1000 │ [1,2] │ ᴺᵁᴸᴸ │ 2020-01-01 │ (1,'q') │ {'k':1} │
   └───┴──────┴───────┴──────┴────────────┴─────────┴─────────┘
`,
	} {
		if got := write(t, name, block(t), nil); got != want {
			t.Errorf("%s:\ngot\n%s\nwant\n%s", name, got, want)
		}
	}
	if got := write(t, "JSON", block(t), nil); !strings.Contains(got, "\t\t{\n\t\t\t\"n\": 0,\n\t\t\t\"s\": \"0\",\n\t\t\t\"a\": [1,2],\n\t\t\t\"x\": 1.5,\n\t\t\t\"d\": \"2020-01-01\",\n\t\t\t\"t\": [\n\t\t\t\t1,\n\t\t\t\t\"q\"\n\t\t\t],\n\t\t\t\"m\": {\n\t\t\t\t\"k\": 1\n\t\t\t}\n\t\t},\n") || !strings.Contains(got, "\"rows\": 2,") {
		t.Errorf("JSON:\n%s", got)
	}
	if _, err := NewWriter("Nope", io.Discard); errcode.Of(err) != errcode.UnknownFormat {
		t.Errorf("an unknown format: %v", err)
	}
}

func TestTotals(t *testing.T) {
	b := column.NewBlock([]string{"k", "count()"}, []column.Column{column.UInt8s(0, 1), column.UInt64s(2, 1)})
	tot := column.NewBlock(b.Names, []column.Column{column.UInt8s(0), column.UInt64s(3)})
	for name, want := range map[string]string{
		"TabSeparated":  "0\t2\n1\t1\n\n0\t3\n",
		"CSV":           "0,2\n1,1\n\n0,3\n",
		"JSONEachRow":   "{\"k\":0,\"count()\":2}\n{\"k\":1,\"count()\":1}\n",
		"PrettyCompact": "   ┌─k─┬─count()─┐\n1. │ 0 │       2 │\n2. │ 1 │       1 │\n   └───┴─────────┘\n\nTotals:\n   ┌─k─┬─count()─┐\n1. │ 0 │       3 │\n   └───┴─────────┘\n",
		"Vertical":      "Row 1:\n──────\nk:       0\ncount(): 2\n\nRow 2:\n──────\nk:       1\ncount(): 1\n\n\nTotals:\n───────\nk:       0\ncount(): 3\n",
	} {
		if got := write(t, name, b, tot); got != want {
			t.Errorf("%s:\ngot\n%s\nwant\n%s", name, got, want)
		}
	}
}

func TestPrettyDetails(t *testing.T) {
	one := func(c column.Column, name string) *column.Block {
		return column.NewBlock([]string{name}, []column.Column{c})
	}
	if got, want := write(t, "PrettyCompact", one(column.UInt64s(12345678), "x"), nil), "   ┌────────x─┐\n1. │ 12345678 │ -- 12.35 million\n   └──────────┘\n"; got != want {
		t.Errorf("got\n%s", got)
	}
	if got, want := write(t, "PrettyCompact", one(column.Strings("a\nbcd"), "x"), nil), "   ┌─x───┐\n1. │ a  ↴│\n   │↳bcd │\n   └─────┘\n"; got != want {
		t.Errorf("got\n%s", got)
	}
	if got, want := write(t, "PrettyCompact", one(column.Strings("é日"), "x"), nil), "   ┌─x───┐\n1. │ é日 │\n   └─────┘\n"; got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestReaders(t *testing.T) {
	types := []*column.Type{column.Of(column.UInt8), column.Of(column.String), column.MustParse("Nullable(Int32)")}
	names := []string{"a", "b", "c"}
	for _, c := range []struct{ format, text, want string }{
		{"TSV", "1\tx\\ty\t\\N\n2\t\t-5\n", "(1,'x\\ty',NULL),(2,'',-5)"},
		{"TSVWithNames", "c\tz\ta\n7\tq\t1\n", "(1,'',7)"},
		{"CSV", "1,\"x,\"\"y\"\"\",\\N\n2, plain ,-5\n3,'q',\n", "(1,'x,\"y\"',NULL),(2,'plain',-5),(3,'\\'q\\'',NULL)"},
		{"CSVWithNamesAndTypes", "\"b\",\"a\"\n\"String\",\"UInt8\"\n\"line\nbreak\",9", "(9,'line\\nbreak',NULL)"},
		{"TSV", "", ""},
	} {
		r, err := NewReader(c.format, strings.NewReader(c.text), names, types)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for {
			b, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s %q: %v", c.format, c.text, err)
			}
			got += write(t, "Values", b, nil)
		}
		if got != c.want {
			t.Errorf("%s %q: got %s, want %s", c.format, c.text, got, c.want)
		}
	}
	for _, c := range []struct{ format, text string }{{"TSV", "1\tx\n"}, {"TSV", "x\ty\t1\n"}, {"CSV", "1,\"x\n"}, {"CSV", "1,\"x\"y,2\n"}} {
		r, _ := NewReader(c.format, strings.NewReader(c.text), names, types)
		if b, err := r.Next(); err == nil {
			t.Errorf("%s %q: read %d rows without an error", c.format, c.text, b.Rows)
		}
	}
}
