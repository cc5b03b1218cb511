//! A case, in the format of `cases/*.toml`; `cases/README.md` describes each field.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use super::bytes::unescape;
use super::item::{Expected, Item};
use super::windows::OnWindows;

/// Programs that a case may run instead of `fewer`: they use the library where there is no verb.
/// They take `--calls` as their first argument.
const PROGRAMS: &[&str] = &["scope"];

/// One file of cases.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Cases {
    #[serde(default)]
    pub(crate) case: Vec<Case>,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    pub(crate) name: String,
    /// Why the case exists; for readers.
    #[serde(default, rename = "about")]
    _about: String,
    pub(crate) skip: Option<String>,
    #[serde(default)]
    pub(crate) needs: Vec<String>,
    #[serde(default)]
    pub(crate) on: Vec<String>,
    #[serde(default)]
    pub(crate) tree: Vec<Item>,

    /// Another program of the project than `fewer`.
    pub(crate) program: Option<String>,
    pub(crate) run: Vec<Bytes>,
    pub(crate) cwd: Option<Bytes>,
    #[serde(default)]
    pub(crate) env: BTreeMap<String, Bytes>,
    pub(crate) user: Option<String>,
    pub(crate) nofile: Option<u64>,
    #[serde(default)]
    pub(crate) closed: Vec<Stream>,
    /// Written into a pipe that is the standard input.
    pub(crate) stdin: Option<Bytes>,
    pub(crate) stdin_from: Option<Bytes>,
    pub(crate) stdout_to: Option<String>,
    pub(crate) inject: Option<Inject>,
    pub(crate) pause: Option<Pause>,
    #[serde(default)]
    pub(crate) meanwhile: Vec<Item>,

    pub(crate) stdout: Option<Vec<Expected>>,
    pub(crate) stdout_has: Option<Vec<Expected>>,
    pub(crate) stdout_lines: Option<usize>,
    pub(crate) json: Option<Vec<serde_json::Value>>,
    #[serde(default)]
    pub(crate) order: Order,
    #[serde(default)]
    pub(crate) ends: Terminator,
    #[serde(default)]
    pub(crate) unended: bool,
    #[serde(default)]
    pub(crate) stderr: Vec<Expected>,
    pub(crate) stderr_has: Option<Vec<Expected>>,
    #[serde(default)]
    pub(crate) exit: i32,
    pub(crate) signal: Option<Signal>,
    pub(crate) oracle: Option<Vec<Bytes>>,

    #[serde(default)]
    pub(crate) calls: BTreeMap<String, i64>,
    #[serde(default)]
    pub(crate) at_most: BTreeMap<String, i64>,
    /// The numbers of those that are others with musl.
    #[serde(default)]
    musl: BTreeMap<String, i64>,
    #[serde(default)]
    pub(crate) windows: OnWindows,
}

/// A string of a case, with its escapes resolved.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(try_from = "String")]
pub(crate) struct Bytes(pub(crate) Vec<u8>);

impl TryFrom<String> for Bytes {
    type Error = String;

    fn try_from(text: String) -> Result<Bytes, String> {
        unescape(&text).map(Bytes)
    }
}

#[derive(Clone, Copy, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Stream {
    Stdin,
    Stdout,
    Stderr,
}

/// Faults that strace injects into certain calls.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Inject {
    pub(crate) call: String,
    pub(crate) fault: String,
    pub(crate) of: Option<Bytes>,
}

/// Where the program is held while `meanwhile` happens.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pause {
    pub(crate) before: String,
    pub(crate) of: Option<Bytes>,
}

#[derive(Clone, Copy, Default, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Order {
    /// The lines are a set; what occurs twice counts twice.
    #[default]
    Any,
    /// As `any`, and every directory before its entries.
    Parents,
    /// The lines are a sequence.
    Given,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Terminator {
    #[default]
    Newline,
    Nul,
}

impl Terminator {
    pub(crate) fn byte(self) -> u8 {
        match self {
            Terminator::Newline => b'\n',
            Terminator::Nul => 0,
        }
    }
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum Signal {
    Int,
    Term,
    Hup,
    Pipe,
}

impl Signal {
    pub(crate) fn number(self) -> i32 {
        match self {
            Signal::Hup => 1,
            Signal::Int => 2,
            Signal::Pipe => 13,
            Signal::Term => 15,
        }
    }
}

impl Case {
    pub(crate) fn has_budget(&self) -> bool {
        !self.calls.is_empty() || !self.at_most.is_empty()
    }

    /// The case with the numbers of musl.
    pub(crate) fn with_musl(mut self) -> Case {
        let numbers = self.calls.iter_mut().chain(&mut self.at_most);
        for (name, number) in numbers {
            *number = self.musl.get(name).copied().unwrap_or(*number);
        }
        self
    }

    /// The name of the program that it runs.
    pub(crate) fn program(&self) -> &str {
        self.program.as_deref().unwrap_or("fewer")
    }

    /// A verb or the name of a program, and the arguments; `--calls` is the second word.
    pub(crate) fn words(&self, with_calls: bool) -> Vec<Vec<u8>> {
        let program = self.program.iter().map(|name| name.as_bytes().to_vec());
        let mut words: Vec<_> = program.chain(self.run.iter().map(|word| word.0.clone())).collect();
        if with_calls {
            words.insert(1, b"--calls".to_vec());
        }
        words
    }

    /// The arguments of its program.
    pub(crate) fn arguments(&self, with_calls: bool) -> Vec<Vec<u8>> {
        self.words(with_calls).split_off(usize::from(self.program.is_some()))
    }

    /// Contradictions that the types do not rule out.
    fn contradiction(&self) -> Option<&'static str> {
        let outputs = [self.stdout.is_some(), self.stdout_has.is_some(), self.json.is_some()];
        if outputs.iter().filter(|&&given| given).count() > 1 {
            return Some("only one of stdout, stdout_has and json can be given");
        }
        if self.pause.is_some() == self.meanwhile.is_empty() {
            return Some("pause and meanwhile go together");
        }
        if self.has_budget() && (self.pause.is_some() || self.inject.is_some()) {
            return Some("calls are not counted while strace interferes");
        }
        let has_number = |name| self.calls.contains_key(name) || self.at_most.contains_key(name);
        if !self.musl.keys().all(has_number) {
            return Some("musl has a number that neither calls nor at_most has");
        }
        if self.stdin.is_some() && self.stdin_from.is_some() {
            return Some("the standard input is one thing");
        }
        if self.run.is_empty() {
            return Some("run names no verb");
        }
        if self.program.as_deref().is_some_and(|name| !PROGRAMS.contains(&name)) {
            return Some("no such program");
        }
        None
    }
}

/// The file in the folder of cases that describes adapters instead.
pub(crate) const ADAPTERS: &str = "adapters";

/// The files there that hold no cases: adapters, and the versions of other programs (`peers.rs`).
const NO_CASES: &[&str] = &[ADAPTERS, "peers"];

/// All cases of a folder: the name of each file, without `.toml`, and what is in it.
pub(crate) fn read(folder: &Path) -> Result<Vec<(String, Vec<Case>)>, String> {
    let listing =
        std::fs::read_dir(folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    let mut files = Vec::new();
    for path in listing.filter_map(Result::ok).map(|entry| entry.path()) {
        let Some(stem) = path.file_stem().and_then(|stem| stem.to_str()) else { continue };
        let is_toml = path.extension().is_some_and(|extension| extension == "toml");
        if is_toml && !NO_CASES.contains(&stem) {
            let text = std::fs::read_to_string(&path).map_err(|why| format!("{stem}: {why}"))?;
            files.push((stem.to_owned(), parse(&text).map_err(|why| format!("{stem}: {why}"))?));
        }
    }
    files.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(files)
}

pub(crate) fn parse(text: &str) -> Result<Vec<Case>, String> {
    let cases: Cases = toml::from_str(text).map_err(|error| error.to_string())?;
    let mut names = std::collections::BTreeSet::new();
    for case in &cases.case {
        if let Some(why) = case.contradiction() {
            return Err(format!("{}: {why}", case.name));
        }
        if !names.insert(&case.name) {
            return Err(format!("two cases are called '{}'", case.name));
        }
    }
    Ok(cases.case)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CASE: &str = "[[case]]\nname = 'a'\nrun = ['walk', 'caf\\xe9']\n";

    #[test]
    fn what_is_not_said_has_a_plain_meaning() {
        let cases = parse(CASE).unwrap();
        let case = &cases[0];
        assert_eq!(case.run[1].0, b"caf\xe9");
        assert!(case.exit == 0 && case.stderr.is_empty() && case.order == Order::Any);
        assert!(!case.has_budget());
    }

    #[test]
    fn mistakes_are_not_overlooked() {
        for wrong in ["exti = 1", "order = 'sideways'", "calls = { openat = '3' }", "signal = 'X'"]
        {
            assert!(parse(&format!("{CASE}{wrong}")).is_err(), "{wrong}");
        }
        assert!(parse(&format!("{CASE}{CASE}")).err().unwrap().contains("two cases"));
    }

    #[test]
    fn contradictions_are_errors() {
        let both = format!("{CASE}stdout = []\nstdout_has = []");
        assert!(parse(&both).err().unwrap().contains("only one"));
        let lonely = format!("{CASE}pause = {{ before = 'openat', of = 'd' }}");
        assert!(parse(&lonely).err().unwrap().contains("go together"));
        let other = format!("{CASE}calls = {{ openat = 1 }}\nmusl = {{ close = 1 }}");
        assert!(parse(&other).err().unwrap().contains("neither calls nor at_most"));
    }
}
