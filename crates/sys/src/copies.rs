//! Copies of memory, for static programs: musl's begin with an instruction that takes longer to
//! start than a name takes to be copied, and a walk copies each name twice or thrice.

/// Copies memory by the functions of this crate in the place of musl's, where those are slow for
/// few bytes: on x86-64. Elsewhere it does nothing.
///
/// The macro stands once in a program, outside of its functions; a library must not use it.
#[macro_export]
macro_rules! copy_memory_here {
    () => {
        #[cfg(all(target_env = "musl", target_arch = "x86_64"))]
        // SAFETY: it does what the C library's function of that name does.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn memcpy(to: *mut u8, from: *const u8, bytes: usize) -> *mut u8 {
            // SAFETY: as the caller says.
            unsafe { $crate::copy_memory(to, from, bytes) }
        }

        #[cfg(all(target_env = "musl", target_arch = "x86_64"))]
        // SAFETY: it does what the C library's function of that name does.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn memmove(to: *mut u8, from: *const u8, bytes: usize) -> *mut u8 {
            // SAFETY: as the caller says.
            unsafe { $crate::copy_memory(to, from, bytes) }
        }
    };
}

/// For [`copy_memory_here`]. No loop is in it, which the compiler could take for a copy and replace
/// by a call of itself.
///
/// # Safety
/// As for `memmove` of the C library.
#[doc(hidden)]
#[cfg(target_arch = "x86_64")]
#[inline]
pub unsafe fn copy_memory(to: *mut u8, from: *const u8, bytes: usize) -> *mut u8 {
    use core::arch::x86_64::__m128i;
    // SAFETY: as the caller says; each of these reads and writes below `bytes`.
    unsafe {
        match bytes {
            0 => {}
            1 => *to = *from,
            2..4 => ends::<u16>(to, from, bytes),
            4..8 => ends::<u32>(to, from, bytes),
            8..16 => ends::<u64>(to, from, bytes),
            16..=32 => ends::<__m128i>(to, from, bytes),
            33..=64 => ends::<[__m128i; 2]>(to, from, bytes),
            65..=128 => ends::<[__m128i; 4]>(to, from, bytes),
            _ => strings(to, from, bytes),
        }
    }
    to
}

/// Copies a value from the beginning and one up to the end. Both are read first: the places may
/// overlap.
///
/// # Safety
/// As for [`copy_memory`]; `bytes` is at least the size of a value and at most twice that.
#[cfg(target_arch = "x86_64")]
#[inline]
unsafe fn ends<T>(to: *mut u8, from: *const u8, bytes: usize) {
    let last = bytes - size_of::<T>();
    // SAFETY: as the caller says; any bytes make a value.
    unsafe {
        let values =
            [from.cast::<T>().read_unaligned(), from.add(last).cast::<T>().read_unaligned()];
        let [first, second] = values;
        to.cast::<T>().write_unaligned(first);
        to.add(last).cast::<T>().write_unaligned(second);
    }
}

/// Copies by the processor's own instruction, from the side from which nothing is overwritten
/// before it is read.
///
/// # Safety
/// As for [`copy_memory`]; `bytes` is 16 or more.
#[cfg(target_arch = "x86_64")]
unsafe fn strings(to: *mut u8, from: *const u8, bytes: usize) {
    let words = bytes / 8;
    // SAFETY: as the caller says. The words that the instruction does not reach are read before and
    // written behind it. The direction is set back.
    unsafe {
        if to.addr().wrapping_sub(from.addr()) >= bytes {
            let last = from.add(bytes - 8).cast::<u64>().read_unaligned();
            core::arch::asm!("rep movsq", inout("rcx") words => _, inout("rdi") to => _,
                inout("rsi") from => _, options(nostack, preserves_flags));
            to.add(bytes - 8).cast::<u64>().write_unaligned(last);
        } else {
            let first = from.cast::<u64>().read_unaligned();
            let (to_last, from_last) = (to.add(bytes - 8), from.add(bytes - 8));
            core::arch::asm!("std", "rep movsq", "cld", inout("rcx") words => _,
                inout("rdi") to_last => _, inout("rsi") from_last => _, options(nostack));
            to.cast::<u64>().write_unaligned(first);
        }
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    #[test]
    fn what_is_copied_is_what_was_there_however_the_places_overlap() {
        let before: Vec<u8> = (0..1200_u32).map(|number| (number * 7 % 251) as u8).collect();
        for bytes in (0..300).chain([511, 512, 513, 777]) {
            for (from, to) in
                [(0, 400), (400, 0), (5, 6), (6, 5), (0, 8), (8, 0), (100, 160), (9, 9)]
            {
                let (mut here, mut expected) = (before.clone(), before.clone());
                expected.copy_within(from..from + bytes, to);
                let memory = here.as_mut_ptr();
                // SAFETY: both places are in the vector.
                unsafe { copy_memory(memory.add(to), memory.add(from), bytes) };
                assert!(here == expected, "{bytes} bytes from {from} to {to}");
            }
        }
    }
}
