//! The names that something has happened to, and what was found of each when it was looked at.

use std::collections::HashMap;

use sys::Happened;

use super::tree::{Child, Slot};

/// What is known of a name that something has happened to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen {
    /// All that the events of it said.
    pub(super) happened: Happened,
    /// Whether it was looked at since the last of them.
    pub(super) looked: bool,
    /// What it led to when it was last looked at.
    pub(super) found: Option<Child>,
    /// Whether it was looked at before.
    was_looked_at: bool,
}

/// Names in the order in which something has first happened to them.
#[derive(Debug, Default)]
pub(super) struct Truth {
    slots: Vec<Slot>,
    seen: HashMap<Slot, Seen>,
}

impl Truth {
    pub(super) fn get(&self, slot: &Slot) -> Option<&Seen> {
        self.seen.get(slot)
    }

    /// What is known of a name, which is added if it is new.
    pub(super) fn entry(&mut self, slot: &Slot) -> &mut Seen {
        if !self.seen.contains_key(slot) {
            self.slots.push(slot.clone());
        }
        self.seen.entry(slot.clone()).or_default()
    }

    /// Notes an event: the name has to be looked at.
    pub(super) fn happened(&mut self, slot: &Slot, what: Happened) {
        let seen = self.entry(slot);
        seen.happened = seen.happened | what;
        seen.looked = false;
    }

    /// Notes what a name leads to.
    pub(super) fn found(&mut self, slot: &Slot, found: Option<Child>) {
        let seen = self.entry(slot);
        (seen.looked, seen.was_looked_at, seen.found) = (true, true, found);
    }

    /// Leaves a name as it was found before the last event of it, if it was looked at before that;
    /// returns what happened to it.
    pub(super) fn postpone(&mut self, slot: &Slot) -> Happened {
        let Some(seen) = self.seen.get_mut(slot) else { return Happened::NOTHING };
        seen.looked = true;
        let happened = seen.happened;
        if !seen.was_looked_at {
            self.seen.remove(slot);
        }
        happened
    }

    /// The names that have to be looked at.
    pub(super) fn to_look_at(&self) -> Vec<Slot> {
        let waits = |slot: &&Slot| self.get(slot).is_some_and(|seen| !seen.looked);
        self.slots.iter().filter(waits).cloned().collect()
    }

    /// All names with what is known of them; none are left.
    pub(super) fn take(&mut self) -> Vec<(Slot, Seen)> {
        let mut seen = std::mem::take(&mut self.seen);
        let slots = std::mem::take(&mut self.slots);
        slots.into_iter().filter_map(|slot| seen.remove(&slot).map(|seen| (slot, seen))).collect()
    }
}
