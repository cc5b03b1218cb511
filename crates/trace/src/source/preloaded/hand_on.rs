//! The functions of the C library that stand behind those of this one.

use core::ffi::{CStr, c_char, c_int, c_void};
use core::sync::atomic::{AtomicPtr, Ordering::Relaxed};

unsafe extern "C" {
    fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void;
    pub(super) fn malloc(size: usize) -> *mut c_void;
    pub(super) fn free(block: *mut c_void);
    pub(super) fn fileno(stream: *mut c_void) -> c_int;
    pub(super) fn __errno_location() -> *mut c_int;
}

/// The next one in the loader's order (dlfcn.h).
const NEXT: *mut c_void = !0usize as *mut c_void;

/// A function that is looked up when it is first called.
pub(super) struct Behind {
    name: &'static CStr,
    found: AtomicPtr<c_void>,
}

impl Behind {
    pub(super) const fn new(name: &'static CStr) -> Behind {
        Behind { name, found: AtomicPtr::new(core::ptr::null_mut()) }
    }

    /// The function.
    ///
    /// # Safety
    /// `F` is a pointer to a function of the type that the C library has under that name.
    pub(super) unsafe fn get<F: Copy>(&self) -> F {
        let mut found = self.found.load(Relaxed);
        if found.is_null() {
            // SAFETY: the name ends with a NUL.
            found = unsafe { dlsym(NEXT, self.name.as_ptr()) };
            self.found.store(found, Relaxed);
        }
        // SAFETY: pointers to functions are of one size; the caller vouches for the type.
        unsafe { core::mem::transmute_copy(&found) }
    }
}
