package bench

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// maxRows is the largest number of rows a benchmark takes; keys of misses are numbered behind those of rows.
const maxRows = 1 << 40

// ParseRows reads one number of rows: 100000, 1e5 or 100e3.
func ParseRows(text string) (int, error) {
	f, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || f < 1 || f > maxRows || f != math.Trunc(f) {
		return 0, fmt.Errorf("number of rows: got %q, want a whole number like 100000 or 1e5", text)
	}
	return int(f), nil
}

// ParseRowsList reads numbers of rows with commas between.
func ParseRowsList(text string) ([]int, error) {
	return parseList(text, ParseRows)
}

// ParseLoadFactors reads load factors from 0.5 to 0.99 with commas between.
func ParseLoadFactors(text string) ([]float64, error) {
	return parseList(text, func(part string) (float64, error) {
		f, err := strconv.ParseFloat(part, 64)
		if err != nil || !(f >= 0.5 && f <= 0.99) {
			return 0, fmt.Errorf("load factor: got %q, want a number from 0.5 to 0.99", part)
		}
		return f, nil
	})
}

// ParseThreads reads numbers of threads with commas between.
func ParseThreads(text string) ([]int, error) {
	return parseList(text, func(part string) (int, error) {
		n, err := strconv.Atoi(part)
		if err != nil || n < 1 || n > 1024 {
			return 0, fmt.Errorf("number of threads: got %q, want a whole number from 1 to 1024", part)
		}
		return n, nil
	})
}

// ParseNames reads names with commas between, each of which must be known.
func ParseNames(what, text string, known []string) ([]string, error) {
	return parseList(text, func(part string) (string, error) {
		for _, k := range known {
			if part == k {
				return part, nil
			}
		}
		return "", fmt.Errorf("%s: got %q, want one of %s", what, part, strings.Join(known, ", "))
	})
}

func parseList[T any](text string, parse func(string) (T, error)) ([]T, error) {
	var out []T
	for _, part := range strings.Split(text, ",") {
		v, err := parse(strings.TrimSpace(part))
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}
