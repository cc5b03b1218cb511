package fewer

import "io/fs"

// An Entry is what a walk found. All but Stat and Info is free. It is an fs.DirEntry.
//
// Its strings are parts of one block that belongs to some 1,000 entries, 60 to 100 KB: a program
// that keeps a few of many clones them (strings.Clone).
type Entry struct {
	path       string
	inode      uint64
	nameStart  uint32
	nameLength uint32
	depth      uint32
	kind       Kind
	target     Kind
	walk       *walkOrigin
}

// walkOrigin is what an entry needs of its walk, to ask for more.
type walkOrigin struct {
	scope  *Scope
	follow bool
}

// Path is the root as the caller wrote it, and the path below it: the kernel's bytes, in any
// encoding or none.
func (e Entry) Path() string { return e.path }

// Name is the last component of the path.
func (e Entry) Name() string { return e.path[e.nameStart:][:e.nameLength] }

// Kind is what the directory says of it; of a walk that follows links, that of the target.
func (e Entry) Kind() Kind { return e.kind }

// Target is the kind that a link points to, in a walk with WalkOptions.Targets; else Unknown.
func (e Entry) Target() Kind { return e.target }

// Depth is the number of steps below the root, which is at 0.
func (e Entry) Depth() int { return int(e.depth) }

// Inode is the one in the directory's record; of a mount point, that of the directory below it.
func (e Entry) Inode() uint64 { return e.inode }

// IsDir says whether it is a directory.
func (e Entry) IsDir() bool { return e.kind.IsDir() }

// Type has the type bits of io/fs.
func (e Entry) Type() fs.FileMode { return e.kind.FileMode() }

// String is "d path/" for a directory, else "- path", as fs.FormatDirEntry has it.
func (e Entry) String() string { return fs.FormatDirEntry(e) }

// Stat asks for these fields, of a link itself unless the walk follows links. Price: one statx.
func (e Entry) Stat(fields Fields) (Stat, error) {
	if e.walk == nil {
		return Stat{}, fs.ErrInvalid // it is the one beside an error
	}
	return e.walk.scope.stat(e.path, fields, e.walk.follow)
}

// Info asks for all fields. Price: one statx.
func (e Entry) Info() (fs.FileInfo, error) {
	stat, err := e.Stat(FieldAll)
	if err != nil {
		return nil, err
	}
	return &fileInfo{e.Name(), stat}, nil
}
