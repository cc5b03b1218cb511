//! Files that grow: what is appended to them, whatever happens to their names.

use std::os::fd::{AsFd, AsRawFd};

use sys::{CWD, Descriptor, Fields, Kind, Watched};

use crate::error::{Action, Errno, Error};
use crate::identity::Identity;
use crate::path::{PathPart, c_string};
use crate::walk::Answer;

/// What was being done, where it was not reading. It is not among the numbers of C, which has no
/// such function.
const FOLLOW: &str = "follow";

const BLOCK_BYTES: usize = 256 << 10;

/// Files that are followed by name, as `tail -F` does it: if another file gets the name, that one
/// is followed from its beginning; a file that was cut short is read from its beginning again.
///
/// Price: once, an `inotify_init1`, and for each file two `inotify_add_watch`, a `statx` and an
/// `lseek`. For each change one `read` that waits for it; for each file one `read` for each 256 KiB
/// that are new, and one that finds the end, with a `statx` if there is nothing new; one `statx` of
/// the name if names have changed in its directory.
#[derive(Debug)]
pub struct Follow {
    watcher: Descriptor,
    files: Vec<FollowedFile>,
    block: Vec<u8>,
}

#[derive(Debug)]
struct FollowedFile {
    path: Box<[u8]>,
    open: Option<OpenFile>,
    /// Whether the name leads nowhere.
    gone: bool,
}

#[derive(Debug)]
struct OpenFile {
    file: Descriptor,
    identity: Identity,
    /// How much of it has been read.
    offset: u64,
}

/// What has happened to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change<'b> {
    /// These bytes are new.
    Bytes(&'b [u8]),
    /// Another file has the name; its bytes follow.
    Replaced,
    /// It is shorter than what was read of it; its bytes follow from the beginning.
    CutShort,
    /// No file has the name any more.
    Gone,
}

impl Follow {
    /// Follows no file yet.
    ///
    /// Price: one `inotify_init1`.
    ///
    /// # Errors
    /// The kernel's number: `EMFILE`, …
    pub fn new() -> Result<Follow, Error> {
        let watcher =
            sys::new_watcher(false).map_err(|errno| Error::new(errno, FOLLOW, b"files"))?;
        Ok(Follow { watcher, files: Vec::new(), block: Vec::new() })
    }

    /// Follows the file at `path` from the position of `file` on, which is that file, open for
    /// reading; or from its beginning once there is one. Of what is no regular file nothing is
    /// followed: it is false then.
    ///
    /// Price: two `inotify_add_watch`, and for a file one `statx` and one `lseek`.
    ///
    /// # Errors
    /// The kernel's number with the path: `ENOSPC` if too many files are watched.
    pub fn add(&mut self, path: &[u8], file: Option<Descriptor>) -> Result<bool, Error> {
        let fail = |errno| Error::new(errno, FOLLOW, path);
        let mut open = None;
        if let Some(file) = file {
            let stat = sys::stat_descriptor(&file, Fields::KIND | Fields::INODE).map_err(fail)?;
            if stat.kind() != Kind::File {
                return Ok(false);
            }
            let offset = sys::position(&file).map_err(fail)?;
            open = Some(OpenFile { file, identity: Identity::in_stat(&stat), offset });
        }
        let parent = c_string(PathPart::Parent.of(path)).map_err(fail)?;
        sys::add_watch(&self.watcher, &parent, Watched::Names).map_err(fail)?;
        self.files.push(FollowedFile { path: path.into(), gone: open.is_none(), open });
        self.watch_contents(self.files.len() - 1)?;
        Ok(true)
    }

    /// Calls `each` with what happens to files, by their number in the order in which they were
    /// added, until it answers `Stop`.
    ///
    /// Price: see [`Follow`].
    ///
    /// # Errors
    /// The kernel's number with the path of a file that cannot be read.
    pub fn run(&mut self, mut each: impl FnMut(usize, Change<'_>) -> Answer) -> Result<(), Error> {
        let mut names = true; // they may have changed before they were watched
        loop {
            for number in 0..self.files.len() {
                if self.look(number, names, &mut each)? == Answer::Stop {
                    return Ok(());
                }
            }
            names = sys::wait_for_change(&self.watcher)
                .map_err(|errno| Error::new(errno, FOLLOW, b"files"))?;
        }
    }

    /// Hands over what is new in a file, and looks whether it still has its name.
    fn look(
        &mut self,
        number: usize,
        names: bool,
        each: &mut impl FnMut(usize, Change<'_>) -> Answer,
    ) -> Result<Answer, Error> {
        if self.read_new(number, each)? == Answer::Stop {
            return Ok(Answer::Stop);
        }
        if !names {
            return Ok(Answer::Continue);
        }
        let Some(change) = self.find_again(number)? else { return Ok(Answer::Continue) };
        let answer = each(number, change);
        if answer == Answer::Stop || change == Change::Gone {
            return Ok(answer);
        }
        self.read_new(number, each)
    }

    fn read_new(
        &mut self,
        number: usize,
        each: &mut impl FnMut(usize, Change<'_>) -> Answer,
    ) -> Result<Answer, Error> {
        let FollowedFile { path, open, .. } = &mut self.files[number];
        let Some(open) = open else { return Ok(Answer::Continue) };
        let fail = |errno| Error::new(errno, Action::READ, path);
        self.block.resize(BLOCK_BYTES, 0);
        let mut any = false;
        loop {
            let got = sys::read(&open.file, &mut self.block).map_err(fail)?;
            if got > 0 {
                any = true;
                open.offset += got as u64;
                if each(number, Change::Bytes(&self.block[..got])) == Answer::Stop {
                    return Ok(Answer::Stop);
                }
                continue;
            }
            // Something has changed, and it is not that there is more.
            let stat = match any {
                true => return Ok(Answer::Continue),
                false => sys::stat_descriptor(&open.file, Fields::SIZE).map_err(fail)?,
            };
            if stat.size() >= open.offset {
                return Ok(Answer::Continue);
            }
            sys::set_position(&open.file, 0).map_err(fail)?;
            open.offset = 0;
            if each(number, Change::CutShort) == Answer::Stop {
                return Ok(Answer::Stop);
            }
        }
    }

    /// Looks which file has the name now, and opens it if it is another one.
    fn find_again(&mut self, number: usize) -> Result<Option<Change<'static>>, Error> {
        let file = &mut self.files[number];
        let fail = |errno| Error::new(errno, FOLLOW, &file.path);
        let path = c_string(&file.path).map_err(fail)?;
        let found = sys::stat(CWD, &path, true, Fields::KIND | Fields::INODE)
            .ok()
            .filter(|stat| stat.kind() == Kind::File);
        let Some(stat) = found else {
            return Ok((!std::mem::replace(&mut file.gone, true)).then_some(Change::Gone));
        };
        let identity = Identity::in_stat(&stat);
        file.gone = false;
        if file.open.as_ref().is_some_and(|open| open.identity == identity) {
            return Ok(None);
        }
        // It may be gone again by now: then its name changes once more.
        let opened = match sys::open(CWD, &path) {
            Ok(opened) => opened,
            Err(Errno::NOENT) => return Ok(None),
            Err(errno) => return Err(fail(errno)),
        };
        let identity = Identity::of(&opened).map_err(fail)?;
        file.open = Some(OpenFile { file: opened, identity, offset: 0 });
        self.watch_contents(number)?;
        Ok(Some(Change::Replaced))
    }

    /// Watches the file that is open, whatever its name is by now; where there is no /proc, the
    /// file that has the name.
    fn watch_contents(&mut self, number: usize) -> Result<(), Error> {
        let FollowedFile { path, open, .. } = &self.files[number];
        let Some(open) = open else { return Ok(()) };
        let itself = format!("/proc/self/fd/{}", open.file.as_fd().as_raw_fd());
        let watch = |path: &[u8]| {
            c_string(path).and_then(|path| sys::add_watch(&self.watcher, &path, Watched::Contents))
        };
        match watch(itself.as_bytes()).or_else(|_| watch(path)) {
            // The name is gone again: its directory is watched.
            Ok(_) | Err(Errno::NOENT) => Ok(()),
            Err(errno) => Err(Error::new(errno, FOLLOW, path)),
        }
    }
}
