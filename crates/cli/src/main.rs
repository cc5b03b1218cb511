//! The `fewer` command: one module per verb, no file-system logic.
//!
//! | module | what is in it |
//! |---|---|
//! | `flags` | the one table of verbs and flags: parser, help, man page, completions |
//! | `walk` | enumerate a tree |
//! | `snapshots` | what a walk found, kept in a file; what changed since |
//! | `ls` | list directories |
//! | `watch` | what changes below directories, as it happens |
//! | `lines` | print, count, check the lines of texts |
//! | `size` | how much space trees take |
//! | `scan` | a part of a walk as Parquet, for several processes or machines |
//! | `sh` | run a shell script |
//! | `why` | which of a program's calls are wasted |
//! | `count` | a program's calls, counted |
//! | `budget` | what commands may do, written down and checked |
//! | `watched` | what the verbs that watch other programs share |
//! | `not_here` | verbs that are there on other machines only |
//! | `store` | addresses of stores instead of paths |
//! | `manual` | the man page |
//! | `completions` | completions for shells |
//! | `exit_status` | the exit statuses of all verbs |
//! | `report` | error messages, and the calls that were made |
//! | `progress` | the line on a terminal that shows how far the work is |
//! | `json` | parts of JSON objects |
//! | `quote` | names quoted for people or for a shell |
//! | `colors` | LS_COLORS |
//! | `hints` | what other programs call a verb or a flag |
//! | `hyperlink` | names as links to files |
//! | `terminal` | what standard output can show |
//!
//! Most of what is here runs once, so it is compiled for size; `#[inline(always)]` is for the few
//! small functions that run for each name. What prints the most bytes is `fewer::present`.
//!
//! Cargo's features choose verbs; what verbs share is not taken apart further. `tracer` is the
//! feature `trace` on a machine that has a tracer (`link/build.rs`).

// With some verbs left out, some of what they share is not used.
#![cfg_attr(not(all(feature = "default", tracer)), allow(dead_code, unused_imports))]

#[cfg(tracer)]
mod budget;
#[cfg(feature = "walk")]
mod change_printer;
#[cfg(any(feature = "walk", feature = "ls"))]
mod colors;
#[cfg(feature = "manual")]
mod completions;
#[cfg(tracer)]
mod count;
mod exit_status;
mod flags;
mod hints;
#[cfg(any(feature = "walk", feature = "ls"))]
mod hyperlink;
#[cfg(any(feature = "walk", feature = "ls", feature = "size"))]
mod json;
#[cfg(feature = "lines")]
mod lines;
#[cfg(feature = "ls")]
mod ls;
#[cfg(feature = "manual")]
mod manual;
mod not_here;
#[cfg(any(feature = "walk", feature = "lines", feature = "size"))]
mod progress;
#[cfg(any(feature = "ls", feature = "lines"))]
mod quote;
mod report;
#[cfg(feature = "tables")]
mod scan;
#[cfg(all(feature = "sh", target_os = "linux"))]
mod sh;
#[cfg(feature = "size")]
mod size;
#[cfg(feature = "walk")]
mod snapshots;
#[cfg(feature = "stores")]
mod store;
mod terminal;
#[cfg(feature = "walk")]
mod walk;
#[cfg(all(feature = "walk", target_os = "linux"))]
mod watch;
#[cfg(tracer)]
mod watched;
#[cfg(tracer)]
mod why;

use std::ffi::OsString;
use std::process::ExitCode;

/// `sh` writes what it has buffered when memory runs out.
#[global_allocator]
static MEMORY: sys::Memory = sys::Memory;

sys::remember_what_is_closed!();
sys::copy_memory_here!();
sys::remember_what_pipes_do!();

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().collect();
    #[cfg(all(feature = "sh", target_os = "linux"))]
    if let Some(words) = sh::words(&words) {
        return ExitCode::from(sh::run(words));
    }
    if let Some(hint) = hints::words_of_find(&words) {
        return ExitCode::from(report::fail(&hint));
    }
    let status = match flags::fewer().try_get_matches_from(words) {
        Ok(matches) => run(&matches),
        Err(answer) => report::parser(&answer),
    };
    ExitCode::from(status)
}

fn run(matches: &clap::ArgMatches) -> u8 {
    match matches.subcommand() {
        #[cfg(feature = "walk")]
        Some(("walk", flags)) => walk::run(flags),
        #[cfg(feature = "walk")]
        Some(("snapshot", flags)) => snapshots::snapshot(flags),
        #[cfg(feature = "walk")]
        Some(("changes", flags)) => snapshots::changes(flags),
        #[cfg(all(feature = "walk", target_os = "linux"))]
        Some(("watch", flags)) => watch::run(flags),
        #[cfg(feature = "ls")]
        Some(("ls", flags)) => ls::run(flags),
        #[cfg(feature = "lines")]
        Some(("lines", flags)) => lines::run(flags),
        #[cfg(feature = "size")]
        Some(("size", flags)) => size::run(flags),
        #[cfg(feature = "tables")]
        Some(("scan", flags)) => scan::run(flags),
        #[cfg(tracer)]
        Some(("why", flags)) => why::run(flags),
        #[cfg(tracer)]
        Some(("count", flags)) => count::run(flags),
        #[cfg(tracer)]
        Some(("budget", flags)) => budget::run(flags),
        #[cfg(feature = "manual")]
        Some(("completions", flags)) => completions::print(flags),
        #[cfg(feature = "manual")]
        Some(("man", flags)) => manual::man(flags),
        Some((verb, _)) => not_here::run(verb),
        // The parser allows no other words.
        None => exit_status::FAILED,
    }
}
