//! Blocks that are read from one file and written to another.

use super::FactCollector;
use crate::explain::history::blocks::SMALL_COPY;
use crate::explain::history::paths::FileKind;
use crate::explain::history::patterns::bytes;
use crate::{Call, Class};

impl FactCollector<'_> {
    /// A call read or wrote: a write right after a read of as many bytes, of which the first are
    /// the same as far as they are known, copies them.
    pub(super) fn copied(&mut self, call: &Call) {
        match call.name.class() {
            Class::Read => {
                let is_small = (1..=SMALL_COPY).contains(&bytes(call)) && call.succeeded();
                if is_small && self.paths.kind(call.file) == FileKind::File {
                    self.state.blocks.read(call);
                } else {
                    self.state.blocks.take(call.thread);
                }
            }
            Class::Write | Class::Send => {
                if let Some(read) = self.state.blocks.written(call) {
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
