//! Scopes: what changes files in them.

use std::ffi::{c_char, c_int};

use fewer::Scope;

use crate::boundary::path;
use crate::error::Failed;
use crate::scope::{put_descriptor, with};

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fewer_scope_create(
    scope: *const Scope,
    at: *const c_char,
    length: usize,
    permissions: u32,
    descriptor: *mut c_int,
    error: *mut *mut Failed,
) -> c_int {
    // SAFETY: all of it is as the header says.
    unsafe {
        with(scope, (at, length), error, |scope, path| {
            put_descriptor(descriptor, || Ok(scope.create(path, permissions)?))
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fewer_scope_set_permissions(
    scope: *const Scope,
    at: *const c_char,
    length: usize,
    permissions: u32,
    error: *mut *mut Failed,
) -> c_int {
    // SAFETY: all of it is as the header says.
    unsafe {
        with(
            scope,
            (at, length),
            error,
            |scope, path| Ok(scope.set_permissions(path, permissions)?),
        )
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fewer_scope_make_symlink(
    scope: *const Scope,
    at: *const c_char,
    length: usize,
    target: *const c_char,
    target_length: usize,
    error: *mut *mut Failed,
) -> c_int {
    // SAFETY: all of it is as the header says.
    unsafe {
        with(scope, (at, length), error, |scope, at| {
            Ok(scope.make_symlink(at, path(target, target_length)?)?)
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fewer_scope_make_hard_link(
    scope: *const Scope,
    at: *const c_char,
    length: usize,
    target: *const c_char,
    target_length: usize,
    error: *mut *mut Failed,
) -> c_int {
    // SAFETY: all of it is as the header says.
    unsafe {
        with(scope, (at, length), error, |scope, at| {
            Ok(scope.make_hard_link(at, path(target, target_length)?)?)
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fewer_scope_make_directory(
    scope: *const Scope,
    at: *const c_char,
    length: usize,
    permissions: u32,
    error: *mut *mut Failed,
) -> c_int {
    // SAFETY: all of it is as the header says.
    unsafe {
        with(scope, (at, length), error, |scope, path| Ok(scope.make_directory(path, permissions)?))
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fewer_scope_remove_file(
    scope: *const Scope,
    at: *const c_char,
    length: usize,
    error: *mut *mut Failed,
) -> c_int {
    // SAFETY: all of it is as the header says.
    unsafe { with(scope, (at, length), error, |scope, path| Ok(scope.remove_file(path)?)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fewer_scope_remove_directory(
    scope: *const Scope,
    at: *const c_char,
    length: usize,
    error: *mut *mut Failed,
) -> c_int {
    // SAFETY: all of it is as the header says.
    unsafe { with(scope, (at, length), error, |scope, path| Ok(scope.remove_directory(path)?)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fewer_scope_remove_tree(
    scope: *const Scope,
    at: *const c_char,
    length: usize,
    error: *mut *mut Failed,
) -> c_int {
    // SAFETY: all of it is as the header says.
    unsafe { with(scope, (at, length), error, |scope, path| Ok(scope.remove_tree(path)?)) }
}
