//! Tells the processor which memory will be needed soon.

/// Lets the processor fetch the beginning of `soon` while other code runs. On processors without
/// such an instruction nothing happens.
///
/// Price: none.
#[inline]
pub fn prefetch<T>(soon: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the instruction reads nothing that the program could see and cannot fault, and
        // the reference is valid anyway; every x86-64 processor has it.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(soon).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = soon;
}
