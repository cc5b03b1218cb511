//! The common part of the verbs that watch other programs: what to watch, where the report goes,
//! and the exit status.

use std::ffi::{CString, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::ArgMatches;
use fewer::{Errno, Error};
use sys::{AsFile, Descriptor, OsStrExt};
use trace::recording;
use trace::source::{Ended, Ending, Options, Subject, Target, Tier};
use trace::watch::{self, EventSink};
use trace::{Event, Registry};

use crate::exit_status;
use crate::{report, terminal};

/// Watches what the flags name, and passes the events to `sinks`, which show what they know once in
/// an interval, if there is one. How the program ended is known
/// only if it runs now, not for a recording. An error is printed here, and its exit status
/// returned.
pub(crate) fn watch(
    flags: &ArgMatches,
    interval: Option<Duration>,
    sinks: &mut [&mut dyn EventSink],
) -> Result<(Registry, Option<Ended>), u8> {
    if let Some(file) = flags.get_one::<PathBuf>("from") {
        return Ok((replay(file, sinks)?, None));
    }
    let stacks = !flags.get_flag("no-stacks");
    // Only `why` has this flag; the others change nothing in the command's environment.
    let may_preload = flags.try_get_one("no-preload").is_ok_and(|no| no == Some(&false));
    let options = Options {
        all: flags.get_flag("all"),
        stacks,
        preload: stacks && may_preload,
        time_limit: flags.get_one("for").copied(),
        interval,
        tier: tier(flags),
        ring: flags.get_one("ring").copied(),
        quit_key: interval.is_some() && terminal::is_stderr_with_cursor(),
        ..Options::default()
    };
    let subject = subject(flags).map_err(|why| report::fail(&why))?;
    let is_chosen = flags.contains_id("tier") && options.tier != Tier::Kernel;
    if is_chosen && !matches!(subject, Subject::Command(_)) {
        let why = "what runs already is watched without --tier, or with --tier kernel";
        return Err(report::fail(&why));
    }
    match watch::watch(&subject, &options, sinks) {
        Ok((registry, ended)) => Ok((registry, Some(ended))),
        Err(error) => {
            report::complain(&error);
            Err(match (&subject, error.errno()) {
                (Subject::Command(_), Some(Errno::NOENT)) => exit_status::NOT_FOUND,
                (Subject::Command(_), Some(Errno::ACCESS | Errno::NOEXEC)) => exit_status::NOT_RUN,
                _ => exit_status::FAILED,
            })
        }
    }
}

/// How calls are to be watched.
fn tier(flags: &ArgMatches) -> Tier {
    match flags.get_one::<String>("tier").map(String::as_str) {
        Some("ptrace") => Tier::Ptrace,
        Some("agent") => Tier::Agent,
        Some("kernel") => Tier::Kernel,
        _ => Tier::Auto,
    }
}

/// Passes the events of a recording, or of a log of strace, to `sinks`. An error is printed here,
/// and its exit status returned.
pub(crate) fn replay(file: &Path, sinks: &mut [&mut dyn EventSink]) -> Result<Registry, u8> {
    let registry = events(file)
        .and_then(|events| watch::replay(events, sinks))
        .map_err(|error| report::fail(&error))?;
    if registry.end().is_none() {
        let file = fewer::present::escaped(file.as_os_str().as_bytes());
        report::complain(&format!("'{file}' was cut off: its end is missing"));
    }
    Ok(registry)
}

fn subject(flags: &ArgMatches) -> Result<Subject, &'static str> {
    let named = |flag| flags.get_many::<String>(flag).into_iter().flatten().cloned();
    let numbers = flags.get_many::<u32>("pid").into_iter().flatten().copied();
    let targets: Vec<Target> = numbers
        .map(Target::Process)
        .chain(named("container").map(Target::Container))
        .chain(named("unit").map(Target::Unit))
        .collect();
    if flags.get_flag("machine") {
        return Ok(Subject::Machine);
    }
    if !targets.is_empty() {
        return Ok(Subject::Running(targets));
    }
    command(flags)
        .map(Subject::Command)
        .ok_or("a COMMAND, -p PID, --container NAME, --unit NAME or --from FILE is needed")
}

/// The command to run; `None` if something else is watched.
pub(crate) fn command(flags: &ArgMatches) -> Option<Vec<OsString>> {
    Some(flags.get_many::<OsString>("command")?.cloned().collect())
}

/// The events of a recording, or of a log of strace; - is the standard input.
fn events(file: &Path) -> Result<Events, trace::Error> {
    match file.as_os_str().as_bytes() {
        b"-" => recording::events(fewer::Lines::stdin(), "standard input"),
        _ => recording::open(file),
    }
}

type Events = Box<dyn Iterator<Item = Result<Event, trace::Error>>>;

/// An output file. It is opened before the program runs, so that an unwritable file is an error
/// before the work and not after it.
pub(crate) struct Destination {
    path: PathBuf,
    /// `None` is the standard output.
    file: Option<Descriptor>,
}

impl Destination {
    /// Opens and empties the file that a flag names; - is the standard output. `None` without the
    /// flag.
    pub(crate) fn of(flags: &ArgMatches, flag: &str) -> Result<Option<Destination>, u8> {
        let Some(path) = flags.get_one::<PathBuf>(flag) else { return Ok(None) };
        let bytes = path.as_os_str().as_bytes();
        if bytes == b"-" {
            return Ok(Some(Destination { path: "standard output".into(), file: None }));
        }
        let opened = CString::new(bytes)
            .map_err(|_| Errno::INVAL)
            .and_then(|name| sys::overwrite(sys::CWD, &name, 0o666));
        match opened {
            Ok(file) => Ok(Some(Destination { path: path.clone(), file: Some(file) })),
            Err(errno) => Err(report::fail(&Error::new(errno, "write to", bytes))),
        }
    }

    /// Writes the bytes; returns the exit status.
    pub(crate) fn write(&self, bytes: &[u8]) -> u8 {
        let file = self.file.as_ref().map_or(sys::STDOUT, AsFile::as_file);
        match sys::write_all(file, bytes) {
            Ok(()) => exit_status::OK,
            // The reader has gone: this does not concern the command that was watched.
            Err(Errno::PIPE) if self.file.is_none() => exit_status::OK,
            Err(errno) => {
                report::fail(&Error::new(errno, "write to", self.path.as_os_str().as_bytes()))
            }
        }
    }
}

/// Writes the report to its destination, standard error by default; returns the exit status. If the
/// destination cannot be written, the report goes to standard error as well.
pub(crate) fn deliver(output: Option<&Destination>, report: &[u8]) -> u8 {
    let status = output.map_or(exit_status::OK, |output| output.write(report));
    if output.is_none() || status != exit_status::OK {
        // If that cannot be written either, there is nowhere to report it.
        return sys::write_all(sys::STDERR, report).map_or(exit_status::FAILED, |()| status);
    }
    status
}

/// The exit status of the watched program, or this process's end by the same signal. Errors of
/// `fewer` itself do not change it; they were printed.
pub(crate) fn end(ended: Option<Ended>, status: u8) -> u8 {
    match ended.map(|ended| ended.ending) {
        Some(Ending::Killed(signal)) => sys::die_of(signal),
        Some(Ending::Exited(theirs)) => theirs,
        Some(Ending::Detached) | None => status,
    }
}

/// Whether what is watched ran before, or is to run on.
pub(crate) fn runs_on(flags: &ArgMatches) -> bool {
    flags.get_flag("machine")
        || ["pid", "container", "unit", "for"].iter().any(|flag| flags.contains_id(flag))
}

/// How long something was watched that ran before, or runs on.
pub(crate) fn span(flags: &ArgMatches, ended: Option<Ended>) -> Option<Duration> {
    let ended = ended?;
    let ran_before = command(flags).is_none();
    (ran_before || ended.ending == Ending::Detached).then_some(ended.run_time.wall)
}

/// Whether the report is coloured.
pub(crate) fn is_colored(flags: &ArgMatches) -> bool {
    let is_always = || flags.get_one::<String>("color").is_some_and(|when| when == "always");
    is_colored_on_stderr(flags) && (flags.get_one::<PathBuf>("output").is_none() || is_always())
}

/// Whether what goes to standard error beside the report is coloured.
pub(crate) fn is_colored_on_stderr(flags: &ArgMatches) -> bool {
    match flags.get_one::<String>("color").map(String::as_str) {
        Some("always") => true,
        Some("never") => false,
        _ => terminal::shows_color_on_stderr(),
    }
}
