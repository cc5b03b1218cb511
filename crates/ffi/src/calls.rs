//! The calls that this process has made.

use crate::boundary::{array_mut, guard};

/// `fewer_call_count`
#[derive(Clone, Copy)]
#[repr(C)]
pub struct CallCount {
    pub(crate) name: [u8; sys::CALL_NAME_BYTES],
    pub(crate) count: u64,
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fewer_calls(counts: *mut CallCount, capacity: usize) -> usize {
    guard(0, || {
        let rows = sys::calls().by_name();
        // SAFETY: so many may be written there; no array is the same as an empty one.
        let places = unsafe { array_mut(counts, capacity) }.unwrap_or_default();
        for (place, (call, count)) in places.iter_mut().zip(&rows) {
            let mut name = [0; sys::CALL_NAME_BYTES];
            name[..call.len()].copy_from_slice(call.as_bytes());
            place.write(CallCount { name, count: *count });
        }
        rows.len()
    })
}
