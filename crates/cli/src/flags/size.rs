//! The flags of `size`.

use std::ffi::OsString;

use clap::{Arg, ArgAction, Command, value_parser};

use super::{ADDRESSES, AFTER, examples, many, one, switch, threads};

/// The verb and its flags.
pub(super) fn verb() -> Command {
    Command::new("size").about("How much space directories take, as du").defer(with_flags)
}

fn with_flags(verb: Command) -> Command {
    verb.long_about(format!(
        "Print how much space directories take, with all that is below them: the starting \
             points and the directories in them, the smallest first. The sums are those of GNU \
             du: of what is allocated on the device, in KiB, a file with several names once. On a \
             terminal in units for people, with bars.\n\n\
             Costs one statx an entry and 3 system calls a directory.{ADDRESSES}"
    ))
    .after_help(examples::help("size", AFTER))
    .args_override_self(true)
    .disable_help_flag(true)
    .arg(super::path().help("What to measure: a path or file:///PATH"))
    .args(row_flags())
    .args(count_flags())
    .args(output_flags())
    .args(super::store_flags())
}

fn row_flags() -> Vec<Arg> {
    let flags = [
        one("depth", "N", "Rows for directories down to level N (default: 1)")
            .short('d')
            .alias("max-depth")
            .value_parser(value_parser!(usize)),
        switch("summarize", "Rows for starting points only: --depth=0")
            .short('s')
            .conflicts_with("depth"),
        switch("all", "Rows for files as well").short('a'),
        one("largest", "N", "Only the N largest rows")
            .short('n')
            .alias("number-of-lines")
            .value_parser(value_parser!(usize)),
        switch("reverse", "The largest first").short('r'),
        switch("total", "One more row for all starting points together").short('c'),
    ];
    flags.map(|flag| flag.help_heading("Rows")).into()
}

fn count_flags() -> Vec<Arg> {
    let [threads, max_threads] = threads::flags();
    let flags = [
        switch("apparent", "Sizes as files state them, not what is allocated to them")
            .short('A')
            .alias("apparent-size")
            .long_help(
                "Sizes as files state them, not what is allocated to them; that of a directory \
                 as the file system states it, as du does up to coreutils 9.1.",
            ),
        switch("bytes", "The same as --apparent --block-size=1").short('b'),
        switch("count-links", "A file counts once for each of its names").short('l'),
        switch("one-file-system", "Leave out other file systems")
            .short('x')
            .aliases(["mount", "xdev"]),
        many("extension", "EXT", "Only names that end in .EXT (of several, any)")
            .short('e')
            .value_parser(value_parser!(OsString)),
        many("exclude", "GLOB", "Leave out what matches, and what is below it")
            .short('E')
            .allow_hyphen_values(true),
        switch("no-hidden", "Leave out names that start with a dot"),
        switch("gitignore", "Leave out what git would ignore, and .git"),
        threads,
        max_threads,
    ];
    flags.map(|flag| flag.help_heading("What counts")).into()
}

fn output_flags() -> Vec<Arg> {
    let flags = [
        switch("human-readable", "Sizes like 1.1K, 234M, 2G, as on a terminal").short('h'),
        switch("si", "The same, in powers of 1000"),
        switch("kibibytes", "Sizes in KiB, as in a pipe").short('k'),
        one("block-size", "SIZE", "Sizes in units of SIZE, such as 1M or KB").short('B'),
        switch("null", "End each row with NUL instead of a newline").short('0'),
        switch("json", "Print JSON Lines, in bytes").conflicts_with("null"),
        switch("calls", "Say on stderr which system calls it took"),
        switch("no-progress", "Show no progress on a terminal"),
        Arg::new("help").long("help").action(ArgAction::Help).help("Print help"),
    ];
    flags.map(|flag| flag.help_heading("Output")).into()
}
