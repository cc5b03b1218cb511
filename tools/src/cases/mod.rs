//! `cases`: builds the tree of each case, runs the released binary on it, and judges its output,
//! its end and its calls. The cases are data, shared by all languages; `cases/README.md` describes
//! them.
//!
//! A case passes through: `format` (parse it) → `machine` (can it run here) → `tree` (make its
//! files) → `spawn` (run it) → `judge` (its output) → `budget`, `watcher` and `strace` (its calls).
//! `runner` calls them in turn. `subject` is the program under test: `fewer`, or an `adapter` for
//! another language, which may be `resident`.

mod adapter;
pub(crate) mod bare_root;
mod budget;
pub(crate) mod bytes;
mod file_system;
mod format;
mod interfere;
pub(crate) mod item;
mod judge;
mod machine;
mod resident;
mod runner;
mod spawn;
pub(crate) mod spent;
mod strace;
mod subject;
pub(crate) mod tree;
pub(crate) mod watcher;
mod windows;

use std::path::{Path, PathBuf};

use crate::checkout;
use crate::tally::Tally;
use adapter::{Adapter, Placeholders};
use bare_root::BareRoot;
use format::Case;
use runner::Runner;
use subject::{Host, Subject};
use tree::Scratch;
use windows::Wine;

struct Options {
    fewer: PathBuf,
    empty: PathBuf,
    through: Option<String>,
    target: PathBuf,
    words: Vec<String>,
    /// Run only each Nth case.
    every: usize,
    /// Run in a root that contains nothing else.
    chroot: bool,
    /// The programs are linked with musl.
    musl: bool,
    /// The program is for Windows, and Wine runs it.
    wine: bool,
    /// What the programs are run by, if they are for another machine.
    emulator: Option<String>,
    /// Calls are not judged.
    uncounted: bool,
    list: bool,
    keep: bool,
}

pub(crate) fn run(arguments: &[String]) -> Result<Tally, String> {
    let root = checkout::root()?;
    let options = options(arguments, &root)?;
    if let Some(status) = machine::in_own_namespace()? {
        // The runner inside has printed everything already.
        std::process::exit(status.code().unwrap_or(2));
    }
    for program in ["strace", "findmnt", "setpriv"] {
        if !checkout::has_program(program) {
            return Err(format!("{program} is not installed; run ./check for what to install"));
        }
    }
    let mut files = format::read(&root.join("cases"))?;
    let with = if options.wine { Case::with_windows } else { Case::with_musl };
    if options.wine || options.musl {
        for (_, cases) in &mut files {
            *cases = std::mem::take(cases).into_iter().map(with).collect();
        }
    }
    if options.list {
        return Ok(list(&options, &files));
    }
    let mut runner = runner(&options, root)?;
    let mut tally = Tally::default();
    for (file, case) in wanted(&options, &files) {
        runner.everywhere(file, case, &mut tally);
    }
    let is_partial = options.chroot || options.wine || options.emulator.is_some();
    if options.through.is_some() || is_partial {
        runner.sum_up_skips();
    }
    Ok(tally)
}

fn list(options: &Options, files: &[(String, Vec<Case>)]) -> Tally {
    let mut tally = Tally { passed: 1, ..Tally::default() };
    for (file, case) in wanted(options, files) {
        println!("{file}: {}", case.name);
        tally.skipped += 1;
    }
    tally
}

fn runner(options: &Options, root: PathBuf) -> Result<Runner, String> {
    let adapter = match &options.through {
        None => None,
        Some(name) => {
            let file = root.join("cases").join(format::ADAPTERS).with_extension("toml");
            let wrong = |why: String| format!("{}: {why}", file.display());
            let text = std::fs::read_to_string(&file).map_err(|why| wrong(why.to_string()))?;
            Some(Adapter::find(&text, name).map_err(wrong)?)
        }
    };
    let name = format!("fewer-cases-{}", std::process::id());
    let mut scratch = Scratch::new(std::env::temp_dir().join(name), None)?;
    scratch.keep = options.keep;
    let copies = scratch.here.clone();
    let subject = match adapter {
        None if options.wine => {
            Subject::windows(&options.fewer, &copies, Wine::start(&root, &copies)?)?
        }
        None => {
            let bare_root = options.chroot.then(|| BareRoot::new(&copies)).transpose()?;
            let programs = (options.fewer.as_path(), options.empty.as_path());
            let is_elsewhere = options.emulator.is_some() || options.uncounted;
            let host = Host {
                bare_root,
                emulator: options.emulator.clone(),
                is_elsewhere,
                is_counted: !options.chroot && !is_elsewhere,
            };
            Subject::fewer(programs, &copies, host, options.musl)?
        }
        Some(adapter) => {
            let places = Placeholders { root, target: options.target.clone(), copies };
            if options.wine {
                let wine = Wine::start(&places.root, &places.copies)?;
                Subject::windows_adapter(adapter, &options.fewer, &places, wine)?
            } else {
                Subject::adapter(adapter, &places)?
            }
        }
    };
    Runner::new(subject, scratch, options.keep)
}

fn options(arguments: &[String], root: &Path) -> Result<Options, String> {
    let target = checkout::target(root)?;
    let release = target.join("release");
    let mut options = Options {
        fewer: release.join("fewer"),
        empty: release.join("empty"),
        through: None,
        target,
        words: Vec::new(),
        every: 1,
        chroot: false,
        musl: false,
        wine: false,
        emulator: None,
        uncounted: false,
        list: false,
        keep: false,
    };
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("what belongs to {argument} is missing"));
        match argument.as_str() {
            "--fewer" => options.fewer = value()?.into(),
            "--empty" => options.empty = value()?.into(),
            "--through" => options.through = Some(value()?.clone()),
            "--every" => {
                let number = value()?;
                options.every = number
                    .parse()
                    .ok()
                    .filter(|&number| number > 0)
                    .ok_or_else(|| format!("--every takes a number from 1, not '{number}'"))?;
            }
            "--chroot" => options.chroot = true,
            "--musl" => options.musl = true,
            "--wine" => options.wine = true,
            "--emulator" => options.emulator = Some(value()?.clone()),
            "--uncounted" => options.uncounted = true,
            "--list" => options.list = true,
            "--keep" => options.keep = true,
            flag if flag.starts_with('-') => return Err(format!("'{flag}' is not an option")),
            word => options.words.push(word.to_owned()),
        }
    }
    Ok(options)
}

/// The cases that match the words, or a sample of them.
fn wanted<'a>(
    options: &'a Options,
    files: &'a [(String, Vec<Case>)],
) -> impl Iterator<Item = (&'a str, &'a Case)> {
    files
        .iter()
        .flat_map(|(file, cases)| cases.iter().map(move |case| (file.as_str(), case)))
        .filter(|(file, case)| is_wanted(&options.words, file, case))
        .step_by(options.every)
}

fn is_wanted(words: &[String], file: &str, case: &Case) -> bool {
    let full = format!("{file}: {}", case.name);
    words.iter().all(|word| full.contains(word))
}
