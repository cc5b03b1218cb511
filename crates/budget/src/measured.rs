//! What one run of a command did: its calls by name, file and caller, without the loader's.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use crate::base::Base;
use crate::loader::Loader;
use trace::watch::EventSink;
use trace::{Event, Name, PathId, Registry, StackId};

/// Files whose calls are counted one by one. Calls on further files are counted without a file.
const FILES: usize = 1 << 20;

/// Which calls are counted together.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct CallKey {
    /// Which call.
    pub name: Name,
    /// On which file, as a budget names it; empty if there is none, or it is not known.
    pub file: Arc<[u8]>,
    /// From where: `main at lister.c:14`, `main in lister`, `lister+0x1234`; empty if not known.
    pub caller: Arc<str>,
}

/// How a command ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Status {
    /// With this exit status.
    Exited(u8),
    /// By this signal.
    Killed(i32),
}

impl Default for Status {
    fn default() -> Status {
        Status::Exited(0)
    }
}

impl std::fmt::Display for Status {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Status::Exited(status) => write!(f, "exit status {status}"),
            Status::Killed(signal) => write!(f, "signal {signal}"),
        }
    }
}

/// What one run did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    /// The calls.
    pub calls: BTreeMap<CallKey, u64>,
    /// How many calls the loader made before the program began: they are not among the others.
    pub set_aside: u64,
    /// What could not be seen, in plain words.
    pub unseen: Vec<String>,
    /// How it ended.
    pub status: Status,
    /// The end of what it wrote to its standard error.
    pub complaint: Vec<u8>,
}

impl Measured {
    /// All calls.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.calls.values().sum()
    }

    /// Calls by name.
    #[must_use]
    pub fn by_name(&self) -> BTreeMap<Name, u64> {
        let mut names = BTreeMap::new();
        for (key, count) in &self.calls {
            *names.entry(key.name).or_default() += count;
        }
        names
    }

    /// Calls by name and caller.
    pub(crate) fn by_caller(&self) -> BTreeMap<Name, BTreeMap<&str, u64>> {
        let mut names: BTreeMap<Name, BTreeMap<&str, u64>> = BTreeMap::new();
        for (key, count) in &self.calls {
            *names.entry(key.name).or_default().entry(&key.caller).or_default() += count;
        }
        names
    }

    /// The file of each call that is counted by itself.
    pub(crate) fn files(&self) -> impl Iterator<Item = &[u8]> + Clone {
        self.calls.keys().map(|key| &*key.file)
    }
}

/// Counts the calls of a stream.
#[derive(Debug, Default)]
pub struct CallCounter {
    loader: Loader,
    counts: HashMap<(Name, PathId, StackId), u64>,
    files: HashSet<PathId>,
}

impl EventSink for CallCounter {
    fn event(&mut self, event: &Event, registry: &Registry) {
        match event {
            Event::Process(process) => self.loader.begins(process),
            Event::Ended { process, .. } => self.loader.ends(*process),
            Event::Call(call) if !self.loader.makes(call, registry) => {
                let many = self.files.len() >= FILES && !self.files.contains(&call.file);
                let file = if many { PathId::NONE } else { call.file };
                self.files.insert(file);
                *self.counts.entry((call.name, file, call.stack)).or_default() += 1;
            }
            _ => {}
        }
    }
}

impl CallCounter {
    /// The counts, once the stream has ended and its frames have names.
    #[must_use]
    pub fn finish(self, registry: &Registry, base: &Base) -> Measured {
        let mut files: HashMap<PathId, Arc<[u8]>> = HashMap::new();
        let mut callers: HashMap<StackId, Arc<str>> = HashMap::new();
        let mut calls = BTreeMap::new();
        for ((name, file, stack), count) in self.counts {
            let file = files.entry(file).or_insert_with(|| base.name(registry.path(file)).into());
            let caller =
                callers.entry(stack).or_insert_with(|| caller(registry, stack, base).into());
            let key = CallKey { name, file: Arc::clone(file), caller: Arc::clone(caller) };
            *calls.entry(key).or_default() += count;
        }
        let mut unseen: Vec<String> =
            registry.notes().iter().map(|note| note.text.clone()).collect();
        unseen.sort_unstable();
        unseen.dedup();
        Measured { calls, set_aside: self.loader.made(), unseen, ..Measured::default() }
    }
}

/// Where a call was made, in words that stay the same from run to run: no address in memory.
fn caller(registry: &Registry, stack: StackId, base: &Base) -> String {
    let Some(own) = trace::own_frame(registry, stack) else { return String::new() };
    let module = String::from_utf8_lossy(fewer::path::base_name(registry.path(own.frame.module)))
        .into_owned();
    match own.location {
        Some(location) if location.line > 0 => {
            let file = base.name(location.file.as_bytes());
            let file = String::from_utf8_lossy(&file).into_owned();
            let file = file.strip_prefix("./").unwrap_or(&file);
            format!("{} at {file}:{}", without_hash(&location.function), location.line)
        }
        Some(location) => format!("{} in {module}", without_hash(&location.function)),
        None if module.starts_with('[') => module,
        None => format!("{module}+{:#x}", own.frame.address),
    }
}

/// A function of Rust without the hash behind its name, which differs from build to build.
fn without_hash(function: &str) -> &str {
    match function.rsplit_once("::h") {
        Some((name, hash)) if hash.len() == 16 && hash.bytes().all(|b| b.is_ascii_hexdigit()) => {
            name
        }
        _ => function,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::Stream;

    #[test]
    fn calls_are_told_apart_by_name_file_and_caller() {
        let mut stream = Stream::new("/home/a/lister");
        for file in ["/home/a/tree/x", "/home/a/tree/y", "/home/a/tree/x"] {
            stream.call("newfstatat", file, &["/lib/libc.so.6", "/home/a/lister show lister.c:14"]);
        }
        stream.call("clone", "", &["/home/a/lister main"]);
        stream.call("openat", "/etc/x", &["/home/a/lister"]);
        let measured = stream.measured();
        let rows: Vec<String> = measured.calls.iter().map(shown).collect();
        assert_eq!(
            rows,
            [
                "clone  main in lister: 1", "openat /etc/x lister+0x1: 1",
                "newfstatat ./tree/x show at lister.c:14: 2",
                "newfstatat ./tree/y show at lister.c:14: 1",
            ]
        );
        assert_eq!(measured.by_name()[&Name::Newfstatat], 3);
    }

    fn shown((key, count): (&CallKey, &u64)) -> String {
        let file = String::from_utf8_lossy(&key.file);
        format!("{} {file} {}: {count}", key.name, key.caller)
    }

    #[test]
    fn what_was_not_seen_is_said_once() {
        let mut registry = Registry::default();
        for process in [1, 2] {
            let (id, text) = ("foreign".to_owned(), "a 32-bit process".to_owned());
            registry.take(&Event::Note(trace::Note { id, process, text }));
        }
        let measured = CallCounter::default().finish(&registry, &Base::default());
        assert_eq!(measured.unseen, ["a 32-bit process"]);
    }

    #[test]
    fn hashes_of_rust_are_left_out() {
        assert_eq!(without_hash("a::b::h0123456789abcdef"), "a::b");
        assert_eq!(without_hash("a::hello"), "a::hello");
    }
}
