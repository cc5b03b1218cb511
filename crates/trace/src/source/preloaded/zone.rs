//! `localtime` looks at the time zone's file once, and again only if TZ has changed.

use core::cell::UnsafeCell;
use core::ffi::{c_char, c_void};
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::hand_on::Behind;
use crate::{Chosen, is_chosen};

unsafe extern "C" {
    fn localtime_r(time: *const i64, to: *mut c_void) -> *mut c_void;
    fn asctime(time: *const c_void) -> *mut c_char;
    fn tzset();
    fn getenv(name: *const c_char) -> *const c_char;
}

/// A `struct tm`, with room to spare.
struct TimeParts(UnsafeCell<[u64; 16]>);

// SAFETY: `localtime` is not for several threads at a time.
unsafe impl Sync for TimeParts {}

static PARTS: TimeParts = TimeParts(UnsafeCell::new([0; 16]));

/// What TZ was; 1 before the first look.
static ZONE: AtomicU64 = AtomicU64::new(1);

/// A hash of TZ's text.
unsafe fn zone() -> u64 {
    // SAFETY: the C library gives a text that ends with a NUL, or none.
    unsafe {
        let mut at = getenv(c"TZ".as_ptr());
        if at.is_null() {
            return 2;
        }
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        while *at != 0 {
            hash = (hash ^ u64::from(at.cast::<u8>().read())).wrapping_mul(0x100_0000_01b3);
            at = at.add(1);
        }
        hash
    }
}

/// As the C library's.
///
/// # Safety
/// As the C library's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn localtime(time: *const i64) -> *mut c_void {
    static BEHIND: Behind = Behind::new(c"localtime");
    // SAFETY: types of <time.h>; there is room for the result.
    unsafe {
        if !is_chosen(Chosen::Zone) {
            return BEHIND.get::<unsafe extern "C" fn(*const i64) -> *mut c_void>()(time);
        }
        let now = zone();
        if ZONE.swap(now, Relaxed) != now {
            tzset();
        }
        localtime_r(time, PARTS.0.get().cast())
    }
}

/// As the C library's.
///
/// # Safety
/// As the C library's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ctime(time: *const i64) -> *mut c_char {
    // SAFETY: `ctime` is this by its definition.
    unsafe {
        let parts = localtime(time);
        if parts.is_null() { core::ptr::null_mut() } else { asctime(parts) }
    }
}
