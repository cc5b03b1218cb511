//! Functions that a running program has compiled. It writes down where they lie, for `perf`: lines
//! `START SIZE NAME` in /tmp/perf-PID.map, both numbers in hexadecimal.

use std::fs::{File, metadata};
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::script;
use crate::Location;

/// What code without a file is called.
pub(super) const MODULE: &[u8] = b"[jit]";

/// No line of such a file is longer, except in one that is none.
const LONGEST_LINE: u64 = 1 << 20;

/// The locations of addresses in a process's memory. One entry for each address.
pub(super) fn locations(process: u32, addresses: &[u64]) -> Vec<Vec<Location>> {
    let name = format!("tmp/perf-{process}.map");
    let inside = PathBuf::from(format!("/proc/{process}/root")).join(&name);
    let map = [Path::new("/").join(&name), inside].into_iter().find(|map| is_of_now(map, process));
    let mut names = vec![None; addresses.len()];
    if let Some(map) = map {
        look_up(&map, addresses, &mut names);
    }
    let location =
        |name: Option<String>| name.map(|name| script::location(&name)).into_iter().collect();
    names.into_iter().map(location).collect()
}

/// Whether a map can be this process's: not that of an earlier one with the same number.
fn is_of_now(map: &Path, process: u32) -> bool {
    let Ok(written) = metadata(map).and_then(|map| map.modified()) else { return false };
    Path::new(&format!("/proc/{process}")).exists() || began().is_none_or(|began| written >= began)
}

/// When this process began: what it traces cannot be older, or is still there.
fn began() -> Option<SystemTime> {
    const TICKS: u64 = 100;
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name, in parentheses, may hold anything; the 20th field behind it is the start.
    let ticks: u64 = stat.rsplit_once(')')?.1.split_whitespace().nth(19)?.parse().ok()?;
    let uptime = std::fs::read_to_string("/proc/uptime").ok()?;
    let uptime: f64 = uptime.split_whitespace().next()?.parse().ok()?;
    let booted = SystemTime::now().checked_sub(Duration::try_from_secs_f64(uptime).ok()?)?;
    // Both are rounded.
    booted
        .checked_add(Duration::from_millis(ticks * 1000 / TICKS))?
        .checked_sub(Duration::from_secs(1))
}

/// Names of addresses. Memory is used again: what was written last counts.
fn look_up(map: &Path, addresses: &[u64], names: &mut [Option<String>]) {
    let Ok(file) = File::open(map) else { return };
    let mut order: Vec<usize> = (0..addresses.len()).collect();
    order.sort_unstable_by_key(|&at| addresses[at]);
    let (mut file, mut line) = (BufReader::with_capacity(256 << 10, file), Vec::new());
    loop {
        line.clear();
        match (&mut file).take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let Some((start, end, name)) = entry(line.trim_ascii_end()) else { continue };
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
