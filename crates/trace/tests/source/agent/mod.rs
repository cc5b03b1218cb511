//! Programs under the agent do what they do unwatched, and the agent reports the calls that
//! stopping reports, one by one.

mod commands;
mod family;
mod files;
mod killed;
mod languages;
mod odd;
mod runtimes;
mod signals;
mod threads;
mod tiers;
