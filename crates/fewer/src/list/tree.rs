//! One list after the other, down a tree.
//!
//! The calling thread reads the directories itself, as long as nothing has to be waited for. Where
//! it has to wait for the storage, other threads read ahead: each takes the first directory in the
//! order that is not read yet. How many there are is found out as in a walk, by the pool.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use sys::{OsStrExt, OsStringExt};

use super::directory::{Reader, Tree};
use super::fetch::ReadsNow;
use super::pending::{Listed, Next, Pending};
use super::read_ahead::Crew;
use super::{List, Listing};
use crate::concurrency::Alone;
use crate::error::Error;
use crate::walk::FileSystems;

/// Where nothing has to be waited for, a directory takes less than ten microseconds, and an entry
/// with metadata two.
const SLOW_ITEM: Duration = Duration::from_micros(40);
const SLOW_TIME: Duration = Duration::from_millis(15);

/// The lists of a directory and of all directories below it: each one before those below it, those
/// of one directory in the order of its list. Made by [`List::below`].
///
/// Links are followed only if the list follows them; then a directory that is its own ancestor is
/// an error (`ELOOP`), and is not listed.
///
/// Where storage has to be waited for, threads read ahead of the caller: up to 512 directories, or
/// 32,768 entries. They take no signals. Dropping the lists ends them.
///
/// Price: that of each list, but where the file system marks the end of a directory just 3 calls
/// (`openat`, `getdents64`, `close`); once one `fstatfs` and the mount table (about 5 calls).
/// Following links costs one `statx` more for each directory, and a `fstatfs` for each device. Each
/// directory below a closed one costs one `fstatfs` more.
pub struct Lists {
    crew: Arc<Crew>,
    reader: Reader,
    alone: Alone,
}

impl List {
    /// Lists this directory and all below it, one after the other.
    #[must_use]
    pub fn below(mut self) -> Lists {
        self.request.unknown = true;
        let path = self.path.as_os_str().as_bytes().to_vec();
        let first = Pending { path, name: 0, parent: None, above: None };
        let reader = Reader::new(self.clone());
        let tree = Tree { template: self, file_systems: FileSystems::new(false, false) };
        let alone = Alone::new(SLOW_ITEM, SLOW_TIME);
        Lists { crew: Arc::new(Crew::new(tree, first)), reader, alone }
    }
}

impl Iterator for Lists {
    type Item = (PathBuf, Result<Listing, Error>);

    fn next(&mut self) -> Option<Self::Item> {
        let mut next = match self.crew.next()? {
            Next::Listed(listed) => return Some(handed_over(*listed)),
            Next::Unread(pending) => pending,
        };
        let (crew, begun) = (&self.crew, Instant::now());
        let release = |next: &mut Pending| crew.release(next);
        let (listing, below) = self.reader.list(&crew.tree, &mut next, &ReadsNow, release);
        crew.add(below);
        let items = crew.tree.items_of(&listing);
        if !crew.is_alone() {
            crew.report(Instant::now(), items);
        } else if self.alone.waits(begun.elapsed(), items) {
            crew.begin(&self.alone);
        }
        Some(handed_over(Listed { path: next.path, listing }))
    }
}

fn handed_over(listed: Listed) -> (PathBuf, Result<Listing, Error>) {
    (PathBuf::from(OsString::from_vec(listed.path)), listed.listing)
}

impl Drop for Lists {
    fn drop(&mut self) {
        // Nothing is returned any more, so a panic is not passed on either.
        let _ = self.crew.end();
    }
}
