//! The flags of `snapshot` and `changes`.

use std::ffi::OsString;

use clap::{Arg, Command, ValueHint, value_parser};

use super::{AFTER, examples, one, switch, walk};

/// The verb `snapshot` and its flags.
pub(super) fn snapshot() -> Command {
    Command::new("snapshot")
        .about("Write down what is below directories, for `walk --since` and `changes`")
        .defer(snapshot_flags)
}

fn snapshot_flags(verb: Command) -> Command {
    verb.long_about(
        "Write down what is below directories: each directory with its times, and the names, \
             kinds and inodes in it. `fewer walk --since FILE` then reads only what has changed, \
             and `fewer changes FILE` says what that is.\n\n\
             Costs 4 system calls a directory and none an entry; with --stat one an entry.",
    )
    .after_help(examples::help("snapshot", AFTER))
    .args_override_self(true)
    .arg(super::path())
    .arg(
        one("output", "FILE", "The file to write")
            .short('o')
            .required(true)
            .value_parser(value_parser!(OsString))
            .value_hint(ValueHint::FilePath),
    )
    .arg(switch("stat", "Keep size, permissions and times of each entry, too"))
    .args(walk::flags_named(&[
        "gitignore", "no-hidden", "exclude", "ignore-case", "max-depth", "one-file-system",
        "threads", "max-threads", "calls", "no-progress",
    ]))
}

/// The verb `changes` and its flags.
pub(super) fn changes() -> Command {
    Command::new("changes").about("Say what changed since a snapshot was made").defer(changes_flags)
}

fn changes_flags(verb: Command) -> Command {
    verb.long_about(
        "Say what changed since a snapshot was made: `A PATH` was added, `D PATH` removed, \
             `R FROM -> TO` renamed, and `M PATH` is of another kind, or has another size, time of \
             modification or permissions. What comes along with a renamed directory is not listed. \
             The filters are those of the snapshot.\n\n\
             Costs one statx for each directory of the snapshot, and 5 calls for each that \
             changed; with --stat also one for each entry.",
    )
    .after_help(examples::help("changes", AFTER))
    .args_override_self(true)
    .arg(
        Arg::new("snapshot")
            .value_name("FILE")
            .required(true)
            .value_parser(value_parser!(OsString))
            .value_hint(ValueHint::FilePath)
            .help("The snapshot"),
    )
    .arg(super::path().default_value(None).help("Which of its directories (default: all)"))
    .arg(switch("update", "Write the snapshot anew, if anything changed"))
    .arg(switch("stat", "Look at sizes, permissions and times, too").long_help(
        "Look at sizes, permissions and times, too; the snapshot must have been made with \
             --stat.",
    ))
    .args(walk::flags_named(&[
        "threads", "max-threads", "null", "json", "color", "calls", "no-progress",
    ]))
}
