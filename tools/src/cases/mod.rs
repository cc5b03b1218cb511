//! `cases`: builds the tree of each case, runs the released binary on it, and judges what it
//! printed, how it ended and which calls it made. The cases are data, shared by all languages;
//! `cases/README.md` describes them.
//!
//! A case passes through: `format` (what it says) → `machine` (can it run here) → `tree` (make it)
//! → `spawn` (run it) → `judge` (what it printed) → `budget` and `strace` (what it cost).

mod budget;
mod bytes;
mod file_system;
mod format;
mod item;
mod judge;
mod machine;
mod spawn;
mod strace;
mod tree;

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::place;
use crate::tally::Tally;
use budget::Programs;
use bytes::show;
use format::{Case, Inject, Pause};
use machine::Machine;
use spawn::{Outcome, Words};
use tree::Scratch;

/// strace waits this long at a pause; the runner ends it as soon as it has done its part.
const HELD: &str = "delay_enter=100s";

struct Options {
    fewer: PathBuf,
    empty: PathBuf,
    words: Vec<String>,
    list: bool,
    keep: bool,
}

pub(crate) fn run(arguments: &[String]) -> Result<Tally, String> {
    let root = place::root()?;
    let options = options(arguments, &root)?;
    if let Some(status) = machine::in_own_namespace()? {
        // The runner inside has said everything already.
        std::process::exit(status.code().unwrap_or(2));
    }
    for program in ["strace", "findmnt", "setpriv"] {
        if !place::has_program(program) {
            return Err(format!("{program} is not installed; run ./check for what to install"));
        }
    }
    let runner = Runner::new(&options)?;
    let mut tally = Tally::default();
    for (file, cases) in format::read(&root.join("cases"))? {
        for case in cases.iter().filter(|case| is_wanted(&options, &file, case)) {
            if options.list {
                println!("{file}: {}", case.name);
                tally.skipped += 1;
            } else {
                runner.everywhere(&file, case, &mut tally);
            }
        }
    }
    if options.list {
        tally.passed = 1;
    }
    Ok(tally)
}

fn options(arguments: &[String], root: &Path) -> Result<Options, String> {
    let release = place::target(root)?.join("release");
    let mut options = Options {
        fewer: release.join("fewer"),
        empty: release.join("empty"),
        words: Vec::new(),
        list: false,
        keep: false,
    };
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let mut path = || arguments.next().map(PathBuf::from).ok_or("a path is missing");
        match argument.as_str() {
            "--fewer" => options.fewer = path()?,
            "--empty" => options.empty = path()?,
            "--list" => options.list = true,
            "--keep" => options.keep = true,
            flag if flag.starts_with('-') => return Err(format!("'{flag}' is not an option")),
            word => options.words.push(word.to_owned()),
        }
    }
    Ok(options)
}

fn is_wanted(options: &Options, file: &str, case: &Case) -> bool {
    let full = format!("{file}: {}", case.name);
    options.words.iter().all(|word| full.contains(word))
}

struct Runner {
    machine: Machine,
    scratch: Scratch,
    keep: bool,
    /// The file system that the scratch folder is on anyway.
    native: String,
    fewer: PathBuf,
    empty: PathBuf,
}

impl Runner {
    /// The programs are copied to where every user may run them.
    fn new(options: &Options) -> Result<Runner, String> {
        let name = format!("fewer-cases-{}", std::process::id());
        let mut scratch = Scratch::new(std::env::temp_dir().join(name), None)?;
        scratch.keep = options.keep;
        let copy = |from: &Path, name: &str| {
            let to = scratch.here.join(name);
            fs::copy(from, &to)
                .and_then(|_| fs::set_permissions(&to, fs::Permissions::from_mode(0o755)))
                .map_err(|why| format!("{}: {why}; build it first", from.display()))?;
            Ok::<PathBuf, String>(to)
        };
        let programs = match options.list {
            true => (PathBuf::new(), PathBuf::new()),
            false => {
                copy(&options.empty.with_file_name("scope"), "scope")?;
                (copy(&options.fewer, "fewer")?, copy(&options.empty, "empty")?)
            }
        };
        let native = file_system::kind_of(&scratch.here)?;
        let (fewer, empty) = programs;
        Ok(Runner { machine: Machine::look(), scratch, keep: options.keep, native, fewer, empty })
    }

    /// The program that a case runs. All of them are in one folder.
    fn program(&self, case: &Case) -> PathBuf {
        self.fewer.with_file_name(case.program())
    }

    /// Runs the case on each file system that it names.
    fn everywhere(&self, file: &str, case: &Case, tally: &mut Tally) {
        let named = case.on.iter().map(|on| Some(on.as_str()));
        let anywhere = case.on.is_empty().then_some(None);
        for on in named.chain(anywhere) {
            let name = match on {
                Some(on) => format!("{file}: {}, on {on}", case.name),
                None => format!("{file}: {}", case.name),
            };
            if let Some(reason) = self.machine.why_not(case, on, &self.native) {
                println!("skipped: {name}: {reason}");
                tally.skipped += 1;
                continue;
            }
            let wrong = self.once(case, on, tally).unwrap_or_else(|why| vec![why]);
            if !wrong.is_empty() {
                let words: Vec<String> = case.run.iter().map(|word| show(&word.0)).collect();
                println!("failed: {name}\n    {} {}", case.program(), words.join(" "));
                wrong.iter().for_each(|why| println!("    {}", why.replace('\n', "\n    ")));
            }
            tally.count(wrong.is_empty());
        }
    }

    /// What is wrong, or why it could not be found out.
    fn once(&self, case: &Case, on: Option<&str>, tally: &Tally) -> Result<Vec<String>, String> {
        let number = tally.passed + tally.failed;
        let mut scratch = Scratch::new(self.scratch.here.join(number.to_string()), on)?;
        scratch.keep = self.keep;
        scratch.make(&case.tree, None).map_err(|why| format!("cannot make the tree: {why}"))?;
        let log = self.scratch.here.join("strace.log");
        let outcome = self.outcome(case, &mut scratch, &log)?;
        let mut wrong = judge::complaints(case, &outcome);
        if let Some(oracle) = &case.oracle {
            let arguments: Vec<Vec<u8>> = oracle.iter().map(|word| word.0.clone()).collect();
            let (program, rest) = arguments.split_first().ok_or("the oracle is empty")?;
            let words = Words::new(OsString::from(show(program)).as_os_str(), rest, &scratch.here);
            let said = spawn::start(case, &scratch.here, &[], words)?.finish()?;
            wrong.extend(judge::against_oracle(case, &said.stdout, &outcome.stdout));
        }
        if case.has_budget() {
            let judged = &self.program(case);
            let programs = Programs { judged, empty: &self.empty };
            wrong.extend(budget::complaints(case, &programs, &scratch.here, &log)?);
        }
        Ok(wrong)
    }

    fn outcome(&self, case: &Case, scratch: &mut Scratch, log: &Path) -> Result<Outcome, String> {
        let here = scratch.here.clone();
        let words = Words::new(self.program(case).as_os_str(), &case.arguments(false), &here);
        let Some(pause) = &case.pause else {
            let tracer =
                case.inject.as_ref().map_or(Vec::new(), |inject| faults(inject, &here, log));
            return spawn::start(case, &here, &tracer, words)?.finish();
        };
        let _ = fs::remove_file(log);
        let mut running = spawn::start(case, &here, &holding(pause, &here, log), words)?;
        if !running.reaches(log, &pause.before)? {
            let never = format!("never reached {} of {}", pause.before, show(&pause.of.0));
            return Err(format!("{never}; stderr: {}", show(&running.finish()?.stderr)));
        }
        let done = scratch.make(&case.meanwhile, Some(running.process()));
        running.let_go()?;
        let outcome = running.finish()?;
        done.map(|()| outcome).map_err(|why| format!("meanwhile: {why}"))
    }
}

/// strace that puts a fault in the way of some calls.
fn faults(inject: &Inject, here: &Path, log: &Path) -> Vec<OsString> {
    let mut tracer: Vec<OsString> =
        ["strace", "--quiet=attach,path-resolution", "-f", "-o"].map(OsString::from).into();
    tracer.push(log.into());
    let expression = format!("inject={}:{}", inject.call, inject.fault);
    tracer.extend(["-e".into(), format!("trace={}", inject.call).into(), "-e".into()]);
    tracer.push(expression.into());
    if let Some(of) = &inject.of {
        tracer.extend(only_of(&of.0, here));
    }
    tracer
}

/// strace that holds the program at the entry of one call. It is a child of the program's (`-D`),
/// so that ending it does not end the program.
fn holding(pause: &Pause, here: &Path, log: &Path) -> Vec<OsString> {
    let call = &pause.before;
    let options =
        ["strace", "--quiet=attach,path-resolution", "-D", "-f", "-o"].map(OsString::from);
    let mut tracer: Vec<OsString> = options.into();
    tracer.push(log.into());
    tracer.extend(["-e".into(), format!("trace={call}").into()]);
    tracer.extend(["-e".into(), format!("inject={call}:{HELD}").into()]);
    tracer.extend(only_of(&pause.of.0, here));
    tracer
}

/// strace's words for "only calls that concern this path": as the case writes it, in full (for
/// calls on descriptors), and its last name (for calls relative to a held directory).
fn only_of(path: &[u8], here: &Path) -> Vec<OsString> {
    use std::os::unix::ffi::OsStrExt;
    let written = Path::new(std::ffi::OsStr::from_bytes(path));
    let mut names = vec![written.as_os_str().to_owned(), here.join(written).into_os_string()];
    names.extend(written.file_name().map(|name| name.to_owned()));
    names.dedup();
    names.into_iter().flat_map(|name| ["-P".into(), name]).collect()
}
