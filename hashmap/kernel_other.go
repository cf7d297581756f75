//go:build !amd64 || noasm

package hashmap

const haveVectors = false

func searchBuckets(*kernel, *scratch, int) (hits, again int) { return 0, 0 }

func placeKeys(*kernel, *uint64, int, *scratch) {}
