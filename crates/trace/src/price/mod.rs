//! What a finding saves on this machine: measured outside the tracer.
//!
//! | module | what is in it |
//! |---|---|
//! | `operation` | which acts have a price in common |
//! | `sample` | which of many acts are done again |
//! | `replay` | acts that only look, done again on the same files |
//! | `calibrate` | the price of all other acts, measured on other files |
//! | `overheads` | what the program itself does around a call |
//! | `stopwatch` | times short acts |
//! | `estimate` | a time that is not exactly known |
//! | `table` | fixed prices, the same on every machine |
//!
//! The program did the same many times, so its files were in the caches; here they are as well. A
//! wasted call also takes time in the program, to make an object of the answer, say. That is added
//! from a table, `overheads.toml`, which says how it was measured.
//!
//! Which findings are worth reporting is decided by fixed prices (`reference.toml`, or a table that
//! the user chooses), so that the result depends neither on the machine nor on the moment.

mod calibrate;
mod estimate;
mod operation;
mod overheads;
mod replay;
mod sample;
mod stopwatch;
mod table;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use fewer::compact;

use self::calibrate::Calibration;
use self::estimate::Estimate;
use self::operation::Operation;
use self::overheads::Overheads;
use self::sample::{SampledAct, sample};
use self::stopwatch::measure;
pub use self::table::Table;
use crate::Registry;
use crate::explain::{Act, Basis, Finding, Saved, Thresholds};

/// How long all measuring together takes, about.
const ALL_TIME: Duration = Duration::from_millis(300);

/// The least time for a group of acts.
const LEAST_TIME: Duration = Duration::from_millis(3);

/// A finding that is below the threshold by the fixed prices is reported all the same if it saves
/// this many times the threshold by the measured ones. That happens on a slow file system.
const BEYOND_DOUBT: f64 = 10.0;

/// How prices are found out.
#[derive(Clone, Debug, Default)]
pub struct Pricing {
    /// The table that the user chose: nothing is measured then.
    pub table: Option<Table>,
    /// Whether the program's files are left alone: no call is made again on them.
    pub hands_off: bool,
    /// What a run takes at most; no remedy saves more than that.
    pub most: Option<Duration>,
    /// The processor's time that a stop for the tracer takes from a program, for what programs that
    /// were watched take without it.
    pub stop: Option<Duration>,
}

/// Computes what each finding saves. The one that saves the most comes first. Those that save less
/// than the threshold by the fixed prices are dropped, unless they save ten times as much as the
/// threshold by the measured ones.
///
/// Price: it makes calls for about a third of a second. Those that only look (stat, access,
/// readlink, open and close of regular files, reads of these and of directories) are made again on
/// the same files, others on files of its own. With a table it makes no call, nor without findings.
#[must_use]
pub fn price(
    findings: Vec<Finding>,
    registry: &Registry,
    thresholds: &Thresholds,
    pricing: &Pricing,
) -> Vec<Finding> {
    if findings.is_empty() {
        return findings;
    }
    let measures = pricing.table.is_none();
    let mut appraiser = measures.then(|| Appraiser::new(&findings, pricing));
    let reference = pricing.table.clone().unwrap_or_else(Table::reference);
    let usual = Overheads::new(reference.look);
    let mut findings: Vec<Finding> = findings
        .into_iter()
        .filter_map(|mut finding| {
            let least = thresholds.of(finding.id).milliseconds * 1e6;
            let fixed = by_table(&finding, registry, &reference) + usual.of(&finding).middle;
            let saved = match &mut appraiser {
                Some(appraiser) => appraiser.saved(&finding, registry),
                None => Saved::exactly(fixed as u64, Basis::Given),
            };
            finding.saved = Some(saved);
            let is_reported = fixed >= least || saved.nanoseconds as f64 >= least * BEYOND_DOUBT;
            is_reported.then_some(finding)
        })
        .collect();
    if let Some(most) = pricing.most {
        cap(&mut findings, most);
    }
    let saved = |finding: &Finding| finding.saved.map_or(0, |saved| saved.nanoseconds);
    compact::sort_by(&mut findings, |a, b| saved(b).cmp(&saved(a)).then(a.id.cmp(b.id)));
    findings
}

/// All together save no more than a run takes.
fn cap(findings: &mut [Finding], most: Duration) {
    let all: f64 = findings.iter().filter_map(|it| it.saved).map(|it| it.nanoseconds as f64).sum();
    let part = most.as_nanos() as f64 / all;
    if part < 1.0 {
        for saved in findings.iter_mut().filter_map(|finding| finding.saved.as_mut()) {
            for time in [&mut saved.nanoseconds, &mut saved.least, &mut saved.most] {
                *time = (*time as f64 * part) as u64;
            }
        }
    }
}

/// What a finding's acts cost by a table.
fn by_table(finding: &Finding, registry: &Registry, table: &Table) -> f64 {
    let group = |((kind, _), spared): Group| {
        let count: u64 = spared.iter().map(|(_, count)| count).sum();
        let sequence = sample(registry, &spared, ALL_TIME);
        let price = table.price(kind, &sequence);
        let kept = if moves_anyway(finding, kind) { table.moving(&sequence) } else { 0.0 };
        (price - kept) * count as f64
    };
    groups(finding).into_iter().map(group).sum()
}

/// Whether the bytes that these calls move are moved all the same when the waste is mended.
fn moves_anyway(finding: &Finding, kind: Operation) -> bool {
    match finding.id {
        "small-reads" => kind == Operation::Read,
        "small-writes" => kind == Operation::Write,
        _ => false,
    }
}

/// Equal acts of a finding: of one kind, all failed or none.
type Group<'f> = ((Operation, bool), Vec<(&'f Act, u64)>);

fn groups(finding: &Finding) -> Vec<Group<'_>> {
    let mut groups: BTreeMap<(Operation, bool), Vec<(&Act, u64)>> = BTreeMap::new();
    for spared in &finding.spared {
        let failed = matches!(spared.act, Act::Call { failed: true, .. });
        let kind = match Operation::of(&spared.act) {
            // What is in a directory has to be read whatever the size of the blocks.
            Operation::Entries if matches!(finding.id, "small-getdents" | "getdents-end") => {
                Operation::EntriesEnd
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
    hands_off: bool,
    stop: Option<Duration>,
    /// What each act of all findings may take of the time.
    time_per_act: f64,
    start: Instant,
}

impl Appraiser {
    fn new(findings: &[Finding], pricing: &Pricing) -> Appraiser {
        let acts = findings.iter().flat_map(|finding| &finding.spared).map(|spared| spared.count);
        let acts = acts.sum::<u64>().max(1) as f64;
        Appraiser {
            calibration: Calibration::default(),
            overheads: Overheads::measured(),
            hands_off: pricing.hands_off,
            stop: pricing.stop,
            time_per_act: ALL_TIME.as_secs_f64() / acts,
            start: Instant::now(),
        }
    }

    fn saved(&mut self, finding: &Finding, registry: &Registry) -> Saved {
        let mut all = Estimate::default();
        let (mut replayed, mut calibrated) = (false, false);
        let children = self.children(finding);
        for ((kind, _), spared) in groups(finding) {
            if kind == Operation::Spawn && children.is_some() {
                continue;
            }
            let count: u64 = spared.iter().map(|(_, count)| count).sum();
            let limit = self.limit(count);
            let sequence = sample(registry, &spared, limit);
            let replay = self.replay(kind, &sequence, limit);
            replayed |= replay.is_some();
            calibrated |= replay.is_none();
            let price = replay.unwrap_or_else(|| self.calibration.price(kind, &sequence, limit));
            let kept = self.kept(finding, kind, &sequence, limit);
            all = all + price.without(kept).times(count as f64);
        }
        let all = all + self.overheads.of(finding) + children.unwrap_or_default();
        let basis = match (replayed, calibrated) {
            _ if children.is_some() => Basis::Watched,
            (true, false) => Basis::Replayed,
            (true, true) => Basis::Mixed,
            (false, _) => Basis::Calibrated,
        };
        let Estimate { middle, least, most } = all;
        Saved { nanoseconds: middle as u64, least: least as u64, most: most as u64, basis }
    }

    /// What the programs took that a finding's program started, without what watching them took.
    fn children(&self, finding: &Finding) -> Option<Estimate> {
        /// What the switch to a child and back takes beside its own time, for each hundred of that.
        const SWITCHES: f64 = 1.1;
        /// How far the price of a stop may be off.
        const STOP: f64 = 1.5;
        let watched = finding.children.processor as f64;
        let stops = self.stop?.as_nanos() as f64 * finding.children.stops as f64;
        let took = Estimate::exactly(watched).without(Estimate::within(stops, STOP));
        (watched > 0.0).then(|| took.times(SWITCHES))
    }

    /// The time for a group of so many acts. What is over the time in all gets the least.
    fn limit(&self, count: u64) -> Duration {
        let left = ALL_TIME.saturating_sub(self.start.elapsed());
        let share = Duration::from_secs_f64(self.time_per_act * count as f64);
        share.min(left).max(LEAST_TIME)
    }

    fn replay(
        &self,
        kind: Operation,
        sequence: &[SampledAct],
        limit: Duration,
    ) -> Option<Estimate> {
        if self.hands_off {
            return None;
        }
        let mut replay = replay::replay(kind, sequence)?;
        measure(limit, &mut *replay)
    }

    /// A program that reads or writes more at a time still moves the same bytes: what that costs
    /// for one of these calls.
    fn kept(
        &mut self,
        finding: &Finding,
        kind: Operation,
        sequence: &[SampledAct],
        limit: Duration,
    ) -> Estimate {
        const LARGE: usize = 256 << 10;
        let moves_anyway = moves_anyway(finding, kind);
        let Some(first) = sequence.first().filter(|_| moves_anyway) else {
            return Estimate::default();
        };
        let large: Vec<SampledAct> = vec![SampledAct { moved: LARGE, ..first.clone() }];
        let price = self.calibration.price(kind, &large, limit);
        let moved =
            sequence.iter().map(|one| one.moved as f64).sum::<f64>() / sequence.len() as f64;
        price.times(moved / LARGE as f64)
    }
}
