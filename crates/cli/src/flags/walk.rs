//! The flags of `walk`.

use std::ffi::OsString;

use clap::builder::StringValueParser;
use clap::builder::{OsStringValueParser, PossibleValue, PossibleValuesParser};
use clap::{Arg, Command, ValueHint, value_parser};

use super::{ADDRESSES, AFTER, completed, described, examples, many, one, switch, threads, value};

/// The verb and its flags.
pub(super) fn verb() -> Command {
    Command::new("walk").about("List everything below directories, in parallel").defer(with_flags)
}

fn with_flags(verb: Command) -> Command {
    verb.long_about(format!(
        "List everything below directories: the directories themselves and every entry below, \
             as `find` prints them, in parallel and in no particular order.\n\n\
             Costs 3 system calls a directory and none an entry. Nothing is left out unless a \
             flag says so.{ADDRESSES}"
    ))
    .after_help(examples::help("walk", AFTER))
    .args_override_self(true)
    .arg(super::path())
    .args(all_flags())
    .args(table_flags())
    .args(super::store_flags())
    .args(listing_flags())
}

#[cfg(feature = "tables")]
fn table_flags() -> Vec<Arg> {
    super::table::flags()
}

#[cfg(not(feature = "tables"))]
fn table_flags() -> Vec<Arg> {
    Vec::new()
}

#[cfg(feature = "stores")]
fn listing_flags() -> Vec<Arg> {
    vec![super::store::checkpoint(), super::store::max_keys(), super::store::inventory()]
}

#[cfg(not(feature = "stores"))]
fn listing_flags() -> Vec<Arg> {
    Vec::new()
}

/// Some of the flags, for another verb.
pub(super) fn flags_named(names: &'static [&'static str]) -> impl Iterator<Item = Arg> {
    all_flags().filter(|flag| names.contains(&flag.get_id().as_str()))
}

fn all_flags() -> impl Iterator<Item = Arg> {
    [
        name_flags(),
        tree_flags(),
        metadata_flags(),
        snapshot_flags(),
        output_flags(),
        command_flags(),
    ]
    .into_iter()
    .flatten()
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
        switch("full-path", "Let --glob and --regex look at the whole path, as printed").short('p'),
        switch("ignore-case", "Let names match in either case").short('i'),
        switch("case-sensitive", "The opposite of --ignore-case, and the default")
            .short('s')
            .overrides_with("ignore-case"),
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
        switch("hidden", "The opposite of --no-hidden, and the default")
            .short('H')
            .overrides_with("no-hidden"),
        switch("gitignore", "Neither print nor enter what git would ignore, nor .git").long_help(
            "Neither print nor enter what git would ignore, nor .git itself: .gitignore files on \
             the way and above the starting point up to the top of its repository, \
             .git/info/exclude, and the file that core.excludesFile names in git's configuration. \
             Nothing is left of a starting point that lies in an ignored directory. .gitignore \
             files count outside a repository as well.",
        ),
        switch("no-ignore", "The opposite of --gitignore, and the default")
            .short('I')
            .overrides_with("gitignore"),
        switch("unrestricted", "Both --hidden and --no-ignore")
            .short('u')
            .overrides_with_all(["no-hidden", "gitignore"]),
    ];
    flags.map(|flag| flag.help_heading("Names")).into()
}

fn tree_flags() -> Vec<Arg> {
    let [threads, max_threads] = threads::flags();
    let flags = [
        one("max-depth", "N", "Go down at most N levels")
            .short('d')
            .alias("maxdepth")
            .value_parser(value_parser!(usize)),
        one("min-depth", "N", "Print nothing above level N").value_parser(value_parser!(usize)),
        one("exact-depth", "N", "Print only level N")
            .value_parser(value_parser!(usize))
            .conflicts_with_all(["max-depth", "min-depth"]),
        switch("one-file-system", "Do not enter other file systems").aliases(["mount", "xdev"]),
        switch("follow", "Treat a link as what it points to").short('L'),
        switch("sort", "Depth-first, the names of each directory in byte order"),
        threads,
        max_threads,
        one("max-results", "N", "End after N entries")
            .value_parser(clap::builder::RangedU64ValueParser::<usize>::new().range(1..))
            .long_help(
                "End after N entries; with --sort they are the first ones. No directory is read \
                 after the last of them.",
            ),
        switch("max-one-result", "End after the first entry: --max-results=1")
            .short('1')
            .overrides_with("max-results"),
    ];
    flags.map(|flag| flag.help_heading("Tree")).into()
}

fn metadata_flags() -> Vec<Arg> {
    let flags = [
        many(
            "type",
            "TYPE",
            "Only f(ile) d(irectory) l(ink) p(ipe) s(ocket) b(lock) c(har) e(mpty) x (executable)",
        )
        .short('t')
        .value_delimiter(',')
        .long_help(
            "Only entries of this type; of several, any: f(ile), d(irectory), l(ink), p(ipe), \
             s(ocket), b(lock), c(har). With x also: files that anyone may execute, for one \
             statx each. With e also: files of no bytes, for one statx each, and directories \
             without entries, for 3 calls each.",
        ),
        many("size", "[+-]N[UNIT]", "Only entries larger, smaller, or of just this size")
            .short('S')
            .allow_hyphen_values(true)
            .long_help(
                "Only entries larger than +N, smaller than -N, or of just N bytes. Units: K M G \
                 T P (or KiB, …) are powers of 1024, KB MB … of 1000. Costs one statx an entry.",
            ),
        many("newer", "TIME-or-FILE", "Only entries modified after")
            .visible_alias("changed-within")
            .aliases(["changed-after", "change-newer-than"])
            .value_parser(value_parser!(OsString))
            .value_hint(ValueHint::FilePath)
            .long_help(
                "Only entries modified after a time: @SECONDS, 2026-01-31, '2026-01-31 10:00', \
                 with Z or an offset, or an age like 90s, 10min, 2h, 3d, 1w; or after the file \
                 of this name (./NAME is always a file). Costs one statx an entry.",
            ),
        many("older", "TIME-or-FILE", "Only entries modified before")
            .visible_alias("changed-before")
            .alias("change-older-than")
            .value_parser(value_parser!(OsString))
            .value_hint(ValueHint::FilePath)
            .long_help("Only entries modified before; as --newer. Costs one statx an entry."),
        one("owner", "[!][USER][:GROUP]", "Only entries of this owner; ! for any other")
            .short('o')
            .value_hint(ValueHint::Username)
            .long_help(
                "Only entries of this user, this group or both, by name or number; with ! in \
                 front those of any other. Costs one statx an entry; a name, one read of the \
                 database that it is in.",
            ),
    ];
    let with_values = |flag: Arg| match flag.get_id().as_str() {
        "type" => completed(flag, StringValueParser::new(), || described(TYPES)),
        _ => flag,
    };
    flags.map(|flag| with_values(flag).help_heading("Metadata")).into()
}

/// What `--since` means for addresses.
const SINCE_OF_STORES: &str = if cfg!(feature = "stores") {
    " Of an address of a store all is listed, and what is printed is what changed since the \
     listing that has written this file: A new, M changed, D gone, as `fewer changes` prints it."
} else {
    ""
};

fn snapshot_flags() -> Vec<Arg> {
    let flags = [
        one("since", "FILE", "Read only directories that changed since this snapshot")
            .value_parser(value_parser!(OsString))
            .value_hint(ValueHint::FilePath)
            .long_help(format!(
                "Read only directories that changed since this snapshot was made; what is printed \
                 is the same. Costs one statx for each directory that is known, instead of 3 \
                 calls. On NFS, FUSE, overlay and other file systems where a directory may \
                 change without a trace, all is read. A file that cannot be used is reported, \
                 and all is read.{SINCE_OF_STORES}"
            )),
        switch("update", "Write that snapshot anew, if anything changed")
            .requires("since")
            .conflicts_with_all(["follow", "exact-depth", "max-results", "max-one-result"])
            .long_help(
                "Write that snapshot anew, if anything changed; make it if it is missing. It has \
                 the directories that were entered now. Costs one statx more for each directory \
                 that is read, and a dozen calls for the file, which is replaced at once.",
            ),
    ];
    flags.map(|flag| flag.help_heading("Snapshot")).into()
}

fn output_flags() -> Vec<Arg> {
    let when = || PossibleValuesParser::new(["auto", "always", "never"]);
    let flags = [
        switch("null", "End each path with NUL instead of a newline")
            .short('0')
            .visible_alias("print0"),
        switch("json", "Print JSON Lines").conflicts_with("null"),
        switch("count", "Print only how many entries there are").conflicts_with("null"),
        switch("summary", "Print what there is: by type and extension, largest, deepest, newest")
            .conflicts_with_all(["null", "count"])
            .long_help(
                "Print what there is instead of paths: entries and bytes by type and by \
                 extension, the largest files, the deepest and the longest path, the newest and \
                 the oldest file. The bytes of a file with several names count once. Costs one \
                 statx an entry; --count, without bytes, costs none.",
            ),
        one("format", "TEMPLATE", "Print each entry after a template: '{path} {size}'")
            .allow_hyphen_values(true)
            .conflicts_with_all(["json", "count", "summary", "hyperlink"])
            .long_help(
                "Print each entry after a template, as a line. {} is the path, {/} its last name, \
                 {//} what is before that, {.} the path and {/.} the name without extension, {{ a \
                 brace; {path} {name} {parent} {stem} {type} {depth} {inode} cost no call; {size} \
                 {allocated} {links} {mode} {permissions} {user} {group} {uid} {gid} {mtime} \
                 {atime} {ctime} {btime} one statx an entry, however many; {target} one \
                 readlinkat a link. {mtime:%F} is a time in a format of date(1).",
            ),
        one("printf", "TEMPLATE", "Print each entry after a template of find: '%p %s\\n'")
            .value_parser(value_parser!(OsString))
            .allow_hyphen_values(true)
            .conflicts_with_all(["json", "count", "summary", "hyperlink", "null", "format"])
            .long_help(
                "Print each entry after a template of find's -printf, with its escapes and \
                 nothing behind it: %p path, %f name, %h what is before it, %P path below the \
                 starting point, %H that, %d depth, %y type, %l target; for one statx an entry \
                 %s size, %b blocks, %k KiB, %n links, %i inode, %m permissions, %M mode, %u %U \
                 user, %g %G group, %t %a %c times, and %T %A %C %B with a letter behind.",
            ),
        switch("absolute-path", "Print absolute paths").short('a').long_help(
            "Print absolute paths: the working directory stands in front of relative starting \
             points. Costs one getcwd.",
        ),
        switch("calls", "Say on stderr which system calls it took"),
        switch("no-progress", "Show no progress on a terminal"),
        one("color", "WHEN", "Colour the paths after LS_COLORS")
            .long_help(
                "Colour the paths after LS_COLORS; auto: on a terminal. Costs one statx for each \
                 file and directory, as long as a colour depends on its mode, and for each link.",
            )
            .short('c')
            .value_parser(when())
            .default_value("auto"),
        one("hyperlink", "WHEN", "Make the paths links")
            .value_parser(when())
            .num_args(0..=1)
            .require_equals(true)
            .default_value("never")
            .default_missing_value("always"),
    ];
    let with_values = |flag: Arg| match flag.get_id().as_str() {
        "format" => completed(flag, OsStringValueParser::new(), fields),
        _ => flag,
    };
    flags.map(|flag| with_values(flag).help_heading("Output")).into()
}

/// Templates of one field.
fn fields() -> Vec<PossibleValue> {
    let template = |(name, price)| value(format!("{{{name}}}")).help(price);
    fewer::format::names().map(template).collect()
}

/// The names of `--type`, for completions.
pub(super) const TYPES: &[(&str, &str)] = &[
    ("f", "files"),
    ("d", "directories"),
    ("l", "symbolic links"),
    ("p", "named pipes"),
    ("s", "sockets"),
    ("b", "block devices"),
    ("c", "character devices"),
    ("e", "empty files and directories"),
    ("x", "executable files"),
];

fn command_flags() -> Vec<Arg> {
    let command = |name, help| {
        many(name, "COMMAND", help)
            .num_args(1..)
            .value_terminator(";")
            .allow_hyphen_values(true)
            .value_parser(value_parser!(OsString))
            .value_hint(ValueHint::CommandName)
            .conflicts_with_all([
                "json", "count", "summary", "null", "format", "printf", "hyperlink",
            ])
    };
    let flags = [
        command("exec", "Run a command for each entry, several at a time").short('x').long_help(
            "Run a command for each entry, up to an argument ; or the end, --threads at a time. \
             {} is the path, {/} its last name, {//} what is before that, {.} the path and {/.} \
             the name without extension; without any of them the path is the last argument. \
             Nothing runs through a shell, and a path that begins with - gets ./ in front. The \
             output of each command comes in one piece; with -j 1 it is the terminal's, and so \
             is the input. Given twice, the second runs where the first succeeded. Exit status 1 \
             if any of them failed; a command that is not there ends the walk.",
        ),
        command("exec-batch", "Run a command for as many entries at once as it takes")
            .short('X')
            .conflicts_with("exec")
            .long_help(
                "Run a command for as many entries at once as the kernel takes, one such command \
                 after the other. One argument may have placeholders, as for --exec: it is \
                 repeated for each entry; without, the paths are the last arguments. It is not \
                 run for no entries. Costs one process for a few thousand entries.",
            ),
        one("batch-size", "N", "With --exec-batch, at most N entries at once")
            .value_parser(clap::builder::RangedU64ValueParser::<usize>::new().range(1..))
            .requires("exec-batch"),
    ];
    flags.map(|flag| flag.help_heading("Commands")).into()
}
