//! From calls to findings. Pure: the same stream gives the same findings. Nothing here asks the
//! machine; `price` finds out later what a finding saves.
//!
//! | module | what is in it |
//! |---|---|
//! | `explainer` | hands each event to the rules, and collects their findings |
//! | `history` | turns calls into facts, once for all rules: a question was asked again |
//! | `rules` | one file per kind of waste; a rule judges calls and facts |
//! | `tally`, `draft`, `finding` | from what a rule counted to what is reported |
//! | `startup` | what lies inside a runtime's start, and is no finding |
//! | `thresholds` | which findings are worth reporting |
//! | `remedies`, `caller` | what to do instead, and how the caller makes its calls |
//! | `substitutes` | what a language does without starting a program |
//! | `words` | numbers and paths in sentences |

mod caller;
mod draft;
mod explainer;
mod finding;
mod history;
mod remedies;
mod rules;
mod startup;
mod substitutes;
mod tally;
mod thresholds;
pub(crate) mod words;

pub use explainer::{Explainer, clean};
pub use finding::{Act, Basis, Children, Finding, Remedy, Saved, Spared};
pub use rules::ids as rule_ids;
pub use startup::InsideStart;
pub use thresholds::{Different, Limits, Thresholds};
