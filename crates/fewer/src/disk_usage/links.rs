//! Files with several names, of which one counts: whichever thread meets them first, the first one
//! in the order of `N`.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::Space;
use crate::identity::Identity;

/// Files with several names: what each takes, and its first name.
#[derive(Debug)]
pub(crate) struct Links<N>(HashMap<Identity, (N, Space)>);

impl<N> Default for Links<N> {
    fn default() -> Links<N> {
        Links(HashMap::new())
    }
}

impl<N: Ord> Links<N> {
    /// Adds a name of a file.
    pub(crate) fn add(&mut self, file: Identity, name: N, space: Space) {
        match self.0.entry(file) {
            Entry::Occupied(mut known) if name < known.get().0 => {
                known.insert((name, space));
            }
            Entry::Occupied(_) => {}
            Entry::Vacant(new) => {
                new.insert((name, space));
            }
        }
    }

    /// Adds what others have found.
    pub(crate) fn merge(&mut self, more: Links<N>) {
        if self.0.is_empty() {
            *self = more;
            return;
        }
        more.0.into_iter().for_each(|(file, (name, space))| self.add(file, name, space));
    }

    /// The first name of each, and what it takes.
    pub(crate) fn into_first_names(self) -> impl Iterator<Item = (N, Space)> {
        self.0.into_values()
    }
}
