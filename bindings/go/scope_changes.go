package fewer

import "fewer.dev/go/internal/libfewer"

// SetPermissions sets the twelve permission bits of the file at the path, links followed; more bits
// are EINVAL. Price: one fchmodat.
func (s *Scope) SetPermissions(path string, permissions uint32) error {
	return s.call(path, func(scope *libfewer.Scope, bytes *byte, length uintptr,
		failure **libfewer.Error) int32 {
		return libfewer.ScopeSetPermissions(scope, bytes, length, permissions, failure)
	})
}

// MakeSymlink makes a symbolic link at the path. Price: one symlinkat.
func (s *Scope) MakeSymlink(path, target string) error {
	return s.call(path, func(scope *libfewer.Scope, bytes *byte, length uintptr,
		failure **libfewer.Error) int32 {
		targetBytes, targetLength := text(target)
		return libfewer.ScopeMakeSymlink(scope, bytes, length, targetBytes, targetLength, failure)
	})
}

// MakeHardLink makes another name of the file target, which is relative to the scope as well, and
// is not followed if it is a link. Price: one linkat.
func (s *Scope) MakeHardLink(path, target string) error {
	return s.call(path, func(scope *libfewer.Scope, bytes *byte, length uintptr,
		failure **libfewer.Error) int32 {
		targetBytes, targetLength := text(target)
		return libfewer.ScopeMakeHardLink(scope, bytes, length, targetBytes, targetLength, failure)
	})
}

// MakeDirectory makes a directory; the umask takes bits off the permissions. Price: one mkdirat.
func (s *Scope) MakeDirectory(path string, permissions uint32) error {
	return s.call(path, func(scope *libfewer.Scope, bytes *byte, length uintptr,
		failure **libfewer.Error) int32 {
		return libfewer.ScopeMakeDirectory(scope, bytes, length, permissions, failure)
	})
}

// RemoveFile removes a name that is not a directory, links not followed. Price: one unlinkat.
func (s *Scope) RemoveFile(path string) error {
	return s.call(path, func(scope *libfewer.Scope, bytes *byte, length uintptr,
		failure **libfewer.Error) int32 {
		return libfewer.ScopeRemoveFile(scope, bytes, length, failure)
	})
}

// RemoveDirectory removes an empty directory. Price: one unlinkat.
func (s *Scope) RemoveDirectory(path string) error {
	return s.call(path, func(scope *libfewer.Scope, bytes *byte, length uintptr,
		failure **libfewer.Error) int32 {
		return libfewer.ScopeRemoveDirectory(scope, bytes, length, failure)
	})
}

// RemoveTree removes a directory and everything below it. Links are removed, never followed; a root
// that is a link is ENOTDIR. If something cannot be removed, the rest is removed all the same; the
// first such failure is the error.
//
// Price: two statx; for each directory openat, getdents64, close, unlinkat; for everything else one
// unlinkat.
func (s *Scope) RemoveTree(path string) error {
	return s.call(path, func(scope *libfewer.Scope, bytes *byte, length uintptr,
		failure **libfewer.Error) int32 {
		return libfewer.ScopeRemoveTree(scope, bytes, length, failure)
	})
}
