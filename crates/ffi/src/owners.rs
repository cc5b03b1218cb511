//! Names of users and groups.

use std::ffi::{c_char, c_int};

use fewer::{Errno, Owners};

use crate::boundary::{answer, borrow, bytes, close, fill, guard, put, without_nul};
use crate::error::Failed;

#[unsafe(no_mangle)]
pub extern "C" fn fewer_owners_open() -> *mut Owners {
    guard(std::ptr::null_mut(), || Box::into_raw(Box::new(Owners::new())))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fewer_owners_user(
    owners: *const Owners,
    user: u32,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> c_int {
    // SAFETY: all of it is as the header says.
    unsafe { name(owners, |owners| owners.user(user), buffer, capacity, needed) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fewer_owners_group(
    owners: *const Owners,
    group: u32,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> c_int {
    // SAFETY: all of it is as the header says.
    unsafe { name(owners, |owners| owners.group(group), buffer, capacity, needed) }
}

/// # Safety
/// As the header says.
unsafe fn name(
    owners: *const Owners,
    find: impl FnOnce(&Owners) -> Option<&[u8]>,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> c_int {
    // SAFETY: the caller says so.
    unsafe {
        answer(std::ptr::null_mut(), || {
            let name = find(borrow(owners)?).ok_or_else(no_such_name)?;
            fill(name, buffer, capacity, needed)
        })
    }
}

fn no_such_name() -> Failed {
    Failed::of(Errno::NOENT, "find a name")
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fewer_owners_user_number(
    owners: *const Owners,
    name: *const c_char,
    length: usize,
    user: *mut u32,
) -> c_int {
    // SAFETY: all of it is as the header says.
    unsafe { number(owners, |owners, name| owners.user_id(name), (name, length), user) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fewer_owners_group_number(
    owners: *const Owners,
    name: *const c_char,
    length: usize,
    group: *mut u32,
) -> c_int {
    // SAFETY: all of it is as the header says.
    unsafe { number(owners, |owners, name| owners.group_id(name), (name, length), group) }
}

/// # Safety
/// As the header says.
unsafe fn number(
    owners: *const Owners,
    find: impl FnOnce(&Owners, &[u8]) -> Option<u32>,
    (name, length): (*const c_char, usize),
    to: *mut u32,
) -> c_int {
    // SAFETY: the caller says so.
    unsafe {
        answer(std::ptr::null_mut(), || {
            let name = without_nul(bytes(name, length)?)?;
            let number = find(borrow(owners)?, name).ok_or_else(no_such_name)?;
            put(to, number)
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fewer_owners_close(owners: *mut Owners) {
    // SAFETY: it came from fewer_owners_open.
    unsafe { close(owners) };
}
