package fewer

// #include <fewer.h>
import "C"

import (
	"context"
	"errors"
	"iter"
	"slices"
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
	var batches [][]string
	var errs []error
	for walk.next(ctx) {
		entries := walk.entries()
		paths := make([]string, len(entries))
		for i := range entries {
			entry := &entries[i]
			paths[i] = walk.bytes[entry.path:][:entry.path_length]
		}
		batches = append(batches, paths)
		errs = append(errs, walk.errors()...)
	}
	if walk.err != nil {
		errs = append(errs, walk.err)
	}
	return slices.Concat(batches...), errors.Join(errs...)
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
