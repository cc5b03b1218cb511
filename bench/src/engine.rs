//! What can be measured: `engines*.toml`, and where its programs are on this machine.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use serde::{Deserialize, Serialize};

use crate::definition::Definition;
use crate::options::Options;
use crate::tree::{self, Subject};

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Engine {
    pub(crate) about: String,
    pub(crate) program: String,
    /// Where the program is if neither installed nor in PATH; looked at first if given.
    at: Option<String>,
    /// A command that prints the program's path, for those behind a shim.
    #[serde(default)]
    resolve: Vec<String>,
    /// A command whose first line is the version.
    version: Vec<String>,
    /// What the version must contain.
    want: Option<String>,
    #[serde(default)]
    pub(crate) install: Vec<String>,
    #[serde(default)]
    pub(crate) build: Vec<String>,
    /// Relative to this folder: what is built is stale once this is newer.
    pub(crate) built_from: Option<String>,
    /// What `build` makes, if not installed/bin/PROGRAM.
    built: Option<String>,
    /// Made of the sources of this checkout: built anew before each run, whatever is there.
    #[serde(default)]
    pub(crate) of_this_checkout: bool,
    pub(crate) jobs: BTreeMap<String, EngineJob>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EngineJob {
    claims: Claim,
    command: Vec<String>,
    /// Of one that does its work many times: the same once. Its output is checked, its calls are
    /// counted.
    #[serde(default)]
    once: Vec<String>,
    /// How the work differs from printing each path.
    #[serde(default)]
    differs: String,
    /// Another exit status than 0 that is no failure.
    exit_also: Option<i32>,
    /// Whether it measures inside and prints that, as `… 7.25 ms`.
    #[serde(default)]
    inside: bool,
}

/// What an output is said to be. `engines.toml` explains each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Claim {
    All,
    Ordered,
    Below,
    Files,
    Count,
    Same,
    Rows,
    Invalid,
    Sum,
    Nothing,
    Anything,
}

pub(crate) type Engines = BTreeMap<String, Engine>;

/// A job of an engine that is on this machine, ready to run.
#[derive(Clone, Debug)]
pub(crate) struct Contender {
    /// `engine:job` or `engine:job@tree`
    pub(crate) label: String,
    pub(crate) tree: Subject,
    pub(crate) claim: Claim,
    pub(crate) differs: String,
    pub(crate) version: String,
    exit_also: Option<i32>,
    pub(crate) inside: bool,
    /// The command with {tree} still in it.
    command: Vec<String>,
    /// The same, doing its work once.
    once: Vec<String>,
    /// Both for people, without a folder of this machine; the second is empty if it is the first.
    pub(crate) shown: String,
    pub(crate) once_shown: String,
}

impl Contender {
    /// A command of one word that is no engine.
    pub(crate) fn plain(program: &str, claim: Claim, tree: Subject) -> Self {
        Contender {
            label: program.to_owned(),
            tree,
            claim,
            differs: String::new(),
            version: String::new(),
            exit_also: None,
            inside: false,
            command: vec![program.to_owned()],
            once: vec![program.to_owned()],
            shown: program.to_owned(),
            once_shown: String::new(),
        }
    }

    /// Whether a process that ended like this did its work.
    pub(crate) fn succeeded(&self, status: ExitStatus) -> bool {
        status.success() || (self.exit_also.is_some() && status.code() == self.exit_also)
    }

    /// What is timed.
    pub(crate) fn arguments(&self) -> Vec<String> {
        on(&self.command, self.tree.name())
    }

    /// What is checked and whose calls are counted.
    pub(crate) fn arguments_once(&self, tree: &str) -> Vec<String> {
        on(&self.once, tree)
    }
}

fn on(command: &[String], tree: &str) -> Vec<String> {
    command.iter().map(|part| part.replace("{tree}", tree)).collect()
}

pub(crate) fn load(options: &Options) -> Result<Engines, String> {
    let mut engines = Engines::new();
    for name in [
        "engines.toml", "engines-again.toml", "engines-bindings.toml", "engines-node.toml",
        "engines-shells.toml", "engines-watchers.toml",
    ] {
        let text = std::fs::read_to_string(options.bench.join(name))
            .map_err(|error| format!("{name}: {error}"))?;
        let more: Engines = toml::from_str(&text).map_err(|error| format!("{name}: {error}"))?;
        engines.extend(more);
    }
    Ok(engines)
}

impl Engine {
    /// The program's path and version, or what is missing.
    pub(crate) fn find(&self, options: &Options) -> Result<(PathBuf, String), String> {
        let program = self.program_path(options)?;
        if let Some(built) = self.built_path(options)
            && !built.exists()
        {
            return Err(format!("{} is not built", self.program));
        }
        let version = fill(&self.version, options, &program);
        let version = first_line(&version).ok_or(format!("{} has no version", self.program))?;
        match &self.want {
            Some(want) if !version.contains(want.as_str()) => {
                Err(format!("{version} instead of {want}"))
            }
            _ => Ok((program, version)),
        }
    }

    fn program_path(&self, options: &Options) -> Result<PathBuf, String> {
        if self.program == "fewer"
            && let Some(given) = &options.fewer
        {
            return Ok(given.clone());
        }
        if !self.resolve.is_empty() {
            let line = first_line(&self.resolve).ok_or(format!("{} not found", self.program))?;
            return Ok(PathBuf::from(line));
        }
        let at = self.at.as_ref().map(|at| PathBuf::from(fill_part(at, options, Path::new(""))));
        let found = match at {
            Some(at) => Some(at).filter(|at| at.is_file()),
            None => search(&self.program, options),
        };
        found.ok_or(format!("{} not found", self.program))
    }

    /// What the build step makes; None if there is no such step.
    pub(crate) fn built_path(&self, options: &Options) -> Option<PathBuf> {
        if self.build.is_empty() {
            return None;
        }
        let default = format!("{{installed}}/bin/{}", self.program);
        let built = self.built.as_deref().unwrap_or(&default);
        Some(PathBuf::from(fill_part(built, options, Path::new(""))))
    }
}

/// The engine of a label.
pub(crate) fn name_of(label: &str) -> &str {
    label.split(':').next().unwrap_or_default()
}

/// The contender for a label of a definition, or why there is none.
pub(crate) fn contender(
    engines: &Engines,
    definition: &Definition,
    label: &str,
    options: &Options,
) -> Result<Contender, String> {
    let (job, tree) = definition.job_and_tree(label);
    let (name, job) = job.split_once(':').ok_or(format!("{label} is not engine:job"))?;
    let engine = engines.get(name).ok_or(format!("engines.toml has no {name}"))?;
    let job = engine.jobs.get(job).ok_or(format!("{name} has no job {job}"))?;
    let (program, version) = engine.find(options)?;
    let command = with_watched(&job.command, &definition.watched);
    let once = if job.once.is_empty() { &job.command } else { &job.once };
    let once = with_watched(once, &definition.watched);
    let shown = |command: &[String]| {
        let words: Vec<String> = command.iter().map(|part| quoted(part)).collect();
        words
            .join(" ")
            .replace("{program}", &engine.program)
            .replace("{tree}", if label.contains('@') { tree } else { "TREE" })
            .replace("{bench}", "bench")
            .replace("{installed}", "bench/installed")
    };
    Ok(Contender {
        label: label.to_owned(),
        tree: tree::subject(tree)?,
        claim: job.claims,
        differs: job.differs.clone(),
        version,
        exit_also: job.exit_also,
        inside: job.inside,
        command: fill(&command, options, &program),
        once: fill(&once, options, &program),
        shown: shown(&command),
        once_shown: shown(&job.once),
    })
}

/// A watcher's command with what it watches.
fn with_watched(command: &[String], watched: &[String]) -> Vec<String> {
    let of = |part: &String| match part.as_str() {
        "{watched}" => watched.to_vec(),
        _ => vec![part.clone()],
    };
    command.iter().flat_map(of).collect()
}

/// As one would type it in a shell.
fn quoted(word: &str) -> String {
    String::from_utf8_lossy(&fewer::present::quote::word(word.as_bytes())).into_owned()
}

/// installed/bin first, so that a version that was asked for wins over another one.
pub(crate) fn search(program: &str, options: &Options) -> Option<PathBuf> {
    let installed = options.installed().join("bin").join(program);
    if installed.is_file() {
        Some(installed)
    } else {
        fewer::path::find_program(None, program).ok()
    }
}

/// A command with its places filled in, but for {tree}.
pub(crate) fn fill(command: &[String], options: &Options, program: &Path) -> Vec<String> {
    command.iter().map(|part| fill_part(part, options, program)).collect()
}

fn fill_part(part: &str, options: &Options, program: &Path) -> String {
    part.replace("{program}", &program.to_string_lossy())
        .replace("{bench}", &options.bench.to_string_lossy())
        .replace("{installed}", &options.installed().to_string_lossy())
}

/// The first line that is not empty, of stdout, else of stderr.
fn first_line(command: &[String]) -> Option<String> {
    let output = Command::new(command.first()?).args(&command[1..]).output().ok()?;
    [output.stdout, output.stderr].iter().find_map(|bytes| {
        let text = String::from_utf8_lossy(bytes);
        text.lines().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn once_is_another_command_only_where_there_is_one() {
        let options = Options::parse(std::iter::empty()).unwrap();
        let definition = Definition::load(&options, "walk-small").unwrap();
        let engines: Engines = toml::from_str(
            "[e]\nabout='x'\nprogram='true'\nversion=['echo','1']\n[e.jobs]\n\
             a={claims='count',command=['{program}','9','{tree}'],once=['{program}','{tree}']}\n\
             b={claims='count',command=['{program}','{tree}']}",
        )
        .unwrap();
        let one = contender(&engines, &definition, "e:a", &options).unwrap();
        assert_eq!(one.arguments()[1..], ["9", "small"]);
        assert_eq!(one.arguments_once("empty")[1..], ["empty"]);
        assert_eq!((one.shown.as_str(), one.once_shown.as_str()), ("true 9 TREE", "true TREE"));
        let one = contender(&engines, &definition, "e:b", &options).unwrap();
        assert_eq!(one.arguments_once("empty")[1..], ["empty"]);
        assert_eq!(one.once_shown, "");
    }

    #[test]
    fn what_a_watcher_watches_are_words_of_the_definition() {
        let options = Options::parse(std::iter::empty()).unwrap();
        let definition = Definition::load(&options, "watch-find").unwrap();
        let engines: Engines = toml::from_str(
            "[e]\nabout='x'\nprogram='true'\nversion=['echo','1']\n[e.jobs]\n\
             a={claims='same',command=['{program}','-c','{watched}']}",
        )
        .unwrap();
        let one = contender(&engines, &definition, "e:a", &options).unwrap();
        assert_eq!(one.arguments()[1..], ["-c", "find", "big"]);
        assert_eq!(one.arguments_once("big")[1..], ["-c", "find", "big"]);
        assert_eq!(one.shown, "true -c find TREE");
    }

    #[test]
    fn every_job_that_a_definition_names_exists() {
        let options = Options::parse(std::iter::empty()).unwrap();
        let engines = load(&options).unwrap();
        for name in Definition::names(&options).unwrap() {
            let definition = Definition::load(&options, &name).unwrap();
            for label in
                definition.engines.iter().chain(definition.helpers()).chain([&definition.truth])
            {
                let (engine, job) = definition.job_and_tree(label).0.split_once(':').unwrap();
                assert!(engines[engine].jobs.contains_key(job), "{label}");
            }
        }
    }
}
