package fewer

import (
	"io"
	"io/fs"
	"os"
	"path"
)

// FS is the tree below the scope as an fs.FS, for http.FS, template.ParseFS, fs.WalkDir and the
// like. It is an fs.ReadDirFS, fs.ReadFileFS, fs.StatFS, fs.SubFS and fs.ReadLinkFS as well. Names
// are as io/fs has them: slashes, no `..`, UTF-8. Like os.DirFS it follows links, also those that
// lead out of the tree. The scope must stay open.
//
// Price: Open one openat and one fcntl; ReadDir 4 calls; Stat and Lstat one statx; Sub one openat.
func (s *Scope) FS() fs.FS {
	return &scopeFS{s}
}

type scopeFS struct {
	scope *Scope
}

var (
	_ fs.ReadDirFS  = (*scopeFS)(nil)
	_ fs.ReadFileFS = (*scopeFS)(nil)
	_ fs.StatFS     = (*scopeFS)(nil)
	_ fs.SubFS      = (*scopeFS)(nil)
)

// valid refuses what io/fs does not allow.
func valid(op, name string) error {
	if !fs.ValidPath(name) {
		return &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	return nil
}

func (f *scopeFS) Open(name string) (fs.File, error) {
	if err := valid("open", name); err != nil {
		return nil, err
	}
	file, err := f.scope.Open(name)
	if err != nil {
		return nil, err
	}
	return &scopeFile{File: file, scope: f.scope, name: name}, nil
}

// A scopeFile is an open file, whose entries, if it is a directory, are looked at in the scope.
type scopeFile struct {
	*os.File
	scope *Scope
	name  string
	// What is left of the entries, once they were read.
	entries []fs.DirEntry
	isRead  bool
}

func (f *scopeFile) ReadDir(count int) ([]fs.DirEntry, error) {
	if !f.isRead {
		entries, err := (&scopeFS{f.scope}).ReadDir(f.name)
		if err != nil {
			return entries, err
		}
		f.entries, f.isRead = entries, true
	}
	if count <= 0 {
		count = len(f.entries)
	} else if len(f.entries) == 0 {
		return nil, io.EOF
	}
	entries := f.entries[:min(count, len(f.entries))]
	f.entries = f.entries[len(entries):]
	return entries, nil
}

func (f *scopeFS) ReadDir(name string) ([]fs.DirEntry, error) {
	if err := valid("list", name); err != nil {
		return nil, err
	}
	rows, err := List(name, &ListOptions{Kinds: true, Scope: f.scope})
	entries := make([]fs.DirEntry, len(rows))
	for i := range rows {
		entries[i] = &rows[i]
	}
	return entries, err
}

func (f *scopeFS) ReadFile(name string) ([]byte, error) {
	if err := valid("open", name); err != nil {
		return nil, err
	}
	file, err := f.scope.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(file)
}

func (f *scopeFS) Stat(name string) (fs.FileInfo, error) { return f.stat(name, true) }

func (f *scopeFS) Lstat(name string) (fs.FileInfo, error) { return f.stat(name, false) }

func (f *scopeFS) stat(name string, follow bool) (fs.FileInfo, error) {
	if err := valid("stat", name); err != nil {
		return nil, err
	}
	stat, err := f.scope.stat(name, FieldAll, follow)
	if err != nil {
		return nil, err
	}
	return &fileInfo{path.Base(name), stat}, nil
}

func (f *scopeFS) ReadLink(name string) (string, error) {
	if err := valid("read symbolic link", name); err != nil {
		return "", err
	}
	return f.scope.ReadLink(name)
}

func (f *scopeFS) Sub(name string) (fs.FS, error) {
	if err := valid("enter", name); err != nil {
		return nil, err
	}
	scope, err := f.scope.Enter(name)
	if err != nil {
		return nil, err
	}
	return scope.FS(), nil
}
