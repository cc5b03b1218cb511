package fewer

import (
	"context"
	"errors"
	"unsafe"

	"fewer.dev/go/internal/libfewer"
)

// A Snapshot is what a walk found: the directories below some roots, and the names in each. With
// it a later walk asks for what has changed only (WalkOptions.Since), and Changes says what that
// is. Any number of goroutines may use one; it is memory until Close.
type Snapshot struct {
	shared shared
}

func snapshotOf(handle *libfewer.Snapshot) *Snapshot {
	snapshot := &Snapshot{}
	return own(snapshot, &snapshot.shared, unsafe.Pointer(handle), func(handle unsafe.Pointer) {
		libfewer.SnapshotClose((*libfewer.Snapshot)(handle))
	})
}

func (s *Snapshot) with(do func(*libfewer.Snapshot) error) error {
	return s.shared.use(func(handle unsafe.Pointer) error {
		return do((*libfewer.Snapshot)(handle))
	})
}

// orNone runs a function with the handle, or with NULL for nil.
func (s *Snapshot) orNone(do func(*libfewer.Snapshot) error) error {
	if s == nil {
		return do(nil)
	}
	return s.with(do)
}

// Close gives the memory back; the second time it does nothing. Walks since it may go on.
func (s *Snapshot) Close() error {
	if s != nil {
		s.shared.close()
	}
	return nil
}

// A SnapshotLevel says what is written down of each entry.
type SnapshotLevel uint32

const (
	// RecordNames: name, kind and inode; one statx more for each directory.
	RecordNames SnapshotLevel = libfewer.RecordNames
	// RecordStat: size, times and permissions as well: one statx more for each entry.
	RecordStat SnapshotLevel = libfewer.RecordStat
)

// MakeSnapshot walks, and keeps what was found. All names of a directory that is entered are in
// it, whatever the options choose. With Since, what has not changed is taken from that snapshot.
// The error joins what could not be looked at; the snapshot is there without it. It is nil only if
// there was no walk.
//
// Price: one statx a directory besides the walk; with RecordStat one an entry.
func MakeSnapshot(
	ctx context.Context, root string, level SnapshotLevel, options *WalkOptions,
) (*Snapshot, error) {
	walk, err := openWalk(root, options, 0, uint32(level))
	if err != nil {
		return nil, err
	}
	defer walk.close()
	return walk.record(ctx)
}

// record goes through a walk for the sake of what is written down.
func (w *walk) record(ctx context.Context) (*Snapshot, error) {
	var errs []error
	for w.next(ctx) {
		errs = append(errs, w.errors()...)
	}
	if w.err != nil {
		return nil, errors.Join(append(errs, w.err)...)
	}
	var snapshot *libfewer.Snapshot
	var failure *libfewer.Error
	if err := takeError(libfewer.WalkSnapshot(w.handle, &snapshot, &failure), failure); err != nil {
		return nil, errors.Join(append(errs, err)...)
	}
	return snapshotOf(snapshot), errors.Join(errs...)
}

// ReadSnapshot reads one from a file, whose path is relative to the process's directory. EBADMSG
// for a file that is no snapshot, one of another version, cut off or damaged.
//
// Price: openat, statx, one read for the first 64 KiB and one for the rest, close.
func ReadSnapshot(path string) (*Snapshot, error) {
	var snapshot *libfewer.Snapshot
	var failure *libfewer.Error
	bytes, length := text(path)
	err := takeError(libfewer.SnapshotRead(bytes, length, &snapshot, &failure), failure)
	if err != nil {
		return nil, err
	}
	return snapshotOf(snapshot), nil
}

// Write writes it to a file, which is the old one until the new one is whole and on the disk.
//
// Price: openat and close of the directory and of the file, statx, write, two fdatasync, renameat2;
// an fchmod if there was a file.
func (s *Snapshot) Write(path string) error {
	return s.with(func(snapshot *libfewer.Snapshot) error {
		var failure *libfewer.Error
		bytes, length := text(path)
		return takeError(libfewer.SnapshotWrite(snapshot, bytes, length, &failure), failure)
	})
}

// SnapshotFacts are what is in a snapshot, in numbers.
type SnapshotFacts struct {
	Entries     uint64 // in all directories, without the roots
	Directories uint64
	Bytes       uint64 // that it has in a file
	HasStat     bool   // it has size, times and permissions of each entry
}

// Facts are the numbers of the snapshot. Price: none.
func (s *Snapshot) Facts() (SnapshotFacts, error) {
	var facts libfewer.SnapshotFacts
	err := s.with(func(snapshot *libfewer.Snapshot) error {
		var failure *libfewer.Error
		return takeError(libfewer.SnapshotFactsOf(snapshot, &facts, &failure), failure)
	})
	return SnapshotFacts{
		Entries:     facts.Entries,
		Directories: facts.Directories,
		Bytes:       facts.Bytes,
		HasStat:     facts.HasStat != 0,
	}, err
}
