//! Programs to be traced, and how that is done.

use std::collections::{BTreeMap, HashMap};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, OnceLock};

use fewer_trace::source::{Ending, Options, Subject, Tier};
use fewer_trace::{Call, Event, Name, Note, PathId, Registry};

/// How often each call was made.
pub(crate) type Counts = BTreeMap<String, u64>;

/// What came of a traced run.
pub(crate) struct Run {
    pub(crate) calls: Vec<Call>,
    pub(crate) events: Vec<Event>,
    pub(crate) registry: Registry,
    pub(crate) ending: Ending,
    /// How many of the calls the agent has made.
    pub(crate) by_agent: u64,
}

impl Run {
    pub(crate) fn path(&self, id: PathId) -> String {
        String::from_utf8_lossy(self.registry.path(id)).into_owned()
    }

    /// Calls by name.
    pub(crate) fn counts(&self) -> Counts {
        let mut counts = Counts::new();
        for call in &self.calls {
            *counts.entry(call.name.to_string()).or_default() += 1;
        }
        counts
    }

    /// The files of all calls of a name.
    pub(crate) fn files(&self, name: Name) -> Vec<String> {
        self.named(name).map(|call| self.path(call.file)).collect()
    }

    pub(crate) fn named(&self, name: Name) -> impl Iterator<Item = &Call> {
        self.calls.iter().filter(move |call| call.name == name)
    }

    pub(crate) fn notes(&self) -> Vec<&Note> {
        self.registry.notes().iter().collect()
    }
}

/// A shell that goes to a directory, keeps the program quiet, and becomes it: strace and we see
/// the same.
pub(crate) fn quietly<S: AsRef<OsStr>>(directory: &Path, command: &[S]) -> Vec<OsString> {
    let script = "cd \"$0\" && exec \"$@\" </dev/null >/dev/null 2>&1";
    let mut quiet: Vec<OsString> = ["/bin/sh", "-c", script].map(OsString::from).into();
    quiet.push(directory.into());
    quiet.extend(command.iter().map(|word| word.as_ref().into()));
    quiet
}

/// Traces a command.
pub(crate) fn traced(command: &[OsString], all: bool) -> Run {
    watched(&Subject::Command(command.to_vec()), all)
}

/// How programs are watched: all tests can be run both ways.
fn tier() -> Tier {
    match std::env::var("FEWER_TEST_TIER").as_deref() {
        Ok("agent") => Tier::Agent,
        Ok("ptrace") => Tier::Ptrace,
        _ => Tier::Auto,
    }
}

/// Traces a program.
pub(crate) fn watched(subject: &Subject, all: bool) -> Run {
    watched_with(subject, &Options { all, tier: tier(), ..Options::default() })
}

/// The same with any options.
pub(crate) fn watched_with(subject: &Subject, options: &Options) -> Run {
    let (mut calls, mut events, mut registry) = (Vec::new(), Vec::new(), Registry::default());
    let ended = fewer_trace::source::trace(subject, options, &mut |batch| {
        assert!(batch.len() <= 4096);
        for event in batch {
            registry.take(&event);
            match event {
                Event::Call(call) => calls.push(call),
                event => events.push(event),
            }
        }
    })
    .unwrap();
    Run { calls, events, registry, ending: ended.ending, by_agent: ended.by_agent }
}

/// The counts of `strace -f`: each call once, where it begins.
pub(crate) fn strace(command: &[OsString]) -> Counts {
    let log = tempfile::NamedTempFile::new().unwrap();
    let mut strace = Command::new("strace");
    strace.args(["-f", "-qq", "-o"]).arg(log.path()).arg("--").args(command);
    strace.stdin(Stdio::null()).status().unwrap();
    let text = String::from_utf8_lossy(&std::fs::read(log.path()).unwrap()).into_owned();
    let mut counts = Counts::new();
    for line in text.lines() {
        let (_, rest) = line.split_once(' ').unwrap();
        let rest = rest.trim_start();
        if rest.starts_with(['-', '+', '<', '[', '?']) {
            continue;
        }
        if let Some((name, _)) = rest.split_once('(') {
            *counts.entry(name.to_owned()).or_default() += 1;
        }
    }
    counts
}

/// A C program of the folder `programs`, compiled once.
pub(crate) fn compiled(name: &str, flags: &[&str]) -> PathBuf {
    compiled_by("cc", name, flags)
}

/// The same by another compiler.
pub(crate) fn compiled_by(compiler: &str, name: &str, flags: &[&str]) -> PathBuf {
    static DONE: OnceLock<Mutex<HashMap<String, PathBuf>>> = OnceLock::new();
    let mut done = DONE.get_or_init(Mutex::default).lock().unwrap();
    let key = format!("{name}{}{compiler}", flags.concat());
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("source");
    done.entry(key.clone())
        .or_insert_with(|| {
            std::fs::create_dir_all(&folder).unwrap();
            let program = folder.join(key);
            let text = format!("{}/tests/source/programs/{name}.c", env!("CARGO_MANIFEST_DIR"));
            let status = Command::new(compiler)
                .args(["-O1", "-pthread", "-w", "-D_GNU_SOURCE", "-o"])
                .arg(&program)
                .args(flags)
                .arg(text)
                .status()
                .unwrap();
            assert!(status.success(), "{name} does not compile");
            program
        })
        .clone()
}

/// Where a program is, if it is installed.
pub(crate) fn installed(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|path| path.is_file())
}
