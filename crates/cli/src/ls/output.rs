//! Collects bytes and writes them to standard output in blocks.

use sys::Errno;

use crate::report;

const BLOCK_BYTES: usize = 128 << 10;

/// What has been printed and not written yet.
#[derive(Default)]
pub(super) struct Output {
    pub(super) bytes: Vec<u8>,
    refused: Option<Errno>,
}

impl Output {
    /// Writes what has been collected, if it fills a block; false if standard output takes no more.
    pub(super) fn write_blocks(&mut self) -> bool {
        if self.bytes.len() >= BLOCK_BYTES {
            self.write();
        }
        !self.is_refused()
    }

    /// Whether a write to standard output has failed.
    pub(super) fn is_refused(&self) -> bool {
        self.refused.is_some()
    }

    /// Writes what has been collected.
    pub(super) fn write(&mut self) {
        if self.refused.is_none() && !self.bytes.is_empty() {
            self.refused = sys::write_all(sys::STDOUT, &self.bytes).err();
        }
        self.bytes.clear();
    }

    /// Writes the rest. The exit status is `status` if everything could be written.
    pub(super) fn finish(mut self, status: u8) -> u8 {
        self.write();
        self.refused.map_or(status, report::cannot_write)
    }
}
