//! Memory in large pages.

use crate::counter::{Call, count};

/// Asks for large pages for `memory`, which must not have been touched yet: 2 MiB come with one
/// page fault then, instead of 512. It is only advice: where the kernel has no large pages, nothing
/// happens.
///
/// Price: one `madvise`; none below 4 MiB, where it is not worth it.
#[doc(alias = "madvise")]
pub fn advise_large_pages<T>(memory: &mut [T]) {
    const SMALLEST_BYTES: usize = 4 << 20;
    const PAGE_BYTES: usize = 4096;
    let bytes = size_of_val(memory);
    let start: *mut u8 = memory.as_mut_ptr().cast();
    let skip = start.align_offset(PAGE_BYTES);
    if bytes < SMALLEST_BYTES || skip >= PAGE_BYTES {
        return;
    }
    let length = (bytes - skip) & !(PAGE_BYTES - 1);
    count(Call::Madvise);
    // SAFETY: the range starts at a page boundary and lies within `memory`, which is borrowed
    // mutably; MADV_HUGEPAGE changes neither its contents nor its permissions. Should pages be
    // larger than 4 KiB, the kernel refuses the address, which is fine too.
    unsafe { libc::madvise(start.add(skip).cast(), length, libc::MADV_HUGEPAGE) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_advice_about_pages_changes_no_byte() {
        let mut bytes = Vec::with_capacity(16 << 20);
        bytes.extend_from_slice(b"abc");
        advise_large_pages(bytes.spare_capacity_mut());
        assert_eq!(bytes, b"abc");
        advise_large_pages::<u8>(&mut []);
    }
}
