//go:build fewer_cgo || fewer_static

package libfewer

// In a checkout the header is found by itself; where the library is not in the linker's own
// folders, CGO_LDFLAGS says where it is.

// #cgo CFLAGS: -I${SRCDIR}/../../../../include -I${SRCDIR}
// #cgo !fewer_static LDFLAGS: -lfewer
// #cgo fewer_static LDFLAGS: -l:libfewer.a -ldl -lm -lpthread
import "C"

// A program that is linked with a library of another interface does not start.
func init() {
	if err := Load(); err != nil {
		panic(err)
	}
}

// Load does nothing: the library is linked with the program.
func Load() error {
	return rightABI(ABIVersion(), String(Version()))
}
