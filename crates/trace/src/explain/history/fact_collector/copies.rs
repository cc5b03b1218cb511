//! Blocks that are read from one file and written to another.

use super::FactCollector;
use crate::explain::history::paths::FileKind;
use crate::explain::history::patterns::{SMALL_COPY, bytes};
use crate::{Call, Class};

impl FactCollector<'_> {
    /// A call read or wrote: a write right after a read of as many bytes, of which the first are
    /// the same as far as they are known, copies them.
    pub(super) fn copied(&mut self, call: &Call) {
        match call.name.class() {
            Class::Read => {
                let is_small = (1..=SMALL_COPY).contains(&bytes(call)) && call.succeeded();
                if is_small && self.paths.kind(call.file) == FileKind::File {
                    self.state.note_block(call);
                } else {
                    self.state.take_block(call.thread);
                }
            }
            Class::Write | Class::Send => {
                let Some(read) = self.state.take_block(call.thread) else { return };
                let is_same = read.answer == call.answer || read.answer == 0 || call.answer == 0;
                if is_same && bytes(&read) == bytes(call) && read.file != call.file {
                    self.pair(&read, call);
                }
            }
            _ => {}
        }
    }

    fn pair(&mut self, read: &Call, write: &Call) {
        let kind = self.paths.kind(write.file);
        if !matches!(kind, FileKind::File | FileKind::Pipe | FileKind::Socket) {
            return;
        }
        let Some(source) = self.state.session(read.int(0), read.file) else { return };
        if source.patterns.copies.get_or_insert_default().add(read, write)
            && let Some(target) = self.state.session(write.int(0), write.file)
        {
            target.patterns.copied_writes += 1;
        }
    }
}
