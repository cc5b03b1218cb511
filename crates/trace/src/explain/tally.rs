//! Counts wasted calls: how many, from which stacks, what they do; keeps three as examples.

use crate::explain::finding::{Act, Spared};
use crate::{Call, Name, StackId};
use fewer::compact;
use smallvec::{SmallVec, smallvec};

/// Callers that a tally distinguishes; those of further stacks are counted as unknown.
const MOST_CALLERS: usize = 1024;
/// Acts that a tally distinguishes; a further one is counted as one of those that are alike.
const MOST_ACTS: usize = 32;
/// Calls that are kept to be shown.
const EXAMPLES: usize = 3;

/// Wasted calls.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    /// How many.
    pub(crate) count: u64,
    /// Nothing as long as there are none: a descriptor alone has ten tallies, most of them empty.
    parts: Option<Box<Parts>>,
}

/// What is known of them, in one piece of memory if they are of one kind: there may be a tally for
/// each of many files.
#[derive(Clone, Debug, Default)]
struct Parts {
    /// How many came from where, in the order of the stacks.
    callers: SmallVec<[(StackId, u64); 1]>,
    examples: SmallVec<[Call; 1]>,
    acts: SmallVec<[Spared; 1]>,
    /// Where the last act was found.
    latest: usize,
}

impl Tally {
    /// Counts a wasted call, which is also what would be spared.
    pub(crate) fn add(&mut self, call: &Call) {
        self.spare(Act::of(call), 1);
        self.count(call, 1);
    }

    /// Counts wasted calls of the stack of this one, which is kept as an example. What would be
    /// spared is counted by `spare`.
    pub(crate) fn count(&mut self, call: &Call, count: u64) {
        self.show(call);
        self.blame(call.stack, count);
    }

    /// Counts wasted calls of a stack.
    pub(crate) fn blame(&mut self, stack: StackId, count: u64) {
        self.count += count;
        self.parts.get_or_insert_default().blame(stack, count);
    }

    /// A call to look at. Of those that look the same one is kept; one on another file takes the
    /// place of one on a file that is among them twice.
    pub(crate) fn show(&mut self, call: &Call) {
        self.parts.get_or_insert_default().show(call);
    }

    /// Counts acts that would be spared. Acts beyond the limit are counted as others that are
    /// alike.
    pub(crate) fn spare(&mut self, act: Act, count: u64) {
        self.parts.get_or_insert_default().spare(act, count);
    }

    /// Takes in another tally.
    pub(crate) fn absorb(&mut self, other: &Tally) {
        let Some(others) = &other.parts else { return };
        self.count += other.count;
        let Some(parts) = &mut self.parts else {
            self.parts = Some(others.clone());
            return;
        };
        for (stack, count) in &others.callers {
            parts.blame(*stack, *count);
        }
        for spared in &others.acts {
            parts.spare(spared.act.clone(), spared.count);
        }
        for call in &others.examples {
            parts.show(call);
        }
    }

    /// The same callers and examples with only so many calls, and no acts.
    pub(crate) fn cut(&self, count: u64) -> Tally {
        let mut cut = Tally::default();
        let mut left = count;
        for (stack, calls) in self.callers() {
            let calls = calls.min(left);
            left -= calls;
            if calls > 0 {
                cut.blame(stack, calls);
            }
        }
        self.examples().iter().for_each(|call| cut.show(call));
        cut
    }

    /// The same calls, all from one stack.
    pub(crate) fn at(mut self, stack: StackId) -> Tally {
        self.parts.get_or_insert_default().callers = smallvec![(stack, self.count)];
        self
    }

    /// The callers, the most first.
    pub(crate) fn callers(&self) -> Vec<(StackId, u64)> {
        let mut callers = self.parts.as_ref().map_or(Vec::new(), |it| it.callers.to_vec());
        compact::sort_by(&mut callers, |a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        callers
    }

    /// Up to three wasted calls.
    pub(crate) fn examples(&self) -> &[Call] {
        self.parts.as_ref().map_or(&[], |it| &it.examples)
    }

    /// The acts that would be spared.
    pub(crate) fn spared(&self) -> Vec<Spared> {
        let acts = self.parts.iter().flat_map(|it| &it.acts);
        acts.filter(|spared| spared.count > 0).cloned().collect()
    }
}

impl Parts {
    fn blame(&mut self, stack: StackId, count: u64) {
        let place = |stack| self.callers.binary_search_by_key(&stack, |(known, _)| *known);
        let (stack, place) = match place(stack) {
            Err(_) if self.callers.len() >= MOST_CALLERS => (StackId::NONE, place(StackId::NONE)),
            place => (stack, place),
        };
        match place {
            Ok(at) => self.callers[at].1 += count,
            Err(at) => self.callers.insert(at, (stack, count)),
        }
    }

    fn show(&mut self, call: &Call) {
        if self.examples.iter().any(|known| looks_like(known, call)) {
            return;
        }
        if self.examples.len() < EXAMPLES {
            return self.examples.push(call.clone());
        }
        if self.examples.iter().any(|known| known.file == call.file) {
            return;
        }
        let is_spare = |at: &usize| {
            let known = &self.examples[*at];
            kind(known) == kind(call)
                && self.examples[..*at].iter().any(|other| other.file == known.file)
        };
        if let Some(at) = (1..EXAMPLES).rev().find(is_spare) {
            self.examples[at] = call.clone();
        }
    }

    fn spare(&mut self, act: Act, count: u64) {
        if self.acts.get(self.latest).is_none_or(|spared| spared.act != act) {
            self.latest = match self.acts.iter().position(|spared| spared.act == act) {
                Some(place) => place,
                None if self.acts.len() < MOST_ACTS => {
                    self.acts.push(Spared { act, count: 0 });
                    self.acts.len() - 1
                }
                None => {
                    let alike = self.acts.iter().position(|spared| spared.act.is_like(&act));
                    alike.unwrap_or(MOST_ACTS - 1)
                }
            };
        }
        self.acts[self.latest].count += count;
    }
}

/// Whether two calls look the same to a reader: numbers of descriptors do not matter.
fn looks_like(one: &Call, other: &Call) -> bool {
    let key = |call: &Call| (kind(call), call.path, call.file, call.second);
    key(one) == key(other) && one.errno() == other.errno()
}

/// What a call is for, as far as its name and its command say.
fn kind(call: &Call) -> (Name, u64) {
    let has_command = matches!(call.name, Name::Fcntl | Name::Ioctl);
    (call.name, if has_command { call.arguments[1] } else { 0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PathId;

    #[test]
    fn examples_differ() {
        let call = |name, file| Call { name, file: PathId(file), ..Call::default() };
        let shown = |calls: &[(Name, u32)]| {
            let mut tally = Tally::default();
            calls.iter().for_each(|(name, file)| tally.show(&call(*name, *file)));
            let examples = tally.examples();
            examples.iter().map(|call| (call.name, call.file.0)).collect::<Vec<_>>()
        };
        let (stat, open, close) = (Name::Stat, Name::Open, Name::Close);
        assert_eq!(shown(&[(stat, 1), (stat, 1), (stat, 1)]), [(stat, 1)]);
        assert_eq!(shown(&[(stat, 1), (stat, 1), (stat, 2)]), [(stat, 1), (stat, 2)]);
        // Three calls on one file, then other files: both are seen.
        let calls = [(open, 1), (stat, 1), (close, 1), (open, 2), (stat, 2), (close, 2), (stat, 3)];
        assert_eq!(shown(&calls), [(open, 1), (stat, 2), (close, 1)]);
    }

    #[test]
    fn nothing_is_lost_beyond_the_limits() {
        let mut tally = Tally::default();
        for number in 0..5000 {
            let (stack, file) = (StackId(number), PathId(number));
            tally.add(&Call { name: Name::Lstat, stack, file, ..Call::default() });
        }
        let mut twice = Tally::default();
        twice.absorb(&tally);
        twice.absorb(&tally);
        for (tally, count) in [(&tally, 5000), (&twice, 10_000)] {
            assert_eq!(tally.count, count);
            assert_eq!(tally.callers().iter().map(|(_, count)| count).sum::<u64>(), count);
            assert_eq!(tally.spared().iter().map(|spared| spared.count).sum::<u64>(), count);
            assert!(tally.spared().len() <= MOST_ACTS && tally.callers().len() <= MOST_CALLERS + 1);
            assert_eq!(tally.examples().len(), EXAMPLES);
        }
    }
}
