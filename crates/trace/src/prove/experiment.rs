//! A command from the first watched run to the proofs.

use super::candidates::candidates;
use super::prover::{self, Proof, Proofs, Refusal, Trials, Verdict, runs};
use super::searches::Searches;
use super::touched::Touched;
use crate::count::Counts;
use crate::explain::{Explainer, Finding, Thresholds};
use crate::price::{Pricing, Table, price};
use crate::source::scratch::{Failure, Scratch, Variant};
use crate::source::{Options, stop_price};
use crate::watch::watch_in_scratch;

/// What is run, and how often.
#[derive(Debug)]
pub struct Experiment<'a> {
    /// The command.
    pub scratch: Scratch,
    /// How its first run is watched.
    pub options: Options,
    /// Which waste is worth a remedy.
    pub thresholds: &'a Thresholds,
    /// What calls take; `None`: that is measured.
    pub table: Option<Table>,
    /// How many pairs of runs each remedy gets.
    pub pairs: usize,
}

/// What came of it.
#[derive(Debug)]
pub struct Found {
    /// Calls of the watched run without a remedy.
    pub calls: u64,
    /// What that run wastes.
    pub findings: Vec<Finding>,
    /// What each remedy does; or why that cannot be told.
    pub proofs: Result<Proofs, Refusal>,
}

impl Found {
    /// The proofs of remedies that work.
    pub fn proved(&self) -> impl Iterator<Item = &Proof> {
        let proofs = self.proofs.as_ref().map_or(&[][..], |proofs| &proofs.all);
        proofs.iter().filter(|proof| proof.verdict == Verdict::Proved)
    }
}

impl Experiment<'_> {
    /// Watches the command once, and tries the remedies of what is found. `say` is told what the
    /// user should know meanwhile. `None`: the user pressed Ctrl-C.
    ///
    /// # Errors
    /// The command cannot be run in a scratch copy; see [`Failure`].
    pub fn run(self, say: &mut dyn FnMut(&str)) -> Result<Option<Found>, Failure> {
        let Experiment { scratch, options, thresholds, table, pairs } = self;
        let (mut counts, mut explainer) = (Counts::default(), Explainer::default());
        let (mut searches, mut touched) = (Searches::default(), Touched::default());
        let (registry, ended, outcome) = watch_in_scratch(
            &scratch,
            &Variant::default(),
            &options,
            &mut [&mut counts, &mut explainer, &mut searches, &mut touched],
        )?;
        if ended.interrupted {
            return Ok(None);
        }
        for directory in &outcome.empty {
            let directory = directory.display();
            say(&format!("'{directory}' cannot be copied: the command finds it empty"));
        }
        let found = explainer.findings(&registry, thresholds);
        let stop = stop_price();
        let of_calls = stop.filter(|_| table.is_none()).map(|stop| stop.processor);
        // No file is looked at again: what the command made is gone.
        let pricing = Pricing { table, hands_off: true, most: None, stop: of_calls };
        let findings = price(found, &registry, thresholds, &pricing);
        let candidates = candidates(&findings, &registry, &searches);
        let more = runs(&candidates, pairs);
        let mut untouched = Vec::new();
        if more > 0 {
            say(&format!("the command will be run {more} times more"));
            untouched = touched.only_looked_at(&scratch, &registry);
            untouched.retain(|directory| !outcome.empty.contains(directory));
        }
        let calls = counts.calls().total().calls;
        let trials = Trials {
            untouched,
            scratch,
            watched: outcome,
            options,
            calls,
            pairs,
            stop: stop.map(|stop| stop.wall),
        };
        let proofs = prover::prove(trials, candidates).transpose();
        Ok(proofs.map(|proofs| Found { calls, findings, proofs }))
    }
}
