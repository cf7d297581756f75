//go:build !race

package query

// scaled is how many rows of n a test takes.
func scaled(n int) int { return n }

// slowness is how much longer things take.
const slowness = 1
