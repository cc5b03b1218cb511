//! An entry of a block of a directory's records.

use std::ffi::CStr;

use crate::{Kind, RecordMetadata};

/// One entry, still inside the block.
#[derive(Clone, Copy, Debug)]
pub struct RawEntry<'b> {
    pub(crate) with_nul: &'b [u8],
    /// Its kind, as far as the directory's record says; free.
    pub kind: Kind,
    /// The inode number in the directory's record: for a mount point of Linux, that of the
    /// directory below the mount.
    pub inode: u64,
    /// What else the record says of it.
    pub metadata: RecordMetadata,
}

impl<'b> RawEntry<'b> {
    /// The name: any bytes but `/` and NUL. On Windows it is WTF-8, and without `\`.
    #[inline]
    #[must_use]
    pub fn name(&self) -> &'b [u8] {
        &self.with_nul[..self.with_nul.len() - 1]
    }

    /// The name as this crate's calls take it, without copying; `None` for a name that holds a NUL,
    /// which no file system produces.
    #[inline]
    #[must_use]
    pub fn c_name(&self) -> Option<&'b CStr> {
        CStr::from_bytes_with_nul(self.with_nul).ok()
    }
}
