//! Where a record was made: all that moves the seconds, nothing that names the machine.

use std::path::Path;

use fewer::{Time, Zone};
use serde::Serialize;

#[derive(Debug, Serialize)]
pub(crate) struct Machine {
    pub(crate) processor: String,
    pub(crate) cores: usize,
    pub(crate) memory_gib: u64,
    pub(crate) kernel: String,
    /// Kind of the file system that holds the tree, and how it keeps times of access.
    pub(crate) file_system: String,
    pub(crate) load_before: String,
    pub(crate) load_after: String,
}

impl Machine {
    pub(crate) fn look(trees: &Path) -> Self {
        let uname = rustix::system::uname();
        let memory = field("/proc/meminfo", "MemTotal:");
        let kib: u64 = memory.split_whitespace().next().and_then(|n| n.parse().ok()).unwrap_or(0);
        Machine {
            processor: field("/proc/cpuinfo", "model name").trim_start_matches(": ").to_owned(),
            cores: std::thread::available_parallelism().map_or(0, usize::from),
            memory_gib: (kib + (1 << 19)) >> 20,
            kernel: format!("{} {}", uname.sysname().to_string_lossy(), version(&uname)),
            file_system: file_system(trees),
            load_before: load(),
            load_after: String::new(),
        }
    }
}

/// The release up to the first `-`: what follows names a build, often a machine's owner.
fn version(uname: &rustix::system::Uname) -> String {
    let release = uname.release().to_string_lossy();
    release.split('-').next().unwrap_or_default().to_owned()
}

/// The load of the last minute. Above 0.5 before the first run, other programs were running.
pub(crate) fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_whitespace().next().unwrap_or("?").to_owned()
}

/// What follows `name` on its first line in a file of /proc; empty if there is none.
fn field(file: &str, name: &str) -> String {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let rest = text.lines().find_map(|line| line.strip_prefix(name));
    rest.unwrap_or_default().trim().to_owned()
}

/// From the mount table: the mount with the longest path above `path`.
fn file_system(path: &Path) -> String {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let table = std::fs::read_to_string("/proc/self/mounts").unwrap_or_default();
    let mounts = table.lines().filter_map(|line| {
        let mut words = line.split(' ').skip(1);
        let (at, kind, options) = (words.next()?, words.next()?, words.next()?);
        let times = options.split(',').find(|option| option.ends_with("atime"));
        let text = times.map_or_else(|| kind.to_owned(), |times| format!("{kind} ({times})"));
        path.starts_with(at).then_some((at.len(), text))
    });
    // Of two on the same path the later one hides the earlier; max_by_key takes the last.
    mounts.max_by_key(|(length, _)| *length).map_or_else(|| "unknown".into(), |(_, text)| text)
}

/// Today in UTC, as 2026-01-31.
pub(crate) fn today() -> String {
    date(day())
}

/// Days since 1970, in UTC.
pub(crate) fn day() -> u64 {
    Time::now().seconds.unsigned_abs() / 86_400
}

/// The date of a day since 1970.
fn date(days: u64) -> String {
    let mut date = Vec::new();
    let seconds = i64::try_from(days * 86_400).unwrap_or(i64::MAX);
    Zone::utc().write(b"%Y-%m-%d", Time { seconds, nanoseconds: 0 }, &mut date);
    String::from_utf8_lossy(&date).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        let days = [0, 59, 11_016, 20_454, 20_513];
        let dates: Vec<String> = days.into_iter().map(date).collect();
        assert_eq!(dates, ["1970-01-01", "1970-03-01", "2000-02-29", "2026-01-01", "2026-03-01"]);
    }
}
