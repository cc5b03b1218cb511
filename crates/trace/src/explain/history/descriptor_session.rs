//! What is done with a descriptor from the call that made it until it is closed.

use crate::explain::history::patterns::{self, Patterns, bytes};
use crate::explain::tally::Tally;
use crate::{Call, Class, Name, PathId};

/// Reads and writes that ask for no more than this are small.
pub(crate) const SMALL_READ: u64 = 8192;
/// Writes of no more than this are small.
pub(crate) const SMALL_WRITE: u64 = 1024;
/// A smaller buffer for directory entries is small.
pub(crate) const SMALL_LISTING: u64 = 32 * 1024;

/// Where a descriptor came from.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) enum DescriptorOrigin {
    /// It was there already.
    #[default]
    Before,
    /// A file was opened.
    Opened,
    /// Another descriptor was duplicated.
    Duplicated,
}

/// What a session does again that the process had done before. The calls of such a session are
/// counted by one rule.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) enum Repeats {
    /// Nothing.
    #[default]
    Nothing,
    /// It opened and read a file with the same content.
    Content,
    /// It looked whether a file had changed, once more.
    Poll,
    /// It appended to this file, or moved a descriptor aside for that.
    Append(PathId),
    /// It wrote this file whole, or did what goes with that.
    Rewrite(PathId),
    /// It opened a file to lock it, once more.
    Lock,
}

impl Repeats {
    /// Whether it does something again.
    pub(crate) fn is_some(self) -> bool {
        self != Repeats::Nothing
    }
}

/// The session of a descriptor: what was done with it so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct DescriptorSession {
    /// What it stands for.
    pub(crate) file: PathId,
    /// Where it came from.
    pub(crate) origin: DescriptorOrigin,
    /// The call that made it.
    pub(crate) opening: Option<Box<Call>>,
    /// The flags of that call.
    pub(crate) flags: i32,
    /// Calls on it, those that made and closed it included.
    pub(crate) calls: u64,
    /// The calls on it, from which the spared ones are taken: each kind once, with its number.
    pub(crate) kinds: Vec<(Call, u64)>,
    /// Whether anything was read, written, listed, mapped, looked up through it.
    pub(crate) used: bool,
    /// Whether it was duplicated.
    pub(crate) duplicated: bool,
    /// When the process opened what it stands for, in calls of the process, if it did: a duplicate
    /// has it from what was duplicated.
    pub(crate) opened_at: Option<u64>,
    /// Calls that asked for its flags or changed them.
    pub(crate) marks: Tally,
    /// How many children the process had made before it.
    pub(crate) forks: u32,
    /// What was asked about it.
    pub(crate) probes: Probes,
    /// What the first read answered, or the first block of entries.
    pub(crate) content: u64,
    /// Whether anything was read or written.
    pub(crate) moved: bool,
    /// Bytes read.
    pub(crate) bytes_read: u64,
    /// Reads that asked for little.
    pub(crate) reads: Option<Box<Reads>>,
    /// Writes of a few bytes.
    pub(crate) writes: Option<Box<Writes>>,
    /// What is waste only together with other calls.
    pub(crate) patterns: Patterns,
    /// Directory entries read.
    pub(crate) listing: Listing,
    /// What it does again that the process had done before.
    pub(crate) repeats: Repeats,
}

/// What was asked about an open file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Probes {
    /// What was asked before anything was read or written, the terminal question included.
    pub(crate) before_use: Tally,
    /// Whether it was asked for being a terminal, and is none.
    pub(crate) no_terminal: bool,
    /// The answer to whether it is a terminal, if that was asked.
    terminal: Option<i64>,
    /// What asked that again, and got the same answer.
    pub(crate) terminal_again: Tally,
    /// Metadata asked again with nothing done in between, and the same answer.
    pub(crate) stats_again: Tally,
    /// What `fstat` answered last; 0 if it was not asked, or if something was done since.
    pub(crate) latest: u64,
    /// What `fstat` answered first.
    pub(crate) first: u64,
    /// An `fstat` right after the opening.
    pub(crate) after_opening: Option<Box<Call>>,
    /// Reads that gave nothing, behind a single one that gave all.
    pub(crate) ends: Tally,
    /// Reads that gave something.
    gave: u64,
}

/// Reads that asked for little.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reads {
    /// What they gave.
    pub(crate) bytes: u64,
    /// Those that asked for one byte.
    pub(crate) single: u64,
    /// Changes of the position to somewhere else.
    pub(crate) jumps: u64,
    /// Bytes that the position was put back by, to be read again.
    pub(crate) back: u64,
    /// From where.
    pub(crate) tally: Tally,
    /// The largest size asked for.
    pub(crate) largest: u64,
    /// What the last one gave.
    latest: u64,
}

/// Writes of a few bytes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Writes {
    /// What they moved.
    pub(crate) bytes: u64,
    /// From where.
    pub(crate) tally: Tally,
    /// When the last one was, in calls of the process.
    pub(crate) latest: u64,
    /// Those that do not go on where the one before ended.
    pub(crate) jumps: u64,
    /// Whether the position is elsewhere since then.
    elsewhere: bool,
    /// How often the file was synchronised.
    pub(crate) syncs: u64,
}

impl Writes {
    /// Whether the disk was waited for after every few of them.
    pub(crate) fn is_durable(&self) -> bool {
        self.syncs > 1 && self.syncs * 16 > self.tally.count
    }

    /// How many would do with blocks of so many bytes. What lies elsewhere is no part of the same
    /// block.
    pub(crate) fn needed(&self, block: u64) -> u64 {
        self.bytes.div_ceil(block).max(self.jumps + 1)
    }
}

/// Directory entries read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Listing {
    /// Their bytes.
    pub(crate) bytes: u64,
    /// Calls that gave entries.
    pub(crate) calls: u64,
    /// The size of the buffer.
    pub(crate) buffer: u64,
    /// From where, if the buffer is small.
    pub(crate) tally: Option<Box<Tally>>,
    /// A call that gave no more entries, and how many such calls there were.
    pub(crate) end: Option<Box<Call>>,
    pub(crate) ends: u64,
}

impl DescriptorSession {
    /// The session of a new descriptor.
    pub(crate) fn new(file: PathId, origin: DescriptorOrigin, flags: i32) -> DescriptorSession {
        let mut session = DescriptorSession { file, origin, flags, ..Default::default() };
        session.patterns.seeks.position = (origin == DescriptorOrigin::Opened).then_some(0);
        session
    }

    /// Counts a call on the descriptor.
    pub(crate) fn note(&mut self, call: &Call) {
        self.note_times(call, 1);
    }

    fn note_times(&mut self, call: &Call, times: u64) {
        const MOST_KINDS: usize = 12;
        self.calls += times;
        if let Some((_, count)) = self.kinds.iter_mut().find(|(it, _)| it.name == call.name) {
            *count += times;
        } else if self.kinds.len() < MOST_KINDS {
            self.kinds.push((call.clone(), times));
        }
    }

    /// Takes in what was done with another descriptor, as if it had been this one.
    pub(crate) fn absorb(&mut self, other: &DescriptorSession) {
        self.marks.absorb(&other.marks);
        for (call, count) in &other.kinds {
            self.note_times(call, *count);
        }
        self.patterns.looks_before = other.patterns.looks_before.clone();
    }

    /// Whether it was opened for reading alone.
    pub(crate) fn is_read_only(&self) -> bool {
        const O_ACCMODE: i32 = 3;
        const O_CREAT: i32 = 0o100;
        const O_TRUNC: i32 = 0o1000;
        self.flags & (O_ACCMODE | O_CREAT | O_TRUNC) == 0
    }

    /// Whether writes go to the end, wherever that is by then: a log.
    pub(crate) fn appends(&self) -> bool {
        const O_APPEND: i32 = 0o2000;
        self.flags & O_APPEND != 0
    }

    /// Whether what the file had before is lost.
    pub(crate) fn truncates(&self) -> bool {
        const O_ACCMODE: i32 = 3;
        const O_TRUNC: i32 = 0o1000;
        self.flags & O_TRUNC != 0 && self.flags & O_ACCMODE != 0
    }

    /// Whether it locked the file as a whole, for a moment: what it read and wrote meanwhile began
    /// at the start of the file. Records elsewhere in it may each be work of their own.
    pub(crate) fn is_brief_lock(&self) -> bool {
        const MOST_MOVED: u64 = 4096;
        let is_at_start = |call: &Call| match call.name {
            Name::Lseek => call.arguments[1] == 0,
            Name::Pread64 | Name::Pwrite64 => call.arguments[3] == 0,
            _ => true,
        };
        let of_class =
            |class: Class| self.kinds.iter().filter(move |(call, _)| call.name.class() == class);
        let written: u64 = of_class(Class::Write).map(|(call, times)| call.moved * times).sum();
        self.patterns.locks.count > 0
            && self.origin == DescriptorOrigin::Opened
            && self.bytes_read.max(written) <= MOST_MOVED
            && self.kinds.iter().all(|(call, _)| is_at_start(call))
    }

    /// Whether the file is a new one.
    pub(crate) fn creates(&self) -> bool {
        const O_CREAT_EXCL: i32 = 0o300;
        self.flags & O_CREAT_EXCL == O_CREAT_EXCL
    }

    /// Whether a shell moved the descriptor aside to write a file through it, or back: what else it
    /// is used for is something else.
    pub(crate) fn is_moved_aside(&self) -> bool {
        let file = match self.repeats {
            Repeats::Append(file) | Repeats::Rewrite(file) => file,
            _ => return false,
        };
        self.origin == DescriptorOrigin::Duplicated && self.file != file
    }

    /// Whether it is a duplicate that was made of this descriptor.
    pub(crate) fn is_duplicate_of(&self, descriptor: i64) -> bool {
        let of = self.opening.as_deref().map_or(-1, |call| i64::from(call.int(0)));
        self.origin == DescriptorOrigin::Duplicated && of == descriptor
    }

    /// Whether entries of a directory were read.
    pub(crate) fn has_listed(&self) -> bool {
        self.listing.calls > 0
    }

    /// Whether anything was written through it.
    pub(crate) fn has_written(&self) -> bool {
        self.kinds.iter().any(|(call, _)| call.name.class() == Class::Write)
    }

    /// A `read`.
    pub(crate) fn read(&mut self, call: &Call) {
        self.used = true;
        self.probes.latest = 0;
        if !call.succeeded() {
            return;
        }
        if !self.moved {
            self.moved = true;
            self.content = call.answer;
        }
        self.bytes_read += bytes(call);
        if bytes(call) > 0 {
            self.probes.gave += 1;
        } else if self.probes.gave == 1 {
            self.probes.ends.add(call);
        }
        self.patterns.seeks.transfer(Some(bytes(call)));
        let asked = if call.name == Name::Read { call.arguments[2] } else { bytes(call) };
        if asked > SMALL_READ || bytes(call) == 0 {
            return;
        }
        let reads = self.reads.get_or_insert_default();
        reads.bytes += bytes(call);
        reads.single += u64::from(asked == 1);
        reads.largest = reads.largest.max(asked);
        reads.latest = bytes(call);
        reads.tally.count(call, 1);
    }

    /// An `lseek`.
    pub(crate) fn seek(&mut self, call: &Call) {
        const SEEK_CUR: i32 = 1;
        let is_probe = !self.moved && call.int(2) == SEEK_CUR && call.arguments[1] == 0;
        if is_probe {
            self.probes.before_use.add(call);
            // A stream asks how much is left, to read all of it: its own way to read.
            self.probes.latest = 0;
        }
        let Ok(position) = u64::try_from(call.result) else { return };
        let before = self.patterns.seeks.position;
        if !is_probe {
            self.patterns.seeks.add(call);
        }
        if let Some(writes) = &mut self.writes {
            writes.elsewhere |= before != Some(position);
        }
        if let (Some(before), Some(reads)) = (before, &mut self.reads) {
            match before.checked_sub(position) {
                Some(0) => {}
                Some(back) if back <= reads.latest => reads.back += back,
                _ => reads.jumps += 1,
            }
        }
        self.patterns.seeks.position = Some(position);
    }

    /// An `fstat`, by whatever name.
    pub(crate) fn metadata(&mut self, call: &Call) {
        self.used = true;
        if !call.succeeded() {
            return;
        }
        if self.probes.latest != 0 && self.probes.latest == call.answer {
            self.probes.stats_again.add(call);
        }
        // The opening, and this.
        if self.calls == 2 {
            self.probes.after_opening = Some(Box::new(call.clone()));
        }
        self.probes.latest = call.answer;
        if self.probes.first == 0 {
            self.probes.first = call.answer;
        }
        if !self.moved {
            self.probes.before_use.add(call);
        }
    }

    /// It is mapped into memory.
    pub(crate) fn map(&mut self, call: &Call) {
        const PROT_EXEC: i32 = 4;
        let is_small = call.arguments[1] <= patterns::SMALL_MAP && call.int(2) & PROT_EXEC == 0;
        // What is read first and mapped then is a program or a library.
        if !self.moved && is_small && call.succeeded() {
            self.patterns.mapped = Some(Box::new(call.clone()));
        } else {
            self.patterns.mapped = None;
        }
    }

    /// An `ioctl`.
    pub(crate) fn control(&mut self, call: &Call) {
        const FIONBIO: u64 = 0x5421;
        const TCGETS: u64 = 0x5401;
        const ENOTTY: i32 = 25;
        if call.arguments[1] & 0xffff_ffff != TCGETS {
            self.used = true;
            if call.arguments[1] & 0xffff_ffff == FIONBIO && call.succeeded() {
                self.patterns.toggles.add(call);
            }
            return;
        }
        let is_again = self.probes.terminal.replace(call.result) == Some(call.result);
        if is_again {
            self.probes.terminal_again.add(call);
        } else if !self.moved && call.errno() == Some(ENOTTY) {
            self.probes.no_terminal = true;
            self.probes.before_use.add(call);
        }
    }

    /// A `write`. `waited` is when the process last waited for another one.
    pub(crate) fn write(&mut self, call: &Call, now: u64, waited: u64) {
        self.used = true;
        self.moved = true;
        self.probes.latest = 0;
        if !call.succeeded() {
            return;
        }
        let moved = (!self.appends()).then(|| bytes(call));
        self.patterns.seeks.transfer(moved);
        if bytes(call) > SMALL_WRITE {
            if let Some(writes) = &mut self.writes {
                writes.elsewhere = false;
            }
            return;
        }
        let writes = self.writes.get_or_insert_default();
        writes.jumps += u64::from(std::mem::take(&mut writes.elsewhere));
        if waited <= writes.latest || writes.latest == 0 {
            writes.bytes += bytes(call);
            writes.tally.count(call, 1);
        }
        writes.latest = now;
    }

    /// Bytes went from or to the file in a way that may have moved the position.
    pub(crate) fn pass(&mut self) {
        self.patterns.seeks.transfer(None);
    }

    /// Whether the position was put back behind reads, so that others find the rest.
    pub(crate) fn is_put_back(&self) -> bool {
        self.reads.as_deref().is_some_and(|reads| reads.back > 0)
    }

    /// Whether nearly all that was read was written to another file, block by block.
    pub(crate) fn is_copied(&self) -> bool {
        let is_read = |call: &Call| call.name.class() == Class::Read;
        let reads: u64 =
            self.kinds.iter().filter(|(it, _)| is_read(it)).map(|(_, count)| count).sum();
        let copies = self.patterns.copies.as_deref().map_or(0, |copies| copies.reads.count);
        // The last read says that there is no more.
        copies > 1 && copies * 10 >= reads.saturating_sub(1) * 9
    }

    /// Whether nearly all that was written was read from another file, block by block.
    pub(crate) fn is_copy(&self) -> bool {
        let writes = self.writes.as_deref().map_or(0, |writes| writes.tally.count);
        self.patterns.copied_writes * 10 >= writes * 9
    }

    /// A `getdents64`. True for the first one of a listing.
    pub(crate) fn list(&mut self, call: &Call) -> bool {
        self.used = true;
        if call.result == 0 && self.listing.calls > 0 {
            self.listing.ends += 1;
            self.listing.end.get_or_insert_with(|| Box::new(call.clone()));
        }
        let Ok(bytes @ 1..) = u32::try_from(call.result).map(u64::from) else { return false };
        if self.listing.calls == 0 {
            self.content = call.answer;
        }
        self.listing.bytes += bytes;
        self.listing.calls += 1;
        self.listing.buffer = call.arguments[2] & 0xffff_ffff;
        if self.listing.buffer < SMALL_LISTING {
            self.listing.tally.get_or_insert_default().count(call, 1);
        }
        self.listing.calls == 1
    }
}
