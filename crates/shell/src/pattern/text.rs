//! A text that is being matched, as characters.

use super::character::{decode, start_of_last};

/// A text, and what its characters are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Text<'a> {
    pub(super) bytes: &'a [u8],
    /// Characters are UTF-8, which the text is then; else they are bytes.
    pub(super) utf8: bool,
}

impl Text<'_> {
    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The character at `at`, and how many bytes it has.
    #[inline]
    pub(super) fn decode(&self, at: usize) -> (u32, usize) {
        let byte = self.bytes[at];
        match byte {
            0x80.. if self.utf8 => decode(self.bytes, at),
            _ => (u32::from(byte), 1),
        }
    }

    /// Where the character starts that ends before `end`.
    #[inline]
    pub(super) fn back(&self, end: usize) -> usize {
        match self.bytes[end - 1] {
            0x80.. if self.utf8 => start_of_last(self.bytes, end),
            _ => end - 1,
        }
    }
}
