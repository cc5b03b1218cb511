package fewer

// The library is shared unless the build tag fewer_static is set. In a checkout the header is found
// by itself; where the library is not in the linker's own folders, CGO_LDFLAGS says where it is.

// #cgo CFLAGS: -I${SRCDIR}/../../include
// #cgo !fewer_static LDFLAGS: -lfewer
// #cgo fewer_static LDFLAGS: -l:libfewer.a -ldl -lm -lpthread
// #include <fewer.h>
import "C"

import "fmt"

// A library with other layouts would be read wrongly, so a program that is linked with one does not
// start.
func init() {
	if built, found := uint32(C.FEWER_ABI_VERSION), uint32(C.fewer_abi_version()); built != found {
		panic(fmt.Sprintf("fewer: built for libfewer's interface %d, but linked with %d (libfewer %s)",
			built, found, Version()))
	}
}

// Version is the version of the library, such as "0.1.0". Price: none.
func Version() string {
	return C.GoString(C.fewer_version())
}
