package fewer

import (
	"os"
	"syscall"
	"unsafe"

	"fewer.dev/go/internal/libfewer"
)

// A Scope is a working directory as a value: relative paths start there, and the process stays
// where it is. It is held open, so it stays the same directory when that is renamed or removed.
// nil is the working directory of the process; all methods work on it.
//
// Any number of goroutines may use a scope. What was opened in it (a walk, a listing) keeps the
// directory: the scope may be closed first. After Close, methods fail with fs.ErrClosed.
type Scope struct {
	shared shared
}

func scopeOf(handle *libfewer.Scope) *Scope {
	scope := &Scope{}
	return own(scope, &scope.shared, unsafe.Pointer(handle), func(handle unsafe.Pointer) {
		libfewer.ScopeClose((*libfewer.Scope)(handle))
	})
}

// with runs a function with the handle, which is NULL for nil.
func (s *Scope) with(do func(*libfewer.Scope) error) error {
	if s == nil {
		return do(nil)
	}
	return s.shared.use(func(handle unsafe.Pointer) error { return do((*libfewer.Scope)(handle)) })
}

// call runs a function of C that takes a path.
func (s *Scope) call(
	path string,
	do func(*libfewer.Scope, *byte, uintptr, **libfewer.Error) int32,
) error {
	return s.with(func(scope *libfewer.Scope) error {
		bytes, length := text(path)
		var failure *libfewer.Error
		return takeError(do(scope, bytes, length, &failure), failure)
	})
}

// EnterScope enters a directory, as chdir would, without changing the process.
//
// Price: one openat now, one close when the last that uses it is closed.
func EnterScope(path string) (*Scope, error) {
	var process *Scope
	return process.Enter(path)
}

// Enter enters a directory from this one. Price: as EnterScope.
func (s *Scope) Enter(path string) (*Scope, error) {
	var entered *libfewer.Scope
	err := s.call(path, func(scope *libfewer.Scope, bytes *byte, length uintptr,
		failure **libfewer.Error) int32 {
		return libfewer.ScopeEnter(scope, bytes, length, &entered, failure)
	})
	if err != nil {
		return nil, err
	}
	return scopeOf(entered), nil
}

// EnterLogical enters as a shell's cd does: `..` takes the last name off the logical path, also if
// that is a link.
//
// Price: as Enter; if the path has a `..` in it, the calls of Logical as well, and one statx for
// each name that is taken off again.
func (s *Scope) EnterLogical(path string) (*Scope, error) {
	var entered *libfewer.Scope
	err := s.call(path, func(scope *libfewer.Scope, bytes *byte, length uintptr,
		failure **libfewer.Error) int32 {
		return libfewer.ScopeEnterLogical(scope, bytes, length, &entered, failure)
	})
	if err != nil {
		return nil, err
	}
	return scopeOf(entered), nil
}

// Clone is one more handle to the same directory, to be closed by itself. Price: none.
func (s *Scope) Clone() (*Scope, error) {
	var clone *Scope
	err := s.with(func(scope *libfewer.Scope) error {
		clone = scopeOf(libfewer.ScopeClone(scope))
		return nil
	})
	return clone, err
}

// Close gives the directory back; the second time it does nothing. The process's own directory is
// never closed. Price: one close, if nothing else uses it.
func (s *Scope) Close() error {
	if s != nil {
		s.shared.close()
	}
	return nil
}

// Descriptor is what names in the scope are relative to, for calls such as unix.Fstatat: AT_FDCWD
// for the process's directory, else a descriptor opened with O_PATH, which the scope keeps and
// closes; the scope must stay open meanwhile. Price: none.
func (s *Scope) Descriptor() (int, error) {
	descriptor := -1
	err := s.with(func(scope *libfewer.Scope) error {
		descriptor = int(libfewer.ScopeDescriptor(scope))
		return nil
	})
	return descriptor, err
}

// Stat asks for these fields, of the target if it is a link. Price: one statx.
func (s *Scope) Stat(path string, fields Fields) (Stat, error) {
	return s.stat(path, fields, true)
}

// Lstat asks for these fields, of a link itself. Price: one statx.
func (s *Scope) Lstat(path string, fields Fields) (Stat, error) {
	return s.stat(path, fields, false)
}

func (s *Scope) stat(path string, fields Fields, follow bool) (Stat, error) {
	var stat Stat
	var following int32
	if follow {
		following = 1
	}
	err := s.call(path, func(scope *libfewer.Scope, bytes *byte, length uintptr,
		failure **libfewer.Error) int32 {
		return libfewer.ScopeStat(scope, bytes, length, uint32(fields), following,
			(*libfewer.Stat)(unsafe.Pointer(&stat)), failure)
	})
	return stat, err
}

// ReadLink is the target of a link. Price: one readlinkat (two for a target of more than 127
// bytes).
func (s *Scope) ReadLink(path string) (string, error) {
	return s.fill(4096, func(scope *libfewer.Scope, buffer *byte, capacity uintptr,
		needed *uintptr, failure **libfewer.Error) int32 {
		bytes, length := text(path)
		return libfewer.ScopeReadLink(scope, bytes, length, buffer, capacity, needed, failure)
	})
}

// Logical is the path by which the scope was entered, links included.
//
// Price: two statx, the second time one for a scope that was entered; one getcwd more if $PWD does
// not say where an entered path began. If that path is wrong by now, up to one getcwd and one statx
// more, and the price of Physical.
func (s *Scope) Logical() (string, error) {
	return s.fill(longPath, func(scope *libfewer.Scope, buffer *byte, capacity uintptr,
		needed *uintptr, failure **libfewer.Error) int32 {
		return libfewer.ScopeLogical(scope, buffer, capacity, needed, failure)
	})
}

// Physical is the kernel's path of the scope, without links.
//
// Price: one readlinkat and two statx, the second time one; of the process's directory one getcwd.
func (s *Scope) Physical() (string, error) {
	return s.fill(longPath, func(scope *libfewer.Scope, buffer *byte, capacity uintptr,
		needed *uintptr, failure **libfewer.Error) int32 {
		return libfewer.ScopePhysical(scope, buffer, capacity, needed, failure)
	})
}

// longPath is more than PATH_MAX: to ask twice costs twice.
const longPath = 16 << 10

// fill has a string written into a buffer, and once more into a larger one if it does not fit.
func (s *Scope) fill(
	capacity int,
	write func(*libfewer.Scope, *byte, uintptr, *uintptr, **libfewer.Error) int32,
) (string, error) {
	var result string
	err := s.with(func(scope *libfewer.Scope) error {
		for {
			var failure *libfewer.Error
			var needed uintptr
			buffer := make([]byte, capacity)
			number := write(scope, &buffer[0], uintptr(capacity), &needed,
				&failure)
			if syscall.Errno(number) == syscall.ERANGE && int(needed) >= capacity {
				libfewer.ErrorFree(failure)
				capacity = int(needed) + 1
				continue
			}
			if err := takeError(number, failure); err != nil {
				return err
			}
			result = string(buffer[:needed])
			return nil
		}
	})
	return result, err
}

// Open opens a file for reading. (A directory has its entries by List; those of os.File.ReadDir
// look for themselves in the directory of the process.) Price: one openat, and one fcntl of the os
// package.
func (s *Scope) Open(path string) (*os.File, error) {
	var descriptor int32
	err := s.call(path, func(scope *libfewer.Scope, bytes *byte, length uintptr,
		failure **libfewer.Error) int32 {
		return libfewer.ScopeOpen(scope, bytes, length, &descriptor, failure)
	})
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(descriptor), path), nil
}

// Create makes a file that must not be there yet, open for reading and writing; the umask takes
// bits off the permissions. Price: one openat, and one fcntl of the os package.
func (s *Scope) Create(path string, permissions uint32) (*os.File, error) {
	var descriptor int32
	err := s.call(path, func(scope *libfewer.Scope, bytes *byte, length uintptr,
		failure **libfewer.Error) int32 {
		return libfewer.ScopeCreate(scope, bytes, length, permissions, &descriptor, failure)
	})
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(descriptor), path), nil
}
