//! The names of one directory, and what is known of each.

use std::ffi::CStr;
use std::ops::Range;

use sys::{Kind, RecordMetadata};

use crate::identity::Identity;
use crate::snapshot::DirectoryId;

/// The names of one directory, one after the other in one buffer.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    names: Vec<u8>,
    items: Vec<ListingItem>,
}

/// One name of a listing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ListingItem {
    /// The first bytes of the name, as a number that sorts as they do.
    first_bytes: u64,
    start: usize,
    /// With the NUL at its end.
    length: u32,
    pub(crate) info: EntryInfo,
}

/// What is known of a name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EntryInfo {
    pub(crate) kind: Kind,
    pub(crate) inode: u64,
    /// What else its directory's record says of it, unless it is a link that is followed.
    pub(crate) metadata: RecordMetadata,
    /// What it leads to: only for a link that is followed, and for a root.
    pub(crate) link_target: Option<Identity>,
    /// Which directory of the snapshot it was.
    pub(crate) known: Option<DirectoryId>,
}

/// An entry as its directory, or a snapshot of it, has it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EntryRecord<'e> {
    pub(crate) name: &'e [u8],
    pub(crate) kind: Kind,
    pub(crate) inode: u64,
    pub(crate) metadata: RecordMetadata,
    pub(crate) known: Option<DirectoryId>,
}

impl EntryInfo {
    /// Only the kind is known.
    pub(crate) fn of_kind(kind: Kind) -> EntryInfo {
        let metadata = RecordMetadata::UNKNOWN;
        EntryInfo { kind, inode: 0, metadata, link_target: None, known: None }
    }
}

/// A listing whose memory is larger than this is freed rather than kept for the next directory.
const KEEP_BYTES: usize = 8 << 10;

impl Listing {
    /// Appends a name.
    #[inline]
    pub(crate) fn push(&mut self, name: &[u8], info: EntryInfo) {
        let start = self.names.len();
        self.names.extend_from_slice(name);
        self.names.push(0);
        let length = name.len() as u32 + 1;
        self.items.push(ListingItem { first_bytes: first_bytes(name), start, length, info });
    }

    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    pub(crate) fn get(&self, index: usize) -> ListingItem {
        self.items[index]
    }

    /// The name with its NUL.
    pub(crate) fn name_with_nul(&self, item: ListingItem) -> &[u8] {
        &self.names[item.start..item.start + item.length as usize]
    }

    /// The name.
    pub(crate) fn name(&self, item: ListingItem) -> &[u8] {
        &self.names[item.start..item.start + item.length as usize - 1]
    }

    /// The name as the kernel takes it; empty (`ENOENT`) for a name with a NUL in it.
    pub(crate) fn c_name(&self, item: ListingItem) -> &CStr {
        CStr::from_bytes_with_nul(self.name_with_nul(item)).unwrap_or(c"")
    }

    /// Puts the names in byte order.
    pub(crate) fn sort(&mut self) {
        let names = &self.names;
        let name = |item: &ListingItem| &names[item.start..item.start + item.length as usize];
        self.items.sort_unstable_by(|a, b| {
            a.first_bytes.cmp(&b.first_bytes).then_with(|| name(a).cmp(name(b)))
        });
    }

    /// The item called `name`, by looking at all.
    pub(crate) fn find(&self, name: &[u8]) -> Option<ListingItem> {
        let first_bytes = first_bytes(name);
        self.items
            .iter()
            .find(|item| item.first_bytes == first_bytes && self.name(**item) == name)
            .copied()
    }

    /// Takes the first directory of that name in a range for something that is not to be entered.
    pub(crate) fn forget(&mut self, range: Range<usize>, name: &[u8]) -> bool {
        let first_bytes = first_bytes(name);
        let is_it = |&index: &usize| {
            let item = self.items[index];
            item.first_bytes == first_bytes && item.may_be_entered() && self.name(item) == name
        };
        let Some(index) = range.into_iter().find(is_it) else { return false };
        self.items[index].info.kind = Kind::File;
        true
    }

    /// Empties it; the memory stays unless it is large.
    pub(crate) fn clear(&mut self) {
        if self.names.capacity() + size_of::<ListingItem>() * self.items.capacity() > KEEP_BYTES {
            *self = Listing::default();
        }
        self.names.clear();
        self.items.clear();
    }
}

#[inline]
fn first_bytes(name: &[u8]) -> u64 {
    match name.first_chunk() {
        Some(chunk) => u64::from_be_bytes(*chunk),
        None => name.iter().rev().fold(0, |word, &byte| word >> 8 | u64::from(byte) << 56),
    }
}

impl ListingItem {
    /// Whether it may be a directory. The kind of a root is unknown until the walk comes to it.
    pub(crate) fn may_be_entered(&self) -> bool {
        matches!(self.info.kind, Kind::Directory | Kind::Unknown)
    }
}
