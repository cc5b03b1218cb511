package fewer

// #include <fewer.h>
import "C"

import (
	"io/fs"
	"syscall"
)

// RootsOnly, as the MaxDepth of a walk: the roots alone, nothing below them.
const RootsOnly = -1

// WalkOptions say what a walk does; nil, or the zero value, does what is usual. They are read when
// a walk begins, and not changed.
type WalkOptions struct {
	// Sorted: depth-first, the names of each directory in byte order: the same sequence at every
	// run.
	Sorted bool
	// Follow: a link is treated as its target; one that leads to a directory it lies in is an error
	// (ELOOP).
	Follow bool
	// OneFileSystem: a mount point is an entry, but is not entered.
	OneFileSystem bool
	// Gitignore leaves out what git would ignore, .git included.
	Gitignore bool
	// SkipHidden leaves out names that begin with a dot, and everything below.
	SkipHidden bool
	// Targets finds the kind of the target of a link that is not followed: one statx for each.
	Targets bool
	// Kinds: only entries of these; none: of any.
	Kinds []Kind
	// Glob: only entries whose names match one of these; none: all entries.
	Glob []string
	// Exclude leaves out entries that match one of these, and everything below.
	Exclude []string
	// IgnoreCase: globs ignore the case of letters.
	IgnoreCase bool
	// FullPath: globs are matched with the whole path rather than the name.
	FullPath bool
	// MinDepth: entries above it are left out; roots are at 0.
	MinDepth int
	// MaxDepth: directories this deep are not entered. 0: no limit; RootsOnly: the roots alone.
	MaxDepth int
	// Threads: so many work. 0: as many as there are processors to use, and more, up to MaxThreads,
	// while storage has to be waited for.
	Threads int
	// MaxThreads: 0: 64.
	MaxThreads int
	// Roots are walked after the first.
	Roots []string
	// Scope is where relative paths start; nil: the working directory of the process.
	Scope *Scope
	// Since: a directory that this snapshot has, and that did not change, is not opened.
	Since *Snapshot
}

// roots are all of a walk.
func (o *WalkOptions) roots(root string) []string {
	return append([]string{root}, o.Roots...)
}

// flags are the options that are yes or no.
func (o *WalkOptions) flags() C.uint32_t {
	var flags C.uint32_t
	for _, option := range []struct {
		is   bool
		flag C.uint32_t
	}{
		{o.Sorted, C.FEWER_WALK_SORTED},
		{o.Follow, C.FEWER_WALK_FOLLOW},
		{o.OneFileSystem, C.FEWER_WALK_ONE_FILE_SYSTEM},
		{o.Gitignore, C.FEWER_WALK_GITIGNORE},
		{o.SkipHidden, C.FEWER_WALK_SKIP_HIDDEN},
		{o.Targets, C.FEWER_WALK_TARGETS},
		{o.IgnoreCase, C.FEWER_WALK_IGNORE_CASE},
		{o.FullPath, C.FEWER_WALK_FULL_PATH},
		{o.MaxDepth != 0, C.FEWER_WALK_MAX_DEPTH},
	} {
		if option.is {
			flags |= option.flag
		}
	}
	return flags
}

// inC fills C's struct; the arrays in it live as long as the arena. Since is not among them.
func (o *WalkOptions) inC(root string, memory *arena) (C.fewer_walk_options, error) {
	wrong := &fs.PathError{Op: "walk", Path: root, Err: syscall.EINVAL}
	options := C.fewer_walk_options{flags: o.flags()}
	threads, err := number32(o.Threads)
	maxThreads, maxErr := number32(o.MaxThreads)
	if err != nil || maxErr != nil || o.MinDepth < 0 || o.MaxDepth < RootsOnly {
		return options, wrong
	}
	options.threads, options.max_threads = threads, maxThreads
	options.min_depth = C.uint64_t(o.MinDepth)
	options.max_depth = C.uint64_t(max(o.MaxDepth, 0))
	for _, kind := range o.Kinds {
		if kind > Char {
			return options, wrong
		}
		options.kinds |= 1 << kind
	}
	options.globs, options.globs_count = memory.texts(o.Glob)
	options.exclude_globs, options.exclude_globs_count = memory.texts(o.Exclude)
	return options, nil
}

// open runs a function of C that takes roots and the options of a walk.
func (o *WalkOptions) open(
	root string,
	do func(*C.fewer_scope, *C.fewer_text, C.size_t, *C.fewer_walk_options, **C.fewer_error) C.int,
) error {
	var memory arena
	defer memory.free()
	options, err := o.inC(root, &memory)
	if err != nil {
		return err
	}
	roots, count := memory.texts(o.roots(root))
	return o.Scope.with(func(scope *C.fewer_scope) error {
		return o.Since.orNone(func(since *C.fewer_snapshot) error {
			options.since = since
			var failure *C.fewer_error
			return takeError(do(scope, roots, count, &options, &failure), failure)
		})
	})
}
