//! What was read and not yet used.

/// How much is read at once: little at first, as many scripts read one line.
pub(super) const FIRST_BLOCK_BYTES: usize = 4 << 10;

/// What was read and not yet used.
#[derive(Debug)]
pub(super) struct ReadBlock {
    pub(super) bytes: Vec<u8>,
    pub(super) at: usize,
    /// How much to read the next time.
    pub(super) block: usize,
    /// Whether the bytes still are where they were read.
    pub(super) peeked: bool,
    /// Whether others may have the same open file.
    pub(super) given: bool,
}

impl Default for ReadBlock {
    fn default() -> ReadBlock {
        ReadBlock {
            bytes: Vec::new(),
            at: 0,
            block: FIRST_BLOCK_BYTES,
            peeked: false,
            given: false,
        }
    }
}
