//! The `fewer` command: verbs on the outside, no file-system logic inside.
//!
//! | room | what lives there |
//! |---|---|
//! | `flags` | the one table of verbs and flags: parser, help, man page, completions |
//! | `walk` | enumerate a tree |
//! | `ls` | list directories |
//! | `sh` | run a shell script |
//! | `why` | which of a program's calls are wasted |
//! | `count` | a program's calls, counted |
//! | `budget` | what commands may do, written down and checked |
//! | `watched` | what the verbs that watch other programs share |
//! | `colors` | LS_COLORS |
//! | `hyperlink` | names as links to files |
//! | `json` | names, kinds and texts as JSON has them |
//! | `terminal` | what standard output can show |
//! | `lines` | print, count, check the lines of texts |
//! | `manual` | man page and completions |
//! | `progress` | the line that shows that something goes on |
//! | `quote` | names so that they can be read, or typed into a shell |
//! | `report` | errors, exit status, what it cost in calls |

mod budget;
mod colors;
mod count;
mod flags;
mod hyperlink;
mod json;
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

/// `sh` still writes what it has kept when there is no more memory.
#[global_allocator]
static MEMORY: kernel::Memory = kernel::Memory;

kernel::remember_what_is_closed!();
kernel::remember_what_pipes_do!();

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
        // The parser lets nothing else through.
        _ => report::FAILED,
    }
}
