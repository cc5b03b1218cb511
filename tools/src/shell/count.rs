//! The calls and processes of a shell, as `cases/watcher.rs` has written them.

use std::collections::BTreeMap;

use crate::cases::watcher::PROCESSES;

/// Calls that say nothing about the script except how much memory it took.
const MEMORY: [&str; 5] = ["brk", "madvise", "mmap", "mremap", "munmap"];

/// The calls of the shell itself, without those of programs that it ran.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Spent {
    pub(crate) processes: i64,
    pub(crate) calls: BTreeMap<String, i64>,
}

impl Spent {
    /// All calls but those for memory.
    pub(crate) fn total(&self) -> i64 {
        let counted = self.calls.iter().filter(|(name, _)| !MEMORY.contains(&name.as_str()));
        counted.map(|(_, count)| count).sum()
    }

    pub(crate) fn minus(&self, zero: &Spent) -> Spent {
        let mut calls = self.calls.clone();
        for (name, count) in &zero.calls {
            *calls.entry(name.clone()).or_default() -= count;
        }
        calls.retain(|_, count| *count != 0);
        Spent { processes: self.processes - zero.processes, calls }
    }

    /// Parses the counts.
    pub(crate) fn read(text: &str) -> Spent {
        let mut spent = Spent::default();
        for (name, count) in text.lines().filter_map(|line| line.split_once(' ')) {
            let count = count.parse().unwrap_or(0);
            match name {
                PROCESSES => spent.processes = count,
                _ => *spent.calls.entry(name.to_owned()).or_default() += count,
            }
        }
        spent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_no_work() {
        let zero = Spent::read("@processes 0\nread 2\nmmap 5\n");
        let spent = Spent::read("@processes 3\nread 2\nread 1\nmmap 9\nbrk 2\n").minus(&zero);
        assert_eq!((spent.processes, spent.total()), (3, 1));
    }
}
