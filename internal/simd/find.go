package simd

// Candidates looks for the places i of data where data[i] is first and data[i+d] is last, d places on: where a needle of d+1 bytes may begin. Bit k of
// masks[j] tells of place 32*j+k. It returns how many masks it has written, fewer than there are where data ends; the caller searches the rest.
func Candidates(masks []uint32, data []byte, first, last byte, d int) int {
	turns := min(len(masks), (len(data)-d)/32)
	if !have || turns <= 0 {
		return 0
	}
	candidates(at(masks), at(data), turns, d, uint64(first), uint64(last))
	return turns
}
