package column

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"

	"dictsvc/errcode"
)

func TestTmpMatrix(t *testing.T) {
	f, err := os.Open("/tmp/col/cast.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	modes := map[string]CastMode{"plain": CastPlain, "accurate": CastAccurate, "ornull": CastAccurateOrNull}
	bad := map[string]int{}
	total := 0
	out, _ := os.Create("/tmp/col/diff.txt")
	defer out.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		p := strings.Split(s.Text(), "\t")
		if len(p) < 5 {
			t.Fatal(p)
		}
		want := strings.Join(p[4:], "\t")
		got := castCase(p[0], p[1], p[2], modes[p[3]])
		total++
		if got != want && !(strings.HasPrefix(got, want+" ") && want[0] == '!') {
			bad[p[0]+" -> "+p[2]]++
			fmt.Fprintf(out, "%s(%s) -> %s %s: got %s, want %s\n", p[0], p[1], p[2], p[3], got, want)
		}
	}
	n := 0
	for _, v := range bad {
		n += v
	}
	t.Logf("%d of %d differ", n, total)
}

func castCase(from, value, to string, mode CastMode) (got string) {
	defer func() {
		if r := recover(); r != nil {
			got = fmt.Sprint("PANIC ", r)
		}
	}()
	ft := MustParse(from)
	c := New(ft, 1)
	value = string(unescapeTSV(nil, []byte(value)))
	if ft.Kind == Interval {
		i := New(Of(Int64), 1)
		if err := ParseText(i, []byte(value), TextRaw); err != nil {
			return "?" + err.Error()
		}
		c = Retype(i, ft)
	} else if err := ParseText(c, []byte(value), TextRaw); err != nil {
		return "?" + err.Error()
	}
	tt := MustParse(to)
	if mode == CastAccurateOrNull && mayBeNull(tt) {
		tt = NewNullable(tt)
	}
	r, err := Cast(c, tt, mode)
	if err != nil {
		return fmt.Sprintf("!%d %s", errcode.Of(err), err)
	}
	return string(AppendText(nil, r, 0, TextTSV))
}
