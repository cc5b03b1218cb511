//! Findings as text, JSON and HTML; stacks as folded lines.
//!
//! | module | what is in it |
//! |---|---|
//! | `timeline` | calls by time, and how the command ended |
//! | `text` | a summary line, then a screenful for each finding |
//! | `json` | everything, for programs |
//! | `html` | one page with a timeline, a flame graph, a table of paths |
//! | `difference` | two runs compared |
//! | `flame` | calls by stack: a tree, and folded lines |
//! | `locations` | the frames of stacks, and where a finding's calls come from |
//! | `notation` | a call as strace writes it |
//! | `rates` | what happens in a second |
//! | `top` | an event sink: what is wasted now, again and again |
//! | `activity` | what a call does: the rows of the timeline |

mod activity;
mod difference;
mod flame;
mod html;
mod json;
mod locations;
mod notation;
mod rates;
mod text;
mod timeline;
mod top;

use std::time::Duration;

pub use difference::{ComparedRun, Difference};
pub use rates::Rates;
pub use text::Palette;
pub(crate) use text::{WIDTH, wrap};
pub use timeline::{End, Timeline};
pub use top::{Moment, Top};

use crate::Registry;
use crate::count::Counts;
use crate::explain::{Finding, InsideStart, Thresholds};
use crate::figures;
use crate::served::Served;

/// All that is reported of a run.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// What was wasted, priced and ranked.
    pub findings: &'a [Finding],
    /// What lies inside the start of runtimes: no findings, as the author of a script
    /// cannot mend it.
    pub inside_start: &'a [InsideStart],
    /// Why there are no findings, without a full stop; see [`too_cheap`] and
    /// [`crate::explain::clean`]. Used only then.
    pub reason: &'a str,
    /// What the numbers in findings and calls stand for.
    pub registry: &'a Registry,
    /// All calls, counted.
    pub counts: &'a Counts,
    /// The calls by time.
    pub timeline: &'a Timeline,
    /// How long the command takes untraced; or why that is not known.
    pub untraced: Result<Untraced, &'a str>,
    /// How long something was watched that was not started for it, or is let go: rates say more
    /// about it than sums do.
    pub watched_for: Option<Duration>,
    /// How many of the calls were recorded by the agent, without a stop.
    pub by_agent: u64,
    /// The requests that it answered.
    pub served: &'a Served,
}

/// How long a command takes untraced.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Untraced {
    /// On the clock.
    pub wall: Duration,
    /// How that is known.
    pub basis: Timing,
}

/// How it is known how long a command takes untraced.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Timing {
    /// It was run once more, untraced.
    Measured {
        /// Time of processors in the program.
        user: Duration,
        /// The same in the kernel.
        system: Duration,
    },
    /// From the traced run: what tracing cost is subtracted.
    Estimated {
        /// How long that run took, traced.
        watched: Duration,
    },
}

impl Untraced {
    fn nanoseconds(&self) -> u64 {
        u64::try_from(self.wall.as_nanos()).unwrap_or(u64::MAX)
    }

    /// The time on the clock; an estimate is marked as one.
    pub(crate) fn words(&self) -> String {
        let about = matches!(self.basis, Timing::Estimated { .. });
        format!("{}{}", if about { "~" } else { "" }, figures::time(self.nanoseconds()))
    }
}

impl Report<'_> {
    /// Calls made.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.counts.total().calls
    }

    /// Calls that need not have been made: each is counted by one finding.
    #[must_use]
    pub fn wasted(&self) -> u64 {
        self.findings.iter().map(|finding| finding.wasted).sum()
    }

    /// Nanoseconds that all remedies save; `None` if nothing has a price.
    #[must_use]
    pub fn saved(&self) -> Option<u64> {
        let saved = self.findings.iter().filter_map(|finding| finding.saved);
        saved.map(|saved| saved.nanoseconds).reduce(u64::saturating_add)
    }

    /// Whether mending everything would save less than a twentieth of a run.
    pub(crate) fn is_little(&self) -> bool {
        const PART: u64 = 20;
        let both = self.saved().zip(self.wall());
        both.is_some_and(|(saved, wall)| saved.saturating_mul(PART) < wall)
    }

    fn wall(&self) -> Option<u64> {
        self.untraced.ok().map(|untraced| untraced.nanoseconds())
    }
}

/// Why there are no findings although there was some waste: `nearest`, before prices were known.
#[must_use]
pub fn too_cheap(nearest: &Finding, thresholds: &Thresholds) -> String {
    let limit = thresholds.of(nearest.id).milliseconds;
    let wasted = figures::counted(nearest.wasted, "call", "calls");
    format!("no remedy would save {limit} ms of a run (nearest: {} with {wasted})", nearest.id)
}

#[cfg(test)]
mod sample;
