//! By which call the next block of a directory is read, and whether it brought anything new.

use crate::{Errno, Fields};

/// The two calls that read a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReadCall {
    /// `getdirentries64`: names and kinds; it says which block is the last.
    Entries,
    /// `getattrlistbulk`: names and attributes; one more call finds the end.
    Attributes,
}

/// What is known of the directories of one volume.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Traits {
    /// Its answers to `getattrlistbulk` are refused, or do not go on.
    pub(crate) lacks_attributes: bool,
    /// Its records of `getdirentries64` lack kinds.
    pub(crate) lacks_kinds: bool,
}

impl Traits {
    /// The call for a directory of which nothing was read yet.
    pub(crate) fn call_for(self, wanted: Fields) -> ReadCall {
        let is_wanted = self.lacks_kinds || !is_in_entries(wanted);
        match is_wanted && !self.lacks_attributes {
            true => ReadCall::Attributes,
            false => ReadCall::Entries,
        }
    }
}

/// What matters of the file system of a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Volume {
    /// Its number; 0 if it is not known.
    pub(crate) number: u64,
    /// Whether `stat` says of a directory that it has as many names as entries, and two more.
    pub(crate) entries_are_links: bool,
}

/// How far a directory has been read.
#[derive(Debug, Default)]
pub(crate) struct ReadState {
    /// The call that its records come from; it is chosen when the first block is read.
    pub(crate) call: Option<ReadCall>,
    /// Whether attributes were refused for it.
    pub(crate) is_refused: bool,
    /// How many records came in the blocks so far.
    pub(crate) records: u64,
    /// How many of the next records were handed out already, by another descriptor.
    pub(crate) skip: u64,
    pub(crate) progress: Progress,
    /// Its volume, where the caller does not know it and it matters.
    pub(crate) on: Option<Volume>,
}

impl ReadState {
    /// That of a directory which is to go on from a [position](position_of).
    pub(crate) fn at(position: i64) -> ReadState {
        let position = u64::try_from(position).unwrap_or(0);
        let call = match position {
            0 => None,
            _ if position & 1 != 0 => Some(ReadCall::Attributes),
            _ => Some(ReadCall::Entries),
        };
        ReadState { call, skip: position >> 1, ..ReadState::default() }
    }
}

/// The position behind so many records of a call. What the kernel says of the offset is of no use
/// to another descriptor, as `getattrlistbulk` keeps its own with the open file.
pub(crate) fn position_of(records: u64, call: ReadCall) -> i64 {
    let has_attributes = u64::from(call == ReadCall::Attributes);
    i64::try_from(records << 1 | has_attributes).unwrap_or(i64::MAX)
}

/// Whether the records of `getdirentries64` have these fields.
fn is_in_entries(fields: Fields) -> bool {
    (Fields::KIND | Fields::INODE).contains(fields)
}

/// What an error of the first `getattrlistbulk` of a directory means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// Neither this directory nor any other of the volume is read so.
    Volume,
    /// This directory is not: it may be read, but not searched, and attributes are more than its
    /// names.
    Directory,
    /// An error of the directory itself.
    No,
}

impl Refusal {
    pub(crate) fn of(errno: Errno) -> Refusal {
        match errno {
            Errno::OPNOTSUPP | Errno::INVAL | Errno::NOSYS => Refusal::Volume,
            // ENOTSUP is a number of its own on macOS (`<sys/errno.h>`).
            errno if errno.raw_os_error() == NOT_SUPPORTED => Refusal::Volume,
            Errno::ACCESS | Errno::PERM => Refusal::Directory,
            _ => Refusal::No,
        }
    }
}

/// `ENOTSUP` of macOS.
const NOT_SUPPORTED: i32 = 45;

/// Says whether the blocks of a directory go on: some servers give the same ones again and again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Progress {
    /// The first record of the last block.
    last: Option<FirstRecord>,
    /// How many blocks since then began with the same record.
    repeated: u8,
    /// The first record of an earlier block, further and further back: a directory that goes round
    /// comes by it again, however long the round is (Brent's way to find cycles).
    mark: Option<FirstRecord>,
    since_mark: u32,
    until_next_mark: u32,
    rounds: u8,
}

/// What tells the first record of a block from those of other blocks of the directory: a name is in
/// a directory once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FirstRecord {
    inode: u64,
    name: u64,
}

impl FirstRecord {
    /// Of the record with this number and name.
    pub(crate) fn of(inode: u64, name: &[u8]) -> FirstRecord {
        // FNV-1a: no more than to tell two names apart that have one inode.
        let name = name.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
        });
        FirstRecord { inode, name }
    }
}

/// What to do with a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Its entries are new.
    Take,
    /// They came already: the next block may have others.
    ReadOn,
    /// They came for the third time: nothing will change that.
    Stalled,
}

/// How often a directory may repeat itself before it is given up. Once may be a name that was
/// removed and made again meanwhile.
const MOST_REPEATS: u8 = 2;

impl Progress {
    /// Judges a block by its first record.
    pub(crate) fn judge(&mut self, first: FirstRecord) -> Step {
        if self.last == Some(first) {
            self.repeated += 1;
            return if self.repeated < MOST_REPEATS { Step::ReadOn } else { Step::Stalled };
        }
        (self.last, self.repeated) = (Some(first), 0);
        if self.mark == Some(first) {
            self.rounds += 1;
        }
        if self.rounds == MOST_REPEATS {
            return Step::Stalled;
        }
        self.since_mark += 1;
        if self.since_mark > self.until_next_mark {
            let next = self.until_next_mark.saturating_mul(2).max(2);
            (self.mark, self.since_mark, self.until_next_mark) = (Some(first), 0, next);
        }
        Step::Take
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_read_only_where_names_are_not_enough() {
        let (plain, bare) = (Traits::default(), Traits { lacks_kinds: true, ..Traits::default() });
        for (traits, wanted, call) in [
            (plain, Fields::NONE, ReadCall::Entries),
            (plain, Fields::KIND | Fields::INODE, ReadCall::Entries),
            (plain, Fields::SIZE, ReadCall::Attributes),
            (plain, Fields::ALL, ReadCall::Attributes),
            (bare, Fields::NONE, ReadCall::Attributes),
            (Traits { lacks_attributes: true, ..bare }, Fields::NONE, ReadCall::Entries),
            (Traits { lacks_attributes: true, ..plain }, Fields::ALL, ReadCall::Entries),
        ] {
            assert_eq!(traits.call_for(wanted), call, "{traits:?} {wanted:?}");
        }
    }

    #[test]
    fn a_refusal_is_of_the_volume_of_the_directory_or_none() {
        assert_eq!(Refusal::of(Errno::from_raw_os_error(45)), Refusal::Volume);
        assert_eq!(Refusal::of(Errno::INVAL), Refusal::Volume);
        assert_eq!(Refusal::of(Errno::ACCESS), Refusal::Directory);
        for errno in [Errno::IO, Errno::NOENT, Errno::BADF, Errno::INTR] {
            assert_eq!(Refusal::of(errno), Refusal::No);
        }
    }

    #[test]
    fn two_refills_without_anything_new_are_a_stall() {
        let [a, b] = [FirstRecord::of(1, b"a"), FirstRecord::of(1, b"b")];
        let mut progress = Progress::default();
        assert_eq!(progress.judge(a), Step::Take);
        assert_eq!(progress.judge(b), Step::Take);
        assert_eq!(progress.judge(b), Step::ReadOn);
        assert_eq!(progress.judge(b), Step::Stalled);
        // One repetition that goes on is none.
        let mut progress = Progress::default();
        let steps = [a, a, b, b, a].map(|first| progress.judge(first));
        let [take, on] = [Step::Take, Step::ReadOn];
        assert_eq!(steps, [take, on, take, on, take]);
    }

    #[test]
    fn a_directory_that_goes_round_for_ever_ends_however_long_the_round_is() {
        for (before, round) in [(0, 1), (0, 2), (3, 2), (5, 7), (100, 3), (1, 1000)] {
            let mut progress = Progress::default();
            let place = |at: u64| if at < before { at } else { before + (at - before) % round };
            let steps = (0..20_000).map(|at| progress.judge(FirstRecord::of(place(at), b"x")));
            let taken = steps.take_while(|step| *step != Step::Stalled).count() as u64;
            assert!(taken < 8 * (before + round), "{before} {round}: {taken}");
        }
    }

    #[test]
    fn a_long_directory_is_read_to_its_end() {
        let mut progress = Progress::default();
        let mut steps = (0..100_000).map(|at| progress.judge(FirstRecord::of(at, b"x")));
        assert!(steps.all(|step| step == Step::Take));
    }
}
