//go:build !fewer_cgo && !fewer_static

package libfewer

import (
	"fmt"
	"os"
	"runtime"
	"syscall"
	"unsafe"
)

// memfdCreate is the number of the system call, which the package syscall does not know.
var memfdCreate = map[string]uintptr{"amd64": 319, "arm64": 279}[runtime.GOARCH]

const (
	memfdCloseOnExec = 1
	// Linux 6.3 and later ask for it, earlier ones do not know it.
	memfdExecutable = 16
)

// openMemory loads a library from memory: nothing is written to a disk, where others might change
// it, and nothing is left behind. /proc must be mounted.
//
// Price: memfd_create, write, close, and what the loader does with any library.
func openMemory(library string) (uintptr, error) {
	if memfdCreate == 0 {
		return 0, syscall.ENOSYS
	}
	file, err := memoryFile("libfewer")
	if err != nil {
		return 0, err
	}
	defer file.Close()
	if _, err := file.WriteString(library); err != nil {
		return 0, err
	}
	// The loader takes a path that it knows for the library that it has: this is nobody else's.
	return dlopen(fmt.Sprint("/proc/self/fd/../fd/", file.Fd()))
}

func memoryFile(name string) (*os.File, error) {
	bytes, err := syscall.BytePtrFromString(name)
	if err != nil {
		return nil, err
	}
	var descriptor uintptr
	var number syscall.Errno
	for _, flags := range []uintptr{memfdCloseOnExec | memfdExecutable, memfdCloseOnExec} {
		descriptor, _, number = syscall.Syscall(memfdCreate, uintptr(unsafe.Pointer(bytes)), flags, 0)
		if number != syscall.EINVAL {
			break
		}
	}
	if number != 0 {
		return nil, os.NewSyscallError("memfd_create", number)
	}
	return os.NewFile(descriptor, name), nil
}
