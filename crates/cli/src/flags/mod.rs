//! The one table of verbs and flags: parser, help, man page and completions come from here.

#[cfg(tracer)]
mod budget;
#[cfg(tracer)]
mod count;
pub(crate) mod examples;
#[cfg(any(feature = "size", feature = "walk"))]
mod file_url;
#[cfg(feature = "lines")]
mod lines;
#[cfg(feature = "ls")]
mod ls;
#[cfg(feature = "tables")]
mod scan;
#[cfg(all(feature = "sh", target_os = "linux"))]
mod sh;
#[cfg(feature = "size")]
mod size;
#[cfg(feature = "walk")]
mod snapshot;
#[cfg(feature = "stores")]
pub(crate) mod store;
#[cfg(feature = "tables")]
pub(crate) mod table;
#[cfg(any(feature = "size", feature = "walk"))]
pub(crate) mod threads;
#[cfg(feature = "walk")]
mod walk;
#[cfg(all(feature = "walk", target_os = "linux"))]
mod watch;
#[cfg(tracer)]
mod watched;
#[cfg(tracer)]
mod why;

#[cfg(all(feature = "sh", target_os = "linux"))]
pub(crate) use sh::LETTERS;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
#[cfg(any(feature = "walk", tracer))]
use std::time::Duration;

#[cfg(feature = "manual")]
use clap::builder::StringValueParser;
use clap::builder::{PossibleValue, StyledStr, TypedValueParser};
use clap::{Arg, ArgAction, Command};

const AFTER: &str =
    "Exit status: 0 all well, 1 some entries failed, 2 wrong usage or nothing done.";

/// Behind the description of a verb that takes addresses of stores.
#[cfg(any(feature = "walk", feature = "ls", feature = "lines", feature = "size"))]
const ADDRESSES: &str = if cfg!(feature = "stores") {
    "\n\nAddresses of stores (s3://, gs://, az://, hdfs://, and https:// or http:// for WebDAV) in \
     place of paths cost no system call an entry, but requests: docs/stores.md says how many, and \
     which flags do not go with them."
} else {
    ""
};

/// The command with all its verbs.
pub(crate) fn fewer() -> Command {
    Command::new("fewer")
        .version(env!("CARGO_PKG_VERSION"))
        .about("File-system work in the fewest system calls")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .after_help(AFTER)
        .subcommands([
            #[cfg(feature = "walk")]
            walk::verb(),
            #[cfg(feature = "walk")]
            snapshot::snapshot(),
            #[cfg(feature = "walk")]
            snapshot::changes(),
            #[cfg(all(feature = "walk", target_os = "linux"))]
            watch::verb(),
            #[cfg(feature = "ls")]
            ls::verb(),
            #[cfg(feature = "lines")]
            lines::verb(),
            #[cfg(feature = "size")]
            size::verb(),
            #[cfg(feature = "tables")]
            scan::verb(),
            #[cfg(all(feature = "sh", target_os = "linux"))]
            sh::verb(),
            #[cfg(tracer)]
            why::verb(),
            #[cfg(tracer)]
            count::verb(),
            #[cfg(tracer)]
            budget::verb(),
            #[cfg(feature = "manual")]
            completions(),
            #[cfg(feature = "manual")]
            man(),
        ])
        .subcommands(crate::not_here::verbs())
}

#[cfg(feature = "manual")]
fn man() -> Command {
    let verb = Arg::new("verb").help("The page of this verb alone, without the others");
    let verb = completed(verb, StringValueParser::new(), || {
        let verbs = fewer();
        verbs.get_subcommands().map(|verb| value(verb.get_name().to_owned())).collect()
    });
    Command::new("man").about("Print the manual page, for man -l -").arg(verb)
}

#[cfg(feature = "manual")]
fn completions() -> Command {
    let shell = Arg::new("shell").required(true);
    let shell = shell.value_parser(clap::value_parser!(clap_complete::Shell));
    Command::new("completions").about("Print completions for a shell").arg(shell)
}

/// Where to start.
#[cfg(any(feature = "size", feature = "walk"))]
fn path() -> Arg {
    Arg::new("path")
        .value_name("PATH")
        .num_args(0..)
        .default_value(".")
        .value_parser(clap::builder::OsStringValueParser::new().try_map(file_url::to_path))
        .value_hint(clap::ValueHint::AnyPath)
        .help("Where to start: a path or file:///PATH")
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

/// How a store is reached, in a build that knows stores.
fn store_flags() -> Vec<Arg> {
    #[cfg(feature = "stores")]
    return store::flags();
    #[cfg(not(feature = "stores"))]
    Vec::new()
}

/// A time of at most a day: `200ms`, `30s`, `5m`.
#[cfg(any(feature = "walk", tracer))]
fn time(text: &str) -> Result<Duration, String> {
    const DAY_MS: u64 = 86_400_000;
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let unit_ms = match unit {
        "ms" => Some(1),
        "s" => Some(1000),
        "m" => Some(60_000),
        _ => None,
    };
    let number = number.parse::<u64>().ok();
    let time = number.zip(unit_ms).and_then(|(number, unit)| number.checked_mul(unit));
    time.filter(|&time| time <= DAY_MS)
        .map(Duration::from_millis)
        .ok_or_else(|| "expected a time like 200ms or 2s".to_owned())
}

/// The paths of a command line, as given.
pub(crate) fn paths(matches: &clap::ArgMatches) -> Vec<PathBuf> {
    matches.get_many::<OsString>("path").into_iter().flatten().map(PathBuf::from).collect()
}

/// Gives a flag the values that shells complete. Any other value is left to its parser.
fn completed<P>(flag: Arg, parser: P, values: fn() -> Vec<PossibleValue>) -> Arg
where
    P: TypedValueParser + Clone + Send + Sync + 'static,
    P::Value: Clone + Send + Sync + 'static,
{
    flag.value_parser(Completed { parser, values }).hide_possible_values(true)
}

/// Values with what they mean.
fn described(values: &'static [(&str, &str)]) -> Vec<PossibleValue> {
    values.iter().map(|(name, help)| PossibleValue::new(*name).help(*help)).collect()
}

/// A value whose name is put together. clap keeps it as long as the program runs: values are only
/// made for completions and complaints.
fn value(name: String) -> PossibleValue {
    PossibleValue::new(&*name.leak())
}

/// A parser, and the values that shells complete.
#[derive(Clone)]
struct Completed<P> {
    parser: P,
    values: fn() -> Vec<PossibleValue>,
}

impl<P> TypedValueParser for Completed<P>
where
    P: TypedValueParser + Clone + Send + Sync + 'static,
    P::Value: Clone + Send + Sync + 'static,
{
    type Value = P::Value;

    fn parse_ref(
        &self,
        command: &Command,
        flag: Option<&Arg>,
        value: &OsStr,
    ) -> Result<P::Value, clap::Error> {
        self.parser.parse_ref(command, flag, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.values)().into_iter()))
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_table_holds_together() {
        super::fewer().debug_assert();
    }

    #[test]
    fn the_commands_of_the_manual_are_understood() {
        let page = include_str!("../../../../docs/coming-from.md");
        let commands = page.split('`').filter(|code| code.starts_with("fewer "));
        assert!(commands.clone().count() > 40);
        for command in commands {
            let parsed = super::fewer().try_get_matches_from(words(command));
            assert!(parsed.is_ok(), "{command}: {}", parsed.unwrap_err());
        }
    }

    /// As a shell splits it. What is quoted is a whole word.
    fn words(command: &str) -> Vec<&str> {
        let parts = command.split('\'').enumerate();
        parts
            .flat_map(|(at, part)| match at % 2 {
                0 => part.split_whitespace().collect(),
                _ => vec![part],
            })
            .collect()
    }
}
