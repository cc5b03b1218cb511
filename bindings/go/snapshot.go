package fewer

// #include <fewer.h>
import "C"

import (
	"context"
	"errors"
	"unsafe"
)

// A Snapshot is what a walk found: the directories below some roots, and the names in each. With
// it a later walk asks for what has changed only (WalkOptions.Since), and Changes says what that
// is. Any number of goroutines may use one; it is memory until Close.
type Snapshot struct {
	shared shared
}

func snapshotOf(handle *C.fewer_snapshot) *Snapshot {
	snapshot := &Snapshot{}
	return own(snapshot, &snapshot.shared, unsafe.Pointer(handle), func(handle unsafe.Pointer) {
		C.fewer_snapshot_close((*C.fewer_snapshot)(handle))
	})
}

func (s *Snapshot) with(do func(*C.fewer_snapshot) error) error {
	return s.shared.use(func(handle unsafe.Pointer) error {
		return do((*C.fewer_snapshot)(handle))
	})
}

// orNone runs a function with the handle, or with NULL for nil.
func (s *Snapshot) orNone(do func(*C.fewer_snapshot) error) error {
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
	RecordNames SnapshotLevel = C.FEWER_RECORD_NAMES
	// RecordStat: size, times and permissions as well: one statx more for each entry.
	RecordStat SnapshotLevel = C.FEWER_RECORD_STAT
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
	walk, err := openWalk(root, options, 0, C.uint32_t(level))
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
	var snapshot *C.fewer_snapshot
	var failure *C.fewer_error
	if err := takeError(C.fewer_walk_snapshot(w.handle, &snapshot, &failure), failure); err != nil {
		return nil, errors.Join(append(errs, err)...)
	}
	return snapshotOf(snapshot), errors.Join(errs...)
}

// ReadSnapshot reads one from a file, whose path is relative to the process's directory. EBADMSG
// for a file that is no snapshot, one of another version, cut off or damaged.
//
// Price: openat, statx, one read for the first 64 KiB and one for the rest, close.
func ReadSnapshot(path string) (*Snapshot, error) {
	var snapshot *C.fewer_snapshot
	var failure *C.fewer_error
	bytes, length := text(path)
	err := takeError(C.fewer_snapshot_read(bytes, length, &snapshot, &failure), failure)
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
	return s.with(func(snapshot *C.fewer_snapshot) error {
		var failure *C.fewer_error
		bytes, length := text(path)
		return takeError(C.fewer_snapshot_write(snapshot, bytes, length, &failure), failure)
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
	var facts C.fewer_snapshot_facts
	err := s.with(func(snapshot *C.fewer_snapshot) error {
		var failure *C.fewer_error
		return takeError(C.fewer_snapshot_facts_of(snapshot, &facts, &failure), failure)
	})
	return SnapshotFacts{
		Entries:     uint64(facts.entries),
		Directories: uint64(facts.directories),
		Bytes:       uint64(facts.bytes),
		HasStat:     facts.has_stat != 0,
	}, err
}
