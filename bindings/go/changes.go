package fewer

import (
	"context"
	"errors"

	"fewer.dev/go/internal/libfewer"
)

// A ChangeKind is what happened to an entry.
type ChangeKind uint8

const (
	// Removed: the path is the one that it had.
	Removed ChangeKind = libfewer.ChangeRemoved
	// Renamed: the same device and inode; what is in a directory comes along.
	Renamed ChangeKind = libfewer.ChangeRenamed
	Added   ChangeKind = libfewer.ChangeAdded
	// Changed: its kind; in snapshots with RecordStat also size, time, permissions or inode.
	Changed ChangeKind = libfewer.ChangeChanged
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
	var handle *libfewer.Walk
	err := s.with(func(snapshot *libfewer.Snapshot) error {
		return scope.with(func(scope *libfewer.Scope) error {
			var failure *libfewer.Error
			number := libfewer.SnapshotWalk(snapshot, scope, 0, &handle, &failure)
			return takeError(number, failure)
		})
	})
	if err != nil {
		return nil, nil, err
	}
	again := walkOf(handle, &walkOrigin{scope: scope})
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
	var handle *libfewer.Changes
	err := s.with(func(before *libfewer.Snapshot) error {
		// A snapshot that is compared with itself is locked for reading once.
		if after == s {
			return openChanges(before, before, &handle)
		}
		return after.with(func(after *libfewer.Snapshot) error {
			return openChanges(before, after, &handle)
		})
	})
	if err != nil {
		return nil, err
	}
	defer libfewer.ChangesClose(handle)
	var changes []Change
	for {
		var batch libfewer.ChangeBatch
		var failure *libfewer.Error
		err := takeError(libfewer.ChangesNext(handle, &batch, &failure), failure)
		if err != nil || batch.Bytes == nil {
			return changes, err
		}
		bytes := goString(&batch.Bytes, batch.BytesLength)
		records := lent(&batch.Changes, batch.ChangesCount)
		for i := range records {
			record := &records[i]
			changes = append(changes, Change{
				Change: ChangeKind(record.Change),
				Path:   bytes[record.Path:][:record.PathLength],
				From:   bytes[record.From:][:record.FromLength],
				Kind:   Kind(record.Kind),
			})
		}
	}
}

func openChanges(before, after *libfewer.Snapshot, handle **libfewer.Changes) error {
	var failure *libfewer.Error
	return takeError(libfewer.ChangesOpen(before, after, handle, &failure), failure)
}
