//! The flags of `walk`.

use std::ffi::OsString;

use clap::builder::PossibleValuesParser;
use clap::{Arg, Command, ValueHint, value_parser};

use super::{AFTER, many, one, switch};

/// The verb and its flags.
pub(super) fn verb() -> Command {
    Command::new("walk").about("List everything below directories, in parallel").defer(with_flags)
}

fn with_flags(verb: Command) -> Command {
    verb.long_about(
        "List everything below directories: the directories themselves and every entry below, \
             as `find` prints them, in parallel and in no particular order.\n\n\
             Costs 3 system calls a directory and none an entry. Nothing is left out unless a \
             flag says so.",
    )
    .after_help(AFTER)
    .args_override_self(true)
    .arg(
        Arg::new("path")
            .value_name("PATH")
            .num_args(0..)
            .default_value(".")
            .value_parser(value_parser!(OsString))
            .value_hint(ValueHint::AnyPath)
            .help("Where to start"),
    )
    .args(name_flags())
    .args(tree_flags())
    .args(metadata_flags())
    .args(output_flags())
}

fn name_flags() -> Vec<Arg> {
    let flags = [
        many("glob", "GLOB", "Only names that match (of several, any)")
            .short('g')
            .allow_hyphen_values(true)
            .long_help(
                "Only names that match the glob; of several, any. `*` and `?` match anything but \
                 `/`, `**/` any number of directories, `{a,b}` and `[a-z]` as usual.",
            ),
        many("regex", "RE", "Only names in which the expression matches (of several, any)")
            .short('r')
            .allow_hyphen_values(true),
        switch("full-path", "Let --glob and --regex look at the whole path, as printed"),
        switch("ignore-case", "Let names match in either case").short('i'),
        many("extension", "EXT", "Only names that end in .EXT (of several, any)")
            .short('e')
            .value_parser(value_parser!(OsString)),
        many("exclude", "GLOB", "Neither print nor enter what matches")
            .short('E')
            .allow_hyphen_values(true)
            .long_help(
                "Neither print nor enter what matches. Without a `/` the glob looks at the name, \
                 with one at the path below the starting point. Starting points are never \
                 excluded.",
            ),
        switch("no-hidden", "Neither print nor enter names that start with a dot"),
        switch("gitignore", "Neither print nor enter what git would ignore, nor .git").long_help(
            "Neither print nor enter what git would ignore, nor .git itself: .gitignore files on \
             the way and above the starting point up to the top of its repository, \
             .git/info/exclude, and the file that core.excludesFile names in git's configuration. \
             Nothing is left of a starting point that lies in an ignored directory. .gitignore \
             files count outside a repository as well.",
        ),
    ];
    flags.map(|flag| flag.help_heading("Names")).into()
}

fn tree_flags() -> Vec<Arg> {
    let flags = [
        one("max-depth", "N", "Go down at most N levels")
            .short('d')
            .value_parser(value_parser!(usize)),
        one("min-depth", "N", "Print nothing above level N").value_parser(value_parser!(usize)),
        switch("one-file-system", "Do not enter other file systems").short('x'),
        switch("follow", "Treat a link as what it points to").short('L'),
        switch("sort", "Depth-first, the names of each directory in byte order"),
        one("threads", "N", "Use at most N threads (default: the processors it may use)")
            .short('j')
            .value_parser(value_parser!(u16).range(1..)),
    ];
    flags.map(|flag| flag.help_heading("Tree")).into()
}

fn metadata_flags() -> Vec<Arg> {
    let flags = [
        many("type", "TYPE", "Only f(ile) d(irectory) l(ink) p(ipe) s(ocket) b(lock) c(har)")
            .short('t')
            .value_delimiter(','),
        many("size", "[+-]N[UNIT]", "Only entries larger, smaller, or of just this size")
            .allow_hyphen_values(true)
            .long_help(
                "Only entries larger than +N, smaller than -N, or of just N bytes. Units: K M G \
                 T P (or KiB, …) are powers of 1024, KB MB … of 1000. Costs one statx an entry.",
            ),
        many("newer", "TIME-or-FILE", "Only entries modified after")
            .value_parser(value_parser!(OsString))
            .long_help(
                "Only entries modified after a time: @SECONDS, 2026-01-31, '2026-01-31 10:00', \
                 with Z or an offset, or an age like 90s, 10min, 2h, 3d, 1w; or after the file \
                 of this name (./NAME is always a file). Costs one statx an entry.",
            ),
        many("older", "TIME-or-FILE", "Only entries modified before")
            .value_parser(value_parser!(OsString))
            .long_help("Only entries modified before; as --newer. Costs one statx an entry."),
        one("owner", "[!][USER][:GROUP]", "Only entries of this owner; ! for any other").long_help(
            "Only entries of this user, this group or both, by name or number; with ! in \
                 front those of any other. Costs one statx an entry; a name, one read of the \
                 database that it is in.",
        ),
    ];
    flags.map(|flag| flag.help_heading("Metadata")).into()
}

fn output_flags() -> Vec<Arg> {
    let when = || PossibleValuesParser::new(["auto", "always", "never"]);
    let flags = [
        switch("null", "End each path with NUL instead of a newline").short('0'),
        switch("json", "Print JSON Lines").conflicts_with("null"),
        switch("count", "Print only how many entries there are").conflicts_with("null"),
        switch("calls", "Say on stderr which system calls it took"),
        one("color", "WHEN", "Colour the paths after LS_COLORS")
            .long_help(
                "Colour the paths after LS_COLORS; auto: on a terminal. Costs one statx for each \
                 file and directory, as long as a colour depends on its mode, and for each link.",
            )
            .value_parser(when())
            .default_value("auto"),
        one("hyperlink", "WHEN", "Make the paths links")
            .value_parser(when())
            .num_args(0..=1)
            .require_equals(true)
            .default_value("never")
            .default_missing_value("always"),
    ];
    flags.map(|flag| flag.help_heading("Output")).into()
}
