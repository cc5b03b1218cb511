//! This program in the role of strace: runs a command, and writes how often it made each call. It
//! stands before a command as strace does, so that streams, limits, users and time are the
//! command's own.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::process::ExitCode;

use trace::source::{Ending, Options, Subject};
use trace::watch::{EventSink, watch};
use trace::{Event, Name, Registry};

use super::strace::Calls;

/// The chore's name; not for people.
pub(crate) const CHORE: &str = "watch-calls";

/// The beginning of the line with the number of processes that were started.
pub(crate) const PROCESSES: &str = "@processes";
/// That of the line with how many programs the first one started. Each other line is a call.
pub(crate) const PROGRAMS: &str = "@programs";

/// Counts by process, and which processes run programs of their own.
#[derive(Default)]
struct Counter {
    calls: BTreeMap<u32, Calls>,
    run_programs: BTreeSet<u32>,
    /// Each with the one that started it.
    processes: BTreeMap<u32, u32>,
}

impl EventSink for Counter {
    fn event(&mut self, event: &Event, registry: &Registry) {
        let call = match event {
            Event::Process(process) => {
                self.processes.insert(process.id, process.parent);
                return;
            }
            Event::Call(call) => call,
            _ => return,
        };
        if matches!(call.name, Name::Execve | Name::Execveat) {
            self.run_programs.insert(call.process);
            let first = registry.first().map_or(call.process, |process| process.id);
            // The calls of a shell before it became the program are not the program's.
            if call.process == first && call.succeeded() {
                self.calls.clear();
            }
        }
        *self.calls.entry(call.process).or_default().entry(call.name.to_string()).or_default() += 1;
    }
}

/// Runs the words, and writes the counts into a file; ends as the command did.
pub(crate) fn run(log: &OsStr, words: &[OsString]) -> ExitCode {
    let mut counter = Counter::default();
    let options = Options { all: true, ..Options::default() };
    let subject = Subject::Command(words.to_vec());
    let (registry, ended) = match watch(&subject, &options, &mut [&mut counter]) {
        Ok(watched) => watched,
        Err(error) => {
            eprintln!("tools {CHORE}: {error}");
            return ExitCode::from(sys::NOT_FOUND);
        }
    };
    let first = registry.first().map(|process| process.id);
    let is_own = |process: &u32| first == Some(*process) || !counter.run_programs.contains(process);
    let others = counter.processes.len().saturating_sub(1);
    let is_started = |process: &u32| first == counter.processes.get(process).copied();
    let programs = counter.run_programs.iter().filter(|process| is_started(process)).count();
    let mut text = format!("{PROCESSES} {others}\n{PROGRAMS} {programs}\n");
    for (_, calls) in counter.calls.iter().filter(|(process, _)| is_own(process)) {
        calls.iter().for_each(|(name, count)| text.push_str(&format!("{name} {count}\n")));
    }
    if let Err(why) = fs::write(log, text) {
        eprintln!("tools {CHORE}: {}: {why}", log.display());
        return ExitCode::from(sys::NOT_FOUND);
    }
    match ended.ending {
        Ending::Exited(status) => ExitCode::from(status),
        Ending::Killed(signal) => sys::die_of(signal),
        Ending::Detached => ExitCode::from(sys::NOT_FOUND),
    }
}

/// The words to put before a command.
pub(crate) fn words(log: &OsStr) -> Result<Vec<OsString>, String> {
    let here = std::env::current_exe().map_err(|why| format!("where is this program: {why}"))?;
    Ok(vec![here.into(), CHORE.into(), log.to_owned()])
}
