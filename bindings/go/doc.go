// Package fewer does file-system work in the fewest system calls: trees are walked, directories
// listed and lines read by libfewer, a batch at a time. Every function says its price in calls.
//
//	walk.go  walk_options.go  entry.go  paths.go    trees
//	walkdir.go                                      filepath.WalkDir
//	directories.go                                  trees, a directory at a time, with Prune
//	list.go  stat.go  kind.go  owners.go            directories, with metadata
//	lines.go  read_lines.go                         text
//	scope.go  scope_changes.go  child.go            a working directory as a value
//	filesystem.go                                   io/fs over a scope
//	snapshot.go  changes.go                         what a walk found, and what changed since
//	size.go  summary.go                             the space that trees take, what is in them
//	errors.go  escape.go  calls.go                  what went wrong, what it has cost
//	library.go  arguments.go  shared.go             what all use
//	internal/libfewer                               the boundary to C, loaded or linked
//
// # Names
//
// Names and paths are the kernel's bytes, in any encoding or none; Go's strings hold them as they
// are. Those of a batch are parts of one block, which lives as long as one of them: a program that
// keeps a few of many clones them.
//
// # Errors
//
// An error is an *fs.PathError: Err is a syscall.Errno, Path the path, Op what was being done, such
// as "open directory". It stands in the place of the entry that it is about, and one bad entry
// never ends a walk. Message has it as a sentence. After Close there is fs.ErrClosed.
//
// # Options
//
// They are structs of which nil, or the zero value, does what is usual. Without a Scope, paths are
// relative to the working directory of the process, which is never changed.
package fewer
