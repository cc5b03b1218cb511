//! One entry of a directory: borrowed during a visit, or owned.

use std::ffi::{CStr, OsStr};
use std::ops::Range;
use std::path::Path;

use sys::{At, Buffer, Descriptor, Fields, FileSystem, Kind, OsStrExt, Stat};

use crate::error::{Action, Errno, Error};
use crate::known::Known;
use crate::late_dir::LateDir;
use crate::path::c_string;
use crate::scope::Scope;

/// An entry, borrowed from the walk: valid until the visitor returns.
///
/// The fields of the directory's own record are free: name, path, kind, inode, depth. The
/// documentation of everything else states its price.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'w> {
    pub(crate) path: &'w [u8],
    pub(crate) name: Name,
    pub(crate) kind: Kind,
    pub(crate) inode: u64,
    pub(crate) known: Known<'w>,
    pub(crate) depth: usize,
    pub(crate) dir: &'w LateDir,
    pub(crate) scope: &'w Scope,
    pub(crate) follow: bool,
}

/// The position of the name in the path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name {
    pub(crate) start: usize,
    pub(crate) length: usize,
}

impl Name {
    /// The last component of a root's path as the caller wrote it: without the slashes at its end,
    /// and `/` if there is nothing else.
    pub(crate) fn of_root(path: &[u8]) -> Name {
        let end = path.iter().rposition(|&b| b != b'/').map_or(path.len().min(1), |last| last + 1);
        let start = match path[..end].iter().rposition(|&b| b == b'/') {
            Some(slash) if end > 1 => slash + 1,
            _ => 0,
        };
        Name { start, length: end - start }
    }

    fn range(self) -> Range<usize> {
        self.start..self.start + self.length
    }
}

impl<'w> Entry<'w> {
    /// The last component of the path, as bytes from the kernel; free.
    #[inline]
    #[must_use]
    pub fn name_bytes(&self) -> &'w [u8] {
        &self.path[self.name.range()]
    }

    /// The last component of the path; free.
    #[must_use]
    pub fn name(&self) -> &'w OsStr {
        OsStr::from_bytes(self.name_bytes())
    }

    /// The root as the caller wrote it and the path below it, as bytes from the kernel; free.
    #[inline]
    #[must_use]
    pub fn path_bytes(&self) -> &'w [u8] {
        self.path
    }

    /// The root as the caller wrote it and the path below it; free. It may be longer than the
    /// kernel takes in one call (PATH_MAX): to reach the entry, use [`stat`](Entry::stat) and
    /// [`open`](Entry::open), which work at any depth.
    #[must_use]
    pub fn path(&self) -> &'w Path {
        Path::new(OsStr::from_bytes(self.path))
    }

    /// The kind; free. `Unknown` only where the directory did not say and a `statx` failed.
    #[inline]
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The root as the caller wrote it, and the path below it; free.
    pub(crate) fn split_root(&self) -> (&'w [u8], &'w [u8]) {
        let path = self.path;
        if self.depth == 0 {
            return (path, b"");
        }
        // The address of a folder in a store ends in a slash.
        let names = path.strip_suffix(b"/").unwrap_or(path);
        let slash = memchr::memrchr_iter(b'/', names).nth(self.depth - 1).unwrap_or(0);
        (&path[..slash.max(1)], &path[slash + 1..])
    }

    sys::kind_questions!("; free. If the walk follows links, a link is what it leads to.");

    /// The inode number in the directory's own record; free. For a mount point that is the
    /// directory below the mount, and for a followed link the link itself.
    #[inline]
    #[must_use]
    pub fn inode(&self) -> u64 {
        self.inode
    }

    /// Steps below the root, which is at 0; free.
    #[inline]
    #[must_use]
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// The requested fields, of the target of a link if the walk follows links.
    ///
    /// Price: one `statx`, relative to the directory that the walk holds open; on Windows none, as
    /// the directory's record has them.
    ///
    /// # Errors
    /// The kernel's number with this path.
    pub fn stat(&self, fields: Fields) -> Result<Stat, Error> {
        if let Some(stat) = self.known.stat(fields) {
            return Ok(stat);
        }
        self.with_name(Action::STAT, |at, name| sys::stat(at, name, self.follow, fields))
    }

    /// The requested fields, of the target of a link; for anything else as [`stat`](Entry::stat).
    ///
    /// Price: one `statx`, relative to the directory that the walk holds open.
    ///
    /// # Errors
    /// The kernel's number with this path: `ENOENT` if the link points nowhere.
    pub fn stat_target(&self, fields: Fields) -> Result<Stat, Error> {
        if let Some(stat) = self.known.stat(fields).filter(|stat| !stat.is_symlink()) {
            return Ok(stat);
        }
        self.with_name(Action::STAT, |at, name| sys::stat(at, name, true, fields))
    }

    /// Whether the directory holds no entries.
    ///
    /// Price: `openat`, `getdents64`, `close`, however many entries it holds; one more `getdents64`
    /// if there seem to be none: a signal that is on its way ends a block early.
    ///
    /// # Errors
    /// The kernel's number with this path: `ENOTDIR` if it is no directory.
    pub fn is_empty_dir(&self) -> Result<bool, Error> {
        self.with_name(Action::OPEN_DIRECTORY, |at, name| {
            let dir = sys::open_dir(at, name, self.follow || self.depth == 0)?;
            // Room for `.`, `..` and one more, whatever their names.
            let mut block = Buffer::new(3 * Buffer::SMALLEST_BYTES);
            let on = FileSystem::OTHER;
            loop {
                let mut entries = sys::read_entries(&dir, &mut block, on)?;
                if entries.next().is_some() {
                    return Ok(false);
                }
                if entries.ended() {
                    return Ok(true);
                }
            }
        })
    }

    /// The file, open for reading; of a link, its target. For a FIFO it waits until a process
    /// writes to it.
    ///
    /// Price: one `openat`, relative to the directory that the walk holds open; one `close` later.
    ///
    /// # Errors
    /// The kernel's number with this path.
    pub fn open(&self) -> Result<Descriptor, Error> {
        self.with_name(Action::OPEN, sys::open)
    }

    /// The target of the link, as it is written in it.
    ///
    /// Price: one `readlinkat`, relative to the directory that the walk holds open.
    ///
    /// # Errors
    /// The kernel's number with this path: `EINVAL` if it is no link.
    pub fn read_link(&self) -> Result<Vec<u8>, Error> {
        self.with_name(Action::READ_LINK, sys::read_link)
    }

    /// An owned copy.
    #[must_use]
    pub fn to_owned(&self) -> OwnedEntry {
        OwnedEntry {
            path: self.path.into(),
            scope: self.scope.clone(),
            name: self.name,
            kind: self.kind,
            inode: self.inode,
            depth: self.depth,
            follow: self.follow,
        }
    }

    fn with_name<T>(
        &self,
        action: Action,
        f: impl FnOnce(At<'_>, &CStr) -> Result<T, Errno>,
    ) -> Result<T, Error> {
        if self.known.is_all() {
            return Err(Error::new(Errno::OPNOTSUPP, action, self.path));
        }
        // A root is reached by the path that the caller wrote, slashes at its end included.
        let name = if self.depth == 0 { self.path } else { self.name_bytes() };
        let above = &self.path[..self.name.start];
        with_nul(name, |name| f(self.dir.at_in(self.scope, above)?, name))
            .map_err(|errno| Error::new(errno, action, self.path))
    }
}

/// A name as the kernel takes it; without memory of its own, unless it is a long path.
#[inline]
fn with_nul<T>(name: &[u8], f: impl FnOnce(&CStr) -> Result<T, Errno>) -> Result<T, Errno> {
    let mut buffer = [0; 256];
    match buffer.get_mut(..name.len() + 1).and_then(<[u8]>::split_last_mut) {
        Some((_, front)) => {
            front.copy_from_slice(name);
            let name = CStr::from_bytes_with_nul(&buffer[..=name.len()]);
            f(name.map_err(|_| Errno::INVAL)?)
        }
        None => f(&c_string(name)?),
    }
}

/// An owned entry. It holds no descriptor but the walk's [`Scope`], which all of them share, so any
/// number of them can be kept.
#[derive(Clone, Debug)]
pub struct OwnedEntry {
    path: Box<[u8]>,
    scope: Scope,
    name: Name,
    kind: Kind,
    inode: u64,
    depth: usize,
    follow: bool,
}

impl OwnedEntry {
    /// See [`Entry::name`].
    #[must_use]
    pub fn name(&self) -> &OsStr {
        OsStr::from_bytes(&self.path[self.name.range()])
    }

    /// See [`Entry::path`].
    #[must_use]
    pub fn path(&self) -> &Path {
        Path::new(OsStr::from_bytes(&self.path))
    }

    /// See [`Entry::path_bytes`].
    #[must_use]
    pub fn path_bytes(&self) -> &[u8] {
        &self.path
    }

    /// See [`Entry::kind`].
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    sys::kind_questions!("; free. If the walk follows links, a link is what it leads to.");

    /// See [`Entry::inode`].
    #[must_use]
    pub fn inode(&self) -> u64 {
        self.inode
    }

    /// See [`Entry::depth`].
    #[must_use]
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// As [`Entry::stat`], but by the full path from the walk's scope: slower than during the
    /// walk, and it may be another file by then.
    ///
    /// Price: one `statx`.
    ///
    /// # Errors
    /// As [`Entry::stat`]; `ENAMETOOLONG` for a path beyond PATH_MAX.
    pub fn stat(&self, fields: Fields) -> Result<Stat, Error> {
        c_string(&self.path)
            .and_then(|path| sys::stat(self.scope.at(), &path, self.follow, fields))
            .map_err(|errno| Error::new(errno, Action::STAT, &self.path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_root_is_its_last_component() {
        for (path, name) in [
            ("a", "a"),
            ("a/", "a"),
            ("a/b", "b"),
            ("a/b///", "b"),
            ("/", "/"),
            ("//", "/"),
            ("/usr", "usr"),
            (".", "."),
            ("./", "."),
            ("../x/..", ".."),
            ("", ""),
        ] {
            let found = Name::of_root(path.as_bytes());
            assert_eq!(&path[found.range()], name, "of {path:?}");
        }
    }
}
