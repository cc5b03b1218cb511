//! Listings on their way to the visitor of a sorted walk: each is kept until all that comes before
//! it was visited.

use std::collections::HashMap;
use std::sync::Arc;

use super::found::{Directory, Entry};
use super::order::join;
use crate::error::Reason;

/// What was listed and not visited yet.
#[derive(Debug, Default)]
pub(super) struct Sorted {
    /// The directory whose entries come next, if they are not among `open`.
    awaited: Option<String>,
    /// The directories down to the current one.
    open: Vec<Kept>,
    /// Those that came early, by their paths.
    early: HashMap<String, Kept>,
    early_bytes: usize,
}

/// A whole directory, or what is left of it.
#[derive(Debug)]
pub(super) struct Kept {
    directory: Arc<Directory>,
    /// In their order, each with whether it is entered.
    entries: std::vec::IntoIter<(Entry, bool)>,
    /// Why there are no more.
    error: Option<Reason>,
    bytes: usize,
}

impl Kept {
    /// A directory that was listed, as far as that went.
    pub(super) fn new(
        directory: Arc<Directory>,
        entries: Vec<Entry>,
        entered: Vec<bool>,
        error: Option<Reason>,
    ) -> Kept {
        let bytes = entries.iter().map(Entry::bytes).sum();
        let entries: Vec<_> = entries.into_iter().zip(entered).collect();
        Kept { directory, entries: entries.into_iter(), error, bytes }
    }
}

impl Sorted {
    /// The entries of this directory come next.
    pub(super) fn wait_for(&mut self, path: &str) {
        self.awaited = Some(path.to_owned());
    }

    /// Whether nothing can be visited before this directory was listed.
    pub(super) fn waits_for(&self, path: &str) -> bool {
        self.awaited.as_deref() == Some(path)
    }

    /// The memory of directories that came early.
    pub(super) fn early_bytes(&self) -> usize {
        self.early_bytes
    }

    /// A directory was listed.
    pub(super) fn add(&mut self, kept: Kept) {
        self.early_bytes += kept.bytes;
        self.early.insert(kept.directory.path.clone(), kept);
    }

    /// The next entry and the directory that it is in, or why a directory was not listed; `None`
    /// while what comes next was not listed yet, and at the end.
    pub(super) fn next(&mut self) -> Option<(Arc<Directory>, Result<Entry, Reason>)> {
        loop {
            if let Some(path) = &self.awaited {
                let kept = self.early.remove(path)?;
                self.early_bytes -= kept.bytes;
                self.open.push(kept);
                self.awaited = None;
            }
            let current = self.open.last_mut()?;
            if let Some((entry, enters)) = current.entries.next() {
                if enters {
                    self.awaited = Some(join(&current.directory.path, &entry.name));
                }
                return Some((current.directory.clone(), Ok(entry)));
            }
            let ended = self.open.pop()?;
            if let Some(reason) = ended.error {
                return Some((ended.directory, Err(reason)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use fewer::Time;

    use super::*;

    fn kept(path: &str, names: &[&str], error: Option<Reason>) -> Kept {
        let entry = |name: &&str| Entry {
            name: (*name).into(),
            is_directory: name.starts_with('d'),
            size: 0,
            modified: Time { seconds: 0, nanoseconds: 0 },
            permissions: 0o644,
        };
        let entries: Vec<Entry> = names.iter().map(entry).collect();
        let entered = entries.iter().map(|entry| entry.is_directory).collect();
        Kept::new(Arc::new(Directory { path: path.to_owned(), depth: 0 }), entries, entered, error)
    }

    /// What can be visited now.
    fn visited(sorted: &mut Sorted) -> Vec<String> {
        let described = |(directory, entry): (Arc<Directory>, Result<Entry, Reason>)| match entry {
            Ok(entry) => join(&directory.path, &entry.name),
            Err(reason) => format!("{}: {reason}", directory.path),
        };
        std::iter::from_fn(|| sorted.next()).map(described).collect()
    }

    #[test]
    fn what_comes_early_waits_for_what_is_before_it() {
        let mut sorted = Sorted::default();
        sorted.wait_for("");
        sorted.add(kept("d2", &["z"], None));
        sorted.add(kept("d1/d", &[], Some(Reason::Missing)));
        assert!(visited(&mut sorted).is_empty());
        sorted.add(kept("", &["a", "d1", "d2", "e"], None));
        assert_eq!(visited(&mut sorted), ["a", "d1"]);
        assert!(sorted.waits_for("d1") && sorted.early_bytes() > 0);
        sorted.add(kept("d1", &["d", "f"], None));
        let rest = ["d1/d", "d1/d: No such file or directory", "d1/f", "d2", "d2/z", "e"]
            .map(str::to_owned);
        assert_eq!(visited(&mut sorted), rest);
        assert_eq!(sorted.early_bytes(), 0);
    }
}
