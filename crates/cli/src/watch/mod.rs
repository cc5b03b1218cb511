//! `fewer watch`: what changes below directories, as it happens.
//!
//! | module | what is in it |
//! |---|---|
//! | here | the watch that the flags describe; signals and the end |
//! | `kept` | the snapshot that it begins with, and keeps |

mod kept;

use std::time::Duration;

use clap::ArgMatches;
use fewer::watch::Watcher;
use fewer::{Errno, Filter, Watch};
use kept::KeptSnapshot;
use sys::{Action, HeldSignals, Woken};

use crate::change_printer::ChangePrinter;
use crate::{exit_status, flags, report, walk};

/// The signals that end it: HUP, INT and TERM.
const ENDING: [i32; 3] = [1, 2, 15];

/// Runs the command as the flags say, and returns the exit status.
pub(crate) fn run(flags: &ArgMatches) -> u8 {
    let status = match kept(flags) {
        Ok((watch, kept)) => follow(&watch, kept, flags),
        Err(message) => Ok(report::fail(&message)),
    };
    if flags.get_flag("calls") {
        report::calls(flags.get_flag("json"));
    }
    status.unwrap_or_else(|signal| sys::die_of(signal))
}

/// The watch that the flags describe, and the snapshot of it.
fn kept(flags: &ArgMatches) -> Result<(Watch, Option<KeptSnapshot>), String> {
    let kept = KeptSnapshot::from_flags(flags)?;
    let watch = match &kept {
        Some(kept) => kept.watch(flags)?,
        None => watch(flags)?,
    };
    let watch = watch.fanotify(flags.get_flag("fanotify"));
    let window = flags.get_one::<Duration>("window");
    Ok((window.map_or(watch.clone(), |window| watch.window(*window)), kept))
}

/// The watch that the flags describe, if there is no snapshot.
fn watch(flags: &ArgMatches) -> Result<Watch, String> {
    let mut filter =
        Filter::new().kinds(walk::kinds(flags)?).skip_hidden(flags.get_flag("no-hidden"));
    if let Some(names) = walk::names(flags).map_err(|error| error.to_string())? {
        filter = filter.names(names);
    }
    let roots = flags::paths(flags);
    let mut watch = roots
        .iter()
        .skip(1)
        .fold(Watch::new(&roots[0]), Watch::add_root)
        .filter(filter)
        .gitignore(flags.get_flag("gitignore"))
        .one_file_system(flags.get_flag("one-file-system"));
    if let Some(depth) = flags.get_one::<usize>("max-depth") {
        watch = watch.max_depth(*depth);
    }
    Ok(watch)
}

/// Tells what happens until there is nothing to watch any more. Returns the exit status, or the
/// signal that ends it.
fn follow(watch: &Watch, kept: Option<KeptSnapshot>, flags: &ArgMatches) -> Result<u8, i32> {
    let watcher = match watch.start() {
        Ok(watcher) => watcher,
        Err(error) if error.errno() == Errno::MFILE => {
            return Ok(report::fail(&format!("{error} ({})", limit("max_user_instances"))));
        }
        Err(error) => return Ok(report::fail(&error)),
    };
    let (printer, out, errors) =
        (ChangePrinter::from_flags(flags), Vec::new(), Complaints::default());
    let mut this = Follower { watcher, kept, printer, out, errors, status: exit_status::OK };
    this.report_errors();
    if this.watcher.is_over() {
        return Ok(exit_status::FAILED);
    }
    for root in this.watcher.deaf_roots() {
        let root = fewer::present::escaped(root);
        report::complain(&format!(
            "'{root}' is on a file system that does not tell what others than this machine change"
        ));
    }
    let held = hold_ending_signals();
    match this.follow(&held) {
        Ok(()) => Ok(this.status),
        Err(End::Signal(signal)) => Err(signal),
        Err(End::Failed(status)) => Ok(status),
    }
}

/// Why it ends before there is nothing to watch any more.
enum End {
    Signal(i32),
    /// The exit status; the error was reported.
    Failed(u8),
}

/// What is watched, and how it is told.
struct Follower {
    watcher: Watcher,
    kept: Option<KeptSnapshot>,
    printer: ChangePrinter,
    out: Vec<u8>,
    errors: Complaints,
    status: u8,
}

impl Follower {
    fn follow(&mut self, held: &HeldSignals) -> Result<(), End> {
        if self.kept.is_some() {
            self.tell()?; // what has changed since the snapshot
        }
        while !self.watcher.is_over() {
            match self.wait(held) {
                Woken::Readable => self.tell()?,
                Woken::Time => self.keep()?,
                Woken::ReaderGone => sys::die_of_sigpipe(),
                Woken::Signal => {
                    let pending = sys::take_pending();
                    let came = ENDING.into_iter().find(|signal| pending >> (signal - 1) & 1 != 0);
                    if let Some(signal) = came {
                        self.keep()?;
                        return Err(End::Signal(signal));
                    }
                }
            }
        }
        Ok(())
    }

    fn wait(&self, held: &HeldSignals) -> Woken {
        let at_most = self.kept.as_ref().and_then(KeptSnapshot::due_in);
        // If nothing can be waited for, the next read says why.
        sys::wait_readable_or_signal(held, &self.watcher, sys::STDOUT, at_most)
            .unwrap_or(Woken::Readable)
    }

    /// Tells what has changed.
    fn tell(&mut self) -> Result<(), End> {
        let changes = self.watcher.changes().map_err(|error| End::Failed(report::fail(&error)))?;
        changes.iter().for_each(|change| self.printer.print(change, &mut self.out));
        self.write()
    }

    /// Writes the snapshot anew, after what has changed until then was told.
    fn keep(&mut self) -> Result<(), End> {
        if !self.kept.as_ref().is_some_and(|kept| kept.updates) {
            return Ok(());
        }
        let taken = self.watcher.snapshot();
        let (changes, snapshot) = taken.map_err(|error| End::Failed(report::fail(&error)))?;
        changes.iter().for_each(|change| self.printer.print(change, &mut self.out));
        self.write()?;
        if let Some(kept) = &mut self.kept {
            self.status = self.status.max(kept.write(snapshot));
        }
        Ok(())
    }

    fn write(&mut self) -> Result<(), End> {
        if !self.out.is_empty()
            && let Some(kept) = &mut self.kept
        {
            kept.has_changed();
        }
        sys::write_all(sys::STDOUT, &self.out)
            .map_err(|errno| End::Failed(report::cannot_write(errno)))?;
        self.out.clear();
        self.report_errors();
        Ok(())
    }

    fn report_errors(&mut self) {
        if self.errors.report(&mut self.watcher) {
            self.status = exit_status::SOME_FAILED;
        }
    }
}

/// Signals that are not ignored come while it waits, never between: a line is whole.
fn hold_ending_signals() -> HeldSignals {
    let held = sys::hold_signals();
    for signal in ENDING {
        if sys::signal_action(signal) == Ok(Action::Default) {
            let _ = sys::set_signal(signal, Action::Catch);
        }
    }
    held
}

/// What was said already.
#[derive(Default)]
struct Complaints {
    unwatched: u64,
}

impl Complaints {
    /// Reports what could not be watched; whether there was anything.
    fn report(&mut self, watcher: &mut Watcher) -> bool {
        let errors = watcher.take_errors();
        let any = !errors.is_empty();
        for error in errors.iter().filter(|error| error.errno() != Errno::NOSPC) {
            match error.errno() {
                Errno::EXIST => {
                    let path = fewer::present::escaped(error.path().as_os_str().as_encoded_bytes());
                    report::complain(&format!("'{path}' is watched already, under another path"));
                }
                _ => report::complain(error),
            }
        }
        if watcher.unwatched() > self.unwatched {
            self.unwatched = watcher.unwatched();
            let limit = limit("max_user_watches");
            report::complain(&format!(
                "{} directories are not watched, nor what is below: {limit}",
                self.unwatched
            ));
            return true;
        }
        any
    }
}

/// What the limit is, and how it is raised.
fn limit(name: &str) -> String {
    let path = format!("/proc/sys/fs/inotify/{name}");
    let path = std::ffi::CString::new(path).unwrap_or_default();
    let value = sys::read_all(sys::CWD, &path, 64).unwrap_or_default();
    let value = String::from_utf8_lossy(&value);
    format!("the limit is {}; raise it by sysctl fs.inotify.{name}=N", value.trim())
}
