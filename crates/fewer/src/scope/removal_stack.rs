//! The directories from the root of a removal to the one that is being emptied: which are open, and
//! which names are left to enter.

use std::ffi::CStr;

use sys::{AsFile, At, Descriptor};

use crate::descriptors;
use crate::error::Errno;
use crate::identity::Identity;
use crate::path::lexical;

/// Names, each with its NUL, one after the other. The last one is the next to be entered.
#[derive(Debug, Default)]
pub(super) struct Names(Vec<u8>);

impl Names {
    pub(super) fn push(&mut self, name: &CStr) {
        self.0.extend_from_slice(name.to_bytes_with_nul());
    }

    pub(super) fn last(&self) -> Option<&CStr> {
        CStr::from_bytes_with_nul(&self.0[self.start_of_last()..]).ok()
    }

    fn drop_last(&mut self) {
        self.0.truncate(self.start_of_last());
    }

    fn start_of_last(&self) -> usize {
        let before_nul = self.0.split_last().map_or(&[][..], |(_, rest)| rest);
        before_nul.iter().rposition(|&byte| byte == 0).map_or(0, |nul| nul + 1)
    }
}

/// How far a directory has been read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReadSoFar {
    Nothing,
    /// There is more.
    Part,
    /// The last block was not full, so it was likely the last.
    LikelyAll,
    All,
}

/// A directory that is being emptied.
#[derive(Debug)]
pub(super) struct OpenDirectory {
    /// `None` if it was closed because the stack is deep. The deepest one always is open.
    pub(super) directory: Option<Descriptor>,
    /// Its identity; found out when it is closed.
    identity: Option<Identity>,
    /// Directories in it that are still there.
    pub(super) names: Names,
    pub(super) read: ReadSoFar,
    /// The position of the entries that were not read.
    pub(super) position: i64,
    /// Whether something in it was not removed.
    pub(super) failed: bool,
    /// How often it was read from its beginning, and what had been removed in all by then.
    pub(super) passes: u8,
    pub(super) removed_before: u64,
    path_length: usize,
}

/// All directories from the root down to the one that is being emptied.
#[derive(Debug)]
pub(super) struct RemovalStack<'a> {
    /// The directory that the root is relative to, and its name there.
    at: At<'a>,
    root: &'a CStr,
    /// The path of the deepest directory; of the root, if there is none.
    path: Vec<u8>,
    directories: Vec<OpenDirectory>,
    /// The directories before this index are closed, except the root.
    first_held: usize,
    /// How many descriptors may be held; found out when the stack gets deep.
    limit: Option<usize>,
    /// The bytes of names of all directories but the deepest.
    name_bytes: usize,
}

impl<'a> RemovalStack<'a> {
    /// `path` is the root's path in messages.
    pub(super) fn new(at: At<'a>, root: &'a CStr, path: &[u8]) -> RemovalStack<'a> {
        let (path, directories) = (path.to_vec(), Vec::new());
        RemovalStack { at, root, path, directories, first_held: 1, limit: None, name_bytes: 0 }
    }

    pub(super) fn deepest(&mut self) -> Option<&mut OpenDirectory> {
        self.directories.last_mut()
    }

    /// Whether the root comes next.
    pub(super) fn is_before_root(&self) -> bool {
        self.directories.is_empty()
    }

    /// How many bytes of names are kept.
    pub(super) fn name_bytes(&self) -> usize {
        self.name_bytes
    }

    /// The directory to enter or remove next: at first the root, then the last name of the deepest
    /// directory.
    pub(super) fn next(&self) -> (At<'_>, &CStr) {
        let Some(deepest) = self.directories.last() else { return (self.at, self.root) };
        match (&deepest.directory, deepest.names.last()) {
            (Some(directory), Some(name)) => (directory.as_file(), name),
            _ => (self.at, c""), // a name that nothing has
        }
    }

    /// Skips [`next`](RemovalStack::next).
    pub(super) fn skip(&mut self) {
        if let Some(deepest) = self.directories.last_mut() {
            deepest.names.drop_last();
        }
    }

    /// The path of a name in the deepest directory; for an empty name that directory's own.
    pub(super) fn path_of(&self, name: &[u8]) -> Vec<u8> {
        let mut path = self.path.clone();
        lexical::push(&mut path, name);
        path
    }

    /// Pushes [`next`](RemovalStack::next), which has been opened.
    ///
    /// Price: none up to a depth of 16; then one `prlimit64`, once, and one `statx` and one `close`
    /// for each directory that has to be closed.
    pub(super) fn push(&mut self, directory: Descriptor, removed_before: u64) {
        self.push_again(OpenDirectory {
            directory: Some(directory),
            identity: None,
            names: Names::default(),
            read: ReadSoFar::Nothing,
            position: 0,
            failed: false,
            passes: 1,
            removed_before,
            path_length: 0,
        });
        if self.held() > self.limit.unwrap_or(descriptors::HELD_WITHOUT_ASKING) {
            let limit = self.limit.unwrap_or_else(descriptors::most_to_hold);
            self.limit = Some(limit);
            self.release_down_to(limit);
        }
    }

    /// Pushes a directory again that was popped last, and whose name comes next.
    pub(super) fn push_again(&mut self, mut open: OpenDirectory) {
        if let Some(above) = self.directories.last() {
            let name = above.names.last().unwrap_or(c"").to_bytes();
            lexical::push(&mut self.path, name);
            self.name_bytes += above.names.0.len();
        }
        open.path_length = self.path.len();
        self.directories.push(open);
    }

    /// Pops the deepest directory; its name comes next.
    ///
    /// Price: none; one `openat` and one `statx` if its parent was closed, and one `lseek` if
    /// something in the parent was not removed.
    ///
    /// # Errors
    /// The parent cannot be opened again, so the stack is back at the root and goes on with what
    /// comes after: `None` if the parent has been moved, otherwise the kernel's number and its
    /// path.
    pub(super) fn pop(&mut self) -> Result<OpenDirectory, Option<(Errno, Vec<u8>)>> {
        let Some(done) = self.directories.pop() else { return Err(None) };
        let Some(above) = self.directories.last_mut() else { return Ok(done) };
        self.path.truncate(above.path_length);
        self.name_bytes -= above.names.0.len();
        if above.directory.is_some() {
            return Ok(done);
        }
        let back = open_again(&done, above);
        self.first_held = self.directories.len() - 1;
        match back {
            Ok(true) => Ok(done),
            Ok(false) | Err(Errno::NOENT) => Err(self.back_to_root(done.failed, None)),
            Err(errno) => Err(self.back_to_root(done.failed, Some(errno))),
        }
    }

    fn back_to_root(&mut self, failed: bool, errno: Option<Errno>) -> Option<(Errno, Vec<u8>)> {
        let why = errno.map(|errno| (errno, self.path.clone()));
        let failed = failed || self.directories.iter().any(|open| open.failed);
        self.directories.truncate(1);
        (self.first_held, self.name_bytes) = (1, 0);
        if let Some(root) = self.directories.last_mut() {
            root.failed = failed;
            self.path.truncate(root.path_length);
        }
        self.skip();
        why
    }

    /// How many descriptors are held.
    fn held(&self) -> usize {
        (self.directories.len() + 1).saturating_sub(self.first_held)
    }

    /// Closes half of the directories, the shallowest ones; false if there are too few.
    pub(super) fn release_half(&mut self) -> bool {
        let held = self.held();
        if held <= 2 {
            return false;
        }
        self.release_down_to(held / 2);
        self.limit = Some(self.held());
        true
    }

    /// Closes the shallowest directories until `limit` are left open, but never the root and the
    /// deepest one.
    fn release_down_to(&mut self, limit: usize) {
        while self.held() > limit.max(2) {
            let open = &mut self.directories[self.first_held];
            if let Some(directory) = open.directory.take() {
                open.identity = Identity::of(&directory).ok();
            }
            self.first_held += 1;
        }
    }
}

/// Opens the directory `above` again, the parent of `below`, through `..`; false if that leads to
/// another directory by now.
fn open_again(below: &OpenDirectory, above: &mut OpenDirectory) -> Result<bool, Errno> {
    let directory = sys::open_parent(below.directory.as_ref().ok_or(Errno::NOENT)?)?;
    if above.identity.is_none() || above.identity != Some(Identity::of(&directory)?) {
        return Ok(false);
    }
    // The entries that were read have been removed, so reading starts at the beginning; only if
    // some were not removed they would be met again.
    above.failed |= below.failed;
    if above.failed && above.read != ReadSoFar::All {
        sys::seek(&directory, above.position)?;
    }
    above.directory = Some(directory);
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_from_the_end() {
        let mut names = Names::default();
        assert_eq!(names.last(), None);
        for name in [c"a", c"\xff\n", c"long name"] {
            names.push(name);
        }
        for name in [c"long name", c"\xff\n", c"a"] {
            assert_eq!(names.last(), Some(name));
            names.drop_last();
        }
        names.drop_last();
        assert_eq!(names.last(), None);
    }
}
