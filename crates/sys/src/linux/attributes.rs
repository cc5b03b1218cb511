//! Extended attributes: their names, and how long they are.

use std::borrow::Cow;
use std::ffi::{CStr, CString};
use std::os::fd::AsRawFd;

use crate::Errno;
use crate::counter::Call;
use crate::unix::{At, retry};

/// How long the extended attribute `attribute` of `path` is; of a link itself unless `follow`.
///
/// Price: one `lgetxattr`, or `getxattr` to follow.
///
/// # Errors
/// The kernel's number: `ENODATA` if there is none of that name, `EOPNOTSUPP` where the file system
/// has none at all.
#[doc(alias = "lgetxattr")]
#[doc(alias = "getxattr")]
pub fn attribute_length(path: &CStr, attribute: &CStr, follow: bool) -> Result<usize, Errno> {
    let nothing: &mut [u8] = &mut [];
    match follow {
        true => retry(Call::Getxattr, || rustix::fs::getxattr(path, attribute, &mut *nothing)),
        false => retry(Call::Lgetxattr, || rustix::fs::lgetxattr(path, attribute, &mut *nothing)),
    }
}

/// The names of the extended attributes of `name` relative to `at`, each with a NUL behind it; of a
/// link itself unless `follow`.
///
/// Price: one `llistxattr`, or `listxattr` to follow; one more where there are more than 1 KiB.
///
/// # Errors
/// The kernel's number: `EOPNOTSUPP` where the file system has none; `ENOENT` also where /proc is
/// not mounted: the calls take no directory descriptor, so `at` is reached by its number there.
#[doc(alias = "llistxattr")]
#[doc(alias = "listxattr")]
pub fn attribute_names(at: At<'_>, name: &CStr, follow: bool) -> Result<Vec<u8>, Errno> {
    let held = at.as_raw_fd();
    let path = match held >= 0 && !name.to_bytes().starts_with(b"/") {
        true => {
            let mut path = format!("/proc/self/fd/{held}/").into_bytes();
            path.extend_from_slice(name.to_bytes());
            Cow::Owned(CString::new(path).map_err(|_| Errno::INVAL)?)
        }
        false => Cow::Borrowed(name),
    };
    let mut names = vec![0; 1 << 10];
    loop {
        let filled = match follow {
            true => retry(Call::Listxattr, || rustix::fs::listxattr(&*path, &mut *names)),
            false => retry(Call::Llistxattr, || rustix::fs::llistxattr(&*path, &mut *names)),
        };
        match filled {
            Ok(filled) => {
                names.truncate(filled);
                return Ok(names);
            }
            // The kernel gives no more than this at all.
            Err(Errno::RANGE) if names.len() < 64 << 10 => names.resize(64 << 10, 0),
            Err(errno) => return Err(errno),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attribute_that_is_not_there_is_told() {
        for follow in [true, false] {
            let length = attribute_length(c"/", c"user.no-such-attribute", follow);
            assert!(matches!(length, Err(Errno::NODATA | Errno::OPNOTSUPP)), "{length:?}");
            let length = attribute_length(c"/no such file", c"user.x", follow);
            assert_eq!(length, Err(Errno::NOENT));
        }
    }
}
