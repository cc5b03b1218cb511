//! Which changes a walk is about.

use std::collections::HashSet;

use super::Change;

/// Which changes a walk since a snapshot is about: those below its roots, but for what it left out
/// ([`Recording::wanted`](crate::walk::Recording::wanted)). By default, all.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    roots: Vec<Box<[u8]>>,
    left_out: HashSet<Vec<u8>>,
}

impl Wanted {
    pub(crate) fn new(roots: Vec<Box<[u8]>>, left_out: Vec<Vec<u8>>) -> Wanted {
        Wanted { roots, left_out: left_out.into_iter().collect() }
    }

    /// A change as the walk has it, if it is about it: what is renamed to or from a path that is
    /// left out has come or gone.
    #[must_use]
    pub fn change(&self, change: Change) -> Option<Change> {
        change.filtered(|path| self.has(path))
    }

    fn has(&self, path: &[u8]) -> bool {
        let is_below = |root: &[u8]| {
            path.strip_prefix(root).is_some_and(|rest| {
                rest.is_empty() || rest.starts_with(b"/") || root.ends_with(b"/")
            })
        };
        !self.left_out.contains(path)
            && (self.roots.is_empty() || self.roots.iter().any(|root| is_below(root)))
    }
}
