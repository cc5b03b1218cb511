//! Removes a directory and everything below it: from the bottom up, each name relative to its
//! directory, which is held open.

use std::ffi::CStr;
use std::path::Path;

use sys::{At, Buffer, Descriptor, Entries, Fields, FileSystem, Kind, OsStrExt};

use super::Scope;
use super::removal_stack::{OpenDirectory, ReadSoFar, RemovalStack};
use crate::error::{Action, Errno, Error};
use crate::identity::Identity;
use crate::path::{c_string, in_pieces, without_trailing_slashes};

const BLOCK_BYTES: usize = 256 << 10;

/// When the stack holds more bytes of names than this, further directories are read in small
/// blocks, so that memory stays bounded in a tree that is wide at every level.
const MANY_NAME_BYTES: usize = 2 << 20;
const SMALL_BLOCK_BYTES: usize = 2 << 10;

/// How often a directory is read from its beginning because it was not empty when all its entries
/// were removed. Where a file system skips entries while others are being removed, each pass
/// removes a good part of the rest; a process that makes new entries faster than that ends the
/// removal.
const MOST_PASSES: u8 = 64;

impl Scope {
    /// Removes the directory at `path` and everything below it. Links are removed, never followed,
    /// also if a directory is replaced by one meanwhile. A mount point below is emptied, but not
    /// unmounted (`EBUSY`). A path that ends in `.` or `..` is refused by the kernel, and nothing
    /// is removed. The root directory is never removed, nor anything in it, by whatever name `path`
    /// reaches it: through a bind mount, or from outside of a `chroot`.
    ///
    /// If something cannot be removed, the rest is removed all the same; the first such failure is
    /// the result. An entry that vanishes before it is removed is no failure, nor is an unreadable
    /// directory that is empty.
    ///
    /// Price: two `statx`, to check that it is not the root directory. For each directory `openat`,
    /// `getdents64`, `close`, `unlinkat`; for everything else one `unlinkat`. One more `getdents64`
    /// for each further 256 KiB of entries, and for the end of a directory whose last block is full
    /// or in which something was not removed. Where directories do not say kinds, one `unlinkat`
    /// more for each directory. From a depth of 16 on one `prlimit64`; deeper than half as many
    /// directories as the process may open files, two `statx` and one more `openat` and `close` for
    /// each.
    ///
    /// # Errors
    /// The kernel's number with the path of what could not be removed, which begins with `path`:
    /// `EACCES`, `EPERM`, …; `EBUSY` for the root directory and for a mount point; `ENOTDIR` if
    /// `path` is not a directory (a link to one is none); `ENOTEMPTY` if other processes keep
    /// making new names.
    pub fn remove_tree(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let mut first = Ok(());
        self.remove_tree_telling(path, |error| {
            if first.is_ok() {
                first = Err(error);
            }
        });
        first
    }

    /// As [`remove_tree`](Scope::remove_tree), but reports everything that could not be removed;
    /// not directories that only stay because something in them does.
    ///
    /// Price: as [`remove_tree`](Scope::remove_tree).
    pub fn remove_tree_telling(&self, path: impl AsRef<Path>, mut report: impl FnMut(Error)) {
        let path = path.as_ref().as_os_str().as_bytes();
        let removed = in_pieces(self.at(), without_trailing_slashes(path), |at, root| {
            let name = c_string(root)?;
            if is_refused(root) {
                if let Err(errno) = sys::remove_directory(at, &name) {
                    report(Error::new(errno, Action::REMOVE_DIRECTORY, path));
                }
                return Ok(());
            }
            Removal::new(at, &name, path, &mut report).run();
            Ok(())
        });
        if let Err(errno) = removed {
            report(Error::new(errno, Action::OPEN_DIRECTORY, path));
        }
    }
}

/// Whether the kernel refuses every directory with this path: then nothing may be removed first.
fn is_refused(path: &[u8]) -> bool {
    sys::last_name(path) != sys::LastName::Name
}

/// The removal of one tree.
struct Removal<'a> {
    stack: RemovalStack<'a>,
    block: Buffer,
    /// How many names have been removed so far.
    removed: u64,
    report: &'a mut dyn FnMut(Error),
}

impl<'a> Removal<'a> {
    fn new(
        at: At<'a>,
        root: &'a CStr,
        path: &[u8],
        report: &'a mut dyn FnMut(Error),
    ) -> Removal<'a> {
        let (stack, block) = (RemovalStack::new(at, root, path), Buffer::new(BLOCK_BYTES));
        Removal { stack, block, removed: 0, report }
    }

    fn run(mut self) {
        self.enter();
        while let Some(open) = self.stack.deepest() {
            if open.names.last().is_some() {
                self.enter();
            } else if matches!(open.read, ReadSoFar::Part | ReadSoFar::Nothing) {
                self.read();
            } else {
                self.leave();
            }
        }
    }

    /// Reports a failure: neither will the directories above it be removed.
    fn fail(&mut self, errno: Errno, action: Action, name: &[u8]) {
        (self.report)(Error::new(errno, action, &self.stack.path_of(name)));
        if let Some(open) = self.stack.deepest() {
            open.failed = true;
        }
    }

    /// Enters the directory that comes next.
    fn enter(&mut self) {
        let is_root = self.stack.is_before_root();
        let opened = loop {
            let (at, name) = self.stack.next();
            match sys::open_dir_to_empty(at, name, is_root) {
                // There are no descriptors left: close some of ours.
                Err(Errno::MFILE | Errno::NFILE) if self.stack.release_half() => {}
                done => break done,
            }
        };
        match opened {
            Ok(directory) if self.stack.is_before_root() => match must_be_another(&directory) {
                Ok(()) => self.stack.push(directory, self.removed),
                Err(errno) => self.taken(Err(errno), Action::REMOVE_DIRECTORY),
            },
            Ok(directory) => self.stack.push(directory, self.removed),
            Err(errno) => self.take_closed(errno),
        }
    }

    /// Removes what could not be opened as a directory: it may be something else by now, or empty.
    fn take_closed(&mut self, errno: Errno) {
        let is_root = self.stack.is_before_root();
        let (at, name) = self.stack.next();
        let (taken, action) = match errno {
            Errno::NOTDIR if !is_root => (sys::remove_file(at, name), Action::REMOVE),
            Errno::NOENT | Errno::NOTDIR => (Err(errno), Action::OPEN_DIRECTORY),
            _ => (sys::remove_directory(at, name).map_err(|_| errno), Action::OPEN_DIRECTORY),
        };
        self.taken(taken, action);
    }

    /// Notes the result for the directory that came next: removed, gone, or left there.
    fn taken(&mut self, taken: Result<(), Errno>, action: Action) {
        let is_root = self.stack.is_before_root();
        match taken {
            Ok(()) => self.removed += 1,
            Err(Errno::NOENT) if !is_root => {}
            Err(errno) => {
                let name = self.stack.next().1.to_bytes().to_vec();
                let name = if is_root { b"" } else { &*name };
                self.fail(errno, action, name);
            }
        }
        self.stack.skip();
    }

    /// Reads the next block of the deepest directory, removes what is no directory, and notes the
    /// names of those that are.
    fn read(&mut self) {
        let use_small_block = self.stack.name_bytes() > MANY_NAME_BYTES;
        let block_bytes = if use_small_block { SMALL_BLOCK_BYTES } else { BLOCK_BYTES };
        self.block.limit_fill(block_bytes);
        let Some(open) = self.stack.deepest() else { return };
        let Some(directory) = open.directory.as_ref() else { return };
        // No mark of the end is needed: the removal itself shows whether entries are left.
        let entries = match sys::read_entries(directory, &mut self.block, FileSystem::OTHER) {
            Ok(entries) => entries,
            Err(errno) => {
                open.read = ReadSoFar::All;
                // Removed since it was opened: it has no entries any more.
                if errno != Errno::NOENT {
                    self.fail(errno, Action::READ_DIRECTORY, b"");
                }
                return;
            }
        };
        let unused = block_bytes.saturating_sub(entries.bytes_left());
        let ended = entries.bytes_left() == 0;
        let outcome = remove_entries(entries, open);
        self.removed += outcome.removed;
        open.read = if ended || outcome.malformed {
            ReadSoFar::All
        } else if unused >= Buffer::SMALLEST_BYTES {
            ReadSoFar::LikelyAll
        } else {
            ReadSoFar::Part
        };
        for (errno, name) in outcome.errors {
            self.fail(errno, Action::REMOVE, &name);
        }
        if outcome.malformed {
            self.fail(Errno::IO, Action::READ_DIRECTORY, b"");
        }
    }

    /// Removes the deepest directory, all of whose entries have been seen, if it has none left; or
    /// goes on with it.
    fn leave(&mut self) {
        let Some(open) = self.stack.deepest() else { return };
        if open.failed && open.read == ReadSoFar::LikelyAll {
            open.read = ReadSoFar::Part; // it will not be empty, so only reading shows the end
            return;
        }
        let failed = open.failed;
        match self.stack.pop() {
            Ok(done) if failed => {
                drop(done);
                if let Some(above) = self.stack.deepest() {
                    above.failed = true;
                }
                self.stack.skip();
            }
            Ok(done) => self.remove(done),
            // It has been moved. What is still in the tree is found again from the root on.
            Err(None) => {}
            Err(Some((errno, path))) => {
                (self.report)(Error::new(errno, Action::RETURN_TO_DIRECTORY, &path));
                if let Some(root) = self.stack.deepest() {
                    root.failed = true;
                }
            }
        }
    }

    /// Removes the directory that was left just now, or goes back into it if it is not empty.
    fn remove(&mut self, mut done: OpenDirectory) {
        let (at, name) = self.stack.next();
        match sys::remove_directory(at, name) {
            Err(Errno::NOTEMPTY | Errno::EXIST) if done.read == ReadSoFar::LikelyAll => {
                done.read = ReadSoFar::Part;
                self.stack.push_again(done);
            }
            Err(Errno::NOTEMPTY | Errno::EXIST)
                if self.removed > done.removed_before && done.passes < MOST_PASSES =>
            {
                match done.directory.as_ref().map_or(Ok(()), |it| sys::seek(it, 0)) {
                    Ok(()) => {
                        done.read = ReadSoFar::Nothing;
                        done.passes += 1;
                        done.removed_before = self.removed;
                        self.stack.push_again(done);
                    }
                    Err(errno) => self.taken(Err(errno), Action::READ_DIRECTORY),
                }
            }
            Err(Errno::NOENT) => self.stack.skip(),
            // Something else has been put in its place.
            Err(Errno::NOTDIR) if !self.stack.is_before_root() => {
                let taken = sys::remove_file(at, name);
                self.taken(taken, Action::REMOVE);
            }
            taken => self.taken(taken, Action::REMOVE_DIRECTORY),
        }
    }
}

/// `EBUSY`, as from the kernel, if it is the root directory under another name.
fn must_be_another(directory: &Descriptor) -> Result<(), Errno> {
    let root = sys::stat(sys::CWD, c"/", true, Fields::INODE)?;
    if Identity::of(directory)? == Identity::in_stat(&root) { Err(Errno::BUSY) } else { Ok(()) }
}

/// The result for the entries of one block.
struct Outcome {
    removed: u64,
    errors: Vec<(Errno, Vec<u8>)>,
    malformed: bool,
}

/// Removes all entries that are no directories, and notes the names of directories.
fn remove_entries(mut entries: Entries<'_>, open: &mut OpenDirectory) -> Outcome {
    let mut outcome = Outcome { removed: 0, errors: Vec::new(), malformed: false };
    let Some(directory) = open.directory.as_ref() else { return outcome };
    for entry in entries.by_ref() {
        let Some(name) = entry.c_name() else { continue };
        if entry.kind == Kind::Directory {
            open.names.push(name);
            continue;
        }
        match remove_one(directory, name) {
            Ok(()) => outcome.removed += 1,
            Err(Errno::NOENT) => {}
            // A directory after all; if not, opening it will show. What the record calls a link is
            // never entered.
            Err(Errno::ISDIR) if entry.kind != Kind::Symlink => open.names.push(name),
            Err(_) if entry.kind == Kind::Unknown => open.names.push(name),
            Err(errno) => outcome.errors.push((errno, name.to_bytes().to_vec())),
        }
    }
    outcome.malformed = entries.is_malformed();
    open.position = entries.position();
    outcome
}

fn remove_one(directory: &Descriptor, name: &CStr) -> Result<(), Errno> {
    use sys::AsFile;
    sys::remove_file(directory.as_file(), name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The one of these that is not refused would destroy the machine that tests it.
    #[test]
    fn the_root_directory_and_dots_are_the_kernels_to_refuse() {
        for path in ["/", "//", ".", "..", "./", "../", "a/.", "a/..", "a/../", "/..", "/.", "./."]
        {
            assert!(is_refused(without_trailing_slashes(path.as_bytes())), "{path}");
        }
        for path in ["a", "a/", "/a", "./a", "../a//", "...", "a/...", ".a", "a.", "a/..b/"] {
            assert!(!is_refused(without_trailing_slashes(path.as_bytes())), "{path}");
        }
    }

    #[test]
    fn slashes_at_the_end_are_taken_off() {
        for (path, without) in
            [("a/", "a"), ("a//b///", "a//b"), ("///", "/"), ("", ""), ("a", "a")]
        {
            assert_eq!(without_trailing_slashes(path.as_bytes()), without.as_bytes());
        }
    }
}
