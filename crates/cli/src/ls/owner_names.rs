//! The names of owners.

use fewer::Owners;

/// Looks up the names of users and groups.
pub(super) struct OwnerNames {
    owners: Owners,
    numeric: bool,
}

/// The number of a user or group, and its name if it has one.
type NamedId<'p> = (u32, Option<&'p [u8]>);

/// A cache of the names that one thread has looked up.
pub(super) struct RecentNames<'p> {
    names: [Option<NamedId<'p>>; 64],
}

impl Default for RecentNames<'_> {
    fn default() -> Self {
        RecentNames { names: [None; 64] }
    }
}

impl OwnerNames {
    pub(super) fn new(numeric: bool) -> OwnerNames {
        OwnerNames { owners: Owners::new(), numeric }
    }

    /// The name of a user; `None` if there is none, or if numbers are wanted.
    pub(super) fn user(&self, id: u32) -> Option<&[u8]> {
        if self.numeric { None } else { self.owners.user(id) }
    }

    /// The name of a group.
    pub(super) fn group(&self, id: u32) -> Option<&[u8]> {
        if self.numeric { None } else { self.owners.group(id) }
    }
}

impl<'p> RecentNames<'p> {
    /// The name of `id`, from the cache or else from `look_up`.
    #[inline]
    pub(super) fn name(
        &mut self,
        id: u32,
        look_up: impl FnOnce(u32) -> Option<&'p [u8]>,
    ) -> Option<&'p [u8]> {
        let slot = &mut self.names[id as usize % 64];
        match slot {
            Some((known, name)) if *known == id => *name,
            _ => {
                let name = look_up(id);
                *slot = Some((id, name));
                name
            }
        }
    }
}
