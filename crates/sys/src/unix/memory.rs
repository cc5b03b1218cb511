//! An allocator that lets a program do something last when memory runs out.

#[cfg(not(target_env = "musl"))]
use std::alloc::System;
use std::alloc::{GlobalAlloc, Layout};
use std::sync::atomic::{AtomicPtr, Ordering::Relaxed};

// musl's makes ten times the calls.
#[cfg(target_env = "musl")]
use dlmalloc::GlobalDlmalloc as System;

/// The system's allocator, or with musl one that makes fewer calls. When it has no memory left, it
/// calls once the function that [`when_memory_is_out`] was given; then the program is ended. It is
/// for programs, as their `global_allocator`, not for libraries.
pub struct Memory;

/// A `fn()`, or null.
static LAST: AtomicPtr<()> = AtomicPtr::new(std::ptr::null_mut());

/// Sets the function that is called when an allocation fails. If it returns, the program is ended
/// as without it. It must not allocate.
///
/// Price: none.
pub fn when_memory_is_out(last: fn()) {
    LAST.store(last as *mut (), Relaxed);
}

/// Ends the process at once: no destructor and no `atexit` function runs.
///
/// Price: one `exit_group`.
#[doc(alias = "exit_group")]
pub fn exit_at_once(status: i32) -> ! {
    // SAFETY: a plain number; it does not return.
    unsafe { libc::_exit(status) }
}

#[cold]
fn make_last_call() {
    let last = LAST.swap(std::ptr::null_mut(), Relaxed);
    if !last.is_null() {
        // SAFETY: only `when_memory_is_out` stores something, and that is a `fn()`.
        unsafe { std::mem::transmute::<*mut (), fn()>(last)() }
    }
}

fn or_last_call(memory: *mut u8) -> *mut u8 {
    if memory.is_null() {
        make_last_call();
    }
    memory
}

// SAFETY: hands everything on to the system's allocator, and its answers back.
unsafe impl GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller says.
        or_last_call(unsafe { System.alloc(layout) })
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as the caller says.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller says.
        or_last_call(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as the caller says.
        or_last_call(unsafe { System.realloc(memory, layout, size) })
    }
}
