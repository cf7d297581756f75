package format

import (
	"strings"
	"testing"
	"testing/iotest"
)

// Whatever the input, readers end with rows or an error, and the same rows whether it comes at once or in pieces.
func FuzzRead(f *testing.F) {
	for _, s := range []string{"1\tx\t[1]\t(1,'a')\n", "1,\"x\",\"[1]\",1,a\n", "[1, \"x\", [1], [1, \"a\"]]\n", "(1,'x',[1],(1,'a'))", "\\N\t\\N\n", "\"", "[[[[", "{\"a\":"} {
		f.Add(s)
	}
	types := "a Nullable(Int32), b String, c Array(UInt8), d Tuple(UInt8, String)"
	f.Fuzz(func(t *testing.T, text string) {
		for _, name := range Inputs() {
			whole, err := copyRows(t, name, strings.NewReader(text), types)
			parts, err2 := copyRows(t, name, iotest.HalfReader(strings.NewReader(text)), types)
			if (err == nil) != (err2 == nil) || err == nil && whole != parts {
				t.Errorf("%s %q: at once %q, %v; in pieces %q, %v", name, text, whole, err, parts, err2)
			}
		}
	})
}
