//! Counts a command's system calls, in a run of its own that is not timed: strace makes it 20
//! times slower.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;

use crate::engine::Contender;
use crate::measure;

/// Calls by name, those of all threads and children together.
pub(crate) type Calls = BTreeMap<String, u64>;

const STATS: &[&str] = &["stat", "lstat", "fstat", "stat64", "newfstatat", "fstatat64", "statx"];

/// Calls that take bytes from a file.
const READS: &[&str] = &["read", "pread64", "readv", "preadv", "preadv2"];

/// Runs the contender under `strace -f -c`, pointed at `tree`.
pub(crate) fn count(contender: &Contender, trees: &Path, tree: &str) -> Result<Calls, String> {
    // Beside the trees, where this program may write; one bench at a time uses a folder of trees.
    let table = trees.join(".strace");
    let mut arguments: Vec<String> =
        ["strace", "-f", "-c", "-o"].iter().map(ToString::to_string).collect();
    arguments.push(table.to_string_lossy().into_owned());
    arguments.extend(contender.arguments_once(tree));
    let status = measure::command(&arguments, trees)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .map_err(|error| format!("strace: {error}"))?;
    let text = std::fs::read_to_string(&table).map_err(|error| format!("strace: {error}"));
    // Nothing to keep; that it is gone already is no error either.
    let _ = std::fs::remove_file(&table);
    // strace ends as the program did.
    if !contender.succeeded(status) {
        return Err(format!("strace: {status}"));
    }
    Ok(parse(&text?))
}

/// Reads strace's table: `% time, seconds, usecs/call, calls, [errors], name`.
fn parse(table: &str) -> Calls {
    let rows = table.lines().filter_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let name = *words.last()?;
        let numbers = words.len() == 5 || words.len() == 6;
        let calls = words.get(3).filter(|_| numbers)?.parse().ok()?;
        (name != "total").then(|| (name.to_owned(), calls))
    });
    rows.collect()
}

pub(crate) fn total(calls: &Calls) -> u64 {
    calls.values().sum()
}

/// All but those by which threads wait for each other and those that print.
pub(crate) fn of_work(calls: &Calls) -> u64 {
    let beside = ["futex", "write"].iter().filter_map(|name| calls.get(*name)).sum::<u64>();
    total(calls) - beside
}

/// Calls of the stat family.
pub(crate) fn stats(calls: &Calls) -> u64 {
    STATS.iter().filter_map(|name| calls.get(*name)).sum()
}

/// Calls of the read family.
pub(crate) fn reads(calls: &Calls) -> u64 {
    READS.iter().filter_map(|name| calls.get(*name)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_table_of_strace() {
        let calls = parse(
            "% time     seconds  usecs/call     calls    errors syscall\n\
             ------ ----------- ----------- --------- --------- ----------------\n \
             53.63    0.000266           8        30           openat\n \
             46.37    0.000230           7        31         2 newfstatat\n\
             ------ ----------- ----------- --------- --------- ----------------\n\
             100.00    0.000496           8        61         2 total\n",
        );
        assert_eq!(calls["openat"], 30);
        assert_eq!((total(&calls), stats(&calls), of_work(&calls)), (61, 31, 61));
        let calls = Calls::from(
            [("futex", 7), ("write", 2), ("close", 3)]
                .map(|(name, count)| (name.to_owned(), count)),
        );
        assert_eq!(of_work(&calls), 3);
    }
}
