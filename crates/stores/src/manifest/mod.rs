//! The manifest of a listing: a file with all that was found at an address, so that the next
//! listing can say what has changed since.
//!
//! | module | what is in it |
//! |---|---|
//! | here | [`Comparison`]: a listing beside the manifest of an earlier one |
//! | `record` | [`Record`]: what is kept of an entry, and its bytes |
//! | `reader` | the manifest of the earlier listing, record by record |
//! | `writer` | the manifest of this one |
//! | `error` | [`ManifestError`] |
//!
//! A store has no directories whose times would say that nothing below them has changed, so all is
//! listed again. Both lists are in the same order, so that neither is held: a record of each is
//! compared at a time.

mod error;
mod reader;
mod record;
#[cfg(test)]
mod tests;
mod writer;

use std::cmp::Ordering;
use std::path::Path;

use fewer::snapshot::ChangeKind;
use fewer::{Answer, Errno};

use crate::hdfs;
use reader::Reader;
use writer::Writer;

pub use error::ManifestError;
pub use record::{Record, etag_hash};

/// The version of the format, which readers of another one refuse.
const VERSION: u32 = 1;

/// What a manifest begins with.
const MAGIC: &[u8; 8] = b"fewer\0sl";

/// What is listed. A manifest is compared only with a listing of the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// The address.
    pub address: String,
    /// The server, if it is not that of the store's owner.
    pub endpoint: Option<String>,
    /// It has directories, and their order is that of a sorted walk.
    pub is_tree: bool,
}

impl Listing {
    fn compare(&self, a: &[u8], b: &[u8]) -> Ordering {
        if self.is_tree { hdfs::compare(a, b) } else { a.cmp(b) }
    }
}

/// A listing under way, compared with what an earlier one has left in a file. Memory: 512 KiB,
/// however long both are.
#[derive(Debug)]
pub struct Comparison {
    listing: Listing,
    before: Option<Reader>,
    after: Option<Writer>,
    /// What is below here was not listed, and is not gone for that.
    unlisted: Option<Vec<u8>>,
    is_in_part: bool,
    /// Something is otherwise than before.
    differs: bool,
}

impl Comparison {
    /// Reads the manifest at a path. With `update` the manifest of this listing takes its place
    /// once it is [saved](Comparison::save), and there may be none before: then all is new.
    ///
    /// Price: no request. `openat`, `statx`, `lseek`, and one `read` for each 256 KiB, for the
    /// checksum; these once more on the way, as the records are needed. With `update` what
    /// [`NewFile::create`](fewer::whole_file::NewFile::create) takes.
    ///
    /// # Errors
    /// A file that cannot be read or made; one that is no manifest, or that of another listing. It
    /// stays as it is.
    pub fn open(path: &Path, listing: Listing, update: bool) -> Result<Comparison, ManifestError> {
        let before = match Reader::open(path, &listing) {
            Err(error) if update && error.errno() == Some(Errno::NOENT) => None,
            opened => Some(opened?),
        };
        let differs = before.is_none();
        let after = if update { Some(Writer::create(path, &listing)?) } else { None };
        Ok(Comparison { listing, before, after, unlisted: None, is_in_part: false, differs })
    }

    /// What was found next. `changed` gets what is gone before it, and it itself if it is new or
    /// has changed: not so for the size and the time of a directory in a tree, which say only that
    /// entries came and went.
    ///
    /// Price: no request; a `read` and a `write` for each 256 KiB of the files.
    ///
    /// # Errors
    /// The earlier manifest cannot be read any more.
    pub fn found(
        &mut self,
        new: &Record<'_>,
        changed: &mut dyn FnMut(ChangeKind, &Record<'_>) -> Answer,
    ) -> Result<Answer, ManifestError> {
        if let Some(after) = &mut self.after {
            after.push(new);
        }
        let mut answer = self.gone(Some(new.path), changed)?;
        if answer == Answer::Stop {
            return Ok(answer);
        }
        let old = self.before.as_ref().and_then(Reader::record);
        let change = match old.filter(|old| old.path == new.path) {
            Some(old) => {
                self.differs |= old != *new;
                old.has_changed(new, self.listing.is_tree).then_some(ChangeKind::Changed)
            }
            None => {
                self.differs = true;
                Some(ChangeKind::Added)
            }
        };
        if change != Some(ChangeKind::Added)
            && let Some(before) = &mut self.before
        {
            before.advance()?;
        }
        if let Some(kind) = change {
            answer = changed(kind, new);
        }
        Ok(answer)
    }

    /// This directory of a tree could not be listed, at least not to its end; the empty path stands
    /// for all that comes behind what was found. No manifest is written then.
    ///
    /// Price: no request.
    pub fn unlisted(&mut self, path: &[u8]) {
        self.is_in_part = true;
        self.unlisted = Some(path.to_vec());
    }

    /// Nothing more was found: `changed` gets what is gone behind the last that was.
    ///
    /// Price: no request.
    ///
    /// # Errors
    /// The earlier manifest cannot be read any more.
    pub fn rest(
        &mut self,
        changed: &mut dyn FnMut(ChangeKind, &Record<'_>) -> Answer,
    ) -> Result<Answer, ManifestError> {
        self.gone(None, changed)
    }

    /// Puts the manifest of this listing in the place of the earlier one, if that is to be updated,
    /// all was listed, and there is any difference. For when all changes have arrived where they
    /// are to be.
    ///
    /// Price: no request; what [`NewFile::finish`](fewer::whole_file::NewFile::finish) takes.
    ///
    /// # Errors
    /// A file that cannot be written; then the earlier one stays.
    pub fn save(self) -> Result<(), ManifestError> {
        match self.after.filter(|_| self.differs && !self.is_in_part) {
            Some(after) => after.finish(),
            None => Ok(()),
        }
    }

    /// Passes what comes before a path, or all that is left, and was not found.
    fn gone(
        &mut self,
        until: Option<&[u8]>,
        changed: &mut dyn FnMut(ChangeKind, &Record<'_>) -> Answer,
    ) -> Result<Answer, ManifestError> {
        let Some(before) = &mut self.before else { return Ok(Answer::Continue) };
        while let Some(old) = before.record() {
            if until.is_some_and(|until| self.listing.compare(old.path, until).is_ge()) {
                break;
            }
            let is_unlisted = self.unlisted.as_deref().is_some_and(|it| is_below(old.path, it));
            if !is_unlisted {
                self.differs = true;
                if changed(ChangeKind::Removed, &old) == Answer::Stop {
                    return Ok(Answer::Stop);
                }
            }
            before.advance()?;
        }
        Ok(Answer::Continue)
    }
}

/// Whether a path of a tree lies below a directory of it; the root is the empty one.
fn is_below(path: &[u8], directory: &[u8]) -> bool {
    match path.strip_prefix(directory) {
        Some(rest) => directory.is_empty() || rest.first() == Some(&b'/'),
        None => false,
    }
}
