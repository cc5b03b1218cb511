//! `fewer budget`: writes down what commands may do, and checks it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use sys::OsStrExt;

use budget::junit::{self, Circumstances};
use budget::{Budgets, CommandLine, Failure, Run, TracedRuns, json, record_scale, text};
use clap::ArgMatches;
use fewer::Time;
use trace::Text;

use crate::exit_status;
use crate::report;
use crate::watched::Destination;

const SIGINT: i32 = 2;

/// Runs the verb as the flags say; returns the exit status.
pub(crate) fn run(flags: &ArgMatches) -> u8 {
    match flags.subcommand() {
        Some(("record", flags)) => record(flags),
        Some(("check", flags)) => check(flags),
        _ => scale(flags),
    }
}

fn record(flags: &ArgMatches) -> u8 {
    let path = path(flags);
    let Some(line) = line(flags) else {
        return report::fail(&"a COMMAND or --scale CMD is needed");
    };
    let n = numbers(flags);
    let mut budgets = match Budgets::open_or_begin(path) {
        Ok(budgets) => budgets,
        Err(error) => return report::fail(&error),
    };
    let directory = match budgets.path_to(Path::new(".")) {
        Ok(directory) => directory,
        Err(error) => return report::fail(&error),
    };
    let run = Run { line, directory, all: flags.get_flag("all") };
    if let Err(why) = is_scale(&run, &n) {
        return report::fail(&why);
    }
    let mut runs = TracedRuns::new(budgets.directory(), say);
    let (file, json) = (path.as_os_str().as_bytes(), flags.get_flag("json"));
    let said = if n.is_empty() {
        budgets.record(&run, times(flags), flags.get_flag("prove"), &mut runs).map(
            |(command, runs)| match json {
                true => json::recorded(file, &command, &runs),
                false => text::recorded(file, &command, &runs),
            },
        )
    } else {
        budgets.record_scale(&run, &n, times(flags), &mut runs).map(|(scale, slope, runs)| {
            match json {
                true => json::scale(Some(file), &scale, &slope, &runs),
                false => text::recorded_scale(file, &scale, &slope, &runs),
            }
        })
    };
    print(said)
}

/// Counts the calls per item, and prints them only.
fn scale(flags: &ArgMatches) -> u8 {
    let Some(line) = line(flags) else { return report::fail(&"--scale CMD is needed") };
    let (n, all) = (numbers(flags), flags.get_flag("all"));
    let run = Run { line, directory: None, all };
    if let Err(why) = is_scale(&run, &n) {
        return report::fail(&why);
    }
    let found = record_scale(&run, &n, times(flags), &mut TracedRuns::new(Path::new("."), say));
    print(found.map(|(scale, slope, runs)| match flags.get_flag("json") {
        true => json::scale(None, &scale, &slope, &runs),
        false => text::measured_scale(&scale, &slope, &runs),
    }))
}

fn check(flags: &ArgMatches) -> u8 {
    let xml = match Destination::of(flags, "junit") {
        Ok(xml) => xml,
        Err(status) => return status,
    };
    let path = path(flags);
    let when = Time::now();
    let checked = Budgets::open(path).and_then(|mut budgets| {
        let mut runs = TracedRuns::new(budgets.directory(), say);
        budgets.check(flags.get_flag("bless"), times(flags), &mut runs)
    });
    let checked = match checked {
        Ok(checked) => checked,
        Err(error) => return report::fail(&error),
    };
    let file = path.as_os_str().as_bytes();
    if checked.is_empty() {
        return report::fail(&format!("'{}' has no budget", fewer::present::escaped(file)));
    }
    let said = match flags.get_flag("json") {
        true => json::checked(file, &checked),
        false => text::checked(file, &checked),
    };
    let mut status = report::print(said.as_bytes());
    if let Some(xml) = xml {
        let host = String::from_utf8_lossy(&sys::host_name()).into_owned();
        let text = junit::checked(file, &checked, &Circumstances { when, host });
        status = status.max(xml.write(text.as_bytes()));
    }
    if checked.iter().any(|it| it.was_interrupted()) {
        sys::die_of(SIGINT);
    }
    match checked.iter().all(|it| it.passed()) {
        true => status,
        false => status.max(exit_status::SOME_FAILED),
    }
}

/// Says something while remedies are tried.
fn say(text: &str) {
    report::complain(&text);
}

fn print(said: Result<String, Failure>) -> u8 {
    match said {
        Err(Failure::Interrupted) => sys::die_of(SIGINT),
        Ok(said) => report::print(said.as_bytes()),
        Err(error) => report::fail(&error),
    }
}

fn path(flags: &ArgMatches) -> &Path {
    // The parser requires one.
    flags.get_one::<PathBuf>("budgets").map_or(Path::new(""), |path| path)
}

/// What to run.
fn line(flags: &ArgMatches) -> Option<CommandLine> {
    if let Some(line) = flags.get_one::<String>("scale") {
        return Some(CommandLine::Shell(line.clone()));
    }
    let words = flags.try_get_many::<OsString>("command").ok().flatten()?;
    Some(CommandLine::Words(words.map(|word| Text::from(word.as_bytes())).collect()))
}

fn numbers(flags: &ArgMatches) -> Vec<u64> {
    flags.get_many("n").into_iter().flatten().copied().collect()
}

/// How often a command may be run: once, unless the flag says more.
fn times(flags: &ArgMatches) -> usize {
    flags.get_one::<usize>("runs").copied().unwrap_or(1)
}

/// Whether the command has a placeholder for the numbers, if there are some.
fn is_scale(run: &Run, n: &[u64]) -> Result<(), &'static str> {
    match n.is_empty() || run.line.has_placeholder() {
        true => Ok(()),
        false => Err("--n needs a {n} in what is run"),
    }
}
