//! The report as text: a summary line, then each finding on a screenful.

mod finding;
mod lines;

pub(crate) use finding::basis_words;
pub(crate) use lines::{WIDTH, fit_end, wrap};

use super::{End, Report, Timing, Untraced};
use crate::explain::InsideStart;
use crate::figures::{count, counted, share, time};
use crate::{Name, StackId, own_frame};
use fewer::path::base_name;
use fewer::present::escaped;

/// How text is emphasised: what to write before it. All but [`Palette::PLAIN`] end with `reset`.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Palette {
    /// The summary, and what a finding says.
    pub strong: &'static str,
    /// The id of a finding.
    pub id: &'static str,
    /// The program's own frame.
    pub own: &'static str,
    /// Labels, and frames of libraries.
    pub faint: &'static str,
    /// Code.
    pub code: &'static str,
    /// Back to normal.
    pub reset: &'static str,
}

impl Palette {
    /// No colours.
    pub const PLAIN: Palette =
        Palette { strong: "", id: "", own: "", faint: "", code: "", reset: "" };

    /// For terminals, dark or light: the terminal's own colours.
    pub const COLOR: Palette = Palette {
        strong: "\x1b[1m",
        id: "\x1b[1;33m",
        own: "\x1b[1;32m",
        faint: "\x1b[2m",
        code: "\x1b[36m",
        reset: "\x1b[0m",
    };
}

impl Report<'_> {
    /// The whole report. A line takes at most 100 columns and a finding at most 24 lines, unless
    /// its remedy says more: that is never cut.
    #[must_use]
    pub fn text(&self, palette: &Palette) -> String {
        let mut out = String::new();
        let summary = self.summary();
        let (before, kinds) = summary.rsplit_once(": ").unwrap_or((&summary, ""));
        let is_long = summary.chars().count() > lines::WIDTH && !self.findings.is_empty();
        let parts =
            if is_long { vec![format!("{before}:"), kinds.to_owned()] } else { vec![summary] };
        let wrapped = |part: &String| lines::wrap(part, lines::WIDTH, usize::MAX);
        for line in parts.iter().flat_map(wrapped) {
            out += &format!("{}{line}{}\n", palette.strong, palette.reset);
        }
        for (at, finding) in self.findings.iter().enumerate() {
            out.push('\n');
            out += &self.finding(at + 1, finding, palette);
        }
        let remarks = self.remarks();
        if !remarks.is_empty() {
            out.push('\n');
        }
        for remark in remarks {
            for line in lines::wrap(&remark, lines::WIDTH, usize::MAX) {
                out += &format!("{}{line}{}\n", palette.faint, palette.reset);
            }
        }
        out
    }

    /// One sentence: the time that can be saved, wasted calls, the three findings that matter most.
    #[must_use]
    pub fn summary(&self) -> String {
        let calls = self.calls();
        if self.findings.is_empty() {
            let calls = counted(calls, "call", "calls");
            return format!("{calls}, nothing worth mending: {}", self.reason);
        }
        let wasted = self.wasted();
        let part = share(wasted, calls);
        let mut out =
            format!("{} of {} wasted ({part})", count(wasted), counted(calls, "call", "calls"));
        if let Some(saved) = self.saved() {
            let little = if self.is_little() { "little to gain: " } else { "" };
            let of = match (self.untraced, self.wall()) {
                (Ok(run), Some(wall)) => format!(" of {} ({})", run.words(), share(saved, wall)),
                _ => String::new(),
            };
            out = format!("{little}~{}{of} could be saved, {out}", time(saved));
        }
        let mut kinds: Vec<(&str, u64, Option<u64>)> = Vec::new();
        for finding in self.findings {
            let saved = finding.saved.map(|saved| saved.nanoseconds);
            match kinds.iter_mut().find(|kind| kind.0 == finding.id) {
                Some((_, wasted, sum)) => {
                    *wasted += finding.wasted;
                    *sum = [*sum, saved].into_iter().flatten().reduce(u64::saturating_add);
                }
                None => kinds.push((finding.id, finding.wasted, saved)),
            }
        }
        let kinds: Vec<String> = kinds
            .into_iter()
            .take(3)
            .map(|(id, wasted, saved)| match saved {
                Some(saved) => format!("{id} ~{}", time(saved)),
                None => format!("{id} {}", count(wasted)),
            })
            .collect();
        format!("{out}: {}", kinds.join(", "))
    }

    /// How the time of a run is known, if it is shown and was not measured.
    fn estimate(&self, run: &Untraced) -> Option<String> {
        let Timing::Estimated { watched } = run.basis else { return None };
        let watched = time(u64::try_from(watched.as_nanos()).unwrap_or(u64::MAX));
        let run = run.words();
        (!self.findings.is_empty()).then(|| {
            format!(
                "That a run takes {run} is an estimate: it took {watched} while it was watched, \
                 and what watching costs is taken off. --baseline measures it, by running the \
                 command once more."
            )
        })
    }

    /// How the calls were watched, if not all of them stopped the program.
    fn without_stops(&self) -> Option<String> {
        let total = self.counts.total().calls;
        (self.by_agent > 0).then(|| {
            let (by_agent, total) = (count(self.by_agent), count(total));
            format!("{by_agent} of {total} calls were recorded in the program, without a stop.")
        })
    }

    /// What was asked for through io_uring: no calls, so none of them is in any other figure.
    fn through_rings(&self) -> Option<String> {
        /// So many operations are named.
        const NAMED: usize = 5;
        let requests = self.counts.requests();
        let total = requests.total();
        let kinds = requests.by_kind();
        let mut named: Vec<String> = (kinds.iter().take(NAMED))
            .map(|(operation, tally)| format!("{operation} {}", count(tally.calls)))
            .collect();
        if kinds.len() > NAMED {
            named.push("others".to_owned());
        }
        let calls = self.counts.calls().by_kind();
        let enters = calls.iter().find(|(name, _)| *name == Name::IoUringEnter);
        let enters = enters.map_or(0, |(_, tally)| tally.calls);
        let failed = match total.failed {
            0 => String::new(),
            failed => format!(", of which {} failed", count(failed)),
        };
        let from = requests.by_caller().first().map(|((stack, _), _)| *stack);
        let from = from.filter(|stack| *stack != StackId::NONE);
        let from = from.map_or_else(String::new, |stack| {
            format!(
                "; the most from {}",
                escaped(own_frame::label(self.registry, stack).as_bytes())
            )
        });
        (total.calls > 0).then(|| {
            format!(
                "Through io_uring, apart from the calls: {} ({}){failed}, in {} of \
                 io_uring_enter{from}.",
                counted(total.calls, "request", "requests"),
                named.join(", "),
                counted(enters, "call", "calls"),
            )
        })
    }

    /// What has to be said besides: how the command ended, what was not seen or measured.
    pub(crate) fn remarks(&self) -> Vec<String> {
        let mut remarks: Vec<String> = self.inside_start.iter().map(inside_start).collect();
        match self.timeline.end() {
            Some(End::Exited(0)) | None => {}
            Some(End::Exited(status)) => {
                remarks.push(format!("The command ended with exit status {status}."));
            }
            Some(End::Killed(signal)) => {
                remarks.push(format!("The command was ended by {}.", signal_name(signal)));
            }
        }
        remarks.extend(self.rates().map(|rates| rates.words()));
        remarks.extend(self.requests_words());
        match self.untraced {
            // Nobody asks how long what runs on takes.
            Err(_) if self.watched_for.is_some() => {}
            Err(why) => {
                remarks.push(format!("How long the command takes untraced is not known: {why}."));
            }
            Ok(run) => remarks.extend(self.estimate(&run)),
        }
        if self.registry.end().is_none() {
            remarks.push("The recording was cut off: what came after is not counted.".to_owned());
        }
        remarks.extend(self.without_stops());
        remarks.extend(self.through_rings());
        for note in self.registry.notes() {
            let who = self.registry.process(note.process).map(|process| process.program);
            let who = who.map_or(&b""[..], |program| self.registry.path(program));
            let who = escaped(base_name(who));
            let sep = if who.is_empty() { "" } else { ": " };
            let what = match &*note.id {
                "agent" => "Watched slowly",
                "recorded" => "Watched",
                _ => "Not seen",
            };
            remarks.push(format!("{what}: {who}{sep}{}.", escaped(note.text.as_bytes())));
        }
        remarks
    }
}

/// What lies inside the start of a runtime, in one sentence.
fn inside_start(inside: &InsideStart) -> String {
    format!(
        "Inside the start of {}: {} wasted in {} ({}), which its scripts cannot mend.",
        inside.language,
        counted(inside.calls, "call", "calls"),
        counted(inside.kinds.len() as u64, "kind", "kinds"),
        inside.kinds.join(", ")
    )
}

/// A signal as people know it (signal(7); these are numbered alike on x86-64 and aarch64).
pub(crate) fn signal_name(signal: i32) -> String {
    match sys::signal_name(signal) {
        Some(name) => format!("SIG{name} (signal {signal})"),
        None => format!("signal {signal}"),
    }
}

#[cfg(test)]
mod tests;
