package simd

// Candidates looks for the places i of data where data[i] is first and data[i+d] is last, d places on: where a needle of d+1 bytes may begin. It
// passes over 32 places at a time as long as there is none among them, and returns how many it has passed over and a bit for each of the next 32
// that is one. The mask is 0 where no more of data can be looked at: the caller searches the rest.
func Candidates(data []byte, first, last byte, d int) (passed int, mask uint32) {
	turns := (len(data) - d) / 32
	if !have || turns <= 0 {
		return 0, 0
	}
	left, mask := candidates(at(data), turns, d, uint64(first), uint64(last))
	return (turns - left) * 32, mask
}
