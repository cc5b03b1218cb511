//! Commands that are run on what is found. Where the paths go: each to a command of its own, or
//! many to one.

use std::ffi::OsString;

use clap::ArgMatches;
use fewer::exec::{Batch, CommandTemplate, Paths, TemplateError, run_each};
use fewer::scope::Output;
use fewer::{Answer, Errno, Error};

use super::Request;
use super::visitor::OutputFormat;
use crate::{exit_status, report};

/// The commands of the flags.
pub(super) enum Commands {
    Each(Vec<CommandTemplate>),
    Batch(Vec<CommandTemplate>),
}

impl Commands {
    /// `None` if entries are printed.
    pub(super) fn from_flags(flags: &ArgMatches) -> Result<Option<Commands>, String> {
        let commands = |flag: &str, parse: fn(Vec<&OsString>) -> Result<_, TemplateError>| {
            let given = flags.get_occurrences::<OsString>(flag);
            let parsed = given.map(|all| all.map(|words| parse(words.collect())).collect());
            parsed.transpose().map_err(|error: TemplateError| format!("--{flag}: {error}"))
        };
        let each = commands("exec", |words| CommandTemplate::each(words))?;
        let batch = commands("exec-batch", |words| CommandTemplate::batch(words))?;
        Ok(each.map(Commands::Each).or(batch.map(Commands::Batch)))
    }

    /// Walks, and runs the commands. Returns the exit status.
    pub(super) fn run(self, request: &Request<'_>) -> u8 {
        match self {
            Commands::Each(commands) => each(request, &commands),
            Commands::Batch(commands) => batch(request, commands),
        }
    }
}

/// What the walk hands over: paths, each with a NUL at its end.
const PATHS: OutputFormat = OutputFormat::Plain(0);

fn each(request: &Request<'_>, commands: &[CommandTemplate]) -> u8 {
    let threads = request.flags.get_one::<u16>("threads").map(|threads| usize::from(*threads));
    let fixed = commands.iter().all(CommandTemplate::has_fixed_program);
    let mut failed = false;
    let ended = |outcome: Result<Output, Error>| {
        let output = match outcome {
            Ok(output) => output,
            Err(error) => {
                failed = true;
                return complain(&error, fixed);
            }
        };
        failed |= !output.status.success();
        let printed = sys::write_all(sys::STDOUT, &output.stdout);
        let _ = sys::write_all(sys::STDERR, &output.stderr);
        match printed {
            Ok(()) => Answer::Continue,
            Err(errno) => {
                report::cannot_write(errno);
                failed = true;
                Answer::Stop
            }
        }
    };
    let hand_over = |paths: &Paths<'_>| {
        request.walk_into(&PATHS, |bytes| each_path(bytes, |path| paths.push(path)))
    };
    let status = run_each(commands, threads, ended, hand_over);
    status.max(if failed { exit_status::SOME_FAILED } else { exit_status::OK })
}

fn batch(request: &Request<'_>, commands: Vec<CommandTemplate>) -> u8 {
    let most = request.flags.get_one::<usize>("batch-size").copied();
    let mut batches: Vec<Batch> =
        commands.into_iter().map(|template| Batch::new(template, most)).collect();
    let mut failed = false;
    let mut check = |outcome: Result<Option<_>, Error>| match outcome {
        Ok(status) => {
            failed |= status.is_some_and(|status: fewer::scope::ExitStatus| !status.success());
            Answer::Continue
        }
        Err(error) => {
            failed = true;
            complain(&error, true)
        }
    };
    let mut stopped = false;
    let status = request.walk_into(&PATHS, |bytes| {
        let push = |path: &[u8]| {
            let all = batches.iter_mut().map(|batch| check(batch.push(path)));
            let answers: Vec<Answer> = all.collect();
            stopped |= answers.contains(&Answer::Stop);
            if stopped { Answer::Stop } else { Answer::Continue }
        };
        each_path(bytes, push)
    });
    if !stopped {
        for batch in &mut batches {
            check(batch.finish());
        }
    }
    status.max(if failed { exit_status::SOME_FAILED } else { exit_status::OK })
}

/// Reports a command that could not be run: if the same program would not run for others either,
/// there is no point in going on.
fn complain(error: &Error, fixed: bool) -> Answer {
    report::complain(error);
    match error.errno() {
        Errno::NOENT | Errno::ACCESS if fixed => Answer::Stop,
        _ => Answer::Continue,
    }
}

/// Calls `f` with each path of a block, in which a NUL ends each.
fn each_path(bytes: &[u8], mut f: impl FnMut(&[u8]) -> Answer) -> Answer {
    for path in bytes.split_inclusive(|&byte| byte == 0) {
        if f(&path[..path.len() - 1]) == Answer::Stop {
            return Answer::Stop;
        }
    }
    Answer::Continue
}
