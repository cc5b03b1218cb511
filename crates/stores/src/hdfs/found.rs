//! What a walk of a tree finds, and what it is shown to.

use fewer::{Answer, Time};

use crate::error::Error;

/// A file or directory, borrowed from the walk. All of it came with the listing, and is free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found<'w> {
    /// The address of the root as it was written, and the path below it.
    pub address: &'w [u8],
    /// Whether it is a directory.
    pub is_directory: bool,
    /// Size in bytes; of a directory 0.
    pub size: u64,
    /// When it was last written; of a directory, when an entry was last added or removed.
    pub modified: Time,
    /// The permission bits, as of a file on a disk.
    pub permissions: u16,
    /// Steps below the root, which is at 0.
    pub depth: usize,
}

/// What a walk of a tree calls for each entry, on the thread that walks.
pub trait Visitor {
    /// Whether a directory is entered. This is asked as soon as the directory is known, which in a
    /// sorted walk may be long before it is visited.
    fn enters(&mut self, directory: &Found<'_>) -> bool;

    /// Whether no more directories are begun, in a walk that is not sorted: what was begun is
    /// listed to its end, and the others are [left](super::Outcome::left).
    fn has_enough(&self) -> bool {
        false
    }

    /// Called ten times a second while the NameNode does not answer: [`Answer::Stop`] ends the walk
    /// at once.
    fn between_calls(&mut self) -> Answer {
        Answer::Continue
    }

    /// An entry, or what could not be listed. [`Answer::Prune`] is as `Continue`.
    fn visit(&mut self, item: Result<Found<'_>, Error>) -> Answer;
}

/// A directory below the root.
#[derive(Clone, Debug)]
pub(super) struct Directory {
    /// The names that lead to it, with slashes between them.
    pub(super) path: String,
    pub(super) depth: usize,
}

/// A file or directory that is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) name: Box<str>,
    pub(super) is_directory: bool,
    pub(super) size: u64,
    pub(super) modified: Time,
    pub(super) permissions: u16,
}

impl Entry {
    /// The memory that it takes.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Entry>() + self.name.len()
    }

    pub(super) fn at<'w>(&self, address: &'w [u8], depth: usize) -> Found<'w> {
        Found {
            address,
            is_directory: self.is_directory,
            size: self.size,
            modified: self.modified,
            permissions: self.permissions,
            depth,
        }
    }
}
