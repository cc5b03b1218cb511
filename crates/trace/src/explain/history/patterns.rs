//! Calls on a descriptor that are waste only together with others: blocks that are copied, locks
//! taken and given back, modes switched on and off.

use super::seeks::Seeks;
use super::thread_looks::Step;
use crate::explain::tally::Tally;
use crate::{Call, Name, PathId};

/// Files of no more than this are as well read as mapped.
pub(super) const SMALL_MAP: u64 = 64 * 1024;

/// The bytes that a call moved. The kernel moves no more at once; a damaged recording may say so.
pub(crate) fn bytes(call: &Call) -> u64 {
    const MOST: u64 = 0x7fff_f000;
    call.moved.min(MOST)
}

/// What is waste only together with other calls.
#[derive(Clone, Debug, Default)]
pub(crate) struct Patterns {
    /// The file to which a shell redirects something by it: it opened the file, stands for it where
    /// another one stood, or is that one, moved aside or back.
    pub(crate) serves: PathId,
    /// Blocks read and written to another file.
    pub(crate) copies: Option<Box<Copies>>,
    /// Writes of blocks that were read from another file, those of its first block excepted.
    pub(crate) copied_writes: u64,
    /// Changes of the position.
    pub(crate) seeks: Seeks,
    /// Calls that locked and unlocked it.
    pub(crate) locks: Tally,
    /// What made it non-blocking or blocking.
    pub(crate) toggles: Toggles,
    /// Whether it was offered to an epoll, to be watched for events.
    pub(crate) watched: bool,
    /// A small part of it mapped into memory, before anything was read.
    pub(crate) mapped: Option<Box<Call>>,
    /// Looks at the file right before it was opened, that had been made and answered before: they
    /// go with the opening if that repeats something.
    pub(crate) looks_before: Vec<Step>,
}

/// Blocks read and written to another file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Copies {
    /// The reads.
    pub(crate) reads: Tally,
    /// The writes.
    pub(crate) writes: Tally,
    /// What they moved.
    pub(crate) bytes: u64,
    /// The largest block.
    pub(crate) largest: u64,
    /// The last of the writes.
    pub(crate) last: Option<Box<Call>>,
    /// Where a read and a write that say their places have to go on.
    ends: [u64; 2],
}

/// Where a call reads or writes, if it says so itself.
fn place(call: &Call) -> Option<u64> {
    use Name::{Pread64, Preadv, Preadv2, Pwrite64, Pwritev, Pwritev2};
    matches!(call.name, Pread64 | Preadv | Preadv2 | Pwrite64 | Pwritev | Pwritev2)
        .then_some(call.arguments[3])
}

impl Copies {
    /// A block. False for the first one. Blocks that do not lie one behind the other are pages of a
    /// database, which no larger block holds.
    pub(super) fn add(&mut self, read: &Call, write: &Call) -> bool {
        let places = [read, write].map(place);
        let goes_on = |at: usize| places[at].is_none_or(|place| place == self.ends[at]);
        let is_next = self.reads.count == 0 || (0..2).all(goes_on);
        for (end, place) in self.ends.iter_mut().zip(places) {
            *end = place.unwrap_or(0).saturating_add(bytes(read));
        }
        if !is_next {
            return false;
        }
        self.reads.count(read, 1);
        self.writes.count(write, 1);
        self.bytes += bytes(read);
        self.largest = self.largest.max(bytes(read));
        self.last = Some(Box::new(write.clone()));
        self.reads.count > 1
    }
}

/// What made a descriptor non-blocking or blocking.
#[derive(Clone, Debug, Default)]
pub(crate) struct Toggles {
    /// All such calls but the first.
    pub(crate) tally: Tally,
    has_first: bool,
}

impl Toggles {
    /// A call that made the descriptor non-blocking or blocking.
    pub(super) fn add(&mut self, call: &Call) {
        if std::mem::replace(&mut self.has_first, true) {
            self.tally.add(call);
        }
    }
}
