//! The path of an open file, and the disk that it lies on.

use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};

use crate::Errno;
use crate::counter::Call;
use crate::unix::{last_error, retry};

/// The path of an open file as the kernel knows it at this moment. The caller checks that it leads
/// here.
///
/// Price: one `fcntl` (`F_KINFO`).
///
/// # Errors
/// The kernel's number; `ENOENT` if it has no path.
#[doc(alias = "F_KINFO")]
pub fn path_of(file: BorrowedFd<'_>) -> Result<Vec<u8>, Errno> {
    let number = file.as_raw_fd();
    let mut answer = MaybeUninit::<libc::kinfo_file>::zeroed();
    retry(Call::Fcntl, || {
        // SAFETY: the descriptor is open as long as `file` is borrowed; the record is whole with
        // all zeros and says how large it is, and the kernel fills no more.
        let answered = unsafe {
            (*answer.as_mut_ptr()).kf_structsize = size_of::<libc::kinfo_file>() as libc::c_int;
            libc::fcntl(number, libc::F_KINFO, answer.as_mut_ptr())
        };
        if answered < 0 { Err(last_error()) } else { Ok(()) }
    })?;
    // SAFETY: all-zero was a whole record, and the kernel has filled it.
    let answer = unsafe { answer.assume_init() };
    let path = answer.kf_path.iter().flat_map(|byte| byte.to_ne_bytes());
    let path: Vec<u8> = path.take_while(|byte| *byte != 0).collect();
    if path.is_empty() { Err(Errno::NOENT) } else { Ok(path) }
}

/// Waits until what was written to a file is on the disk.
///
/// Price: one `fdatasync`.
///
/// # Errors
/// The kernel's number: `EIO`, `ENOSPC`, `EINVAL` for what is on no disk, …
#[doc(alias = "fdatasync")]
pub fn sync_data(file: impl AsFd) -> Result<(), Errno> {
    let file = file.as_fd();
    retry(Call::Fsync, || rustix::fs::fdatasync(file))
}
