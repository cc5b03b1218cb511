//! What was found, for people. File names and words of commands are hostile input: what could steer
//! a terminal is escaped.

use std::fmt::Write;

use crate::command::{Command, Scale};
use crate::compare::{Comparison, Excess};
use crate::measured::{Measured, Status};
use crate::origin::Origin;
use crate::outcome::{Checked, Outcome, Sloped, title};
use crate::ratio::Ratio;
use crate::slope::{Slope, Steeper};
use fewer::present::escaped;
use trace::Name;

/// Callers that are named for each kind of call.
const CALLERS: usize = 5;
/// Differences that are named for each command.
const DIFFERENCES: usize = 20;

/// What became of all commands of a file.
#[must_use]
pub fn checked(file: &[u8], checked: &[Checked]) -> String {
    let mut out = String::new();
    for it in checked {
        let verdict = match (it.blessed, it.passed()) {
            (true, _) => "blessed",
            (false, true) => "passed",
            (false, false) => "failed",
        };
        let _ = writeln!(out, "{verdict}: {}", escaped(it.title.as_bytes()));
        out.push_str(&details(it));
    }
    let passed = checked.iter().filter(|it| it.passed()).count();
    let failed = checked.len() - passed;
    let _ = writeln!(out, "{}: {passed} passed, {failed} failed", escaped(file));
    if checked.iter().any(|it| !it.blessed && it.can_be_blessed()) {
        let _ = writeln!(out, "--bless writes down what commands ask for now");
    }
    out
}

/// What is behind a verdict, indented.
#[must_use]
pub fn details(checked: &Checked) -> String {
    let mut out = String::new();
    match &checked.outcome {
        Outcome::Compared(comparison) => compared(comparison, &mut out),
        Outcome::Sloped(it) => sloped(it, &mut out),
        Outcome::Proved { remedies, allowed } => {
            let _ = writeln!(out, "  remedies that work: {}, {allowed} allowed", remedies.len());
            for remedy in remedies {
                let _ = writeln!(out, "    {}", escaped(remedy.as_bytes()));
            }
        }
        Outcome::Ended { now, recorded, complaint } => {
            let _ = writeln!(out, "  ended with {now}, recorded with {recorded}");
            last_words(complaint, &mut out);
        }
        Outcome::NotRun(why) => {
            let _ = writeln!(out, "  {}", escaped(why.as_bytes()));
        }
    }
    unseen(&checked.unseen, &mut out);
    out
}

fn last_words(complaint: &[u8], out: &mut String) {
    let lines: Vec<&[u8]> = complaint.split(|byte| *byte == b'\n').collect();
    let lines: Vec<&&[u8]> = lines.iter().filter(|line| !line.is_empty()).collect();
    for line in &lines[lines.len().saturating_sub(3)..] {
        let _ = writeln!(out, "  stderr: {}", escaped(line));
    }
}

fn unseen(notes: &[String], out: &mut String) {
    for note in notes {
        let _ = writeln!(out, "  not seen: {}", escaped(note.as_bytes()));
    }
}

fn compared(it: &Comparison, out: &mut String) {
    let _ = match it.allowed {
        Some(allowed) => writeln!(out, "  {} calls, {allowed} allowed", it.now),
        None => writeln!(out, "  {} calls", it.now),
    };
    for excess in it.excess.iter().take(DIFFERENCES) {
        self::excess(excess, out);
    }
    rest(it.excess.len(), out);
    for (name, now, recorded) in &it.fewer {
        let _ = writeln!(out, "  fewer {name}: {now}, {recorded} recorded");
    }
}

fn rest(all: usize, out: &mut String) {
    if all > DIFFERENCES {
        let _ = writeln!(out, "  and {} other differences", all - DIFFERENCES);
    }
}

fn excess(it: &Excess, out: &mut String) {
    let name = call(it.name);
    let on = it.file.as_ref().map(|file| format!(" on {}", escaped(file.as_bytes())));
    let on = on.unwrap_or_default();
    let (new, now, allowed) = (it.new_calls(), it.now, it.allowed);
    let _ = writeln!(out, "  {new} new {name}{on}: {now}, {allowed} allowed");
    if !it.examples.is_empty() {
        let files: Vec<String> = it.examples.iter().map(|file| escaped(&file.0)).collect();
        let _ = writeln!(out, "    such as {}", files.join(", "));
    }
    for origin in it.origins.iter().take(CALLERS) {
        self::origin(origin, out);
    }
    if let Some(more) = it.origins.len().checked_sub(CALLERS).filter(|more| *more > 0) {
        let _ = writeln!(out, "    and from {more} other callers");
    }
}

fn origin(it: &Origin, out: &mut String) {
    let _ = write!(out, "    {} from {}", it.new, caller(&it.caller));
    if !it.or.is_empty() {
        let or: Vec<String> = it.or.iter().map(|other| caller(other)).collect();
        let _ = write!(out, " (or {}, which makes as many)", or.join(", "));
    }
    out.push('\n');
}

fn caller(caller: &str) -> String {
    match caller {
        "" => "an unknown caller".to_owned(),
        _ => escaped(caller.as_bytes()),
    }
}

fn call(name: Option<Name>) -> String {
    name.map_or_else(|| "calls in total".to_owned(), |name| name.to_string())
}

fn sloped(it: &Sloped, out: &mut String) {
    let (now, allowed) = (it.now.per_item.total, it.allowed);
    let _ = writeln!(out, "  {now} calls per item, {allowed} allowed");
    for Steeper { name, now, allowed, origins } in it.steeper.iter().take(DIFFERENCES) {
        let _ = writeln!(out, "  {now} {} per item, {allowed} allowed", call(*name));
        for (from, ratio) in origins.iter().take(CALLERS) {
            let _ = writeln!(out, "    {ratio} from {}", caller(from));
        }
    }
    rest(it.steeper.len(), out);
    for (name, now, recorded) in &it.fewer {
        let _ = writeln!(out, "  fewer {name}: {now} per item, {recorded} recorded");
    }
    out.push_str(&off(&it.now));
}

/// What about a slope is not in proportion, or differs from run to run.
fn off(slope: &Slope) -> String {
    let mut out = String::new();
    for (name, n, off) in &slope.off {
        let (many, side) = match *off > Ratio::default() {
            true => (*off, "more"),
            false => (off.times(-1).unwrap_or_default(), "fewer"),
        };
        let call = call(*name);
        let _ = writeln!(out, "  not linear: with {n} items {many} {side} {call} than on the line");
    }
    for name in &slope.varying {
        let _ = writeln!(out, "  {name} varies from run to run: the least is taken");
    }
    out
}

/// What was written down about a command.
#[must_use]
pub fn recorded(file: &[u8], command: &Command, runs: &[Measured]) -> String {
    let total = command.allowed.total.unwrap_or_default();
    let mut out = head(file, &title(None, &command.run), &format!("{total} calls"), runs);
    for (name, range) in command.allowed.varying() {
        let _ = writeln!(out, "  {name} varies from run to run: {range} are allowed");
    }
    if let Some(proved) = command.proved {
        let _ = writeln!(out, "  remedies that work: {proved}");
    }
    tail(command.status, runs, &mut out);
    out
}

/// What was written down about a command's calls per item.
#[must_use]
pub fn recorded_scale(file: &[u8], scale: &Scale, slope: &Slope, runs: &[Measured]) -> String {
    let total = format!("{} calls per item", slope.per_item.total);
    let mut out = head(file, &title(None, &scale.run), &total, runs);
    per_item(slope, &mut out);
    tail(scale.status, runs, &mut out);
    out
}

/// Calls per item that are not written down anywhere.
#[must_use]
pub fn measured_scale(scale: &Scale, slope: &Slope, runs: &[Measured]) -> String {
    let title = title(None, &scale.run);
    let mut out =
        format!("{}: {} calls per item\n", escaped(title.as_bytes()), slope.per_item.total);
    per_item(slope, &mut out);
    if scale.status != Status::default() {
        let _ = writeln!(out, "  it ends with {}", scale.status);
    }
    last(runs, &mut out);
    out
}

fn per_item(slope: &Slope, out: &mut String) {
    for (name, ratio) in &slope.per_item.names {
        let _ = writeln!(out, "{:>10} {name}", ratio.to_string());
    }
    out.push_str(&off(slope));
}

fn head(file: &[u8], title: &str, total: &str, runs: &[Measured]) -> String {
    let aside = runs.iter().map(|run| run.set_aside).max().unwrap_or(0);
    let (file, title) = (escaped(file), escaped(title.as_bytes()));
    format!("{file}: recorded: {title}: {total}; {aside} of the loader are set aside\n")
}

fn tail(status: Status, runs: &[Measured], out: &mut String) {
    if status != Status::default() {
        let _ = writeln!(out, "  it ends with {status}: that is recorded as well");
    }
    last(runs, out);
}

/// What the last run complained of, if it failed, and what was not seen of it.
fn last(runs: &[Measured], out: &mut String) {
    if let Some(run) = runs.last() {
        if run.status != Status::default() {
            last_words(&run.complaint, out);
        }
        unseen(&run.unseen, out);
    }
}
