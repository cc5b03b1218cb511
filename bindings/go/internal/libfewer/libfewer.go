// Package libfewer is the boundary to the library: the functions, structs and numbers of fewer.h
// that the binding uses, spelled as Go spells names. That header is the manual.
//
//	functions.go  load.go  memory.go     the library is loaded when it is needed, without cgo
//	functions_cgo.go  layouts_cgo.go     with the build tags fewer_cgo and fewer_static: linked
//	types.go  constants.go               both
//
// What is passed by a pointer escapes to the heap, so it stays where it is during a call.
package libfewer

import (
	"fmt"
	"unsafe"
)

// String copies bytes up to a NUL.
func String(bytes *byte) string {
	length := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(bytes), length)) != 0 {
		length++
	}
	return string(unsafe.Slice(bytes, length))
}

// rightABI refuses a library with other layouts, which would be read wrongly.
func rightABI(found uint32, version string) error {
	if found == ABI {
		return nil
	}
	return fmt.Errorf("fewer: made for libfewer's interface %d, and found %d (libfewer %s)", ABI,
		found, version)
}
