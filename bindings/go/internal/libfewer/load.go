//go:build !fewer_cgo && !fewer_static

package libfewer

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"
)

// soname has the number of the interface in it.
var soname = fmt.Sprint("libfewer.so.", ABI)

// embedded is the library itself, where the module was packaged with it.
var embedded string

// addresses are those of the functions, once the library is loaded.
var addresses [len(symbols)]uintptr

// Load loads the library, the first time. It is looked for in this order:
//
//  1. the file that the variable FEWER_LIBRARY names; then nowhere else
//  2. libfewer.so.1 beside the program
//  3. in the program itself, if the module was packaged with it
//  4. libfewer.so.1 where the loader looks: LD_LIBRARY_PATH, the machine's folders
var Load = sync.OnceValue(func() error {
	library, err := open()
	if err != nil {
		return fmt.Errorf("fewer: libfewer cannot be loaded: %w", err)
	}
	for number, symbol := range symbols {
		if addresses[number], err = purego.Dlsym(library, symbol); err != nil {
			return fmt.Errorf("fewer: this is no libfewer, or an old one: %w", err)
		}
	}
	return rightABI(uint32(invoke(abiVersion)), String(pointer[byte](invoke(version))))
})

func open() (uintptr, error) {
	if path := os.Getenv("FEWER_LIBRARY"); path != "" && !hasOthersRights() {
		return dlopen(path)
	}
	if program, err := os.Executable(); err == nil {
		path := filepath.Join(filepath.Dir(program), soname)
		if _, err := os.Stat(path); err == nil {
			return dlopen(path)
		}
	}
	var embeddedErr error
	if embedded != "" {
		var library uintptr
		if library, embeddedErr = openMemory(embedded); embeddedErr == nil {
			return library, nil
		}
	}
	library, err := dlopen(soname)
	if err != nil {
		return 0, errors.Join(embeddedErr, err)
	}
	return library, nil
}

func dlopen(path string) (uintptr, error) {
	return purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
}

// hasOthersRights says whether the program has more rights than its caller, who must not choose
// what it loads then; the loader itself does not obey LD_LIBRARY_PATH either.
func hasOthersRights() bool {
	return os.Getuid() != os.Geteuid() || os.Getgid() != os.Getegid()
}

// call calls a function. Without a library there is no error that it could return, so the program
// ends; Load asks before.
//
//go:uintptrescapes
func call(f function, arguments ...uintptr) uintptr {
	if err := Load(); err != nil {
		panic(err)
	}
	return invoke(f, arguments...)
}

//go:uintptrescapes
func invoke(f function, arguments ...uintptr) uintptr {
	result, _, _ := purego.SyscallN(addresses[f], arguments...)
	return result
}

// pointer is a result that is one, to memory that is not Go's.
func pointer[T any](address uintptr) *T {
	return *(**T)(unsafe.Pointer(&address))
}
