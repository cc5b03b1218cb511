//! A file of budgets: what is in it, and how it is read. `docs/budget.md` describes it.

use std::collections::BTreeMap;

use fewer::compact;
use fewer::present::lossless::from_base64;
use serde::Deserialize;

use crate::allowed::{Allowed, Files};
use crate::command::{Command, CommandLine, Run, Scale};
use crate::measured::Status;
use crate::pattern::Pattern;
use crate::range::Range;
use crate::ratio::Ratio;
use crate::slope::PerItem;
use trace::{Error, Name, Text};

/// What a file says, in its order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    /// Commands, and what they may do.
    pub commands: Vec<Command>,
    /// Commands, and what they may do per item.
    pub scales: Vec<Scale>,
}

impl Snapshot {
    /// Reads a file's text; `path` is for messages.
    ///
    /// # Errors
    ///
    /// It is not TOML, or says something that a budget does not know.
    pub fn parse(text: &[u8], path: &[u8]) -> Result<Snapshot, Error> {
        // What is wrong quotes the file, which may hold anything.
        let wrong = |line, why: String| {
            let why = fewer::present::escaped(why.as_bytes());
            Error::Format { path: path.into(), line, why }
        };
        let line_at =
            |at: usize| text[..at.min(text.len())].iter().filter(|b| **b == b'\n').count();
        let line_at = |at| line_at(at) as u64 + 1;
        let utf8 = std::str::from_utf8(text)
            .map_err(|error| wrong(line_at(error.valid_up_to()), "is not UTF-8".to_owned()))?;
        let file: File = toml_edit::de::from_str(utf8).map_err(|error| {
            let line = error.span().map_or(0, |span| line_at(span.start));
            wrong(line, error.message().trim_end().replace('\n', "; "))
        })?;
        let name = |name: &Option<String>, at| name.clone().unwrap_or(format!("number {at}"));
        let mut snapshot = Snapshot::default();
        for (at, command) in (1..).zip(file.command) {
            let title = name(&command.name, at);
            let command =
                command.meant().map_err(|why| wrong(0, format!("command {title}: {why}")))?;
            snapshot.commands.push(command);
        }
        for (at, scale) in (1..).zip(file.scale) {
            let title = name(&scale.name, at);
            let scale = scale.meant().map_err(|why| wrong(0, format!("scale {title}: {why}")))?;
            snapshot.scales.push(scale);
        }
        Ok(snapshot)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    command: Vec<CommandTable>,
    #[serde(default)]
    scale: Vec<ScaleTable>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CommandTable {
    name: Option<String>,
    run: RunValue,
    directory: Option<Word>,
    #[serde(default)]
    all: bool,
    exit: Option<u8>,
    signal: Option<i32>,
    total: Option<Limit>,
    proved: Option<u64>,
    calls: Option<BTreeMap<CallName, Limit>>,
    paths: Option<BTreeMap<PathPattern, BTreeMap<CallName, Limit>>>,
    #[serde(default)]
    callers: BTreeMap<String, BTreeMap<CallName, u64>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ScaleTable {
    name: Option<String>,
    run: RunValue,
    directory: Option<Word>,
    #[serde(default)]
    all: bool,
    exit: Option<u8>,
    signal: Option<i32>,
    n: Vec<u64>,
    total: Fraction,
    calls: BTreeMap<CallName, Fraction>,
    #[serde(default)]
    callers: BTreeMap<String, BTreeMap<CallName, Fraction>>,
}

impl CommandTable {
    fn meant(self) -> Result<Command, String> {
        let limits = |names: BTreeMap<CallName, Limit>| -> BTreeMap<Name, Range> {
            compact::map(names.into_iter().map(|(name, limit)| (name.0, limit.0)))
        };
        let files = self.paths.map(|paths| {
            Files::new(paths.into_iter().map(|(it, names)| (it.0, limits(names))).collect())
        });
        let callers = compact::map(self.callers.into_iter().map(|(caller, names)| {
            (caller, compact::map(names.into_iter().map(|(name, count)| (name.0, count))))
        }));
        let total = self.total.map(|limit| limit.0);
        let allowed = Allowed { total, names: self.calls.map(limits), files, callers };
        let status = status(self.exit, self.signal)?;
        let run = run(self.run, self.directory, self.all)?;
        Ok(Command { name: self.name, run, status, allowed, proved: self.proved })
    }
}

impl ScaleTable {
    fn meant(self) -> Result<Scale, String> {
        let ratios = |names: BTreeMap<CallName, Fraction>| -> BTreeMap<Name, Ratio> {
            compact::map(names.into_iter().map(|(name, ratio)| (name.0, ratio.0)))
        };
        let callers = self.callers.into_iter().map(|(caller, names)| (caller, ratios(names)));
        let callers = compact::map(callers);
        let per_item = PerItem { total: self.total.0, names: ratios(self.calls), callers };
        let status = status(self.exit, self.signal)?;
        let run = run(self.run, self.directory, self.all)?;
        if !run.line.has_placeholder() {
            return Err("there is no {n} in what is run".to_owned());
        }
        if self.n.len() < 2 || !self.n.is_sorted_by(|a, b| a < b) {
            return Err("n must be two numbers or more, growing".to_owned());
        }
        Ok(Scale { name: self.name, run, status, n: self.n, per_item })
    }
}

fn status(exit: Option<u8>, signal: Option<i32>) -> Result<Status, String> {
    match (exit, signal) {
        (Some(_), Some(_)) => Err("a command ends with exit or with signal, not both".to_owned()),
        (_, Some(signal)) => Ok(Status::Killed(signal)),
        (exit, None) => Ok(Status::Exited(exit.unwrap_or(0))),
    }
}

fn run(run: RunValue, directory: Option<Word>, all: bool) -> Result<Run, String> {
    let line = match run {
        RunValue::Shell(line) => CommandLine::Shell(line),
        RunValue::Words(words) => {
            CommandLine::Words(words.into_iter().map(Word::text).collect::<Result<_, _>>()?)
        }
    };
    if line.words().is_empty() {
        return Err("run is empty".to_owned());
    }
    Ok(Run { line, directory: directory.map(Word::text).transpose()?, all })
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "a list of words, or a text for the shell")]
enum RunValue {
    Shell(String),
    Words(Vec<Word>),
}

/// A text, or `{ bytes = BASE64 }` if it is not UTF-8.
#[derive(Deserialize)]
#[serde(untagged, expecting = "a text, or { bytes = BASE64 }")]
enum Word {
    Text(String),
    Bytes { bytes: String },
}

impl Word {
    fn text(self) -> Result<Text, String> {
        let bytes = match self {
            Word::Text(text) => text.into_bytes(),
            Word::Bytes { bytes } => {
                from_base64(&bytes).map_err(|error| format!("'{bytes}': {error}"))?
            }
        };
        Ok(Text(bytes.into()))
    }
}

#[derive(Deserialize, Eq, Ord, PartialEq, PartialOrd)]
#[serde(try_from = "String")]
struct CallName(Name);

impl TryFrom<String> for CallName {
    type Error = String;

    fn try_from(text: String) -> Result<CallName, String> {
        let name = Name::parse(&text);
        name.map(CallName).ok_or_else(|| format!("no system call is called '{text}'"))
    }
}

#[derive(Deserialize, Eq, Ord, PartialEq, PartialOrd)]
#[serde(try_from = "String")]
struct PathPattern(Pattern);

impl TryFrom<String> for PathPattern {
    type Error = String;

    fn try_from(text: String) -> Result<PathPattern, String> {
        Pattern::parse(&text).map(PathPattern)
    }
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "a number, or [least, most]")]
enum LimitValue {
    Exact(u64),
    Range([u64; 2]),
}

#[derive(Deserialize)]
#[serde(try_from = "LimitValue")]
struct Limit(Range);

impl TryFrom<LimitValue> for Limit {
    type Error = String;

    fn try_from(value: LimitValue) -> Result<Limit, String> {
        match value {
            LimitValue::Exact(count) => Ok(Limit(Range::from(count))),
            LimitValue::Range([least, most]) if least <= most => Ok(Limit(Range { least, most })),
            LimitValue::Range([least, most]) => Err(format!("{least} is more than {most}")),
        }
    }
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "a number, or a fraction such as \"1/16\"")]
enum FractionValue {
    Whole(i64),
    Text(String),
}

#[derive(Deserialize)]
#[serde(try_from = "FractionValue")]
struct Fraction(Ratio);

impl TryFrom<FractionValue> for Fraction {
    type Error = String;

    fn try_from(value: FractionValue) -> Result<Fraction, String> {
        let ratio = match &value {
            FractionValue::Whole(number) => Ratio::new(*number, 1),
            FractionValue::Text(text) => Ratio::parse(text),
        };
        let why = "a fraction is written as \"1/16\"";
        ratio.map(Fraction).ok_or_else(|| why.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"
# The lister.
[[command]]
run = ["./lister", "tree"]
total = 108
proved = 1
calls = { openat = 2, read = [3, 9] }

[command.paths]
"./tree/**" = { openat = 1 }

[command.callers]
"main at lister.c:14" = { openat = 1 }

[[scale]]
name = "find"
run = "find d{n}"
n = [100, 200]
total = "49/16"
calls = { openat = 1, write = "1/16" }
"#;

    fn parse(text: &str) -> Result<Snapshot, String> {
        Snapshot::parse(text.as_bytes(), b"b.toml").map_err(|error| error.to_string())
    }

    #[test]
    fn a_file_is_read() {
        let snapshot = parse(FILE).unwrap();
        let command = &snapshot.commands[0];
        assert_eq!(command.run.line, CommandLine::Words(vec!["./lister".into(), "tree".into()]));
        assert_eq!(command.status, Status::Exited(0));
        assert_eq!(command.allowed.total, Some(Range::from(108)));
        assert_eq!(command.proved, Some(1));
        let names = command.allowed.names.as_ref().unwrap();
        assert_eq!(names[&Name::Read], Range { least: 3, most: 9 });
        assert_eq!(command.allowed.callers["main at lister.c:14"][&Name::Openat], 1);
        let files = command.allowed.files.as_ref().unwrap();
        assert_eq!(files.line_of(b"./tree/x"), Some(0));
        let scale = &snapshot.scales[0];
        assert_eq!(scale.run.line, CommandLine::Shell("find d{n}".into()));
        assert_eq!(scale.per_item.names[&Name::Write], Ratio::new(1, 16).unwrap());
        assert_eq!(parse("").unwrap(), Snapshot::default());
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        for (from, to, said) in [
            ("total = 108", "total = 108 109", "line 5"),
            ("proved = 1", "proved = true", "invalid type"),
            ("total = 108", "totl = 108", "unknown field `totl`"),
            ("total = 108", "total = -1", "a number, or [least, most]"),
            ("[3, 9]", "[9, 3]", "9 is more than 3"),
            ("openat = 2,", "opnat = 2,", "no system call is called 'opnat'"),
            ("./tree/**", "\\\\q", "behind a backslash"),
            ("n = [100, 200]", "n = [200, 100]", "scale find: n must be two numbers"),
            ("n = [100, 200]", "n = [200]", "n must be two numbers"),
            ("d{n}", "d", "no {n}"),
            ("\"1/16\" }", "\"1/0\" }", "a fraction is written"),
            ("[\"./lister\", \"tree\"]", "[]", "command number 1: run is empty"),
            ("total = 108", "exit = 1\nsignal = 2", "not both"),
        ] {
            let text = FILE.replacen(from, to, 1);
            assert_ne!(text, FILE);
            let error = parse(&text).unwrap_err();
            assert!(error.starts_with("'b.toml'") && error.contains(said), "{said}: {error}");
        }
        let error = Snapshot::parse(b"a = 1\n\xff", b"b").unwrap_err().to_string();
        assert_eq!(error, "'b', line 2: is not UTF-8");
    }
}
