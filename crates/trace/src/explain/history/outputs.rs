//! Files that a process wrote and closed, to know what it does again.

use super::descriptor_session::{DescriptorOrigin, DescriptorSession, Repeats};
use crate::PathId;
use rustc_hash::FxHashSet;

/// Files that are remembered.
const MOST: usize = 1 << 16;

/// Files that a process wrote and closed.
#[derive(Debug, Default)]
pub(crate) struct Outputs {
    /// Those that it appended to.
    appended: FxHashSet<PathId>,
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

    /// A file was made, moved, removed, changed.
    pub(crate) fn forget(&mut self, file: PathId) {
        self.appended.remove(&file);
    }
}
