package fewer

import (
	"context"
	"errors"
	"iter"
)

// Paths is all paths of a tree. What could not be looked at is in the error, joined (errors.Is and
// errors.As find it), and the paths are those of the rest.
//
// Price: that of Walk.
func Paths(ctx context.Context, root string, options *WalkOptions) ([]string, error) {
	walk, err := openWalk(root, options, 0, 0)
	if err != nil {
		return nil, err
	}
	defer walk.close()
	var batches []pathBatch
	var errs []error
	for walk.next(ctx) {
		batches = append(batches, walk.paths())
		errs = append(errs, walk.errors()...)
	}
	if walk.err != nil {
		errs = append(errs, walk.err)
	}
	return allPaths(batches), errors.Join(errs...)
}

// A pathBatch is where the paths of a batch lie in its bytes. Strings are made of them when it is
// known how many there are: until then the garbage collector has no pointers to follow.
type pathBatch struct {
	bytes string
	spans []span
}

type span struct {
	start, length uint32
}

func (w *walk) paths() pathBatch {
	entries := w.entries()
	spans := make([]span, len(entries))
	for i := range entries {
		spans[i] = span{entries[i].Path, entries[i].PathLength}
	}
	return pathBatch{w.bytes, spans}
}

func allPaths(batches []pathBatch) []string {
	count := 0
	for _, batch := range batches {
		count += len(batch.spans)
	}
	paths := make([]string, 0, count)
	for _, batch := range batches {
		for _, span := range batch.spans {
			paths = append(paths, batch.bytes[span.start:][:span.length])
		}
	}
	return paths
}

// IterPaths goes through the paths of a tree, as Walk does through its entries.
//
// Price: that of Walk.
func IterPaths(ctx context.Context, root string, options *WalkOptions) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for entry, err := range Walk(ctx, root, options) {
			if !yield(entry.path, err) {
				return
			}
		}
	}
}
