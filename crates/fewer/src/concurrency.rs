//! How many threads work at once, found out while they work.
//!
//! Storage that has to be waited for answers many requests at once, so threads that sleep in the
//! kernel are no reason not to start others. [`AdaptiveLimit`] is told from time to time how much
//! has been done, and raises the limit while the processors are mostly idle, as long as more is
//! done per second with more threads; an increase that gains nothing is taken back. Once in a while
//! it tries whether fewer would do. While the processors are busy it goes back to the least.
//!
//! It is pure: times and figures are given to it.

use std::time::Duration;

use sys::Usage;

/// How long the work is watched before and after a change of the limit.
const WINDOW: Duration = Duration::from_millis(16);
/// A window in which so little was done per thread goes on, but not for ever.
const ITEMS_PER_THREAD: u64 = 3;
const LONGEST_WINDOW: Duration = Duration::from_millis(500);
/// How long a limit stays after a trial; doubled when a trial has failed.
const SHORTEST_REST: Duration = Duration::from_millis(50);
const LONGEST_REST: Duration = Duration::from_millis(800);
/// Of so many trials all but one are of more threads.
const TRIALS_PER_DECREASE: u32 = 4;

/// An increase is kept if it gains so much, and a decrease if it loses no more.
const GAIN: f64 = 1.04;
const LOSS: f64 = 0.97;

/// The most threads unless the caller says otherwise: no storage tried gave more with more.
pub(crate) const MAX_THREADS: usize = 64;

/// Whether storage is slow is looked at after so many items.
const SLOW_ITEMS: u64 = 16;
/// Or after fewer that took this long.
const VERY_SLOW_ITEMS: u64 = 4;
const VERY_SLOW_TIME: Duration = Duration::from_millis(60);

/// The first increase is to so many times the least; the others double the limit.
pub(crate) const FIRST_INCREASE: usize = 4;

/// What has been done since the work began.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Progress {
    pub(crate) time: Duration,
    pub(crate) items: u64,
}

impl Progress {
    pub(crate) fn since(self, start: Progress) -> Progress {
        Progress {
            time: self.time.saturating_sub(start.time),
            items: self.items.saturating_sub(start.items),
        }
    }

    /// Items per second.
    pub(crate) fn rate(self) -> f64 {
        self.items as f64 / self.time.as_secs_f64().max(1e-9)
    }
}

/// The limit of how many threads work at once.
#[derive(Debug)]
pub(crate) struct AdaptiveLimit {
    least: usize,
    most: usize,
    limit: usize,
    phase: Phase,
    /// What had been done when the phase began.
    start: Progress,
    /// What the process had used then, if that was looked at.
    sample: Option<Sample>,
    /// When the phase may end.
    due: Duration,
    rest: Duration,
    trials: u32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Phase {
    /// The limit stays for a while.
    Rest,
    /// Another limit has just been set: what is under way was begun with the one before.
    Change(Trial),
    /// Whether it is better is being measured.
    Measure(Trial),
}

/// A trial of another limit.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Trial {
    from: usize,
    /// How many items were done per second with that one.
    rate: f64,
}

impl AdaptiveLimit {
    pub(crate) fn new(least: usize, most: usize) -> AdaptiveLimit {
        AdaptiveLimit {
            least,
            most: most.max(least),
            limit: least,
            phase: Phase::Rest,
            start: Progress::default(),
            sample: None,
            due: Duration::ZERO,
            rest: SHORTEST_REST,
            trials: 0,
        }
    }

    pub(crate) fn limit(&self) -> usize {
        self.limit
    }

    /// How many work while the processors are busy.
    pub(crate) fn least(&self) -> usize {
        self.least
    }

    /// When [`update`](AdaptiveLimit::update) is to be called next.
    pub(crate) fn due(&self) -> Duration {
        self.due
    }

    /// No more threads than these can be had.
    pub(crate) fn cap(&mut self, most: usize) {
        self.most = most.max(1);
        self.least = self.least.min(self.most);
        self.limit = self.limit.min(self.most);
    }

    /// Begins at `now`. If one thread was found to wait, with that rate: several times the least
    /// are tried at once.
    pub(crate) fn begin(&mut self, now: Progress, waiting_alone: Option<f64>) {
        self.enter(Phase::Rest, now, WINDOW);
        if let Some(rate) = waiting_alone {
            self.try_limit(self.least.saturating_mul(FIRST_INCREASE), now, rate);
        }
    }

    /// Says what has been done until now, and whether there is work for more threads. `sample` is
    /// called only if it matters. True if the limit has changed.
    pub(crate) fn update(
        &mut self,
        now: Progress,
        has_more_work: bool,
        sample: impl FnOnce() -> Sample,
    ) -> bool {
        let before = self.limit;
        let done = now.since(self.start);
        if done.items < ITEMS_PER_THREAD * self.limit as u64 && done.time < LONGEST_WINDOW {
            self.due = now.time + WINDOW / 4;
            return false;
        }
        match self.phase {
            Phase::Rest => self.end_rest(now, has_more_work, sample()),
            Phase::Change(trial) => self.enter(Phase::Measure(trial), now, WINDOW),
            Phase::Measure(trial) => self.judge(trial, now, done.rate(), has_more_work),
        }
        self.limit != before
    }

    fn end_rest(&mut self, now: Progress, has_more_work: bool, sample: Sample) {
        let Progress { time, items } = now.since(self.start);
        let possible = time * self.least as u32;
        let wait = self.sample.map(|before| sample.wait_since(&before, possible, items));
        let rate = now.since(self.start).rate();
        self.enter(Phase::Rest, now, if wait.is_none() { WINDOW } else { self.rest });
        self.sample = Some(sample);
        match wait {
            Some(Wait::Storage) => return self.try_another(now, has_more_work, rate),
            Some(Wait::None) => self.limit = (self.limit / 2).max(self.least),
            Some(Wait::Other) => {}
            None => return,
        }
        self.rest = (self.rest * 2).min(LONGEST_REST);
    }

    fn try_another(&mut self, now: Progress, has_more_work: bool, rate: f64) {
        self.trials += 1;
        if self.trials.is_multiple_of(TRIALS_PER_DECREASE) {
            if self.limit > self.least {
                self.try_limit((self.limit / 2).max(self.least), now, rate);
            }
        } else if has_more_work && self.limit < self.most {
            self.try_limit(self.increased(), now, rate);
        }
    }

    fn judge(&mut self, trial: Trial, now: Progress, rate: f64, has_more_work: bool) {
        let gains = rate >= trial.rate * GAIN;
        let loses = rate < trial.rate * LOSS;
        let more = self.limit > trial.from;
        if more && gains && has_more_work && self.limit < self.most {
            return self.try_limit(self.increased(), now, rate);
        }
        let keep = if more { gains } else { !loses };
        if !keep {
            self.limit = trial.from;
            self.rest = (self.rest * 2).min(LONGEST_REST);
        } else {
            self.rest = SHORTEST_REST;
        }
        self.enter(Phase::Rest, now, self.rest);
    }

    fn increased(&self) -> usize {
        let times = if self.limit <= self.least { FIRST_INCREASE } else { 2 };
        self.limit.saturating_mul(times).min(self.most)
    }

    fn try_limit(&mut self, limit: usize, now: Progress, rate: f64) {
        let trial = Trial { from: self.limit, rate };
        self.limit = limit.min(self.most);
        self.enter(Phase::Change(trial), now, WINDOW);
    }

    fn enter(&mut self, phase: Phase, now: Progress, length: Duration) {
        self.phase = phase;
        self.start = now;
        self.sample = None;
        self.due = now.time + length;
    }
}

/// What one thread has done while it was alone, and whether it should be.
#[derive(Debug)]
pub(crate) struct Alone {
    /// Storage is slow if an item takes longer than this, for so long.
    slow_item: Duration,
    slow_time: Duration,
    done: Progress,
    /// When the process was looked at.
    looked: Option<(Progress, Sample)>,
    /// The items per second, if it was found to wait.
    waiting: Option<f64>,
}

impl Alone {
    /// Storage is slow if an item takes longer than this, for so long.
    pub(crate) fn new(slow_item: Duration, slow_time: Duration) -> Alone {
        Alone { slow_item, slow_time, done: Progress::default(), looked: None, waiting: None }
    }

    /// Says what it has done. True if it has to wait for the storage, so that
    /// others should be started although there may be little to do.
    ///
    /// Price: three `getrusage` for every 15 ms or more in which it is slow.
    pub(crate) fn waits(&mut self, time: Duration, items: u64) -> bool {
        self.done.time += time;
        self.done.items += items;
        let done = self.done.since(self.looked.map_or_else(Progress::default, |(at, _)| at));
        if !self.is_slow(done) {
            return false;
        }
        let sample = Sample::now();
        let before = self.looked.replace((self.done, sample));
        let waits = before.is_some_and(|(_, before)| {
            sample.wait_since(&before, done.time, done.items) == Wait::Storage
        });
        self.waiting = waits.then(|| done.rate());
        waits
    }

    fn is_slow(&self, done: Progress) -> bool {
        let enough = (done.items >= SLOW_ITEMS && done.time >= self.slow_time)
            || (done.items >= VERY_SLOW_ITEMS && done.time >= VERY_SLOW_TIME);
        enough && done.time.as_micros() >= self.slow_item.as_micros() * u128::from(done.items)
    }

    /// The items per second, if it was found to wait.
    pub(crate) fn rate(&self) -> Option<f64> {
        self.waiting
    }
}

/// What the process has used.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    usage: Usage,
    /// Whether a tracer stops this thread at each call, which counts as sleep.
    traced: bool,
}

impl Sample {
    /// Price: three `getrusage`.
    pub(crate) fn now() -> Sample {
        Sample { usage: sys::usage(), traced: sys::is_stopped_at_calls() }
    }

    /// What threads have waited for since `before`, while `done` items were done and the processors
    /// could have worked for `possible`. Threads that wait for a processor do not sleep.
    /// Those that wait for a tracer do, but more of them would gain nothing.
    pub(crate) fn wait_since(&self, before: &Sample, possible: Duration, done: u64) -> Wait {
        let busy = self.usage.processor.saturating_sub(before.usage.processor);
        let sleeps = self.usage.sleeps.saturating_sub(before.usage.sleeps);
        match sleeps * 8 >= done {
            false => Wait::None,
            true if !self.traced && busy * 20 < possible * 17 => Wait::Storage,
            true => Wait::Other,
        }
    }
}

/// What threads have mostly waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wait {
    /// Nothing but processors.
    None,
    /// The storage: the processors would have time for more threads.
    Storage,
    /// Something that more threads would not help.
    Other,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Storage that answers so many requests at once, each after some milliseconds; and what the
    /// processors do meanwhile.
    struct Storage {
        at_once: usize,
        milliseconds: u64,
        busy_percent: u32,
    }

    /// Lets the limit run against the storage for some seconds. Returns the limits that it had.
    fn run(storage: &Storage, least: usize, seconds: u64) -> Vec<usize> {
        let mut limit = AdaptiveLimit::new(least, 64);
        limit.begin(Progress::default(), None);
        let (mut items, mut limits) = (0.0, vec![limit.limit()]);
        for millisecond in 1..seconds * 1000 {
            let time = Duration::from_millis(millisecond);
            items += limit.limit().min(storage.at_once) as f64 / storage.milliseconds as f64;
            if time < limit.due() {
                continue;
            }
            let sample = Sample {
                usage: Usage {
                    processor: time * storage.busy_percent / 100,
                    sleeps: items as u64 * 3,
                },
                traced: false,
            };
            if limit.update(Progress { time, items: items as u64 }, true, || sample) {
                limits.push(limit.limit());
            }
        }
        limits
    }

    #[test]
    fn as_many_as_the_storage_answers_at_once() {
        for (at_once, milliseconds, least) in [(64, 1, 2), (16, 1, 2), (64, 10, 4), (32, 5, 16)] {
            let limits = run(&Storage { at_once, milliseconds, busy_percent: 10 }, least, 5);
            let most = *limits.iter().max().unwrap();
            assert!(most >= at_once && most <= 2 * at_once, "{at_once} at once: {limits:?}");
            // Trials of others come and go.
            let found = limits.iter().filter(|&&limit| limit == at_once).count();
            assert!(3 * found >= limits.len() - 4, "{at_once} at once: {limits:?}");
        }
    }

    #[test]
    fn what_gains_nothing_is_taken_back() {
        let limits = run(&Storage { at_once: 2, milliseconds: 1, busy_percent: 10 }, 2, 3);
        assert!(limits.len() >= 3, "it tries");
        let is_taken_back = |two: &[usize]| two[0] == 2 || two[1] < two[0];
        assert!(limits.windows(2).all(is_taken_back), "{limits:?}");
    }

    #[test]
    fn busy_processors_get_no_more_threads() {
        let limits = run(&Storage { at_once: 64, milliseconds: 1, busy_percent: 190 }, 2, 3);
        assert_eq!(limits, [2]);
    }

    #[test]
    fn threads_that_wait_for_a_processor_or_a_tracer_do_not_wait_for_storage() {
        let sample = |milliseconds, sleeps, traced| Sample {
            usage: Usage { processor: Duration::from_millis(milliseconds), sleeps },
            traced,
        };
        let before = sample(0, 0, false);
        for (milliseconds, sleeps, traced, wait) in [
            (100, 100, false, Wait::Storage),
            (100, 600, false, Wait::Storage),
            (100, 2, false, Wait::None),
            (100, 600, true, Wait::Other),
            (1900, 100, false, Wait::Other),
        ] {
            let now = sample(milliseconds, sleeps, traced);
            let found = now.wait_since(&before, Duration::from_secs(2), 100);
            assert_eq!(found, wait, "{milliseconds} ms, {sleeps} sleeps, traced: {traced}");
        }
    }

    #[test]
    fn the_cap_holds() {
        let mut limit = AdaptiveLimit::new(4, 64);
        limit.cap(3);
        assert_eq!(limit.limit(), 3);
    }
}
