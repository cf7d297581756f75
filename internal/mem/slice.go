package mem

import (
	"reflect"
	"unsafe"

	"dictsvc/errcode"
)

// Slice is a growing slice of T outside the heap. T must hold no pointers.
type Slice[T any] struct {
	region Region
	data   []T // length is the slice's length, capacity what the region holds
}

// NewSlice makes a slice of n zero values.
func NewSlice[T any](b *Budget, n int) (*Slice[T], error) {
	if t := reflect.TypeFor[T](); hasPointers(t) {
		return nil, errcode.New(errcode.LogicalError, "make a slice outside the heap: want a type without pointers, got %s", t)
	}
	s := &Slice[T]{region: Region{budget: b.OrProcess()}}
	if err := s.Resize(n); err != nil {
		return nil, err
	}
	return s, nil
}

func hasPointers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8, reflect.Uint16,
		reflect.Uint32, reflect.Uint64, reflect.Uintptr, reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return false
	case reflect.Array:
		return hasPointers(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if hasPointers(t.Field(i).Type) {
				return true
			}
		}
		return false
	}
	return true
}

// Data is the slice; see the package comment for how long it is valid.
func (s *Slice[T]) Data() []T { return s.data }

// Len is the number of values.
func (s *Slice[T]) Len() int { return len(s.data) }

// Held is the number of bytes mapped.
func (s *Slice[T]) Held() int64 { return s.region.Held() }

// Resize makes the slice n long with no room to spare beyond the page; new values are zero. On error the slice
// is as it was.
func (s *Slice[T]) Resize(n int) error {
	var zero T
	size := int(unsafe.Sizeof(zero))
	if n < 0 || size > 0 && n > MaxBytes/size {
		return errcode.New(errcode.MemoryLimitExceeded, "resize a slice of %d-byte values: too many values: %d", size, n)
	}
	if n < len(s.data) {
		clear(s.data[n:])
	}
	if err := s.region.Resize(n * size); err != nil {
		return err
	}
	s.look(n)
	return nil
}

// look takes the region's memory as the slice's.
func (s *Slice[T]) look(n int) {
	var zero T
	if s.region.addr == nil {
		s.data = nil
		return
	}
	s.data = unsafe.Slice((*T)(s.region.addr), s.region.held/int(unsafe.Sizeof(zero)))[:n]
}

// Reserve makes room for n more values, an eighth more than asked, without changing the length.
func (s *Slice[T]) Reserve(n int) error {
	had := len(s.data)
	if had+n <= cap(s.data) {
		return nil
	}
	var zero T
	size := int(unsafe.Sizeof(zero))
	if n < 0 || n > MaxBytes/size-had {
		return errcode.New(errcode.MemoryLimitExceeded, "reserve a slice of %d-byte values: too many values: %d", size, n)
	}
	want := max(had+n, min(had+had/8, MaxBytes/size))
	if err := s.region.Resize(want * size); err != nil {
		return err
	}
	s.look(had)
	return nil
}

// Append appends values; on error nothing is appended.
func (s *Slice[T]) Append(v ...T) error {
	if len(v) > cap(s.data)-len(s.data) {
		if err := s.Reserve(len(v)); err != nil {
			return err
		}
	}
	s.data = append(s.data, v...)
	return nil
}

// Trim gives back the pages that Reserve took beyond the length.
func (s *Slice[T]) Trim() error { return s.Resize(len(s.data)) }

// Free gives the memory back; the slice is then empty.
func (s *Slice[T]) Free() {
	if s != nil {
		s.data = nil
		s.region.Free()
	}
}

// Arena is a growing string of bytes outside the heap: values are appended and found again by offset.
type Arena struct {
	bytes Slice[byte]
}

// NewArena makes an empty arena.
func NewArena(b *Budget) *Arena {
	return &Arena{bytes: Slice[byte]{region: Region{budget: b.OrProcess()}}}
}

// Append appends v and returns its offset; on error nothing is appended.
func (a *Arena) Append(v []byte) (uint64, error) {
	at := uint64(len(a.bytes.data))
	return at, a.bytes.Append(v...)
}

// Reserve makes room for n more bytes.
func (a *Arena) Reserve(n int) error { return a.bytes.Reserve(n) }

// At is the n bytes at an offset that Append returned.
func (a *Arena) At(offset uint64, n int) []byte {
	end := offset + uint64(n)
	return a.bytes.data[offset:end:end]
}

// Data is all bytes.
func (a *Arena) Data() []byte { return a.bytes.data }

// Truncate drops the bytes after the first n.
func (a *Arena) Truncate(n int) { a.bytes.data = a.bytes.data[:n] }

// Len is the number of bytes appended.
func (a *Arena) Len() int { return len(a.bytes.data) }

// Held is the number of bytes mapped.
func (a *Arena) Held() int64 { return a.bytes.Held() }

// Trim gives back the pages beyond the length.
func (a *Arena) Trim() error { return a.bytes.Trim() }

// Free gives the memory back.
func (a *Arena) Free() {
	if a != nil {
		a.bytes.Free()
	}
}
