//! A block of a directory's records, where these have names and kinds only.

use std::mem::MaybeUninit;

use crate::{Fields, Stat};

/// A block of memory that [`read_entries`](crate::read_entries) fills, made once and reused.
#[derive(Debug)]
pub struct Buffer {
    block: Box<[MaybeUninit<u64>]>,
    /// How much of the block the kernel may fill.
    fill_limit_bytes: usize,
}

impl Buffer {
    /// The smallest block: on Linux it holds any single entry with a name of up to 255 bytes
    /// (`struct linux_dirent64`), and FreeBSD takes no smaller one.
    pub const SMALLEST_BYTES: usize =
        if cfg!(target_os = "linux") { (19_usize + 255 + 1).next_multiple_of(8) } else { 1024 };
    /// A block for most directories, which takes no memory of its own from the kernel.
    pub const USUAL_BYTES: usize = 32 << 10;

    /// A block of `bytes`, rounded up to [`Buffer::SMALLEST_BYTES`] and to a multiple of 8.
    /// The memory is not touched before the kernel fills it.
    #[must_use]
    pub fn new(bytes: usize) -> Buffer {
        let block = Box::new_uninit_slice(bytes.max(Self::SMALLEST_BYTES).div_ceil(8));
        Buffer { fill_limit_bytes: size_of_val(&*block), block }
    }

    /// Limits how much of the block the kernel may fill; at least [`Buffer::SMALLEST_BYTES`].
    pub fn limit_fill(&mut self, bytes: usize) {
        self.fill_limit_bytes = bytes.max(Self::SMALLEST_BYTES).min(size_of_val(&*self.block));
    }

    /// Says which fields of every entry will be asked for. Nothing changes: the directory's records
    /// have none of them here.
    #[must_use]
    pub fn wanting(self, _fields: Fields) -> Buffer {
        self
    }

    pub(crate) fn memory(&mut self) -> (*mut u8, usize) {
        (self.block.as_mut_ptr().cast(), self.fill_limit_bytes)
    }

    /// The first `filled` bytes.
    ///
    /// # Safety
    /// The kernel has just written so many bytes to [`memory`](Self::memory).
    #[inline]
    pub(crate) unsafe fn filled(&self, filled: usize) -> &[u8] {
        let filled = filled.min(size_of_val(&*self.block));
        // SAFETY: the pointer is valid for the whole block and `filled` is within it; the kernel
        // wrote so many bytes, so they are initialised; u8 has no alignment; the borrow of self
        // keeps other code from writing there meanwhile.
        unsafe { std::slice::from_raw_parts(self.block.as_ptr().cast(), filled) }
    }
}

/// The metadata that a directory's record has of an entry: none, on this system.
#[derive(Clone, Copy, Debug)]
pub struct RecordMetadata;

impl RecordMetadata {
    /// Nothing is known.
    pub const UNKNOWN: RecordMetadata = RecordMetadata;

    /// These fields, if the record has them: never, on this system. Free.
    #[inline]
    #[must_use]
    pub fn stat(&self, _fields: Fields) -> Option<Stat> {
        None
    }
}
