//! How much was written to the output, if it is a file.

use sys::{BorrowedFile, Fields, Kind};

/// The file that the output is, and its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Written {
    pub(super) device: u64,
    pub(super) inode: u64,
    pub(super) bytes: u64,
}

impl Written {
    /// What has been written to an output; `None` if it is no file, such as a pipe.
    ///
    /// Price: one `statx`.
    pub(super) fn to(output: BorrowedFile<'_>) -> Option<Written> {
        let fields = Fields::KIND | Fields::INODE | Fields::SIZE;
        let stat = sys::stat_descriptor(output, fields).ok()?;
        (stat.kind() == Kind::File).then(|| Written {
            device: stat.device(),
            inode: stat.inode(),
            bytes: stat.size(),
        })
    }

    pub(super) fn is_in_file_of(&self, other: &Written) -> bool {
        (self.device, self.inode) == (other.device, other.inode)
    }
}
