//! The user and group databases through the C library, so that every source that the machine is
//! set up for (files, LDAP, sssd) answers.
//!
//! A static binary has no such sources but the files: the others are libraries that the C library
//! loads at run time. Then a caller that needs many names reads the files itself.

use std::ffi::CStr;

/// Whether the names of owners are in files, and the metadata of a file has its owner.
pub const OWNERS_ARE_IN_FILES: bool = true;

/// Whether this build can ask name services that know more than the files.
pub const NAME_SERVICES: bool = cfg!(not(any(target_env = "musl", target_feature = "crt-static")));

/// The number of the user called `name`; `None` if there is none.
///
/// Price: several calls, uncounted; which ones depends on the C library's name services.
#[must_use]
pub fn user_id(name: &CStr) -> Option<u32> {
    services::user_id(name)
}

/// The number of the group called `name`; `None` if there is none.
///
/// Price: as [`user_id`].
#[must_use]
pub fn group_id(name: &CStr) -> Option<u32> {
    services::group_id(name)
}

/// The name of the user with this number; `None` if there is none.
///
/// Price: as [`user_id`]: 8 calls to glibc's own files, some 70 to systemd, a round trip to a
/// server.
#[must_use]
pub fn user_name(id: u32) -> Option<Box<[u8]>> {
    services::user_name(id)
}

/// The name of the group with this number; `None` if there is none.
///
/// Price: as [`user_name`].
#[must_use]
pub fn group_name(id: u32) -> Option<Box<[u8]>> {
    services::group_name(id)
}

/// The home directory of the user called `name`, or of the one with this number; `None` if there is
/// none.
///
/// Price: as [`user_name`].
#[must_use]
pub fn home_directory(user: Result<&CStr, u32>) -> Option<Box<[u8]>> {
    services::home_directory(user)
}

mod services {
    use std::ffi::{CStr, c_char, c_int};
    use std::mem::MaybeUninit;
    use std::ptr::null_mut;

    pub(super) fn user_id(name: &CStr) -> Option<u32> {
        let key = name.as_ptr();
        look_up(
            // SAFETY: `name` ends with a NUL and outlives the call; for the rest see `look_up`.
            |record, text, size, found| unsafe { libc::getpwnam_r(key, record, text, size, found) },
            |user: &libc::passwd| user.pw_uid,
        )
    }

    pub(super) fn group_id(name: &CStr) -> Option<u32> {
        let key = name.as_ptr();
        look_up(
            // SAFETY: as in `user_id`.
            |record, text, size, found| unsafe { libc::getgrnam_r(key, record, text, size, found) },
            |group: &libc::group| group.gr_gid,
        )
    }

    pub(super) fn user_name(id: u32) -> Option<Box<[u8]>> {
        look_up(
            // SAFETY: the key is a number; for the rest see `look_up`.
            |record, text, size, found| unsafe { libc::getpwuid_r(id, record, text, size, found) },
            |user: &libc::passwd| bytes(user.pw_name),
        )
    }

    pub(super) fn home_directory(user: Result<&CStr, u32>) -> Option<Box<[u8]>> {
        look_up(
            |record, text, size, found| match user {
                // SAFETY: as in `user_id`.
                Ok(name) => unsafe { libc::getpwnam_r(name.as_ptr(), record, text, size, found) },
                // SAFETY: as in `user_name`.
                Err(id) => unsafe { libc::getpwuid_r(id, record, text, size, found) },
            },
            |user: &libc::passwd| bytes(user.pw_dir),
        )
    }

    pub(super) fn group_name(id: u32) -> Option<Box<[u8]>> {
        look_up(
            // SAFETY: as in `user_name`.
            |record, text, size, found| unsafe { libc::getgrgid_r(id, record, text, size, found) },
            |group: &libc::group| bytes(group.gr_name),
        )
    }

    /// A name in a record that a call has just filled.
    fn bytes(name: *const c_char) -> Box<[u8]> {
        // SAFETY: getpwuid_r(3), getgrgid_r(3): the name is a string that ends with a NUL and lies
        // in the buffer that `look_up` still holds. (No null check: POSIX knows no unnamed record.)
        unsafe { CStr::from_ptr(name) }.to_bytes().into()
    }

    /// Repeats the question with a larger buffer as long as the record does not fit, up to 1 MiB: a
    /// group has all its members in its record.
    ///
    /// `ask` gets a record to fill, memory for its text with its length, and where to say that
    /// it was found; all are valid for the call and no longer.
    fn look_up<R, T>(
        mut ask: impl FnMut(*mut R, *mut c_char, usize, *mut *mut R) -> c_int,
        answer: impl FnOnce(&R) -> T,
    ) -> Option<T> {
        let mut buffer = vec![0_u8; 1 << 12];
        loop {
            let mut record = MaybeUninit::<R>::uninit();
            let mut found = null_mut();
            let text = buffer.as_mut_ptr().cast();
            let code = ask(record.as_mut_ptr(), text, buffer.len(), &mut found);
            if code == libc::ERANGE && buffer.len() < 1 << 20 {
                buffer.resize(2 * buffer.len(), 0);
                continue;
            }
            // SAFETY: the four calls above leave `found` null, or pointing to `record`, which they
            // then have filled; it is ours and still alive.
            return unsafe { found.as_ref() }.map(answer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn root_is_number_zero_and_nonsense_is_nobody() {
        assert_eq!(user_id(c"root"), Some(0));
        assert_eq!(group_id(c"root"), Some(0));
        assert_eq!(user_id(c"no such user here"), None);
        assert_eq!(user_name(0).as_deref(), Some(&b"root"[..]));
        assert_eq!(group_name(0).as_deref(), Some(&b"root"[..]));
        assert_eq!(home_directory(Ok(c"root")).as_deref(), Some(&b"/root"[..]));
        assert_eq!(home_directory(Err(0)).as_deref(), Some(&b"/root"[..]));
        assert_eq!(home_directory(Ok(c"no such user here")), None);
        assert_eq!(user_name(3_999_999_999), None);
    }
}
