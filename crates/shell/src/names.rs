//! Names made into numbers, so that a variable or a function is an index and not a look-up.

use std::collections::HashMap;
use std::rc::Rc;

use crate::arithmetic::Slot;

/// The names that a shell has met. A name's number is good for variables and functions alike.
#[derive(Debug, Default)]
pub(crate) struct Names {
    numbers: HashMap<Rc<[u8]>, Slot>,
    names: Vec<Rc<[u8]>>,
    /// Whether `$_` was met: only then the last argument of each command is kept.
    pub(crate) asks_for_last_argument: bool,
}

impl Names {
    /// The number of a name, a new one if it was never met.
    pub(crate) fn slot(&mut self, name: &[u8]) -> Slot {
        if let Some(slot) = self.numbers.get(name) {
            return *slot;
        }
        let slot = Slot(u32::try_from(self.names.len()).unwrap_or(u32::MAX));
        let name: Rc<[u8]> = name.into();
        self.names.push(name.clone());
        self.numbers.insert(name, slot);
        slot
    }

    /// The number of a name that was met.
    pub(crate) fn find(&self, name: &[u8]) -> Option<Slot> {
        self.numbers.get(name).copied()
    }

    /// The name behind a number.
    pub(crate) fn name(&self, slot: Slot) -> Rc<[u8]> {
        self.names[slot.0 as usize].clone()
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }
}
