//go:build !amd64 || noasm

package function

// hashVectors hashes nothing here: the loop behind it does.
func hashVectors(_, _ []uint64) int { return 0 }
