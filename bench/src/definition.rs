//! What is measured: one file in `definitions/` each.

use serde::{Deserialize, Serialize};

use crate::engine;
use crate::options::Options;
use crate::rounds::Stays;
use crate::tree;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Definition {
    /// The file's name without its ending.
    #[serde(skip)]
    pub(crate) name: String,
    pub(crate) about: String,
    /// What engines are pointed at: one of those that `tree` makes.
    pub(crate) tree: String,
    /// The run whose output is right, as `engine:job`.
    #[serde(default = "find")]
    pub(crate) truth: String,
    /// What calls are given by, if not what the tree suggests.
    per: Option<Unit>,
    /// Timed runs of each engine, after one that is not timed.
    pub(crate) rounds: u32,
    /// Jobs, as `engine:job`, that run once before anything is checked or timed, in this order, on
    /// each tree.
    #[serde(default)]
    pub(crate) prepare: Vec<String>,
    /// A job that puts something before the tree for as long as it runs: it says `ready`, and ends
    /// with its input. The trees are then reached through it.
    pub(crate) behind: Option<String>,
    /// What a watcher is given to watch: the words that stand for `{watched}` in its command.
    #[serde(default)]
    pub(crate) watched: Vec<String>,
    /// Whether the kernel forgets the tree before each run. Needs root.
    #[serde(default)]
    pub(crate) cold: bool,
    /// The run that targets are about, as `engine:job`.
    pub(crate) ours: String,
    /// The run that shows what the kernel costs.
    pub(crate) floor: String,
    /// `engine:job`, in the order of the first round; `engine:job@tree` runs on another tree.
    pub(crate) engines: Vec<String>,
    /// The engines whose calls are counted, as in `engines`; all by default. Counting makes a shell
    /// that forks for everything take minutes.
    counted: Option<Vec<String>>,
    #[serde(default, rename = "target")]
    pub(crate) targets: Vec<Target>,
}

/// A promise, judged on medians.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Target {
    pub(crate) says: String,
    pub(crate) measure: Measure,
    /// The runs that ours is compared to; the best of them counts.
    #[serde(default)]
    pub(crate) against: Vec<String>,
    pub(crate) at_least: Option<f64>,
    pub(crate) at_most: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Measure {
    /// Their time divided by ours: of whole processes, or inside, where ours measures inside.
    SpeedUp,
    /// Our time divided by theirs.
    TimeRatio,
    CallsPerDirectory,
    /// Calls beyond those on an empty directory, for each directory beyond the first; without
    /// futex, by which threads wait, and without write, by which paths are printed to be checked.
    CallsPerDirectoryMore,
    FutexPerDirectory,
    /// Of a listing, the root not being an entry.
    CallsPerEntry,
    /// Calls of the read family beyond those on nothing, for each 256 KiB.
    ReadsPerBlock,
    /// Calls for each 256 KiB, all of them.
    CallsPerBlock,
    /// Calls of the stat family, without those that the same command makes on an empty directory.
    Stats,
    /// Our calls less theirs.
    CallsMore,
    /// The same, whichever makes more.
    CallsApart,
    /// What ours measures inside its own process.
    InsideMs,
    /// MiB of resident memory.
    PeakMib,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Unit {
    Directory,
    Entry,
    /// 256 KiB.
    Block,
}

fn find() -> String {
    "find:walk".into()
}

impl Definition {
    pub(crate) fn load(options: &Options, name: &str) -> Result<Self, String> {
        let path = options.bench.join("definitions").join(format!("{name}.toml"));
        let text = std::fs::read_to_string(&path)
            .map_err(|error| format!("definition {name}: {error}"))?;
        Self::parse(name, &text)
    }

    fn parse(name: &str, text: &str) -> Result<Self, String> {
        let mut definition: Definition =
            toml::from_str(text).map_err(|error| format!("definition {name}: {error}"))?;
        name.clone_into(&mut definition.name);
        for label in &definition.engines {
            let (_, tree) = definition.job_and_tree(label);
            tree::subject(tree).map_err(|error| format!("definition {name}: {error}"))?;
        }
        let compared = definition.targets.iter().flat_map(|target| &target.against);
        let counted = definition.counted.iter().flatten();
        for label in compared.chain([&definition.ours, &definition.floor]).chain(counted) {
            if !definition.engines.contains(label) {
                return Err(format!("definition {name}: {label} is not one of its engines"));
            }
        }
        Ok(definition)
    }

    /// `engine:job` and the tree that it runs on.
    pub(crate) fn job_and_tree<'a>(&'a self, label: &'a str) -> (&'a str, &'a str) {
        label.split_once('@').unwrap_or((label, &self.tree))
    }

    /// Whether the calls of this run are counted.
    pub(crate) fn counts(&self, label: &str) -> bool {
        self.counted.as_ref().is_none_or(|counted| counted.iter().any(|other| other == label))
    }

    /// The jobs that are not measured but have to be there.
    pub(crate) fn helpers(&self) -> impl Iterator<Item = &String> {
        self.prepare.iter().chain(&self.behind)
    }

    /// What the kernel keeps of the tree.
    pub(crate) fn stays(&self) -> Stays {
        match (self.cold, &self.behind) {
            (true, _) => Stays::Cold,
            (false, Some(_)) => Stays::Far,
            (false, None) => Stays::Warm,
        }
    }

    /// What calls are given by.
    pub(crate) fn unit(&self) -> Result<Unit, String> {
        Ok(self.per.unwrap_or(tree::subject(&self.tree)?.unit()))
    }

    /// The names of all definitions, sorted.
    pub(crate) fn names(options: &Options) -> Result<Vec<String>, String> {
        let folder = options.bench.join("definitions");
        let entries = std::fs::read_dir(&folder).map_err(|error| error.to_string())?;
        let mut names: Vec<String> = entries
            .filter_map(Result::ok)
            .filter_map(|entry| Some(entry.file_name().to_str()?.strip_suffix(".toml")?.to_owned()))
            .collect();
        names.sort();
        Ok(names)
    }

    /// What to run, once `--engines` is respected: all of our own jobs and the floor's stay.
    pub(crate) fn labels(&self, options: &Options) -> Vec<String> {
        let wanted = |label: &&String| {
            let engine = engine::name_of(label);
            let ours = [&self.ours, &self.floor].iter().any(|own| engine::name_of(own) == engine);
            ours || options.engines.as_ref().is_none_or(|only| only.iter().any(|e| e == engine))
        };
        self.engines.iter().filter(wanted).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_definition_of_this_folder_is_sound() {
        let options = Options::parse(std::iter::empty()).unwrap();
        let names = Definition::names(&options).unwrap();
        assert!(names.len() >= 15);
        for name in names {
            let definition = Definition::load(&options, &name).unwrap();
            for target in &definition.targets {
                assert!(target.at_least.is_some() != target.at_most.is_some(), "{}", target.says);
            }
            assert!(definition.unit().is_ok());
        }
    }

    #[test]
    fn asking_for_some_engines_keeps_ours_and_the_floor() {
        let words = ["--engines", "find", "run"].map(str::to_owned);
        let options = Options::parse(words.into_iter()).unwrap();
        let definition = Definition::load(&options, "walk-big-sort").unwrap();
        let labels = definition.labels(&options);
        assert_eq!(labels, ["floor:two", "fewer:walk", "fewer:sort", "find:walk", "find:sort"]);
        let definition = Definition::load(&options, "walk-big-count").unwrap();
        assert!(!definition.labels(&options).contains(&"fd:walk".to_owned()));
    }

    #[test]
    fn comparing_to_an_engine_that_does_not_run_is_refused() {
        let text = "about='x'\ntree='small'\nrounds=1\nours='a:b'\nfloor='c:d'\nengines=['a:b']";
        assert!(Definition::parse("x", text).unwrap_err().contains("c:d is not one of"));
    }

    #[test]
    fn a_label_may_name_another_tree() {
        let text = "about='x'\ntree='small'\nrounds=1\nours='a:b'\nfloor='a:b@flat-3'\n\
                    engines=['a:b','a:b@flat-3']";
        let definition = Definition::parse("x", text).unwrap();
        assert_eq!(definition.job_and_tree("a:b"), ("a:b", "small"));
        assert_eq!(definition.job_and_tree("a:b@flat-3"), ("a:b", "flat-3"));
        let unknown = text.replace("flat-3", "flat-4");
        assert!(Definition::parse("x", &unknown).unwrap_err().contains("no tree is called flat-4"));
    }
}
