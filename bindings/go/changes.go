package fewer

// #include <fewer.h>
import "C"

import (
	"context"
	"errors"
)

// A ChangeKind is what happened to an entry.
type ChangeKind uint8

const (
	// Removed: the path is the one that it had.
	Removed ChangeKind = C.FEWER_CHANGE_REMOVED
	// Renamed: the same device and inode; what is in a directory comes along.
	Renamed ChangeKind = C.FEWER_CHANGE_RENAMED
	Added   ChangeKind = C.FEWER_CHANGE_ADDED
	// Changed: its kind; in snapshots with RecordStat also size, time, permissions or inode.
	Changed ChangeKind = C.FEWER_CHANGE_CHANGED
)

// String is "removed", "renamed", "added" or "changed".
func (c ChangeKind) String() string {
	switch c {
	case Removed:
		return "removed"
	case Renamed:
		return "renamed"
	case Added:
		return "added"
	case Changed:
		return "changed"
	}
	return "unknown"
}

// A Change is one difference between two snapshots.
type Change struct {
	Change ChangeKind
	Path   string
	From   string // the path before, if it was renamed; else ""
	Kind   Kind   // what it is, or was if it is gone
}

// Changes compares the snapshot with what is there now: all that it was made of, with the options
// that it was made with, and silent about what these leave out. The second result is what is there
// now, for the next time; it is the caller's to close. What could not be looked at is in the error,
// joined.
//
// Price: one statx for each directory, and 6 calls more for one that changed.
func (s *Snapshot) Changes(ctx context.Context, scope *Scope) ([]Change, *Snapshot, error) {
	again := &walk{origin: &walkOrigin{scope: scope}}
	err := s.with(func(snapshot *C.fewer_snapshot) error {
		return scope.with(func(scope *C.fewer_scope) error {
			var failure *C.fewer_error
			number := C.fewer_snapshot_walk(snapshot, scope, 0, &again.handle, &failure)
			return takeError(number, failure)
		})
	})
	if err != nil {
		return nil, nil, err
	}
	defer again.close()
	now, err := again.record(ctx)
	if now == nil {
		return nil, nil, err
	}
	changes, compareErr := s.Compare(now)
	return changes, now, errors.Join(err, compareErr)
}

// Compare is what is different in a later snapshot, in the order of the paths. The new tree follows
// from the old one by them: first what was removed goes, then what was renamed gets its new path,
// then comes what was added. Price: none.
func (s *Snapshot) Compare(after *Snapshot) ([]Change, error) {
	var handle *C.fewer_changes
	err := s.with(func(before *C.fewer_snapshot) error {
		// A snapshot that is compared with itself is locked for reading once.
		if after == s {
			return openChanges(before, before, &handle)
		}
		return after.with(func(after *C.fewer_snapshot) error {
			return openChanges(before, after, &handle)
		})
	})
	if err != nil {
		return nil, err
	}
	defer C.fewer_changes_close(handle)
	var changes []Change
	for {
		var batch C.fewer_change_batch
		var failure *C.fewer_error
		err := takeError(C.fewer_changes_next(handle, &batch, &failure), failure)
		if err != nil || batch.bytes == nil {
			return changes, err
		}
		bytes := goString(&batch.bytes, batch.bytes_length)
		records := lent(&batch.changes, batch.changes_count)
		for i := range records {
			record := &records[i]
			changes = append(changes, Change{
				Change: ChangeKind(record.change),
				Path:   bytes[record.path:][:record.path_length],
				From:   bytes[record.from:][:record.from_length],
				Kind:   Kind(record.kind),
			})
		}
	}
}

func openChanges(before, after *C.fewer_snapshot, handle **C.fewer_changes) error {
	var failure *C.fewer_error
	return takeError(C.fewer_changes_open(before, after, handle, &failure), failure)
}
