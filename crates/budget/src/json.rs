//! What was found, as JSON: one object on one line.

use std::collections::BTreeMap;

use fewer::compact;
use serde_json::{Value, json};

use crate::command::{Command, Run, Scale};
use crate::compare::Excess;
use crate::measured::{Measured, Status};
use crate::outcome::{Checked, Outcome, title};
use crate::range::Range;
use crate::ratio::Ratio;
use crate::slope::{PerItem, Slope};
use trace::{Name, Text};

/// What became of all commands of a file.
#[must_use]
pub fn checked(file: &[u8], checked: &[Checked]) -> String {
    let passed = checked.iter().filter(|it| it.passed()).count();
    let commands: Vec<Value> = checked.iter().map(one).collect();
    line(&json!({
        "v": 1,
        "file": Text::from(file),
        "passed": passed,
        "failed": checked.len() - passed,
        "commands": commands,
    }))
}

/// What was written down about a command.
#[must_use]
pub fn recorded(file: &[u8], command: &Command, runs: &[Measured]) -> String {
    let allowed = &command.allowed;
    let names = allowed.names.iter().flatten();
    let names = compact::map(names.map(|(name, limit)| (name.to_string(), range(*limit))));
    line(&json!({
        "v": 1,
        "file": Text::from(file),
        "title": title(None, &command.run),
        "run": run(&command.run),
        "status": status(command.status),
        "total": allowed.total.map(range),
        "calls": names,
        "proved": command.proved,
        "set_aside": aside(runs),
        "unseen": runs.last().map(|run| run.unseen.clone()).unwrap_or_default(),
    }))
}

/// Calls per item; `file` is where they were written down, if they were.
#[must_use]
pub fn scale(file: Option<&[u8]>, scale: &Scale, found: &Slope, runs: &[Measured]) -> String {
    line(&json!({
        "v": 1,
        "file": file.map(Text::from),
        "title": title(None, &scale.run),
        "run": run(&scale.run),
        "status": status(scale.status),
        "n": scale.n,
        "per_item": slope(found),
        "set_aside": aside(runs),
        "unseen": runs.last().map(|run| run.unseen.clone()).unwrap_or_default(),
    }))
}

fn line(value: &Value) -> String {
    format!("{value}\n")
}

fn one(it: &Checked) -> Value {
    let mut object = json!({
        "title": it.title,
        "passed": it.passed(),
        "blessed": it.blessed,
        "unseen": it.unseen,
        "seconds": it.took.as_secs_f64(),
    });
    let (kind, found) = match &it.outcome {
        Outcome::Compared(comparison) => {
            let fewer = comparison.fewer.iter().map(|(name, now, recorded)| {
                json!({ "name": name.to_string(), "calls": now, "recorded": range(*recorded) })
            });
            let found = json!({
                "calls": comparison.now,
                "allowed": comparison.allowed.map(range),
                "excess": comparison.excess.iter().map(excess).collect::<Vec<_>>(),
                "fewer": fewer.collect::<Vec<_>>(),
            });
            ("calls", found)
        }
        Outcome::Sloped(sloped) => {
            let steeper = sloped.steeper.iter().map(|it| {
                let origins = it.origins.iter();
                let origins =
                    origins.map(|(caller, new)| json!({ "caller": caller, "new": ratio(*new) }));
                json!({
                    "name": it.name.map(|name| name.to_string()),
                    "calls": ratio(it.now),
                    "allowed": ratio(it.allowed),
                    "origins": origins.collect::<Vec<_>>(),
                })
            });
            let fewer = sloped.fewer.iter().map(|(name, now, recorded)| {
                let (name, calls) = (name.to_string(), ratio(*now));
                json!({ "name": name, "calls": calls, "recorded": ratio(*recorded) })
            });
            let found = json!({
                "now": slope(&sloped.now),
                "allowed": ratio(sloped.allowed),
                "excess": steeper.collect::<Vec<_>>(),
                "fewer": fewer.collect::<Vec<_>>(),
            });
            ("per_item", found)
        }
        Outcome::Proved { remedies, allowed } => {
            ("proved", json!({ "remedies": remedies, "allowed": allowed }))
        }
        Outcome::Ended { now, recorded, complaint } => {
            let found = json!({
                "now": status(*now),
                "recorded": status(*recorded),
                "stderr": Text::from(complaint.as_slice()),
            });
            ("ended", found)
        }
        Outcome::NotRun(why) => ("not_run", json!({ "why": why })),
    };
    object[kind] = found;
    object
}

fn excess(it: &Excess) -> Value {
    let origins = it.origins.iter().map(|origin| {
        json!({
            "caller": origin.caller,
            "calls": origin.calls,
            "new": origin.new,
            "or": origin.or,
        })
    });
    json!({
        "name": it.name.map(|name| name.to_string()),
        "file": it.file,
        "calls": it.now,
        "allowed": it.allowed,
        "new": it.new_calls(),
        "examples": it.examples,
        "origins": origins.collect::<Vec<_>>(),
    })
}

fn slope(it: &Slope) -> Value {
    let PerItem { total, names, callers } = &it.per_item;
    let ratios = |names: &BTreeMap<Name, Ratio>| -> BTreeMap<String, Value> {
        compact::map(names.iter().map(|(name, it)| (name.to_string(), ratio(*it))))
    };
    let callers = compact::map(callers.iter().map(|(caller, names)| (caller, ratios(names))));
    let off = it.off.iter().map(|(name, n, off)| {
        json!({ "name": name.map(|name| name.to_string()), "n": n, "off": ratio(*off) })
    });
    json!({
        "total": ratio(*total),
        "calls": ratios(names),
        "callers": callers,
        "off": off.collect::<Vec<_>>(),
        "varying": it.varying.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

/// A whole number, or a fraction as text: `"1/16"`.
fn ratio(ratio: Ratio) -> Value {
    ratio.whole().map_or_else(|| ratio.to_string().into(), Value::from)
}

fn range(range: Range) -> Value {
    json!({ "least": range.least, "most": range.most })
}

fn status(status: Status) -> Value {
    match status {
        Status::Exited(status) => json!({ "exit": status }),
        Status::Killed(signal) => json!({ "signal": signal }),
    }
}

fn run(run: &Run) -> Value {
    json!({ "words": run.line.words(), "directory": run.directory, "all": run.all })
}

fn aside(runs: &[Measured]) -> u64 {
    runs.iter().map(|run| run.set_aside).max().unwrap_or(0)
}
