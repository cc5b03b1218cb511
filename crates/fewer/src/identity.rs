//! The identity of a file, whatever path leads to it.

use sys::{At, Descriptor, Fields, Stat};

use crate::error::Errno;
use crate::path::{c_string, in_pieces};

/// Device and inode: two files with the same identity are the same file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Identity {
    pub(crate) device: u64,
    pub(crate) inode: u64,
}

impl Identity {
    /// The identity of an open file.
    ///
    /// Price: one `statx`.
    pub(crate) fn of(descriptor: &Descriptor) -> Result<Identity, Errno> {
        Ok(Identity::in_stat(&sys::stat_descriptor(descriptor, Fields::INODE)?))
    }

    /// The identity of the file at a path, links followed. The path may be of any length.
    ///
    /// Price: one `statx`; one `openat` and one `close` for each 4000 bytes before the last.
    pub(crate) fn at(at: At<'_>, path: &[u8]) -> Result<Identity, Errno> {
        in_pieces(at, path, |at, rest| {
            let stat = sys::stat(at, &c_string(rest)?, true, Fields::INODE)?;
            Ok(Identity::in_stat(&stat))
        })
    }

    /// The identity in a `Stat` that was requested with [`Fields::INODE`]; free.
    pub(crate) fn in_stat(stat: &Stat) -> Identity {
        Identity { device: stat.device(), inode: stat.inode() }
    }

    /// What stands for the space of something that others take, too: the file, if it has several
    /// names; its blocks, if other files have the same ones. `None` if the space is its own. The
    /// `Stat` was requested with [`Fields::INODE`], [`Fields::LINKS`] and [`Fields::ALLOCATED`];
    /// free.
    pub(crate) fn of_shared_space(stat: &Stat) -> Option<Identity> {
        if stat.is_dir() {
            return None;
        }
        match stat.shared_blocks() {
            // Blocks are no file: no device has this number.
            Some(number) => Some(Identity { device: !stat.device(), inode: number }),
            None => (stat.links() > 1).then(|| Identity::in_stat(stat)),
        }
    }
}
