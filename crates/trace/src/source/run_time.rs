//! How long a run took, and how much of that is due to its being watched.

use std::time::{Duration, Instant};

/// A run on the clock.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct RunTime {
    /// From its start to the end of its first process.
    pub wall: Duration,
    /// How much of that the tracer was at work, while threads that had stopped waited for it.
    pub tracer: Duration,
    /// How often the program stopped for the tracer.
    pub stops: u64,
    /// How many calls were recorded in the program without a stop.
    pub recorded: u64,
}

/// A call that is recorded takes about so much less longer than one that stops.
const OF_STOP: f64 = 1.0 / 64.0;

impl RunTime {
    /// What the run would have taken untraced, if each stop costs the program so much
    /// besides the tracer's own work (see [`super::stop_price()`]). An estimate: it is good where
    /// calls are few, and where a program does little but call it may be off two or three times.
    #[must_use]
    pub fn unwatched(&self, stop: Duration) -> Duration {
        let stops = stop.as_secs_f64() * self.in_stops();
        let rest = self.most().as_secs_f64() - stops;
        // The switches are never all of it: a program whose every call stops runs in between.
        Duration::from_secs_f64(rest.max(self.most().as_secs_f64() / 20.0))
    }

    /// What the run would have taken untraced at most: the price of a stop is known to a quarter.
    #[must_use]
    pub fn at_most(&self, stop: Duration) -> Duration {
        const DOUBT: f64 = 0.25;
        let doubt = stop.as_secs_f64() * self.in_stops() * DOUBT;
        self.most().min(self.unwatched(stop) + Duration::from_secs_f64(doubt))
    }

    /// What was recorded, and what stopped, in stops.
    fn in_stops(&self) -> f64 {
        self.stops as f64 + self.recorded as f64 * OF_STOP
    }

    /// It would not have taken longer than that, whatever a stop costs.
    #[must_use]
    pub fn most(&self) -> Duration {
        self.wall.saturating_sub(self.tracer)
    }
}

/// Measures a run: when the program ran, and when it waited for the tracer.
#[derive(Debug)]
pub(super) struct RunTimer {
    began: Instant,
    works_since: Instant,
    run_time: RunTime,
    /// Whether what the tracer does now takes the program no time.
    is_beside: bool,
    has_ended: bool,
}

impl RunTimer {
    pub(super) fn new() -> RunTimer {
        let now = Instant::now();
        let run_time = RunTime::default();
        RunTimer { began: now, works_since: now, run_time, is_beside: false, has_ended: false }
    }

    /// The program starts.
    pub(super) fn begin(&mut self) {
        *self = RunTimer::new();
    }

    /// The tracer waits from now on.
    pub(super) fn waits(&mut self) {
        if !self.has_ended && !std::mem::take(&mut self.is_beside) {
            self.run_time.tracer += self.works_since.elapsed();
        }
    }

    /// A thread has stopped: the tracer is at work from now on.
    pub(super) fn works(&mut self) {
        self.run_time.stops += u64::from(!self.has_ended);
        self.works_since = Instant::now();
    }

    /// Nothing has stopped, but the tracer wakes up: the program runs on meanwhile.
    /// `is_in_the_way`: on the same processor, so that it does not.
    pub(super) fn wakes(&mut self, is_in_the_way: bool) {
        self.works_since = Instant::now();
        self.is_beside = !is_in_the_way;
    }

    /// When the tracer was last notified of a stop, in nanoseconds since the program started.
    pub(super) fn stopped_at(&self) -> u64 {
        let since = self.works_since.saturating_duration_since(self.began);
        u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
    }

    /// The first process is no more. What its children do behind it is not waited for.
    pub(super) fn end(&mut self) {
        if !std::mem::replace(&mut self.has_ended, true) {
            self.run_time.wall = self.began.elapsed();
        }
    }

    /// `recorded`: how many calls were recorded in the program.
    pub(super) fn run_time(mut self, recorded: u64) -> RunTime {
        self.end();
        self.run_time.recorded = recorded;
        self.run_time
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_watching_cost_is_taken_off() {
        let ms = Duration::from_millis;
        let run_time = RunTime { wall: ms(300), tracer: ms(200), stops: 40_000, recorded: 0 };
        let close = |a: Duration, b: Duration| a.abs_diff(b) < Duration::from_micros(1);
        assert!(close(run_time.unwatched(Duration::from_micros(2)), ms(20)));
        assert!(close(run_time.unwatched(Duration::from_micros(9)), ms(5)), "never nothing");
        assert_eq!(run_time.most(), ms(100));
        assert!(close(run_time.at_most(Duration::from_micros(2)), ms(40)));
        assert_eq!(run_time.at_most(Duration::from_micros(9)), ms(95));
        // 20,000 stops, and as many calls as 20,000 stops take.
        let mixed = RunTime { stops: 20_000, recorded: 64 * 20_000, ..run_time };
        assert!(close(mixed.unwatched(Duration::from_micros(2)), ms(20)));
        assert!(close(
            RunTime { stops: 0, ..run_time }.unwatched(Duration::from_micros(2)),
            ms(100)
        ));
    }
}
