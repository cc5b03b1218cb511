package fewer

import (
	"io/fs"
	"syscall"

	"fewer.dev/go/internal/libfewer"
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
func (o *WalkOptions) flags() uint32 {
	return flags(
		option{o.Sorted, libfewer.WalkSorted},
		option{o.Follow, libfewer.WalkFollow},
		option{o.OneFileSystem, libfewer.WalkOneFileSystem},
		option{o.Gitignore, libfewer.WalkGitignore},
		option{o.SkipHidden, libfewer.WalkSkipHidden},
		option{o.Targets, libfewer.WalkTargets},
		option{o.IgnoreCase, libfewer.WalkIgnoreCase},
		option{o.FullPath, libfewer.WalkFullPath},
		option{o.MaxDepth != 0, libfewer.WalkMaxDepth},
	)
}

// inC fills C's struct; the arrays in it live as long as the arena. Since is not among them.
func (o *WalkOptions) inC(root string, memory *arena) (libfewer.WalkOptions, error) {
	wrong := &fs.PathError{Op: "walk", Path: root, Err: syscall.EINVAL}
	options := libfewer.WalkOptions{Flags: o.flags()}
	threads, err := number32(o.Threads)
	maxThreads, maxErr := number32(o.MaxThreads)
	if err != nil || maxErr != nil || o.MinDepth < 0 || o.MaxDepth < RootsOnly {
		return options, wrong
	}
	options.Threads, options.MaxThreads = threads, maxThreads
	options.MinDepth = uint64(o.MinDepth)
	options.MaxDepth = uint64(max(o.MaxDepth, 0))
	for _, kind := range o.Kinds {
		if kind > Char {
			return options, wrong
		}
		options.Kinds |= 1 << kind
	}
	options.Globs, options.GlobsCount = memory.texts(o.Glob)
	options.ExcludeGlobs, options.ExcludeGlobsCount = memory.texts(o.Exclude)
	return options, nil
}

// open runs a function of C that takes roots and the options of a walk.
func (o *WalkOptions) open(
	root string,
	do func(*libfewer.Scope, *libfewer.Text, uintptr, *libfewer.WalkOptions, **libfewer.Error) int32,
) error {
	var memory arena
	defer memory.Unpin()
	options, err := o.inC(root, &memory)
	if err != nil {
		return err
	}
	roots, count := memory.texts(o.roots(root))
	return o.Scope.with(func(scope *libfewer.Scope) error {
		return o.Since.orNone(func(since *libfewer.Snapshot) error {
			options.Since = since
			var failure *libfewer.Error
			return takeError(do(scope, roots, count, &options, &failure), failure)
		})
	})
}
