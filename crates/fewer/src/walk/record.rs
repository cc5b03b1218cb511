//! Entries as records in the bytes that workers deliver, and the table that is made of them.
//!
//! A record stands in the bytes where its path stands: a header of fixed size, the path, a NUL. So
//! the bytes of a worker are passed on unchanged, through whatever order they have to wait in, and
//! the thread that reads them makes the table of paths.

use sys::{Fields, Kind, Stat};

use super::{Answer, Item, Visitor, Walk};
use crate::{Action, Entry, Errno, Error};

/// One entry of a [`Batch`]. Offsets are into the bytes of the batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Record {
    /// See [`Entry::inode`].
    pub inode: u64,
    /// Where the path begins. A NUL follows it.
    pub path: u32,
    /// How long the path is, in bytes.
    pub path_length: u32,
    /// The offset of the name, which is a part of the path.
    pub name: u32,
    /// How long the name is, in bytes.
    pub name_length: u32,
    /// Steps below the root, which is at 0.
    pub depth: u32,
    /// The kind.
    pub kind: Kind,
    /// The kind of a link's target, if the walk finds it out; otherwise `Unknown`.
    pub target: Kind,
    /// Zeros, up to the end of a multiple of 8 bytes.
    pub reserved: [u8; 2],
}

/// An entry that could not be looked at. Offsets are into the bytes of the batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Failure {
    /// Where the path begins. A NUL follows it.
    pub path: u32,
    /// How long the path is, in bytes.
    pub path_length: u32,
    /// Where the message begins, as [`Error`] displays it. A NUL follows it.
    pub message: u32,
    /// How long the message is, in bytes.
    pub message_length: u32,
    /// How many entries of the batch came before it.
    pub before: u32,
    /// The kernel's error number.
    pub number: i32,
    /// What was being done: the number of the [`Action`].
    pub action: u32,
}

impl Failure {
    /// What was being done.
    #[must_use]
    pub fn action(&self) -> Option<Action> {
        Action::of_number(self.action)
    }
}

/// Some entries of a walk, as one blob of bytes and a table.
#[derive(Debug, Default)]
pub struct Batch {
    bytes: Vec<u8>,
    entries: Vec<Record>,
    /// Up to the last entry that has one.
    stats: Vec<Option<Stat>>,
    failures: Vec<Failure>,
    directory: Option<BatchDirectory>,
}

/// The directory that the entries of a [`Batch`] lie in. The offset is into the bytes of the batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchDirectory {
    /// Where its path begins. A NUL follows it.
    pub path: u32,
    /// How long the path is, in bytes.
    pub path_length: u32,
    /// Steps below the root, which is at 0.
    pub depth: u32,
}

impl Batch {
    sys::getters! {
        /// The bytes that the offsets refer to. They hold more than paths and messages.
        bytes: &[u8] = |it| &it.bytes;
        /// The entries, in the order of the walk.
        entries: &[Record] = |it| &it.entries;
        /// The failures, in the order of the walk.
        failures: &[Failure] = |it| &it.failures;
        /// The directory that the entries lie in, for one of [`Directories`](super::Directories);
        /// `None` for a root, and for a directory that could not be opened.
        directory: Option<BatchDirectory> = |it| it.directory;
        /// The path of [`directory`](Batch::directory).
        directory_path: Option<&[u8]> =
            |it| it.directory.map(|place| it.at(place.path, place.path_length));
    }

    /// The path of an entry of this batch.
    #[inline]
    #[must_use]
    pub fn path(&self, entry: &Record) -> &[u8] {
        self.at(entry.path, entry.path_length)
    }

    /// The last component of the path of an entry of this batch.
    #[inline]
    #[must_use]
    pub fn name(&self, entry: &Record) -> &[u8] {
        self.at(entry.name, entry.name_length)
    }

    /// The fields that the walk requested of the entry `index` of this batch ([`Walk::stat`]);
    /// `None` if it requested none, or if they could not be had: then a failure comes right behind
    /// the entry.
    ///
    /// [`Walk::stat`]: crate::Walk::stat
    #[inline]
    #[must_use]
    pub fn stat(&self, index: usize) -> Option<&Stat> {
        self.stats.get(index)?.as_ref()
    }

    /// The path that could not be looked at, and the message.
    #[must_use]
    pub fn failure(&self, failure: &Failure) -> (&[u8], &[u8]) {
        let path = self.at(failure.path, failure.path_length);
        (path, self.at(failure.message, failure.message_length))
    }

    /// The failure as an error.
    #[must_use]
    pub fn error(&self, failure: &Failure) -> Error {
        let action = failure.action().unwrap_or(Action::ACCESS);
        let path = self.at(failure.path, failure.path_length);
        Error::new(Errno::from_raw_os_error(failure.number), action, path)
    }

    #[inline]
    fn at(&self, start: u32, length: u32) -> &[u8] {
        &self.bytes[start as usize..start as usize + length as usize]
    }

    /// Whether there is nothing in it.
    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.failures.is_empty() && self.directory.is_none()
    }

    /// Takes bytes in which a [`RecordWriter`] wrote, and gives back those it had before, emptied.
    pub(super) fn fill(&mut self, bytes: Vec<u8>) -> Vec<u8> {
        let mut before = std::mem::replace(&mut self.bytes, bytes);
        before.clear();
        self.entries.clear();
        self.stats.clear();
        self.failures.clear();
        self.directory = None;
        let mut at = 0;
        while let Some(head) = self.bytes[at..].first_chunk::<HEAD_BYTES>() {
            let head = Head::read(head);
            let start = at + HEAD_BYTES;
            at = start + head.first as usize + 1;
            let (path, path_length) = (start as u32, head.first);
            if head.kind == DIRECTORY {
                self.directory = Some(BatchDirectory { path, path_length, depth: head.depth });
            } else if head.kind == FAILURE {
                self.failures.push(Failure {
                    path,
                    path_length,
                    message: at as u32,
                    message_length: head.second,
                    before: self.entries.len() as u32,
                    number: head.third as i32,
                    action: head.depth,
                });
                at += head.second as usize + 1;
            } else {
                if head.kind & HAS_STAT != 0 {
                    at += self.take_stat(at);
                }
                self.entries.push(Record {
                    inode: head.inode,
                    path,
                    path_length,
                    name: path + head.second,
                    name_length: head.third,
                    depth: head.depth,
                    kind: kind(head.kind & !HAS_STAT),
                    target: kind(head.target),
                    reserved: [0; 2],
                });
            }
        }
        before
    }

    /// Takes the fields of the next entry, which stand at `at`; how many bytes they are.
    fn take_stat(&mut self, at: usize) -> usize {
        let stat = self.bytes[at..].first_chunk::<{ Stat::BYTES }>().map(Stat::from_bytes);
        self.stats.resize(self.entries.len(), None);
        self.stats.push(stat);
        Stat::BYTES
    }
}

/// The header before a path: of an entry the length of the path, where in it the name begins, and
/// how long the name is; of a failure the lengths of path and message, the number, and that of
/// the action in the place of the depth.
struct Head {
    inode: u64,
    first: u32,
    second: u32,
    third: u32,
    depth: u32,
    kind: u8,
    target: u8,
}

const HEAD_BYTES: usize = 26;
/// Not kinds of entries.
const FAILURE: u8 = u8::MAX;
const DIRECTORY: u8 = u8::MAX - 1;
/// Added to the kind of an entry whose fields stand behind its path.
const HAS_STAT: u8 = 1 << 6;

impl Head {
    #[inline]
    fn write(&self, out: &mut Vec<u8>) {
        let mut head = [0; HEAD_BYTES];
        head[..8].copy_from_slice(&self.inode.to_ne_bytes());
        head[8..12].copy_from_slice(&self.first.to_ne_bytes());
        head[12..16].copy_from_slice(&self.second.to_ne_bytes());
        head[16..20].copy_from_slice(&self.third.to_ne_bytes());
        head[20..24].copy_from_slice(&self.depth.to_ne_bytes());
        head[24] = self.kind;
        head[25] = self.target;
        out.extend_from_slice(&head);
    }

    #[inline]
    fn read(head: &[u8; HEAD_BYTES]) -> Head {
        let word =
            |at: usize| u32::from_ne_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let [a, b, c, d, e, f, g, h, ..] = *head;
        Head {
            inode: u64::from_ne_bytes([a, b, c, d, e, f, g, h]),
            first: word(8),
            second: word(12),
            third: word(16),
            depth: word(20),
            kind: head[24],
            target: head[25],
        }
    }
}

#[inline]
fn kind(number: u8) -> Kind {
    Kind::ALL[usize::from(number) % Kind::ALL.len()]
}

/// A visitor that writes each entry as a record.
#[derive(Clone, Copy, Debug)]
pub(super) struct RecordWriter {
    /// Whether to find out the kinds of links' targets, by a `statx` each.
    targets: bool,
    /// The fields to write of each entry.
    fields: Option<Fields>,
    /// How many entries it has written.
    pub(super) entries: u64,
}

impl RecordWriter {
    pub(super) fn new(walk: &Walk) -> RecordWriter {
        RecordWriter { targets: walk.targets, fields: walk.fields, entries: 0 }
    }

    #[cold]
    fn target(entry: &Entry<'_>) -> Kind {
        entry.stat_target(Fields::KIND).map_or(Kind::Unknown, |stat| stat.kind())
    }

    /// How many bytes an entry with this path takes at most, together with its own failure and one
    /// of its directory: a message has up to four bytes for each byte of the path.
    pub(super) fn most_for(path: &[u8]) -> usize {
        3 * HEAD_BYTES + Stat::BYTES + 11 * path.len() + 1024
    }

    /// Writes a record of the directory that the following entries lie in.
    pub(super) fn directory(path: &[u8], depth: usize, out: &mut Vec<u8>) {
        let (first, depth) = (path.len() as u32, depth as u32);
        let rest = Head { inode: 0, first, second: 0, third: 0, depth, kind: DIRECTORY, target: 0 };
        rest.write(out);
        out.extend_from_slice(path);
        out.push(0);
    }

    #[cold]
    fn failure(error: &Error, out: &mut Vec<u8>) {
        use sys::OsStrExt;
        let (path, message) = (error.path().as_os_str().as_bytes(), error.to_string());
        Head {
            inode: 0,
            first: path.len() as u32,
            second: message.len() as u32,
            third: error.errno().raw_os_error().cast_unsigned(),
            depth: error.action().number().into(),
            kind: FAILURE,
            target: 0,
        }
        .write(out);
        for text in [path, message.as_bytes()] {
            out.extend_from_slice(text);
            out.push(0);
        }
    }
}

impl Visitor for RecordWriter {
    #[inline]
    fn visit(&mut self, item: Item<'_>, out: &mut Vec<u8>) -> Answer {
        match item {
            Ok(entry) => {
                let ask = self.targets && entry.kind() == Kind::Symlink;
                let target = if ask { RecordWriter::target(&entry) } else { Kind::Unknown };
                let (path, name) = (entry.path_bytes(), entry.name);
                let stat = self.fields.map(|fields| entry.stat(fields));
                let has_stat = if let Some(Ok(_)) = stat { HAS_STAT } else { 0 };
                Head {
                    inode: entry.inode(),
                    first: path.len() as u32,
                    second: name.start as u32,
                    third: name.length as u32,
                    depth: entry.depth() as u32,
                    kind: entry.kind() as u8 | has_stat,
                    target: target as u8,
                }
                .write(out);
                out.extend_from_slice(path);
                out.push(0);
                match stat {
                    Some(Ok(stat)) => out.extend_from_slice(&stat.to_bytes()),
                    Some(Err(error)) => RecordWriter::failure(&error, out),
                    None => {}
                }
                self.entries += 1;
            }
            Err(error) => RecordWriter::failure(&error, out),
        }
        Answer::Continue
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_its_number() {
        for number in 0..8 {
            assert_eq!(kind(number) as u8, number);
        }
    }

    #[test]
    fn a_failure_stands_between_the_entries_around_it() {
        let mut out = Vec::new();
        let entry = |name: u8| Head {
            inode: u64::MAX - u64::from(name),
            first: 3,
            second: 2,
            third: 1,
            depth: 7,
            kind: Kind::Symlink as u8,
            target: Kind::Directory as u8,
        };
        for name in *b"xyz" {
            entry(name).write(&mut out);
            out.extend_from_slice(&[b'a', b'/', name, 0]);
            if name == b'y' {
                let error = Error::new(Errno::ACCESS, Action::OPEN_DIRECTORY, b"a/\xff");
                let _ = RecordWriter::new(&Walk::new("a")).visit(Err(error), &mut out);
            }
        }
        let mut batch = Batch::default();
        batch.fill(out);
        let names: Vec<_> = batch.entries().iter().map(|entry| batch.name(entry)).collect();
        assert_eq!(names, [b"x", b"y", b"z"]);
        let y = &batch.entries()[1];
        assert_eq!((batch.path(y), y.inode, y.depth), (&b"a/y"[..], u64::MAX - 121, 7));
        assert_eq!((y.kind, y.target), (Kind::Symlink, Kind::Directory));
        let failure = batch.failures()[0];
        assert_eq!((failure.before, failure.number), (2, 13));
        let text = b"cannot open directory 'a/\\xff': Permission denied";
        assert_eq!(batch.failure(&failure), (&b"a/\xff"[..], &text[..]));
        assert_eq!(batch.error(&failure).to_string().as_bytes(), text);
    }
}
