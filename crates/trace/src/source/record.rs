//! A call as the agent recorded it, and the pieces of memory that it copied.

use ::agent::layout::record;

use crate::source::memory;
use crate::source::ptrace::Pid;
use crate::{Class, Machine, Name};

/// The time of records, as whatever made them counts it.
pub(crate) trait Stamped {
    /// As nanoseconds since the recording began.
    fn nanoseconds(&self, stamp: u64) -> u64;
}

/// A record, out of the ring.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record {
    bytes: Vec<u8>,
}

impl Record {
    /// A buffer for the bytes of the next one.
    pub(crate) fn bytes(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }

    fn word(&self, at: usize) -> u64 {
        let word = self.bytes.get(at..at + 8).and_then(|word| word.try_into().ok());
        u64::from_ne_bytes(word.unwrap_or_default())
    }

    /// The time stamps before and after it.
    pub(crate) fn times(&self) -> (u64, u64) {
        (self.word(record::START), self.word(record::END))
    }

    /// The number of the call.
    pub(crate) fn number(&self) -> u64 {
        self.word(record::NUMBER)
    }

    /// Its arguments.
    pub(crate) fn arguments(&self) -> [u64; 6] {
        let bytes = self.bytes.get(record::ARGUMENTS..record::RESULT).unwrap_or_default();
        let [a, b, c, d, e, f] = bytes.as_chunks::<8>().0 else { return [0; 6] };
        // One by one. A loop writes words to the stack that are then read two at a time: no
        // processor forwards that from its store buffer, and it took 43 ns.
        let word = |bytes: &[u8; 8]| u64::from_ne_bytes(*bytes);
        [word(a), word(b), word(c), word(d), word(e), word(f)]
    }

    /// Its result.
    pub(crate) fn result(&self) -> i64 {
        self.word(record::RESULT).cast_signed()
    }

    /// The number of its stack.
    pub(crate) fn stack(&self) -> u32 {
        u32::try_from(self.word(record::STACK)).unwrap_or(0)
    }

    /// Gives its stack a number.
    #[cfg(feature = "kernel")]
    pub(crate) fn set_stack(&mut self, stack: u32) {
        if let Some(word) = self.bytes.get_mut(record::STACK..record::STACK + 8) {
            word.copy_from_slice(&u64::from(stack).to_ne_bytes());
        }
    }

    /// One half of a word: where a record of the kernel's has what the agent's does not need.
    #[cfg(feature = "kernel")]
    pub(crate) fn half(&self, at: usize) -> u32 {
        let half = self.bytes.get(at..at + 4).and_then(|half| half.try_into().ok());
        u32::from_ne_bytes(half.unwrap_or_default())
    }

    /// The bytes of the first piece with this address.
    pub(crate) fn piece(&self, address: u64) -> Option<&[u8]> {
        self.pieces().find(|piece| piece.0 == address).map(|piece| piece.1)
    }

    /// The copied pieces: address and bytes.
    fn pieces(&self) -> impl Iterator<Item = (u64, &[u8])> {
        let mut rest = self.bytes.get(record::PIECES..).unwrap_or_default();
        std::iter::from_fn(move || {
            let (head, bytes) = rest.split_at_checked(record::PIECE_BYTES)?;
            let (words, _) = head.as_chunks::<8>();
            let length = usize::try_from(u64::from_ne_bytes(words[1])).ok()?;
            let piece = bytes.get(..length)?;
            rest = bytes.get(length.next_multiple_of(8)..).unwrap_or_default();
            Some((u64::from_ne_bytes(words[0]), piece))
        })
    }
}

/// Whether other threads see what a call did only when it has ended: one that makes a descriptor,
/// or changes the working directory, which is asked for behind it. A descriptor that is closed, on
/// the other hand, another thread may get before that has ended.
pub(crate) fn is_seen_by_its_end(number: u64) -> bool {
    let name = Name::of(u32::try_from(number).unwrap_or(u32::MAX), Machine::HERE);
    matches!(name.class(), Class::Open | Class::Duplicate | Class::Fcntl | Class::Chdir)
}

/// A tracee's memory: as it is now, or, while a call is decoded that the agent has made, as the
/// agent copied it.
#[derive(Debug, Default)]
pub(crate) struct View {
    record: Record,
    is_record: bool,
}

impl View {
    /// Lets a record be seen.
    pub(crate) fn show(&mut self, record: &mut Record) {
        std::mem::swap(&mut self.record, record);
        self.is_record = true;
    }

    /// The inode of a descriptor that the call has made, the first or the second, if it was
    /// recorded.
    pub(crate) fn inode(&self, which: usize) -> Option<u64> {
        let bytes = self.is_record.then(|| self.record.piece(record::INODES))??;
        let (words, _) = bytes.as_chunks::<8>();
        words.get(which).map(|word| u64::from_ne_bytes(*word))
    }

    /// The working directory after the call, as the program sees it, if that was recorded.
    pub(crate) fn directory(&self) -> Option<&[u8]> {
        let bytes = self.is_record.then(|| self.record.piece(record::DIRECTORY))??;
        bytes.strip_suffix(b"\0").filter(|path| path.starts_with(b"/"))
    }

    /// Whether a record is seen, and not memory.
    pub(crate) fn is_record(&self) -> bool {
        self.is_record
    }

    /// Fills an array, or nothing.
    pub(crate) fn array<const N: usize>(&self, id: Pid, address: u64) -> Option<[u8; N]> {
        let mut bytes = [0; N];
        (self.read(id, address, &mut bytes).ok()? == N).then_some(bytes)
    }

    /// Gives it back: from now on memory is seen as it is.
    pub(crate) fn hide(&mut self, record: &mut Record) {
        std::mem::swap(&mut self.record, record);
        self.is_record = false;
    }

    /// As [`memory::read`]. Of what was copied at the same address the last is meant: an answer.
    pub(crate) fn read(&self, id: Pid, address: u64, block: &mut [u8]) -> std::io::Result<usize> {
        if !self.is_record {
            return memory::read(id, address, block);
        }
        let found = self.record.pieces().filter(|piece| piece.0 == address).last();
        let bytes = found.map(|piece| piece.1).unwrap_or_default();
        let length = bytes.len().min(block.len());
        block[..length].copy_from_slice(&bytes[..length]);
        Ok(length)
    }

    /// As [`memory::text`]. The first piece is meant: a path comes before the answer.
    pub(crate) fn text<'a>(
        &self,
        id: Pid,
        address: u64,
        block: &'a mut Vec<u8>,
    ) -> Option<&'a [u8]> {
        if !self.is_record {
            return memory::text(id, address, block);
        }
        let (_, bytes) = self.record.pieces().find(|piece| piece.0 == address)?;
        let end = memchr::memchr(0, bytes)?;
        block.clear();
        block.extend_from_slice(&bytes[..end]);
        Some(block)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_the_first_piece_at_its_address_and_an_answer_the_last() {
        let mut record = Record { bytes: vec![0; record::PIECES] };
        for bytes in [&b"a/b\0"[..], b"target"] {
            record.bytes.extend(0x5000_u64.to_ne_bytes());
            record.bytes.extend((bytes.len() as u64).to_ne_bytes());
            record.bytes.extend(bytes);
            record.bytes.resize(record.bytes.len().next_multiple_of(8), 0xff);
        }
        let (mut view, mut text, mut block) = (View::default(), Vec::new(), [0; 6]);
        view.show(&mut record);
        assert_eq!(view.text(0, 0x5000, &mut text), Some(&b"a/b"[..]));
        assert_eq!(view.text(0, 0x5008, &mut text), None);
        assert_eq!(view.read(0, 0x5000, &mut block).unwrap(), 6);
        assert_eq!(&block, b"target");
        view.hide(&mut record);
        assert_eq!(record.pieces().count(), 2);
    }

    #[test]
    fn what_a_program_wrote_over_a_record_is_no_piece() {
        let mut record = Record { bytes: vec![0xff; record::PIECES + 20] };
        assert_eq!(record.pieces().count(), 0);
        record.bytes.truncate(3);
        assert_eq!((record.number(), record.pieces().count()), (0, 0));
    }
}
