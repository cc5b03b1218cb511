//! Waiting for a time.

use crate::counter::{Call, count};

/// Waits for this time, or until a signal comes: then the error is what is left of the time.
///
/// Price: one `clock_nanosleep`; none for no time at all.
///
/// # Errors
/// The time that is left.
#[doc(alias = "clock_nanosleep")]
pub fn sleep(time: std::time::Duration) -> Result<(), std::time::Duration> {
    use rustix::thread::{ClockId, NanosleepRelativeResult, Timespec, clock_nanosleep_relative};
    if time.is_zero() {
        return Ok(());
    }
    count(Call::ClockNanosleep);
    let tv_sec = i64::try_from(time.as_secs()).unwrap_or(i64::MAX);
    let wanted = Timespec { tv_sec, tv_nsec: i64::from(time.subsec_nanos()) };
    match clock_nanosleep_relative(ClockId::Monotonic, &wanted) {
        NanosleepRelativeResult::Interrupted(left) => {
            let seconds = u64::try_from(left.tv_sec).unwrap_or(0);
            Err(std::time::Duration::new(seconds, u32::try_from(left.tv_nsec).unwrap_or(0)))
        }
        _ => Ok(()),
    }
}
