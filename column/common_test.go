package column

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"dictsvc/errcode"
)

// TestCommonTypeRecorded compares the least supertype of pairs with the type of [a, b] in ClickHouse 26.7, use_variant_as_common_type = 0.
func TestCommonTypeRecorded(t *testing.T) {
	text, err := os.ReadFile("testdata/common.txt")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		p := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(p) != 3 {
			t.Fatalf("a line of %d fields: %s", len(p), line)
		}
		n++
		got, err := CommonType([]*Type{MustParse(p[0]), MustParse(p[1])})
		text := ""
		if err != nil {
			text = fmt.Sprintf("!%d", errcode.Of(err))
		} else {
			text = got.String()
		}
		if text != p[2] {
			t.Errorf("%s and %s: got %s, want %s", p[0], p[1], text, p[2])
		}
	}
	if n < 1000 {
		t.Errorf("only %d pairs compared", n)
	}
}
