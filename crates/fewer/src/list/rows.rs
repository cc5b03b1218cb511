//! The rows of a listing, in memory and as a caller sees them.

use std::ffi::OsStr;

use sys::{Kind, OsStrExt, RecordMetadata, Stat};

use crate::error::{Errno, Error};

/// The rows of a chunk, which is the unit of work of a thread.
pub(crate) const ROWS_PER_CHUNK: usize = 1024;

/// Up to [`ROWS_PER_CHUNK`] rows and their names.
#[derive(Debug, Default)]
pub(crate) struct Chunk {
    /// Each name with a NUL behind it.
    pub(crate) names: Vec<u8>,
    pub(crate) rows: Vec<RowData>,
    /// One for each row, or none at all if no row needs metadata.
    pub(crate) answers: Vec<StatResult>,
    /// Whether any of them failed.
    pub(crate) failed: bool,
}

/// The metadata of an entry; `None` if none was needed.
pub(crate) type StatResult = Option<Result<Stat, Errno>>;

/// The fields of one entry.
#[derive(Debug)]
pub(crate) struct RowData {
    pub(crate) start: u32,
    pub(crate) length: u16,
    pub(crate) kind: Kind,
    pub(crate) inode: u64,
    /// What else its directory's record says of it.
    pub(crate) metadata: RecordMetadata,
    pub(crate) more: Option<Box<RareData>>,
}

/// Fields that only few entries have.
#[derive(Debug, Default)]
pub(crate) struct RareData {
    pub(crate) link: Option<Link>,
    pub(crate) marks: Marks,
}

/// The target of a link.
#[derive(Clone, Debug)]
pub struct Link {
    /// The target path; `None` if it was not requested.
    pub path: Option<Result<Vec<u8>, Errno>>,
    /// Kind and mode of the target; `None` if they were not requested.
    pub target: Option<Result<Stat, Errno>>,
}

/// Permissions of an entry beyond its mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Marks {
    /// None, or they were not requested.
    #[default]
    None,
    /// A security label (SELinux), and nothing else.
    Label,
    /// An access control list.
    AccessList,
}

impl Chunk {
    /// A chunk that is likely to be filled.
    pub(crate) fn large() -> Chunk {
        Chunk {
            names: Vec::with_capacity(24 * ROWS_PER_CHUNK),
            rows: Vec::with_capacity(ROWS_PER_CHUNK),
            ..Chunk::default()
        }
    }

    pub(crate) fn push(&mut self, name: &[u8], kind: Kind, inode: u64, metadata: RecordMetadata) {
        let (start, length) = (self.names.len() as u32, name.len() as u16);
        self.names.extend_from_slice(name);
        self.names.push(0);
        self.rows.push(RowData { start, length, kind, inode, metadata, more: None });
    }

    pub(crate) fn name(&self, row: usize) -> &[u8] {
        let data = &self.rows[row];
        let start = data.start as usize;
        &self.names[start..start + usize::from(data.length)]
    }
}

/// One entry of a listing. Everything here is free: it was read with the directory.
#[derive(Clone, Copy, Debug)]
pub struct Row<'l> {
    pub(super) name: &'l [u8],
    pub(super) data: &'l RowData,
    pub(super) answer: Option<&'l Result<Stat, Errno>>,
}

impl<'l> Row<'l> {
    sys::getters! {
        /// The name, as bytes from the kernel. For an operand the path, as the caller wrote it.
        name_bytes: &'l [u8] = |it| it.name;
        /// The name.
        name: &'l OsStr = |it| OsStr::from_bytes(it.name);
        /// The kind: from the entry's metadata if they were read, otherwise from the directory.
        /// `Unknown` if neither says it.
        kind: Kind = |it| it.data.kind;
    }

    sys::kind_questions!(".");

    sys::getters! {
        /// The inode number: from the entry's metadata if they were read, otherwise from the
        /// directory, whose record of a mount point has that of the directory below the mount.
        inode: u64 = |it| it.data.inode;
        /// The metadata; `None` if they were not requested for this entry or could not be read.
        stat: Option<&'l Stat> = |it| it.answer?.as_ref().ok();
        /// Why the metadata could not be read, if they were requested.
        stat_error: Option<Errno> = |it| it.answer?.as_ref().err().copied();
        /// The target, if it is a link and that was requested.
        link: Option<&'l Link> = |it| it.data.more.as_ref().and_then(|more| more.link.as_ref());
        /// Permissions beyond the mode.
        marks: Marks = |it| it.data.more.as_ref().map_or(Marks::None, |more| more.marks);
    }

    /// Whether anything but the target of a link could not be read.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        let unread = || self.link().is_some_and(|link| matches!(link.path, Some(Err(_))));
        self.stat_error().is_some() || unread()
    }

    /// Whether it is a directory, or a link that is known to lead to one.
    #[must_use]
    pub fn leads_to_directory(&self) -> bool {
        let target = self.link().and_then(|link| link.target.as_ref());
        self.is_dir() || target.is_some_and(|t| t.as_ref().is_ok_and(Stat::is_dir))
    }
}

/// The entries of one directory with the requested metadata, in order.
#[derive(Debug, Default)]
pub struct Listing {
    pub(crate) chunks: Vec<Chunk>,
    /// Places of rows, in order; empty if they are in the order in which they were read.
    pub(crate) order: Vec<u32>,
    pub(crate) broken_off: Option<Error>,
    pub(crate) threads: usize,
}

impl Listing {
    /// The rows in the order in which they were read, by so many threads.
    pub(crate) fn new(chunks: Vec<Chunk>, threads: usize, broken_off: Option<Error>) -> Listing {
        Listing { chunks, order: Vec::new(), broken_off, threads }
    }

    /// How many entries there are; free.
    #[must_use]
    pub fn len(&self) -> usize {
        self.chunks
            .last()
            .map_or(0, |last| (self.chunks.len() - 1) * ROWS_PER_CHUNK + last.rows.len())
    }

    /// How many threads read it: as many as are worthwhile for the next steps.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.threads.max(1)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The entry at a place in the order, from 0 on.
    ///
    /// # Panics
    /// If there are not so many.
    #[inline]
    #[must_use]
    pub fn row(&self, place: usize) -> Row<'_> {
        self.row_as_read(self.order.get(place).map_or(place, |&read| read as usize))
    }

    /// Prefetches the row at an index.
    #[inline]
    pub(crate) fn prefetch_row(&self, place: usize) {
        let Some(&read) = self.order.get(place) else { return };
        let (chunk, row) = (read as usize / ROWS_PER_CHUNK, read as usize % ROWS_PER_CHUNK);
        let Some(chunk) = self.chunks.get(chunk) else { return };
        if let Some(data) = chunk.rows.get(row) {
            sys::prefetch(data);
        }
        if let Some(answer) = chunk.answers.get(row) {
            sys::prefetch(answer);
            // It begins in one line of the cache and ends in the next.
            if let Some(next) = chunk.answers.get(row + 1) {
                sys::prefetch(next);
            }
        }
    }

    /// Prefetches the name of a row, once the row itself is there.
    #[inline]
    pub(crate) fn prefetch_name(&self, place: usize) {
        let Some(&read) = self.order.get(place) else { return };
        let Some(chunk) = self.chunks.get(read as usize / ROWS_PER_CHUNK) else { return };
        let data = chunk.rows.get(read as usize % ROWS_PER_CHUNK);
        if let Some(first) = data.and_then(|data| chunk.names.get(data.start as usize)) {
            sys::prefetch(first);
        }
    }

    /// The entries in order.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = Row<'_>> + Clone {
        (0..self.len()).map(|place| self.row(place))
    }

    /// The entries in the order in which they were read, whatever the order of the listing: the
    /// fastest way to look at all of them.
    pub fn rows_as_read(&self) -> impl ExactSizeIterator<Item = Row<'_>> + Clone {
        (0..self.len()).map(|place| self.row_as_read(place))
    }

    /// The entries whose metadata or link targets could not be read, as they were read.
    pub fn failures(&self) -> impl Iterator<Item = Row<'_>> {
        let failed = |(_, chunk): &(usize, &Chunk)| chunk.failed;
        let places = self.chunks.iter().enumerate().filter(failed).flat_map(|(place, chunk)| {
            let start = place * ROWS_PER_CHUNK;
            start..start + chunk.rows.len()
        });
        places.map(|place| self.row_as_read(place)).filter(Row::has_failed)
    }

    /// Why the directory could not be read to its end, if so.
    #[must_use]
    pub fn broken_off(&self) -> Option<&Error> {
        self.broken_off.as_ref()
    }

    #[inline]
    pub(super) fn row_as_read(&self, place: usize) -> Row<'_> {
        let chunk = &self.chunks[place / ROWS_PER_CHUNK];
        let row = place % ROWS_PER_CHUNK;
        let answer = chunk.answers.get(row).and_then(Option::as_ref);
        Row { name: chunk.name(row), data: &chunk.rows[row], answer }
    }
}
