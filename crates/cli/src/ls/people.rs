//! Owners by name, each looked up once.

use fewer::Owners;

/// Names of users and groups, and how wide they are.
pub(super) struct People {
    owners: Owners,
    numeric: bool,
}

impl People {
    pub(super) fn new(numeric: bool) -> People {
        People { owners: Owners::new(), numeric }
    }

    /// The name of a user; `None` if there is none, or if numbers are wanted.
    #[inline]
    pub(super) fn user(&self, id: u32) -> Option<&[u8]> {
        if self.numeric { None } else { self.owners.user(id) }
    }

    /// The name of a group.
    #[inline]
    pub(super) fn group(&self, id: u32) -> Option<&[u8]> {
        if self.numeric { None } else { self.owners.group(id) }
    }
}
