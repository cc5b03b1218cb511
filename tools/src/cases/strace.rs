//! Reads strace's log (`strace -f -o LOG`): which calls were made, how often.

use std::collections::{BTreeMap, BTreeSet};

/// Number of calls by name.
pub(crate) type Calls = BTreeMap<String, i64>;

/// Counts the calls after the last successful `execve`, that one included: the calls of the shell
/// before it are not the program's. Nor are those of its children: a process that runs a program
/// and is not the first one is a child, from its beginning.
pub(crate) fn count(log: &str) -> Calls {
    let mut calls = Calls::new();
    for call in own(log) {
        *calls.entry(call.name.to_owned()).or_default() += 1;
    }
    calls
}

/// The calls that count.
fn own(log: &str) -> Vec<Call<'_>> {
    let lines = || log.lines().filter_map(parse);
    let Some((first, _)) = lines().next() else { return Vec::new() };
    let runs_program = lines().filter(|(_, call)| call.name == "execve");
    let children: BTreeSet<u32> =
        runs_program.map(|(thread, _)| thread).filter(|thread| *thread != first).collect();
    let mut own = Vec::new();
    for (_, call) in lines().filter(|(thread, _)| !children.contains(thread)) {
        if call.name == "execve" && call.text.trim_end().ends_with("= 0") {
            own.clear();
        }
        own.push(call);
    }
    own
}

/// Number of programs that were started, as the C library does it.
pub(crate) fn programs(log: &str) -> i64 {
    let started = own(log).iter().filter(|call| call.text.contains("|CLONE_VFORK|")).count();
    i64::try_from(started).unwrap_or(i64::MAX)
}

/// Number of writes to the standard error that begin with this text.
pub(crate) fn writes_to_stderr(log: &str, beginning: &str) -> i64 {
    let start = format!("write(2, \"{beginning}");
    let found = log.lines().filter_map(parse).filter(|(_, call)| call.text.starts_with(&start));
    i64::try_from(found.count()).unwrap_or(i64::MAX)
}

/// How often a file was opened by its full path.
pub(crate) fn opens_of(log: &str, path: &str) -> i64 {
    let start = format!("openat(AT_FDCWD, \"{path}\"");
    let found = log.lines().filter_map(parse).filter(|(_, call)| call.text.starts_with(&start));
    i64::try_from(found.count()).unwrap_or(i64::MAX)
}

/// `a` less `b`, name by name; names that cancel out are left out.
pub(crate) fn minus(a: &Calls, b: &Calls) -> Calls {
    let mut left = a.clone();
    for (name, count) in b {
        *left.entry(name.clone()).or_default() -= count;
    }
    left.retain(|_, count| *count != 0);
    left
}

pub(crate) fn total(calls: &Calls) -> i64 {
    calls.values().sum()
}

struct Call<'a> {
    name: &'a str,
    /// From the name to the end of the line.
    text: &'a str,
}

/// The call that begins on this line, and its thread. Signals, exits and the second halves of
/// interrupted lines (`<... read resumed>`) begin none.
fn parse(line: &str) -> Option<(u32, Call<'_>)> {
    let (thread, text) = line.split_once(' ')?;
    let text = text.trim_start();
    let (name, _) = text.split_once('(')?;
    let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let call = Call { name, text };
    (is_name && !name.is_empty()).then_some((thread.parse().ok()?, call))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "\
10    execve(\"/bin/sh\", [\"sh\"], 0x7ff /* 3 vars */) = 0
10    brk(NULL)                         = 0x55
10    execve(\"/nowhere/f\", [\"f\"], 0x7ff /* 3 vars */) = -1 ENOENT (No such file)
10    execve(\"/bin/f\", [\"f\"], 0x7ff /* 3 vars */) = 0
10    openat(AT_FDCWD, \"d\", O_RDONLY) = 3
10    futex(0x7f, FUTEX_WAIT_PRIVATE, 1, NULL <unfinished ...>
11    getdents64(3, 0x7f /* 2 entries */, 32768) = 48
10    <... futex resumed>)              = 0
11    write(2, \"      9 total\\n\", 16 <unfinished ...>
10    --- SIGCHLD {si_signo=SIGCHLD} ---
11    <... write resumed>)              = 16
10    exit_group(0)                     = ?
10    +++ exited with 0 +++
";

    fn calls(pairs: &[(&str, i64)]) -> Calls {
        pairs.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
    }

    #[test]
    fn calls_before_the_program_do_not_count() {
        let counted = count(LOG);
        assert_eq!(counted.get("brk"), None);
        assert_eq!(counted["execve"], 1);
    }

    #[test]
    fn what_children_do_does_not_count() {
        let log = format!(
            "{LOG}10    clone(child_stack=0x7f, flags=CLONE_VM|CLONE_VFORK|SIGCHLD) = 12\n\
             12    dup2(5, 1) = 1\n10    wait4(12, <unfinished ...>\n\
             12    clone(child_stack=0x7f, flags=CLONE_VM|CLONE_VFORK|SIGCHLD) = 13\n\
             12    execve(\"/bin/cat\", [\"cat\"], 0x7ff /* 3 vars */) = 0\n\
             12    openat(AT_FDCWD, \"x\", O_RDONLY) = 3\n"
        );
        let mut with_wait = count(LOG);
        with_wait.insert("wait4".to_owned(), 1);
        with_wait.insert("clone".to_owned(), 1);
        assert_eq!(count(&log), with_wait);
        assert_eq!((programs(LOG), programs(&log)), (0, 1));
    }

    #[test]
    fn an_interrupted_call_counts_once() {
        let counted = count(LOG);
        assert_eq!((counted["futex"], counted["write"], counted["getdents64"]), (1, 1, 1));
        assert_eq!(total(&counted), 6);
    }

    #[test]
    fn writes_to_stderr_are_told_by_their_beginning() {
        assert_eq!(writes_to_stderr(LOG, " "), 1);
        assert_eq!(writes_to_stderr(LOG, "fewer"), 0);
    }

    #[test]
    fn subtraction_is_by_name_and_may_go_below_zero() {
        let left = minus(&calls(&[("a", 3), ("b", 1)]), &calls(&[("b", 1), ("c", 2)]));
        assert_eq!(left, calls(&[("a", 3), ("c", -2)]));
        assert_eq!(total(&left), 1);
    }
}
