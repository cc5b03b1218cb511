//! The flags of `ls`: those of GNU ls, and what every verb here has.

use std::ffi::OsString;

use clap::builder::{OsStringValueParser, PossibleValuesParser, StringValueParser};
use clap::{Arg, ArgAction, Command, ValueHint, value_parser};

use super::{ADDRESSES, AFTER, completed, described, examples, many, one, switch};

/// The verb and its flags.
pub(super) fn verb() -> Command {
    Command::new("ls")
        .about("List directories: names for no call, metadata for one call an entry")
        .defer(with_flags)
}

fn with_flags(verb: Command) -> Command {
    let verb = verb
        .long_about(format!(
            "List the contents of directories, or files themselves, as GNU ls does in the C \
             locale, byte for byte.\n\n\
             Costs 4 system calls a directory, none an entry for names only, and one statx an \
             entry where a flag needs it. Differences from GNU ls: extended attributes (access \
             control lists, SELinux labels, capabilities) are only looked at with --marks; names \
             are ordered by their bytes; colours are on by themselves on a terminal; -R goes on \
             below paths of any length.{ADDRESSES}"
        ))
        .after_help(examples::help("ls", AFTER))
        .args_override_self(true)
        .infer_long_args(true)
        .disable_help_flag(true)
        .arg(
            Arg::new("path")
                .value_name("PATH")
                .num_args(0..)
                .value_parser(value_parser!(OsString))
                .value_hint(ValueHint::AnyPath)
                .help("What to list (default: the working directory)"),
        )
        .args(own_flags());
    #[cfg(feature = "stores")]
    let verb = super::store::keep_abbreviations(verb, &own_flags());
    verb.args(super::store_flags())
}

fn own_flags() -> Vec<Arg> {
    [choice_flags(), order_flags(), form_flags(), long_flags(), name_flags(), output_flags()]
        .concat()
}

/// The flags of all groups but the last, in the order of the help.
fn choice_flags() -> Vec<Arg> {
    let flags = [
        switch("all", "List names that start with a dot").short('a'),
        switch("almost-all", "The same without . and ..").short('A'),
        switch("ignore-backups", "Leave out names that end in ~").short('B'),
        many("ignore", "GLOB", "Leave out names that match")
            .short('I')
            .value_parser(value_parser!(OsString))
            .allow_hyphen_values(true),
        many("hide", "GLOB", "Leave out names that match, unless -a or -A")
            .value_parser(value_parser!(OsString))
            .allow_hyphen_values(true),
        switch("directory", "List directories themselves, not what is in them").short('d'),
        switch("recursive", "List directories below as well").short('R'),
        switch("tree", "List all that is below as a tree, with -l behind its columns")
            .long_help(
                "List all that is below as a tree; with -l, -i or -s behind their columns, which \
                 are aligned over all of it: it is read before the first line is printed.",
            )
            .conflicts_with_all(["json", "directory"]),
        switch("dereference", "Treat links as what they point to").short('L'),
        switch("dereference-command-line", "Treat links named on the command line so").short('H'),
        switch(
            "dereference-command-line-symlink-to-dir",
            "Treat links to directories named on the command line so",
        ),
    ];
    flags.map(|flag| flag.help_heading("What is listed")).into()
}

fn order_flags() -> Vec<Arg> {
    let words = ["none", "size", "time", "version", "extension", "width", "name"];
    let flags = [
        switch("by-time", "By time, the latest first").short('t'),
        switch("by-size", "By size, the largest first").short('S'),
        switch("by-extension", "By extension").short('X'),
        switch("by-version", "By name, numbers in it by their value").short('v'),
        switch("unsorted", "As the directory has them").short('U'),
        switch("fast", "The same as -a -U, without -l, -s and colours before it").short('f'),
        switch("reverse", "The other way round").short('r'),
        one("sort", "WORD", "By this").value_parser(PossibleValuesParser::new(words)),
        switch("group-directories-first", "Directories before all else"),
    ];
    let by_letter = |flag: Arg| match flag.get_short() {
        Some('r') | None => flag,
        Some(_) => flag.long(None),
    };
    flags.map(|flag| by_letter(flag).help_heading("Order")).into()
}

fn form_flags() -> Vec<Arg> {
    let words = ["across", "horizontal", "commas", "long", "verbose", "single-column", "vertical"];
    let flags = [
        switch("one", "One name a line").short('1').long(None),
        switch("long", "Mode, links, owner, group, size, time and name").short('l').long(None),
        switch("columns", "In columns").short('C').long(None),
        switch("across", "In columns, filled line by line").short('x').long(None),
        switch("commas", "With commas between names").short('m').long(None),
        one("format", "WORD", "In this form").value_parser(PossibleValuesParser::new(words)),
        one("width", "COLUMNS", "Lines are so wide; 0: there is no limit").short('w'),
        one("tabsize", "COLUMNS", "Tabs are so wide").short('T'),
        switch("zero", "End lines with NUL, and names as they are"),
        switch("json", "Print JSON Lines"),
    ];
    flags.map(|flag| flag.help_heading("Form")).into()
}

fn long_flags() -> Vec<Arg> {
    let flags = [
        switch("inode", "With inode numbers").short('i'),
        switch("size", "With the space that is taken").short('s'),
        switch("no-owner", "As -l, without the owner").short('g').long(None),
        switch("no-group-long", "As -l, without the group").short('o').long(None),
        switch("no-group", "Without the group").short('G'),
        switch("numeric-uid-gid", "As -l, with numbers for owner and group").short('n'),
        switch("author", "With the author, who is the owner"),
        switch("human-readable", "Sizes like 1.1K, 234M, 2G").short('h'),
        switch("si", "The same, in powers of 1000"),
        switch("kibibytes", "Space in KiB, whatever the environment says").short('k'),
        one("block-size", "SIZE", "Sizes in units of SIZE, such as 1M or KB"),
        switch("full-time", "As -l --time-style=full-iso"),
        one("time-style", "STYLE", "Times as full-iso, long-iso, iso, locale or +FORMAT")
            .long_help(
                "Times as full-iso, long-iso, iso, locale, or +FORMAT as for date(1); of two lines \
                 the first is for times that are older than half a year or in the future.",
            ),
        one("time", "WORD", "Which time: atime, ctime, mtime or birth").value_parser(
            PossibleValuesParser::new([
                "atime", "access", "use", "ctime", "status", "mtime", "modification", "birth",
                "creation",
            ]),
        ),
        switch("changed", "The time of the last change of metadata").short('c').long(None),
        switch("accessed", "The time of the last reading").short('u').long(None),
        switch("marks", "Look for access control lists and SELinux labels").long_help(
            "Look for access control lists (+ behind the mode) and SELinux labels (.). Costs one \
             llistxattr an entry; GNU ls does it always.",
        ),
    ];
    let with_values = |flag: Arg| match flag.get_id().as_str() {
        "block-size" => completed(flag, StringValueParser::new(), || described(UNITS)),
        "time-style" => completed(flag, OsStringValueParser::new(), || described(STYLES)),
        _ => flag,
    };
    flags.map(|flag| with_values(flag).help_heading("Metadata")).into()
}

/// The units of `--block-size`, for completions; others have a number in front.
const UNITS: &[(&str, &str)] = &[
    ("K", "1024 bytes"),
    ("M", "1024 K"),
    ("G", "1024 M"),
    ("KB", "1000 bytes"),
    ("MB", "1000 KB"),
    ("GB", "1000 MB"),
    ("human-readable", "as -h"),
    ("si", "as --si"),
];

/// The names of `--time-style`, for completions.
const STYLES: &[(&str, &str)] = &[
    ("full-iso", "2026-01-31 10:00:00.000000000 +0000"),
    ("long-iso", "2026-01-31 10:00"),
    ("iso", "01-31 10:00, or the year"),
    ("locale", "Jan 31 10:00, or the year"),
];

fn name_flags() -> Vec<Arg> {
    let when = ["always", "yes", "force", "never", "no", "none", "auto", "tty", "if-tty"];
    let when = move || PossibleValuesParser::new(when);
    let maybe = move |name, help| {
        many(name, "WHEN", help)
            .value_parser(when())
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value("always")
    };
    let quoting = [
        "literal", "shell", "shell-always", "shell-escape", "shell-escape-always", "c", "c-maybe",
        "escape", "locale", "clocale",
    ];
    let indicators = ["none", "slash", "file-type", "classify"];
    let flags = [
        switch("escape", "Escapes for what cannot be printed").short('b'),
        switch("hide-control-chars", "A ? for what cannot be printed").short('q'),
        switch("show-control-chars", "What cannot be printed as it is"),
        switch("literal", "Names as they are").short('N'),
        switch("quote-name", "Names in double quotes").short('Q'),
        one("quoting-style", "WORD", "Names quoted in this way")
            .value_parser(PossibleValuesParser::new(quoting)),
        maybe("classify", "Add one of */=@| to names").short('F'),
        switch("file-type", "Add one of /=@| to names"),
        switch("slash", "Add / to directories").short('p').long(None),
        one("indicator-style", "WORD", "Add to names")
            .value_parser(PossibleValuesParser::new(indicators)),
        maybe("color", "Colour names after LS_COLORS"),
        maybe("hyperlink", "Make names links"),
    ];
    flags.map(|flag| flag.help_heading("Names")).into()
}

fn output_flags() -> Vec<Arg> {
    let flags = [
        switch("calls", "Say on stderr which system calls it took"),
        Arg::new("help").long("help").action(ArgAction::Help).help("Print help"),
    ];
    flags.into()
}
