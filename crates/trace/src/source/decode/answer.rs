//! Calls that ask about a file: reads their answer and keeps a hash of it.

use super::decoder::Decoder;
use crate::content_hash;
use crate::source::ptrace::Pid;
use crate::{Call, Class, Name};

/// How large `struct stat` is: on x86-64, on aarch64.
pub(crate) const STAT: usize = if cfg!(target_arch = "aarch64") { 128 } else { 144 };

/// Where it has the time of access: the same on both.
const STAT_ACCESS: std::ops::Range<usize> = 72..88;

/// How large `struct statfs` is.
pub(crate) const STATFS: usize = 120;

/// How large `struct statx` is, and its fields: the bit that asks for one, and where it lies.
/// A field without a bit (the device, attributes, the size of a block) is always there.
pub(crate) const STATX: usize = 256;
const STATX_FIELDS: [(u32, std::ops::Range<usize>); 16] = [
    (libc::STATX_NLINK, 16..20),
    (libc::STATX_UID, 20..24),
    (libc::STATX_GID, 24..28),
    (libc::STATX_TYPE | libc::STATX_MODE, 28..30),
    (libc::STATX_INO, 32..40),
    (libc::STATX_SIZE, 40..48),
    (libc::STATX_BLOCKS, 48..56),
    (0, 64..80), // the time of access: never
    (libc::STATX_BTIME, 80..96),
    (libc::STATX_CTIME, 96..112),
    (libc::STATX_MTIME, 112..128),
    (0x1000 | 0x4000, 144..152), // STATX_MNT_ID, STATX_MNT_ID_UNIQUE
    (0x2000, 152..160),          // STATX_DIOALIGN
    (0x8000, 160..168),          // STATX_SUBVOL
    (0x1_0000, 168..180),        // STATX_WRITE_ATOMIC
    (0x2_0000, 180..184),        // STATX_DIO_READ_ALIGN
];

/// The most bytes of an answer that are hashed.
pub(crate) const ANSWER: usize = 1024;

/// A hash of an answer that is not 0.
pub(super) fn hash(bytes: &[u8]) -> u64 {
    content_hash::of(bytes).max(1)
}

impl Decoder {
    /// Reads what a call answered about a file; a failure is an answer, too.
    pub(super) fn read_answer(&mut self, id: Pid, call: &mut Call) {
        let Some(kind) = answer(call) else { return };
        if let Some(errno) = call.errno() {
            if errno != libc::EINTR {
                call.answer = hash(&errno.to_ne_bytes());
            }
            return;
        }
        let (address, length) = match kind {
            Answer::Success => {
                call.answer = hash(&[]);
                return;
            }
            Answer::Stat(at) => (call.arguments[at], STAT),
            Answer::Statx(at) => (call.arguments[at], STATX),
            Answer::Statfs(at) => (call.arguments[at], STATFS),
            Answer::Text(at) => (call.arguments[at], length(call.result, libc::PATH_MAX as usize)),
            Answer::Value(at) | Answer::Entries(at) => {
                (call.arguments[at], length(call.result, ANSWER))
            }
        };
        let mut block = std::mem::take(&mut self.block);
        block.resize(length, 0);
        if self.view.read(id, address, &mut block).is_ok_and(|read| read == length) {
            match kind {
                Answer::Stat(_) => block[STAT_ACCESS].fill(0),
                #[expect(clippy::cast_possible_truncation, reason = "an int is the lower half")]
                Answer::Statx(_) => blank(&mut block, call.arguments[3] as u32),
                Answer::Entries(_) => blank_padding(&mut block),
                Answer::Text(_) => {
                    if block.last() == Some(&0) {
                        block.pop();
                    }
                    call.second = self.paths.id(&block, &mut self.events);
                    if call.name == Name::Getcwd {
                        call.file = call.second;
                    }
                }
                _ => {}
            }
            call.answer = hash(&block);
        }
        self.block = block;
    }
}

/// What a call answers, and which argument says where that is.
enum Answer {
    /// Nothing but that it succeeded.
    Success,
    Stat(usize),
    Statx(usize),
    Statfs(usize),
    /// A path.
    Text(usize),
    /// As many bytes as the result says.
    Value(usize),
    /// The same, as entries of a directory.
    Entries(usize),
}

fn answer(call: &Call) -> Option<Answer> {
    let class = call.name.class();
    if class == Class::Access {
        return Some(Answer::Success);
    }
    let at = call.name.answer()?;
    Some(match class {
        Class::Stat if call.name == Name::Statx => Answer::Statx(at),
        Class::Stat => Answer::Stat(at),
        Class::Statfs => Answer::Statfs(at),
        Class::Getcwd | Class::Readlink => Answer::Text(at),
        // Attributes can be asked for their size, too: then there are no bytes.
        Class::GetXattr | Class::ListXattr if call.arguments[at + 1] == 0 => Answer::Success,
        Class::GetXattr | Class::ListXattr => Answer::Value(at),
        _ if call.name == Name::Getdents64 => Answer::Entries(at),
        _ => return None,
    })
}

pub(super) fn length(result: i64, limit: usize) -> usize {
    usize::try_from(result).unwrap_or(0).min(limit)
}

/// Takes out of a `struct statx` what was not asked for.
fn blank(block: &mut [u8], mask: u32) {
    block[0..4].fill(0);
    for (bit, range) in STATX_FIELDS {
        if mask & bit == 0 {
            block[range].fill(0);
        }
    }
}

/// Clears what lies behind the name in each `struct linux_dirent64`: the kernel leaves there what
/// was in the program's memory.
fn blank_padding(block: &mut [u8]) {
    const LENGTH: std::ops::Range<usize> = 16..18;
    const NAME: usize = 19;
    let mut rest = block;
    while let Some(length) = rest.get(LENGTH) {
        let length = usize::from(u16::from_ne_bytes([length[0], length[1]]));
        if length < NAME {
            return;
        }
        let (record, behind) = rest.split_at_mut(length.min(rest.len()));
        if let Some(end) = memchr::memchr(0, &record[NAME.min(record.len())..]) {
            record[NAME + end..].fill(0);
        }
        rest = behind;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_asked_for_does_not_count() {
        let mut one = [7; STATX];
        let mut other = one;
        one[64..80].fill(1); // the time of access
        one[40..48].fill(1); // the size
        blank(&mut one, libc::STATX_TYPE);
        blank(&mut other, libc::STATX_TYPE);
        assert_eq!(one, other);
        assert_eq!(other[28..30], [7; 2]);
    }

    #[test]
    fn what_lies_behind_a_name_does_not_count() {
        let record = |name: &[u8], padding: u8| {
            let mut record = vec![padding; 32];
            record[..19].fill(3);
            record[16..18].copy_from_slice(&32_u16.to_ne_bytes());
            record[19..19 + name.len()].copy_from_slice(name);
            record
        };
        let blank = |name: &[u8], padding, length| {
            let mut block = [record(name, padding), record(b"other\0", padding)].concat();
            block.truncate(length);
            blank_padding(&mut block);
            block
        };
        assert_eq!(blank(b"name\0", 1, 64), blank(b"name\0", 2, 64));
        assert_ne!(blank(b"name\0", 1, 64), blank(b"mane\0", 1, 64));
        // Cut off, or not what it should be: nothing is touched beyond the end.
        for length in 0..64 {
            assert_eq!(blank(b"name\0", 1, length).len(), length);
        }
    }

    #[test]
    fn no_answer_is_zero() {
        assert_ne!(hash(b""), 0);
        assert_ne!(hash(b"a"), hash(b"b"));
    }
}
