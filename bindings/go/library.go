package fewer

import "fewer.dev/go/internal/libfewer"

// Load loads the library, which the first call of any other function does as well; but these panic
// if it cannot be loaded, and Load says why not. The README says where it is looked for. A program
// that was linked with the library has it from the start.
//
// Price: some 20 calls of the loader, and three more for a library that comes with the module; none
// the second time.
func Load() error {
	return libfewer.Load()
}

// Version is the version of the library, such as "0.1.0". Price: none.
func Version() string {
	return libfewer.String(libfewer.Version())
}
