//! Waiting for another thread, for locks that a signal can get through to.

use std::sync::atomic::AtomicU32;

use rustix::thread::futex;

use super::{Errno, retry};
use crate::counter::{Call, count};

/// Sleeps as long as the number is this one, until [`wake_one`] wakes it; it may wake by itself.
///
/// Price: one `futex`.
///
/// # Errors
/// `EINTR` after a signal, if the thread is [interruptible](super::interruptible).
#[doc(alias = "futex")]
pub fn wait_while(number: &AtomicU32, value: u32) -> Result<(), Errno> {
    match retry(Call::Futex, || futex::wait(number, futex::Flags::PRIVATE, value, None)) {
        // It is another number already.
        Err(Errno::AGAIN) => Ok(()),
        done => done,
    }
}

/// Wakes one thread that sleeps in [`wait_while`], if there is one.
///
/// Price: one `futex`.
#[doc(alias = "futex")]
pub fn wake_one(number: &AtomicU32) {
    count(Call::Futex);
    // It fails for an address that is none, only.
    let _ = futex::wake(number, futex::Flags::PRIVATE, 1);
}
