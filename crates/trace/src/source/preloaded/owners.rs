//! Users and groups by number, looked up once.

use core::cell::UnsafeCell;
use core::ffi::{c_char, c_int};
use core::mem::{align_of, size_of};
use core::ptr::{copy_nonoverlapping, null_mut};

use crate::hand_on::{__errno_location, Behind, free, malloc};
use crate::{Chosen, Lock, is_chosen};

/// `struct passwd` (pwd.h).
#[repr(C)]
#[derive(Clone, Copy)]
pub struct User {
    name: *mut c_char,
    password: *mut c_char,
    user: u32,
    group: u32,
    about: *mut c_char,
    home: *mut c_char,
    shell: *mut c_char,
}

/// `struct group` (grp.h).
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Group {
    name: *mut c_char,
    password: *mut c_char,
    group: u32,
    members: *mut *mut c_char,
}

/// Buffer that texts are copied into.
struct Buffer {
    at: *mut u8,
    left: usize,
}

impl Buffer {
    unsafe fn take(&mut self, size: usize, align: usize) -> Option<*mut u8> {
        let gap = self.at.align_offset(align);
        if gap.checked_add(size)? > self.left {
            return None;
        }
        // SAFETY: there is so much left.
        let place = unsafe { self.at.add(gap) };
        self.left -= gap + size;
        // SAFETY: as above.
        self.at = unsafe { place.add(size) };
        Some(place)
    }

    unsafe fn text(&mut self, text: *mut c_char) -> Option<*mut c_char> {
        if text.is_null() {
            return Some(text);
        }
        // SAFETY: the text ends with a NUL, and is copied to buffer for as much.
        unsafe {
            let size = core::ffi::CStr::from_ptr(text).count_bytes() + 1;
            let place = self.take(size, 1)?;
            copy_nonoverlapping(text.cast(), place, size);
            Some(place.cast())
        }
    }
}

/// What is remembered.
trait Owner: Copy {
    /// The same, with its texts in the buffer.
    unsafe fn copied(&self, buffer: &mut Buffer) -> Option<Self>;
}

impl Owner for User {
    unsafe fn copied(&self, buffer: &mut Buffer) -> Option<User> {
        // SAFETY: the texts end with a NUL each.
        unsafe {
            Some(User {
                name: buffer.text(self.name)?,
                password: buffer.text(self.password)?,
                about: buffer.text(self.about)?,
                home: buffer.text(self.home)?,
                shell: buffer.text(self.shell)?,
                ..*self
            })
        }
    }
}

impl Owner for Group {
    unsafe fn copied(&self, buffer: &mut Buffer) -> Option<Group> {
        // SAFETY: the list ends with a null pointer, and each text with a NUL.
        unsafe {
            let mut count = 0;
            while !self.members.is_null() && !(*self.members.add(count)).is_null() {
                count += 1;
            }
            let size = (count + 1) * size_of::<*mut c_char>();
            let members = buffer.take(size, align_of::<*mut c_char>())?.cast::<*mut c_char>();
            for at in 0..count {
                *members.add(at) = buffer.text(*self.members.add(at))?;
            }
            *members.add(count) = null_mut();
            let (name, password) = (buffer.text(self.name)?, buffer.text(self.password)?);
            Some(Group { name, password, group: self.group, members })
        }
    }
}

/// How many are remembered; further ones are looked up each time.
const MOST: usize = 256;

/// Texts of one owner.
const TEXTS: usize = 8192;

struct Memory<T> {
    lock: Lock,
    /// Numbers and what they stand for; none is remembered, too.
    known: UnsafeCell<[Option<(u32, *mut T)>; MOST]>,
}

// SAFETY: what is in it is touched only with the lock, and never changed once it is there.
unsafe impl<T> Sync for Memory<T> {}

impl<T: Owner> Memory<T> {
    const fn new() -> Memory<T> {
        Memory { lock: Lock::new(), known: UnsafeCell::new([None; MOST]) }
    }

    /// What is remembered of a number.
    fn get(&self, number: u32) -> Option<*mut T> {
        // SAFETY: with the lock.
        self.lock.with(|| unsafe {
            let known = (*self.known.get()).iter().map_while(|one| *one);
            known.clone().find(|(one, _)| *one == number).map(|(_, owner)| owner)
        })
    }

    /// Remembers an owner, or that there is none. Returns what is remembered.
    unsafe fn put(&self, number: u32, owner: *const T) -> Option<*mut T> {
        // SAFETY: the block has buffer for the struct and the texts behind it.
        let kept = unsafe {
            if owner.is_null() {
                null_mut()
            } else {
                let block = malloc(size_of::<T>() + TEXTS).cast::<T>();
                if block.is_null() {
                    return None;
                }
                let mut buffer = Buffer { at: block.add(1).cast(), left: TEXTS };
                match (*owner).copied(&mut buffer) {
                    Some(copy) => block.write(copy),
                    None => {
                        free(block.cast());
                        return None;
                    }
                }
                block
            }
        };
        // SAFETY: with the lock.
        self.lock.with(|| unsafe {
            if let Some(place) = (*self.known.get()).iter_mut().find(|one| one.is_none()) {
                *place = Some((number, kept));
            }
        });
        Some(kept)
    }
}

static USERS: Memory<User> = Memory::new();
static GROUPS: Memory<Group> = Memory::new();

type ByNumber<T> = unsafe extern "C" fn(u32) -> *mut T;
type Into<T> = unsafe extern "C" fn(u32, *mut T, *mut c_char, usize, *mut *mut T) -> c_int;

unsafe fn owner<T: Owner>(memory: &Memory<T>, number: u32, behind: ByNumber<T>) -> *mut T {
    // SAFETY: as the C library's; its result is whole until its next call.
    unsafe {
        if !is_chosen(Chosen::Owners) {
            return behind(number);
        }
        if let Some(known) = memory.get(number) {
            return known;
        }
        *__errno_location() = 0;
        let found = behind(number);
        if found.is_null() && *__errno_location() != 0 {
            return found;
        }
        memory.put(number, found).unwrap_or(found)
    }
}

#[derive(Clone, Copy)]
struct Call<T> {
    to: *mut T,
    texts: *mut c_char,
    size: usize,
    result: *mut *mut T,
}

/// `ERANGE` (errno.h).
const TOO_SMALL: c_int = 34;

unsafe fn owner_into<T: Owner>(
    memory: &Memory<T>,
    number: u32,
    call: Call<T>,
    behind: Into<T>,
) -> c_int {
    let Call { to, texts, size, result } = call;
    // SAFETY: as the C library's: the caller has buffer for what it says.
    unsafe {
        match memory.get(number).filter(|_| is_chosen(Chosen::Owners)) {
            Some(known) if known.is_null() => *result = known,
            Some(known) => {
                *result = null_mut();
                let mut buffer = Buffer { at: texts.cast(), left: size };
                match (*known).copied(&mut buffer) {
                    Some(copy) => to.write(copy),
                    None => return TOO_SMALL,
                }
                *result = to;
            }
            None => {
                let status = behind(number, to, texts, size, result);
                if status == 0 && is_chosen(Chosen::Owners) {
                    memory.put(number, *result);
                }
                return status;
            }
        }
        0
    }
}

/// As the C library's.
///
/// # Safety
/// As the C library's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn getpwuid(number: u32) -> *mut User {
    static BEHIND: Behind = Behind::new(c"getpwuid");
    // SAFETY: the type is that of <pwd.h>.
    unsafe { owner(&USERS, number, BEHIND.get()) }
}

/// As the C library's.
///
/// # Safety
/// As the C library's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn getgrgid(number: u32) -> *mut Group {
    static BEHIND: Behind = Behind::new(c"getgrgid");
    // SAFETY: the type is that of <grp.h>.
    unsafe { owner(&GROUPS, number, BEHIND.get()) }
}

/// As the C library's.
///
/// # Safety
/// As the C library's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn getpwuid_r(
    number: u32,
    to: *mut User,
    texts: *mut c_char,
    size: usize,
    result: *mut *mut User,
) -> c_int {
    static BEHIND: Behind = Behind::new(c"getpwuid_r");
    // SAFETY: the type is that of <pwd.h>.
    unsafe { owner_into(&USERS, number, Call { to, texts, size, result }, BEHIND.get()) }
}

/// As the C library's.
///
/// # Safety
/// As the C library's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn getgrgid_r(
    number: u32,
    to: *mut Group,
    texts: *mut c_char,
    size: usize,
    result: *mut *mut Group,
) -> c_int {
    static BEHIND: Behind = Behind::new(c"getgrgid_r");
    // SAFETY: the type is that of <grp.h>.
    unsafe { owner_into(&GROUPS, number, Call { to, texts, size, result }, BEHIND.get()) }
}
