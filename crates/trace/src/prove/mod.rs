//! Whether a remedy works, found out without a change of the program: the command runs with it and
//! without it, in turns, in a scratch copy.
//!
//! A remedy is a [`Measure`]: something that can be done to a run from outside. That is a change of
//! the environment, or functions that are loaded before those of the C library, some of which
//! answer calls from memory. Another kind needs a row in `candidates`, and a
//! [`Variant`](crate::source::scratch::Variant) that says what a run begins with.
//!
//! | module | what is in it |
//! |---|---|
//! | `candidates` | which measures a finding has; or why it has none |
//! | `searches` | an event sink: which places of a search path are never used |
//! | `touched` | an event sink: what the command looks at and writes to |
//! | `functions` | the library that is loaded before the C library |
//! | `comparison` | the first difference between two runs |
//! | `statistics` | a median, and the interval that it lies in |
//! | `prover` | the runs, and what follows from them |
//! | `experiment` | a command, from the first watched run to the proofs |
//! | `report` | text and JSON |

mod candidates;
mod comparison;
mod experiment;
mod functions;
mod prover;
mod report;
mod searches;
mod statistics;
mod touched;

pub use candidates::{Candidate, Measure};
pub use experiment::{Experiment, Found};
pub use functions::{Functions, library};
pub use prover::{Gain, Proof, Proofs, Refusal, Verdict, runs_with, runs_without};
pub use report::{gist, json, text};
pub use statistics::{Interval, LEAST_PAIRS, PAIRS, median_interval};
