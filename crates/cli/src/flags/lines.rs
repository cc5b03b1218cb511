//! The flags of `lines`.

use std::ffi::OsString;

use clap::{Arg, Command, ValueHint, value_parser};

use super::{ADDRESSES, AFTER, examples, one, switch};

/// The verb and its flags.
pub(super) fn verb() -> Command {
    Command::new("lines").about("Print, count or check lines, in blocks").defer(with_flags)
}

fn with_flags(verb: Command) -> Command {
    verb.long_about(format!(
        "Print the lines of files one behind the other, as they are, or what the flags say \
             of them. Without a FILE, or where FILE is -, the standard input is read.\n\n\
             Costs one read for each 256 KiB, and one that finds the end. Lines may have any \
             length and hold any bytes. Line numbers are those in the file, from 1; each file \
             begins anew.{ADDRESSES}"
    ))
    .after_help(examples::help("lines", AFTER))
    .args_override_self(true)
    .arg(
        Arg::new("path")
            .value_name("FILE")
            .num_args(0..)
            .value_parser(value_parser!(OsString))
            .value_hint(ValueHint::FilePath)
            .help("What to read; - is the standard input"),
    )
    .args(choice_flags())
    .args(report_flags())
    .args(output_flags())
    .args(super::store_flags())
}

fn choice_flags() -> Vec<Arg> {
    let first = || value_parser!(u64).range(1..);
    let flags = [
        one("from", "N", "Begin with line N").value_parser(first()),
        one("to", "N", "End with line N; what is behind it is not read").value_parser(first()),
        one("first", "N", "Only the first N lines; what is behind them is not read")
            .value_parser(value_parser!(u64))
            .conflicts_with_all(["from", "to"]),
        one("last", "N", "Only the last N lines")
            .value_parser(value_parser!(u64))
            .conflicts_with_all(["from", "to", "first"])
            .long_help(
                "Only the last N lines. A regular file is read backwards from its end, as far as \
                 it takes; of anything else only what is needed is kept. With --number or --json \
                 the whole of it is read, for the numbers.",
            ),
        switch("follow", "Go on with what is appended, until Ctrl-C, as tail -F does")
            .short('f')
            .conflicts_with_all(["to", "first", "count", "longest", "invalid", "json", "number"])
            .long_help(
                "Go on with what is appended, until Ctrl-C. A file is followed by its name, as \
                 tail -F does it: if another file gets the name, that one is followed from its \
                 beginning; one that was cut short from its beginning again; one that is not \
                 there once it is. Of several files whole lines are printed. Costs, for each \
                 change, one read that waits, one for what is new and one that finds the end.",
            ),
        switch("crlf", "A line ends with CR LF or LF, and is printed with LF")
            .conflicts_with_all(["null", "follow"]),
    ];
    flags.map(|flag| flag.help_heading("Lines")).into()
}

fn report_flags() -> Vec<Arg> {
    let flags = [
        switch("count", "Print how many lines there are, as wc -l does").conflicts_with_all([
            "from", "to", "first", "last", "number", "longest", "invalid", "crlf",
        ]),
        switch("longest", "Print the length of the longest line in bytes, and the file")
            .conflicts_with_all(["from", "to", "first", "last", "number", "invalid"])
            .long_help(
                "Print the length of the longest line, in bytes and without what ends it, and \
                 the file; of several files the greatest length as well. With --json also which \
                 line it is. (wc -L counts columns of a terminal instead.)",
            ),
        switch("invalid", "List the lines that are not UTF-8")
            .conflicts_with_all(["last", "number"])
            .long_help(
                "List the lines that are not UTF-8: number of the line, how many bytes of the \
                 file stand before the first bad one, and the line, with colons in between; with \
                 several files, the file in front. On a terminal what could steer it is escaped.",
            ),
    ];
    flags.map(|flag| flag.help_heading("Instead of the lines")).into()
}

fn output_flags() -> Vec<Arg> {
    let flags = [
        switch("number", "Put the number of the line in front, as cat -n does").short('n'),
        switch("null", "Lines end with NUL instead of a newline, in and out").short('0'),
        switch("json", "Print JSON Lines").conflicts_with("number"),
        switch("calls", "Say on stderr which system calls it took"),
    ];
    flags.map(|flag| flag.help_heading("Output")).into()
}
