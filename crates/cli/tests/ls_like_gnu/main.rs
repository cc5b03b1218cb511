//! `fewer ls` against GNU ls: the same flags on the same tree must print the same bytes.
//!
//! Needs the released binary, so it is ignored by default: `cargo build --release`, then `cargo
//! test -p fewer-cli --test ls_like_gnu -- --ignored`. Variables change what it does:
//!
//! | variable | meaning |
//! |---|---|
//! | `LIKE_LS_PROGRAM` | the program under test and its first arguments, instead of `fewer ls` |
//! | `LIKE_LS_SEED` | other random trees |
//! | `LIKE_LS_TREES` | how many of them; 2,000 if not set |
//! | `LIKE_LS_LINES` | how many command lines on each; 5 if not set |
//!
//! Every failure is shrunk first (`verdict`), then printed with its tree as a script. Failures that
//! need the same flags are printed once, the most frequent first.

#![allow(clippy::unwrap_used, reason = "a test may")]

mod chance;
mod flags;
mod line;
#[path = "../../../fewer/tests/scene/program.rs"]
mod program;
mod random_tree;
#[path = "../released/mod.rs"]
mod released;
mod report;
mod rich_tree;
mod scratch;
mod terminal;
mod tree;
mod verdict;

use std::sync::atomic::{AtomicU64, Ordering};

use chance::Chance;
use line::{Line, Programs};
use report::{Failure, Report};
use scratch::Scratch;
use tree::Tree;

/// Two at a time: there are two programs to a comparison.
const WORKERS: usize = 2;
const SEED: u64 = 3;

fn number(variable: &str, otherwise: u64) -> u64 {
    let value = std::env::var(variable).ok();
    value.map_or(otherwise, |value| value.parse().unwrap())
}

/// Compares all lines on one tree, in the worker's own folder.
fn compare(programs: &Programs, scratch: &Scratch, comparison: &Comparison<'_>, report: &Report) {
    let here = scratch.make(comparison.tree);
    for line in &comparison.lines {
        report.compared();
        let Some(first) = verdict::difference(programs, line, &here) else { continue };
        let small = verdict::shrink(programs, line, &here);
        // A difference that does not come again is still one.
        let text = verdict::difference(programs, &small, &here).unwrap_or(first);
        let how = if text.contains("exit: ") { "tell success" } else { "print" };
        let kind = format!("{how}: {}", verdict::kind(&small));
        let failure = Failure { origin: comparison.origin.clone(), line: small, text, tree: None };
        if report.add(&kind, failure) {
            let make = |tree: &Tree| scratch.make(tree);
            let line = report.line_of(&kind);
            let tree = verdict::shrink_tree(programs, &line, comparison.tree, &make);
            let here = scratch.make(&tree);
            let text = verdict::difference(programs, &line, &here);
            report.explain(&kind, tree, text);
            scratch.make(comparison.tree);
        }
    }
}

/// A tree and the command lines for it.
struct Comparison<'a> {
    /// Its origin, to make it again.
    origin: String,
    tree: &'a Tree,
    lines: Vec<Line>,
}

/// Distributes the numbers from 0 to `count` to the workers.
fn in_parallel(count: u64, work: &(dyn Fn(&Scratch, u64) + Sync)) {
    let next = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for worker in 0..WORKERS {
            let next = &next;
            scope.spawn(move || {
                let scratch = Scratch::new(worker);
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        return;
                    }
                    work(&scratch, number);
                }
            });
        }
    });
}

fn random_trees(unicode: bool, trees: u64) {
    let programs = scratch::programs();
    let (seed, lines) = (number("LIKE_LS_SEED", SEED), number("LIKE_LS_LINES", 5));
    let report = Report::default();
    in_parallel(trees, &|scratch, part| {
        let mut chance = Chance::new(seed, part);
        let tree = random_tree::tree(&mut chance, scratch::is_root());
        let line = |_| {
            let line = flags::line(&mut chance, &tree, scratch::is_root());
            Line { unicode, ..line }
        };
        let lines = (0..lines).map(line).collect();
        let origin = format!("LIKE_LS_SEED={seed}, tree {part}");
        compare(&programs, scratch, &Comparison { origin, tree: &tree, lines }, &report);
    });
    report.judge();
}

#[test]
#[ignore = "needs the released binary"]
fn random_trees_are_listed_as_ls_lists_them() {
    random_trees(false, number("LIKE_LS_TREES", 2000));
}

#[test]
#[ignore = "needs the released binary"]
fn random_trees_are_listed_as_ls_lists_them_in_utf_8() {
    random_trees(true, number("LIKE_LS_TREES", 2000) / 4);
}

/// Operands that show what is special about files, links and directories on the command line.
const OPERANDS: &[&[&[u8]]] = &[&[], &[b"to-dir", b"dir", b"a1.10", b"gone", b"to-file"]];

fn on_the_rich_tree(lines: &[Line]) {
    const AT_ONCE: usize = 50;
    let programs = scratch::programs();
    let tree = rich_tree::tree();
    let report = Report::default();
    in_parallel(lines.len().div_ceil(AT_ONCE) as u64, &|scratch, part| {
        let lines = lines.chunks(AT_ONCE).nth(part as usize).unwrap().to_vec();
        let origin = "the rich tree".to_owned();
        compare(&programs, scratch, &Comparison { origin, tree: &tree, lines }, &report);
    });
    report.judge();
}

#[test]
#[ignore = "needs the released binary"]
fn every_flag_alone_and_in_a_long_listing() {
    let long = vec!["-l".to_owned()];
    let mut lines = Vec::new();
    for operands in OPERANDS {
        for flag in flags::all() {
            lines.push(Line::of(&[&flag], operands));
            lines.push(Line::of(&[&long, &flag], operands));
            lines.push(Line::of(&[&flag, &long], operands));
        }
    }
    on_the_rich_tree(&lines);
}

#[test]
#[ignore = "needs the released binary"]
fn every_pair_of_flags_in_both_orders() {
    let kinds = flags::kinds();
    let mut lines = Vec::new();
    for (at, first) in kinds.iter().enumerate() {
        for (other, second) in kinds.iter().enumerate() {
            lines.push(Line::of(&[first, second], OPERANDS[(at + other) % OPERANDS.len()]));
        }
    }
    on_the_rich_tree(&lines);
}
