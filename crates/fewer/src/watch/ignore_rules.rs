//! What git would ignore, for each directory that is watched.

use std::collections::HashMap;
use std::sync::Arc;

use sys::Kind;

use super::tree::DirId;
use crate::error::Error;
use crate::scope::Scope;
use crate::walk::{Dir, EntryInfo, Listing, Loader, Rules, UserRules};

/// The rules in force in each directory.
#[derive(Debug, Default)]
pub(super) struct IgnoreRules {
    user: UserRules,
    by_dir: HashMap<DirId, Arc<Rules>>,
}

impl IgnoreRules {
    /// Loads the rules of a directory that was just read: those of the one above, or of what is
    /// above a root, and its own. Returns what could not be read.
    ///
    /// Price: as [`Walk::gitignore`](crate::Walk::gitignore).
    pub(super) fn load<'n>(
        &mut self,
        id: DirId,
        above: Option<DirId>,
        (dir, path, scope): (&Dir, &[u8], &Scope),
        names: impl Iterator<Item = (&'n [u8], Kind)>,
    ) -> Vec<Error> {
        let mut listing = Listing::default();
        for (name, kind) in names.filter(|(name, _)| matches!(*name, b".git" | b".gitignore")) {
            listing.push(name, EntryInfo::of_kind(kind));
        }
        let inherited = above.and_then(|above| self.by_dir.get(&above).cloned());
        let mut loader = Loader { user: &self.user, scope, errors: Vec::new(), path };
        let rules = loader.enter(inherited, above.is_none(), dir, &listing);
        let errors = loader.errors;
        match rules {
            Some(rules) => self.by_dir.insert(id, rules),
            None => self.by_dir.remove(&id),
        };
        errors
    }

    /// Whether git would ignore the entry that a path ends with, whose name has so many bytes.
    pub(super) fn ignores(&self, dir: DirId, path: &[u8], name_length: usize, kind: Kind) -> bool {
        let rules = self.by_dir.get(&dir).map(|rules| &**rules);
        Rules::ignore(rules, path, path.len() - name_length, kind == Kind::Directory)
    }

    pub(super) fn forget(&mut self, id: DirId) {
        self.by_dir.remove(&id);
    }
}
