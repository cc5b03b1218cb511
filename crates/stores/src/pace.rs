//! How many requests are under way at once: more while that lists faster, half as many when the
//! store asks for patience.

use std::time::{Duration, Instant};

const FIRST_LIMIT: usize = 8;

/// Below this a measurement says more about chance than about the store.
const SHORTEST_MEASUREMENT: Duration = Duration::from_millis(50);

/// Additive growth and multiplicative decrease, as TCP does it, with throughput as a brake.
#[derive(Debug)]
pub(crate) struct Pace {
    limit: usize,
    most: usize,
    /// Pages since the limit was last changed, and when that was.
    pages: usize,
    since: Instant,
    /// Pages a second before the last change.
    rate: f64,
    /// The store asked for patience since the last change.
    slowed: bool,
}

impl Pace {
    /// At most so many requests at once.
    pub(crate) fn new(most: usize, now: Instant) -> Pace {
        let most = most.max(1);
        let limit = FIRST_LIMIT.min(most);
        Pace { limit, most, pages: 0, since: now, rate: 0.0, slowed: false }
    }

    /// How many requests may be under way.
    pub(crate) fn limit(&self) -> usize {
        self.limit
    }

    /// The store asked for patience. What was under way at that time counts once.
    pub(crate) fn slow_down(&mut self, now: Instant) {
        if !self.slowed {
            self.limit = (self.limit / 2).max(1);
            self.restart(now);
            self.slowed = true;
        }
    }

    /// A page has come, while `under_way` requests were.
    pub(crate) fn page(&mut self, now: Instant, under_way: usize) {
        self.pages += 1;
        let elapsed = now.saturating_duration_since(self.since);
        if self.pages < self.limit || elapsed < SHORTEST_MEASUREMENT {
            return;
        }
        let rate = self.pages as f64 / elapsed.as_secs_f64();
        // If there was not enough to request, nothing is known of more.
        if under_way >= self.limit {
            if rate > self.rate * 1.05 {
                self.limit = (self.limit + self.limit.div_ceil(2)).min(self.most);
            } else if rate < self.rate * 0.8 {
                self.limit = (self.limit - self.limit / 4).max(1);
            }
            self.rate = rate;
        }
        self.restart(now);
    }

    fn restart(&mut self, now: Instant) {
        self.pages = 0;
        self.since = now;
        self.slowed = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pages at `per_second`, as many as one measurement takes.
    fn measure(pace: &mut Pace, now: &mut Instant, per_second: f64) {
        let before = pace.limit();
        for _ in 0..before.max(per_second as usize) {
            *now += Duration::from_secs_f64(1.0 / per_second);
            pace.page(*now, before);
        }
    }

    #[test]
    fn the_limit_rises_while_the_rate_does_and_no_further() {
        let mut now = Instant::now();
        let mut pace = Pace::new(64, now);
        assert_eq!(pace.limit(), 8);
        let mut limits = Vec::new();
        for _ in 0..6 {
            now += SHORTEST_MEASUREMENT;
            for _ in 0..pace.limit() {
                pace.page(now, pace.limit());
            }
            limits.push(pace.limit());
        }
        assert_eq!(limits, [12, 18, 27, 41, 62, 64]);
        measure(&mut pace, &mut now, 10.0);
        assert!(pace.limit() < 64, "it falls where more requests list more slowly");
    }

    #[test]
    fn patience_halves_the_limit_once_for_what_was_under_way() {
        let now = Instant::now();
        let mut pace = Pace::new(64, now);
        pace.slow_down(now);
        pace.slow_down(now);
        assert_eq!(pace.limit(), 4);
        for _ in 0..4 {
            pace.page(now + SHORTEST_MEASUREMENT, 4);
        }
        pace.slow_down(now);
        assert!(pace.limit() <= 3, "{}", pace.limit());
    }

    #[test]
    fn there_is_always_one_request_and_never_more_than_allowed() {
        let now = Instant::now();
        let mut pace = Pace::new(1, now);
        pace.slow_down(now);
        assert_eq!(pace.limit(), 1);
        pace.page(now + SHORTEST_MEASUREMENT, 1);
        assert_eq!(pace.limit(), 1);
    }
}
