//! What was wasted on which file by which program, and how to tell it: a file that stands out is
//! told by itself, the others together.

use crate::explain::tally::Tally;
use crate::explain::words;
use crate::quick::{Map, Set};
use crate::{PathId, Registry};

/// Files that are told apart; the waste on further ones is counted together.
const MOST_FILES: usize = 1 << 16;
/// Programs of which at least one file is told apart, however many there are.
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
    fn absorb(&mut self, other: &Waste) {
        self.times += other.times;
        self.tally.absorb(&other.tally);
    }
}

/// What was wasted, by program and file.
#[derive(Debug, Default)]
pub(crate) struct ByFile {
    wastes: Map<(PathId, PathId), Waste>,
    /// What was wasted on files that are not told apart, by program.
    beyond: Map<PathId, Waste>,
    programs: Set<PathId>,
}

/// What is told together.
pub(crate) struct Group {
    /// The program.
    pub(crate) program: PathId,
    /// The file that the most was wasted on.
    pub(crate) file: PathId,
    /// How many files they are that were told apart.
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

    /// What a sentence is about: the file, or how many they are and that one; pipes have no name.
    pub(crate) fn subject(&self, registry: &Registry) -> String {
        if !self.file.is_some() {
            return "a pipe".to_owned();
        }
        let path = words::path(self.file, registry);
        if self.is_one() { path } else { format!("{}, {path} the most,", self.some("file")) }
    }
}

impl ByFile {
    /// The waste on a file.
    pub(crate) fn of(&mut self, program: PathId, file: PathId) -> &mut Waste {
        let key = (program, file);
        let is_first = self.programs.len() < MOST_PROGRAMS && self.programs.insert(program);
        if is_first || self.wastes.len() < MOST_FILES || self.wastes.contains_key(&key) {
            return self.wastes.entry(key).or_default();
        }
        self.beyond.entry(program).or_default()
    }

    /// Takes in the wastes of another.
    pub(crate) fn absorb(&mut self, other: ByFile) {
        for ((program, file), waste) in other.wastes {
            let own = self.of(program, file);
            own.absorb(&waste);
        }
        for (program, waste) in other.beyond {
            self.beyond.entry(program).or_default().absorb(&waste);
        }
    }

    /// One group for each program.
    pub(crate) fn whole(&mut self, registry: &Registry) -> Vec<Group> {
        let wastes = self.sorted(registry);
        let of_programs = wastes.chunk_by(|(a, _), (b, _)| a.0 == b.0);
        of_programs.filter_map(|wastes| self.others(wastes)).collect()
    }

    /// One group for each program, but what is left beside a file that nearly all is on is another.
    pub(crate) fn nearly_whole(&mut self, registry: &Registry) -> Vec<Group> {
        self.groups_beyond(NEARLY_ALL, registry)
    }

    /// Groups, by program: each file that stands out, and the others.
    pub(crate) fn groups(&mut self, registry: &Registry) -> Vec<Group> {
        self.groups_beyond(STANDS_OUT, registry)
    }

    fn groups_beyond(&mut self, share: f64, registry: &Registry) -> Vec<Group> {
        let mut groups = Vec::new();
        for of_program in self.sorted(registry).chunk_by(|(a, _), (b, _)| a.0 == b.0) {
            let beyond = self.beyond.get(&of_program[0].0.0).map_or(0, |waste| waste.tally.count);
            let of_files: u64 = of_program.iter().map(|(_, waste)| waste.tally.count).sum();
            let total = of_files + beyond;
            let stands_out = |(_, waste): &&Entry| is_large(waste.tally.count, share, total);
            let alone = of_program.iter().take_while(stands_out).count();
            for entry in &of_program[..alone] {
                groups.extend(together(std::slice::from_ref(entry)));
            }
            groups.extend(self.others(&of_program[alone..]));
        }
        groups
    }

    /// Several wastes of a program as one, and what is not told apart.
    fn others(&mut self, wastes: &[Entry]) -> Option<Group> {
        let mut group = together(wastes)?;
        if let Some(beyond) = self.beyond.remove(&group.program) {
            group.more = true;
            group.waste.absorb(&beyond);
        }
        Some(group)
    }

    /// The wastes by program, the largest first.
    fn sorted(&mut self, registry: &Registry) -> Vec<Entry> {
        let mut wastes: Vec<_> = std::mem::take(&mut self.wastes).into_iter().collect();
        wastes.retain(|(_, waste)| waste.tally.count > 0);
        wastes.sort_by(|(a, x), (b, y)| {
            let programs = registry.path(a.0).cmp(registry.path(b.0)).then(a.0.0.cmp(&b.0.0));
            let order = programs.then(y.tally.count.cmp(&x.tally.count));
            order.then_with(|| registry.path(a.1).cmp(registry.path(b.1)))
        });
        wastes
    }
}

type Entry = ((PathId, PathId), Waste);

/// Several wastes of a program as one.
fn together(wastes: &[Entry]) -> Option<Group> {
    let ((program, _), first) = wastes.first()?;
    // Of several that are equal the middle one: the first is often something else. One that has no
    // name says nothing.
    let mut named = wastes.iter().filter(|(key, _)| key.1.is_some()).peekable();
    let most = named.peek().map_or(0, |(_, it)| it.tally.count);
    let equal: Vec<_> = named.take_while(|(_, it)| it.tally.count == most).collect();
    let file = equal.get(equal.len() / 2).map_or(PathId::NONE, |(key, _)| key.1);
    let mut waste = first.clone();
    for (_, other) in &wastes[1..] {
        waste.absorb(other);
    }
    Some(Group { program: *program, file, files: wastes.len() as u64, more: false, waste })
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
    fn files_that_are_not_told_apart_are_not_counted_as_files() {
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
    fn what_has_no_name_is_not_the_most() {
        let mut wastes = ByFile::default();
        for (file, calls) in [(0, 90), (5, 60), (6, 50)] {
            wastes.of(PathId(1), PathId(file)).tally.blame(StackId(1), calls);
        }
        let group = wastes.whole(&Registry::default()).remove(0);
        assert_eq!((group.file, group.waste.tally.count), (PathId(5), 200));
    }
}
