package fuzz

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"dictsvc/conformance"
)

// difference says how two answers differ, "" where they do not. ordered: rows must come in the same order.
func difference(want, got conformance.Answer, ordered bool) string {
	if want.Code != got.Code {
		return fmt.Sprintf("code %d, want %d", got.Code, want.Code)
	}
	if want.Code != 0 || want.Text == got.Text {
		return ""
	}
	w, g := lines(want.Text), lines(got.Text)
	for i, what := range []string{"names", "types"} {
		if len(w) <= i || len(g) <= i {
			return "no rows of names and types"
		}
		if w[i] != g[i] {
			return what
		}
	}
	types := strings.Split(w[1], "\t")
	w, g = w[2:], g[2:]
	if len(w) != len(g) {
		return fmt.Sprintf("%d rows, want %d", len(g), len(w))
	}
	if !floats(w, g, types, ordered) {
		return "values"
	}
	return ""
}

// lines are those of an answer. The oracle's went through a text of JavaScript, in which what is not UTF-8 became U+FFFD; so does ours here.
func lines(answer string) []string {
	answer = strings.ToValidUTF8(answer, "\uFFFD")
	for strings.Contains(answer, "\uFFFD\uFFFD") {
		answer = strings.ReplaceAll(answer, "\uFFFD\uFFFD", "\uFFFD")
	}
	return strings.Split(strings.TrimSuffix(answer, "\n"), "\n")
}

// floats compares rows, those of columns with floats by tolerance.
func floats(w, g, types []string, ordered bool) bool {
	if ordered {
		for i := range w {
			if !sameRow(w[i], g[i], types) {
				return false
			}
		}
		return true
	}
	left := map[string]int{}
	for _, row := range g {
		left[row]++
	}
	var odd []string
	for _, row := range w {
		if left[row] > 0 {
			left[row]--
		} else {
			odd = append(odd, row)
		}
	}
	for _, row := range odd {
		found := false
		for other, n := range left {
			if n > 0 && sameRow(row, other, types) {
				left[other]--
				found = true
				break
			}
		}
		if !found {
			return false
		}
	}
	return true
}

func sameRow(w, g string, types []string) bool {
	if w == g {
		return true
	}
	a, b := strings.Split(w, "\t"), strings.Split(g, "\t")
	if len(a) != len(b) || len(a) != len(types) {
		return false
	}
	for i := range a {
		if a[i] == b[i] {
			continue
		}
		if !strings.Contains(types[i], "Float") {
			return false
		}
		if !sameNumbers(a[i], b[i], strings.Contains(types[i], "Float32")) {
			return false
		}
	}
	return true
}

// sameNumbers compares two texts in which numbers may differ a little; the rest must be equal.
func sameNumbers(a, b string, single bool) bool {
	for a != "" && b != "" {
		x, n := number(a)
		y, m := number(b)
		if n == 0 || m == 0 {
			if a[0] != b[0] {
				return false
			}
			a, b = a[1:], b[1:]
			continue
		}
		limit := 1e-9
		if single {
			limit = 1e-4
		}
		if x != y && math.Abs(x-y) > limit*max(math.Abs(x), math.Abs(y), 1e-6) {
			return false
		}
		a, b = a[n:], b[m:]
	}
	return a == b
}

// number reads a number from the front of a text and tells its length.
func number(s string) (float64, int) {
	n := 0
	for n < len(s) && (s[n] >= '0' && s[n] <= '9' || s[n] == '.' || n > 0 && s[n] == 'e' || (s[n] == '-' || s[n] == '+') && (n == 0 || s[n-1] == 'e')) {
		n++
	}
	for ; n > 0; n-- {
		if x, err := strconv.ParseFloat(s[:n], 64); err == nil {
			return x, n
		}
	}
	return 0, 0
}
