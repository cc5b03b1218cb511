//! Paths longer than the kernel takes in one call (`PATH_MAX`).

use sys::{AsFile, At, Descriptor};

use super::c_string;
use crate::error::Errno;

/// Less than PATH_MAX (4096 with the NUL) by what callers may append.
pub(crate) const PIECE_BYTES: usize = 4000;

/// Opens directories along `path` from `at` until the rest is short enough for the kernel, and
/// calls `last` with the rest and the directory that it starts at. An empty path is `ENOENT`, as in
/// the kernel.
///
/// Price: that of `last`; one `openat` and one `close` for each 4000 bytes before.
pub(crate) fn in_pieces<T>(
    at: At<'_>,
    path: &[u8],
    last: impl FnOnce(At<'_>, &[u8]) -> Result<T, Errno>,
) -> Result<T, Errno> {
    let (held, rest) = enter(at, path)?;
    last(held.as_ref().map_or(at, AsFile::as_file), rest)
}

/// What [`in_pieces`] opened last, if it had to, and the rest. One function for all callers.
#[inline(never)]
fn enter<'p>(at: At<'_>, mut path: &'p [u8]) -> Result<(Option<Descriptor>, &'p [u8]), Errno> {
    if path.is_empty() {
        return Err(Errno::NOENT);
    }
    // Several slashes at the end are reduced to one, so that they are not split off alone.
    while path.len() > PIECE_BYTES && path.ends_with(b"//") {
        path = &path[..path.len() - 1];
    }
    let mut held: Option<Descriptor> = None;
    while path.len() > PIECE_BYTES {
        let slash = path[..PIECE_BYTES].iter().rposition(|&byte| byte == b'/');
        let (piece, rest) = path.split_at(slash.ok_or(Errno::NAMETOOLONG)? + 1);
        let from = held.as_ref().map_or(at, AsFile::as_file);
        held = Some(sys::open_place(from, &c_string(piece)?)?);
        // The rest must not look like an absolute path.
        let start = rest.iter().position(|&byte| byte != b'/').unwrap_or(rest.len());
        path = &rest[start..];
    }
    Ok((held, path))
}
