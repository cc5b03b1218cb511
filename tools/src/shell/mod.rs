//! `sh`: compares `fewer sh` with other shells: by cases whose results came from dash, bash and
//! ksh93 (`cases/sh`), by random scripts that those shells run as well, and by scripts of this
//! machine.
//!
//! A case passes through: `format` (parse it) → `script_folder` (run it) → `compare` (the
//! differences) → `cases::spent` (its calls).

mod compare;
pub(crate) mod format;
mod random;
mod real;
mod script_folder;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::cases::spent::Spent;
use crate::cases::watcher;
use crate::checkout;
use crate::tally::Tally;
use compare::differences;
use format::{Case, Dialect};
use script_folder::{Run, ScriptFolder};

/// The shell that runs the scripts.
#[derive(Clone)]
enum Shell {
    /// `fewer sh --DIALECT`.
    Fewer(PathBuf),
    /// The same in a root of its own, started by these words.
    Bare { words: Vec<OsString>, program: PathBuf },
    /// The same, run by an emulator of another machine, or a program for another one that runs
    /// here: its calls are not judged.
    Elsewhere(Vec<OsString>),
    /// The reference shell of each language.
    Judges,
    /// These words for every language.
    Other(Vec<String>),
}

struct Options {
    shell: Shell,
    dialects: Vec<Dialect>,
    words: Vec<String>,
    /// Run only each Nth case.
    every: u64,
    act: Act,
    /// The seed of the first random script.
    seed: u64,
    /// Whether random scripts have syntax errors.
    broken: bool,
    /// Run in a root that contains nothing else.
    chroot: bool,
    keep: bool,
}

/// The scripts to run.
#[derive(Clone, Copy, PartialEq)]
enum Act {
    Cases,
    List,
    Random(u64),
    Scripts,
}

impl Shell {
    /// Why a case cannot be run.
    fn too_slow(&self, case: &str) -> Option<&'static str> {
        let is_slow = matches!(self, Shell::Elsewhere(_))
            && case == "bad-input: substitutions that braces copy, in each other";
        is_slow.then_some("a program that is not optimised works at it for 6 seconds, and longer")
    }

    /// The words before the script.
    fn front(&self, dialect: Dialect) -> Result<Vec<OsString>, String> {
        Ok(match self {
            Shell::Fewer(path) => {
                vec![path.into(), "sh".into(), format!("--{dialect}").into()]
            }
            Shell::Bare { words, .. } | Shell::Elsewhere(words) => {
                let rest = ["sh".into(), format!("--{dialect}").into()];
                words.iter().cloned().chain(rest).collect()
            }
            Shell::Judges => vec![checkout::program(dialect.judge())?.into()],
            Shell::Other(words) => words.iter().map(OsString::from).collect(),
        })
    }
}

pub(crate) fn run(arguments: &[String]) -> Result<Tally, String> {
    let root = checkout::root()?;
    let mut options = options(arguments, &root)?;
    match options.act {
        Act::Cases | Act::List => cases(&mut options, &root),
        Act::Random(count) => random::run(&options, count, options.seed),
        Act::Scripts => real::run(&options, &root),
    }
}

fn cases(options: &mut Options, root: &Path) -> Result<Tally, String> {
    let files = format::read(&root.join("cases/sh"))?;
    let mut tally = Tally::default();
    if options.act == Act::List {
        tally.passed = 1;
    }
    let script_folder = ScriptFolder::new(options.keep)?;
    if let (true, Shell::Fewer(program)) = (options.chroot, &options.shell) {
        let (words, program) = (script_folder.bare(program)?, program.clone());
        options.shell = Shell::Bare { words, program };
    }
    let mut found = 0_u64;
    for (file, cases) in &files {
        for case in cases {
            let full = format!("{file}: {}", case.name);
            if !options.words.iter().all(|word| full.contains(word)) {
                continue;
            }
            found += 1;
            if !(found - 1).is_multiple_of(options.every) {
                continue;
            }
            if options.act == Act::List {
                println!("{full}");
                tally.skipped += 1;
                continue;
            }
            for dialect in case.shells.iter().filter(|shell| options.dialects.contains(shell)) {
                if let Some(why) = case.skip.as_deref().or_else(|| options.shell.too_slow(&full)) {
                    println!("skipped: {full}: {why}");
                    tally.skipped += 1;
                    continue;
                }
                let under = |shell: &Shell| {
                    one(shell, &script_folder, case, *dialect).unwrap_or_else(|why| vec![why])
                };
                let wrong = under(&options.shell);
                if let (false, Shell::Bare { program, .. }) = (wrong.is_empty(), &options.shell)
                    && under(&Shell::Fewer(program.clone())).is_empty()
                {
                    tally.skipped += 1;
                    continue;
                }
                for what in &wrong {
                    println!("failed: {full} ({dialect}): {what}");
                }
                tally.count(wrong.is_empty());
            }
        }
    }
    if matches!(options.shell, Shell::Bare { .. }) {
        println!("what is skipped needs a program or a file of the machine, and works with them");
    }
    Ok(tally)
}

/// The failures of a case in a language.
fn one(
    shell: &Shell,
    script_folder: &ScriptFolder,
    case: &Case,
    dialect: Dialect,
) -> Result<Vec<String>, String> {
    let expected = case.expected(dialect)?;
    let script = case.script()?;
    let mut front = shell.front(dialect)?;
    front.extend(case.options.iter().map(OsString::from));
    let mut run = Run {
        front,
        script: &script,
        at: None,
        command: case.command,
        args: case.args()?,
        stdin: case.stdin()?,
        env: case.env.clone().into_iter().collect(),
    };
    script_folder.set(&case.files()?, &case.executable)?;
    let (outcome, stderr) = script_folder.run(&run)?;
    let mut wrong = differences(&expected, &outcome);
    if !wrong.is_empty() && !stderr.is_empty() {
        wrong.push(format!("stderr: {}", crate::cases::bytes::show(&stderr)));
    }
    let is_counted = case.processes.or(case.calls).or(case.at_most).is_some();
    if is_counted && matches!(shell, Shell::Fewer(_)) {
        let spent = spent(script_folder, case, &mut run, &script)?;
        wrong.extend(compare::over_budget(case, &spent));
    }
    Ok(wrong)
}

/// The calls of a script beyond those of a script that does nothing.
fn spent<'a>(
    script_folder: &ScriptFolder,
    case: &Case,
    run: &mut Run<'a>,
    script: &'a [u8],
) -> Result<Spent, String> {
    let log = script_folder.beside("calls");
    let words = watcher::words(log.as_os_str())?;
    run.front.splice(0..0, words);
    let mut counted = |script: &'a [u8]| {
        run.script = script;
        script_folder.set(&case.files()?, &case.executable)?;
        // A file that an earlier run has left would be taken for this one's.
        let _ = std::fs::remove_file(&log);
        let (_, stderr) = script_folder.run(run)?;
        let text = std::fs::read_to_string(&log).map_err(|why| {
            format!("nothing was counted: {why}; stderr: {}", String::from_utf8_lossy(&stderr))
        })?;
        Ok::<_, String>(Spent::read(&text))
    };
    // Not quite empty: a file without a byte is read with one call less.
    let zero = counted(b":\n")?;
    Ok(counted(script)?.minus(&zero))
}

fn options(arguments: &[String], root: &Path) -> Result<Options, String> {
    let mut options = Options {
        shell: Shell::Fewer(checkout::target(root)?.join("release/fewer")),
        dialects: Dialect::ALL.to_vec(),
        words: Vec::new(),
        every: 1,
        act: Act::Cases,
        seed: 1,
        broken: false,
        chroot: false,
        keep: false,
    };
    let (mut emulator, mut uncounted) = (Vec::new(), false);
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("what belongs to {argument} is missing"));
        match argument.as_str() {
            "--fewer" => options.shell = Shell::Fewer(value()?.into()),
            "--judge" => options.shell = Shell::Judges,
            "--emulator" => emulator = vec![value()?.into()],
            "--uncounted" => uncounted = true,
            "--shell" => {
                let words: Vec<String> = value()?.split_whitespace().map(str::to_owned).collect();
                options.shell = Shell::Other(words);
            }
            "--dialect" => {
                let name = value()?;
                let all = Dialect::ALL.into_iter();
                options.dialects = all.filter(|dialect| dialect.to_string() == *name).collect();
            }
            "--list" => options.act = Act::List,
            "--scripts" => options.act = Act::Scripts,
            "--every" => options.every = number(value()?)?.max(1),
            "--random" => options.act = Act::Random(number(value()?)?),
            "--seed" => options.seed = number(value()?)?,
            "--broken" => options.broken = true,
            "--chroot" => options.chroot = true,
            "--keep" => options.keep = true,
            flag if flag.starts_with('-') => return Err(format!("'{flag}' is not an option")),
            word => options.words.push(word.to_owned()),
        }
    }
    if let (true, Shell::Fewer(program)) = (uncounted || !emulator.is_empty(), &options.shell) {
        emulator.push(program.into());
        options.shell = Shell::Elsewhere(emulator);
    }
    Ok(options)
}

fn number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("'{text}' is no number"))
}
