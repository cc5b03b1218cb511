//! The time of records: from the processor's time stamps to the recording's own time.

use std::time::Instant;

use super::record::Stamped;

/// From the processor's time stamps to nanoseconds since the recording began.
#[derive(Debug)]
pub(crate) struct Stamps {
    began: Instant,
    /// A time stamp and the nanoseconds at that moment: at the beginning, and lately.
    first: (u64, u64),
    latest: (u64, u64),
}

impl Stamps {
    pub(crate) fn new(began: Instant) -> Stamps {
        let now = now(began);
        Stamps { began, first: now, latest: now }
    }

    /// Looks at both clocks. The longer the recording, the better their ratio is known. The time
    /// stamp.
    pub(crate) fn look(&mut self) -> u64 {
        self.latest = now(self.began);
        self.latest.0
    }
}

impl Stamps {
    /// So many time stamps, in nanoseconds.
    pub(crate) fn span(&self, stamps: u64) -> u64 {
        (stamps as f64 * self.ratio()) as u64
    }

    fn ratio(&self) -> f64 {
        let (stamps, time) = (self.latest.0 - self.first.0, self.latest.1 - self.first.1);
        time as f64 / stamps.max(1) as f64
    }
}

impl Stamped for Stamps {
    /// It is not much older than the last look.
    fn nanoseconds(&self, stamp: u64) -> u64 {
        let before = self.latest.0.wrapping_sub(stamp).cast_signed();
        let nanoseconds = self.latest.1 as f64 - before as f64 * self.ratio();
        nanoseconds.max(0.0) as u64
    }
}

fn now(began: Instant) -> (u64, u64) {
    // SAFETY: reads a counter; every processor of this kind has it.
    let stamp = unsafe { core::arch::x86_64::_rdtsc() };
    (stamp, u64::try_from(began.elapsed().as_nanos()).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_stamp_is_as_old_as_it_says() {
        let difference = || {
            let began = Instant::now();
            let mut stamps = Stamps::new(began);
            std::thread::sleep(std::time::Duration::from_millis(20));
            let (stamp, before) = now(began);
            std::thread::sleep(std::time::Duration::from_millis(5));
            stamps.look();
            stamps.nanoseconds(stamp).abs_diff(before)
        };
        // Any time may pass between a look at one clock and at the other: the best of some.
        let least = (0..20).map(|_| difference()).min().unwrap();
        assert!(least < 1_000_000, "{least} ns");
    }
}
