//! The parser of what `getattrlistbulk` wrote: records of names and metadata, borrowed from the
//! block, every bound checked.
//!
//! A record is, in native byte order and with nothing aligned to more than 4 bytes: its length u32,
//! the set of attributes that it has as five u32 (common, volume, directory, file, extended:
//! `attribute_set_t`), the error u32 if the set has one, then each attribute of the set, in the
//! order of the groups and within a group in that of the bits (getattrlist(2), ATTRIBUTE BUFFER;
//! getattrlistbulk(2)). The name is a reference (`attrreference_t`): an offset from the reference
//! itself and a length that counts the NUL.
//!
//! A file system leaves out what it does not know, as nothing asks it to keep the room
//! (`FSOPT_PACK_INVAL_ATTRS`): records are shorter, and the set of each is believed, not what was
//! asked. The parser does not trust the kernel: any bytes at all lead to entries within the block
//! or to [`Records::is_malformed`], never to a panic.

use super::layout::{AttributeList, common, directory, extended, file};
use super::metadata::RecordMetadata;
use crate::{Fields, Kind};

/// One entry, still inside the block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record<'b> {
    /// The name and its NUL.
    pub(crate) with_nul: &'b [u8],
    /// Unknown where the kernel could say nothing but the name and an error: what asks again, by
    /// name, gets that error.
    pub(crate) kind: Kind,
    pub(crate) inode: u64,
    pub(crate) metadata: RecordMetadata,
}

/// What the records of a block were asked for, and how to read them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AttributeRequest {
    pub(crate) fields: Fields,
    /// Whether a directory has as many names as entries and two more, which is what `stat` says on
    /// APFS and HFS+: then it need not be asked.
    pub(crate) entries_are_links: bool,
}

/// The records of one block, as an iterator that borrows from it.
#[derive(Clone, Debug)]
pub(crate) struct Records<'b> {
    rest: &'b [u8],
    left: usize,
    request: AttributeRequest,
    list: AttributeList,
    malformed: bool,
}

impl<'b> Records<'b> {
    /// The first `count` records of `bytes`: `getattrlistbulk` answers how many there are.
    pub(crate) fn parse(bytes: &'b [u8], count: usize, request: AttributeRequest) -> Records<'b> {
        let list = AttributeList::of(request.fields);
        Records { rest: bytes, left: count, request, list, malformed: false }
    }

    /// Whether the block has bytes that are no record.
    pub(crate) fn is_malformed(&self) -> bool {
        self.malformed
    }

    /// How many records have not been taken yet.
    pub(crate) fn left(&self) -> usize {
        self.left
    }

    fn record(&mut self) -> Option<Record<'b>> {
        let length = u32::from_ne_bytes(*self.rest.first_chunk()?) as usize;
        let whole = self.rest.get(..length)?;
        let record = Cursor { whole, at: 4 }.record(self.request, &self.list)?;
        self.rest = &self.rest[length..];
        Some(record)
    }
}

impl<'b> Iterator for Records<'b> {
    type Item = Record<'b>;

    fn next(&mut self) -> Option<Record<'b>> {
        self.left = self.left.checked_sub(1)?;
        let record = self.record();
        if record.is_none() {
            (self.malformed, self.left) = (true, 0);
        }
        record
    }
}

/// A place in one record, from which the attributes are taken in their order.
struct Cursor<'b> {
    whole: &'b [u8],
    at: usize,
}

impl<'b> Cursor<'b> {
    fn record(mut self, request: AttributeRequest, list: &AttributeList) -> Option<Record<'b>> {
        let groups: [u8; 20] = self.take()?;
        let group = |at: usize| groups[4 * at..].first_chunk().map(|it| u32::from_ne_bytes(*it));
        let (of_all, of_directory) = (group(0)?, group(2)?);
        let (of_file, of_extended) = (group(3)?, group(4)?);
        // How long an attribute is that was not asked for is not known here.
        let unasked = [of_all & !list.common, group(1)?, of_directory & !list.directory];
        let more_unasked = [of_file & !list.file, of_extended & !list.fork];
        if unasked.iter().chain(&more_unasked).any(|&bits| bits != 0) {
            return None;
        }
        let error = self.u32_if(of_all, common::ERROR)?.unwrap_or(0);
        let with_nul = self.name(of_all)?;
        let mut metadata = RecordMetadata::UNKNOWN;
        self.common(of_all, &mut metadata)?;
        self.of_directory(of_directory, request, &mut metadata)?;
        self.of_file(of_file, &mut metadata)?;
        self.extended(of_extended, &mut metadata)?;
        if request.fields.contains(Fields::CREATED) {
            metadata.settled = metadata.settled | Fields::CREATED;
        }
        let (kind, inode) = (metadata.stat.kind(), metadata.stat.inode);
        // Without the device, a mounted directory or a name of which nothing is known: `stat` says
        // more. With another file system on it, these are the attributes of what is below.
        let is_whole = of_all & common::DEVICE != 0 && error == 0 && !metadata.stat.is_mount_root;
        let kind = if error == 0 { kind } else { Kind::Unknown };
        let metadata = if is_whole { metadata } else { RecordMetadata::UNKNOWN };
        Some(Record { with_nul, kind, inode, metadata })
    }

    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let bytes = *self.whole.get(self.at..)?.first_chunk()?;
        self.at += N;
        Some(bytes)
    }

    fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_ne_bytes)
    }

    /// The attribute if the set has it; the outer `None` is the end of the record.
    fn u32_if(&mut self, set: u32, bit: u32) -> Option<Option<u32>> {
        if set & bit == 0 { Some(None) } else { self.u32().map(Some) }
    }

    fn u64_if(&mut self, set: u32, bit: u32) -> Option<Option<u64>> {
        if set & bit == 0 { Some(None) } else { self.take().map(u64::from_ne_bytes).map(Some) }
    }

    /// The name that the reference here points to: not empty, without a slash, with one NUL, at its
    /// end.
    fn name(&mut self, set: u32) -> Option<&'b [u8]> {
        if set & common::NAME == 0 {
            return None;
        }
        let reference = self.at;
        let offset = self.take().map(i32::from_ne_bytes)?;
        let length = self.u32()? as usize;
        let start = reference.checked_add_signed(isize::try_from(offset).ok()?)?;
        let with_nul = self.whole.get(start..start.checked_add(length)?)?;
        let (last, name) = with_nul.split_last()?;
        let is_name = !name.is_empty() && !name.iter().any(|byte| matches!(byte, 0 | b'/'));
        (*last == 0 && is_name).then_some(with_nul)
    }

    /// The common attributes behind the name.
    fn common(&mut self, set: u32, to: &mut RecordMetadata) -> Option<()> {
        if let Some(device) = self.u32_if(set, common::DEVICE)? {
            to.stat.device = device_numbers(device);
        }
        if let Some(kind) = self.u32_if(set, common::KIND)? {
            to.set_kind(kind_of_vnode(kind));
        }
        for (bit, which, field) in [
            (common::CREATED, 3, Fields::CREATED),
            (common::MODIFIED, 1, Fields::MODIFIED),
            (common::CHANGED, 2, Fields::CHANGED),
            (common::ACCESSED, 0, Fields::ACCESSED),
        ] {
            if set & bit != 0 {
                to.stat.seconds[which] = i64::from_ne_bytes(self.take()?);
                let nanoseconds = i64::from_ne_bytes(self.take()?);
                to.stat.nanoseconds[which] = u32::try_from(nanoseconds).unwrap_or(0);
                to.fill(field);
            }
        }
        let user = self.u32_if(set, common::OWNER)?;
        let group = self.u32_if(set, common::GROUP)?;
        if let (Some(user), Some(group)) = (user, group) {
            (to.stat.user, to.stat.group) = (user, group);
            to.fill(Fields::OWNER);
        }
        if let Some(mask) = self.u32_if(set, common::ACCESS_MASK)? {
            to.stat.mode |= mask as u16 & 0o7777;
            to.fill(Fields::PERMISSIONS);
        }
        if let Some(file_id) = self.u64_if(set, common::FILE_ID)? {
            to.stat.inode = file_id;
            to.fill(Fields::INODE);
        }
        Some(())
    }

    fn of_directory(
        &mut self,
        set: u32,
        request: AttributeRequest,
        to: &mut RecordMetadata,
    ) -> Option<()> {
        let entries = self.u32_if(set, directory::ENTRIES)?;
        let links = entries.filter(|_| request.entries_are_links).map(|it| it.saturating_add(2));
        let status = self.u32_if(set, directory::MOUNT_STATUS)?.unwrap_or(0);
        to.stat.is_mount_root = status & directory::IS_MOUNT_POINT_OR_TRIGGER != 0;
        let allocated = self.u64_if(set, directory::ALLOCATED)?;
        let length = self.u64_if(set, directory::LENGTH)?;
        note_space(to, links, allocated, length);
        Some(())
    }

    fn of_file(&mut self, set: u32, to: &mut RecordMetadata) -> Option<()> {
        let links = self.u32_if(set, file::LINKS)?;
        let allocated = self.u64_if(set, file::ALLOCATED)?;
        if let Some(device) = self.u32_if(set, file::DEVICE_TYPE)? {
            to.stat.special = device_numbers(device);
        }
        let length = self.u64_if(set, file::LENGTH)?;
        note_space(to, links, allocated, length);
        Some(())
    }

    /// Which clones a file shares its blocks with: those with the same number have all blocks in
    /// common. One that was written to since has another.
    fn extended(&mut self, set: u32, to: &mut RecordMetadata) -> Option<()> {
        let clone_id = self.u64_if(set, extended::CLONE_ID)?;
        let flags = self.u64_if(set, extended::FLAGS)?.unwrap_or(0);
        if flags & extended::MAY_SHARE_BLOCKS != 0
            && let Some(clone_id) = clone_id
            && to.stat.kind() == Kind::File
        {
            to.stat.share_blocks(clone_id);
        }
        Some(())
    }
}

fn note_space(
    to: &mut RecordMetadata,
    links: Option<u32>,
    allocated: Option<u64>,
    length: Option<u64>,
) {
    if let Some(links) = links {
        to.stat.links = links;
        to.fill(Fields::LINKS);
    }
    if let Some(allocated) = allocated {
        to.stat.sectors = allocated.div_ceil(512);
        to.fill(Fields::ALLOCATED);
    }
    if let Some(length) = length {
        to.stat.size = length;
        to.fill(Fields::SIZE);
    }
}

/// The kind that the number of a vnode's type stands for (`enum vtype` in `<sys/vnode.h>`).
fn kind_of_vnode(number: u32) -> Kind {
    match number {
        1 => Kind::File,
        2 => Kind::Directory,
        3 => Kind::Block,
        4 => Kind::Char,
        5 => Kind::Symlink,
        6 => Kind::Socket,
        7 => Kind::Fifo,
        _ => Kind::Unknown,
    }
}

/// Major and minor number: the upper 8 bits and the lower 24 (`<sys/types.h>`).
pub(crate) fn device_numbers(device: u32) -> (u32, u32) {
    (device >> 24, device & 0x00ff_ffff)
}

#[cfg(test)]
mod tests;
