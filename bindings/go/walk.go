package fewer

// #cgo nocallback fewer_walk_next
// #include <fewer.h>
import "C"

import (
	"context"
	"iter"
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

// A walk is a handle of C with its present batch.
type walk struct {
	handle *C.fewer_walk
	batch  C.fewer_walk_batch
	origin *walkOrigin
	// The bytes of the batch, in one block that is Go's.
	bytes string
	err   error
}

// openWalk prepares a walk, with flags and a level of recording besides those of the options.
// Price: none.
func openWalk(root string, options *WalkOptions, flags, record C.uint32_t) (*walk, error) {
	if options == nil {
		options = &WalkOptions{}
	}
	opened := &walk{origin: &walkOrigin{options.Scope, options.Follow}}
	err := options.open(root, func(scope *C.fewer_scope, roots *C.fewer_text, count C.size_t,
		inC *C.fewer_walk_options, failure **C.fewer_error) C.int {
		inC.flags |= flags
		inC.record = record
		return C.fewer_walk_open(scope, roots, count, inC, C.sizeof_fewer_walk_options,
			&opened.handle, failure)
	})
	if err != nil {
		return nil, err
	}
	return opened, nil
}

// next fetches the next batch; false at the end, and with walk.err at an error of the whole walk.
func (w *walk) next(ctx context.Context) bool {
	if w.err = ctx.Err(); w.err != nil {
		return false
	}
	var failure *C.fewer_error
	w.err = takeError(C.fewer_walk_next(w.handle, &w.batch, &failure), failure)
	if w.err != nil || w.batch.bytes == nil {
		return false
	}
	w.bytes = goString(&w.batch.bytes, w.batch.bytes_length)
	return true
}

// close ends the walk, be it over or not. The memory of its batch is gone then.
func (w *walk) close() {
	C.fewer_walk_close(w.handle)
	w.handle = nil
	w.batch = C.fewer_walk_batch{}
	w.bytes = ""
}

func (w *walk) entries() []C.fewer_entry {
	return lent(&w.batch.entries, w.batch.entries_count)
}

func (w *walk) failures() []C.fewer_failure {
	return lent(&w.batch.failures, w.batch.failures_count)
}

// errors are the failures of the batch.
func (w *walk) errors() []error {
	return batchErrors(w.failures(), w.bytes)
}

func (w *walk) entry(e *C.fewer_entry) Entry {
	return Entry{
		path:       w.bytes[e.path:][:e.path_length],
		inode:      uint64(e.inode),
		nameStart:  uint32(e.name - e.path),
		nameLength: uint32(e.name_length),
		depth:      uint32(e.depth),
		kind:       Kind(e.kind),
		target:     Kind(e.target),
		walk:       w.origin,
	}
}

// each hands over the batch, errors where they came; false if that was enough.
func (w *walk) each(yield func(Entry, error) bool) bool {
	entries, failures := w.entries(), w.failures()
	for i := range entries {
		for len(failures) > 0 && int(failures[0].before) <= i {
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
