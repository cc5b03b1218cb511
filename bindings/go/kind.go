package fewer

import (
	"fmt"
	"io/fs"
	"sync"

	"fewer.dev/go/internal/libfewer"
)

// A Kind is what an entry is. The directory itself says it, so it costs no call.
type Kind uint8

const (
	// Unknown: the file system did not say, and asking failed or was not worth a call.
	Unknown   Kind = libfewer.Unknown
	File      Kind = libfewer.File
	Directory Kind = libfewer.Directory
	Symlink   Kind = libfewer.Symlink
	FIFO      Kind = libfewer.Fifo
	Socket    Kind = libfewer.Socket
	Block     Kind = libfewer.Block
	Char      Kind = libfewer.Char
)

// String is the name that all languages have for it: "unknown", "file", "directory", "symlink",
// "fifo", "socket", "block" or "char".
func (k Kind) String() string {
	return kindNames()[min(k, Char+1)]
}

// kindNames are those of all kinds, and of a number that is none.
var kindNames = sync.OnceValue(func() (names [Char + 2]string) {
	for number := range names {
		names[number] = libfewer.String(libfewer.KindName(uint32(number)))
	}
	return names
})

// ParseKind is the kind of that name; find's letters (f d l p s b c), "dir", "link" and "pipe" are
// names as well.
func ParseKind(name string) (Kind, error) {
	var kind uint32
	bytes, length := text(name)
	if libfewer.KindNumber(bytes, length, &kind) != 0 {
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
