//! Verbs that this program has on other machines only: they say so, where a parser would take them
//! for a mistake.

use std::env::consts::{ARCH, OS};
use std::ffi::OsString;

use clap::{Arg, Command, value_parser};

use crate::report;

/// The verbs that need the tracer.
const TRACER: &[&str] =
    if cfg!(all(feature = "trace", not(tracer))) { &["why", "count", "budget"] } else { &[] };

/// The verbs that are there on Linux only.
const LINUX: &[&str] = if cfg!(target_os = "linux") { &[] } else { &["sh", "watch"] };

/// What the parser needs to know of them: they take any words. Help does not show them.
pub(crate) fn verbs() -> impl Iterator<Item = Command> {
    TRACER.iter().chain(LINUX).map(|verb| {
        let words = Arg::new("words").num_args(0..).value_parser(value_parser!(OsString));
        let words = words.trailing_var_arg(true).allow_hyphen_values(true);
        Command::new(*verb).hide(true).disable_help_flag(true).arg(words)
    })
}

/// Says that a verb is not here, and returns the exit status.
pub(crate) fn run(verb: &str) -> u8 {
    report::fail(&match LINUX.contains(&verb) {
        true => on_other_systems(verb),
        false => format!(
            "'{verb}' watches programs with Linux on x86-64 and 64-bit Arm; this fewer is for {OS} \
             on {ARCH}, and has no tracer"
        ),
    })
}

/// What is said of a verb or a flag that other systems have.
pub(crate) fn on_other_systems(what: &str) -> String {
    format!("'{what}' is not there in the fewer for {OS}; it is in that for Linux")
}
