//! Files that a process wrote and closed, to know what it does again.

use super::descriptor_session::{DescriptorOrigin, DescriptorSession, Repeats};
use crate::PathId;
use rustc_hash::{FxHashMap, FxHashSet};

/// Files that are remembered.
const MOST: usize = 1 << 16;

/// Files that a process wrote and closed.
#[derive(Debug, Default)]
pub(crate) struct Outputs {
    /// Those that it appended to.
    appended: FxHashSet<PathId>,
    /// Directories that it made in vain, and whether more than once.
    made: FxHashMap<PathId, bool>,
}

impl Outputs {
    /// What a session that ends did again.
    pub(crate) fn closed(&mut self, session: &DescriptorSession) -> Repeats {
        let repeats = self.appends_again(session);
        let is_ours = session.origin == DescriptorOrigin::Opened || session.of_opened;
        if is_ours && session.appends() && session.has_written() && self.appended.len() < MOST {
            self.appended.insert(session.file);
        }
        repeats
    }

    /// Whether a session is to append to a file that was appended to before.
    pub(crate) fn appends_again(&self, session: &DescriptorSession) -> Repeats {
        let is_ours = session.origin == DescriptorOrigin::Opened || session.of_opened;
        match is_ours && session.appends() && self.appended.contains(&session.file) {
            true => Repeats::Append(session.file),
            false => Repeats::Nothing,
        }
    }

    /// A directory is made that is there.
    pub(crate) fn made_in_vain(&mut self, directory: PathId) {
        if self.made.len() < MOST || self.made.contains_key(&directory) {
            self.made.entry(directory).and_modify(|again| *again = true).or_default();
        }
    }

    /// Whether a directory was made in vain more than once: looks at it belong to that.
    pub(crate) fn is_made_again(&self, directory: PathId) -> bool {
        self.made.get(&directory).is_some_and(|again| *again)
    }

    /// A file was made, moved, removed, changed.
    pub(crate) fn forget(&mut self, file: PathId) {
        self.appended.remove(&file);
    }
}
