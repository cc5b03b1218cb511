//! Labels, in the format of `cases/why/*.toml`; `cases/why/README.md` describes each field.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde::Deserialize;

use crate::cases::item::Item;
use crate::checkout;

/// Files of the folder that are not about one kind of waste.
const LANGUAGES: &str = "languages";
const ORDINARY: &str = "ordinary";
pub(super) const WELL_MADE: &str = "well-made";
const PRICES: &str = "prices";

/// All of `cases/why/`.
pub(crate) struct Corpus {
    pub(crate) languages: Vec<Language>,
    pub(crate) programs: Vec<Program>,
    pub(crate) ordinary: Vec<Ordinary>,
    /// The tree for ordinary programs.
    pub(crate) scene: Scene,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Languages {
    language: Vec<Language>,
}

/// How to build and start a program, by its language.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Language {
    pub(crate) name: String,
    pub(crate) extension: String,
    #[serde(default)]
    pub(crate) needs: Vec<String>,
    #[serde(default)]
    pub(crate) build: Vec<String>,
    pub(crate) run: Vec<String>,
    /// It takes long to build its programs, or to start them.
    #[serde(default)]
    slow: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WasteKind {
    program: Vec<Program>,
}

/// A wasteful program and its mended twin.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Program {
    /// The kind of waste; the name of its file.
    #[serde(skip)]
    pub(crate) kind: String,
    pub(crate) name: String,
    #[serde(default, rename = "about")]
    _about: String,
    pub(crate) language: String,
    /// Its file without extension, if that differs from the program's name.
    source: Option<String>,
    #[serde(default)]
    pub(crate) needs: Vec<String>,
    #[serde(default)]
    pub(crate) tree: Vec<Item>,
    #[serde(default)]
    pub(crate) run: Vec<String>,
    #[serde(default)]
    pub(crate) env: BTreeMap<String, String>,
    pub(crate) stdin: Option<String>,
    /// A file that it writes: removed before the twin runs, and compared.
    pub(crate) writes: Option<String>,
    /// It changes the tree, which is made anew for the twin.
    #[serde(default)]
    pub(crate) changes: bool,
    pub(crate) finds: Vec<Finds>,
    /// What `fewer why --prove` must say.
    #[serde(default)]
    pub(crate) proves: Vec<Proves>,
    #[serde(default)]
    pub(crate) mended: Mended,
}

/// A remedy that can be tried from outside, or why none can.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Proves {
    /// A word of the remedy. The program does the same with it, in as few calls as its twin.
    pub(crate) remedy: Option<String>,
    /// How many calls it spares, if the twin does yet another thing; least and most.
    pub(crate) spares: Option<[u64; 2]>,
    /// A word of the reason why there is no proof.
    pub(crate) not: Option<String>,
}

/// How the twin differs, beyond its file.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Mended {
    /// Another file than that with `-mended` behind its name.
    pub(crate) source: Option<String>,
    pub(crate) run: Option<Vec<String>>,
    pub(crate) env: Option<BTreeMap<String, String>>,
}

/// A finding that must be there.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Finds {
    pub(crate) id: String,
    /// Wasted calls: at least, at most.
    pub(crate) wasted: Option<[u64; 2]>,
    /// A function in the stack of the most frequent caller.
    pub(crate) caller: Option<String>,
    /// A text in its source; its line must be in that stack.
    pub(crate) at: Option<String>,
    /// Words of the verdict,
    #[serde(default)]
    pub(crate) verdict: Vec<String>,
    /// and of the remedy.
    #[serde(default)]
    pub(crate) remedy: Vec<String>,
    /// It may be missing.
    #[serde(default)]
    pub(crate) optional: bool,
}

/// The tree for ordinary programs, made once, and how it is prepared.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Scene {
    #[serde(default)]
    pub(crate) tree: Vec<Item>,
    /// Commands for a shell.
    #[serde(default)]
    pub(crate) prepare: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OrdinaryFile {
    scene: Scene,
    program: Vec<Ordinary>,
}

/// More programs for the same tree.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WellMadeFile {
    program: Vec<Ordinary>,
}

/// A program of the system.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ordinary {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) needs: Vec<String>,
    pub(crate) run: Vec<String>,
    pub(crate) stdin: Option<String>,
    #[serde(default)]
    pub(crate) exit: i32,
    /// The true findings; any other is wrong.
    #[serde(default)]
    pub(crate) finds: Vec<Finds>,
}

impl Program {
    /// The kind of waste and the name.
    pub(crate) fn full(&self) -> String {
        format!("{}/{}", self.kind, self.name)
    }

    /// The names of its two files, without extension.
    pub(crate) fn sources(&self) -> [String; 2] {
        let own = self.source.as_ref().unwrap_or(&self.name);
        let mended = self.mended.source.clone().unwrap_or_else(|| format!("{own}-mended"));
        [own.clone(), mended]
    }
}

impl Ordinary {
    pub(crate) fn full(&self) -> String {
        format!("{ORDINARY}/{}", self.name)
    }
}

impl Corpus {
    pub(crate) fn language(&self, program: &Program) -> Result<&Language, String> {
        let found = self.languages.iter().find(|language| language.name == program.language);
        found.ok_or_else(|| format!("no language is called '{}'", program.language))
    }

    /// All programs; of a slow language only the first one.
    pub(crate) fn usual(&self) -> Vec<&Program> {
        let mut slow = BTreeSet::new();
        let is_usual = |program: &&Program| {
            let is_slow = self.language(program).is_ok_and(|language| language.slow);
            !is_slow || slow.insert(program.language.clone())
        };
        self.programs.iter().filter(is_usual).collect()
    }

    /// The reason why a program cannot be run here.
    pub(crate) fn missing(&self, program: &Program) -> Option<String> {
        let language = self.language(program).ok()?;
        not_installed(&language.needs).or_else(|| not_installed(&program.needs))
    }
}

pub(crate) fn not_installed(needs: &[String]) -> Option<String> {
    needs.iter().find_map(|program| checkout::program(program).err())
}

pub(crate) fn read(folder: &Path) -> Result<Corpus, String> {
    let text = |name: &str| {
        let path = folder.join(name).with_extension("toml");
        fs::read_to_string(&path).map_err(|why| format!("{}: {why}", path.display()))
    };
    let languages: Languages = parse(LANGUAGES, &text(LANGUAGES)?)?;
    let mut ordinary: OrdinaryFile = parse(ORDINARY, &text(ORDINARY)?)?;
    let well_made: WellMadeFile = parse(WELL_MADE, &text(WELL_MADE)?)?;
    ordinary.program.extend(well_made.program);
    let mut programs = Vec::new();
    for name in kinds(folder)? {
        let kind: WasteKind = parse(&name, &text(&name)?)?;
        programs.extend(kind.program.into_iter().map(|mut program| {
            program.kind.clone_from(&name);
            program
        }));
    }
    let mut names = BTreeSet::new();
    if let Some(twice) = programs.iter().map(Program::full).find(|name| !names.insert(name.clone()))
    {
        return Err(format!("two programs are called {twice}"));
    }
    Ok(Corpus {
        languages: languages.language,
        programs,
        ordinary: ordinary.program,
        scene: ordinary.scene,
    })
}

/// The kinds of waste that have a file of labels, sorted.
fn kinds(folder: &Path) -> Result<Vec<String>, String> {
    let listing = fs::read_dir(folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    let mut names: Vec<String> = listing
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .filter(|name| ![LANGUAGES, ORDINARY, WELL_MADE, PRICES].contains(&name.as_str()))
        .collect();
    names.sort();
    Ok(names)
}

fn parse<T: for<'de> Deserialize<'de>>(name: &str, text: &str) -> Result<T, String> {
    toml::from_str(text).map_err(|error| format!("{name}.toml: {error}"))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    /// Kinds of waste that have a rule.
    const KINDS: usize = 34;

    fn folder() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../cases/why")
    }

    #[test]
    fn every_kind_of_waste_has_programs() {
        let corpus = read(&folder()).unwrap();
        let kinds: BTreeSet<&str> =
            corpus.programs.iter().map(|program| program.kind.as_str()).collect();
        assert_eq!(kinds.len(), KINDS);
        let usual: BTreeSet<&str> =
            corpus.usual().iter().map(|program| program.kind.as_str()).collect();
        assert_eq!(usual, kinds, "the usual ones are about all kinds");
        for program in &corpus.programs {
            let name = program.full();
            assert!(program.finds.iter().any(|finds| finds.id == program.kind), "{name}");
        }
    }

    #[test]
    fn every_program_has_a_twin_and_every_file_a_label() {
        let corpus = read(&folder()).unwrap();
        let mut files = BTreeSet::new();
        for program in &corpus.programs {
            let extension = &corpus.language(program).unwrap().extension;
            for stem in program.sources() {
                files.insert(folder().join(&program.kind).join(format!("{stem}.{extension}")));
            }
        }
        for kind in kinds(&folder()).unwrap() {
            for entry in fs::read_dir(folder().join(kind)).unwrap() {
                let path = entry.unwrap().path();
                assert!(files.remove(&path), "{} has no label", path.display());
            }
        }
        assert!(files.is_empty(), "missing: {files:?}");
    }
}
