//! Rows of objects in a store, instead of those of a directory.

use sys::{Kind, RecordMetadata};

use super::List;
use super::rows::{Chunk, Listing, ROWS_PER_CHUNK};
use crate::object::Object;

/// Rows of objects, taken as they come.
#[derive(Debug)]
pub struct ObjectRows {
    list: List,
    chunks: Vec<Chunk>,
}

impl List {
    /// Takes rows of objects, as if they were entries of the directory. No call.
    #[must_use]
    pub fn object_rows(&self) -> ObjectRows {
        ObjectRows { list: self.clone(), chunks: Vec::new() }
    }
}

impl ObjectRows {
    /// Adds a row, if the list wants its name: what a store tells of it, `None` if that is only the
    /// kind. The name of a folder may end in a slash. No call.
    ///
    /// Returns false if the name is longer than 65,535 bytes, which no row can have.
    #[must_use]
    pub fn push(&mut self, name: &[u8], kind: Kind, object: Option<Object>) -> bool {
        if u16::try_from(name.len()).is_err() {
            return false;
        }
        if !self.wants(name) {
            return true;
        }
        if self.chunks.last().is_none_or(|last| last.rows.len() == ROWS_PER_CHUNK) {
            self.chunks.push(Chunk::large());
        }
        if let Some(chunk) = self.chunks.last_mut() {
            chunk.push(name, kind, 0, RecordMetadata::UNKNOWN);
            chunk.answers.push(object.map(|object| Ok(object.stat())));
        }
        true
    }

    /// Whether the list wants a name. That of a folder may end in a slash. No call.
    #[must_use]
    pub fn wants(&self, name: &[u8]) -> bool {
        self.list.is_wanted(name.strip_suffix(b"/").unwrap_or(name))
    }

    /// The rows in the order of the list.
    #[must_use]
    pub fn into_listing(self) -> Listing {
        let List { order, rank, .. } = self.list;
        order.apply(rank.as_ref(), Listing::new(self.chunks, 1, None))
    }
}
