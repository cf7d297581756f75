//go:build invariants

package column

// checkScratch spoils memory that a Scratch takes back, so that a column that is used too late is seen to be wrong.
const checkScratch = true
