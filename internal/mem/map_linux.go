package mem

import (
	"syscall"
	"unsafe"
)

const (
	mremapMayMove = 1
	mremapFixed   = 2
	madvDontNeed  = 4
	madvHugePage  = 14
)

// pointer makes an address that the kernel gave into a pointer. The memory is not Go's, so the collector ignores it.
func pointer(addr uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&addr)) }

// remap makes a mapping of had bytes one of want bytes: a fresh one where had is 0, none where want is 0. Mappings
// of a huge page and more come out aligned to huge pages. On error the old mapping is untouched.
func remap(addr unsafe.Pointer, had, want int) (unsafe.Pointer, error) {
	switch {
	case want == 0:
		unmap(addr, had)
		return nil, nil
	case had == 0:
		fresh, err := reserve(want)
		if err != nil {
			return nil, err
		}
		adviseHuge(fresh, want)
		return fresh, nil
	case want <= had || want < HugePage:
		moved, err := mremap(addr, had, want, mremapMayMove, 0)
		return moved, err
	}
	if uintptr(addr)%HugePage == 0 {
		// Growing in place keeps the alignment.
		if same, err := mremap(addr, had, want, 0, 0); err == nil {
			adviseHuge(same, want)
			return same, nil
		}
	}
	target, err := reserve(want)
	if err != nil {
		return nil, err
	}
	moved, err := mremap(addr, had, want, mremapMayMove|mremapFixed, uintptr(target))
	if err != nil {
		unmap(target, want)
		return nil, err
	}
	adviseHuge(moved, want)
	return moved, nil
}

// reserve maps size fresh bytes, aligned to huge pages where there is at least one.
func reserve(size int) (unsafe.Pointer, error) {
	if size < HugePage {
		return mmap(size)
	}
	wide, err := mmap(size + HugePage)
	if err != nil {
		return nil, err
	}
	start := uintptr(wide)
	aligned := (start + HugePage - 1) &^ (HugePage - 1)
	if skip := int(aligned - start); skip > 0 {
		unmap(wide, skip)
	}
	end := start + uintptr(size) + HugePage
	if tail := int(end - aligned - uintptr(size)); tail > 0 {
		unmap(pointer(aligned+uintptr(size)), tail)
	}
	return pointer(aligned), nil
}

// adviseHuge asks for huge pages; a kernel without them says no and the memory works all the same.
func adviseHuge(addr unsafe.Pointer, size int) {
	if size >= HugePage {
		syscall.Syscall(syscall.SYS_MADVISE, uintptr(addr), uintptr(size), madvHugePage)
	}
}

func mmap(size int) (unsafe.Pointer, error) { return mapWith(size, 0) }

// populate is mmap with all pages there at once.
func populate(size int) (unsafe.Pointer, error) { return mapWith(size, syscall.MAP_POPULATE) }

func mapWith(size int, flags uintptr) (unsafe.Pointer, error) {
	addr, _, errno := syscall.Syscall6(syscall.SYS_MMAP, 0, uintptr(size), syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_PRIVATE|syscall.MAP_ANON|syscall.MAP_NORESERVE|flags, ^uintptr(0), 0)
	if errno != 0 {
		return nil, errno
	}
	return pointer(addr), nil
}

func mremap(addr unsafe.Pointer, had, want int, flags, target uintptr) (unsafe.Pointer, error) {
	moved, _, errno := syscall.Syscall6(syscall.SYS_MREMAP, uintptr(addr), uintptr(had), uintptr(want), flags, target, 0)
	if errno != 0 {
		return nil, errno
	}
	return pointer(moved), nil
}

func unmap(addr unsafe.Pointer, size int) {
	if addr != nil && size > 0 {
		syscall.Syscall(syscall.SYS_MUNMAP, uintptr(addr), uintptr(size), 0)
	}
}

// ioVector is the kernel's struct iovec.
type ioVector struct {
	addr unsafe.Pointer
	size uint64
}

const (
	sysProcessMadvise = 440    // on all architectures
	pidfdSelf         = -10000 // the own thread, of Linux 6.14
)

// discard gives the memory of some pieces of mappings back to the system; they stay mapped and read as zero. Where the
// kernel cannot do that in one call, each piece has its own.
func discard(list []ioVector) {
	if len(list) == 0 {
		return
	}
	self := pidfdSelf
	n, _, errno := syscall.Syscall6(sysProcessMadvise, uintptr(self), uintptr(unsafe.Pointer(&list[0])), uintptr(len(list)), madvDontNeed, 0, 0)
	done := uintptr(0)
	if errno == 0 {
		done = n
	}
	for _, v := range list {
		if done >= uintptr(v.size) {
			done -= uintptr(v.size)
			continue
		}
		syscall.Syscall(syscall.SYS_MADVISE, uintptr(v.addr)+done, uintptr(v.size)-done, madvDontNeed)
		done = 0
	}
}
