//! Whether reading a file or directory whose contents are in a cloud fetches them.

use std::ffi::c_int;

use crate::counter::{Call, count};

// The libc crate has no names for these (sys/resource.h).
unsafe extern "C" {
    fn getiopolicy_np(policy: c_int, scope: c_int) -> c_int;
    fn setiopolicy_np(policy: c_int, scope: c_int, value: c_int) -> c_int;
}

/// `IOPOL_TYPE_VFS_MATERIALIZE_DATALESS_FILES`.
const FETCHES: c_int = 3;
/// `IOPOL_SCOPE_THREAD`: neither other threads nor programs that are started are concerned.
const OF_THREAD: c_int = 1;
/// `IOPOL_MATERIALIZE_DATALESS_FILES_OFF`.
const OFF: c_int = 1;

/// What the thread did before, which is done again when this is dropped.
struct Before(c_int);

impl Drop for Before {
    fn drop(&mut self) {
        set(self.0);
    }
}

fn set(value: c_int) {
    count(Call::Iopolicysys);
    // SAFETY: takes numbers only. Where the kernel does not know the policy, nothing is changed.
    unsafe { setiopolicy_np(FETCHES, OF_THREAD, value) };
}

/// Runs `f`. While it runs, this thread does not fetch contents that are elsewhere: reading them
/// fails with `EDEADLK`. Names and metadata of files need no fetching.
///
/// Price: three `iopolicysys`; one if the thread does not fetch anyway.
#[doc(alias = "setiopolicy_np")]
pub fn without_fetching<T>(f: impl FnOnce() -> T) -> T {
    count(Call::Iopolicysys);
    // SAFETY: takes numbers only.
    let before = unsafe { getiopolicy_np(FETCHES, OF_THREAD) };
    if before < 0 || before == OFF {
        return f();
    }
    set(OFF);
    let _before = Before(before);
    f()
}
