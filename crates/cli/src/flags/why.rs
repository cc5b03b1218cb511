//! The flags of `why`.

use clap::Command;
use clap::builder::{PossibleValue, StringValueParser};

use super::watched::{AFTER, command, file, subject_flags};
use super::{completed, examples, many, one, switch, time, value};

/// The verb and its flags.
pub(super) fn verb() -> Command {
    Command::new("why")
        .about("Say which system calls a program wastes, from where, and what to do instead")
        .defer(with_flags)
}

fn with_flags(verb: Command) -> Command {
    verb.long_about(
        "Run a command once, or attach to a process, and say which of its system calls on \
             files were wasted: how many, from which function and line, what that costs, what to \
             do instead. The report goes to the standard error; what the command itself prints is \
             left alone.\n\n\
             What a remedy saves is measured behind the run: wasted calls that only look at \
             something are made again, for others the price of their kind is taken. How long a \
             run takes is estimated from the watched one; --baseline runs the command a second \
             time to measure it. docs/why.md explains each kind of finding.",
    )
    .after_help(examples::help("why", AFTER))
    .args_override_self(true)
    .arg(command())
    .args(subject_flags())
    .args(top_flags())
    .args(report_flags())
    .args(prove_flags())
}

fn top_flags() -> [clap::Arg; 2] {
    [
        switch("top", "Show what is wasted now, again and again, until the end")
            .conflicts_with_all(["from", "diff"])
            .long_help(
                "Show on the standard error, again and again, what was wasted since the last time: \
                 calls a second, and the findings that save the most. On a terminal it is written \
                 in place, elsewhere a block of lines follows the other. Ctrl-C ends it, with the \
                 report on everything; so does q where a running process is watched.",
            ),
        one("interval", "TIME", "How often (1s, 200ms): by default 1s on a terminal, else 2s")
            .value_parser(time)
            .requires("top"),
    ]
}

/// What cannot be had with a proof, which runs a command many times.
const NOT_PROVABLE: [&str; 12] = [
    "pid", "container", "unit", "for", "from", "top", "diff", "record", "html", "flame",
    "baseline", "no-preload",
];

fn prove_flags() -> [clap::Arg; 3] {
    [
        switch("prove", "Run the command with and without each remedy, and say what that gains")
            .conflicts_with_all(NOT_PROVABLE)
            .long_help(
                "Run the command many times, with and without each remedy that can be applied \
                 from outside, and say whether it does the same in less time. It runs in a scratch \
                 copy of all directories, without network, terminal and other processes: nothing \
                 outside is changed, and what it prints is compared and thrown away. How often it \
                 is run is said before. docs/prove.md describes it. Exit status: 0 if a remedy is \
                 proved, 1 if none is, 2 if nothing was done.",
            ),
        switch("prove-network", "Let the command use the network in its scratch copy")
            .requires("prove"),
        one("pairs", "N", "Pairs of runs for each remedy")
            .value_parser(|text: &str| match text.parse() {
                Ok(pairs @ 10..=1000) => Ok::<usize, _>(pairs),
                _ => Err("a number from 10 to 1000"),
            })
            .default_value("10")
            .requires("prove"),
    ]
    .map(|flag| flag.help_heading("Proof"))
}

fn report_flags() -> Vec<clap::Arg> {
    let flags = [
        switch("json", "Print one JSON object"),
        file("html", "Write a page with findings, timeline, flame graph and paths to FILE"),
        file("flame", "Write stacks and their counts to FILE, folded as flamegraph.pl reads them"),
        file("record", "Write all calls to FILE, for --from and --diff").conflicts_with("from"),
        threshold(),
        switch("baseline", "Run the command a second time, unwatched, to measure its time")
            .conflicts_with_all(["pid", "container", "unit", "for", "from"])
            .long_help(
                "Run the command a second time, unwatched and without output, to measure how long \
                 it takes. Without this it is run once, and that time is an estimate.",
            ),
        switch("no-preload", "Load nothing into programs in JavaScript to see their functions")
            .conflicts_with_all(["pid", "from"])
            .long_help(
                "Load nothing into programs in JavaScript. Their functions can be seen only if \
                 a small program is loaded into Node.js before them, which NODE_OPTIONS names; \
                 the program finds that variable as it was. Without it calls are attributed to \
                 Node.js itself. Nothing else changes.",
            ),
        diff(),
        file("prices", "Take what calls cost from FILE, a table, instead of measuring it")
            .long_help(
                "Take what calls cost from FILE instead of measuring it, so that the report is \
                 the same on every machine. docs/why.md describes the table.",
            )
            .conflicts_with("baseline"),
    ];
    flags.map(|flag| flag.help_heading("Report")).into()
}

fn threshold() -> clap::Arg {
    let flag =
        many("threshold", "KEY=VALUE", "Change when a finding is made: calls, share, milliseconds")
            .long_help(
                "Change when a finding is made. KEY is calls (wasted calls), share (of all \
                 calls, from 0 to 1) or milliseconds (saved in one run); in front of it may \
                 stand a kind of finding: same-stat.calls=10. May be given several times.",
            );
    completed(flag, StringValueParser::new(), || {
        let keys = ["calls=", "share=", "milliseconds="];
        let of_rules =
            trace::explain::rule_ids().into_iter().map(|id| value(format!("{id}.calls=")));
        keys.into_iter().map(PossibleValue::new).chain(of_rules).collect()
    })
}

fn diff() -> clap::Arg {
    file("diff", "Compare two recordings: calls, findings that are new, gone or changed, time")
        .value_names(["A", "B"])
        .num_args(2)
        .long_help(
            "Compare two recordings (or logs of strace): calls, time, and which findings are new, \
             have more or less wasted calls, or are gone in B. Nothing is measured: both have \
             the prices of one table. The result goes to the standard output. Exit status: 0 if \
             nothing got worse, 1 if a finding is new or has more wasted calls, 2 if a file \
             cannot be read.",
        )
        .conflicts_with_all([
            "command", "pid", "container", "unit", "for", "from", "record", "html", "flame",
            "baseline", "all", "no-stacks",
        ])
}
