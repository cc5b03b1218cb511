//! What one thing takes, and what several take together.

use std::ops::AddAssign;

use sys::Stat;

/// How much space is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Space {
    /// The number of things: files, directories, links …
    pub entries: u64,
    /// The sum of their sizes in bytes; with that of directories, as the file system states it.
    pub size: u64,
    /// The bytes that are allocated to them on the device.
    pub allocated: u64,
}

impl Space {
    /// Of one thing. Needs its size and its allocated bytes.
    pub(crate) fn of(stat: &Stat) -> Space {
        Space { entries: 1, size: stat.size(), allocated: stat.allocated() }
    }
}

impl AddAssign for Space {
    fn add_assign(&mut self, more: Space) {
        self.entries += more.entries;
        // A file may claim any size: a sum that is too large is shown as the largest.
        self.size = self.size.saturating_add(more.size);
        self.allocated = self.allocated.saturating_add(more.allocated);
    }
}
