package fewer

// #include <stdlib.h>
// #include <fewer.h>
import "C"

import (
	"math"
	"syscall"
	"unsafe"
)

// text lends the bytes of a string for the time of one call.
func text(s string) (*C.char, C.size_t) {
	return (*C.char)(unsafe.Pointer(unsafe.StringData(s))), C.size_t(len(s))
}

// arena holds what C reads through pointers in structs, which must not lead to Go's memory.
type arena struct {
	blocks []unsafe.Pointer
}

func (a *arena) free() {
	for _, block := range a.blocks {
		C.free(block)
	}
	a.blocks = nil
}

// texts copies strings into a C array; an empty list is NULL.
func (a *arena) texts(list []string) (*C.fewer_text, C.size_t) {
	if len(list) == 0 {
		return nil, 0
	}
	// C.malloc never returns NULL: the program ends if memory runs out.
	block := C.malloc(C.size_t(len(list)) * C.sizeof_fewer_text)
	a.blocks = append(a.blocks, block)
	array := unsafe.Slice((*C.fewer_text)(block), len(list))
	for i, s := range list {
		array[i] = C.fewer_text{bytes: nil, length: C.size_t(len(s))}
		if len(s) > 0 {
			bytes := C.CBytes(unsafe.Slice(unsafe.StringData(s), len(s)))
			a.blocks = append(a.blocks, bytes)
			array[i].bytes = (*C.char)(bytes)
		}
	}
	return &array[0], C.size_t(len(list))
}

// number32 is a count in an options struct, where a negative or a larger one has no meaning.
func number32(n int) (C.uint32_t, error) {
	if n < 0 || uint64(n) > math.MaxUint32 {
		return 0, syscall.EINVAL
	}
	return C.uint32_t(n), nil
}

// What C lends comes in structs, as a pointer and a count. The pointer of nothing is any number,
// which Go must not hold as a pointer on a stack. So these structs are kept on the heap, and the
// pointers in them are looked at only if the count is not 0.

// goString copies bytes of C into one string, of any length.
func goString(bytes **C.char, length C.size_t) string {
	if length == 0 {
		return ""
	}
	return string(unsafe.Slice((*byte)(unsafe.Pointer(*bytes)), int(length)))
}

// lent is an array of C as a slice, which lives as long as C says.
func lent[T any](first **T, count C.size_t) []T {
	if count == 0 {
		return nil
	}
	return unsafe.Slice(*first, int(count))
}
