//! The data of the page's script. Names are escaped already, as in the text report; the script
//! only puts them where they belong.

use rustc_hash::FxHashMap;
use serde::Serialize;

use super::super::activity::Activity;
use super::super::flame::Class;
use super::super::locations::{Spot, origins, spots};
use super::super::notation::notation;
use super::super::text::basis_words;
use super::super::{Report, Timing};
use crate::explain::Finding;
use crate::{StackId, own_frame};
use fewer::path::base_name;
use fewer::present::escaped;

/// Rows of the table of files, those with the most calls; the others are added up.
const FILES: usize = 20_000;
/// Places and stacks that are shown of a finding.
const ORIGINS: usize = 8;
/// Frames of a stack that are shown; the middle of a deeper one is left out.
const FRAMES: usize = 120;

#[derive(Serialize)]
pub(super) struct Page {
    command: String,
    directory: String,
    version: &'static str,
    calls: u64,
    failed: u64,
    wasted: u64,
    saved: Option<u64>,
    /// Of an untraced run: on the clock, and if that was measured in the program and in
    /// the kernel; else it is an estimate.
    untraced: Option<(u64, Option<[u64; 2]>)>,
    processes: u64,
    reason: String,
    remarks: Vec<String>,
    findings: Vec<Waste>,
    timeline: TimelineData,
    flame: Flame,
    /// Name, kind, calls, failed, bytes.
    names: Vec<(String, usize, u64, u64, u64)>,
    /// Path, calls, failed, bytes.
    files: Vec<(String, u64, u64, u64)>,
    /// Files that are not in the list, their calls, those that failed. Beyond a million files
    /// only their calls are known.
    other_files: (u64, u64, u64),
    /// Whether there were more files than are counted one by one.
    more_files: bool,
    /// Whether mending everything would save little.
    little: bool,
}

#[derive(Serialize)]
struct Waste {
    id: &'static str,
    verdict: String,
    program: String,
    language: String,
    wasted: u64,
    saved: Option<u64>,
    basis: &'static str,
    /// Calls, function, site.
    origins: Vec<(u64, String, String)>,
    more_origins: usize,
    /// Why the first one has no line.
    hint: Option<&'static str>,
    stack: Vec<Step>,
    /// What stands in the tree where the calls come from.
    shown: Option<String>,
    truncated: bool,
    examples: Vec<String>,
    remedy: String,
    snippet: String,
    careful: String,
    steps: Vec<u64>,
}

/// A function on a stack: its name, its site, and 0 for one of the program, 1 for the own one, 2
/// for one of a library.
type Step = (String, String, u8);

#[derive(Serialize)]
struct TimelineData {
    step: u64,
    /// One word, what it stands for.
    kinds: Vec<(&'static str, &'static str)>,
    steps: Vec<Vec<u32>>,
}

/// A tree in columns: node 0 is the root.
#[derive(Serialize)]
struct Flame {
    /// Text, site, class: 0 to 7 a kind of call, 8 program, 9 function, 10 library, 11 interpreter.
    labels: Vec<(String, String, usize)>,
    parent: Vec<usize>,
    label: Vec<usize>,
    calls: Vec<u64>,
    wasted: Vec<u64>,
    own: Vec<usize>,
    /// Calls whose stack ends early.
    cut: u64,
}

impl Report<'_> {
    pub(super) fn page(&self) -> Page {
        let total = self.counts.total();
        let first = self.registry.first();
        let nanoseconds = |time: std::time::Duration| u64::try_from(time.as_nanos()).ok();
        let mut files = self.counts.calls().by_file();
        let rest = files.split_off(files.len().min(FILES));
        let beyond = self.counts.calls().beyond();
        Page {
            command: self.command(),
            directory: first
                .map(|it| escaped(self.registry.path(it.directory)))
                .unwrap_or_default(),
            version: env!("CARGO_PKG_VERSION"),
            calls: total.calls,
            failed: total.failed,
            wasted: self.wasted(),
            saved: self.saved(),
            untraced: self.untraced.ok().and_then(|it| {
                let processors = match it.basis {
                    Timing::Measured { user, system } => {
                        Some([nanoseconds(user)?, nanoseconds(system)?])
                    }
                    Timing::Estimated { .. } => None,
                };
                Some((nanoseconds(it.wall)?, processors))
            }),
            processes: self.timeline.processes(),
            reason: escaped(self.reason.as_bytes()),
            remarks: self.remarks(),
            findings: self.findings.iter().map(|finding| self.page_finding(finding)).collect(),
            timeline: TimelineData {
                step: self.timeline.step(),
                kinds: Activity::ALL.map(Activity::words).into(),
                steps: self.timeline.steps().iter().map(|step| step.to_vec()).collect(),
            },
            flame: self.page_flame(),
            names: (self.counts.calls().by_kind().into_iter())
                .map(|(name, tally)| {
                    let kind = Activity::of(name) as usize;
                    (name.to_string(), kind, tally.calls, tally.failed, tally.moved)
                })
                .collect(),
            more_files: beyond.calls > 0,
            little: self.is_little(),
            other_files: (
                rest.len() as u64,
                rest.iter().map(|(_, tally)| tally.calls).sum::<u64>() + beyond.calls,
                rest.iter().map(|(_, tally)| tally.failed).sum::<u64>() + beyond.failed,
            ),
            files: (files.into_iter())
                .map(|(file, tally)| {
                    (escaped(self.registry.path(file)), tally.calls, tally.failed, tally.moved)
                })
                .collect(),
        }
    }

    fn page_finding(&self, finding: &Finding) -> Waste {
        let origins = origins(self.registry, finding);
        let stack = origins.first().map_or(StackId::NONE, |origin| origin.stack);
        let snippet: Vec<String> = (finding.remedy.snippet.lines())
            .map(|line| escaped(line.replace('\t', "    ").as_bytes()))
            .collect();
        Waste {
            id: finding.id,
            verdict: escaped(finding.verdict.as_bytes()),
            program: escaped(base_name(self.registry.path(finding.program))),
            language: finding.language.to_string(),
            wasted: finding.wasted,
            saved: finding.saved.map(|saved| saved.nanoseconds),
            basis: finding.saved.map_or("", |saved| basis_words(saved.basis)),
            more_origins: origins.len().saturating_sub(ORIGINS),
            hint: origins.first().and_then(|origin| origin.hint),
            origins: (origins.into_iter().take(ORIGINS))
                .map(|origin| (origin.calls, origin.function, origin.site))
                .collect(),
            stack: self.page_stack(stack),
            shown: self.own_label(stack),
            truncated: self.registry.is_truncated(stack),
            examples: finding.examples.iter().map(|call| notation(call, self.registry)).collect(),
            remedy: escaped(finding.remedy.text.as_bytes()),
            snippet: snippet.join("\n"),
            careful: escaped(finding.careful.as_bytes()),
            steps: self.steps_of(finding),
        }
    }

    /// When the calls of a finding were made. Only their stacks are known: of each stack's calls
    /// the wasted part is taken to be the same at all times.
    fn steps_of(&self, finding: &Finding) -> Vec<u64> {
        let mut made: FxHashMap<StackId, u64> = FxHashMap::default();
        for ((stack, _), tally) in self.counts.calls().by_caller() {
            *made.entry(stack).or_default() += tally.calls;
        }
        #[expect(clippy::cast_precision_loss, reason = "a share for a drawing")]
        let part = |(stack, wasted): &(StackId, u64)| {
            let made = made.get(stack).copied().unwrap_or_default().max(1);
            // One call may stand for several: an open for its reads and its close.
            (*stack, *wasted as f64 / made as f64)
        };
        self.timeline.of_stacks(&finding.callers.iter().map(part).collect())
    }

    fn page_stack(&self, stack: StackId) -> Vec<Step> {
        let spots = spots(self.registry, stack);
        let far = spots.len().saturating_sub(FRAMES);
        let hidden = FRAMES / 2..FRAMES / 2 + far;
        let mut steps = Vec::new();
        for (at, spot) in spots.iter().enumerate() {
            if far > 0 && hidden.contains(&at) && !spot.is_own {
                if at == hidden.start {
                    steps.push((format!("... {far} frames"), String::new(), 2));
                }
                continue;
            }
            steps.push((spot.function(), spot.site(self.registry), self.class(spot)));
        }
        steps
    }

    fn class(&self, spot: &Spot) -> u8 {
        match spot.is_own {
            true => 1,
            false if own_frame::is_runtime(self.registry.path(spot.frame.module)) => 2,
            false => 0,
        }
    }

    fn page_flame(&self) -> Flame {
        let tree = self.tree();
        let class = |class| match class {
            Class::Call(name) => Activity::of(name) as usize,
            Class::Program => Activity::ALL.len(),
            Class::Function => Activity::ALL.len() + 1,
            Class::Library => Activity::ALL.len() + 2,
            Class::Interpreter => Activity::ALL.len() + 3,
        };
        Flame {
            parent: tree.nodes.iter().map(|node| node.parent).collect(),
            label: tree.nodes.iter().map(|node| node.label).collect(),
            calls: tree.nodes.iter().map(|node| node.calls).collect(),
            wasted: tree.nodes.iter().map(|node| node.wasted).collect(),
            cut: tree.cut,
            own: (0..tree.nodes.len()).filter(|at| tree.nodes[*at].is_own).collect(),
            labels: (tree.labels.into_iter())
                .map(|label| (label.text, label.site, class(label.class)))
                .collect(),
        }
    }
}
