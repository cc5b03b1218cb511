package fewer

import (
	"io/fs"
	"runtime"
	"sync"
	"unsafe"
)

// shared is a handle of C that any number of goroutines may use at once. After closing there is
// fs.ErrClosed; the handle is freed when the last that still uses it is done, so nothing waits. A
// handle that is dropped is freed by the garbage collector.
type shared struct {
	lock    sync.Mutex
	handle  unsafe.Pointer
	users   int
	closed  bool
	free    func(unsafe.Pointer)
	cleanup runtime.Cleanup
}

// own takes a handle, which is the owner's from now on.
func own[T any](owner *T, s *shared, handle unsafe.Pointer, free func(unsafe.Pointer)) *T {
	s.handle, s.free = handle, free
	s.cleanup = runtime.AddCleanup(owner, free, handle)
	return owner
}

func (s *shared) use(do func(unsafe.Pointer) error) error {
	s.lock.Lock()
	if s.closed {
		s.lock.Unlock()
		return fs.ErrClosed
	}
	s.users++
	s.lock.Unlock()
	defer s.leave()
	return do(s.handle)
}

func (s *shared) leave() {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.users--
	s.freeUnused()
}

// close ends the use of the handle; the second time it does nothing.
func (s *shared) close() {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.closed = true
	s.freeUnused()
}

func (s *shared) freeUnused() {
	if s.closed && s.users == 0 && s.handle != nil {
		s.cleanup.Stop()
		s.free(s.handle)
		s.handle = nil
	}
}
