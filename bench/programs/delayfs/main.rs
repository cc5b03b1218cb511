//! A tree behind a delay: each question to it is answered so many milliseconds after it was put,
//! however many are under way at once, as by a server at some distance that is never busy.
//!
//!     delayfs MILLISECONDS TREE -- COMMAND...   runs COMMAND, which alone sees TREE like that
//!     delayfs MILLISECONDS TREE --here          for a caller in a mount namespace of its own: says
//!                                               `ready`, and serves until its input ends
//!
//! The tree is read into memory first, then this file system is mounted over it: names, kinds,
//! attributes and link targets, for reading; files cannot be read. Delayed are lookup, getattr,
//! opendir, readdir (each block), readlink and statfs. Nobody waits for releasedir and forget, so
//! they are not. The kernel keeps no entry and no attribute (their time-outs are 0), and asks by
//! readdir, never by readdirplus: a stat costs a question of its own.
//!
//! - `memory` the tree, `serve` its answers and when they are sent
//!
//! Needs root. COMMAND runs in a mount namespace of its own: what is mounted goes with its
//! processes, however they end.

mod memory;
#[path = "../../src/namespace.rs"]
mod namespace;
mod serve;

use std::io::Read;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::time::Duration;

use fuser::{BackgroundSession, MountOption};

use memory::Tree;
use serve::{Delayed, Tally};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let result = match words.as_slice() {
        [delay, tree, here] if here == "--here" => serve_until_input_ends(delay, tree),
        [delay, tree, dashes, command @ ..] if dashes == "--" && !command.is_empty() => {
            run(delay, tree, command)
        }
        _ => Err("usage: delayfs MILLISECONDS TREE -- COMMAND... (or --here)".into()),
    };
    result.unwrap_or_else(|error| {
        eprintln!("delayfs: {error}");
        ExitCode::from(2)
    })
}

fn serve_until_input_ends(delay: &str, tree: &str) -> Result<ExitCode, String> {
    let (_mounted, _) = mount(delay, tree)?;
    println!("ready");
    let mut nothing = Vec::new();
    std::io::stdin().read_to_end(&mut nothing).map_err(|error| error.to_string())?;
    Ok(ExitCode::SUCCESS)
}

/// Ends as the command does, after a line on stderr that says what was asked.
fn run(delay: &str, tree: &str, command: &[String]) -> Result<ExitCode, String> {
    namespace::enter()?;
    let (_mounted, tally) = mount(delay, tree)?;
    let status = Command::new(&command[0])
        .args(&command[1..])
        .status()
        .map_err(|error| format!("{}: {error}", command[0]))?;
    eprintln!("delayfs: {tally}");
    Ok(status.code().map_or(ExitCode::FAILURE, |code| ExitCode::from(code as u8)))
}

fn mount(delay: &str, tree: &str) -> Result<(BackgroundSession, Arc<Tally>), String> {
    let milliseconds = delay.parse().ok().filter(|ms: &f64| (0.0..10_000.0).contains(ms));
    let milliseconds = milliseconds.ok_or(format!("{delay} is no number of milliseconds"))?;
    let said = |error: std::io::Error| format!("{tree}: {error}");
    let delayed = Delayed::new(
        Tree::read(Path::new(tree)).map_err(said)?,
        Duration::from_secs_f64(milliseconds / 1e3),
    );
    let tally = delayed.tally();
    let options = [MountOption::RO, MountOption::FSName("delayfs".into())];
    Ok((fuser::spawn_mount2(delayed, tree, &options).map_err(said)?, tally))
}
