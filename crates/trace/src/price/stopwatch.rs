//! Times short acts: many of them in a batch, and the median of several batches.

use std::time::{Duration, Instant};

use fewer::compact;

use super::estimate::Estimate;

/// How much was done, and how long it took.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lap {
    pub(super) acts: u64,
    pub(super) time: Duration,
}

impl Lap {
    /// Times `acts` acts by the processor's time of this thread, so that other processes do not
    /// count.
    pub(super) fn of(acts: usize, act: impl FnOnce()) -> Lap {
        let start = sys::processor_time();
        act();
        let time = sys::processor_time().saturating_sub(start);
        Lap { acts: acts as u64, time }
    }

    /// Times one act that waits for something: a disk, another process.
    pub(super) fn waiting(act: impl FnOnce()) -> Lap {
        let start = Instant::now();
        act();
        Lap { acts: 1, time: start.elapsed() }
    }

    pub(super) fn add(&mut self, other: Lap) {
        *self = Lap { acts: self.acts + other.acts, time: self.time + other.time };
    }
}

/// Takes a result that is not needed: the act is done only to be timed.
pub(super) fn done<T>(answer: T) {
    std::hint::black_box(answer);
}

const BATCHES: usize = 5;

/// So many are enough if they agree.
const ENOUGH: usize = 3;

/// A batch is at least that long, if there is time for five of them: shorter ones show what else
/// the processor does.
const BATCH: Duration = Duration::from_millis(2);

/// The nanoseconds of one act, within about `limit` in all. The first lap fills the caches and does
/// not count, unless it takes all the time there is.
pub(super) fn measure(limit: Duration, mut lap: impl FnMut() -> Lap) -> Option<Estimate> {
    let start = Instant::now();
    let batch = BATCH.min(limit / (BATCHES as u32 + 1));
    let first = lap();
    let mut prices = Vec::with_capacity(BATCHES);
    while prices.len() < BATCHES && !agree(&prices) && start.elapsed() < limit {
        let mut sum = Lap::default();
        while sum.time < batch && start.elapsed() < limit {
            let Lap { acts, time } = lap();
            if acts == 0 {
                return None;
            }
            sum.add(Lap { acts, time });
        }
        prices.extend(price(sum));
    }
    if prices.is_empty() {
        return price(first).map(Estimate::exactly);
    }
    compact::sort_by(&mut prices, f64::total_cmp);
    let (least, most) = (prices[0], prices[prices.len() - 1]);
    Some(Estimate { middle: prices[prices.len() / 2], least, most })
}

/// Whether there are enough prices, which lie within a twentieth of each other.
fn agree(prices: &[f64]) -> bool {
    let least = prices.iter().copied().fold(f64::INFINITY, f64::min);
    prices.len() >= ENOUGH && prices.iter().all(|price| *price <= 1.05 * least)
}

fn price(lap: Lap) -> Option<f64> {
    (lap.acts > 0).then(|| lap.time.as_nanos() as f64 / lap.acts as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_batch_is_taken() {
        let mut laps = 0;
        let price = measure(Duration::from_secs(5), || {
            laps += 1;
            // The first lap and one batch are slow.
            let slow = laps == 1 || laps == 3;
            Lap { acts: 10, time: Duration::from_millis(if slow { 500 } else { 2 }) }
        });
        let price = price.unwrap();
        assert_eq!((price.middle, price.least, laps), (200_000.0, 200_000.0, 6));
        assert!(price.most > 1e6);
    }

    #[test]
    fn three_batches_that_agree_are_enough() {
        for (third, expected) in [(2_099, 4), (2_101, 6)] {
            let mut laps = 0;
            let price = measure(Duration::from_secs(5), || {
                laps += 1;
                let time = if laps == 3 { third } else { 2_000 };
                Lap { acts: 10, time: Duration::from_micros(time) }
            });
            assert_eq!((price.unwrap().middle, laps), (200_000.0, expected));
        }
    }

    #[test]
    fn a_slow_act_is_done_once() {
        let mut laps = 0;
        let price = measure(Duration::from_millis(5), || {
            laps += 1;
            Lap::waiting(|| std::thread::sleep(Duration::from_millis(20)))
        });
        assert_eq!(laps, 1);
        assert!(price.unwrap().middle >= 20e6);
    }

    #[test]
    fn what_cannot_be_done_has_no_price() {
        assert_eq!(measure(Duration::from_millis(5), Lap::default), None);
    }
}
