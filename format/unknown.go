package format

import (
	"sort"
	"strings"

	"dictsvc/errcode"
)

// Unknown is error 73, with the names that are near to the one given.
func Unknown(name string) error {
	hint := ""
	if near := nearest(name); len(near) > 0 {
		hint = ". Maybe you meant: ['" + strings.Join(near, "','") + "']"
	}
	return errcode.New(errcode.UnknownFormat, "Unknown format %s%s", name, hint)
}

// nearest lists at most two formats that take fewer changes than a quarter of the name's length (at least one, at most two) to become it.
func nearest(name string) []string {
	type near struct {
		name string
		cost int
	}
	limit := len(name)/4 + 1
	var list []near
	for _, f := range specs() {
		if d := distance(strings.ToLower(name), strings.ToLower(f.name)); d <= limit && d < len(f.name) {
			list = append(list, near{f.name, d})
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].cost < list[j].cost })
	out := []string{}
	for _, n := range list[:min(len(list), 2)] {
		out = append(out, n.name)
	}
	return out
}

// distance is the number of letters to add, drop or change.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		prev := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := prev
			if a[i] != b[j] {
				cost++
			}
			prev = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
