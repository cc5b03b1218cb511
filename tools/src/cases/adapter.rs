//! Adapters as `cases/adapters.toml` describes them: programs that do with a language's binding
//! what `fewer` does with the crate, so that all cases can be run through each language.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::format::Case;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// Rules for every adapter.
    #[serde(default)]
    skip: Vec<Rule>,
    #[serde(default)]
    adapter: Vec<Adapter>,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Adapter {
    pub(crate) name: String,
    pub(crate) mode: Mode,
    /// The command that builds it, if it has to be built.
    #[serde(default)]
    pub(crate) build: Vec<String>,
    /// The script that builds its program for Windows: from the library in a folder, into another.
    pub(crate) windows: Option<String>,
    /// Files that every user must be able to reach, by the names that they get in `{copies}`.
    #[serde(default)]
    pub(crate) copy: BTreeMap<String, String>,
    pub(crate) command: Vec<String>,
    /// The same program without any work: the cost of a process of this language by itself.
    #[serde(default)]
    pub(crate) empty: Vec<String>,
    /// Whether it takes `--calls` and reports its calls.
    #[serde(default)]
    pub(crate) reports_calls: bool,
    /// Process: calls that its run-time library makes for itself, for which no budget counts.
    #[serde(default)]
    pub(crate) uncounted: Vec<String>,
    #[serde(default)]
    pub(crate) env: BTreeMap<String, String>,
    /// Its own placeholders.
    #[serde(default)]
    places: BTreeMap<String, Placeholder>,
    #[serde(default)]
    skip: Vec<Rule>,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Mode {
    /// Started for each case, as `fewer` is.
    Process,
    /// Started once; cases are requests.
    Resident,
}

/// The value of an environment variable, or else a default.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Placeholder {
    variable: String,
    otherwise: String,
}

/// Cases to which all of this applies are skipped.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rule {
    reason: String,
    /// For adapters of this mode only.
    mode: Option<Mode>,
    file: Option<String>,
    #[serde(default)]
    cases: Vec<String>,
    field: Option<Field>,
    verb: Option<String>,
    /// `-x` or `--long`: the case has one of these,
    #[serde(default)]
    flags: Vec<String>,
    /// and not this one.
    unless: Option<String>,
}

/// What a case needs beyond words and a tree.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "snake_case")]
enum Field {
    User,
    Nofile,
    Closed,
    Inject,
    Pause,
    Env,
    Stdin,
    StdinFrom,
    StdoutTo,
    Signal,
}

/// What a process that runs already cannot be given, as messages.
const NOT_FOR_RESIDENTS: &[(Field, &str)] = &[
    (Field::User, "another user"),
    (Field::Nofile, "another limit of descriptors"),
    (Field::Closed, "closed streams"),
    (Field::Inject, "faults"),
    (Field::Pause, "changes while it runs"),
    (Field::Env, "another environment"),
    (Field::Stdin, "another standard input"),
    (Field::StdinFrom, "another standard input"),
    (Field::StdoutTo, "another standard output"),
    (Field::Signal, "an end by a signal"),
];

impl Field {
    fn is_in(self, case: &Case) -> bool {
        match self {
            Field::User => case.user.is_some(),
            Field::Nofile => case.nofile.is_some(),
            Field::Closed => !case.closed.is_empty(),
            Field::Inject => case.inject.is_some(),
            Field::Pause => case.pause.is_some(),
            Field::Env => !case.env.is_empty(),
            Field::Stdin => case.stdin.is_some(),
            Field::StdinFrom => case.stdin_from.is_some(),
            Field::StdoutTo => case.stdout_to.is_some(),
            Field::Signal => case.signal.is_some(),
        }
    }
}

impl Rule {
    fn applies(&self, file: &str, case: &Case) -> bool {
        let has = |flag: &String| has_flag(case, flag.as_bytes());
        let is = |wanted: &Option<String>, given: &[u8]| {
            wanted.as_ref().is_none_or(|wanted| wanted.as_bytes() == given)
        };
        is(&self.file, file.as_bytes())
            && (self.cases.is_empty() || self.cases.contains(&case.name))
            && self.field.is_none_or(|field| field.is_in(case))
            && is(&self.verb, &case.words(false)[0])
            && (self.flags.is_empty() || self.flags.iter().any(has))
            && !self.unless.as_ref().is_some_and(has)
    }
}

/// Whether a flag is on the case's command line: as a word, before a `=`, or, if it is a letter,
/// among several.
fn has_flag(case: &Case, flag: &[u8]) -> bool {
    let words = case.run.iter().map(|word| word.0.as_slice());
    let mut words = words.take_while(|word| *word != b"--");
    match flag {
        [b'-', letter] if *letter != b'-' => words.any(|word| {
            word.first() == Some(&b'-') && word.get(1) != Some(&b'-') && word.contains(letter)
        }),
        _ => words.any(|word| {
            word.strip_prefix(flag).is_some_and(|rest| rest.is_empty() || rest[0] == b'=')
        }),
    }
}

impl Adapter {
    /// The adapter of this name.
    pub(crate) fn find(text: &str, name: &str) -> Result<Adapter, String> {
        let File { skip, adapter } = toml::from_str(text).map_err(|error| error.to_string())?;
        let names: Vec<String> = adapter.iter().map(|adapter| adapter.name.clone()).collect();
        let mut found = adapter.into_iter().filter(|adapter| adapter.name == name);
        let Some(mut adapter) = found.next() else {
            return Err(format!("no adapter is called '{name}', but {}", names.join(", ")));
        };
        if found.next().is_some() {
            return Err(format!("two adapters are called '{name}'"));
        }
        if adapter.command.is_empty() {
            return Err(format!("{name}: no command"));
        }
        if (adapter.mode == Mode::Process) == adapter.empty.is_empty() {
            return Err(format!("{name}: 'empty' goes with the mode 'process'"));
        }
        let mode = adapter.mode;
        let is_for = |rule: &Rule| rule.mode.is_none_or(|only| only == mode);
        adapter.skip.extend(skip.into_iter().filter(is_for));
        Ok(adapter)
    }

    /// The reason not to run the case through this adapter.
    pub(crate) fn why_not(&self, file: &str, case: &Case) -> Option<String> {
        if let Some(rule) = self.skip.iter().find(|rule| rule.applies(file, case)) {
            return Some(rule.reason.clone());
        }
        if self.mode == Mode::Process {
            return None;
        }
        let missing = NOT_FOR_RESIDENTS.iter().find(|(field, _)| field.is_in(case));
        missing.map(|(_, what)| format!("a process that runs all cases cannot have {what}"))
    }
}

/// The values of placeholders, for words in braces.
pub(crate) struct Placeholders {
    pub(crate) root: PathBuf,
    pub(crate) target: PathBuf,
    /// The folder that programs are copied to.
    pub(crate) copies: PathBuf,
}

impl Placeholders {
    /// Fills the placeholders in the words of an adapter.
    pub(crate) fn fill(
        &self,
        words: &[String],
        adapter: &Adapter,
    ) -> Result<Vec<OsString>, String> {
        words.iter().map(|word| self.fill_one(word, adapter).map(OsString::from)).collect()
    }

    pub(crate) fn fill_one(&self, word: &str, adapter: &Adapter) -> Result<String, String> {
        let Some((front, rest)) = word.split_once('{') else { return Ok(word.to_owned()) };
        let (name, behind) =
            rest.split_once('}').ok_or_else(|| format!("'{word}': a brace is not closed"))?;
        let show = |path: &Path| path.display().to_string();
        let meant = match (name, adapter.places.get(name)) {
            ("root", _) => show(&self.root),
            ("target", _) => show(&self.target),
            ("copies", _) => show(&self.copies),
            (_, Some(placeholder)) => match std::env::var(&placeholder.variable) {
                Ok(value) => value,
                Err(_) => self.fill_one(&placeholder.otherwise, adapter)?,
            },
            _ => return Err(format!("'{word}': no placeholder is called '{name}'")),
        };
        Ok(format!("{front}{meant}{}", self.fill_one(behind, adapter)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = r#"
        [[skip]]
        reason = "general"
        flags = ["--color", "--colour"]
        unless = "--json"

        [[skip]]
        reason = "slow"
        mode = "resident"
        verb = "lines"

        [[adapter]]
        name = "one"
        mode = "process"
        command = ["{copies}/one", "{root}/x{target}", "{there}"]
        empty = ["true"]
        [adapter.places]
        there = { variable = "NO_SUCH_VARIABLE_IS_SET", otherwise = "{target}/there" }
        [[adapter.skip]]
        reason = "verbs"
        verb = "ls"
        flags = ["-l"]

        [[adapter]]
        name = "two"
        mode = "resident"
        command = ["two"]
    "#;

    fn case(text: &str) -> Case {
        let text = format!("[[case]]\nname = 'a'\n{text}");
        super::super::format::parse(&text).unwrap().remove(0)
    }

    fn why_not(name: &str, text: &str) -> Option<String> {
        Adapter::find(TWO, name).unwrap().why_not("file", &case(text))
    }

    #[test]
    fn rules_are_for_one_adapter_or_for_all() {
        assert_eq!(why_not("one", "run = ['ls', '-gl']").unwrap(), "verbs");
        assert_eq!(why_not("two", "run = ['ls', '-gl']"), None);
        assert_eq!(why_not("two", "run = ['walk', '--color=always']").unwrap(), "general");
        assert_eq!(why_not("two", "run = ['walk', '--color', '--json']"), None);
        assert_eq!(why_not("two", "run = ['lines']").unwrap(), "slow");
        assert_eq!(why_not("one", "run = ['lines']"), None);
        assert_eq!(why_not("one", "run = ['walk', '--colors', '--', '--color']"), None);
        assert_eq!(why_not("one", "run = ['walk', '-l']"), None);
        assert_eq!(why_not("one", "run = ['ls', '--al', 'l', '--', '-l']"), None);
        assert_eq!(why_not("one", "program = 'scope'\nrun = ['ls', '-l']"), None);
    }

    #[test]
    fn a_resident_has_one_environment_and_its_own_streams() {
        for text in ["user = 'nobody'", "stdin = 'x'", "env = { A = '1' }", "closed = ['stdin']"] {
            let text = format!("run = ['walk']\n{text}");
            assert!(why_not("two", &text).unwrap().contains("cannot have"), "{text}");
            assert_eq!(why_not("one", &text), None);
        }
    }

    #[test]
    fn places_are_filled_in() {
        let places = Placeholders { root: "/r".into(), target: "/t".into(), copies: "/c".into() };
        let adapter = Adapter::find(TWO, "one").unwrap();
        let command = places.fill(&adapter.command, &adapter).unwrap();
        assert_eq!(command, ["/c/one", "/r/x/t", "/t/there"]);
        assert!(places.fill_one("{nowhere}", &adapter).is_err());
        assert!(places.fill_one("{root", &adapter).is_err());
    }

    #[test]
    fn mistakes_are_not_overlooked() {
        let wrong = |from: &str, to: &str| Adapter::find(&TWO.replace(from, to), "one").err();
        assert!(wrong("reason = \"verbs\"", "reasons = 'x'").is_some());
        assert!(wrong("flags = [\"-l\"]", "field = 'colour'").is_some());
        assert!(wrong("empty = [\"true\"]", "").unwrap().contains("goes with"));
        assert!(wrong("\"two\"\n", "\"one\"\n").unwrap().contains("two adapters"));
        assert!(Adapter::find(TWO, "three").err().unwrap().contains("one, two"));
    }
}
