//! Records and checks: runs each command as often as it takes, and says what became of it.

use std::time::{Duration, Instant};

use fewer::escaped;
use fewer::quote::word;

use crate::allowed::Allowed;
use crate::compare::Comparison;
use crate::measured::{Measured, Status};
use crate::ratio::Ratio;
use crate::slope::{Slope, Steeper};
use crate::snapshot::{Command, Run, Scale};
use trace::{Error, Name, Text};

/// How a command ends on Ctrl-C: SIGINT. The process that runs it is to end as well.
pub(crate) const INTERRUPTED: Status = Status::Killed(2);

/// Runs a command and counts its calls.
pub trait Measure {
    /// One run of these words as `run` has it.
    ///
    /// # Errors
    ///
    /// The command cannot be run, or not be watched.
    fn measure(&mut self, words: &[Text], run: &Run) -> Result<Measured, Error>;
}

/// What became of a command.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked {
    /// What it is called: its name, or its words as a shell reads them.
    pub title: String,
    /// What was found.
    pub outcome: Outcome,
    /// What could not be seen of it.
    pub unseen: Vec<String>,
    /// How long its runs took, while being watched.
    pub took: Duration,
    /// Whether what it does now was written down.
    pub blessed: bool,
}

/// What was found about a command.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Its calls against those that it may make.
    Compared(Comparison),
    /// Its calls per item against those that it may make.
    Sloped(Sloped),
    /// It ended in another way than when it was recorded.
    Ended {
        /// How it ends now,
        now: Status,
        /// and how it did.
        recorded: Status,
        /// The end of what it wrote to its standard error.
        complaint: Vec<u8>,
    },
    /// It could not be run; the reason.
    NotRun(String),
}

/// Calls per item now, against those that may be.
#[derive(Clone, Debug, PartialEq)]
pub struct Sloped {
    /// Now.
    pub now: Slope,
    /// How many may be in total.
    pub allowed: Ratio,
    /// What is more than that.
    pub steeper: Vec<Steeper>,
    /// What is less: now, and allowed.
    pub fewer: Vec<(Name, Ratio, Ratio)>,
}

impl Checked {
    /// Whether all is well.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.blessed
            || match &self.outcome {
                Outcome::Compared(comparison) => comparison.excess.is_empty(),
                Outcome::Sloped(sloped) => sloped.steeper.is_empty(),
                Outcome::Ended { .. } | Outcome::NotRun(_) => false,
            }
    }

    /// Whether it was ended by Ctrl-C, which is meant for all that would come behind it as well.
    #[must_use]
    pub fn was_interrupted(&self) -> bool {
        matches!(self.outcome, Outcome::Ended { now: INTERRUPTED, .. })
    }

    /// Whether writing down what it does now would change anything, and may be done: a command that
    /// fails in another way than it did is recorded anew on purpose, or not at all.
    #[must_use]
    pub fn can_be_blessed(&self) -> bool {
        match &self.outcome {
            Outcome::Compared(it) => {
                let less = it.allowed.is_some_and(|allowed| it.now < allowed.least);
                less || !it.excess.is_empty() || !it.fewer.is_empty()
            }
            Outcome::Sloped(it) => {
                let less = it.now.per_item.total < it.allowed;
                less || !it.steeper.is_empty() || !it.fewer.is_empty()
            }
            Outcome::Ended { .. } | Outcome::NotRun(_) => false,
        }
    }
}

/// Why there is nothing to write down.
#[derive(Debug)]
pub enum Failure {
    /// It could not be run.
    Error(Error),
    /// Its runs ended in different ways.
    Differs(Status, Status),
    /// Two numbers of items are needed.
    NoSlope,
    /// A user pressed Ctrl-C.
    Interrupted,
    /// The shell could not run its line: the end of what it said.
    Shell(Vec<u8>),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Error(error)
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Failure::Error(error) => error.fmt(f),
            Failure::Differs(a, b) => write!(f, "one run ended with {a}, another with {b}"),
            Failure::Interrupted => write!(f, "interrupted"),
            Failure::Shell(said) => write!(f, "{}", not_run_by_shell(said)),
            Failure::NoSlope => write!(f, "calls per item need two different numbers of items"),
        }
    }
}

/// Runs a command so many times; what it did is what it may do.
///
/// # Errors
///
/// It cannot be run, or does not always end in the same way.
pub fn record(
    run: &Run,
    times: usize,
    measure: &mut dyn Measure,
) -> Result<(Command, Vec<Measured>), Failure> {
    let runs = several(Vec::new(), times, &run.line.words(), run, measure)?;
    let (status, allowed) = (runs[0].status, Allowed::of_runs(&runs));
    Ok((Command { name: None, run: run.clone(), status, allowed }, runs))
}

/// Runs a command, once at least, until there are so many runs.
fn several(
    mut runs: Vec<Measured>,
    times: usize,
    words: &[Text],
    run: &Run,
    measure: &mut dyn Measure,
) -> Result<Vec<Measured>, Failure> {
    while runs.len() < times.max(1) && runs.iter().all(|run| run.status != INTERRUPTED) {
        runs.push(measure.measure(words, run)?);
    }
    if runs.iter().any(|run| run.status == INTERRUPTED) {
        return Err(Failure::Interrupted);
    }
    if let Some(failed) = runs.iter().find(|it| run.line.is_unknown_to_shell(it.status)) {
        return Err(Failure::Shell(failed.complaint.clone()));
    }
    match runs.iter().find(|other| other.status != runs[0].status) {
        Some(other) => Err(Failure::Differs(runs[0].status, other.status)),
        None => Ok(runs),
    }
}

/// What the shell says of a line that it cannot run.
fn not_run_by_shell(said: &[u8]) -> String {
    let said = String::from_utf8_lossy(said).trim_end().to_owned();
    format!("cannot be run: {said}")
}

/// Runs of a command with a number of items.
pub(crate) type Items = (u64, Vec<Measured>);

/// Runs a command so many times with each number of items.
///
/// # Errors
///
/// It cannot be run, or does not always end in the same way, or there are less than two numbers.
pub fn record_scale(
    run: &Run,
    n: &[u64],
    times: usize,
    measure: &mut dyn Measure,
) -> Result<(Scale, Slope, Vec<Measured>), Failure> {
    let mut n = n.to_vec();
    n.sort_unstable();
    n.dedup();
    if n.len() < 2 {
        return Err(Failure::NoSlope);
    }
    several_items(n.into_iter().map(|n| (n, Vec::new())).collect(), run, times, measure)
}

fn several_items(
    mut runs: Vec<Items>,
    run: &Run,
    times: usize,
    measure: &mut dyn Measure,
) -> Result<(Scale, Slope, Vec<Measured>), Failure> {
    for (n, runs) in &mut runs {
        let words = run.line.with(*n).words();
        *runs = several(std::mem::take(runs), times, &words, run, measure)?;
    }
    let slope = Slope::new(&runs).ok_or(Failure::NoSlope)?;
    let n = runs.iter().map(|(n, _)| *n).collect();
    let runs: Vec<Measured> = runs.into_iter().flat_map(|(_, runs)| runs).collect();
    let (status, per_item) = (runs[0].status, slope.per_item.clone());
    if let Some(other) = runs.iter().find(|other| other.status != status) {
        return Err(Failure::Differs(status, other.status));
    }
    Ok((Scale { name: None, run: run.clone(), status, n, per_item }, slope, runs))
}

/// Runs a command; if it does too much again, up to so many times: what only some runs do is
/// chance. The runs come back as well.
#[must_use]
pub fn check(
    command: &Command,
    times: usize,
    measure: &mut dyn Measure,
) -> (Checked, Vec<Measured>) {
    let (mut unseen, mut runs) = (Vec::new(), Vec::new());
    let start = Instant::now();
    let outcome = compared(command, times, measure, &mut unseen, &mut runs);
    let title = title(command.name.as_ref(), &command.run);
    (Checked { title, outcome, unseen, took: start.elapsed(), blessed: false }, runs)
}

fn compared(
    command: &Command,
    times: usize,
    measure: &mut dyn Measure,
    unseen: &mut Vec<String>,
    runs: &mut Vec<Measured>,
) -> Outcome {
    let mut best: Option<Comparison> = None;
    for _ in 0..times.max(1) {
        let words = command.run.line.words();
        let measured = match measure.measure(&words, &command.run) {
            Ok(measured) if measured.status == command.status => measured,
            Ok(measured) => return ended(measured, command.status, &command.run),
            Err(error) => return Outcome::NotRun(error.to_string()),
        };
        let comparison = Comparison::new(&command.allowed, &measured);
        unseen.clone_from(&measured.unseen);
        runs.push(measured);
        if best.as_ref().is_none_or(|best| comparison.new_calls() < best.new_calls()) {
            best = Some(comparison);
        }
        if best.as_ref().is_some_and(|best| best.excess.is_empty()) {
            break;
        }
    }
    Outcome::Compared(best.unwrap_or_default())
}

/// Runs a command with each number of items, and again if it does too much per item: as `check`.
#[must_use]
pub fn check_scale(
    scale: &Scale,
    times: usize,
    measure: &mut dyn Measure,
) -> (Checked, Vec<Items>) {
    let mut unseen = Vec::new();
    let mut runs: Vec<Items> = scale.n.iter().map(|n| (*n, Vec::new())).collect();
    let start = Instant::now();
    let outcome = sloped(scale, times, measure, &mut unseen, &mut runs);
    let outcome = outcome.unwrap_or_else(|outcome| *outcome);
    let title = title(scale.name.as_ref(), &scale.run);
    (Checked { title, outcome, unseen, took: start.elapsed(), blessed: false }, runs)
}

fn sloped(
    scale: &Scale,
    times: usize,
    measure: &mut dyn Measure,
    unseen: &mut Vec<String>,
    runs: &mut [Items],
) -> Result<Outcome, Box<Outcome>> {
    let mut found = None;
    for _ in 0..times.max(1) {
        for (n, runs) in &mut *runs {
            let words = scale.run.line.with(*n).words();
            let measured = measure.measure(&words, &scale.run);
            let measured =
                measured.map_err(|error| Box::new(Outcome::NotRun(error.to_string())))?;
            if measured.status != scale.status {
                return Err(Box::new(ended(measured, scale.status, &scale.run)));
            }
            unseen.clone_from(&measured.unseen);
            runs.push(measured);
        }
        let Some(now) = Slope::new(runs) else { break };
        let steeper = scale.per_item.beyond(&now.per_item);
        let fewer = scale.per_item.fewer(&now.per_item);
        let is_well = steeper.is_empty();
        found = Some(Sloped { now, allowed: scale.per_item.total, steeper, fewer });
        if is_well {
            break;
        }
    }
    found
        .map(Outcome::Sloped)
        .ok_or_else(|| Box::new(Outcome::NotRun(Failure::NoSlope.to_string())))
}

/// What is to be written down of a command that was checked: from the runs that this took, and more
/// if so many are asked for. `None` if nothing is different, or it is none to be written down.
pub(crate) fn bless(
    command: &Command,
    (checked, runs): (&mut Checked, Vec<Measured>),
    times: usize,
    measure: &mut dyn Measure,
) -> Option<Command> {
    if !checked.can_be_blessed() {
        return None;
    }
    let run = &command.run;
    let now = several(runs, times, &run.line.words(), run, measure).map(|runs| Command {
        name: None,
        run: run.clone(),
        status: runs[0].status,
        allowed: Allowed::of_runs(&runs),
    });
    blessed(checked, now, command.status)
}

/// The same of a command with numbers of items.
pub(crate) fn bless_scale(
    scale: &Scale,
    (checked, runs): (&mut Checked, Vec<Items>),
    times: usize,
    measure: &mut dyn Measure,
) -> Option<Scale> {
    if !checked.can_be_blessed() {
        return None;
    }
    let now = several_items(runs, &scale.run, times, measure).map(|(now, ..)| now);
    blessed(checked, now, scale.status)
}

/// What is to be written down of a command that was checked and recorded anew; nothing if it could
/// not be recorded, or ended in another way. Then that is what was found.
fn blessed<T: Ends>(checked: &mut Checked, now: Result<T, Failure>, recorded: Status) -> Option<T> {
    match now {
        Ok(now) if now.status() == recorded => {
            checked.blessed = true;
            return Some(now);
        }
        Ok(now) => {
            let now = now.status();
            checked.outcome = Outcome::Ended { now, recorded, complaint: Vec::new() };
        }
        Err(Failure::Interrupted) => {
            let now = INTERRUPTED;
            checked.outcome = Outcome::Ended { now, recorded, complaint: Vec::new() };
        }
        Err(why) => checked.outcome = Outcome::NotRun(why.to_string()),
    }
    None
}

/// What has an end: a recorded command.
trait Ends {
    fn status(&self) -> Status;
}

impl Ends for Command {
    fn status(&self) -> Status {
        self.status
    }
}

impl Ends for Scale {
    fn status(&self) -> Status {
        self.status
    }
}

fn ended(measured: Measured, recorded: Status, run: &Run) -> Outcome {
    if run.line.is_unknown_to_shell(measured.status) {
        return Outcome::NotRun(not_run_by_shell(&measured.complaint));
    }
    Outcome::Ended { now: measured.status, recorded, complaint: measured.complaint }
}

/// What a command is called: its name, or its words as a shell reads them.
#[must_use]
pub fn title(name: Option<&String>, run: &Run) -> String {
    use crate::snapshot::CommandLine;
    match (name, &run.line) {
        (Some(name), _) => name.clone(),
        (None, CommandLine::Shell(line)) => line.clone(),
        (None, CommandLine::Words(words)) => words.iter().map(shown).collect::<Vec<_>>().join(" "),
    }
}

/// A word as a shell reads it; what is not UTF-8 is shown as an escape.
fn shown(argument: &Text) -> String {
    let text =
        std::str::from_utf8(&argument.0).map_or_else(|_| escaped(&argument.0), str::to_owned);
    String::from_utf8_lossy(&word(text.as_bytes())).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::CommandLine;
    use crate::stream;

    /// Gives these results, run by run.
    struct Fake(Vec<Result<Measured, Error>>);

    impl Measure for Fake {
        fn measure(&mut self, _: &[Text], _: &Run) -> Result<Measured, Error> {
            self.0.remove(0)
        }
    }

    fn opens(count: u64) -> Result<Measured, Error> {
        Ok(stream::run(&[("openat", "/etc/x", "f a.c:1", count)]))
    }

    fn failed(status: u8) -> Result<Measured, Error> {
        Ok(Measured { status: Status::Exited(status), complaint: b"no\n".into(), ..opens(1)? })
    }

    fn run() -> Run {
        Run { line: CommandLine::Words(vec!["x".into(), "{n}".into()]), ..Run::default() }
    }

    fn recorded() -> Command {
        record(&run(), 3, &mut Fake(vec![opens(2), opens(2), opens(2)])).unwrap().0
    }

    #[test]
    fn what_is_recorded_passes_and_more_fails() {
        let command = recorded();
        let same = check(&command, 3, &mut Fake(vec![opens(2)])).0;
        assert!(same.passed() && !same.can_be_blessed());
        assert_eq!(same.title, "x {n}");
        let more = check(&command, 3, &mut Fake(vec![opens(3), opens(4), opens(3)])).0;
        assert!(!more.passed() && more.can_be_blessed());
        let Outcome::Compared(comparison) = more.outcome else { panic!("{more:?}") };
        assert_eq!(comparison.excess[0].new_calls(), 1);
    }

    #[test]
    fn what_only_some_runs_do_is_chance() {
        let chance = check(&recorded(), 3, &mut Fake(vec![opens(3), opens(2)])).0;
        assert!(chance.passed());
    }

    #[test]
    fn once_is_once() {
        // A second run would find nothing in the list, and panic.
        let (command, runs) = record(&run(), 1, &mut Fake(vec![opens(2)])).unwrap();
        assert_eq!(runs.len(), 1);
        let (mut more, runs) = check(&command, 1, &mut Fake(vec![opens(3)]));
        assert!(!more.passed());
        let now = bless(&command, (&mut more, runs), 1, &mut Fake(Vec::new())).unwrap();
        assert!(more.blessed && check(&now, 1, &mut Fake(vec![opens(3)])).0.passed());
        let (scale, ..) =
            record_scale(&run(), &[10, 20], 1, &mut Fake(vec![opens(12), opens(22)])).unwrap();
        let (mut more, runs) = check_scale(&scale, 1, &mut Fake(vec![opens(12), opens(32)]));
        let now = bless_scale(&scale, (&mut more, runs), 1, &mut Fake(Vec::new())).unwrap();
        assert_eq!(now.per_item.total.to_string(), "2");
    }

    #[test]
    fn blessing_several_runs_allows_what_differs_between_them() {
        let (mut more, runs) = check(&recorded(), 3, &mut Fake(vec![opens(1)]));
        let now = bless(&recorded(), (&mut more, runs), 3, &mut Fake(vec![opens(1), opens(2)]));
        assert_eq!(now.unwrap().allowed, Allowed::of_runs(&[1, 1, 2].map(|n| opens(n).unwrap())));
    }

    #[test]
    fn fewer_calls_pass_and_can_be_blessed() {
        let fewer = check(&recorded(), 1, &mut Fake(vec![opens(1)])).0;
        assert!(fewer.passed() && fewer.can_be_blessed());
    }

    #[test]
    fn another_end_is_a_failure_with_its_reason() {
        let ended = check(&recorded(), 3, &mut Fake(vec![failed(3)])).0;
        assert!(!ended.passed() && !ended.can_be_blessed());
        let Outcome::Ended { now, complaint, .. } = ended.outcome else { panic!("{ended:?}") };
        assert_eq!((now, complaint.as_slice()), (Status::Exited(3), &b"no\n"[..]));
        let gone = Err(Error::new(fewer::Errno::NOENT, "run", b"x"));
        let gone = check(&recorded(), 3, &mut Fake(vec![gone])).0;
        let Outcome::NotRun(why) = gone.outcome else { panic!("{gone:?}") };
        assert_eq!(why, "cannot run 'x': No such file or directory");
    }

    #[test]
    fn runs_that_end_differently_are_not_recorded() {
        let error = record(&run(), 3, &mut Fake(vec![opens(1), opens(1), failed(1)])).unwrap_err();
        assert_eq!(
            error.to_string(),
            "one run ended with exit status 0, another with exit status 1"
        );
    }

    #[test]
    fn calls_per_item_are_recorded_and_checked() {
        let counts = |a, b| [[a; 3], [b; 3]].concat().into_iter().map(opens).collect();
        let (scale, slope, _) =
            record_scale(&run(), &[20, 10, 20], 3, &mut Fake(counts(12, 22))).unwrap();
        assert_eq!(scale.n, [10, 20]);
        assert_eq!(slope.per_item.total.to_string(), "1");
        let same = check_scale(&scale, 3, &mut Fake(vec![opens(13), opens(23)])).0;
        assert!(same.passed() && !same.can_be_blessed());
        let runs = (0..3).flat_map(|_| [opens(12), opens(32)]).collect();
        let more = check_scale(&scale, 3, &mut Fake(runs)).0;
        assert!(!more.passed() && more.can_be_blessed());
        let Outcome::Sloped(sloped) = more.outcome else { panic!("{more:?}") };
        assert_eq!(sloped.steeper[0].now.to_string(), "2");
        assert!(check_scale(&scale, 3, &mut Fake(vec![opens(3), opens(4)])).0.can_be_blessed());
        let error = record_scale(&run(), &[5, 5], 1, &mut Fake(Vec::new())).unwrap_err();
        assert!(error.to_string().contains("two different numbers"));
    }

    #[test]
    fn titles_can_be_typed_into_a_shell() {
        let words = ["ls", "a b", "it's", "", "\u{e9}"].map(Text::from);
        let line = CommandLine::Words([&words[..], &[Text(b"\xff"[..].into())]].concat());
        let run = Run { line, ..Run::default() };
        assert_eq!(title(None, &run), "ls 'a b' 'it'\\''s' '' \u{e9} '\\xff'");
        assert_eq!(title(Some(&"mine".to_owned()), &run), "mine");
    }
}
