//! What a manifest has of an entry, and its bytes.

use fewer::Time;
use fewer::snapshot::bytes::{Reader, put_number, put_text, put_time};
use twox_hash::XxHash64;

/// Seconds are counted from 2025-01-01, as in a snapshot, so that most take few bytes.
const FIRST_SECOND: i64 = 1_735_689_600;

const DIRECTORY: u8 = 1;
const ETAG: u8 = 2;
const PERMISSIONS: u8 = 4;

/// No key is longer: S3 has 1,024 bytes, HDFS 8,000 characters for a path.
const MOST_PATH_BYTES: usize = 1 << 16;

/// What is kept of an object, or of a file or directory of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record<'r> {
    /// The key; in a tree the path below the root, which is empty itself.
    pub path: &'r [u8],
    /// Whether it is a directory, or a key that stands for one.
    pub is_directory: bool,
    /// Size in bytes.
    pub size: u64,
    /// When it was last written.
    pub modified: Time,
    /// What [`etag_hash`] makes of its ETag, if it has one.
    pub etag: Option<u64>,
    /// The permission bits, in a tree.
    pub permissions: Option<u16>,
}

/// What stands for an ETag: its XXH64. `None` if it is empty.
///
/// Price: no request.
#[must_use]
pub fn etag_hash(etag: &str) -> Option<u64> {
    (!etag.is_empty()).then(|| XxHash64::oneshot(0, etag.as_bytes()))
}

impl Record<'_> {
    /// Whether what it is now is something else than before. Of a directory in a tree, size and
    /// time do not count: its entries do.
    pub(super) fn has_changed(&self, now: &Record<'_>, in_tree: bool) -> bool {
        let is_directory = in_tree && self.is_directory && now.is_directory;
        let contents = |it: &Record<'_>| (!is_directory).then_some((it.size, it.modified, it.etag));
        let about = |it: &Record<'_>| (it.is_directory, it.permissions);
        about(self) != about(now) || contents(self) != contents(now)
    }
}

/// The part of a record that is not its path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Details {
    is_directory: bool,
    size: u64,
    modified: Time,
    etag: Option<u64>,
    permissions: Option<u16>,
}

impl Details {
    pub(super) fn at(self, path: &[u8]) -> Record<'_> {
        let Details { is_directory, size, modified, etag, permissions } = self;
        Record { path, is_directory, size, modified, etag, permissions }
    }
}

/// Appends the bytes of a record. `path` is that of the record before, and becomes its own.
pub(super) fn put(out: &mut Vec<u8>, record: &Record<'_>, path: &mut Vec<u8>) {
    let shared = path.iter().zip(record.path).take_while(|(a, b)| a == b).count();
    path.truncate(shared);
    path.extend_from_slice(&record.path[shared..]);
    // A 0 is the end.
    put_number(out, shared as u64 + 1);
    put_text(out, &record.path[shared..]);
    let flag = |bit: u8, is_set: bool| if is_set { bit } else { 0 };
    out.push(
        flag(DIRECTORY, record.is_directory)
            | flag(ETAG, record.etag.is_some())
            | flag(PERMISSIONS, record.permissions.is_some()),
    );
    put_number(out, record.size);
    put_time(out, record.modified, FIRST_SECOND);
    if let Some(etag) = record.etag {
        out.extend_from_slice(&etag.to_le_bytes());
    }
    if let Some(permissions) = record.permissions {
        out.extend_from_slice(&permissions.to_le_bytes());
    }
}

/// What follows in a manifest.
pub(super) enum Next {
    Record(Details),
    /// The end, with how many records there are.
    End(u64),
    /// What follows contradicts itself.
    Wrong,
}

/// Reads a record; `None` if its bytes are not all there. `path` is that of the record before, and
/// becomes its own.
pub(super) fn take(reader: &mut Reader<'_>, path: &mut Vec<u8>) -> Option<Next> {
    let Some(shared) = reader.number()?.checked_sub(1) else {
        return reader.number().map(Next::End);
    };
    let rest = match reader.number()? {
        length if length > MOST_PATH_BYTES as u64 => return Some(Next::Wrong),
        length => reader.take(length as usize)?,
    };
    let flags = reader.byte()?;
    let (size, modified) = (reader.number()?, reader.time(FIRST_SECOND)?);
    let etag = match flags & ETAG {
        0 => None,
        _ => Some(u64::from_le_bytes(reader.fixed()?)),
    };
    let permissions = match flags & PERMISSIONS {
        0 => None,
        _ => Some(u16::from_le_bytes(reader.fixed()?)),
    };
    if shared > path.len() as u64 || flags > DIRECTORY | ETAG | PERMISSIONS {
        return Some(Next::Wrong);
    }
    path.truncate(shared as usize);
    path.extend_from_slice(rest);
    let is_directory = flags & DIRECTORY != 0;
    Some(Next::Record(Details { is_directory, size, modified, etag, permissions }))
}
