package fewer

import (
	"math"
	"runtime"
	"syscall"
	"unsafe"

	"fewer.dev/go/internal/libfewer"
)

// text lends the bytes of a string for the time of one call.
func text(s string) (*byte, uintptr) {
	return unsafe.StringData(s), uintptr(len(s))
}

// arena keeps what C reads through pointers in structs where it is, until it is let go.
type arena struct {
	runtime.Pinner
}

// texts is strings as an array of C; an empty list is NULL.
func (a *arena) texts(list []string) (*libfewer.Text, uintptr) {
	if len(list) == 0 {
		return nil, 0
	}
	array := make([]libfewer.Text, len(list))
	a.Pin(&array[0])
	for i, s := range list {
		if len(s) > 0 {
			array[i].Bytes, array[i].Length = text(s)
			a.Pin(array[i].Bytes)
		}
	}
	return &array[0], uintptr(len(list))
}

// option is one that is yes or no, and its flag in C.
type option struct {
	is   bool
	flag uint32
}

// flags are those of the options that are yes.
func flags(options ...option) uint32 {
	var all uint32
	for _, one := range options {
		if one.is {
			all |= one.flag
		}
	}
	return all
}

// number32 is a count in an options struct, where a negative or a larger one has no meaning.
func number32(n int) (uint32, error) {
	if n < 0 || uint64(n) > math.MaxUint32 {
		return 0, syscall.EINVAL
	}
	return uint32(n), nil
}

// What C lends comes in structs, as a pointer and a count. The pointer of nothing is any number,
// which Go must not hold as a pointer on a stack. So these structs are kept on the heap, and the
// pointers in them are looked at only if the count is not 0.

// goString copies bytes of C into one string, of any length.
func goString(bytes **byte, length uintptr) string {
	if length == 0 {
		return ""
	}
	return string(unsafe.Slice(*bytes, int(length)))
}

// lent is an array of C as a slice, which lives as long as C says.
func lent[T any](first **T, count uintptr) []T {
	if count == 0 {
		return nil
	}
	return unsafe.Slice(*first, int(count))
}
