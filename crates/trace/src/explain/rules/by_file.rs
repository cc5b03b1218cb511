//! What was wasted on which file by which program, and how it is reported: a file that stands out
//! has a finding of its own, the others share one.

use crate::explain::draft::Draft;
use crate::explain::finding::{Act, Finding};
use crate::explain::history::{Context, Question, Repetition};
use crate::explain::tally::Tally;
use crate::explain::words;
use crate::{Call, PathId, Registry};
use fewer::compact;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;

/// Files whose waste is counted one by one; the waste on further ones is counted together.
const MOST_FILES: usize = 1 << 16;
/// Programs of which at least one file is counted by itself, however many there are.
const MOST_PROGRAMS: usize = 4096;
/// A file stands out if at least this part of a program's waste is on it.
const STANDS_OUT: f64 = 0.5;
/// Nearly all of a program's waste.
const NEARLY_ALL: f64 = 0.95;

/// What was wasted on a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Waste {
    /// The calls.
    pub(crate) tally: Tally,
    /// How often the same was done in all, the needed time included.
    pub(crate) times: u64,
}

impl Waste {
    /// A wasted call.
    pub(crate) fn add(&mut self, call: &Call) {
        self.tally.add(call);
        self.times += 1;
    }

    fn absorb(&mut self, other: &Waste) {
        self.times += other.times;
        self.tally.absorb(&other.tally);
    }
}

/// What was wasted, by program and file.
#[derive(Debug, Default)]
pub(crate) struct ByFile {
    /// In the order in which they were first counted, so that those that are looked at one after
    /// the other lie behind each other.
    wastes: Vec<Entry>,
    /// Where they are in it.
    places: FxHashMap<(PathId, PathId), u32>,
    /// What was wasted on further files, by program.
    beyond: FxHashMap<PathId, Waste>,
    programs: FxHashSet<PathId>,
}

/// Files of a program that share a finding.
pub(crate) struct Group {
    /// The program.
    pub(crate) program: PathId,
    /// The file that the most was wasted on.
    pub(crate) file: PathId,
    /// How many files were counted one by one.
    pub(crate) files: u64,
    /// Whether there were more.
    pub(crate) more: bool,
    /// What was wasted on them.
    pub(crate) waste: Waste,
}

impl Group {
    /// Whether it is one file.
    pub(crate) fn is_one(&self) -> bool {
        self.files == 1 && !self.more
    }

    /// How many of what, in words: `851 files`, `more than 65,536 files`.
    pub(crate) fn some(&self, what: &str) -> String {
        let more = if self.more { "more than " } else { "" };
        format!("{more}{}", words::some(self.files, what))
    }

    /// The subject of a sentence: the file (`what` is its kind: "file", "directory"), or how many
    /// there are, and that one.
    pub(crate) fn subject(&self, what: &str, registry: &Registry) -> String {
        let path = words::path(self.file, registry);
        if self.is_one() { path } else { format!("{}, {path} the most,", self.some(what)) }
    }

    /// The subject with its verb: "`/a` was", "3 files, `/a` the most, were".
    pub(crate) fn subject_was(&self, what: &str, registry: &Registry) -> String {
        format!("{} {}", self.subject(what, registry), self.was())
    }

    /// The same for files and pipes that were read or written. Pipes have no names.
    pub(crate) fn stream_was(&self, registry: &Registry) -> String {
        match self.file.is_some() {
            true => self.subject_was("file", registry),
            false => format!("a pipe {}", self.was()),
        }
    }

    fn was(&self) -> &'static str {
        if self.is_one() { "was" } else { "were" }
    }

    /// The finding that says `verdict`. `case` chooses the remedy.
    pub(crate) fn finding(
        &self,
        id: &'static str,
        case: Option<&'static str>,
        verdict: String,
        registry: &Registry,
    ) -> Finding {
        let (program, tally) = (self.program, &self.waste.tally);
        Draft { id, case, program, tally, verdict }.finding(registry)
    }
}

impl ByFile {
    /// The waste on a file.
    pub(crate) fn of(&mut self, program: PathId, file: PathId) -> &mut Waste {
        let key = (program, file);
        if let Some(place) = self.places.get(&key) {
            return &mut self.wastes[*place as usize].1;
        }
        let is_first = self.programs.len() < MOST_PROGRAMS && self.programs.insert(program);
        if !is_first && self.wastes.len() >= MOST_FILES {
            return self.beyond.entry(program).or_default();
        }
        let place = self.wastes.len();
        self.places.insert(key, u32::try_from(place).unwrap_or(u32::MAX));
        self.wastes.push((key, Waste::default()));
        &mut self.wastes[place].1
    }

    /// Counts the calls of `tally` that are more than `needed`: `act` is what each of them does.
    /// False if there are none.
    pub(crate) fn add_beyond(
        &mut self,
        (program, file): (PathId, PathId),
        tally: &Tally,
        needed: u64,
        act: Act,
    ) -> bool {
        let wasted = tally.count.saturating_sub(needed);
        if wasted > 0 {
            let waste = self.of(program, file);
            waste.times += tally.count;
            waste.tally.absorb(&tally.cut(wasted));
            waste.tally.spare(act, wasted);
        }
        wasted > 0
    }

    /// Counts what a process asked again in this way. `needed` is how often each was needed.
    pub(crate) fn add_asked_again(&mut self, context: Context, how: Repetition, needed: u64) {
        for (key, again) in context.process.asked_again(how) {
            let file = key.file();
            let is_other = key.question() == Question::Link
                || context.process.outputs.is_made_again(file)
                || context.process.transactions.counts(file)
                || context.process.outputs.is_rewritten(file)
                || context.process.outputs.is_appended_again(file);
            if is_other || context.kind(file).is_database() {
                continue;
            }
            let waste = self.of(context.process.program, file);
            waste.tally.absorb(&again.tally(file));
            waste.times += again.count + needed;
            for call in context.process.samples.iter().filter(|call| call.file == file) {
                waste.tally.show(call);
            }
        }
    }

    /// Takes in the wastes of another.
    pub(crate) fn absorb(&mut self, other: ByFile) {
        if self.wastes.is_empty() && self.beyond.is_empty() {
            *self = other;
            return;
        }
        // What was not kept takes no room here.
        let kept = other.wastes.iter().filter(|(_, waste)| waste.times + waste.tally.count > 0);
        for ((program, file), waste) in kept {
            self.of(*program, *file).absorb(waste);
        }
        for (program, waste) in other.beyond {
            self.beyond.entry(program).or_default().absorb(&waste);
        }
    }

    /// All calls that were wasted.
    pub(crate) fn calls(&self) -> u64 {
        let of_files: u64 = self.wastes.iter().map(|(_, waste)| waste.tally.count).sum();
        of_files + self.beyond.values().map(|waste| waste.tally.count).sum::<u64>()
    }

    /// Keeps what was wasted by some programs. Where the rest was, there is nothing from then on.
    pub(crate) fn retain_programs(&mut self, is_kept: impl Fn(PathId) -> bool) {
        self.keep(|((program, _), _)| is_kept(*program));
        self.beyond.retain(|program, _| is_kept(*program));
    }

    /// Keeps what was wasted on some files.
    pub(crate) fn retain_files(&mut self, is_kept: impl Fn(PathId, &Waste) -> bool) {
        self.keep(|((_, file), waste)| is_kept(*file, waste));
    }

    /// Drops what was done less often on a file.
    pub(crate) fn retain(&mut self, fewest: u64) {
        self.keep(|(_, waste)| waste.times >= fewest);
    }

    fn keep(&mut self, is_kept: impl Fn(&Entry) -> bool) {
        for entry in self.wastes.iter_mut().filter(|entry| !is_kept(entry)) {
            entry.1 = Waste::default();
        }
    }

    /// One group for each program.
    pub(crate) fn whole(&self, registry: &Registry) -> Vec<Group> {
        let of_programs = self.by_program(registry);
        of_programs.iter().filter_map(|entries| self.others(entries, registry)).collect()
    }

    /// One group for each program, but what is left beside a file that nearly all is on is another.
    pub(crate) fn nearly_whole(&self, registry: &Registry) -> Vec<Group> {
        self.groups_beyond(NEARLY_ALL, registry)
    }

    /// Groups, by program: each file that stands out, and the others.
    pub(crate) fn groups(&self, registry: &Registry) -> Vec<Group> {
        self.groups_beyond(STANDS_OUT, registry)
    }

    fn groups_beyond(&self, share: f64, registry: &Registry) -> Vec<Group> {
        let mut groups = Vec::new();
        for of_program in self.by_program(registry) {
            let beyond = self.beyond.get(&of_program[0].0.0).map_or(0, |waste| waste.tally.count);
            let of_files: u64 = of_program.iter().map(|(_, waste)| waste.tally.count).sum();
            let total = of_files + beyond;
            let stands_out = |(_, waste): &&Entry| is_large(waste.tally.count, share, total);
            let (mut alone, others): (Vec<_>, Vec<_>) =
                of_program.into_iter().partition(stands_out);
            compact::sort_by(&mut alone, |a, b| order(a, b, registry));
            for entry in alone {
                groups.extend(together(&[entry], registry));
            }
            match (self.others(&others, registry), groups.last_mut()) {
                (Some(group), _) => groups.push(group),
                (None, Some(group)) => self.add_further(group),
                (None, None) => {}
            }
        }
        groups
    }

    /// Several wastes of a program as one, and what was wasted on further files.
    fn others(&self, entries: &[&Entry], registry: &Registry) -> Option<Group> {
        let mut group = together(entries, registry)?;
        self.add_further(&mut group);
        Some(group)
    }

    /// Adds what was wasted on further files.
    fn add_further(&self, group: &mut Group) {
        if let Some(beyond) = self.beyond.get(&group.program) {
            group.more = true;
            group.waste.absorb(beyond);
        }
    }

    /// The wastes of each program.
    fn by_program(&self, registry: &Registry) -> Vec<Vec<&Entry>> {
        let mut programs: Vec<Vec<&Entry>> = Vec::new();
        for entry in self.wastes.iter().filter(|(_, waste)| waste.tally.count > 0) {
            match programs.iter_mut().find(|known| known[0].0.0 == entry.0.0) {
                Some(known) => known.push(entry),
                None => programs.push(vec![entry]),
            }
        }
        compact::sort_by(&mut programs, |a, b| {
            let (a, b) = (a[0].0.0, b[0].0.0);
            registry.path(a).cmp(registry.path(b)).then(a.0.cmp(&b.0))
        });
        programs
    }
}

type Entry = ((PathId, PathId), Waste);

/// The largest first.
fn order(a: &Entry, b: &Entry, registry: &Registry) -> Ordering {
    let counts = b.1.tally.count.cmp(&a.1.tally.count);
    counts.then_with(|| registry.path(a.0.1).cmp(registry.path(b.0.1)))
}

/// So many are in order: what is shown of several is of the first ones.
const IN_ORDER: usize = 512;

/// The largest ones in order, and all others behind them. Most often all are equal, and to put all
/// in order would take as long as all that the program did.
fn largest_first<'a>(entries: &[&'a Entry], registry: &Registry) -> Vec<&'a Entry> {
    let (mut first, mut rest) = (Vec::with_capacity(IN_ORDER + 1), Vec::new());
    for entry in entries {
        let is_larger = |known: &&Entry| order(known, entry, registry).is_le();
        if first.len() == IN_ORDER && first.last().is_some_and(is_larger) {
            rest.push(*entry);
            continue;
        }
        first.insert(first.partition_point(is_larger), *entry);
        if first.len() > IN_ORDER {
            rest.extend(first.pop());
        }
    }
    first.append(&mut rest);
    first
}

/// Several wastes of a program as one.
fn together(entries: &[&Entry], registry: &Registry) -> Option<Group> {
    let ((program, _), _) = entries.first()?;
    let entries = largest_first(entries, registry);
    // Of several that are equal the middle one: the first is often something else. One that has no
    // name says nothing.
    let mut named = entries.iter().filter(|(key, _)| key.1.is_some()).take(IN_ORDER).peekable();
    let most = named.peek().map_or(0, |(_, it)| it.tally.count);
    let equal: Vec<_> = named.take_while(|(_, it)| it.tally.count == most).collect();
    let file = equal.get(equal.len() / 2).map_or(PathId::NONE, |(key, _)| key.1);
    let mut waste = Waste::default();
    entries.iter().for_each(|(_, other)| waste.absorb(other));
    Some(Group { program: *program, file, files: entries.len() as u64, more: false, waste })
}

#[expect(clippy::cast_precision_loss, reason = "a share, not a count")]
fn is_large(count: u64, share: f64, total: u64) -> bool {
    count as f64 >= share * total as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StackId;

    #[test]
    fn further_files_are_not_counted_as_files() {
        const FILES: u32 = 1 << 16;
        let mut wastes = ByFile::default();
        for file in 1..=FILES + 500 {
            wastes.of(PathId(1), PathId(file)).tally.blame(StackId(1), 1);
        }
        // Another program has a name for what it wasted nevertheless.
        wastes.of(PathId(2), PathId(7)).tally.blame(StackId(1), 1);
        let groups = wastes.whole(&Registry::default());
        let of = |program| groups.iter().find(|group| group.program == PathId(program)).unwrap();
        assert_eq!(of(1).some("file"), "more than 65,536 files");
        assert!(of(1).file.is_some() && !of(1).is_one());
        assert_eq!(of(1).waste.tally.count, u64::from(FILES) + 500);
        assert_eq!((of(2).some("file"), of(2).file), ("1 file".to_owned(), PathId(7)));
    }

    #[test]
    fn further_files_of_a_program_of_which_one_stands_out_are_not_lost() {
        let mut wastes = ByFile::default();
        for file in 1..=1 << 16 {
            wastes.of(PathId(1), PathId(file)).tally.blame(StackId(1), 1);
        }
        wastes.of(PathId(2), PathId(7)).tally.blame(StackId(1), 3);
        wastes.of(PathId(2), PathId(8)).tally.blame(StackId(1), 2);
        let groups = wastes.groups(&Registry::default());
        let of_second = groups.iter().filter(|group| group.program == PathId(2));
        assert_eq!(of_second.map(|group| group.waste.tally.count).sum::<u64>(), 5);
    }

    #[test]
    fn what_is_not_kept_takes_no_room() {
        let mut others = ByFile::default();
        for file in 1..=1 << 16 {
            others.of(PathId(1), PathId(file)).tally.blame(StackId(1), 1);
        }
        others.retain_programs(|_| false);
        let mut wastes = ByFile::default();
        wastes.of(PathId(1), PathId(7)).tally.blame(StackId(1), 1);
        wastes.absorb(others);
        wastes.retain_files(|file, _| file == PathId(7));
        let group = wastes.whole(&Registry::default()).remove(0);
        assert!(group.is_one() && group.waste.tally.count == 1);
    }

    #[test]
    fn what_has_no_name_is_not_the_most() {
        let mut wastes = ByFile::default();
        for (file, calls) in [(0, 90), (5, 60), (6, 50)] {
            wastes.of(PathId(1), PathId(file)).tally.blame(StackId(1), calls);
        }
        let group = wastes.whole(&Registry::default()).remove(0);
        assert_eq!((group.file, group.waste.tally.count), (PathId(5), 200));
    }
}
