//! Gathers the failures of a test: those of one kind are reported once.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Mutex, PoisonError};

use crate::line::Line;
use crate::tree::Tree;

/// How many kinds of failure are shrunk, and how many are shown.
const EXPLAINED: usize = 12;
const SHOWN: usize = 40;

pub(crate) struct Failure {
    pub(crate) origin: String,
    pub(crate) line: Line,
    pub(crate) text: String,
    /// The smallest tree that shows it.
    pub(crate) tree: Option<Tree>,
}

#[derive(Default)]
pub(crate) struct Report(Mutex<Gathered>);

#[derive(Default)]
struct Gathered {
    compared: usize,
    failed: usize,
    kinds: BTreeMap<String, (usize, Failure)>,
}

impl Report {
    fn with<T>(&self, change: impl FnOnce(&mut Gathered) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn compared(&self) {
        self.with(|gathered| gathered.compared += 1);
    }

    /// Whether it is the first of its kind, and worth the time to explain.
    pub(crate) fn add(&self, kind: &str, failure: Failure) -> bool {
        self.with(|gathered| {
            gathered.failed += 1;
            match gathered.kinds.get_mut(kind) {
                Some((count, _)) => {
                    *count += 1;
                    false
                }
                None => {
                    gathered.kinds.insert(kind.to_owned(), (1, failure));
                    gathered.kinds.len() <= EXPLAINED
                }
            }
        })
    }

    pub(crate) fn line_of(&self, kind: &str) -> Line {
        self.with(|gathered| gathered.kinds[kind].1.line.clone())
    }

    pub(crate) fn explain(&self, kind: &str, tree: Tree, text: Option<String>) {
        self.with(|gathered| {
            if let Some((_, failure)) = gathered.kinds.get_mut(kind) {
                failure.tree = Some(tree);
                failure.text = text.unwrap_or_else(|| std::mem::take(&mut failure.text));
            }
        });
    }

    /// Panics with all failures, if there are any.
    pub(crate) fn judge(self) {
        let gathered = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        println!("{} of {} lines failed", gathered.failed, gathered.compared);
        assert!(gathered.compared > 0, "nothing was compared");
        if gathered.failed == 0 {
            return;
        }
        let mut kinds: Vec<_> = gathered.kinds.into_iter().collect();
        kinds.sort_by_key(|(_, (count, failure))| {
            (std::cmp::Reverse(*count), failure.line.words().len())
        });
        let mut text = String::new();
        for (kind, (count, failure)) in kinds.iter().take(SHOWN) {
            let _ = writeln!(text, "\n## {count} times: {kind}   ({})", failure.origin);
            if let Some(tree) = &failure.tree {
                let _ = write!(text, "{}", tree.script());
            }
            let _ = writeln!(text, "{}\n{}", failure.line.shown(), failure.text);
        }
        let (failed, all) = (gathered.failed, gathered.compared);
        panic!("{failed} of {all} lines differ from ls, in {} kinds:\n{text}", kinds.len());
    }
}
