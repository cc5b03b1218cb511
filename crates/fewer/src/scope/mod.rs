//! A working directory as a value: the process's own state does not change.
//!
//! | module | what is in it |
//! |---|---|
//! | `Scope` (here) | enter a directory; look at files in it |
//! | `paths` | its logical and its physical path |
//! | `find_path` | its path if the kernel does not know it: up through `..` |
//! | `change` | permissions, links, directories, files: make them, and remove them one by one |
//! | `replace` | rename; set times; make files and empty them |
//! | `remove` | remove a directory and everything below it |
//! | `removal_stack` | the directories that are open or left to enter while a tree is removed |
//! | `command` | the description of a child to start in it |
//! | `streams` | a child's standard streams |
//! | `launch` | start it; find its program |
//! | `child` | wait for it, end it, collect its output |

mod change;
mod child;
mod command;
mod find_path;
mod launch;
mod paths;
mod removal_stack;
mod remove;
mod replace;
mod streams;

use std::ffi::CStr;
use std::path::Path;
use std::sync::{Arc, OnceLock};

pub use child::{Child, ExitStatus, Output};
pub use command::Command;
pub use streams::{PipeReader, PipeWriter, Stdio};
use sys::{AsFile, At, CWD, Descriptor, Fields, OsStrExt, Stat, Time};

use crate::error::{Action, Errno, Error};
use crate::identity::Identity;
use crate::path::{c_string, in_pieces, lexical};

/// A working directory as a value: relative names are relative to it. A process has one working
/// directory for all its threads; it can have any number of scopes at once.
///
/// The starting scope is the process's own directory and costs nothing. Any other is a descriptor
/// of a directory: it stays the same directory when that is renamed, moved or removed, and the
/// kernel checks the permission to search it when a name is looked up, as with a working directory.
/// (One difference: a child cannot be started in a directory that this user may not search any
/// more.) The permission to read the directory is not needed.
///
/// Price: [`start`](Scope::start) 0; [`enter`](Scope::enter) one `openat`; dropping the last clone
/// one `close`; `clone` 0. Everything done in a scope costs what it costs without one.
///
/// ```
/// use fewer::{Fields, Kind, Scope, Walk};
///
/// let sources = Scope::start().enter("src")?; // one openat
/// let filter = sources.enter("filter")?; // one more, relative to the first
/// assert_eq!(sources.stat("lib.rs", Fields::KIND)?.kind(), Kind::File);
/// assert!(filter.logical()?.ends_with("src/filter"));
///
/// // A walk, a thread and a child in it, while the process stays where it is.
/// assert!(Walk::new(".").within(&filter).iter().all(|entry| entry.is_ok()));
/// let there = filter.clone(); // no call
/// let size = std::thread::spawn(move || there.stat("mod.rs", Fields::SIZE).map(|it| it.size()));
/// assert!(size.join().unwrap()? > 0);
/// let listed = filter.command("ls").arg("mod.rs").output()?;
/// assert!(listed.status.success() && listed.stdout == b"mod.rs\n");
/// # Ok::<(), fewer::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Scope(Option<Arc<Entered>>);

/// A directory that was entered.
#[derive(Debug)]
struct Entered {
    directory: Descriptor,
    /// The path by which it was entered: absolute, or from the starting directory.
    entered_path: Vec<u8>,
    /// Found out when its path is needed.
    identity: OnceLock<Identity>,
}

impl Scope {
    /// The process's own working directory.
    ///
    /// Price: none.
    #[must_use]
    pub fn start() -> Scope {
        Scope(None)
    }

    /// Whether it is the process's own working directory, rather than one that is held open.
    ///
    /// Price: none.
    #[must_use]
    pub fn is_start(&self) -> bool {
        self.0.is_none()
    }

    /// The directory `dir`, relative to this one unless absolute. As `chdir` would: links are
    /// followed, `..` is the directory above wherever a link has led, and the directory must be
    /// one that may be searched. A path may be longer than the kernel takes in one call.
    ///
    /// Price: one `openat`; one `close` when the last clone is dropped. One more of each for every
    /// further 4000 bytes of the path.
    ///
    /// # Errors
    /// The kernel's number with `dir`: `ENOENT`, `ENOTDIR`, `EACCES`, `ELOOP`, `EMFILE`,
    /// `ENAMETOOLONG` for a name of more than 255 bytes; `EINVAL` for a path with a NUL.
    pub fn enter(&self, dir: impl AsRef<Path>) -> Result<Scope, Error> {
        let dir = dir.as_ref().as_os_str().as_bytes();
        self.enter_bytes(dir).map_err(|errno| Error::new(errno, Action::ENTER, dir))
    }

    /// As [`enter`](Scope::enter), but a `..` takes the last name off the
    /// [logical path](Scope::logical), also where a link has led there: what a shell's `cd` does.
    ///
    /// Price: without a `..` in `dir` that of [`enter`](Scope::enter). With one, what
    /// [`logical`](Scope::logical) costs as well, and one `statx` for each name in `dir` that a
    /// `..` takes off again: it must be a directory.
    ///
    /// # Errors
    /// As [`enter`](Scope::enter) and [`logical`](Scope::logical).
    pub fn enter_logical(&self, dir: impl AsRef<Path>) -> Result<Scope, Error> {
        let dir = dir.as_ref();
        let bytes = dir.as_os_str().as_bytes();
        if !lexical::has_parent(bytes) {
            return self.enter(dir);
        }
        let base = match sys::root_length(bytes) {
            root @ 1.. => bytes[..root].to_vec(),
            0 => self.logical()?.into_os_string().into_encoded_bytes(),
        };
        lexical::join_checked(base, bytes, directory_must_be_at)
            .and_then(|path| self.enter_bytes(&path))
            .map_err(|errno| Error::new(errno, Action::ENTER, bytes))
    }

    fn enter_bytes(&self, dir: &[u8]) -> Result<Scope, Errno> {
        let directory = in_pieces(self.at(), dir, |at, rest| {
            // With the dot at its end the kernel asks whether the directory may be searched.
            sys::open_place(at, &c_string(&[rest, b"/."].concat())?)
        })?;
        let entered_path = lexical::join(self.entered_path().to_vec(), dir);
        Ok(Scope(Some(Arc::new(Entered { directory, entered_path, identity: OnceLock::new() }))))
    }

    /// The requested fields; of a link itself.
    ///
    /// Price: one `statx`.
    ///
    /// # Errors
    /// The kernel's number with the path.
    pub fn stat(&self, path: impl AsRef<Path>, fields: Fields) -> Result<Stat, Error> {
        self.with(Action::STAT, path.as_ref(), |at, name| sys::stat(at, name, false, fields))
    }

    /// The requested fields, of the target of a link; for anything else as [`stat`](Scope::stat).
    ///
    /// Price: one `statx`.
    ///
    /// # Errors
    /// The kernel's number with the path.
    pub fn stat_target(&self, path: impl AsRef<Path>, fields: Fields) -> Result<Stat, Error> {
        self.with(Action::STAT, path.as_ref(), |at, name| sys::stat(at, name, true, fields))
    }

    /// The modification time of the file at `path`; of a link, that of its target.
    ///
    /// Price: one `statx`.
    ///
    /// # Errors
    /// The kernel's number with the path.
    pub fn modified(&self, path: impl AsRef<Path>) -> Result<Time, Error> {
        let ask = |at: At<'_>, name: &CStr| sys::stat(at, name, true, Fields::MODIFIED);
        self.with(Action::ACCESS, path.as_ref(), ask).map(|stat| stat.modified())
    }

    /// The file, open for reading; of a link, its target.
    ///
    /// Price: one `openat`; one `close` later.
    ///
    /// # Errors
    /// The kernel's number with the path.
    pub fn open(&self, path: impl AsRef<Path>) -> Result<Descriptor, Error> {
        self.with(Action::OPEN, path.as_ref(), sys::open)
    }

    /// Opens the file as [`open`](Scope::open) does, but without waiting: a FIFO without a writer,
    /// or a device that is not ready, is opened at once.
    ///
    /// Price: one `openat`; one `close` later.
    ///
    /// # Errors
    /// The kernel's number with the path.
    pub fn open_at_once(&self, path: impl AsRef<Path>) -> Result<Descriptor, Error> {
        self.with(Action::OPEN, path.as_ref(), sys::open_at_once)
    }

    /// The target of the link, as it is written in it.
    ///
    /// Price: one `readlinkat`.
    ///
    /// # Errors
    /// The kernel's number with the path: `EINVAL` if it is no link.
    pub fn read_link(&self, path: impl AsRef<Path>) -> Result<Vec<u8>, Error> {
        self.with(Action::READ_LINK, path.as_ref(), sys::read_link)
    }

    /// The descriptor that names in it are relative to; free.
    pub(crate) fn at(&self) -> At<'_> {
        self.0.as_ref().map_or(CWD, |entered| entered.directory.as_file())
    }

    fn entered_path(&self) -> &[u8] {
        self.0.as_ref().map_or(b"", |entered| &entered.entered_path)
    }

    /// The path by which it was entered, for messages.
    fn path_for_messages(&self) -> &[u8] {
        if self.entered_path().is_empty() { b"." } else { self.entered_path() }
    }

    fn with<T>(
        &self,
        action: Action,
        path: &Path,
        f: impl FnOnce(At<'_>, &CStr) -> Result<T, Errno>,
    ) -> Result<T, Error> {
        let path = path.as_os_str().as_bytes();
        in_pieces(self.at(), path, |at, rest| f(at, &c_string(rest)?))
            .map_err(|errno| Error::new(errno, action, path))
    }
}

sys::lend_file! {
    /// The descriptor that names in it are relative to, for calls that this library does not make:
    /// `AT_FDCWD` for the starting scope, otherwise one that is good for nothing else (`O_PATH`).
    /// Free.
    Scope: |it| it.at()
}

fn directory_must_be_at(path: &[u8]) -> Result<(), Errno> {
    let kind = in_pieces(CWD, path, |at, rest| {
        sys::stat(at, &c_string(rest)?, true, Fields::KIND).map(|stat| stat.kind())
    })?;
    if kind == sys::Kind::Directory { Ok(()) } else { Err(Errno::NOTDIR) }
}
