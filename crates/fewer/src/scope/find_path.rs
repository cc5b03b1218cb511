//! The path of a directory that the kernel does not know, found by going up through `..` and
//! looking for each directory's name in its parent.

use std::ffi::CString;

use sys::{AsFile, At, Buffer, CWD, Descriptor, Fields, FileSystem, Kind};

use crate::error::Errno;
use crate::identity::Identity;

/// A deeper directory is not plausible: the kernel's cache could not hold the path to it.
const DEEPEST: usize = 1 << 20;

/// The physical path of the directory `at`.
///
/// Price: for each directory up to the first whose path the kernel knows: `openat`, `readlinkat`,
/// `statx`, `close`, reading the parent, and one `statx` for the name that matches (for a mount
/// point, one for each directory beside it).
pub(super) fn find_path(at: At<'_>) -> Result<Vec<u8>, Errno> {
    let mut below: Descriptor = sys::open_place(at, c".")?;
    let mut here = Identity::of(&below)?;
    let mut names: Vec<Vec<u8>> = Vec::new();
    let mut buffer = Buffer::new(32 << 10);
    while names.len() < DEEPEST {
        let above = sys::open_dir(below.as_file(), c"..", false)?;
        let there = Identity::of(&above)?;
        if there == here {
            return Ok(path(b"", &names));
        }
        names.push(name_in(&above, there, here, &mut buffer)?);
        let known = sys::path_of(above.as_file()).ok();
        // Only the path of a directory that is still there can be relied on.
        if let Some(known) = known.filter(|path| leads_to(path, there)) {
            return Ok(path(known.strip_suffix(b"/").unwrap_or(&known), &names));
        }
        (below, here) = (above, there);
    }
    Err(Errno::NAMETOOLONG)
}

fn path(start: &[u8], names: &[Vec<u8>]) -> Vec<u8> {
    let mut path = start.to_vec();
    for name in names.iter().rev() {
        path.push(b'/');
        path.extend_from_slice(name);
    }
    if path.is_empty() { b"/".to_vec() } else { path }
}

fn leads_to(path: &[u8], wanted: Identity) -> bool {
    let Ok(path) = CString::new(path) else { return false };
    let stat = sys::stat(CWD, &path, false, Fields::INODE);
    stat.is_ok_and(|stat| Identity::in_stat(&stat) == wanted)
}

/// The name of `wanted` in the directory `above`, whose identity is `there`.
fn name_in(
    above: &Descriptor,
    there: Identity,
    wanted: Identity,
    buffer: &mut Buffer,
) -> Result<Vec<u8>, Errno> {
    // A directory's record of a mount point has the inode below the mount: then each name needs a
    // `statx`.
    find_name(above, wanted, buffer, there.device != wanted.device).or_else(|_| {
        sys::seek(above, 0)?;
        find_name(above, wanted, buffer, true)
    })
}

fn find_name(
    above: &Descriptor,
    wanted: Identity,
    buffer: &mut Buffer,
    ask_all: bool,
) -> Result<Vec<u8>, Errno> {
    loop {
        let mut entries = sys::read_entries(above, buffer, FileSystem::OTHER)?;
        for entry in entries.by_ref() {
            let may_be = matches!(entry.kind, Kind::Directory | Kind::Unknown)
                && (ask_all || entry.inode == wanted.inode);
            let Some(name) = entry.c_name().filter(|_| may_be) else { continue };
            let found = sys::stat(above.as_file(), name, false, Fields::INODE);
            if found.is_ok_and(|it| it.inode() == wanted.inode && it.device() == wanted.device) {
                return Ok(name.to_bytes().to_vec());
            }
        }
        if entries.ended() || entries.is_malformed() {
            return Err(Errno::NOENT); // it has no name there any more
        }
    }
}
