//! What a command may cost, and what it costs now. `docs/budget.md` is the manual.
//!
//! A [`Budgets`] file is recorded and checked by running its commands under the tracer of
//! `fewer-trace`: [`TracedRuns`] makes one run, [`check()`] compares it with what is allowed.
//!
//! | module | what is in it |
//! |---|---|
//! | `base`, `pattern`, `generalise` | how files are named, so that names hold for other runs |
//! | `loader`, `measured` | what one run did, without the loader's calls |
//! | `allowed`, `range` | what a command may do, from several runs |
//! | `compare`, `origin` | what is new, and from where |
//! | `slope`, `ratio` | calls per item, exactly |
//! | `command` | a command, how it is run, and what it may do |
//! | `record`, `check`, `outcome` | runs commands, records and checks them; what became of each |
//! | `measure` | one run on this machine |
//! | `text`, `json`, `junit` | what was found, for people and for programs |
//! | `file`, `snapshot`, `edit` | a file of budgets: read, and changed without touching the rest |
//! | `disk` | the system calls that these need |

mod allowed;
mod base;
mod check;
mod command;
mod compare;
mod disk;
mod edit;
mod file;
mod generalise;
pub mod json;
pub mod junit;
mod loader;
mod measure;
mod measured;
mod origin;
mod outcome;
mod pattern;
mod range;
mod ratio;
mod record;
#[cfg(test)]
mod render_tests;
mod slope;
mod snapshot;
#[cfg(test)]
mod stream;
pub mod text;

pub use allowed::{Allowed, Files};
pub use base::Base;
pub use check::{check, check_scale};
pub use command::{Command, CommandLine, Run, Scale};
pub use compare::{Comparison, Excess};
pub use file::Budgets;
pub use measure::TracedRuns;
pub use measured::{CallCounter, CallKey, Measured, Status};
pub use origin::Origin;
pub use outcome::{Checked, Failure, Outcome, Sloped, title};
pub use range::Range;
pub use ratio::Ratio;
pub use record::{Measure, record, record_scale};
pub use slope::{PerItem, Slope, Steeper};
pub use snapshot::Snapshot;
