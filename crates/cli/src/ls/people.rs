//! Owners by name.

use fewer::Owners;

/// Names of users and groups.
pub(super) struct People {
    owners: Owners,
    numeric: bool,
}

/// A number, and its name if it has one.
type Known<'p> = (u32, Option<&'p [u8]>);

/// The names that one thread has come across lately, so that it need not look for them again.
pub(super) struct Lately<'p> {
    names: [Option<Known<'p>>; 64],
}

impl Default for Lately<'_> {
    fn default() -> Self {
        Lately { names: [None; 64] }
    }
}

impl People {
    pub(super) fn new(numeric: bool) -> People {
        People { owners: Owners::new(), numeric }
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

impl<'p> Lately<'p> {
    /// The name of `id`, as it was or as `look_up` finds it.
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
