package fewer

import (
	"context"
	"io/fs"
	"iter"

	"fewer.dev/go/internal/libfewer"
)

// A Visit is one directory of a walk with all entries in it, or a root by itself. It is lent until
// the loop goes on, and has no entries when that is over; its entries may be kept.
type Visit struct {
	walk *walk
}

// Path is that of the directory; "" for a visit of a root.
func (v Visit) Path() string {
	return v.walk.bytes[v.walk.batch.Directory:][:v.walk.batch.DirectoryLength]
}

// Depth is that of the directory below its root; 0 for a visit of a root.
func (v Visit) Depth() int { return int(v.walk.batch.DirectoryDepth) }

// Len is the number of entries.
func (v Visit) Len() int { return int(v.walk.batch.EntriesCount) }

// Entry is entry i. Price: none.
func (v Visit) Entry(i int) Entry { return v.walk.entry(&v.walk.entries()[i]) }

// Prune keeps the walk out of the directory that is entry i. What is pruned costs no call.
func (v Visit) Prune(i int) error {
	if v.walk.handle == nil {
		return fs.ErrClosed
	}
	return takeError(libfewer.WalkPrune(v.walk.handle, uintptr(i)), nil)
}

// Visits goes through a tree a directory at a time. Nothing of a directory is read ahead, so that
// the loop can keep the walk out of it:
//
//	for visit, err := range fewer.Visits(ctx, ".", nil) {
//		for i := range visit.Len() {
//			if visit.Entry(i).Name() == ".git" {
//				visit.Prune(i)
//			}
//		}
//	}
//
// Beside an error there is a visit without entries. Price: that of Walk, all on one thread.
func Visits(ctx context.Context, root string, options *WalkOptions) iter.Seq2[Visit, error] {
	return func(yield func(Visit, error) bool) {
		none := Visit{walkOf(nil, nil)}
		walk, err := openWalk(root, options, libfewer.WalkByDirectory, 0)
		if err != nil {
			yield(none, err)
			return
		}
		defer walk.close()
		for walk.next(ctx) {
			if (walk.batch.EntriesCount > 0 || walk.batch.FailuresCount == 0) &&
				!yield(Visit{walk}, nil) {
				return
			}
			for _, err := range walk.errors() {
				if !yield(none, err) {
					return
				}
			}
		}
		if walk.err != nil {
			yield(none, walk.err)
		}
	}
}
