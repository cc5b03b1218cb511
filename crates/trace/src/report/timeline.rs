//! The timeline of a run: how many calls were made when, and how the run ended.

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use super::activity::Activity;
use crate::watch::EventSink;
use crate::{Call, Event, Registry, StackId};

/// Steps that time is cut into. When a run goes on, steps become twice as long.
const STEPS: usize = 400;
/// Nanoseconds that a step takes at first.
const SHORTEST: u64 = 1 << 14;
/// Stacks that are distinguished, added up over all steps. Calls from further stacks are in no
/// stack's timeline.
const PAIRS: usize = 1 << 18;
/// Processes that are counted one by one.
const PROCESSES: usize = 1 << 20;

/// Collects from a stream: calls by time, processes, the end of the first of them. Memory is
/// bounded.
#[derive(Clone, Debug)]
pub struct Timeline {
    step: u64,
    steps: Vec<Step>,
    pairs: FxHashMap<(usize, StackId), u32>,
    processes: FxHashSet<u32>,
    status: Option<i32>,
}

/// Calls in a step of time, by kind.
type Step = [u32; Activity::ALL.len()];

/// How the command ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// With an exit status.
    Exited(u8),
    /// By a signal.
    Killed(i32),
}

impl Default for Timeline {
    fn default() -> Timeline {
        Timeline {
            step: SHORTEST,
            steps: Vec::new(),
            pairs: FxHashMap::default(),
            processes: FxHashSet::default(),
            status: None,
        }
    }
}

impl EventSink for Timeline {
    fn event(&mut self, event: &Event, registry: &Registry) {
        match event {
            Event::Call(call) => self.call(call),
            Event::Process(process) if self.processes.len() < PROCESSES => {
                self.processes.insert(process.id);
            }
            Event::Ended { process, status, .. }
                if registry.first().is_some_and(|first| first.id == *process) =>
            {
                self.status = Some(*status);
            }
            _ => {}
        }
    }
}

impl Timeline {
    fn call(&mut self, call: &Call) {
        while call.start / self.step >= STEPS as u64 {
            self.double();
        }
        // The quotient is below STEPS.
        let at = usize::try_from(call.start / self.step).unwrap_or_default();
        if self.steps.len() <= at {
            self.steps.resize(at + 1, Step::default());
        }
        let calls = &mut self.steps[at][Activity::of(call.name) as usize];
        *calls = calls.saturating_add(1);
        let pair = (at, call.stack);
        if self.pairs.len() < PAIRS || self.pairs.contains_key(&pair) {
            let calls = self.pairs.entry(pair).or_default();
            *calls = calls.saturating_add(1);
        }
    }

    fn double(&mut self) {
        self.step *= 2;
        self.steps = self
            .steps
            .chunks(2)
            .map(|two| {
                let mut sum = two[0];
                for (sum, more) in sum.iter_mut().zip(two.get(1).into_iter().flatten()) {
                    *sum = sum.saturating_add(*more);
                }
                sum
            })
            .collect();
        let mut pairs = FxHashMap::default();
        pairs.reserve(self.pairs.len() / 2);
        for ((at, stack), calls) in self.pairs.drain() {
            let sum: &mut u32 = pairs.entry((at / 2, stack)).or_default();
            *sum = sum.saturating_add(calls);
        }
        self.pairs = pairs;
    }

    /// How long a step takes, in nanoseconds of the watched run.
    #[must_use]
    pub fn step(&self) -> u64 {
        self.step
    }

    /// The steps up to the last call, each with its calls by kind.
    pub(crate) fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The calls of some stacks in each step. `part` says which part of a stack's calls counts.
    pub(crate) fn of_stacks(&self, part: &FxHashMap<StackId, f64>) -> Vec<u64> {
        let mut sums = vec![0.0; self.steps.len()];
        for ((at, stack), calls) in &self.pairs {
            if let Some(part) = part.get(stack) {
                sums[*at] += f64::from(*calls) * part;
            }
        }
        #[expect(clippy::cast_possible_truncation, reason = "at most the calls that were counted")]
        #[expect(clippy::cast_sign_loss, reason = "a part of a count is not below zero")]
        sums.into_iter().map(|sum: f64| sum.round() as u64).collect()
    }

    /// Processes that were seen; at most a million.
    #[must_use]
    pub fn processes(&self) -> u64 {
        self.processes.len() as u64
    }

    /// How the first process ended, if it did.
    #[must_use]
    pub fn end(&self) -> Option<End> {
        let status = self.status?;
        let ended = sys::ExitStatus::from_wait(status);
        Some(match ended.signal() {
            None => End::Exited(u8::try_from(ended.in_shell()).unwrap_or(u8::MAX)),
            Some(signal) => End::Killed(signal),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Name, Process};

    fn call(start: u64, name: Name, stack: u32) -> Event {
        Event::Call(Call { start, name, stack: StackId(stack), ..Call::default() })
    }

    #[test]
    fn steps_get_longer_when_a_run_goes_on() {
        let (registry, mut timeline) = (Registry::default(), Timeline::default());
        for at in 0..1_000 {
            let name = if at % 2 == 0 { Name::Statx } else { Name::Read };
            timeline.event(&call(at * SHORTEST, name, 7), &registry);
        }
        assert_eq!(timeline.step(), SHORTEST * 4);
        assert_eq!(timeline.steps().len(), 250);
        let one = timeline.steps()[249];
        assert_eq!((one[Activity::Look as usize], one[Activity::Read as usize]), (2, 2));
        let part = [(StackId(7), 0.5)].into_iter().collect();
        assert_eq!(timeline.of_stacks(&part), vec![2; 250]);
    }

    #[test]
    fn a_time_far_off_is_only_a_long_step() {
        let (registry, mut timeline) = (Registry::default(), Timeline::default());
        for start in [0, u64::MAX] {
            timeline.event(&call(start, Name::Read, 1), &registry);
        }
        let calls: u32 = timeline.steps().iter().flatten().sum();
        assert_eq!(calls, 2);
        assert!(timeline.steps().len() <= STEPS);
    }

    #[test]
    fn stacks_are_told_apart_up_to_a_limit() {
        let (registry, mut timeline) = (Registry::default(), Timeline::default());
        let more = u32::try_from(PAIRS).unwrap() + 5;
        (1..=more).for_each(|stack| timeline.event(&call(0, Name::Read, stack), &registry));
        assert_eq!(timeline.pairs.len(), PAIRS);
        assert_eq!(timeline.steps()[0][Activity::Read as usize], more);
    }

    #[test]
    fn the_first_process_ends_the_command() {
        let (mut registry, mut timeline) = (Registry::default(), Timeline::default());
        for event in [
            Event::Process(Process { id: 5, ..Process::default() }),
            Event::Process(Process { id: 6, parent: 5, ..Process::default() }),
            Event::Ended { process: 5, at: 1, status: 3 << 8, processor: 0 },
            Event::Ended { process: 6, at: 2, status: 11, processor: 0 },
        ] {
            registry.take(&event);
            timeline.event(&event, &registry);
        }
        assert_eq!((timeline.processes(), timeline.end()), (2, Some(End::Exited(3))));
        timeline.status = Some(11 | 0x80);
        assert_eq!(timeline.end(), Some(End::Killed(11)));
    }
}
