//! Blocks on their way to standard output.

use kernel::Errno;

use crate::report;

const BLOCK_BYTES: usize = 128 << 10;

/// What has been printed and not written yet.
#[derive(Default)]
pub(super) struct Output {
    pub(super) bytes: Vec<u8>,
    refused: Option<Errno>,
}

impl Output {
    /// Writes what there is, if that is a block; false if nothing more can be written.
    pub(super) fn write_blocks(&mut self) -> bool {
        if self.bytes.len() >= BLOCK_BYTES {
            self.write();
        }
        !self.is_refused()
    }

    /// Whether standard output has taken no more.
    pub(super) fn is_refused(&self) -> bool {
        self.refused.is_some()
    }

    /// Writes what there is.
    pub(super) fn write(&mut self) {
        if self.refused.is_none() && !self.bytes.is_empty() {
            self.refused = kernel::write_all(kernel::STDOUT, &self.bytes).err();
        }
        self.bytes.clear();
    }

    /// Writes the rest. Back comes the exit status: the one given, if all could be written.
    pub(super) fn finish(mut self, status: u8) -> u8 {
        self.write();
        self.refused.map_or(status, report::cannot_write)
    }
}
