package fewer

// #include <fewer.h>
import "C"

import (
	"syscall"
	"unsafe"
)

// Owners are the names of users and groups. Any number of goroutines may use them.
//
// Price: none by itself; at the first question nsswitch.conf and passwd or group are opened, read
// to the end and closed, 4 calls each; for an id that is not in them the calls of the machine's
// name services, once.
type Owners struct {
	shared shared
}

// OpenOwners makes them. Price: none.
func OpenOwners() *Owners {
	owners := &Owners{}
	handle := unsafe.Pointer(C.fewer_owners_open())
	return own(owners, &owners.shared, handle, func(handle unsafe.Pointer) {
		C.fewer_owners_close((*C.fewer_owners)(handle))
	})
}

// Close gives the memory back; the second time it does nothing.
func (o *Owners) Close() error {
	if o != nil {
		o.shared.close()
	}
	return nil
}

func (o *Owners) with(do func(*C.fewer_owners) error) error {
	return o.shared.use(func(handle unsafe.Pointer) error { return do((*C.fewer_owners)(handle)) })
}

// orNone runs a function with the handle, or with NULL for nil.
func (o *Owners) orNone(do func(*C.fewer_owners) error) error {
	if o == nil {
		return do(nil)
	}
	return o.with(do)
}

// User is the name of a user; syscall.ENOENT if there is none.
func (o *Owners) User(id uint32) (string, error) {
	return o.name(func(owners *C.fewer_owners, buffer *C.char, capacity C.size_t,
		needed *C.size_t) C.int {
		return C.fewer_owners_user(owners, C.uint32_t(id), buffer, capacity, needed)
	})
}

// Group is the name of a group; syscall.ENOENT if there is none.
func (o *Owners) Group(id uint32) (string, error) {
	return o.name(func(owners *C.fewer_owners, buffer *C.char, capacity C.size_t,
		needed *C.size_t) C.int {
		return C.fewer_owners_group(owners, C.uint32_t(id), buffer, capacity, needed)
	})
}

func (o *Owners) name(
	write func(*C.fewer_owners, *C.char, C.size_t, *C.size_t) C.int,
) (string, error) {
	var name string
	err := o.with(func(owners *C.fewer_owners) error {
		// More than any name that Linux tools make.
		for capacity := 256; ; {
			buffer := make([]byte, capacity)
			var needed C.size_t
			number := write(owners, (*C.char)(unsafe.Pointer(&buffer[0])), C.size_t(capacity), &needed)
			if syscall.Errno(number) == syscall.ERANGE && int(needed) >= capacity {
				capacity = int(needed) + 1
				continue
			}
			if number != 0 {
				return syscall.Errno(number)
			}
			name = string(buffer[:needed])
			return nil
		}
	})
	return name, err
}

// UserNumber is the number of a user; syscall.ENOENT if there is none.
func (o *Owners) UserNumber(name string) (uint32, error) {
	var id C.uint32_t
	err := o.with(func(owners *C.fewer_owners) error {
		bytes, length := text(name)
		return takeError(C.fewer_owners_user_number(owners, bytes, length, &id), nil)
	})
	return uint32(id), err
}

// GroupNumber is the number of a group; syscall.ENOENT if there is none.
func (o *Owners) GroupNumber(name string) (uint32, error) {
	var id C.uint32_t
	err := o.with(func(owners *C.fewer_owners) error {
		bytes, length := text(name)
		return takeError(C.fewer_owners_group_number(owners, bytes, length, &id), nil)
	})
	return uint32(id), err
}
