//! The flags of `watch`.

use std::ffi::OsString;

use clap::builder::{ArgPredicate, StringValueParser};
use clap::{Arg, Command, ValueHint, value_parser};

use super::{AFTER, completed, described, examples, many, one, switch, time, walk};

/// The verb and its flags.
pub(super) fn verb() -> Command {
    Command::new("watch")
        .about("Tell what changes below directories, as it happens")
        .defer(with_flags)
}

fn with_flags(verb: Command) -> Command {
    verb.long_about(
        "Tell what changes below directories, as it happens, until Ctrl-C or until none of the \
             directories is left: A path (added), D path (removed), M path (changed), R from -> to \
             (renamed, with all that is below).\n\n\
             Several changes of one path within a short time are one line, and what is undone \
             meanwhile is none. The lines can be followed one after the other: what they make of \
             the entries that were there is what is there now. Costs no call while nothing \
             happens, and one inotify watch a directory. Memory holds all names.",
    )
    .after_help(examples::help("watch", AFTER))
    .args_override_self(true)
    .arg(
        Arg::new("path")
            .value_name("DIR")
            .num_args(0..)
            .default_value(".")
            .default_value_if("since", ArgPredicate::IsPresent, None)
            .value_parser(value_parser!(OsString))
            .value_hint(ValueHint::DirPath)
            .help("What to watch, with all that is below")
            .long_help(
                "What to watch, with all that is below; after --since all directories of the \
                 snapshot, by default.",
            ),
    )
    .args(walk::flags_named(NAME_FLAGS))
    .args(tree_flags())
    .args(snapshot_flags())
    .args(output_flags())
    .args(walk::flags_named(&["color"]))
}

/// The flags of `walk` that choose names.
const NAME_FLAGS: &[&str] = &[
    "glob", "regex", "full-path", "ignore-case", "case-sensitive", "extension", "exclude",
    "no-hidden", "hidden", "gitignore", "no-ignore", "one-file-system",
];

fn tree_flags() -> Vec<Arg> {
    let kinds =
        many("type", "TYPE", "Only f(ile) d(irectory) l(ink) p(ipe) s(ocket) b(lock) c(har)")
            .short('t')
            .value_delimiter(',');
    let flags = [
        one("max-depth", "N", "Tell of N levels at most")
            .short('d')
            .value_parser(value_parser!(usize)),
        completed(kinds, StringValueParser::new(), || described(&walk::TYPES[..7])),
        one("window", "TIME", "Collect changes for so long before they are told")
            .value_parser(time)
            .default_value("50ms")
            .long_help(
                "Collect changes for so long, from the first one on, before they are told: 200ms, \
                 2s. What is made and removed again meanwhile is not told.",
            ),
        switch("fanotify", "Watch whole file systems, where the kernel allows it").long_help(
            "Watch whole file systems by one fanotify mark each, where the kernel allows it \
                 (CAP_SYS_ADMIN, Linux 6.12; ext4, xfs, f2fs, tmpfs), and other directories by \
                 inotify. It begins sooner and has no limit of directories, but what happens \
                 anywhere on the file system wakes it. Without it, only directories beyond the \
                 limit of inotify are watched so.",
        ),
    ];
    flags.map(|flag| flag.help_heading("Tree")).into()
}

fn snapshot_flags() -> Vec<Arg> {
    let since = one("since", "FILE", "Begin with what changed since the snapshot was made")
        .value_parser(value_parser!(OsString))
        .value_hint(ValueHint::FilePath)
        .conflicts_with_all(NAME_FLAGS)
        .conflicts_with_all(["type", "max-depth"])
        .long_help(
            "Begin with what `fewer changes FILE` prints, then go on: nothing that happens between \
             is lost. The filters are those of the snapshot. Costs one statx a directory.",
        );
    let flags = [
        since,
        switch("update", "Write the snapshot anew: at the end, and from time to time")
            .requires("since")
            .long_help(
                "Write the snapshot anew at the end, and a minute after the first change that it \
                 does not have. The next --since goes on from the lines that were printed.",
            ),
        one(
            "update-every", "TIME", "How long after a change the snapshot is written at the latest",
        )
        .value_parser(time)
        .requires("update")
        .default_value("60s"),
    ];
    flags.map(|flag| flag.help_heading("Snapshot")).into()
}

fn output_flags() -> Vec<Arg> {
    let flags = [
        switch("null", "Paths end with NUL; those of a renaming are two: R from NUL to NUL")
            .short('0')
            .conflicts_with("json"),
        switch("json", "Print JSON Lines"),
        switch("calls", "Say on stderr which system calls it took"),
    ];
    flags.map(|flag| flag.help_heading("Output")).into()
}
