//! Runs a command in a scratch copy of everything that is mounted here: what it writes goes to
//! memory and is gone afterwards; it sees no process, no network and no device but its own.
//!
//! | module | what is in it |
//! |---|---|
//! | `layout` | which steps make the copy |
//! | `steps` | the steps |
//! | `launch` | the processes: the maker, the keeper, the command |
//! | `input` | the standard input, read once and given to each run |
//! | `contents` | what a run left behind |
//! | `untouched` | what need not be copied |

mod contents;
mod input;
mod launch;
mod layout;
mod steps;
mod untouched;

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

pub use self::contents::{Contents, Left};
pub use self::input::Input;
use self::launch::{Plan, Pointers, Refusal, Started, terminated};
use self::layout::{Addition, Layout};
use self::steps::{Step, errno};
use super::agent;
use super::tracer::Tracer;
use super::{Answered, Answers, Ended, Ending, Options, RunTime, Tier, filter, ptrace};
use crate::{Error, Event};

/// A command, and what each of its runs begins with.
#[derive(Clone, Debug)]
pub struct Scratch {
    /// The program and its arguments.
    pub command: Vec<OsString>,
    /// Where it runs; `None`: where this process does.
    pub directory: Option<PathBuf>,
    /// Its standard input.
    pub input: Input,
    /// Whether it may use the network.
    pub network: bool,
    /// Directories that are not copied, but there themselves, read-only: to look at something takes
    /// no longer there. There must be nothing in them through which others could be reached.
    pub read_only: Vec<PathBuf>,
}

/// What is different in a run. The default is nothing.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Variant {
    /// Variables of the environment, with their values; without one they are not there.
    pub environment: Vec<(OsString, Option<OsString>)>,
    /// A shared library that the loader puts before all others of every dynamic program.
    pub library: Option<Arc<[u8]>>,
    /// An agent is brought into the program, and does this.
    pub agent: Option<Answers>,
}

/// A run that has ended.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How the command ended.
    pub ending: Ending,
    /// From its start to its end.
    pub wall: Duration,
    /// The processor's time of it and the children that it waited for.
    pub processor: Duration,
    /// What it printed.
    pub out: Vec<u8>,
    /// The same to its standard error.
    pub errors: Vec<u8>,
    /// What it left behind.
    pub contents: Contents,
    /// What an agent did, if one was brought into the command.
    pub agent: Option<ByAgent>,
    /// Directories that cannot be copied on write: the command found them empty.
    pub empty: Vec<PathBuf>,
}

/// What an agent did in a run.
#[derive(Clone, Copy, Debug)]
pub struct ByAgent {
    /// What it answered from memory.
    pub answered: Answered,
    /// How long the run took, and its stops.
    pub run_time: RunTime,
}

/// Why there is no outcome.
#[derive(Debug)]
pub enum Failure {
    /// A scratch copy cannot be made here.
    NoScratch(String),
    /// The run took longer than it may.
    TooLong(Duration),
    /// The command printed more than is compared, or what it left cannot be read.
    NotComparable(String),
    /// The command cannot be run or watched.
    Failed(Error),
    /// The user pressed Ctrl-C.
    Interrupted,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Failure::NoScratch(why) => write!(f, "no scratch copy can be made here: {why}"),
            Failure::TooLong(limit) => {
                write!(f, "it took longer than {} s, and was ended", limit.as_secs())
            }
            Failure::NotComparable(why) => f.write_str(why),
            Failure::Failed(error) => error.fmt(f),
            Failure::Interrupted => f.write_str("it was interrupted"),
        }
    }
}

/// What standard output is called when the command is watched.
pub(crate) const STDOUT: &[u8] = b"/stdout";

/// How often a scratch is made at most while what is mounted changes.
const TRIES: usize = 5;

/// The most that is kept of what a command prints.
const MOST_OUTPUT: u64 = 256 << 20;

impl Scratch {
    /// Runs the command, and reports no call; one that takes longer than `limit` is ended.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn run(&self, variant: &Variant, limit: Duration) -> Result<Outcome, Failure> {
        if variant.agent.is_some() {
            return self.run_with_agent(variant, limit);
        }
        let (layout, mut started) = self.start(variant, &[])?;
        let made = made(&started, &layout)?;
        let watch = launch::pidfd(started.command).map_err(|error| no_scratch(&error))?;
        let start = Instant::now();
        started.begin();
        let ended = wait(&watch, limit);
        let wall = start.elapsed();
        if !ended {
            return Err(Failure::TooLong(limit));
        }
        let (status, processor) = started.reap();
        started.end();
        let ending = match libc::WIFSIGNALED(status) {
            true => Ending::Killed(libc::WTERMSIG(status)),
            false => Ending::Exited(u8::try_from(libc::WEXITSTATUS(status)).unwrap_or(u8::MAX)),
        };
        outcome(&started, (&layout, &made), ending, wall, processor)
    }

    /// The same with an agent in it, which records nothing.
    fn run_with_agent(&self, variant: &Variant, limit: Duration) -> Result<Outcome, Failure> {
        let tier = Tier::Agent;
        let options = Options { tier, time_limit: Some(limit), ..Options::default() };
        let mut processor = 0;
        let mut sink = |events: Vec<Event>| {
            for event in events {
                if let Event::Ended { processor: of, .. } = event {
                    // That of the command has all that it waited for in it.
                    processor = of.max(processor);
                }
            }
        };
        let (ended, outcome) = self.watch(variant, &options, &mut sink)?;
        if ended.interrupted {
            return Err(Failure::Interrupted);
        }
        let processor = Duration::from_nanos(processor);
        let agent = Some(ByAgent { answered: ended.answered, run_time: ended.run_time });
        Ok(Outcome { agent, processor, ..outcome })
    }

    /// Runs the command watched. The sink receives batches of events, as of [`super::trace`].
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn watch(
        &self,
        variant: &Variant,
        options: &Options,
        sink: &mut dyn FnMut(Vec<Event>),
    ) -> Result<(Ended, Outcome), Failure> {
        let name = self.command.first().cloned().unwrap_or_default();
        let mut tracer = Tracer::new(name, options, sink).map_err(Failure::Failed)?;
        tracer.agents.changes.answers = variant.agent;
        tracer.decoder.knows_descriptors = variant.agent.is_none();
        tracer.affinity.pin_here();
        let filter = if options.all {
            filter::execve_only()
        } else {
            filter::program(agent::passing(options.tier))
        };
        let (layout, mut started) = self.start(variant, &filter)?;
        let made = made(&started, &layout)?;
        let traced = ptrace::OPTIONS | libc::PTRACE_O_EXITKILL | libc::PTRACE_O_TRACESECCOMP;
        if let Err(error) = ptrace::seize(started.command, traced) {
            return Err(no_scratch(&error));
        }
        started.begin();
        let first = started.command;
        tracer.adopt(first, &[first], options.all);
        let from = self.starts_in().map_err(|error| no_scratch(&error))?;
        tracer.starts_in(std::os::unix::ffi::OsStrExt::as_bytes(from.as_os_str()));
        let ended = tracer.run().map_err(Failure::Failed)?;
        if let (Ending::Detached, Some(limit)) = (ended.ending, options.time_limit) {
            return Err(Failure::TooLong(limit));
        }
        // The tracer has waited for it.
        started.command = 0;
        started.end();
        let (wall, none) = (ended.run_time.wall, Duration::ZERO);
        Ok((ended, outcome(&started, (&layout, &made), ended.ending, wall, none)?))
    }

    fn starts_in(&self) -> io::Result<PathBuf> {
        self.directory.clone().map_or_else(std::env::current_dir, Ok)
    }

    /// Makes the copy. If others mount, unmount or remove something while it is made, it is made
    /// again.
    fn start(
        &self,
        variant: &Variant,
        filter: &[libc::sock_filter],
    ) -> Result<(Layout, Started), Failure> {
        let mut layout = self.plan(variant)?;
        for _ in 1..TRIES {
            let now = match self.start_by(&layout, variant, filter) {
                Ok(started) if started.refused.is_empty() => return Ok((layout, started)),
                Ok(started) => {
                    let now = self.plan(variant)?;
                    if now.views == layout.views {
                        return Ok((layout, started));
                    }
                    now
                }
                Err(_) => self.plan(variant)?,
            };
            layout = now;
        }
        let started = self.start_by(&layout, variant, filter)?;
        Ok((layout, started))
    }

    fn plan(&self, variant: &Variant) -> Result<Layout, Failure> {
        let library = variant.library.as_ref();
        let etc = library.map(|_| Addition { name: "ld.so.preload", bytes: LIST.into() });
        let dev = library.map(|bytes| Addition { name: LIBRARY, bytes: bytes.clone() });
        layout::layout(etc.as_ref(), dev.as_ref(), &self.read_only)
            .map_err(|error| no_scratch(&error))
    }

    fn start_by(
        &self,
        layout: &Layout,
        variant: &Variant,
        filter: &[libc::sock_filter],
    ) -> Result<Started, Failure> {
        let name = self.command.first().map_or(OsStr::new(""), |name| name);
        let program =
            fewer::path::find_program(None, name).map_err(|error| Failure::Failed(error.into()))?;
        let plan = || {
            Ok(Plan {
                layout,
                program: terminated(program.as_os_str())?,
                arguments: Pointers::new(self.command.iter().cloned())?,
                environment: Pointers::new(environment(variant))?,
                directory: terminated(self.starts_in()?.as_os_str())?,
                base: terminated(launch::base().as_os_str())?,
                network: self.network,
                filter: filter.to_vec(),
                input: self.input.open()?,
            })
        };
        let plan = plan().map_err(|error: io::Error| no_scratch(&error))?;
        launch::start(&plan).map_err(|refusal| Failure::NoScratch(why(&refusal, layout)))
    }
}

/// A directory's path without links on the way, if it is there.
pub(crate) fn without_links(directory: &Path) -> Option<PathBuf> {
    directory.canonicalize().ok()
}

/// Whether there is an agent for this machine.
pub(crate) fn has_agent() -> bool {
    agent::call_ends(Tier::Agent).is_some()
}

/// The library's name in `/dev`, and what the loader reads.
const LIBRARY: &str = "fewer-preload.so";
const LIST: &[u8] = b"/dev/fewer-preload.so\n";

/// The environment of this process, with what is different, as texts.
fn environment(variant: &Variant) -> Vec<OsString> {
    let mut all: BTreeMap<OsString, OsString> = BTreeMap::new();
    let mut names = Vec::new();
    for (name, value) in std::env::vars_os() {
        names.push(name.clone());
        all.insert(name, value);
    }
    for (name, value) in &variant.environment {
        match value {
            Some(value) => {
                names.push(name.clone());
                all.insert(name.clone(), value.clone());
            }
            None => drop(all.remove(name)),
        }
    }
    let text = |name: OsString| {
        let value = all.remove(&name)?;
        let mut text = name;
        text.push("=");
        text.push(value);
        Some(text)
    };
    names.into_iter().filter_map(text).collect()
}

fn no_scratch(error: &io::Error) -> Failure {
    Failure::NoScratch(error.to_string())
}

fn why(refusal: &Refusal, layout: &Layout) -> String {
    let words = |errno: &i32| io::Error::from_raw_os_error(*errno);
    match refusal {
        Refusal::Namespaces(errno) => {
            format!("the kernel refuses a user namespace to this user: {}", words(errno))
        }
        Refusal::Step(number, errno) => {
            let step = layout.steps.get(*number);
            let step = step.map(|step| format!("{step:?}")).unwrap_or_default();
            let step: String = step.chars().take(200).collect();
            format!("{step}: {}", words(errno))
        }
        Refusal::Other(errno) => words(errno).to_string(),
    }
}

/// Waits for the end of a process; whether it came in time.
fn wait(process: &OwnedFd, limit: Duration) -> bool {
    let mut poll = libc::pollfd { fd: process.as_raw_fd(), events: libc::POLLIN, revents: 0 };
    let limit = i32::try_from(limit.as_millis()).unwrap_or(i32::MAX);
    loop {
        // SAFETY: the kernel writes to one struct.
        match unsafe { libc::poll(&raw mut poll, 1, limit) } {
            -1 if errno() == libc::EINTR => {}
            ready => return ready > 0,
        }
    }
}

/// What the scratch looks like before the command begins.
fn made(started: &Started, layout: &Layout) -> Result<Vec<Left>, Failure> {
    contents::made(&started.top, layout).map_err(|error| no_scratch(&error))
}

fn outcome(
    started: &Started,
    (layout, made): (&Layout, &[Left]),
    ending: Ending,
    wall: Duration,
    processor: Duration,
) -> Result<Outcome, Failure> {
    let failed = |error: io::Error| {
        Failure::NotComparable(format!("what it left behind cannot be read: {error}"))
    };
    let printed = |name: &str| -> Result<Vec<u8>, Failure> {
        let path = format!("/proc/self/fd/{}/{name}", started.top.as_raw_fd());
        let mut bytes = Vec::new();
        let file = File::open(path).map_err(failed)?;
        file.take(MOST_OUTPUT + 1).read_to_end(&mut bytes).map_err(failed)?;
        match bytes.len() as u64 > MOST_OUTPUT {
            true => Err(Failure::NotComparable(format!(
                "it prints more than {} MiB",
                MOST_OUTPUT >> 20
            ))),
            false => Ok(bytes),
        }
    };
    let empty = started.refused.iter().filter_map(|(number, _)| match layout.steps.get(*number) {
        Some(Step::View { place, .. }) => {
            let path = String::from_utf8_lossy(place.as_bytes());
            Some(PathBuf::from(path.strip_prefix("/new").unwrap_or(&path)))
        }
        _ => None,
    });
    Ok(Outcome {
        ending,
        wall,
        processor,
        out: printed("stdout")?,
        errors: printed("stderr")?,
        contents: contents::contents(&started.top, layout, made).map_err(failed)?,
        agent: None,
        empty: empty.collect(),
    })
}
