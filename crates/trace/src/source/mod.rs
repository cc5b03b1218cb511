//! From a running program: ptrace and seccomp in front, descriptors and stacks behind.
//!
//! | module | what is in it |
//! |---|---|
//! | `launch` | starts a program behind a filter |
//! | `filter` | which calls stop the program |
//! | `attach`, `members` | begins to watch running processes; which ones a container has |
//! | `tracer`, `stops` | the loop: wait, look, go on |
//! | `family` | how tracees begin, become other programs, and end |
//! | `tracees` | threads, and what they share |
//! | `decode` | from registers and memory to calls |
//! | `descriptors`, `join` | which file a call means |
//! | `uring` | what is asked for through io_uring |
//! | `agent`, `inserted` | makes and records calls inside the program; what of it is there |
//! | `kernel` | calls that the kernel records, by a program that it runs |
//! | `record`, `stamps` | a call as agent or kernel recorded it, and the agent's times |
//! | `stacks` | the stacks that calls are made from |
//! | `signals`, `affinity` | this process's own signals; which thread runs on which processor |
//! | `visit` | for how long running processes are watched, and when others are looked for |
//! | `notes` | what cannot be seen |
//! | `baseline` | what a command takes untraced |
//! | `interrupt` | Ctrl-C while a child runs |
//! | `run_time`, `stop_price` | the same, estimated from a run that was watched |
//! | `paths` | gives each path a number |
//! | `preload` | what is loaded into programs so that their functions can be seen |
//! | `scratch` | runs a command in a copy of everything that is gone afterwards |
//! | `ptrace`, `registers`, `memory`, `proc` | requests to the kernel |

#![cfg_attr(
    not(target_arch = "x86_64"),
    allow(dead_code, unused_imports, reason = "what only the agent needs, which is for x86-64")
)]

mod affinity;
mod agent;
mod attach;
mod baseline;
mod decode;
mod descriptors;
mod family;
mod filter;
mod gate;
mod inserted;
#[cfg_attr(not(target_arch = "x86_64"), path = "no_instructions.rs")]
mod instructions;
pub(crate) mod interrupt;
pub(crate) mod join;
#[cfg_attr(not(feature = "kernel"), path = "no_kernel.rs")]
mod kernel;
mod launch;
mod members;
mod memory;
mod notes;
mod paths;
mod preload;
mod proc;
mod ptrace;
mod record;
mod registers;
mod run_time;
pub mod scratch;
mod signals;
mod stacks;
#[cfg_attr(not(target_arch = "x86_64"), path = "no_stamps.rs")]
mod stamps;
mod stop_price;
mod stops;
mod tracees;
mod tracer;
mod uring;
mod visit;

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::time::Duration;

pub(crate) use self::affinity::this_thread;
pub use self::baseline::{Baseline, SingleUseInput, baseline};
use self::members::Members;
pub use self::run_time::RunTime;
pub use self::stop_price::{StopPrice, stop_price};
use self::tracer::Tracer;
use crate::{Error, Event};

/// What is recorded.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Options {
    /// Every call, not only those that have to do with files.
    pub all: bool,
    /// The stack of each call.
    pub stacks: bool,
    /// Also the functions of programs that can be seen only if something is loaded into them.
    pub preload: bool,
    /// After how long the program is let go, and runs on unwatched.
    pub time_limit: Option<Duration>,
    /// How often what was seen so far is looked at. Events are passed on at least so often.
    pub interval: Option<Duration>,
    /// How calls are watched.
    pub tier: Tier,
    /// How much room there is for calls that the kernel has recorded and this process has not yet
    /// read, in bytes; rounded up to a power of two. `None` is 64 MiB.
    pub ring: Option<u32>,
    /// Whether the key q ends the watching of processes that run already, as Ctrl-C does: on a
    /// terminal that is the standard input.
    pub quit_key: bool,
    /// Another thread of this process, which does something with the events: by its number for the
    /// kernel. As long as the program is watched it is put on the processors that the tracer keeps
    /// to, which are off the program's where calls are recorded. [`watch`](crate::watch::watch)
    /// names its own.
    pub reader: Option<i32>,
}

/// How calls are watched.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Tier {
    /// With the agent, where a process makes so many calls that bringing it in pays.
    #[default]
    Auto,
    /// Each call stops the program.
    Ptrace,
    /// An agent in the program records them from the first place on that makes several. On
    /// machines for which there is none this is `Ptrace`.
    Agent,
    /// The kernel records them, by a program that it runs at each: nothing stops. For root.
    Kernel,
}

impl Tier {
    /// How the tests of the tracer watch: as `FEWER_TEST_TIER` says, so that all of them can be run
    /// both ways.
    #[cfg(test)]
    pub(crate) fn of_tests() -> Tier {
        match std::env::var("FEWER_TEST_TIER").as_deref() {
            Ok("agent") => Tier::Agent,
            Ok("ptrace") => Tier::Ptrace,
            _ => Tier::Auto,
        }
    }
}

/// What an agent does with calls in a run that it does not record.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Answers {
    /// It makes them.
    Asked,
    /// Those that only look (`stat`, `access`, `readlink`, an `open` of what is not there) it
    /// answers from memory if it has made the same call before, and nothing was changed since by
    /// any process of the run.
    Remembered,
}

/// Calls that an agent answered from memory.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Answered {
    /// How many.
    pub calls: u64,
    /// How long that took all threads.
    pub time: Duration,
    /// How many threads they were.
    pub threads: u32,
}

impl Answered {
    /// A thread's are known.
    pub(crate) fn add(&mut self, calls: u64, time: Duration) {
        self.calls += calls;
        self.time += time;
        self.threads += u32::from(calls > 0);
    }
}

/// Which program is watched.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Subject {
    /// A command that is started for it: the program and its arguments.
    Command(Vec<OsString>),
    /// The same with another directory or other standard streams.
    Staged(Vec<OsString>, Stage),
    /// Processes that run already, with all their threads.
    Running(Vec<Target>),
    /// All processes but this one. Only [`Tier::Kernel`] can.
    Machine,
}

/// Processes that run already.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Target {
    /// One, by its number.
    Process(u32),
    /// Those of a container: the pid namespace of the process with this number; or by the name or
    /// identifier that its control group has.
    Container(String),
    /// Those of a systemd unit; without an ending it is a service.
    Unit(String),
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Target::Process(number) => number.fmt(f),
            Target::Container(name) | Target::Unit(name) => name.fmt(f),
        }
    }
}

/// What a command finds when it starts. What is `None` is as it is for this process.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Stage {
    /// Its working directory.
    pub directory: Option<PathBuf>,
    /// Files that are its standard input, opened for reading, and its standard output and error,
    /// opened for appending.
    pub streams: [Option<PathBuf>; 3],
}

/// How it ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Ending {
    /// The program ended by itself, with this status.
    Exited(u8),
    /// This signal killed it.
    Killed(i32),
    /// It runs on: it was let go.
    Detached,
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Ending::Exited(status) => write!(f, "ended with status {status}"),
            Ending::Killed(signal) => write!(f, "was ended by signal {signal}"),
            Ending::Detached => write!(f, "was let go"),
        }
    }
}

/// A run that was watched.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Ended {
    /// How it ended.
    pub ending: Ending,
    /// How long it took.
    pub run_time: RunTime,
    /// How many calls were recorded by the agent, without a stop.
    pub by_agent: u64,
    /// What it answered from memory.
    pub answered: Answered,
    /// Whether a signal asked this process to end meanwhile: Ctrl-C or its like. Nothing more is
    /// to be started then.
    pub interrupted: bool,
}

/// Watches a program until it has ended, with all its children. The sink receives batches
/// of at most 4,096 events, in the thread that called.
///
/// # Errors
/// If it cannot be started, or not be traced.
pub fn trace(
    subject: &Subject,
    options: &Options,
    sink: &mut dyn FnMut(Vec<Event>),
) -> Result<Ended, Error> {
    if options.tier == Tier::Kernel {
        return kernel::trace(subject, options, sink);
    }
    match subject {
        Subject::Command(command) => start(command, &Stage::default(), options, sink),
        Subject::Staged(command, stage) => start(command, stage, options, sink),
        Subject::Running(targets) => join(targets, options, sink),
        Subject::Machine => Err(Error::Unsupported {
            what: "all processes",
            why: "that is for --tier kernel, which does not stop them".to_owned(),
        }),
    }
}

/// Watches what runs already. With a single process its end is the end; with several, all have to
/// be gone.
fn join(
    targets: &[Target],
    options: &Options,
    sink: &mut dyn FnMut(Vec<Event>),
) -> Result<Ended, Error> {
    let (members, now) = Members::new(targets)?;
    let name = targets.first().map(Target::to_string).unwrap_or_default();
    let mut tracer = Tracer::new(name.into(), options, sink)?;
    tracer.is_attached = true;
    tracer.decoder.begin_stacks();
    let may_be_gone = members.may_grow();
    let is_one = now.len() == 1 && !may_be_gone;
    for process in now {
        // The number of a thread means its process, too.
        if tracer.is_watched(process) {
            continue;
        }
        match attach::attach(process) {
            Ok((process, threads)) => {
                tracer.take_in(process, &threads);
                tracer.first = if is_one { process } else { 0 };
            }
            Err(error) if may_be_gone && error.errno() == Some(fewer::Errno::SRCH) => {}
            Err(error) => {
                attach::release_all(tracer.threads.keys());
                return Err(error);
            }
        }
    }
    tracer.visit.follow(members);
    if options.quit_key {
        tracer.clock.hear_key();
    }
    tracer.run()
}

fn start(
    command: &[OsString],
    stage: &Stage,
    options: &Options,
    sink: &mut dyn FnMut(Vec<Event>),
) -> Result<Ended, Error> {
    let name = command.first().cloned().unwrap_or_default();
    let mut tracer = Tracer::new(name, options, sink)?;
    let directory = directory(stage)?;
    tracer.affinity.pin_here();
    // A filter cannot be taken away, and without a tracer it makes calls fail.
    let filter = match options {
        Options { time_limit: Some(_), .. } => Vec::new(),
        Options { all: true, .. } => filter::execve_only(),
        Options { tier, .. } => filter::program(agent::passing(*tier)),
    };
    let first = launch::launch(command, stage, filter, tracer.clock.inherited())?;
    tracer.adopt(first, &[first], options.all || options.time_limit.is_some());
    if let Some(directory) = directory {
        tracer.starts_in(directory.as_os_str().as_bytes());
    }
    tracer.run()
}

/// Where a command begins, if that is said.
fn directory(stage: &Stage) -> Result<Option<PathBuf>, Error> {
    let real = stage.directory.as_ref().map(|it| {
        it.canonicalize().map_err(|error| failed(&error, "enter directory", it.as_os_str()))
    });
    real.transpose()
}

/// The kernel's refusal of an action on a program or a process.
fn failure(errno: i32, action: &'static str, subject: &OsStr) -> Error {
    Error::new(fewer::Errno::from_raw_os_error(errno), action, subject.as_bytes())
}

/// The same from an error of the standard library.
fn failed(error: &io::Error, action: &'static str, subject: &OsStr) -> Error {
    failure(error.raw_os_error().unwrap_or(libc::EIO), action, subject)
}
