//! The flags of `count`.

use clap::Command;

use super::watched::{command, subject_flags};
use super::{examples, one, switch};

/// The verb and its flags.
pub(super) fn verb() -> Command {
    Command::new("count")
        .about("Count a program's system calls, by name, by path and by caller")
        .defer(with_flags)
}

fn with_flags(verb: Command) -> Command {
    verb.long_about(
        "Run a command, or attach to a process, and count its system calls on files: by \
             name, by path, by caller. No call is lost, of no thread and no child. The report \
             goes to the standard error; what the command itself prints is left alone.\n\n\
             Counted is whatever takes or makes a path, a descriptor, a process or a thread; \
             with --all every call.",
    )
    .after_help(examples::help("count", super::watched::AFTER))
    .args_override_self(true)
    .arg(command())
    .args(subject_flags())
    .arg(
        one("top", "N", "Rows of the tables by path and by caller; 0 for all")
            .value_parser(clap::value_parser!(usize))
            .default_value("10"),
    )
    .arg(switch("json", "Print one JSON object, with all rows"))
}
