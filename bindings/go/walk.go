package fewer

import (
	"context"
	"iter"
	"unsafe"

	"fewer.dev/go/internal/libfewer"
)

// Walk goes through the entries of a tree, the root among them; an error stands in the place of the
// entry that could not be looked at, and the walk goes on behind it:
//
//	for entry, err := range fewer.Walk(ctx, "src", nil) {
//		if err != nil {
//			log.Print(err)
//			continue
//		}
//		fmt.Println(entry.Path(), entry.Kind())
//	}
//
// Each range over it walks anew; leaving the loop ends the walk and its threads. When the context
// is done the walk ends with the context's error, between two batches of some 1,000 entries.
//
// Errors are *fs.PathError with an errno. A tree of more than 400 directories is walked by several
// threads, which read ahead by some 2 MiB; in order, by 12 MiB more.
//
// Price: 3 calls a directory, one more for each further 256 KiB of names, none an entry.
func Walk(ctx context.Context, root string, options *WalkOptions) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		walk, err := openWalk(root, options, 0, 0)
		if err != nil {
			yield(Entry{}, err)
			return
		}
		defer walk.close()
		for walk.next(ctx) {
			if !walk.each(yield) {
				return
			}
		}
		if walk.err != nil {
			yield(Entry{}, walk.err)
		}
	}
}

// A walk is a handle of C with its present batch, which has its own memory: what C writes to must
// not be beside pointers of Go.
type walk struct {
	handle *libfewer.Walk
	batch  *libfewer.WalkBatch
	origin *walkOrigin
	// The bytes of the batch, in one block that is Go's.
	bytes string
	err   error
}

// openWalk prepares a walk, with flags and a level of recording besides those of the options.
// Price: none.
func openWalk(root string, options *WalkOptions, flags, record uint32) (*walk, error) {
	if options == nil {
		options = &WalkOptions{}
	}
	var handle *libfewer.Walk
	err := options.open(root, func(scope *libfewer.Scope, roots *libfewer.Text, count uintptr,
		inC *libfewer.WalkOptions, failure **libfewer.Error) int32 {
		inC.Flags |= flags
		inC.Record = record
		return libfewer.WalkOpen(scope, roots, count, inC, unsafe.Sizeof(libfewer.WalkOptions{}),
			&handle, failure)
	})
	if err != nil {
		return nil, err
	}
	return walkOf(handle, &walkOrigin{options.Scope, options.Follow}), nil
}

func walkOf(handle *libfewer.Walk, origin *walkOrigin) *walk {
	return &walk{handle: handle, batch: &libfewer.WalkBatch{}, origin: origin}
}

// next fetches the next batch; false at the end, and with walk.err at an error of the whole walk.
func (w *walk) next(ctx context.Context) bool {
	if w.err = ctx.Err(); w.err != nil {
		return false
	}
	var failure *libfewer.Error
	w.err = takeError(libfewer.WalkNext(w.handle, w.batch, &failure), failure)
	if w.err != nil || w.batch.Bytes == nil {
		return false
	}
	w.bytes = goString(&w.batch.Bytes, w.batch.BytesLength)
	return true
}

// close ends the walk, be it over or not. The memory of its batch is gone then.
func (w *walk) close() {
	libfewer.WalkClose(w.handle)
	w.handle = nil
	*w.batch = libfewer.WalkBatch{}
	w.bytes = ""
}

func (w *walk) entries() []libfewer.Entry {
	return lent(&w.batch.Entries, w.batch.EntriesCount)
}

func (w *walk) failures() []libfewer.Failure {
	return lent(&w.batch.Failures, w.batch.FailuresCount)
}

// errors are the failures of the batch.
func (w *walk) errors() []error {
	return batchErrors(w.failures(), w.bytes)
}

func (w *walk) entry(e *libfewer.Entry) Entry {
	return Entry{
		path:       w.bytes[e.Path:][:e.PathLength],
		inode:      e.Inode,
		nameStart:  e.Name - e.Path,
		nameLength: e.NameLength,
		depth:      e.Depth,
		kind:       Kind(e.Kind),
		target:     Kind(e.Target),
		walk:       w.origin,
	}
}

// each hands over the batch, errors where they came; false if that was enough.
func (w *walk) each(yield func(Entry, error) bool) bool {
	entries, failures := w.entries(), w.failures()
	for i := range entries {
		for len(failures) > 0 && int(failures[0].Before) <= i {
			if !yield(Entry{}, batchError(&failures[0], w.bytes)) {
				return false
			}
			failures = failures[1:]
		}
		if !yield(w.entry(&entries[i]), nil) {
			return false
		}
	}
	for i := range failures {
		if !yield(Entry{}, batchError(&failures[i], w.bytes)) {
			return false
		}
	}
	return true
}
