//! What one definition showed on one day: everything that was measured, as it is kept.

use serde::Serialize;

use crate::calls::{self, Calls};
use crate::definition::{Definition, Unit};
use crate::engine::{Claim, Contender};
use crate::machine::Machine;
use crate::measure::Sample;
use crate::rounds::Spread;
use crate::tree::Subject;

#[derive(Debug, Serialize)]
pub(crate) struct Record {
    pub(crate) date: String,
    pub(crate) definition: String,
    pub(crate) about: String,
    pub(crate) rounds: u32,
    pub(crate) ours: String,
    pub(crate) floor: String,
    /// Commit of the checkout, with `-dirty` if it had changes.
    pub(crate) commit: String,
    /// What the runner reports for a program that does nothing: no figure can be smaller.
    pub(crate) least_wall_ms: f64,
    pub(crate) least_peak_kib: u64,
    pub(crate) machine: Machine,
    /// How far away the tree is, for people.
    pub(crate) storage: String,
    /// The commands that ran once before, on each tree.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) prepared: Vec<String>,
    pub(crate) tree: Tree,
    /// What `calls_per_unit` is about.
    pub(crate) unit: Unit,
    /// Why the owners of files have no names on this machine, if that is so.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) nameless: String,
    #[serde(rename = "target")]
    pub(crate) targets: Vec<crate::target::Judged>,
    #[serde(rename = "missing")]
    pub(crate) missing: Vec<Missing>,
    #[serde(rename = "run")]
    pub(crate) runs: Vec<Run>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Tree {
    pub(crate) name: String,
    /// What must be counted: what find prints of a tree, files of a flat directory, lines.
    pub(crate) counted: u64,
    pub(crate) about: String,
}

impl Tree {
    pub(crate) fn new(tree: Subject) -> Self {
        Tree { name: tree.name().into(), counted: tree.counted(), about: tree.describe() }
    }
}

/// What the definition asks for and this machine did not have, or what failed.
#[derive(Debug, Serialize)]
pub(crate) struct Missing {
    pub(crate) label: String,
    pub(crate) reason: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct Run {
    pub(crate) label: String,
    pub(crate) version: String,
    pub(crate) command: String,
    /// What was checked and had its calls counted, if it is another command.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) once: String,
    pub(crate) claims: Claim,
    /// `ok`, `not checked`, or how the output differs from the claim.
    pub(crate) verified: String,
    pub(crate) differs: String,
    pub(crate) min_ms: f64,
    pub(crate) median_ms: f64,
    pub(crate) max_ms: f64,
    /// Medians.
    pub(crate) user_ms: f64,
    pub(crate) system_ms: f64,
    pub(crate) peak_kib: u64,
    /// Median of what the process itself measured.
    pub(crate) inside_ms: Option<f64>,
    /// Medians divided by the median of ours and of the floor; absent if that did not run, or
    /// measures inside where this one does not, or the other way round.
    pub(crate) times_ours: Option<f64>,
    pub(crate) times_floor: Option<f64>,
    pub(crate) calls: Option<u64>,
    pub(crate) calls_per_unit: Option<f64>,
    /// Those of the same command on an empty directory or file.
    pub(crate) calls_to_start: Option<u64>,
    pub(crate) wall_ms: Vec<f64>,
    /// What it ran on.
    #[serde(skip)]
    pub(crate) tree: Subject,
    #[serde(skip_serializing_if = "Calls::is_empty")]
    pub(crate) calls_by_name: Calls,
    #[serde(skip_serializing_if = "Calls::is_empty")]
    pub(crate) calls_to_start_by_name: Calls,
}

impl Run {
    pub(crate) fn new(contender: &Contender, verified: String, samples: &[Sample]) -> Self {
        let spread = |pick: fn(&Sample) -> f64| Spread::new(samples.iter().map(pick));
        let wall = spread(|s| s.wall_ms);
        Run {
            label: contender.label.clone(),
            version: contender.version.clone(),
            command: contender.shown.clone(),
            once: contender.once_shown.clone(),
            claims: contender.claim,
            verified,
            differs: contender.differs.clone(),
            min_ms: thousandths(wall.min),
            median_ms: thousandths(wall.median),
            max_ms: thousandths(wall.max),
            user_ms: thousandths(spread(|s| s.user_ms).median),
            system_ms: thousandths(spread(|s| s.system_ms).median),
            peak_kib: samples.iter().map(|s| s.peak_kib).max().unwrap_or(0),
            inside_ms: inside(samples),
            times_ours: None,
            times_floor: None,
            calls: None,
            calls_per_unit: None,
            calls_to_start: None,
            wall_ms: samples.iter().map(|s| thousandths(s.wall_ms)).collect(),
            tree: contender.tree,
            calls_by_name: Calls::new(),
            calls_to_start_by_name: Calls::new(),
        }
    }

    pub(crate) fn set_calls(&mut self, all: Calls, to_start: Calls, unit: Unit) {
        let total = calls::total(&all);
        self.calls = Some(total);
        let units = self.tree.units(unit);
        // As many places as tell one call on 100,000 entries.
        let per_unit = |units: u64| (total as f64 / units as f64 * 1e5).round() / 1e5;
        self.calls_per_unit = (units > 0).then(|| per_unit(units));
        self.calls_to_start = Some(calls::total(&to_start));
        self.calls_by_name = all;
        self.calls_to_start_by_name = to_start;
    }
}

/// Fills in the ratios, once all runs are there.
pub(crate) fn set_ratios(runs: &mut [Run], definition: &Definition) {
    let times = |label: &str| {
        let run = runs.iter().find(|run| run.label == label)?;
        Some((run.median_ms, run.inside_ms))
    };
    let (ours, floor) = (times(&definition.ours), times(&definition.floor));
    for run in runs {
        let ratio = |to: (f64, Option<f64>)| match (run.inside_ms, to.1) {
            (Some(inside), Some(to)) => Some(thousandths(inside / to)),
            (None, None) => Some(thousandths(run.median_ms / to.0)),
            _ => None,
        };
        (run.times_ours, run.times_floor) = (ours.and_then(ratio), floor.and_then(ratio));
    }
}

fn inside(samples: &[Sample]) -> Option<f64> {
    let measured: Vec<f64> = samples.iter().filter_map(|sample| sample.inside_ms).collect();
    (!measured.is_empty()).then(|| thousandths(Spread::new(measured.into_iter()).median))
}

/// Rounded to three decimals: the measurement is not more precise.
fn thousandths(number: f64) -> f64 {
    (number * 1e3).round() / 1e3
}
