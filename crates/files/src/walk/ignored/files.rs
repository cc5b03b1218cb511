//! Where git keeps its rules beside the `.gitignore` files (gitrepository-layout(5)).

use std::ffi::{CStr, CString};

use kernel::{At, Fields, Kind};

use crate::error::Errno;
use crate::path::lexical;

/// An ignore file of more than this is an error rather than read.
const LIMIT_BYTES: usize = 16 << 20;

/// The contents of a file; `Err(None)` if there is none.
pub(super) fn read(at: At<'_>, file: &CStr) -> Result<Vec<u8>, Option<Errno>> {
    kernel::read_all(at, file, LIMIT_BYTES).map_err(|errno| match errno {
        Errno::NOENT | Errno::NOTDIR | Errno::ISDIR => None,
        _ => Some(errno),
    })
}

/// What a path, given with its NUL, is; `None` if there is nothing.
pub(super) fn kind(at: At<'_>, path_with_nul: &[u8]) -> Option<Kind> {
    let path = CStr::from_bytes_with_nul(path_with_nul).ok()?;
    Some(kernel::stat(at, path, false, Fields::KIND).ok()?.kind())
}

/// Where a repository keeps what it knows.
pub(super) struct Repository {
    /// The top of its files, with the slash; empty for the directory that paths are relative to.
    pub(super) top: Vec<u8>,
    /// Its `.git`, from the top on unless absolute; a worktree has one of its own.
    pub(super) own: Vec<u8>,
    /// What all its worktrees share: as paths are found.
    common: Vec<u8>,
}

impl Repository {
    /// The one whose top is at `top`, relative to `at`, and has a `.git` of this kind; `None` if
    /// that makes no repository.
    ///
    /// Price: three `statx`; for a `.git` that is a file, `openat`, two `read` and `close` of it,
    /// and of `commondir`.
    pub(super) fn at(at: At<'_>, top: &[u8], git: Kind) -> Option<Repository> {
        let (own, common) = match git {
            Kind::File => of_worktree(at, top)?,
            // A directory, or a link to one.
            Kind::Directory | Kind::Symlink => (b".git".to_vec(), lexical::below(top, b".git")),
            _ => return None,
        };
        Repository { top: top.to_vec(), own, common }.if_whole(at)
    }

    /// The one that keeps what it knows in the directory `own`, which is absolute, and has its top
    /// at `top`.
    ///
    /// Price: `openat`, two `read` and `close` of `commondir`; three `statx`.
    pub(super) fn in_directory(at: At<'_>, top: &[u8], own: Vec<u8>) -> Option<Repository> {
        let common = common(at, &own);
        Repository { top: top.to_vec(), own, common }.if_whole(at)
    }

    fn if_whole(self, at: At<'_>) -> Option<Repository> {
        let repository = self;
        let is_there = |path: Vec<u8>| kind(at, &[&path[..], b"\0"].concat()).is_some();
        let whole = is_there(repository.own(b"HEAD"))
            && is_there(repository.shared(b"objects"))
            && is_there(repository.shared(b"refs"));
        whole.then_some(repository)
    }

    /// A file that each worktree has of its own.
    pub(super) fn own(&self, file: &[u8]) -> Vec<u8> {
        [&lexical::below(&self.top, &self.own)[..], b"/", file].concat()
    }

    /// A file that all worktrees share.
    pub(super) fn shared(&self, file: &[u8]) -> Vec<u8> {
        [&self.common[..], b"/", file].concat()
    }
}

/// For a worktree or a submodule, whose `.git` is a file that says where its repository is.
fn of_worktree(at: At<'_>, top: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let text = read(at, &CString::new(lexical::below(top, b".git")).ok()?).ok()?;
    let end = text.iter().rposition(|byte| !b"\r\n".contains(byte)).map_or(0, |last| last + 1);
    let own = text[..end].strip_prefix(b"gitdir: ")?.to_vec();
    let common = common(at, &lexical::below(top, &own));
    Some((own, common))
}

/// What a worktree's own directory says that it shares with others; itself, if it says nothing.
fn common(at: At<'_>, own: &[u8]) -> Vec<u8> {
    let folder = [own, b"/"].concat();
    let file = CString::new([&folder[..], b"commondir"].concat()).ok();
    match file.and_then(|file| read(at, &file).ok()) {
        Some(common) => lexical::below(&folder, common.trim_ascii_end()),
        None => own.to_vec(),
    }
}
