//! Waiting for another thread, for locks whose waiting a signal can interrupt.

use std::sync::atomic::AtomicU32;

use rustix::thread::futex;

use crate::Errno;
use crate::counter::{Call, count};
use crate::unix::retry;

/// Sleeps while `number` has this value, until [`wake_one`] wakes it; it may also wake by itself.
///
/// Price: one `futex`.
///
/// # Errors
/// `EINTR` after a signal, if the thread is [interruptible](crate::interruptible).
#[doc(alias = "futex")]
pub fn wait_while(number: &AtomicU32, value: u32) -> Result<(), Errno> {
    match retry(Call::Futex, || futex::wait(number, futex::Flags::PRIVATE, value, None)) {
        // The number has another value already.
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
    // It fails only for an invalid address.
    let _ = futex::wake(number, futex::Flags::PRIVATE, 1);
}
