//! `fewer watch`: what changes below directories, as it happens.
//!
//! | module | what is in it |
//! |---|---|
//! | here | the watch that the flags describe; signals and the end |
//! | `printer` | a change as a line |

mod printer;

use std::time::Duration;

use clap::ArgMatches;
use fewer::watch::Watcher;
use fewer::{Errno, Filter, Watch};
use printer::Printer;
use sys::{Action, HeldSignals, Woken};

use crate::{exit_status, flags, report, walk};

/// The signals that end it: HUP, INT and TERM.
const ENDING: [i32; 3] = [1, 2, 15];

/// Runs the command as the flags say, and returns the exit status.
pub(crate) fn run(flags: &ArgMatches) -> u8 {
    let status = match watch(flags) {
        Ok(watch) => follow(&watch, flags),
        Err(message) => Ok(report::fail(&message)),
    };
    if flags.get_flag("calls") {
        report::calls(flags.get_flag("json"));
    }
    status.unwrap_or_else(|signal| sys::die_of(signal))
}

/// The watch that the flags describe.
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
        .gitignore(flags.get_flag("gitignore"));
    if let Some(depth) = flags.get_one::<usize>("max-depth") {
        watch = watch.max_depth(*depth);
    }
    if let Some(window) = flags.get_one::<Duration>("window") {
        watch = watch.window(*window);
    }
    Ok(watch)
}

/// Tells what happens until there is nothing to watch any more. Returns the exit status, or the
/// signal that ends it.
fn follow(watch: &Watch, flags: &ArgMatches) -> Result<u8, i32> {
    let mut watcher = match watch.start() {
        Ok(watcher) => watcher,
        Err(error) if error.errno() == Errno::MFILE => {
            return Ok(report::fail(&format!("{error} ({})", limit("max_user_instances"))));
        }
        Err(error) => return Ok(report::fail(&error)),
    };
    let mut status = exit_status::OK;
    let mut errors = Complaints::default();
    if errors.report(&mut watcher) {
        status = exit_status::SOME_FAILED;
    }
    if watcher.is_over() {
        return Ok(exit_status::FAILED);
    }
    for root in watcher.deaf_roots() {
        let root = fewer::present::escaped(root);
        report::complain(&format!(
            "'{root}' is on a file system that does not tell what others than this machine change"
        ));
    }
    let held = hold_ending_signals();
    let printer = Printer::from_flags(flags);
    let mut out = Vec::new();
    while !watcher.is_over() {
        if !wait(&held, &watcher)? {
            continue;
        }
        match watcher.changes() {
            Ok(changes) => changes.iter().for_each(|change| printer.print(change, &mut out)),
            Err(error) => return Ok(report::fail(&error)),
        }
        if let Err(errno) = sys::write_all(sys::STDOUT, &out) {
            return Ok(report::cannot_write(errno));
        }
        out.clear();
        if errors.report(&mut watcher) {
            status = exit_status::SOME_FAILED;
        }
    }
    Ok(status)
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

/// Whether there may be changes; the signal that came.
fn wait(held: &HeldSignals, watcher: &Watcher) -> Result<bool, i32> {
    match sys::wait_readable_or_signal(held, watcher, sys::STDOUT, None) {
        Ok(Woken::ReaderGone) => sys::die_of_sigpipe(),
        Ok(Woken::Signal) => {
            let pending = sys::take_pending();
            let came = ENDING.into_iter().find(|signal| pending >> (signal - 1) & 1 != 0);
            came.map_or(Ok(false), Err)
        }
        Ok(woken) => Ok(woken == Woken::Readable),
        // Nothing can be waited for: the next read says why.
        Err(_) => Ok(true),
    }
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
