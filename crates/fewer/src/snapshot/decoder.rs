//! Decodes the entries of one directory.

use sys::Kind;

use super::Level;
use super::block::{EntryData, Head, KIND_BITS, LONGEST_NAME, MANY_SHARED, kind_of, read_stat};
use super::bytes::Reader;
use super::names::{self, MEANING_BYTES};
use super::stamp::EntryStat;

/// The names that were decoded last. They are in a buffer of a fixed size, so that a file which was
/// made to do harm does not grow when it is read.
#[derive(Clone, Debug, Default)]
pub(super) struct NameBuffer {
    bytes: Vec<u8>,
    /// How much of it is in use.
    end: usize,
    /// What precedes each name and ends it, if they are to be lines: else nothing.
    folder: Vec<u8>,
    line_end: Option<u8>,
}

const BUFFER_BYTES: usize = 64 << 10;
/// What one name may take while it is decoded: what it shares, what each byte of the rest stands
/// for, and what is overwritten behind it.
const ROOM_BYTES: usize = 2 * LONGEST_NAME + LONGEST_NAME * MEANING_BYTES;
/// Mostly less is shared, and so many bytes are copied faster than the right number.
const SHARED_BYTES: usize = 16;

/// Where a name is in the buffer.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NamePosition {
    pub(super) start: u32,
    pub(super) length: u32,
}

impl NameBuffer {
    /// Whether there is room for another name.
    #[inline]
    pub(super) fn has_room(&self) -> bool {
        self.end + self.folder.len() + ROOM_BYTES <= BUFFER_BYTES
    }

    /// From now on names stand in lines, behind this and before this byte.
    pub(super) fn begin_lines(&mut self, folder: &[u8], end: u8) {
        self.folder.extend_from_slice(folder);
        self.line_end = Some(end);
    }

    /// From now on names stand one behind the other again.
    pub(super) fn end_lines(&mut self) {
        self.folder.clear();
        self.line_end = None;
    }

    /// The lines, if no name was kept when it was cleared.
    pub(super) fn lines(&self) -> &[u8] {
        &self.bytes[..self.end]
    }

    #[inline]
    pub(super) fn get(&self, name: NamePosition) -> &[u8] {
        &self.bytes[name.start as usize..][..name.length as usize]
    }

    /// Makes room for all but some of the names, which are moved to its beginning.
    fn clear_but(&mut self, kept: &mut [Last; 2]) {
        if self.bytes.is_empty() {
            self.bytes = vec![0; BUFFER_BYTES];
        }
        self.end = 0;
        // The first in the buffer first, so that none is overwritten before it is moved.
        let [a, b] = kept;
        let in_order = if a.name.start <= b.name.start { [a, b] } else { [b, a] };
        for Last { name: NamePosition { start, length }, .. } in in_order {
            let from = *start as usize;
            self.bytes.copy_within(from..from + *length as usize, self.end);
            *start = self.end as u32;
            self.end += *length as usize;
        }
    }

    /// Adds a name that begins with `shared` bytes of another one. `None` if it is none.
    #[inline]
    fn push(
        &mut self,
        before: NamePosition,
        shared: usize,
        rest: Rest<'_>,
    ) -> Option<NamePosition> {
        let from = before.start as usize;
        let start = self.end + self.folder.len();
        if self.line_end.is_some() {
            self.bytes.get_mut(self.end..start)?.copy_from_slice(&self.folder);
        }
        match shared {
            0..=SHARED_BYTES => {
                let bytes: [u8; SHARED_BYTES] = *self.bytes.get(from..)?.first_chunk()?;
                *self.bytes.get_mut(start..)?.first_chunk_mut()? = bytes;
            }
            _ => self.bytes.copy_within(from..from + shared, start),
        }
        let end = start + shared;
        let end = match rest {
            Rest::Shortened(rest) => names::expand(rest, &mut self.bytes, end)?,
            Rest::Whole(rest) if memchr::memchr2(b'/', 0, rest).is_some() => return None,
            Rest::Whole(rest) => {
                self.bytes.get_mut(end..end + rest.len())?.copy_from_slice(rest);
                end + rest.len()
            }
        };
        self.end = end;
        if let Some(line_end) = self.line_end {
            *self.bytes.get_mut(end)? = line_end;
            self.end += 1;
        }
        let name = NamePosition { start: start as u32, length: (end - start) as u32 };
        let is_dots = name.length <= 2 && matches!(self.get(name), b"." | b"..");
        (!is_dots && end - start <= LONGEST_NAME).then_some(name)
    }
}

/// What follows the part of a name that is shared.
#[derive(Clone, Copy)]
enum Rest<'b> {
    Whole(&'b [u8]),
    Shortened(&'b [u8]),
}

/// The sequence of what is a directory, or may be one.
const DIRECTORIES: usize = 1;

/// The last entry of a sequence.
#[derive(Clone, Copy, Debug)]
struct Last {
    name: NamePosition,
    inode: u64,
}

/// Decodes the entries of one directory, one after the other.
#[derive(Clone, Debug)]
pub(super) struct Decoder<'b> {
    bytes: Reader<'b>,
    left: u64,
    level: Level,
    /// By sequence.
    last: [Last; 2],
    /// The sequence of the entry before.
    before: usize,
}

impl<'b> Decoder<'b> {
    /// Of the bytes behind a head.
    pub(super) fn new(head: &Head, bytes: Reader<'b>, level: Level) -> Decoder<'b> {
        let last = Last { name: NamePosition::default(), inode: head.stamp.inode };
        Decoder { bytes, left: head.entries, level, last: [last; 2], before: 0 }
    }

    /// Whether all entries were decoded, and no bytes are left behind them.
    pub(super) fn is_done(&self) -> bool {
        self.left == 0 && self.bytes.0.is_empty()
    }

    /// How many entries are left.
    pub(super) fn left(&self) -> u64 {
        self.left
    }

    /// Makes room in the buffer for further names.
    pub(super) fn clear(&mut self, names: &mut NameBuffer) {
        names.clear_but(&mut self.last);
    }

    /// The next entry; `None` at the end, and where the bytes are not those of an entry that comes
    /// after the one before. The buffer must have room.
    #[inline]
    pub(super) fn next(&mut self, names: &mut NameBuffer) -> Option<(NamePosition, EntryData)> {
        self.left = self.left.checked_sub(1)?;
        let (kind, shared, rest) = read_name(&mut self.bytes)?;
        let sequence = EntryData::sequence(kind);
        let Last { name: last, inode, .. } = self.last[sequence];
        let differs = shared < last.length as usize;
        if shared > last.length as usize {
            return None;
        }
        let name = names.push(last, shared, rest)?;
        // Shared is all that is the same: then the first byte that differs is larger.
        let byte = |name: NamePosition| names.bytes[name.start as usize + shared];
        let mut is_after = !differs || byte(name) > byte(last);
        if self.before != sequence {
            is_after &= names.get(self.last[self.before].name) < names.get(name);
        }
        if !is_after {
            return None;
        }
        self.before = sequence;
        let inode = inode.wrapping_add(self.bytes.signed()? as u64);
        let stat = read_any_stat(&mut self.bytes, self.level)?;
        self.last[sequence] = Last { name, inode };
        Some((name, EntryData { kind, inode, stat }))
    }

    /// Passes entries that are known to be no directories. `None` where the bytes are not those of
    /// an entry.
    #[inline]
    pub(super) fn skip_to_directory(&mut self) -> Option<()> {
        while self.left > 0 {
            let mut bytes = self.bytes;
            let (kind, ..) = read_name(&mut bytes)?;
            if EntryData::sequence(kind) == DIRECTORIES {
                break;
            }
            bytes.number()?;
            read_any_stat(&mut bytes, self.level)?;
            (self.bytes, self.left) = (bytes, self.left - 1);
        }
        Some(())
    }
}

/// Calls `each` with the names of the directories among the entries behind a head. `None` where the
/// bytes are not those of entries.
pub(super) fn for_each_directory(
    head: &Head,
    bytes: Reader<'_>,
    level: Level,
    mut each: impl FnMut(&[u8]),
) -> Option<()> {
    let (mut decoder, mut names) = (Decoder::new(head, bytes, level), NameBuffer::default());
    decoder.clear(&mut names);
    loop {
        decoder.skip_to_directory()?;
        if decoder.left() == 0 {
            return Some(());
        }
        if !names.has_room() {
            decoder.clear(&mut names);
        }
        let (name, EntryData { kind, .. }) = decoder.next(&mut names)?;
        if kind == Kind::Directory {
            each(names.get(name));
        }
    }
}

/// What precedes the inode of an entry: its kind, how much of its name is shared, and the rest.
#[inline]
fn read_name<'b>(bytes: &mut Reader<'b>) -> Option<(Kind, usize, Rest<'b>)> {
    let first = bytes.byte()?;
    let mut shared = usize::from(first >> KIND_BITS);
    if shared == usize::from(MANY_SHARED) {
        shared = shared.checked_add(bytes.small()?)?;
    }
    let length: usize = bytes.small()?;
    let rest = bytes.take(length >> 1)?;
    if rest.is_empty() || rest.len() > LONGEST_NAME {
        return None;
    }
    let rest = if length & 1 == 0 { Rest::Whole(rest) } else { Rest::Shortened(rest) };
    Some((kind_of(first), shared, rest))
}

#[inline]
fn read_any_stat(bytes: &mut Reader<'_>, level: Level) -> Option<Option<EntryStat>> {
    match level {
        Level::Names => Some(None),
        Level::Stat => read_stat(bytes).map(Some),
    }
}
