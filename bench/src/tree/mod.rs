//! What is walked, listed and read: planned from a fixed seed, made once, then kept.
//!
//! - `subject` all of it: trees, flat directories, texts
//! - `plan` what a tree has, `grow` how it branches, `names` how its entries are called
//! - `write` hands a plan to the disk or to a digest, `dress` gives files sizes, times and owners
//! - `flat` one full directory, `text` one file of lines
//! - `random` the same numbers on every machine

mod dress;
mod flat;
mod grow;
mod names;
mod plan;
mod random;
mod subject;
mod text;
mod write;

use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::machine;
pub(crate) use subject::{Subject, all, subject};

/// Raised whenever the same name and seed give another tree, so that old ones are made afresh.
const MAKER: u32 = 1;

/// After so many days recent files are made anew: they would not be recent to ls.
const RECENT_DAYS: u64 = 25;

/// The stamp lies beside the tree, never in it, and is written last: with it, the tree is whole.
fn stamp_path(trees: &Path, subject: Subject) -> PathBuf {
    trees.join(format!("{}.stamp", subject.name()))
}

fn stamp_text(subject: Subject) -> String {
    format!("maker = {MAKER}\n{}", subject.stamp())
}

/// Whether the subject is there, whole, of this maker, and its recent files are recent.
pub(crate) fn is_whole(trees: &Path, subject: Subject) -> bool {
    let Ok(stamp) = std::fs::read_to_string(stamp_path(trees, subject)) else { return false };
    let day = stamp.lines().find_map(|line| line.strip_prefix("day = ")?.parse::<u64>().ok());
    let old = day.is_none_or(|day| machine::day() > day + RECENT_DAYS);
    trees.join(subject.name()).exists()
        && stamp.starts_with(&stamp_text(subject))
        && !(subject.is_dressed() && old)
}

/// Makes the subject if it is not whole; says on stderr what it does.
pub(crate) fn make(trees: &Path, subject: Subject) -> io::Result<()> {
    let name = subject.name();
    if is_whole(trees, subject) {
        eprintln!("{name}: whole");
        return Ok(());
    }
    let started = Instant::now();
    let root = trees.join(name);
    std::fs::create_dir_all(trees)?;
    ignore_missing(std::fs::remove_file(stamp_path(trees, subject)))?;
    let gone = if root.is_dir() {
        std::fs::remove_dir_all(&root)
    } else {
        ignore_missing(std::fs::remove_file(&root))
    };
    gone?;
    let made = subject.make(&root)?;
    let stamp = format!("{}day = {}\n{made}", stamp_text(subject), machine::day());
    std::fs::write(stamp_path(trees, subject), stamp)?;
    let seconds = started.elapsed().as_secs_f64();
    eprintln!("{name}: {}, made in {seconds:.1} s", subject.describe());
    Ok(())
}

fn ignore_missing(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}
