//! The flags of `scan`.

use std::ffi::OsString;

use clap::{Arg, Command, ValueHint, value_parser};

use super::{ADDRESSES, examples, one, walk};

const AFTER: &str = "Exit status: 0 all well, 1 some rows are errors, 2 there is no result: wrong \
                     usage, or the unit has to be scanned again.";

/// The flags of `walk` that mean the same here.
const OF_WALK: &[&str] = &[
    "glob", "regex", "full-path", "ignore-case", "case-sensitive", "extension", "exclude",
    "no-hidden", "hidden", "max-depth", "one-file-system", "type", "size", "newer", "older",
    "owner", "calls",
];

/// The verb and its flags.
pub(super) fn verb() -> Command {
    Command::new("scan").about("Write a part of a walk as Parquet, and what is left").defer(flags)
}

fn flags(verb: Command) -> Command {
    verb.long_about(format!(
        "Write all that is known of the entries of a unit as one Parquet file, a part, until the \
         budget is used up, and print what came of it as a line of JSON: unit, part, rows, bytes, \
         checksum (SHA-256), errors, and the units that are left. A unit is some sub-trees, a \
         slice of the names of one large directory, or ranges of keys. Whoever scans what is left \
         in the same way, on any machine, has each entry in one part. Failures are rows.\n\n\
         Costs the calls of a walk and one statx an entry, and for the part open, write, two \
         fdatasync and rename.{ADDRESSES}"
    ))
    .after_help(examples::help("scan", AFTER))
    .args_override_self(true)
    .arg(
        super::path()
            .help("Where the whole scan starts: a path or file:///PATH")
            .value_name("ROOT"),
    )
    .args(unit_flags())
    .args(walk::flags_named(OF_WALK))
    .args(super::store_flags())
}

fn unit_flags() -> Vec<Arg> {
    let flags = [
        one("out", "DIR", "Where the part goes: part-ID.parquet in this directory or address")
            .required(true)
            .value_parser(value_parser!(OsString))
            .value_hint(ValueHint::DirPath)
            .long_help(
                "Where the part goes: part-ID.parquet in this directory, which is there already; \
                 ID is that of the unit, so who scans a unit again replaces its part. It has its \
                 name once it is whole and on the disk; without rows there is none. Below a root \
                 the directory is left out of the scan. An address of a store gets the part by one \
                 request, from memory.",
            ),
        one("unit", "FILE", "The unit, as JSON: one of those that were left (default: all)")
            .value_parser(value_parser!(OsString))
            .value_hint(ValueHint::FilePath)
            .long_help(
                "The unit, as JSON: one of those that were left. - is standard input. Without it \
                 the unit is all that is below the roots.",
            ),
        one("budget", "N", "End behind the directory with the N-th entry (default: 100000)")
            .value_parser(clap::builder::RangedU64ValueParser::<usize>::new().range(1..))
            .default_value("100000")
            .hide_default_value(true)
            .long_help(
                "End behind the directory with the N-th entry; the default is 100000. A directory \
                 of more names than N is cut into slices, which are left. In a bucket it ends \
                 behind the N-th key.",
            ),
        one("parent", "PID", "End when the process PID does, which started this one")
            .value_parser(value_parser!(i32).range(1..)),
    ];
    flags.map(|flag| flag.help_heading("Unit")).into()
}
