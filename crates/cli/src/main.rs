//! The `fewer` command: verbs on the outside, no file-system logic inside.
//!
//! | room | what lives there |
//! |---|---|
//! | `flags` | the one table of verbs and flags: parser, help, man page, completions |
//! | `walk` | enumerate a tree |
//! | `manual` | man page and completions |
//! | `progress` | the line that shows that something goes on |
//! | `report` | errors, exit status, what it cost in calls |

mod flags;
mod manual;
mod progress;
mod report;
mod walk;

use std::process::ExitCode;

fn main() -> ExitCode {
    let matches = flags::fewer().get_matches();
    let status = match matches.subcommand() {
        Some(("walk", flags)) => walk::run(flags),
        Some(("completions", flags)) => manual::completions(flags),
        Some(("man", _)) => manual::man(),
        // The parser lets nothing else through.
        _ => report::FAILED,
    };
    ExitCode::from(status)
}
