//! Scripts that make marked calls, and the functions of theirs that were found there.

use std::ffi::OsString;
use std::path::Path;

use crate::source::{Options, Subject, Tier, trace};
use crate::{Event, Registry};

/// A call is marked by a path that begins like this.
const MARK: &[u8] = b"/trial/";

/// A marked call.
#[derive(Debug, Eq, PartialEq)]
pub(super) struct Marked {
    /// What the call's path says behind the mark.
    pub(super) mark: String,
    /// Function, file and line, innermost first.
    pub(super) functions: Vec<(String, String, u32)>,
}

/// Runs a command, and gives the functions of scripts that its marked calls were made from: of all
/// threads and children, in the order of the calls.
pub(super) fn marked(words: &[&str]) -> Vec<Marked> {
    let command = words.iter().map(OsString::from).collect();
    let (mut registry, mut calls) = (Registry::default(), Vec::new());
    let mut sink = |events: Vec<Event>| {
        for event in &events {
            registry.take(event);
            if let Event::Call(call) = event {
                calls.push(call.clone());
            }
        }
    };
    let options =
        Options { stacks: true, preload: true, tier: Tier::of_tests(), ..Options::default() };
    trace(&Subject::Command(command), &options, &mut sink).unwrap();
    let mark = |path: &[u8]| Some(String::from_utf8_lossy(path.strip_prefix(MARK)?).into_owned());
    let found = calls.iter().filter_map(|call| {
        let mark = mark(registry.path(call.path))?;
        let locations = registry.stack(call.stack).flat_map(|frame| &frame.locations);
        let functions = locations.map(|it| (it.function.clone(), it.file.clone(), it.line));
        Some(Marked { mark, functions: functions.collect() })
    });
    found.collect()
}

/// Lets memory lie: `read` is called again and again, each time with another word of it wrong. It
/// may find at most so many functions.
pub(super) fn with_lies(words: &mut [u64], most: usize, mut read: impl FnMut() -> usize) {
    let start = words.as_ptr() as u64;
    let end = start + 8 * words.len() as u64;
    for at in 0..words.len() {
        let (kept, here) = (words[at], start + 8 * at as u64);
        let others = [kept ^ 1, kept ^ 8, kept << 1, kept | u64::from(u32::MAX), !kept];
        for lie in [0, 1, 8, 4096, u64::MAX, u64::MAX << 4, here, start, end].iter().chain(&others)
        {
            std::hint::black_box(&mut *words)[at] = *lie;
            let found = read();
            assert!(found <= most, "{found} functions: word {at} is {lie:#x}");
        }
        words[at] = kept;
    }
}

/// What a script wrote down of its marked calls, by its own account: in a line the mark, and then
/// function, file and line of each of its functions, innermost first, all with tabulators between.
pub(super) fn by_its_own_account(path: &Path) -> Vec<Marked> {
    let text = std::fs::read_to_string(path).unwrap();
    let calls = text.lines().map(|line| {
        let mut words = line.split('\t').map(str::to_owned);
        let mark = words.next().unwrap();
        let mut functions = Vec::new();
        while let (Some(function), Some(file), Some(line)) =
            (words.next(), words.next(), words.next())
        {
            functions.push((function, file, line.parse().unwrap()));
        }
        // No more of them are kept.
        functions.truncate(128);
        Marked { mark, functions }
    });
    calls.collect()
}
