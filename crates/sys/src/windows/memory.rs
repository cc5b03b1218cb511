//! The allocator of programs, and large pages.

use std::alloc::{GlobalAlloc, Layout, System};

/// The system's allocator. It is for programs, as their `global_allocator`, not for libraries.
pub struct Memory;

// SAFETY: hands everything on to the system's allocator, and its answers back.
unsafe impl GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller says.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as the caller says.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller says.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as the caller says.
        unsafe { System.realloc(memory, layout, size) }
    }
}

/// Nothing to remember: a program that has no standard files knows it from the system.
#[macro_export]
macro_rules! remember_what_is_closed {
    () => {};
}

/// Nothing to remember: there is no such signal.
#[macro_export]
macro_rules! remember_what_pipes_do {
    () => {};
}

/// Does nothing: large pages need a privilege here.
///
/// Price: none.
pub fn advise_large_pages<T>(_memory: &mut [T]) {}
