//! Memory that is not to be had, and what a program still wants to do then.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicPtr, Ordering::Relaxed};

/// The system's memory. Where there is none left it tells, once, what
/// [`when_memory_is_out`] was given, before the program is ended. A program, not a library, has it
/// as its `global_allocator`.
pub struct Memory;

/// A `fn()`, or null.
static LAST: AtomicPtr<()> = AtomicPtr::new(std::ptr::null_mut());

/// Lets `last` be called when there is no memory for something, instead of the end of the program;
/// if it comes back, the program ends as it would have. It must not allocate.
///
/// Price: none.
pub fn when_memory_is_out(last: fn()) {
    LAST.store(last as *mut (), Relaxed);
}

/// Ends the process, and nothing else: not what else should happen at the end.
///
/// Price: one `exit_group`.
#[doc(alias = "exit_group")]
pub fn exit_at_once(status: i32) -> ! {
    // SAFETY: a plain number; does not come back.
    unsafe { libc::_exit(status) }
}

#[cold]
fn tell() {
    let last = LAST.swap(std::ptr::null_mut(), Relaxed);
    if !last.is_null() {
        // SAFETY: only `when_memory_is_out` stores something, and that is a `fn()`.
        unsafe { std::mem::transmute::<*mut (), fn()>(last)() }
    }
}

fn told(memory: *mut u8) -> *mut u8 {
    if memory.is_null() {
        tell();
    }
    memory
}

// SAFETY: hands everything on to the system's allocator, and its answers back.
unsafe impl GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller says.
        told(unsafe { System.alloc(layout) })
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as the caller says.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller says.
        told(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as the caller says.
        told(unsafe { System.realloc(memory, layout, size) })
    }
}
