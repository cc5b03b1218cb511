//! Paths without `.`, `..` and links in them.

use fewer::path::without_trailing_slashes;
use fewer::{Errno, Scope};

use super::{as_path, in_directory, number};

/// How much of a path must be there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Must {
    /// All of it.
    Exist,
    /// All but its last name.
    AllButLast,
    /// Nothing.
    Nothing,
}

/// As many links as the kernel follows in one path.
const MOST_LINKS: usize = 40;

/// The absolute path without links of what `path` leads to; `None` where this process cannot
/// know it: below /proc, or without /proc.
///
/// Price: two `statx`, `openat`, `readlinkat`, `close`, if all of it is there; as much again for
/// what it lies in, and one `readlinkat`, if its last name is not.
///
/// # Errors
/// The kernel's number: `ENOENT`, `ENOTDIR`, `ELOOP`, `EACCES`, …
pub(super) fn canonical(scope: &Scope, path: &[u8], must: Must) -> Result<Option<Vec<u8>>, Errno> {
    let mut path = match must {
        Must::Nothing => without_trailing_slashes(path).to_vec(),
        _ => path.to_vec(),
    };
    for _ in 0..MOST_LINKS {
        let errno = match scope.physical_of(as_path(&path)) {
            Ok(found) => return Ok(found.filter(|found| !found.starts_with(b"/proc/"))),
            Err(error) => error.errno(),
        };
        let gone = errno == Errno::NOENT && !path.is_empty();
        if !(gone && must == Must::AllButLast || must == Must::Nothing && !path.is_empty()) {
            return Err(errno);
        }
        let (above, name) = split(&path, must == Must::Nothing);
        let Some(above) = canonical(
            scope,
            above,
            match must {
                Must::Nothing => Must::Nothing,
                _ => Must::Exist,
            },
        )?
        else {
            return Ok(None);
        };
        match name {
            b"." => return Ok(Some(above)),
            b".." => {
                let slash = memchr::memrchr(b'/', &above).unwrap_or(0);
                return Ok(Some(above[..slash.max(1)].to_vec()));
            }
            _ => {}
        }
        let here = in_directory(&above, name);
        if errno != Errno::NOENT {
            return Ok(Some(here));
        }
        // It may be a link that leads nowhere: then that is where it would be.
        match scope.read_link(as_path(&here)).map_err(number) {
            Ok(target) if target.starts_with(b"/") => path = target,
            Ok(target) => path = in_directory(&above, &target),
            Err(_) => return Ok(Some(here)),
        }
    }
    Err(Errno::LOOP)
}

/// What stands before the last name, and that. With a slash behind it, it must be a directory; if
/// `loose`, it may be anything.
fn split(path: &[u8], loose: bool) -> (&[u8], &[u8]) {
    let whole = without_trailing_slashes(path);
    match memchr::memrchr(b'/', whole) {
        Some(slash) if loose => (without_trailing_slashes(&whole[..=slash]), &whole[slash + 1..]),
        Some(slash) => (&whole[..=slash], &whole[slash + 1..]),
        None => (b".", whole),
    }
}
