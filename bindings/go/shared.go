package fewer

import (
	"io/fs"
	"runtime"
	"sync"
	"unsafe"
)

// shared is a handle of C that any number of goroutines may use at once. Closing waits for those
// that do; whoever comes later gets fs.ErrClosed. A handle that is dropped is closed by the garbage
// collector.
type shared struct {
	lock    sync.RWMutex
	handle  unsafe.Pointer
	free    func(unsafe.Pointer)
	cleanup runtime.Cleanup
}

// own takes a handle, which is the owner's from now on: it is freed when the owner is closed or
// dropped.
func own[T any](owner *T, s *shared, handle unsafe.Pointer, free func(unsafe.Pointer)) *T {
	s.handle, s.free = handle, free
	s.cleanup = runtime.AddCleanup(owner, free, handle)
	return owner
}

func (s *shared) use(do func(unsafe.Pointer) error) error {
	s.lock.RLock()
	defer s.lock.RUnlock()
	if s.handle == nil {
		return fs.ErrClosed
	}
	return do(s.handle)
}

// close closes the handle; the second time it does nothing.
func (s *shared) close() {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.handle != nil {
		s.cleanup.Stop()
		s.free(s.handle)
		s.handle = nil
	}
}
