//! The mount table.

use super::filesystem::{bytes, number};
use crate::Errno;
use crate::counter::Call;
use crate::unix::{last_error, retry};

/// One mount, as this process sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mount {
    /// Path of the mount point.
    pub point: Vec<u8>,
    /// What tells the file system that is mounted there from others: its number.
    pub device: Vec<u8>,
    /// The directory of that file system that is mounted: the topmost one.
    pub root: Vec<u8>,
}

/// A table that grows while it is read is read again, so often.
const MOST_READS: usize = 4;

/// The mount table, without asking any file system how full it is.
///
/// Price: two `getfsstat`; more if the table grows meanwhile.
///
/// # Errors
/// The kernel's number.
#[doc(alias = "getfsstat")]
pub fn mount_table() -> Result<Vec<Mount>, Errno> {
    let mut table = Vec::<libc::statfs>::new();
    for _ in 0..MOST_READS {
        // Room for one that comes meanwhile tells whether all were read.
        table.reserve_exact(count_of_mounts()? + 1);
        let room = table.capacity();
        let size = room * size_of::<libc::statfs>();
        let filled = getfsstat(table.as_mut_ptr(), size)?.min(room);
        // SAFETY: the kernel has filled so many records, which are within the capacity.
        unsafe { table.set_len(filled) };
        if filled < room {
            break;
        }
        table.clear();
    }
    Ok(table.iter().map(mount).collect())
}

fn mount(from: &libc::statfs) -> Mount {
    Mount {
        point: bytes(&from.f_mntonname).collect(),
        device: number(&from.f_fsid).to_ne_bytes().to_vec(),
        root: b"/".to_vec(),
    }
}

fn count_of_mounts() -> Result<usize, Errno> {
    getfsstat(std::ptr::null_mut(), 0)
}

fn getfsstat(into: *mut libc::statfs, size: usize) -> Result<usize, Errno> {
    let size = size.try_into().map_err(|_| Errno::NOMEM)?;
    retry(Call::Getfsstat, || {
        // SAFETY: `into` is null, or leads to `size` bytes that nothing else refers to; the kernel
        // writes whole records only, as many as there is room for.
        let answer = unsafe { libc::getfsstat(into, size, libc::MNT_NOWAIT) };
        usize::try_from(answer).map_err(|_| last_error())
    })
}
