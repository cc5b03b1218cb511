//! Which subshell runs, and what is taken back at its end.

use std::rc::Rc;

use super::variables::Variables;
use crate::Text;
use crate::arithmetic::Slot;
use crate::program::Function;
use crate::run::value::{Value, Variable};
use crate::streams::Open;

/// The subshells around what runs. A virtual one makes no process: what it changes is noted in the
/// undo log and taken back.
#[derive(Debug, Default)]
pub(crate) struct Subshells {
    /// How many virtual subshells are around, in this process.
    depth: u32,
    /// How many copies of the shell's process are inside each other (`$BASH_SUBSHELL` counts both).
    processes: u32,
    /// How many virtual subshells were around when this process was copied.
    depth_before_copy: u32,
    /// How many BASH_SUBSHELL leaves out: a stage of a pipeline that is `( … )` is one subshell.
    counted_twice: u32,
    /// The subshell that runs; each has another number.
    current: u32,
    /// The last number that was given.
    last: u32,
    /// What is taken back at the end of the subshells around, innermost last.
    undo: Vec<Undo>,
    /// How many single elements of arrays this subshell has noted.
    elements_saved: usize,
}

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

/// What a virtual subshell began with.
#[derive(Debug)]
pub(crate) struct Entered {
    outer: u32,
    undo: usize,
    elements_saved: usize,
}

/// Arrays up to this many elements are noted whole.
const SMALL: usize = 16;

impl Subshells {
    /// Whether this is the shell itself.
    pub(crate) fn is_outermost(&self) -> bool {
        self.depth + self.processes == 0
    }

    /// What BASH_SUBSHELL is.
    pub(crate) fn count(&self) -> u32 {
        self.depth + self.processes + self.depth_before_copy - self.counted_twice
    }

    /// How many virtual subshells are around, in this process.
    #[inline]
    pub(crate) fn depth(&self) -> u32 {
        self.depth
    }

    /// How many copies of the shell's process are inside each other.
    pub(crate) fn processes(&self) -> u32 {
        self.processes
    }

    /// The number of the subshell that runs.
    #[inline]
    pub(crate) fn current(&self) -> u32 {
        self.current
    }

    /// A virtual subshell begins.
    pub(crate) fn enter(&mut self) -> Entered {
        let entered = Entered {
            outer: self.current,
            undo: self.undo.len(),
            elements_saved: std::mem::take(&mut self.elements_saved),
        };
        self.depth += 1;
        self.last += 1;
        self.current = self.last;
        entered
    }

    /// The last change in a virtual subshell that has not been taken back.
    pub(crate) fn take_last(&mut self, entered: &Entered) -> Option<Undo> {
        if self.undo.len() > entered.undo { self.undo.pop() } else { None }
    }

    /// A virtual subshell ends, whose changes have been taken back.
    pub(crate) fn leave(&mut self, entered: Entered) {
        self.depth -= 1;
        self.current = entered.outer;
        self.elements_saved = entered.elements_saved;
    }

    /// BASH_SUBSHELL leaves out so many more. Gives how many before, to be put back.
    pub(crate) fn leave_out(&mut self, more: u32) -> u32 {
        let before = self.counted_twice;
        self.counted_twice += more;
        before
    }

    /// Ends what [`leave_out`](Subshells::leave_out) began.
    pub(crate) fn leave_out_only(&mut self, before: u32) {
        self.counted_twice = before;
    }

    /// This process is a copy now. Nothing is taken back any more: what is around ends with it.
    pub(crate) fn become_copy(&mut self) {
        self.processes += 1;
        self.depth_before_copy += std::mem::take(&mut self.depth);
        self.undo.clear();
    }

    /// Before a variable changes.
    #[inline]
    pub(crate) fn save(&mut self, variables: &mut Variables, slot: Slot) {
        if self.depth != 0 && variables[slot].saved_in != self.current {
            self.save_variable(variables, slot);
        }
    }

    fn save_variable(&mut self, variables: &mut Variables, slot: Slot) {
        let variable = &mut variables[slot];
        self.undo.push(Undo::Variable(slot, variable.clone()));
        variable.saved_in = self.current;
    }

    /// Before an element of an indexed array changes: a large array is not noted whole, unless most
    /// of it has changed.
    pub(crate) fn save_element(&mut self, variables: &mut Variables, slot: Slot, index: u64) {
        if self.depth == 0 || variables[slot].saved_in == self.current {
            return;
        }
        let Value::Indexed(array) = &variables[slot].value else {
            return self.save_variable(variables, slot);
        };
        if array.count() <= SMALL || self.elements_saved > array.count() {
            self.elements_saved = 0;
            return self.save_variable(variables, slot);
        }
        self.elements_saved += 1;
        self.undo.push(Undo::Element(slot, index, array.get(index).cloned()));
    }

    /// Notes a change, if there is a subshell at whose end it is taken back.
    pub(crate) fn note(&mut self, change: Undo) {
        if self.depth != 0 {
            self.undo.push(change);
        }
    }
}
