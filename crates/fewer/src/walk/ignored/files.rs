//! The places where git keeps rules besides `.gitignore` files (gitrepository-layout(5)).

use std::ffi::{CStr, CString};

use sys::{At, Fields, Kind};

use crate::error::Errno;
use crate::path::lexical;

/// An ignore file of more than this is an error; it is not read.
const LIMIT_BYTES: usize = 16 << 20;

/// The contents of a file; `Err(None)` if there is none.
pub(super) fn read(at: At<'_>, file: &CStr) -> Result<Vec<u8>, Option<Errno>> {
    sys::read_all(at, file, LIMIT_BYTES).map_err(|errno| match errno {
        Errno::NOENT | Errno::NOTDIR | Errno::ISDIR => None,
        _ => Some(errno),
    })
}

/// The kind of the file at a path, which ends with its NUL; `None` if there is none.
pub(super) fn kind(at: At<'_>, path_with_nul: &[u8]) -> Option<Kind> {
    let path = CStr::from_bytes_with_nul(path_with_nul).ok()?;
    Some(sys::stat(at, path, false, Fields::KIND).ok()?.kind())
}

/// Where the files of a repository are.
pub(super) struct Repository {
    /// The top of its files, with the slash; empty for the directory that paths are relative to.
    pub(super) top: Vec<u8>,
    /// Its git directory, from the top on unless absolute; each worktree has one of its own.
    pub(super) git_dir: Vec<u8>,
    /// The directory that all its worktrees share.
    common_dir: Vec<u8>,
}

impl Repository {
    /// The repository whose top is at `top`, relative to `at`, with a `.git` of this kind; `None`
    /// if that makes no repository.
    ///
    /// Price: three `statx`; for a `.git` that is a file, `openat`, two `read` and `close` of it,
    /// and of `commondir`.
    pub(super) fn at(at: At<'_>, top: &[u8], git: Kind) -> Option<Repository> {
        let (git_dir, common_dir) = match git {
            Kind::File => of_worktree(at, top)?,
            // A directory, or a link to one.
            Kind::Directory | Kind::Symlink => (b".git".to_vec(), lexical::below(top, b".git")),
            _ => return None,
        };
        Repository { top: top.to_vec(), git_dir, common_dir }.if_whole(at)
    }

    /// The repository whose git directory is `git_dir`, an absolute path, and whose top is at
    /// `top`.
    ///
    /// Price: `openat`, two `read` and `close` of `commondir`; three `statx`.
    pub(super) fn in_directory(at: At<'_>, top: &[u8], git_dir: Vec<u8>) -> Option<Repository> {
        let common_dir = find_common_dir(at, &git_dir);
        Repository { top: top.to_vec(), git_dir, common_dir }.if_whole(at)
    }

    fn if_whole(self, at: At<'_>) -> Option<Repository> {
        let repository = self;
        let is_there = |path: Vec<u8>| kind(at, &[&path[..], b"\0"].concat()).is_some();
        let whole = is_there(repository.in_git_dir(b"HEAD"))
            && is_there(repository.in_common_dir(b"objects"))
            && is_there(repository.in_common_dir(b"refs"));
        whole.then_some(repository)
    }

    /// A file that each worktree has of its own.
    pub(super) fn in_git_dir(&self, file: &[u8]) -> Vec<u8> {
        [&lexical::below(&self.top, &self.git_dir)[..], b"/", file].concat()
    }

    /// A file that all worktrees share.
    pub(super) fn in_common_dir(&self, file: &[u8]) -> Vec<u8> {
        [&self.common_dir[..], b"/", file].concat()
    }
}

/// For a worktree or a submodule, whose `.git` is a file that says where its repository is.
fn of_worktree(at: At<'_>, top: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let text = read(at, &CString::new(lexical::below(top, b".git")).ok()?).ok()?;
    let end = text.iter().rposition(|byte| !b"\r\n".contains(byte)).map_or(0, |last| last + 1);
    let git_dir = text[..end].strip_prefix(b"gitdir: ")?.to_vec();
    let common_dir = find_common_dir(at, &lexical::below(top, &git_dir));
    Some((git_dir, common_dir))
}

/// The directory that a worktree's git directory names as shared; itself, if it names none.
fn find_common_dir(at: At<'_>, git_dir: &[u8]) -> Vec<u8> {
    let folder = [git_dir, b"/"].concat();
    let file = CString::new([&folder[..], b"commondir"].concat()).ok();
    match file.and_then(|file| read(at, &file).ok()) {
        Some(common_dir) => lexical::below(&folder, common_dir.trim_ascii_end()),
        None => git_dir.to_vec(),
    }
}
