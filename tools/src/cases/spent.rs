//! The calls and processes of a program, as `watcher` writes them.

use super::budget::FOR_MEMORY;
use super::strace::{self, Calls};
use super::watcher::{PROCESSES, PROGRAMS};

/// What a program has spent, without the calls of programs that it ran.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Spent {
    /// The processes that it started.
    pub(crate) processes: i64,
    /// How many programs it started itself.
    pub(crate) programs: i64,
    pub(crate) calls: Calls,
}

impl Spent {
    /// All calls but those for memory, which say nothing about a script except how much it took.
    pub(crate) fn total_but_memory(&self) -> i64 {
        let counted = self.calls.iter().filter(|(name, _)| !FOR_MEMORY.contains(&name.as_str()));
        counted.map(|(_, count)| count).sum()
    }

    pub(crate) fn minus(&self, zero: &Spent) -> Spent {
        Spent {
            processes: self.processes - zero.processes,
            programs: self.programs - zero.programs,
            calls: strace::minus(&self.calls, &zero.calls),
        }
    }

    /// Parses the counts.
    pub(crate) fn read(text: &str) -> Spent {
        let mut spent = Spent::default();
        for (name, count) in text.lines().filter_map(|line| line.split_once(' ')) {
            let count = count.parse().unwrap_or(0);
            match name {
                PROCESSES => spent.processes = count,
                PROGRAMS => spent.programs = count,
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
    fn counts_of_several_processes_are_added_up() {
        let text = "@processes 3\n@programs 1\nopenat 2\nclose 1\nopenat 3\n";
        let Spent { processes, programs, calls } = Spent::read(text);
        assert_eq!((processes, programs), (3, 1));
        assert_eq!((calls["openat"], calls["close"], calls.len()), (5, 1, 2));
    }

    #[test]
    fn memory_is_no_work() {
        let zero = Spent::read("@processes 0\nread 2\nmmap 5\n");
        let spent = Spent::read("@processes 3\nread 2\nread 1\nmmap 9\nbrk 2\n").minus(&zero);
        assert_eq!((spent.processes, spent.total_but_memory()), (3, 1));
    }
}
