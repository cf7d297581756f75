package bench

import (
	"slices"
	"strings"
	"testing"
)

func TestParseRowsList(t *testing.T) {
	for _, c := range []struct {
		text string
		want []int
		err  string
	}{
		{text: "1e3", want: []int{1000}},
		{text: "1000,1e4, 100e6,1.5e3", want: []int{1000, 10_000, 100_000_000, 1500}},
		{text: "", err: `got ""`},
		{text: "1e3,", err: `got ""`},
		{text: "0", err: `got "0"`},
		{text: "-5", err: `got "-5"`},
		{text: "1.5", err: `got "1.5", want a whole number`},
		{text: "ten", err: `got "ten"`},
		{text: "nan", err: `got "nan"`},
		{text: "1e30", err: `got "1e30"`},
	} {
		got, err := ParseRowsList(c.text)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("rows %q: got %v, %v, want an error with %s", c.text, got, err, c.err)
			}
		} else if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("rows %q: got %v, %v, want %v", c.text, got, err, c.want)
		}
	}
}

func TestParseLists(t *testing.T) {
	if got, err := ParseLoadFactors("0.5,0.99"); err != nil || !slices.Equal(got, []float64{0.5, 0.99}) {
		t.Errorf("got %v, %v", got, err)
	}
	for _, text := range []string{"0.4", "1", "NaN", "x", ""} {
		if got, err := ParseLoadFactors(text); err == nil {
			t.Errorf("load factor %q: got %v, want an error", text, got)
		}
	}
	if got, err := ParseThreads("1,2"); err != nil || !slices.Equal(got, []int{1, 2}) {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := ParseThreads("0"); err == nil {
		t.Errorf("0 threads: got %v, want an error", got)
	}
	if _, err := ParseNames("table", "packed,hash", TableNames()); err == nil || !strings.Contains(err.Error(), `table: got "hash", want one of hashmap, packed`) {
		t.Errorf("got %v", err)
	}
}

func TestSpread(t *testing.T) {
	if s := spreadOf([]float64{3, 1, 2}); *s != (Spread{2, 1, 3, 3}) {
		t.Errorf("got %+v", s)
	}
	if s := spreadOf([]float64{4, 1, 2, 3}); s.Median != 2.5 || s.text() != "2.50 (1.00-4.00)" {
		t.Errorf("got %+v, %s", s, s.text())
	}
	if s := spreadOf(nil); s != nil || s.median() != 0 || s.text() != "-" {
		t.Errorf("got %+v", s)
	}
}
