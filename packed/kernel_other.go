//go:build !amd64 || noasm

package packed

const haveAssembly, haveVectors = false, false

func searchLines(*kernel, *scratch, int, uint64) (hits, again int) { return 0, 0 }

func filterKeys(keys, values *uint64, n int, seed, shift, first, count uint64, out *keptRows) int {
	return 0
}

func placeKeys(*kernel, *uint64, int, *scratch) {}
