//! Builds the programs of the corpus, and fills placeholders.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use super::label::{Corpus, Program, WELL_MADE};
use super::program_folder::{ProgramFolder, Side};
use crate::checkout;

/// The folders of sources and of built programs.
pub(crate) struct Builder {
    sources: PathBuf,
    built: PathBuf,
    /// The values of `{python}` and `{rustc}`: the program in PATH may be a wrapper that looks for
    /// them. And of `{well-made}`, the folder of programs that do their work as it should be done.
    found: Vec<(&'static str, String)>,
    /// Two programs may share a source.
    builds: Mutex<()>,
}

/// A program and its twin, ready to be started.
pub(crate) struct Ready {
    /// The words that start them, without the label's arguments: wasteful, mended.
    pub(crate) words: [Vec<String>; 2],
}

/// The values of a label's placeholders and texts.
pub(crate) struct Placeholders {
    /// The program's source: its name and its text.
    pub(crate) source: Option<(String, String)>,
    pub(crate) tree: String,
}

impl Builder {
    pub(crate) fn new(root: &Path, target: &Path) -> Result<Builder, String> {
        let says = |program: &str, words: &[&str]| {
            let said = checkout::output(Command::new(program).args(words)).ok()?;
            Some(String::from_utf8_lossy(&said).trim_end().to_owned())
        };
        let python = says("python3", &["-c", "import sys; print(sys.executable)"]);
        let rustc = says("rustc", &["--print", "sysroot"]).map(|root| format!("{root}/bin/rustc"));
        let sources = root.join("cases/why");
        let well_made = Some(sources.join(WELL_MADE).display().to_string());
        let found = [("{python}", python), ("{rustc}", rustc), ("{well-made}", well_made)];
        Ok(Builder {
            sources,
            built: target.join("why"),
            found: found.into_iter().filter_map(|(word, path)| Some((word, path?))).collect(),
            builds: Mutex::new(()),
        })
    }

    /// Builds a program, unless it is built already from the present source.
    pub(crate) fn make(&self, corpus: &Corpus, program: &Program) -> Result<Ready, String> {
        let language = corpus.language(program)?;
        let _alone = self.builds.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = self.built.join(&program.kind);
        fs::create_dir_all(&folder).map_err(|why| format!("{}: {why}", folder.display()))?;
        let mut words = Vec::new();
        for stem in program.sources() {
            let file = format!("{stem}.{}", language.extension);
            let source = self.sources.join(&program.kind).join(file);
            let out = folder.join(format!("{stem}.{}", language.name));
            let fill = |words: &[String]| -> Vec<String> {
                let words = words.iter().map(|word| {
                    let word = word.replace("{source}", &source.display().to_string());
                    self.fill(&word.replace("{out}", &out.display().to_string()))
                });
                words.collect()
            };
            let build = fill(&language.build);
            if let Some((tool, rest)) = build.split_first().filter(|_| is_older(&out, &source)) {
                // Compilers write into their user's home.
                checkout::output(Command::new(tool).args(rest).env("HOME", &self.built))?;
            }
            words.push(fill(&language.run));
        }
        let [wasteful, mended] = [0, 1].map(|side| words[side].clone());
        Ok(Ready { words: [wasteful, mended] })
    }

    /// Fills the placeholders that are the same for all programs.
    pub(crate) fn fill(&self, word: &str) -> String {
        self.found.iter().fold(word.to_owned(), |word, (name, path)| word.replace(name, path))
    }

    /// The values for the label of a program.
    pub(crate) fn placeholders(
        &self,
        program: &Program,
        side: Side,
        program_folder: &ProgramFolder,
    ) -> Placeholders {
        let stem = &program.sources()[side as usize];
        let folder = self.sources.join(&program.kind);
        let listing = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
        let mut files = listing.filter(|entry| {
            let path = entry.path();
            path.file_stem().is_some_and(|found| found == stem.as_str())
        });
        let source = files.next().and_then(|entry| {
            let name = entry.file_name().to_str()?.to_owned();
            Some((name, fs::read_to_string(entry.path()).ok()?))
        });
        Placeholders { source, tree: program_folder.tree().display().to_string() }
    }
}

/// Whether `out` has to be made from `source`. A folder is as old as the file written last in it.
fn is_older(out: &Path, source: &Path) -> bool {
    let changed = |path: &Path| fs::metadata(path).and_then(|about| about.modified());
    let inside = fs::read_dir(out).into_iter().flatten().filter_map(Result::ok);
    let latest = inside.filter_map(|entry| changed(&entry.path()).ok()).max();
    match (latest.map_or_else(|| changed(out), Ok), changed(source)) {
        (Ok(out), Ok(source)) => out < source,
        _ => true,
    }
}
