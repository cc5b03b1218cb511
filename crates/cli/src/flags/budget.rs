//! The flags of `budget`.

use clap::{Arg, Command, value_parser};

use super::examples;
use super::watched::{command, file};
use super::{one, switch};

const AFTER: &str = "Exit status: 0 all well, 1 a command asks for more than it may, ends in \
    another way or cannot be run, 2 wrong usage or nothing done.";

/// The placeholder for the number in a command. clap takes `{n}` for a newline, so it contains an
/// invisible sequence.
const ITEMS: &str = "{\u{1b}[1mn\u{1b}[0m}";

/// The verb, its own verbs and their flags.
pub(super) fn verb() -> Command {
    Command::new("budget")
        .about("Write down which system calls commands may make, and check it")
        .defer(with_flags)
}

fn with_flags(verb: Command) -> Command {
    verb.long_about(
        "Write down which system calls commands make on files, and fail when they make more: \
             for CI. `record` runs a command and writes a budget, `check` runs all commands of a \
             file of budgets against it. Each command is run once, unless --runs asks for more. \
             With --scale alone, calls per item are measured and printed, and nothing is \
             written.\n\n\
             What the loader asks before a program begins does not count. A command reads nothing \
             (its standard input is /dev/null), and what it prints is thrown away. It has the \
             environment of this one. docs/budget.md describes the file.",
    )
    .after_help(examples::help("budget", AFTER))
    .arg_required_else_help(true)
    .args_conflicts_with_subcommands(true)
    .args(scale_flags())
    .arg(runs("Run it N times with each number of items; the least count is taken"))
    .arg(all())
    .arg(json())
    .subcommand(record())
    .subcommand(check())
}

fn record() -> Command {
    Command::new("record")
        .about("Run a command, and write down what it may do")
        .long_about(format!(
            "Run a command once and write down in FILE what it may do: calls in total, by name, by \
             file; and their callers. With --runs 3 it is run three times, and what differs \
             between the runs becomes a range or a pattern. A budget of the same command is \
             replaced, anything else in the file stays as it is.\n\n\
             With --n, the command is run with several numbers of items in the place of {ITEMS}, \
             and its calls per item are written down.",
        ))
        .after_help(AFTER)
        .args_override_self(true)
        .arg(budgets("The file of budgets; made if it is not there"))
        .arg(command().trailing_var_arg(false).last(true).conflicts_with("scale"))
        .args(scale_flags())
        .arg(
            switch("prove", "Write down, too, how many remedies work; `check` then tries them")
                .long_help(
                    "Try the remedies for what the command wastes, as `fewer why --prove` does, \
                     and write down how many work. `check` fails when more do. It runs the \
                     command many times, in a scratch copy of all directories. docs/prove.md \
                     has the details.",
                )
                .conflicts_with_all(["n", "scale"]),
        )
        .arg(runs("Run the command N times; what differs between them becomes a range"))
        .arg(all())
        .arg(json())
}

fn check() -> Command {
    Command::new("check")
        .about("Run all commands of a file, and fail if one does more than it may")
        .long_about(
            "Run all commands of FILE once, each where it was recorded, and say which new calls it \
             makes, how many, on which file and from where. Fewer calls than allowed are fine. \
             With --runs 3 a command that does too much is run up to three times: what only some \
             runs do is chance.",
        )
        .after_help(AFTER)
        .args_override_self(true)
        .arg(budgets("The file of budgets"))
        .arg(runs("Run a command that does too much up to N times; the best run counts"))
        .arg(switch("bless", "Write down what commands ask for now").long_help(
            "Write down the calls that commands make now, be it more or less. Comments and order \
                 stay. A command that cannot be run or ends in another way is still a failure: \
                 record it anew if that is meant.",
        ))
        .arg(json())
        .arg(file("junit", "Write JUnit XML to FILE as well"))
}

fn budgets(help: &'static str) -> Arg {
    Arg::new("budgets")
        .value_name("FILE")
        .required(true)
        .value_parser(value_parser!(std::path::PathBuf))
        .value_hint(clap::ValueHint::FilePath)
        .help(help)
}

fn scale_flags() -> [Arg; 2] {
    [
        one("scale", "CMD", format!("Calls per item of a line for the shell, with {ITEMS} in it"))
            .requires("n")
            .long_help(format!(
                "Find out how many calls each further item costs: CMD is run by sh with each \
                 number of items in the place of {ITEMS}. The slope is exact, and what CMD costs \
                 whatever the number is not in it.",
            )),
        one(
            "n",
            "N,N",
            "Numbers of items; of more than two, those between are checked to be linear",
        )
        .value_delimiter(',')
        .value_parser(value_parser!(u64)),
    ]
}

fn runs(help: &'static str) -> Arg {
    one("runs", "N", help)
        .value_parser(|text: &str| match text.parse() {
            Ok(times @ 1..=1000) => Ok::<usize, _>(times),
            _ => Err("a number from 1 to 1000"),
        })
        .default_value("1")
}

fn all() -> Arg {
    switch("all", "Count every system call, not only those on files")
}

fn json() -> Arg {
    switch("json", "Print one JSON object")
}
