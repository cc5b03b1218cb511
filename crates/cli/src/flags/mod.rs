//! The one table of verbs and flags: parser, help, man page and completions come from here.

mod budget;
mod count;
mod lines;
mod ls;
mod sh;
mod walk;
mod watched;
mod why;

pub(crate) use sh::LETTERS;
use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::StyledStr;
use clap::{Arg, ArgAction, Command, value_parser};
use clap_complete::Shell;

const AFTER: &str =
    "Exit status: 0 all well, 1 some entries failed, 2 wrong usage or nothing done.";

/// The command with all its verbs.
pub(crate) fn fewer() -> Command {
    Command::new("fewer")
        .version(env!("CARGO_PKG_VERSION"))
        .about("File-system work in the fewest system calls")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .after_help(AFTER)
        .subcommand(walk::verb())
        .subcommand(ls::verb())
        .subcommand(lines::verb())
        .subcommand(sh::verb())
        .subcommand(why::verb())
        .subcommand(count::verb())
        .subcommand(budget::verb())
        .subcommand(completions())
        .subcommand(Command::new("man").about("Print the manual page, for man -l -"))
}

fn completions() -> Command {
    let shell = Arg::new("shell").required(true).value_parser(value_parser!(Shell));
    Command::new("completions").about("Print completions for a shell").arg(shell)
}

fn switch(name: &'static str, help: impl Into<StyledStr>) -> Arg {
    Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
}

fn many(name: &'static str, value: &'static str, help: impl Into<StyledStr>) -> Arg {
    one(name, value, help).action(ArgAction::Append)
}

fn one(name: &'static str, value: &'static str, help: impl Into<StyledStr>) -> Arg {
    Arg::new(name).long(name).value_name(value).help(help)
}

/// The paths of a command line, as given.
pub(crate) fn paths(matches: &clap::ArgMatches) -> Vec<PathBuf> {
    matches.get_many::<OsString>("path").into_iter().flatten().map(PathBuf::from).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_table_holds_together() {
        super::fewer().debug_assert();
    }
}
