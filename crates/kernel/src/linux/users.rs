//! The user and group databases through the C library, so that every source that the machine is
//! set up for (files, LDAP, sssd) answers.

use std::ffi::CStr;

/// The number of the user called `name`; `None` if there is none.
///
/// Price: whatever the C library's name services do; several calls, uncounted.
#[must_use]
pub fn user_id(name: &CStr) -> Option<u32> {
    look_up(|buffer| {
        let mut record = std::mem::MaybeUninit::<libc::passwd>::uninit();
        let mut found = std::ptr::null_mut();
        // SAFETY: `name` ends with a NUL; `record`, `buffer` (with its true length) and `found`
        // are ours and outlive the call, which keeps no pointer to them.
        let code = unsafe {
            let room = buffer.as_mut_ptr().cast();
            libc::getpwnam_r(name.as_ptr(), record.as_mut_ptr(), room, buffer.len(), &mut found)
        };
        // SAFETY: a non-null `found` points to `record`, which the call then has filled.
        (code, (!found.is_null()).then(|| unsafe { (*found).pw_uid }))
    })
}

/// The number of the group called `name`; `None` if there is none.
///
/// Price: as [`user_id`].
#[must_use]
pub fn group_id(name: &CStr) -> Option<u32> {
    look_up(|buffer| {
        let mut record = std::mem::MaybeUninit::<libc::group>::uninit();
        let mut found = std::ptr::null_mut();
        // SAFETY: as in `user_id`.
        let code = unsafe {
            let room = buffer.as_mut_ptr().cast();
            libc::getgrnam_r(name.as_ptr(), record.as_mut_ptr(), room, buffer.len(), &mut found)
        };
        // SAFETY: as in `user_id`.
        (code, (!found.is_null()).then(|| unsafe { (*found).gr_gid }))
    })
}

/// Asks again with a larger buffer as long as the record does not fit, up to 1 MiB.
fn look_up(mut ask: impl FnMut(&mut [u8]) -> (i32, Option<u32>)) -> Option<u32> {
    let mut buffer = vec![0; 1 << 12];
    loop {
        match ask(&mut buffer) {
            (libc::ERANGE, _) if buffer.len() < 1 << 20 => buffer.resize(2 * buffer.len(), 0),
            (_, id) => return id,
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
    }
}
