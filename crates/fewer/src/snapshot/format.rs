//! The sections of a snapshot's bytes: a header, the roots, an index of directories, and the bytes
//! of each directory.

use twox_hash::XxHash64;

use super::bytes::{Reader, put_number, put_text};
use super::error::Defect;
use super::roots::StoredRoot;
use super::{FileSystemId, Level, VERSION};

const MAGIC: &[u8; 8] = b"fewer\0ss";

/// Magic, version, level, length of the whole, checksum of all that is not the checksum; then the
/// number of directories, that of entries, and the length of the section of the roots.
pub(super) const HEADER_BYTES: usize = 56;
const LENGTH_AT: usize = 16;
const CHECKSUM_AT: usize = 24;

/// How many bytes the two numbers of a directory take in the index: where its bytes begin, and the
/// first directory after it that is not below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Widths {
    offset: usize,
    number: usize,
}

impl Widths {
    /// At most five and four, which is a terabyte and four billion directories.
    const MOST: Widths = Widths { offset: 5, number: 4 };

    /// As few as possible.
    fn of(data: usize, directories: usize) -> Widths {
        Widths { offset: significant_bytes(data), number: significant_bytes(directories) }
    }

    fn both(self) -> usize {
        self.offset + self.number
    }
}

fn significant_bytes(number: usize) -> usize {
    number.checked_ilog2().map_or(1, |bits| bits as usize / 8 + 1)
}

/// What the index says of a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) start: u64,
    pub(super) end: u32,
}

/// Where the sections are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sections {
    pub(super) level: Level,
    pub(super) directories: u32,
    pub(super) entries: u64,
    widths: Widths,
    index: usize,
    data: usize,
}

/// What the section of the roots has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Preamble {
    pub(super) roots: Vec<StoredRoot>,
    pub(super) file_systems: Vec<FileSystemId>,
    pub(super) options: Vec<u8>,
}

/// What a snapshot is made of.
#[derive(Debug)]
pub(super) struct Parts {
    pub(super) level: Level,
    pub(super) entries: u64,
    pub(super) preamble: Preamble,
    pub(super) index: Vec<Position>,
    pub(super) data: Vec<u8>,
}

impl Parts {
    /// The bytes of the snapshot.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let preamble = self.preamble.to_bytes();
        let widths = Widths::of(self.data.len(), self.index.len());
        let index_bytes = self.index.len() * widths.both();
        let length = HEADER_BYTES + preamble.len() + index_bytes + self.data.len();
        let mut out = Vec::with_capacity(length);
        out.extend_from_slice(MAGIC);
        out.extend_from_slice(&VERSION.to_le_bytes());
        out.extend([self.level as u8, widths.offset as u8, widths.number as u8, 0]);
        let numbers = [0, 0, self.index.len(), self.entries as usize, preamble.len()];
        numbers.iter().for_each(|number| out.extend_from_slice(&(*number as u64).to_le_bytes()));
        out.extend_from_slice(&preamble);
        for position in &self.index {
            out.extend_from_slice(&position.start.to_le_bytes()[..widths.offset]);
            out.extend_from_slice(&position.end.to_le_bytes()[..widths.number]);
        }
        out.extend_from_slice(&self.data);
        seal(&mut out);
        out
    }
}

impl Preamble {
    fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        put_text(&mut out, &self.options);
        put_number(&mut out, self.file_systems.len() as u64);
        for FileSystemId { device, id } in &self.file_systems {
            put_number(&mut out, *device);
            out.extend_from_slice(&id.to_le_bytes());
        }
        put_number(&mut out, self.roots.len() as u64);
        self.roots.iter().for_each(|root| root.put(&mut out));
        out
    }

    fn read(bytes: &mut Reader<'_>, level: Level) -> Option<Preamble> {
        let mut preamble = Preamble { options: bytes.text()?.to_vec(), ..Preamble::default() };
        for _ in 0..bytes.number()? {
            let (device, id) = (bytes.number()?, u64::from_le_bytes(bytes.fixed()?));
            preamble.file_systems.push(FileSystemId { device, id });
        }
        for _ in 0..bytes.number()? {
            preamble.roots.push(StoredRoot::read(bytes, level)?);
        }
        Some(preamble)
    }
}

/// Puts the length and the checksum into the header, if there is one.
pub(super) fn seal(bytes: &mut [u8]) {
    if bytes.len() < HEADER_BYTES {
        return;
    }
    let length = bytes.len() as u64;
    bytes[LENGTH_AT..CHECKSUM_AT].copy_from_slice(&length.to_le_bytes());
    let sum = checksum(bytes).to_le_bytes();
    bytes[CHECKSUM_AT..CHECKSUM_AT + 8].copy_from_slice(&sum);
}

/// The sum over everything but the checksum itself: XXH64, which goes through memory as fast as it
/// can be read.
fn checksum(bytes: &[u8]) -> u64 {
    let xxh64 = |bytes| XxHash64::oneshot(0, bytes);
    let (head, rest) = bytes.split_at(CHECKSUM_AT.min(bytes.len()));
    xxh64(rest.get(8..).unwrap_or_default()) ^ xxh64(head).rotate_left(1)
}

/// The length that the whole snapshot has, after its first bytes. If they are all the same no
/// snapshot, the defect.
pub(super) fn whole_length(bytes: &[u8]) -> Result<u64, Defect> {
    let mut reader = Reader(bytes);
    let begins = reader.take(MAGIC.len().min(bytes.len()));
    if bytes.is_empty() || begins.is_none_or(|begin| !MAGIC.starts_with(begin)) {
        return Err(Defect::NotASnapshot);
    }
    match reader.fixed().map(u32::from_le_bytes) {
        Some(VERSION) => {}
        Some(other) => return Err(Defect::Version(other)),
        None => return Err(Defect::Length),
    }
    let length = reader.fixed::<4>().and_then(|_widths| reader.fixed()).map(u64::from_le_bytes);
    length.filter(|length| *length >= HEADER_BYTES as u64).ok_or(Defect::Length)
}

/// Finds the sections of a whole snapshot.
pub(super) fn parse(bytes: &[u8]) -> Result<(Sections, Preamble), Defect> {
    if whole_length(bytes)? != bytes.len() as u64 {
        return Err(Defect::Length);
    }
    let sum = bytes.get(CHECKSUM_AT..).and_then(|at| at.first_chunk()).copied();
    if sum.map(u64::from_le_bytes) != Some(checksum(bytes)) {
        return Err(Defect::Checksum);
    }
    sections(bytes).ok_or(Defect::Inconsistent)
}

/// Finds the sections of a snapshot whose length and checksum are right.
pub(super) fn sections(bytes: &[u8]) -> Option<(Sections, Preamble)> {
    let mut reader = Reader(bytes.get(MAGIC.len() + 4..)?);
    let [level, offset, number, 0] = reader.fixed()? else { return None };
    let level = Level::of_number(level)?;
    let widths = Widths { offset: offset.into(), number: number.into() };
    if !(1..=Widths::MOST.offset).contains(&widths.offset)
        || !(1..=Widths::MOST.number).contains(&widths.number)
    {
        return None;
    }
    reader.take(16)?; // length and checksum
    let mut number = || reader.fixed().map(u64::from_le_bytes);
    let (directories, entries, preamble_bytes) = (number()?, number()?, number()?);
    let directories = u32::try_from(directories).ok()?;
    let mut preamble_reader = Reader(reader.take(usize::try_from(preamble_bytes).ok()?)?);
    let preamble = Preamble::read(&mut preamble_reader, level)?;
    let index = bytes.len() - reader.0.len();
    reader.take(usize::try_from(directories).ok()?.checked_mul(widths.both())?)?;
    let data = bytes.len() - reader.0.len();
    let sections = Sections { level, directories, entries, widths, index, data };
    // What is below one root comes before what is below the next.
    let mut after = 0;
    for id in preamble.roots.iter().filter_map(|root| root.directory) {
        let end = sections.position(bytes, id)?.end;
        if id < after || end <= id {
            return None;
        }
        after = end;
    }
    preamble_reader.0.is_empty().then_some((sections, preamble))
}

impl Sections {
    /// What the index says of a directory, and its bytes; none if it was not read.
    #[inline]
    pub(super) fn block<'b>(&self, bytes: &'b [u8], id: u32) -> Option<(Position, &'b [u8])> {
        let position = self.position(bytes, id)?;
        let next = match id + 1 < self.directories {
            true => self.position(bytes, id + 1)?.start,
            false => (bytes.len() - self.data) as u64,
        };
        let data = bytes.get(self.data..)?;
        let block = data.get(usize::try_from(position.start).ok()?..usize::try_from(next).ok()?)?;
        Some((position, block))
    }

    #[inline]
    pub(super) fn position(&self, bytes: &[u8], id: u32) -> Option<Position> {
        if id >= self.directories {
            return None;
        }
        let Widths { offset, number } = self.widths;
        let at = self.index + id as usize * self.widths.both();
        let start = number_at(bytes, at, offset)?;
        let end = number_at(bytes, at + offset, number)?;
        Some(Position { start, end: end as u32 })
    }
}

/// A number of so many bytes, at most eight.
#[inline]
fn number_at(bytes: &[u8], at: usize, width: usize) -> Option<u64> {
    let bytes = bytes.get(at..)?;
    if let Some(chunk) = bytes.first_chunk() {
        return Some(u64::from_le_bytes(*chunk) & ((1 << (8 * width)) - 1));
    }
    let bytes = bytes.get(..width)?;
    Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}
