//! Scopes: what looks at files in them.

use std::ffi::{c_char, c_int};

use fewer::{Descriptor, Scope};
use sys::{AsFile, NO_FILE, OsStrExt, RawFile};

use crate::boundary::{close, fill, functions, guard, hand_out, in_scope, put, writable};
use crate::error::Failed;
use crate::metadata::{CStat, Wanted};

/// The scope of an argument; NULL is the process's own directory.
///
/// # Safety
/// NULL, or a handle that is not closed meanwhile.
pub(crate) unsafe fn scope_or_start(scope: *const Scope) -> Scope {
    // SAFETY: the caller says so.
    unsafe { scope.as_ref() }.map_or_else(Scope::start, Scope::clone)
}

in_scope! {
    fn fewer_scope_enter(scope, path, entered: *mut *mut Scope) {
        hand_out(entered, scope.enter(path)?)
    }

    fn fewer_scope_enter_logical(scope, path, entered: *mut *mut Scope) {
        hand_out(entered, scope.enter_logical(path)?)
    }

    fn fewer_scope_stat(scope, path, fields: u32, follow: c_int, stat: *mut CStat) {
        let wanted = Wanted::new(fields)?;
        let found = match follow {
            0 => scope.stat(path, wanted.fields())?,
            _ => scope.stat_target(path, wanted.fields())?,
        };
        put(stat, wanted.answer(&found))
    }

    fn fewer_scope_read_link(
        scope, path, buffer: *mut c_char, capacity: usize, needed: *mut usize
    ) {
        fill(&scope.read_link(path)?, buffer, capacity, needed)
    }

    fn fewer_scope_open(scope, path, descriptor: *mut RawFile) {
        put_descriptor(descriptor, || Ok(scope.open(path)?))
    }
}

functions! {
    fn fewer_scope_logical(
        scope: *const Scope, buffer: *mut c_char, capacity: usize, needed: *mut usize
    ) {
        let path = scope_or_start(scope).logical()?;
        fill(path.as_os_str().as_bytes(), buffer, capacity, needed)
    }

    fn fewer_scope_physical(
        scope: *const Scope, buffer: *mut c_char, capacity: usize, needed: *mut usize
    ) {
        let path = scope_or_start(scope).physical()?;
        fill(path.as_os_str().as_bytes(), buffer, capacity, needed)
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fewer_scope_clone(scope: *const Scope) -> *mut Scope {
    // SAFETY: NULL, or a handle that is not closed meanwhile.
    guard(std::ptr::null_mut(), || Box::into_raw(Box::new(unsafe { scope_or_start(scope) })))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fewer_scope_close(scope: *mut Scope) {
    // SAFETY: it came from here.
    unsafe { close(scope) };
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fewer_scope_descriptor(scope: *const Scope) -> RawFile {
    // SAFETY: NULL, or a handle that is not closed meanwhile, so that the descriptor of the clone
    // is open as long as the handle is.
    guard(NO_FILE, || sys::raw_file(unsafe { scope_or_start(scope) }.as_file()))
}

/// Hands over a descriptor, to be closed by the caller. Nothing is opened if there is no memory for
/// it.
///
/// # Safety
/// `to` is NULL or may be written to.
pub(crate) unsafe fn put_descriptor(
    to: *mut RawFile,
    open: impl FnOnce() -> Result<Descriptor, Failed>,
) -> Result<(), Failed> {
    writable(to)?;
    let file = open()?;
    // SAFETY: the caller says so.
    unsafe { put(to, sys::into_raw_file(file)) }
}
