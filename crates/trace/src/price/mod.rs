//! What a finding saves on this machine: measured outside the tracer.
//!
//! | room | what lives there |
//! |---|---|
//! | `kind` | which acts have a price in common |
//! | `sample` | which of many are done again |
//! | `replay` | what only looks, done again on the same files |
//! | `calibrate` | the price of everything else, on files that stand in |
//! | `overheads` | what the program itself does around a call |
//! | `stopwatch` | how long it took |
//!
//! What a program did is warm: it did it many times. So is what is measured here. A wasted call
//! takes the program's own time as well, for making an object of its answer, say; that is added
//! from a table, `overheads.toml`, that says how it was measured.

mod calibrate;
mod kind;
mod overheads;
mod replay;
mod sample;
mod stopwatch;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use self::calibrate::Calibration;
use self::kind::Kind;
use self::overheads::Overheads;
use self::sample::{One, sample};
use self::stopwatch::measure;
use crate::World;
use crate::explain::{Act, Basis, Finding, Saved, Thresholds};

/// All measuring together takes about that long.
const ALL_TIME: Duration = Duration::from_millis(300);

/// A group of acts gets no less than that.
const LEAST_TIME: Duration = Duration::from_millis(3);

/// Finds out what each finding saves. The dearest comes first, and those that save less than the
/// threshold are dropped.
///
/// Price: it makes again what only looks (stat, access, readlink, open and close of regular files,
/// reads of these, reading of directories), and of what changes something it makes the like on
/// files of its own: all of it for about a third of a second.
#[must_use]
pub fn price(findings: Vec<Finding>, world: &World, thresholds: &Thresholds) -> Vec<Finding> {
    let mut appraiser = Appraiser::new(&findings);
    let mut findings: Vec<Finding> = findings
        .into_iter()
        .map(|mut finding| {
            finding.saved = Some(appraiser.saved(&finding, world));
            finding
        })
        .collect();
    let saved = |finding: &Finding| finding.saved.map_or(0, |saved| saved.nanoseconds);
    findings
        .retain(|finding| saved(finding) as f64 >= thresholds.of(finding.id).milliseconds * 1e6);
    findings.sort_by(|a, b| saved(b).cmp(&saved(a)).then(a.id.cmp(b.id)));
    findings
}

/// Equal acts of a finding: of one kind, all failed or none.
type Group<'f> = ((Kind, bool), Vec<(&'f Act, u64)>);

fn groups(finding: &Finding) -> Vec<Group<'_>> {
    let mut groups: BTreeMap<(Kind, bool), Vec<(&Act, u64)>> = BTreeMap::new();
    for spared in &finding.spared {
        let failed = matches!(spared.act, Act::Call { failed: true, .. });
        let kind = match Kind::of(&spared.act) {
            // What is in a directory has to be read whatever the size of the blocks.
            Kind::Entries if matches!(finding.id, "small-getdents" | "getdents-end") => {
                Kind::EntriesEnd
            }
            kind => kind,
        };
        groups.entry((kind, failed)).or_default().push((&spared.act, spared.count));
    }
    groups.into_iter().collect()
}

struct Appraiser {
    calibration: Calibration,
    overheads: Overheads,
    /// What each act of all findings may take of the time.
    time_per_act: f64,
    start: Instant,
}

impl Appraiser {
    fn new(findings: &[Finding]) -> Appraiser {
        let acts = findings.iter().flat_map(|finding| &finding.spared).map(|spared| spared.count);
        let acts = acts.sum::<u64>().max(1) as f64;
        Appraiser {
            calibration: Calibration::default(),
            overheads: Overheads::new(),
            time_per_act: ALL_TIME.as_secs_f64() / acts,
            start: Instant::now(),
        }
    }

    fn saved(&mut self, finding: &Finding, world: &World) -> Saved {
        let mut nanoseconds = 0.0;
        let (mut replayed, mut calibrated) = (false, false);
        for ((kind, _), spared) in groups(finding) {
            let count: u64 = spared.iter().map(|(_, count)| count).sum();
            let limit = self.limit(count);
            let sequence = sample(world, &spared, limit);
            let price = match self.replay(kind, &sequence, limit) {
                Some(price) => {
                    replayed = true;
                    price
                }
                None => {
                    calibrated = true;
                    self.calibration.price(kind, &sequence, limit)
                }
            };
            let kept = self.kept(finding, kind, &sequence, limit);
            nanoseconds += (price - kept).max(price / 4.0) * count as f64;
        }
        nanoseconds += self.overheads.of(finding);
        let basis = match (replayed, calibrated) {
            (true, false) => Basis::Replayed,
            (true, true) => Basis::Mixed,
            (false, _) => Basis::Calibrated,
        };
        Saved { nanoseconds: nanoseconds as u64, basis }
    }

    /// The time for a group of so many acts. What is over the time in all gets the least.
    fn limit(&self, count: u64) -> Duration {
        let left = ALL_TIME.saturating_sub(self.start.elapsed());
        let share = Duration::from_secs_f64(self.time_per_act * count as f64);
        share.min(left).max(LEAST_TIME)
    }

    fn replay(&self, kind: Kind, sequence: &[One], limit: Duration) -> Option<f64> {
        let mut round = replay::round(kind, sequence)?;
        measure(limit, &mut *round)
    }

    /// Whoever reads or writes more at a time still moves the same bytes: what that costs for one
    /// of these calls.
    fn kept(&mut self, finding: &Finding, kind: Kind, sequence: &[One], limit: Duration) -> f64 {
        const LARGE: usize = 256 << 10;
        let moves_anyway = match finding.id {
            "small-reads" => kind == Kind::Read,
            "small-writes" => kind == Kind::Write,
            _ => false,
        };
        let Some(first) = sequence.first().filter(|_| moves_anyway) else { return 0.0 };
        let large: Vec<One> = vec![One { moved: LARGE, ..first.clone() }];
        let price = self.calibration.price(kind, &large, limit);
        let moved =
            sequence.iter().map(|one| one.moved as f64).sum::<f64>() / sequence.len() as f64;
        price / LARGE as f64 * moved
    }
}
