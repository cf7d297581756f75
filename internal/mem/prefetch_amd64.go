//go:build !noasm

package mem

import "unsafe"

//go:noescape
func prefetch(base unsafe.Pointer, line *uint64, n int, shift uint)
