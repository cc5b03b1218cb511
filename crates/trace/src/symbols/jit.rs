//! Functions that a running program has compiled. It writes down where they lie, for `perf`: lines
//! `START SIZE NAME` in /tmp/perf-PID.map, both numbers in hexadecimal.

use std::ffi::{CStr, CString, OsStr};
use std::os::unix::ffi::OsStrExt as _;
use std::time::{Duration, SystemTime};

use fewer::Lines;
use fewer::lines::Check;
use sys::{CWD, Fields};

use super::script;
use crate::Location;

/// What code without a file is called.
pub(super) const MODULE: &[u8] = b"[jit]";

/// A file with a longer line is none of these, and is not read on.
const LONGEST_LINE: usize = 1 << 20;

/// The locations of addresses in a process's memory. One entry for each address.
pub(super) fn locations(process: u32, addresses: &[u64]) -> Vec<Vec<Location>> {
    let name = format!("/tmp/perf-{process}.map");
    let inside = format!("/proc/{process}/root{name}");
    let mut maps = [name, inside].into_iter().filter_map(|name| CString::new(name).ok());
    let map = maps.find(|map| is_of_now(map, process));
    let mut names = vec![None; addresses.len()];
    if let Some(map) = map {
        look_up(&map, addresses, &mut names);
    }
    let location =
        |name: Option<String>| name.map(|name| script::location(&name)).into_iter().collect();
    names.into_iter().map(location).collect()
}

/// Whether a map can be this process's: not that of an earlier one with the same number.
fn is_of_now(map: &CStr, process: u32) -> bool {
    let Ok(map) = sys::stat(CWD, map, true, Fields::MODIFIED) else { return false };
    let running = CString::new(format!("/proc/{process}"));
    if running.is_ok_and(|process| sys::access(CWD, &process).is_ok()) {
        return true;
    }
    let time = map.modified();
    let since_1970 = Duration::new(u64::try_from(time.seconds).unwrap_or(0), time.nanoseconds);
    let written = SystemTime::UNIX_EPOCH + since_1970;
    began().is_none_or(|began| written >= began)
}

/// A file of /proc, which is short.
fn proc_text(name: &CStr) -> Option<String> {
    const MOST_BYTES: usize = 1 << 20;
    String::from_utf8(sys::read_all(CWD, name, MOST_BYTES).ok()?).ok()
}

/// When this process began: what it traces cannot be older, or is still there.
fn began() -> Option<SystemTime> {
    const TICKS: u64 = 100;
    let stat = proc_text(c"/proc/self/stat")?;
    // The name, in parentheses, may hold anything; the 20th field behind it is the start.
    let ticks: u64 = stat.rsplit_once(')')?.1.split_whitespace().nth(19)?.parse().ok()?;
    let uptime = proc_text(c"/proc/uptime")?;
    let uptime: f64 = uptime.split_whitespace().next()?.parse().ok()?;
    let booted = SystemTime::now().checked_sub(Duration::try_from_secs_f64(uptime).ok()?)?;
    // Both are rounded.
    booted
        .checked_add(Duration::from_millis(ticks * 1000 / TICKS))?
        .checked_sub(Duration::from_secs(1))
}

/// Names of addresses. Memory is used again: what was written last counts.
fn look_up(map: &CStr, addresses: &[u64], names: &mut [Option<String>]) {
    let Ok(lines) = Lines::open(OsStr::from_bytes(map.to_bytes())) else { return };
    let mut lines = lines.check(Check::Nothing).longest_bytes(LONGEST_LINE);
    let mut order: Vec<usize> = (0..addresses.len()).collect();
    order.sort_unstable_by_key(|&at| addresses[at]);
    while let Ok(Some(line)) = lines.next() {
        let Some((start, end, name)) = entry(line.bytes().trim_ascii_end()) else { continue };
        let first = order.partition_point(|&at| addresses[at] < start);
        for &at in order[first..].iter().take_while(|&&at| addresses[at] < end) {
            names[at] = Some(String::from_utf8_lossy(name).into_owned());
        }
    }
}

fn entry(line: &[u8]) -> Option<(u64, u64, &[u8])> {
    let mut words = line.splitn(3, |&byte| byte == b' ');
    let mut number = || {
        let word = std::str::from_utf8(words.next()?).ok()?;
        u64::from_str_radix(word.trim_start_matches("0x"), 16).ok()
    };
    let (start, size) = (number()?, number()?);
    Some((start, start.checked_add(size)?, words.next()?))
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn the_last_line_about_an_address_counts() {
        let folder = tempfile::tempdir().unwrap();
        let map = folder.path().join("map");
        let text = b"1000 100 old\nnonsense\n1080 10 py::f:/a b.py\n2000 \n3000 zz x\n\
            2000 ffffffffffffffff huge\n4000 10 \xff\xfe\n0x5000 0x10 with space\n";
        std::fs::write(&map, text).unwrap();
        let addresses = [0x5001, 0x1080, 0x1090, 0xfff, 0x1100, 0x4000, 0x2000];
        let mut names = vec![None; addresses.len()];
        let map = CString::new(map.into_os_string().into_encoded_bytes()).unwrap();
        look_up(&map, &addresses, &mut names);
        let names: Vec<_> = names.iter().map(|name| name.as_deref().unwrap_or("-")).collect();
        assert_eq!(
            names,
            ["with space", "py::f:/a b.py", "old", "-", "-", "\u{fffd}\u{fffd}", "-"]
        );
    }

    #[test]
    fn a_map_of_an_earlier_process_is_not_believed() {
        // A number that no process has.
        let process = 4_194_305;
        let map = PathBuf::from(format!("/tmp/perf-{process}.map"));
        std::fs::write(&map, "1000 100 py::f:/a.py\n").unwrap();
        let now = locations(process, &[0x1001]);
        let file = File::options().write(true).open(&map).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(3600 * 24 * 365)).unwrap();
        let then = locations(process, &[0x1001]);
        std::fs::remove_file(&map).unwrap();
        assert_eq!(now[0][0].function, "f");
        assert_eq!(then, [vec![]]);
    }
}
