//! Walks a tree with the library, once and then ROUNDS times more, and prints the number of paths
//! and the median of the latter's times.
//!
//! `walk see ROUNDS TREE`      a visitor in each thread sees each path, as `fewer walk` does, but
//!                             prints nothing
//! `walk collect ROUNDS TREE`  all paths in a list, each in memory of its own

use std::ffi::OsStr;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

use fewer::walk::{Answer, Item, Visitor};
use fewer::{Error, Walk};

const USAGE: &str = "usage: walk see|collect ROUNDS TREE";

fn main() -> Result<(), String> {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let [mode, rounds, tree] = arguments.as_slice() else {
        return Err(USAGE.into());
    };
    let rounds: usize = rounds.to_str().and_then(|rounds| rounds.parse().ok()).ok_or(USAGE)?;
    let work = match mode.to_str() {
        Some("see") => see,
        Some("collect") => collect,
        _ => return Err(USAGE.into()),
    };
    let mut count = work(tree).map_err(|error| error.to_string())?;
    let mut times_ms = Vec::new();
    for _ in 0..rounds {
        let start = Instant::now();
        count = work(tree).map_err(|error| error.to_string())?;
        times_ms.push(start.elapsed().as_secs_f64() * 1e3);
    }
    times_ms.sort_by(f64::total_cmp);
    let median = times_ms.get(rounds / 2).map(|ms| format!(", {ms:.3} ms"));
    println!("{count} paths{}", median.unwrap_or_default());
    Ok(())
}

fn see(tree: &OsStr) -> Result<usize, Error> {
    visit(tree, |count: &mut usize, path| {
        black_box(path);
        *count += 1;
    })
    .map(|counts| counts.iter().sum())
}

fn collect(tree: &OsStr) -> Result<usize, Error> {
    let lists = visit(tree, |list: &mut Vec<PathBuf>, path| list.push(path.to_owned()))?;
    let all: Vec<PathBuf> = lists.into_iter().flatten().collect();
    Ok(black_box(&all).len())
}

/// What `take` made of the paths, in each thread.
fn visit<T: Default + Send>(
    tree: &OsStr,
    take: impl Fn(&mut T, &Path) + Sync,
) -> Result<Vec<T>, Error> {
    let make = || Taker { take: &take, taken: T::default(), error: None };
    let takers = Walk::new(tree).visit(make, |_| Answer::Continue);
    takers.into_iter().map(|taker| taker.error.map_or(Ok(taker.taken), Err)).collect()
}

struct Taker<'t, T, F> {
    take: &'t F,
    taken: T,
    error: Option<Error>,
}

impl<T, F: Fn(&mut T, &Path)> Visitor for Taker<'_, T, F> {
    fn visit(&mut self, item: Item<'_>, _: &mut Vec<u8>) -> Answer {
        match item {
            Ok(entry) => (self.take)(&mut self.taken, entry.path()),
            Err(error) => self.error = Some(error),
        }
        Answer::Continue
    }
}
