//! A block of a directory's records, and its entries with their names in WTF-8.

use super::{Descriptor, FileSystem};
use crate::windows_formats::record::{Layout, RecordMetadata, Records};
use crate::windows_formats::wide::push_wtf8;
use crate::{Fields, RawEntry};

/// A block of memory that [`read_entries`](super::read_entries) fills, made once and reused, and
/// the names and fields of the records in it.
#[derive(Debug)]
pub struct Buffer {
    block: Box<[u64]>,
    /// How much of the block the kernel may fill.
    fill_limit_bytes: usize,
    /// The names with a NUL behind each.
    names: Vec<u8>,
    items: Vec<Item>,
}

#[derive(Debug)]
struct Item {
    /// Where the name begins, and how long it is with its NUL.
    start: usize,
    length: usize,
    /// Whether it leads elsewhere, as no name does: it may come from a server.
    is_foreign: bool,
    metadata: RecordMetadata,
}

/// The kernel's own programs ask for so much at once, and servers give no more.
const MOST_BYTES: usize = 64 << 10;

impl Buffer {
    /// The smallest block that holds any single entry with a name of up to 255 units.
    pub const SMALLEST_BYTES: usize = 104 + 2 * 256;
    /// A block for most directories: records are three times as large as names alone would be.
    pub const USUAL_BYTES: usize = MOST_BYTES;

    /// A block of `bytes`, at least [`Buffer::SMALLEST_BYTES`] and at most 64 KiB.
    #[must_use]
    pub fn new(bytes: usize) -> Buffer {
        let bytes = bytes.clamp(Self::SMALLEST_BYTES, MOST_BYTES);
        let block = vec![0; bytes.div_ceil(8)].into_boxed_slice();
        let fill_limit_bytes = size_of_val(&*block);
        Buffer { fill_limit_bytes, block, names: Vec::new(), items: Vec::new() }
    }

    /// Limits how much of the block the kernel may fill; at least [`Buffer::SMALLEST_BYTES`].
    pub fn limit_fill(&mut self, bytes: usize) {
        self.fill_limit_bytes = bytes.max(Self::SMALLEST_BYTES).min(size_of_val(&*self.block));
    }

    /// Says which fields of every entry will be asked for. Nothing changes: the directory's records
    /// have all of them here.
    #[must_use]
    pub fn wanting(self, _fields: Fields) -> Buffer {
        self
    }

    pub(super) fn memory(&mut self) -> (*mut u8, usize) {
        (self.block.as_mut_ptr().cast(), self.fill_limit_bytes)
    }

    /// The entries in the first `filled` bytes, which the kernel has just written.
    pub(super) fn entries(
        &mut self,
        dir: &Descriptor,
        filled: usize,
        layout: Layout,
        on: FileSystem,
    ) -> Entries<'_> {
        let filled = filled.min(size_of_val(&*self.block));
        // SAFETY: the pointer is valid for the whole block and `filled` is within it; all of it is
        // initialised; u8 has no alignment; the borrow of self keeps other code from writing there
        // meanwhile.
        let bytes = unsafe { std::slice::from_raw_parts(self.block.as_ptr().cast(), filled) };
        self.names.clear();
        self.items.clear();
        let mut records = Records::parse(bytes, layout);
        let mut some_foreign = false;
        for record in records.by_ref() {
            let start = self.names.len();
            push_wtf8(&mut self.names, record.units());
            let name = &self.names[start..];
            let is_foreign = name.iter().any(|byte| matches!(byte, b'/' | b'\\' | 0));
            some_foreign |= is_foreign;
            self.names.push(0);
            let metadata = RecordMetadata { device: on.device(), ..record.metadata };
            self.items.push(Item { start, length: self.names.len() - start, is_foreign, metadata });
        }
        Entries {
            names: &self.names,
            items: &self.items,
            taken: 0,
            before: dir.add_records(self.items.len()),
            filled,
            dots: false,
            malformed: records.is_malformed() || some_foreign,
            ended: filled == 0 || (on.fills_blocks() && filled < self.fill_limit_bytes / 2),
        }
    }
}

/// The entries of one block, as an iterator that borrows from it. `.` and `..` are left out unless
/// asked for.
#[derive(Clone, Debug)]
pub struct Entries<'b> {
    names: &'b [u8],
    items: &'b [Item],
    taken: usize,
    /// How many records of the directory came in earlier blocks.
    before: usize,
    filled: usize,
    dots: bool,
    malformed: bool,
    ended: bool,
}

impl<'b> Entries<'b> {
    /// The same entries, with `.` and `..` where the directory has them.
    #[must_use]
    pub fn with_dots(mut self) -> Entries<'b> {
        self.dots = true;
        self
    }

    /// Whether the directory is known to have no further block. Free; certain only once all entries
    /// of this block have been taken.
    #[inline]
    #[must_use]
    pub fn ended(&self) -> bool {
        self.ended && self.taken == self.items.len()
    }

    /// How much of the block has not been taken yet, in bytes. Before the first entry is taken,
    /// that is what the kernel wrote.
    #[inline]
    #[must_use]
    pub fn bytes_left(&self) -> usize {
        self.filled - self.filled * self.taken / self.items.len().max(1)
    }

    /// The position after the entries taken so far, for [`seek`](super::seek).
    #[inline]
    #[must_use]
    pub fn position(&self) -> i64 {
        i64::try_from(self.before + self.taken).unwrap_or(i64::MAX)
    }

    /// Whether the block has bytes that are no record, or a name that no file can have.
    #[inline]
    #[must_use]
    pub fn is_malformed(&self) -> bool {
        self.malformed
    }
}

impl<'b> Iterator for Entries<'b> {
    type Item = RawEntry<'b>;

    #[inline]
    fn next(&mut self) -> Option<RawEntry<'b>> {
        loop {
            let item = self.items.get(self.taken)?;
            self.taken += 1;
            let with_nul = &self.names[item.start..item.start + item.length];
            match &with_nul[..with_nul.len() - 1] {
                b"." | b".." if !self.dots => {}
                _ if item.is_foreign => {}
                _ => {
                    let RecordMetadata { inode, .. } = item.metadata;
                    let kind = item.metadata.kind();
                    return Some(RawEntry { with_nul, kind, inode, metadata: item.metadata });
                }
            }
        }
    }
}
