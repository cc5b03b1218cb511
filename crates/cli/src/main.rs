//! The `fewer` command: one module per verb, no file-system logic.
//!
//! | module | what is in it |
//! |---|---|
//! | `flags` | the one table of verbs and flags: parser, help, man page, completions |
//! | `walk` | enumerate a tree |
//! | `ls` | list directories |
//! | `lines` | print, count, check the lines of texts |
//! | `sh` | run a shell script |
//! | `why` | which of a program's calls are wasted |
//! | `count` | a program's calls, counted |
//! | `budget` | what commands may do, written down and checked |
//! | `watched` | what the verbs that watch other programs share |
//! | `manual` | man page and completions |
//! | `exit_status` | the exit statuses of all verbs |
//! | `report` | error messages, and the calls that were made |
//! | `progress` | the line on a terminal that shows how far the work is |
//! | `quote` | names quoted for people or for a shell |
//! | `colors` | LS_COLORS |
//! | `hyperlink` | names as links to files |
//! | `terminal` | what standard output can show |

mod budget;
mod colors;
mod count;
mod exit_status;
mod flags;
mod hyperlink;
mod lines;
mod ls;
mod manual;
mod progress;
mod quote;
mod report;
mod sh;
mod terminal;
mod walk;
mod watched;
mod why;

use std::ffi::OsString;
use std::process::ExitCode;

/// `sh` writes what it has buffered when memory runs out.
#[global_allocator]
static MEMORY: sys::Memory = sys::Memory;

sys::remember_what_is_closed!();
sys::remember_what_pipes_do!();

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().collect();
    if let Some(words) = sh::words(&words) {
        return ExitCode::from(sh::run(words));
    }
    let status = match flags::fewer().try_get_matches_from(words) {
        Ok(matches) => run(&matches),
        Err(answer) => report::parser(&answer),
    };
    ExitCode::from(status)
}

fn run(matches: &clap::ArgMatches) -> u8 {
    match matches.subcommand() {
        Some(("walk", flags)) => walk::run(flags),
        Some(("ls", flags)) => ls::run(flags),
        Some(("lines", flags)) => lines::run(flags),
        Some(("why", flags)) => why::run(flags),
        Some(("count", flags)) => count::run(flags),
        Some(("budget", flags)) => budget::run(flags),
        Some(("completions", flags)) => manual::completions(flags),
        Some(("man", _)) => manual::man(),
        // The parser allows no other verb.
        _ => exit_status::FAILED,
    }
}
