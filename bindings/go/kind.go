package fewer

// #include <fewer.h>
import "C"

import (
	"fmt"
	"io/fs"
	"sync"
)

// A Kind is what an entry is. The directory itself says it, so it costs no call.
type Kind uint8

const (
	// Unknown: the file system did not say, and asking failed or was not worth a call.
	Unknown   Kind = C.FEWER_UNKNOWN
	File      Kind = C.FEWER_FILE
	Directory Kind = C.FEWER_DIRECTORY
	Symlink   Kind = C.FEWER_SYMLINK
	FIFO      Kind = C.FEWER_FIFO
	Socket    Kind = C.FEWER_SOCKET
	Block     Kind = C.FEWER_BLOCK
	Char      Kind = C.FEWER_CHAR
)

// String is the name that all languages have for it: "unknown", "file", "directory", "symlink",
// "fifo", "socket", "block" or "char".
func (k Kind) String() string {
	return kindNames()[min(k, Char+1)]
}

// kindNames are those of all kinds, and of a number that is none.
var kindNames = sync.OnceValue(func() (names [Char + 2]string) {
	for number := range names {
		names[number] = C.GoString(C.fewer_kind_name(C.uint32_t(number)))
	}
	return names
})

// ParseKind is the kind of that name; find's letters (f d l p s b c), "dir", "link" and "pipe" are
// names as well.
func ParseKind(name string) (Kind, error) {
	var kind C.uint32_t
	bytes, length := text(name)
	if C.fewer_kind_number(bytes, length, &kind) != 0 {
		return Unknown, fmt.Errorf("fewer: no kind is called %q", name)
	}
	return Kind(kind), nil
}

// MarshalText writes the name, in JSON for example.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads what ParseKind takes.
func (k *Kind) UnmarshalText(name []byte) (err error) {
	*k, err = ParseKind(string(name))
	return err
}

// IsDir says whether it is a directory.
func (k Kind) IsDir() bool { return k == Directory }

// IsFile says whether it is a regular file.
func (k Kind) IsFile() bool { return k == File }

// IsSymlink says whether it is a symbolic link.
func (k Kind) IsSymlink() bool { return k == Symlink }

// FileMode has the type bits that io/fs has for it; fs.ModeIrregular for Unknown.
func (k Kind) FileMode() fs.FileMode {
	switch k {
	case File:
		return 0
	case Directory:
		return fs.ModeDir
	case Symlink:
		return fs.ModeSymlink
	case FIFO:
		return fs.ModeNamedPipe
	case Socket:
		return fs.ModeSocket
	case Block:
		return fs.ModeDevice
	case Char:
		return fs.ModeDevice | fs.ModeCharDevice
	}
	return fs.ModeIrregular
}
