//! The shell's strings.

/// A string of the shell: bytes, the first 16 of them without a heap block.
pub type Text = smallvec::SmallVec<[u8; 16]>;
