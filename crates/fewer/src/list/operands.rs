//! Rows for paths instead of the entries of a directory.

use std::ffi::{CStr, CString};
use std::path::Path;

use sys::{At, Fields, Kind, OsStrExt, RecordMetadata, Stat};

use super::rows::Chunk;
use super::rows::ROWS_PER_CHUNK;
use super::{List, Listing};
use crate::error::{Action, Errno, Error};

/// How to treat an operand that is a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperandLinks {
    /// The link itself.
    Keep,
    /// What it points to, if that is a directory; else the link itself.
    FollowToDirectory,
    /// What it points to.
    Follow,
}

impl List {
    /// A listing of the paths themselves, with the requested metadata, in the list's order; and an
    /// error for each path that does not exist. The path of the list is not used. Directories that
    /// are `to_be_listed` themselves cost no more than their kind.
    ///
    /// Price: for each path one `statx`, one more for a link that is followed; and what
    /// [`links`](List::links), [`targets`](List::targets) and [`marks`](List::marks) cost.
    #[must_use]
    pub fn operands<'p>(
        &self,
        paths: impl IntoIterator<Item = &'p Path>,
        links: OperandLinks,
        to_be_listed: bool,
    ) -> (Listing, Vec<Error>) {
        let at = self.scope.at();
        let (mut chunks, mut errors) = (vec![Chunk::default()], Vec::new());
        for path in paths {
            let path = path.as_os_str().as_bytes();
            let answer = CString::new(path).map_err(|_| Errno::INVAL).and_then(|name| {
                let stat = self.stat_operand(at, &name, links)?;
                Ok((name, stat))
            });
            match answer {
                Ok((name, stat)) => {
                    let more = !to_be_listed || stat.kind() != Kind::Directory;
                    self.add_operand(&name, stat, more, &mut chunks);
                }
                Err(errno) => errors.push(Error::new(errno, Action::ACCESS, path)),
            }
        }
        (self.order.apply(self.rank.as_ref(), Listing::new(chunks, 1, None)), errors)
    }

    fn stat_operand(&self, at: At<'_>, name: &CStr, links: OperandLinks) -> Result<Stat, Errno> {
        let fields = self.request().fields | Fields::KIND | Fields::PERMISSIONS | Fields::INODE;
        if links == OperandLinks::Follow {
            return sys::stat(at, name, true, fields);
        }
        let stat = sys::stat(at, name, false, fields)?;
        if links == OperandLinks::FollowToDirectory && stat.kind() == Kind::Symlink {
            match sys::stat(at, name, true, fields) {
                Ok(target) if target.kind() == Kind::Directory => return Ok(target),
                Ok(_) | Err(Errno::NOENT) => {}
                Err(errno) => return Err(errno),
            }
        }
        Ok(stat)
    }

    fn add_operand(&self, name: &CStr, stat: Stat, more: bool, chunks: &mut Vec<Chunk>) {
        if chunks.last().is_none_or(|last| last.rows.len() == ROWS_PER_CHUNK) {
            chunks.push(Chunk::default());
        }
        let Some(chunk) = chunks.last_mut() else { return };
        chunk.push(name.to_bytes(), stat.kind(), stat.inode(), RecordMetadata::UNKNOWN);
        if let Some(data) = chunk.rows.last_mut() {
            let answer = Ok(stat);
            if more {
                self.request().fetch_more(self.scope.at(), name, data, Some(&answer));
            }
            chunk.failed = true; // perhaps: a link may not be readable
            chunk.answers.push(Some(answer));
        }
    }
}
