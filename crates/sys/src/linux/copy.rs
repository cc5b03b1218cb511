//! From one open file into another.

use std::os::fd::AsFd;

use crate::Errno;
use crate::counter::Call;
use crate::unix::{Newer, retry};

/// Lets the kernel copy up to `bytes` bytes, from the position of `from` to the position of `to`.
/// Returns how many it copied; 0 at the end.
///
/// Price: one `copy_file_range`; none where that was refused before, as by kernels before 4.5.
///
/// # Errors
/// The kernel's number: `EXDEV`, `EINVAL`, `EOPNOTSUPP`, … where it does not copy between these
/// two; `ENOSPC`, `EIO`, `EFBIG`, …
#[doc(alias = "copy_file_range")]
pub fn copy_range(from: impl AsFd, to: impl AsFd, bytes: usize) -> Result<usize, Errno> {
    static COPY_FILE_RANGE: Newer = Newer::new();
    let (from, to) = (from.as_fd(), to.as_fd());
    COPY_FILE_RANGE.or(
        || retry(Call::CopyFileRange, || rustix::fs::copy_file_range(from, None, to, None, bytes)),
        || Err(Errno::OPNOTSUPP),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unix::{CWD, open, overwrite, set_owner_of, set_permissions_of, set_times_of};
    use crate::{Fields, SetTime, Time, stat_descriptor};

    #[test]
    fn contents_permissions_and_times_go_over() {
        let folder = tempfile::tempdir().unwrap();
        let name = |file: &str| {
            std::ffi::CString::new(folder.path().join(file).to_str().unwrap()).unwrap()
        };
        std::fs::write(folder.path().join("from"), "some text").unwrap();
        let from = open(CWD, &name("from")).unwrap();
        let to = overwrite(CWD, &name("to"), 0o600).unwrap();
        assert_eq!(copy_range(&from, &to, 4), Ok(4));
        assert_eq!(copy_range(&from, &to, 1 << 20), Ok(5));
        assert_eq!(copy_range(&from, &to, 1 << 20), Ok(0));
        assert_eq!(std::fs::read_to_string(folder.path().join("to")).unwrap(), "some text");
        let time = Time { seconds: 1_000_000_000, nanoseconds: 7 };
        set_permissions_of(to.as_fd(), 0o641).unwrap();
        set_times_of(to.as_fd(), SetTime::Keep, SetTime::To(time)).unwrap();
        let stat =
            stat_descriptor(&to, Fields::PERMISSIONS | Fields::MODIFIED | Fields::OWNER).unwrap();
        assert_eq!((stat.permissions(), stat.modified()), (0o641, time));
        assert_eq!(set_owner_of(to.as_fd(), stat.user(), stat.group()), Ok(()));
    }
}
