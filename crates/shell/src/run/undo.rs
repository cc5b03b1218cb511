//! What a virtual subshell changes is noted and taken back: the price of a subshell is what it
//! changes.

use std::rc::Rc;

use crate::Text;
use crate::arithmetic::Slot;
use crate::program::Function;
use crate::streams::Open;

use super::Shell;
use super::value::{Indexed, Value, Variable};

/// One change, as it is taken back.
#[derive(Debug)]
pub(crate) enum Undo {
    /// A variable as it was.
    Variable(Slot, Variable),
    /// An element of an array as it was.
    Element(Slot, u64, Option<Text>),
    Function(Slot, Option<Rc<Function>>),
    Descriptor(u32, Option<Rc<Open>>),
    Umask(u32),
}

/// Arrays up to this many elements are saved whole.
const SMALL: usize = 16;

impl Shell {
    /// Before a variable changes.
    #[inline]
    pub(crate) fn save(&mut self, slot: Slot) {
        if self.level != 0 && self.variables[slot.0 as usize].saved_in != self.serial {
            self.save_variable(slot);
        }
    }

    fn save_variable(&mut self, slot: Slot) {
        let variable = &mut self.variables[slot.0 as usize];
        self.undo.push(Undo::Variable(slot, variable.clone()));
        variable.saved_in = self.serial;
    }

    /// Before an element of an indexed array changes: a large array is not saved whole, unless most
    /// of it has changed.
    pub(crate) fn save_element(&mut self, slot: Slot, index: u64) {
        if self.level == 0 || self.variables[slot.0 as usize].saved_in == self.serial {
            return;
        }
        let Value::Indexed(array) = &self.variables[slot.0 as usize].value else {
            return self.save_variable(slot);
        };
        if array.count() <= SMALL || self.elements_saved > array.count() {
            self.elements_saved = 0;
            return self.save_variable(slot);
        }
        self.elements_saved += 1;
        self.undo.push(Undo::Element(slot, index, array.get(index).cloned()));
    }

    /// Before the umask changes.
    pub(crate) fn save_umask(&mut self, now: u32) {
        if self.level != 0 {
            self.undo.push(Undo::Umask(now));
        }
    }

    /// Takes back all changes since the log had that length.
    pub(crate) fn take_back(&mut self, mark: usize) {
        while self.undo.len() > mark {
            match self.undo.pop() {
                Some(Undo::Variable(slot, old)) => self.put_back(slot, old),
                Some(Undo::Element(slot, index, old)) => {
                    if let Value::Indexed(array) = &mut self.variables[slot.0 as usize].value {
                        Indexed::put(array, index, old);
                    }
                }
                Some(Undo::Function(slot, old)) => self.put_function(slot, old),
                Some(Undo::Descriptor(number, old)) => {
                    self.streams.put(number, old);
                }
                Some(Undo::Umask(old)) => self.umask.set(old),
                None => break,
            }
        }
    }
}
