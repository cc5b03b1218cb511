package fewer

import (
	"io/fs"
	"time"
	"unsafe"

	"fewer.dev/go/internal/libfewer"
)

// Fields are those of a Stat that are wanted. The kernel may answer faster for fewer.
type Fields uint32

const (
	FieldKind        Fields = libfewer.FieldKind
	FieldPermissions Fields = libfewer.FieldPermissions
	FieldOwner       Fields = libfewer.FieldOwner // user and group
	FieldSize        Fields = libfewer.FieldSize
	FieldLinks       Fields = libfewer.FieldLinks
	FieldInode       Fields = libfewer.FieldInode // and device
	FieldAllocated   Fields = libfewer.FieldAllocated
	FieldAccessed    Fields = libfewer.FieldAccessed
	FieldModified    Fields = libfewer.FieldModified
	FieldChanged     Fields = libfewer.FieldChanged
	FieldCreated     Fields = libfewer.FieldCreated
	FieldAll         Fields = libfewer.FieldAll
)

// A Time is seconds since 1970-01-01T00:00:00Z, negative before, and nanoseconds after that second.
type Time struct {
	Seconds     int64
	Nanoseconds uint32
	known       uint32
}

// Known is false if the time was not requested, or the file system keeps none.
func (t Time) Known() bool { return t.known != 0 }

// Time is the same in UTC; the zero time.Time if it is not known.
func (t Time) Time() time.Time {
	if !t.Known() {
		return time.Time{}
	}
	return time.Unix(t.Seconds, int64(t.Nanoseconds)).UTC()
}

// A Stat is what one statx tells. Fields that were not requested, or that the file system lacks,
// are 0. Its memory is laid out as C's, so that rows come over in one copy.
type Stat struct {
	Inode        uint64
	Size         uint64 // in bytes
	Allocated    uint64 // space taken, in bytes: a multiple of 512
	DeviceMajor  uint32 // of the file system that it is on
	DeviceMinor  uint32
	Accessed     Time
	Modified     Time
	Changed      Time
	Created      Time
	Links        uint32 // number of names
	User         uint32
	Group        uint32
	SpecialMajor uint32 // of the device that it is, if it is one
	SpecialMinor uint32
	Permissions  uint16 // the lower twelve bits of st_mode
	Kind         Kind
	_            uint8
}

// Mode has kind and permissions as io/fs has them.
func (s *Stat) Mode() fs.FileMode {
	mode := s.Kind.FileMode() | fs.FileMode(s.Permissions&0o777)
	if s.Permissions&0o4000 != 0 {
		mode |= fs.ModeSetuid
	}
	if s.Permissions&0o2000 != 0 {
		mode |= fs.ModeSetgid
	}
	if s.Permissions&0o1000 != 0 {
		mode |= fs.ModeSticky
	}
	return mode
}

// The layouts are equal: a difference is a constant that does not fit, and does not compile.
const (
	_ = -(unsafe.Sizeof(Stat{}) ^ unsafe.Sizeof(libfewer.Stat{}))
	_ = -(unsafe.Sizeof(Time{}) ^ unsafe.Sizeof(libfewer.Time{}))
	_ = -(unsafe.Offsetof(Stat{}.Allocated) ^ unsafe.Offsetof(libfewer.Stat{}.Allocated))
	_ = -(unsafe.Offsetof(Stat{}.DeviceMinor) ^ unsafe.Offsetof(libfewer.Stat{}.DeviceMinor))
	_ = -(unsafe.Offsetof(Stat{}.Created) ^ unsafe.Offsetof(libfewer.Stat{}.Created))
	_ = -(unsafe.Offsetof(Stat{}.SpecialMinor) ^ unsafe.Offsetof(libfewer.Stat{}.SpecialMinor))
	_ = -(unsafe.Offsetof(Stat{}.Kind) ^ unsafe.Offsetof(libfewer.Stat{}.Kind))
)

// fileInfo is a Stat as io/fs has it.
type fileInfo struct {
	name string
	stat Stat
}

func (f *fileInfo) Name() string       { return f.name }
func (f *fileInfo) Size() int64        { return int64(f.stat.Size) }
func (f *fileInfo) Mode() fs.FileMode  { return f.stat.Mode() }
func (f *fileInfo) ModTime() time.Time { return f.stat.Modified.Time() }
func (f *fileInfo) IsDir() bool        { return f.stat.Kind.IsDir() }

// Sys is the *Stat.
func (f *fileInfo) Sys() any { return &f.stat }
