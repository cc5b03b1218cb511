//! The flags of `sh`.

use std::ffi::OsString;

use clap::builder::{OsStringValueParser, PossibleValue};
use clap::{Arg, ArgAction, Command, ValueHint, value_parser};

use super::{completed, examples, switch};

/// The letters of `set` that are flags as well: letter, long name, help.
pub(crate) const LETTERS: [(char, &str, &str); 8] = [
    ('e', "errexit", "Stop at the first command that fails"),
    ('u', "nounset", "A parameter that is not set is an error"),
    ('x', "xtrace", "Show each command before it runs"),
    ('n', "noexec", "Read the script, and run nothing"),
    ('f', "noglob", "Leave *, ? and [ as they are"),
    ('v', "verbose", "Show the script's lines as they are read: left to another shell"),
    ('C', "noclobber", "> does not overwrite files"),
    ('a', "allexport", "Export every variable that is assigned"),
];

/// The verb and its flags, for help, the manual page and completions. The command line itself is
/// parsed by `sh/line`, as shells parse theirs.
pub(crate) fn verb() -> Command {
    Command::new("sh")
        .about("Run a shell script whose subshells cost no system calls")
        .defer(with_flags)
}

fn with_flags(verb: Command) -> Command {
    let letters = LETTERS.map(|(letter, name, help)| switch(name, help).short(letter));
    verb.long_about(
        "Run a script in the language of POSIX sh, bash or ksh, as its first line says. \
             Subshells, command substitutions and pipes between builtins are not processes; \
             standard tools such as basename are done without one where that can be done exactly; \
             read takes blocks and not bytes.\n\n\
             A script that uses what is not done here is handed to its own interpreter, before \
             anything of it has run. That needs all of it: a script from the standard input is \
             read to its end first, and what it runs finds nothing more there.",
    )
    .after_help(examples::help(
        "sh",
        "+e, +o NAME, +O NAME and so on turn options off; letters can be packed: -euo \
             pipefail. A script whose name has no slash is looked \
             for in PATH as well.\n\n\
             Exit status: that of the script; 2 for wrong usage, or with --strict if there is \
             something that is not done here; 126 if the script cannot be run, 127 if it is not \
             there.",
    ))
    .args_override_self(true)
    .args(letters)
    .arg(option())
    .arg(switch("command", "The first word is the script's text; $0, $1, … follow").short('c'))
    .arg(switch("stdin", "The script is the standard input; all words are arguments").short('s'))
    .arg(shopt())
    .arg(switch("posix", "The script is POSIX sh; with --bash or --ksh, its posix mode"))
    .arg(switch("bash", "The script is bash"))
    .arg(switch("ksh", "The script is ksh93"))
    .arg(switch("interactive", "A shell to talk with: left to another").short('i'))
    .arg(switch("login", "A login shell: left to another").short('l'))
    .args([
        switch("norc", "Is for interactive shells: nothing else is read here"),
        switch("noprofile", "Is for login shells: nothing else is read here"),
    ])
    .arg(
        Arg::new("rcfile")
            .long("rcfile")
            .alias("init-file")
            .value_name("FILE")
            .value_hint(ValueHint::FilePath)
            .help("Is for interactive shells: nothing else is read here"),
    )
    .arg(switch("strict", "What is not done here is an error, not left to another shell"))
    .arg(switch("explain", "Run nothing: say what is not done here, with lines").long_help(
        "Run nothing: say for each construct that is not done here its line and what it \
                 is, and which interpreter would get the script for it; or that the script is \
                 run here. Exit status: 0 if it is run here, 1 if it would be handed over.",
    ))
    .arg(switch("no-builtins", "Always run standard tools as programs"))
    .arg(
        Arg::new("script")
            .value_name("SCRIPT")
            .num_args(0..)
            .trailing_var_arg(true)
            .value_parser(value_parser!(OsString))
            .value_hint(ValueHint::AnyPath)
            .help("The script and its arguments; none for the standard input"),
    )
}

fn option() -> Arg {
    let flag = Arg::new("option")
        .short('o')
        .value_name("NAME")
        .action(ArgAction::Append)
        .help("Turn on an option of set by its name: pipefail, …");
    completed(flag, OsStringValueParser::new(), || names(shell::option_names()))
}

fn shopt() -> Arg {
    let flag = Arg::new("shopt")
        .short('O')
        .value_name("NAME")
        .action(ArgAction::Append)
        .help("Turn on an option of shopt by its name, in bash: extglob, …");
    completed(flag, OsStringValueParser::new(), || names(shell::shopt_names()))
}

fn names(names: impl Iterator<Item = &'static str>) -> Vec<PossibleValue> {
    names.map(PossibleValue::new).collect()
}
