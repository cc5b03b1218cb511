package fewer

import (
	"syscall"
	"unsafe"

	"fewer.dev/go/internal/libfewer"
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
	handle := unsafe.Pointer(libfewer.OwnersOpen())
	return own(owners, &owners.shared, handle, func(handle unsafe.Pointer) {
		libfewer.OwnersClose((*libfewer.Owners)(handle))
	})
}

// Close gives the memory back; the second time it does nothing.
func (o *Owners) Close() error {
	if o != nil {
		o.shared.close()
	}
	return nil
}

func (o *Owners) with(do func(*libfewer.Owners) error) error {
	return o.shared.use(func(handle unsafe.Pointer) error { return do((*libfewer.Owners)(handle)) })
}

// orNone runs a function with the handle, or with NULL for nil.
func (o *Owners) orNone(do func(*libfewer.Owners) error) error {
	if o == nil {
		return do(nil)
	}
	return o.with(do)
}

// User is the name of a user; syscall.ENOENT if there is none.
func (o *Owners) User(id uint32) (string, error) {
	return o.name(func(owners *libfewer.Owners, buffer *byte, capacity uintptr,
		needed *uintptr) int32 {
		return libfewer.OwnersUser(owners, id, buffer, capacity, needed)
	})
}

// Group is the name of a group; syscall.ENOENT if there is none.
func (o *Owners) Group(id uint32) (string, error) {
	return o.name(func(owners *libfewer.Owners, buffer *byte, capacity uintptr,
		needed *uintptr) int32 {
		return libfewer.OwnersGroup(owners, id, buffer, capacity, needed)
	})
}

func (o *Owners) name(
	write func(*libfewer.Owners, *byte, uintptr, *uintptr) int32,
) (string, error) {
	var name string
	err := o.with(func(owners *libfewer.Owners) error {
		// More than any name that Linux tools make.
		for capacity := 256; ; {
			buffer := make([]byte, capacity)
			var needed uintptr
			number := write(owners, &buffer[0], uintptr(capacity), &needed)
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
	var id uint32
	err := o.with(func(owners *libfewer.Owners) error {
		bytes, length := text(name)
		return takeError(libfewer.OwnersUserNumber(owners, bytes, length, &id), nil)
	})
	return id, err
}

// GroupNumber is the number of a group; syscall.ENOENT if there is none.
func (o *Owners) GroupNumber(name string) (uint32, error) {
	var id uint32
	err := o.with(func(owners *libfewer.Owners) error {
		bytes, length := text(name)
		return takeError(libfewer.OwnersGroupNumber(owners, bytes, length, &id), nil)
	})
	return id, err
}
