//go:build race

package query

// scaled is how many rows of n a test takes: the race detector makes everything ten times as slow, and needs no large data.
func scaled(n int) int { return n / 10 }

// slowness is how much longer things take.
const slowness = 5
