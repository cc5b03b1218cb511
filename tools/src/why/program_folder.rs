//! A program's tree, and the ways to run it there: alone, under strace, under `fewer why`.

use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::builder::Ready;
use super::label::Program;
use super::report::Report;
use crate::cases::bytes::unescape;
use crate::cases::item::Item;
use crate::cases::tree::Scratch;
use crate::checkout;

/// No program of the corpus takes a tenth of this, traced; one that hangs must not hang the runner.
const LONGEST_RUN_SECONDS: &str = "300";

/// A program or its twin.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Side {
    Wasteful,
    Mended,
}

impl fmt::Display for Side {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(match self {
            Side::Wasteful => "wasteful",
            Side::Mended => "mended",
        })
    }
}

/// The `fewer` that reports, and its prices.
pub(crate) struct Judge {
    pub(crate) fewer: PathBuf,
    /// A table of prices; `None` measures them here.
    pub(crate) prices: Option<PathBuf>,
}

/// How often a program made which calls, the most frequent first.
pub(crate) type CallCounts = Vec<(String, u64)>;

/// The most frequent calls, for readers.
pub(crate) fn most_frequent(calls: &CallCounts) -> String {
    let shown = calls.iter().take(9).map(|(name, count)| format!("{name} {count}"));
    shown.collect::<Vec<_>>().join(", ")
}

/// The outcome of a run.
pub(crate) struct Outcome {
    pub(crate) stdout: Vec<u8>,
    /// What is wrong with its end.
    pub(crate) failure: Option<String>,
    pub(crate) took: Duration,
}

/// A folder with a tree in it where commands are run.
pub(crate) struct TreeFolder {
    scratch: Scratch,
    /// The folder for files of strace and fewer, beside the tree.
    notes: PathBuf,
}

/// A folder in memory, if there is one: most of the time went into trees on the disk.
fn in_memory() -> Option<PathBuf> {
    let folder = PathBuf::from("/dev/shm");
    let probe = folder.join(format!("fewer-why-{}", std::process::id()));
    fs::create_dir(&probe).and_then(|()| fs::remove_dir(&probe)).ok()?;
    Some(folder)
}

/// A command line with its environment.
pub(crate) struct Line {
    pub(crate) words: Vec<String>,
    pub(crate) env: Vec<(String, String)>,
    pub(crate) stdin: Option<String>,
    pub(crate) exit: i32,
}

/// A program's folder, and its command lines: wasteful, mended.
pub(crate) struct ProgramFolder {
    tree_folder: TreeFolder,
    lines: [Line; 2],
    tree: Vec<Item>,
    made: bool,
    again: bool,
}

impl TreeFolder {
    pub(crate) fn new(keep: bool) -> Result<TreeFolder, String> {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("fewer-why-{}-{number}", std::process::id());
        let outer = in_memory().unwrap_or_else(std::env::temp_dir).join(name);
        let mut scratch = Scratch::new(outer.clone(), None)?;
        scratch.keep = keep;
        Ok(TreeFolder { scratch, notes: outer })
    }

    pub(crate) fn here(&self) -> &Path {
        &self.scratch.here
    }

    pub(crate) fn make(&mut self, tree: &[Item]) -> Result<(), String> {
        self.scratch.make(tree, None)
    }

    fn empty(&self) -> Result<(), String> {
        let here = self.here();
        fs::remove_dir_all(here)
            .and_then(|()| fs::create_dir(here))
            .map_err(|why| format!("{}: {why}", here.display()))
    }

    /// Runs the command in the tree, with these words before it.
    pub(crate) fn run(&self, line: &Line, front: &[&OsStr]) -> Result<Outcome, String> {
        let (program, rest) = line.words.split_first().ok_or("there is nothing to run")?;
        let mut command = Command::new(checkout::program("timeout")?);
        command.args(["-k", "5", LONGEST_RUN_SECONDS]).args(front);
        command.arg(checkout::program(program)?).args(rest);
        command.env_clear().current_dir(self.here()).stderr(Stdio::piped());
        // A search path of this machine's own would lead to findings, and rightly so.
        command.envs([("PATH", "/usr/bin:/bin"), ("LC_ALL", "C"), ("HOME", checkout::NO_HOME)]);
        command.envs(line.env.iter().map(|(name, value)| (name, value)));
        command.stdin(match &line.stdin {
            None => Stdio::null(),
            Some(path) => {
                let path = self.here().join(path);
                fs::File::open(&path).map_err(|why| format!("{}: {why}", path.display()))?.into()
            }
        });
        let start = Instant::now();
        let done = command.output().map_err(|why| format!("cannot run timeout: {why}"))?;
        let took = start.elapsed();
        let failure = (done.status.code() != Some(line.exit)).then(|| {
            let stderr = String::from_utf8_lossy(&done.stderr);
            format!("{}: {}", done.status, stderr.trim_end())
        });
        Ok(Outcome { stdout: done.stdout, failure, took })
    }

    /// Runs it under `fewer why` with the prices of the corpus, and parses the report.
    pub(crate) fn why(&self, line: &Line, judge: &Judge) -> Result<(Outcome, Report), String> {
        let (outcome, text) = self.reported(line, judge, &[])?;
        Ok((outcome, Report::read(&text)?))
    }

    /// Runs it under `fewer why` with more flags. What the report says.
    fn reported(
        &self,
        line: &Line,
        judge: &Judge,
        flags: &[&str],
    ) -> Result<(Outcome, String), String> {
        let report = self.notes.join("why.json");
        let mut front = vec![judge.fewer.as_os_str(), OsStr::new("why")];
        if let Some(prices) = &judge.prices {
            front.extend([OsStr::new("--prices"), prices.as_os_str()]);
        }
        front.extend(flags.iter().copied().chain(["--json", "-o"]).map(OsStr::new));
        front.extend([report.as_os_str(), OsStr::new("--")]);
        let outcome = self.run(line, &front)?;
        let text = fs::read_to_string(&report).map_err(|why| {
            let said = outcome.failure.clone().unwrap_or_default();
            format!("{} wrote no report: {why}; {said}", judge.fewer.display())
        })?;
        fs::remove_file(&report).map_err(|why| format!("{}: {why}", report.display()))?;
        Ok((outcome, text))
    }

    /// Runs it under strace, and returns how often it made which calls, the most frequent first.
    pub(crate) fn count(&self, line: &Line) -> Result<(Outcome, CallCounts), String> {
        let log = self.notes.join("calls");
        let strace = checkout::program("strace")?;
        let options = ["-f", "-c", "-S", "calls", "-U", "calls,name", "-o"];
        let mut front = vec![strace.as_os_str()];
        front.extend(options.map(OsStr::new));
        front.extend([log.as_os_str(), OsStr::new("--")]);
        let outcome = self.run(line, &front)?;
        let text = fs::read_to_string(&log).map_err(|why| format!("{}: {why}", log.display()))?;
        let calls = text.lines().filter_map(|line| {
            let (count, name) = line.trim().split_once(' ')?;
            Some((name.to_owned(), count.parse::<u64>().ok()?))
        });
        Ok((outcome, calls.filter(|(name, _)| name != "total").collect()))
    }
}

impl ProgramFolder {
    pub(crate) fn new(
        program: &Program,
        ready: &Ready,
        keep: bool,
    ) -> Result<ProgramFolder, String> {
        let tree_folder = TreeFolder::new(keep)?;
        let here = tree_folder.here().display().to_string();
        let fill = |word: &String| -> Result<String, String> {
            let word = String::from_utf8(unescape(word)?).map_err(|why| why.to_string())?;
            Ok(word.replace("{tree}", &here))
        };
        let line = |side: Side| -> Result<Line, String> {
            let (run, env) = match side {
                Side::Wasteful => (None, None),
                Side::Mended => (program.mended.run.as_ref(), program.mended.env.as_ref()),
            };
            let run = run.unwrap_or(&program.run).iter().map(fill);
            let mut words = ready.words[side as usize].clone();
            words.extend(run.collect::<Result<Vec<_>, _>>()?);
            let env = program.env.iter().chain(env.into_iter().flatten());
            let env = env.map(|(name, value)| Ok((name.clone(), fill(value)?)));
            let env = env.collect::<Result<_, String>>()?;
            Ok(Line { words, env, stdin: program.stdin.clone(), exit: 0 })
        };
        let lines = [line(Side::Wasteful)?, line(Side::Mended)?];
        let again = program.changes || program.writes.is_some();
        Ok(ProgramFolder { tree_folder, lines, tree: program.tree.clone(), made: false, again })
    }

    pub(crate) fn tree(&self) -> &Path {
        self.tree_folder.here()
    }

    /// Makes the tree, anew if the program before has changed it.
    pub(crate) fn set(&mut self) -> Result<(), String> {
        if self.made && !self.again {
            return Ok(());
        }
        self.tree_folder.empty()?;
        self.made = true;
        self.tree_folder.make(&self.tree)
    }

    pub(crate) fn run(&self, side: Side) -> Result<Outcome, String> {
        self.tree_folder.run(&self.lines[side as usize], &[])
    }

    pub(crate) fn why(&self, side: Side, judge: &Judge) -> Result<(Outcome, Report), String> {
        self.tree_folder.why(&self.lines[side as usize], judge)
    }

    /// What `fewer why --prove` says of the wasteful one.
    pub(crate) fn prove(&self, judge: &Judge) -> Result<String, String> {
        let line = &self.lines[Side::Wasteful as usize];
        let (outcome, text) = self.tree_folder.reported(line, judge, &["--prove"])?;
        match text.is_empty() {
            true => Err(outcome.failure.unwrap_or_else(|| "no report".to_owned())),
            false => Ok(text),
        }
    }

    pub(crate) fn count(&self, side: Side) -> Result<(Outcome, CallCounts), String> {
        self.tree_folder.count(&self.lines[side as usize])
    }

    /// The content of the file that the program writes; empty if it writes none.
    pub(crate) fn left_behind(&self, program: &Program) -> Result<Vec<u8>, String> {
        let Some(path) = &program.writes else { return Ok(Vec::new()) };
        let path = self.tree().join(path);
        fs::read(&path).map_err(|why| format!("{}: {why}", path.display()))
    }
}
