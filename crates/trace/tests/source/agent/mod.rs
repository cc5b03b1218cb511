//! Programs under the agent do what they do unwatched, and the agent reports the calls that stopping
//! reports, one by one.

mod family;
mod files;
mod odd;
mod signals;
mod tiers;
