//go:build !invariants

package column

// checkScratch spoils memory that a Scratch takes back (build tag invariants).
const checkScratch = false
