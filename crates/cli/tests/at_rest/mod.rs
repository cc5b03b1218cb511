//! When a program that was started has come as far as it can: a fact to wait for, however slow the
//! machine is.

use std::fs;
use std::time::{Duration, Instant};

/// So often in a row, because a process that begins may wait for a page of its program.
const LOOKS: usize = 5;
/// In the units of `/proc/PID/stat`: a fifth of a second, which no shell needs to begin.
const BUSY_TICKS: u64 = 20;

/// Waits until every process of the group waits for something, or one of them has worked for so
/// long that it does nothing else.
pub(crate) fn wait_for(group: u32) {
    let begun = Instant::now();
    let mut quiet = 0;
    while quiet < LOOKS {
        assert!(begun.elapsed() < Duration::from_secs(60), "it does not come to rest");
        std::thread::sleep(Duration::from_millis(10));
        let processes = processes(group);
        if processes.iter().any(|process| process.ticks >= BUSY_TICKS) {
            return;
        }
        let is_quiet = !processes.is_empty() && processes.iter().all(|it| it.state == "S");
        quiet = if is_quiet { quiet + 1 } else { 0 };
    }
}

struct Process {
    state: String,
    ticks: u64,
}

fn processes(group: u32) -> Vec<Process> {
    let stat = |entry: fs::DirEntry| fs::read_to_string(entry.path().join("stat")).ok();
    let of_group = |stat: String| {
        // Behind the name, which may contain anything: state, parent, group, ... utime, stime.
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        let number = |field: usize| fields.get(field)?.parse::<u64>().ok();
        let state = (*fields.first()?).to_owned();
        let ticks = number(11)? + number(12)?;
        (number(2)? == u64::from(group)).then_some(Process { state, ticks })
    };
    fs::read_dir("/proc").unwrap().flatten().filter_map(stat).filter_map(of_group).collect()
}
