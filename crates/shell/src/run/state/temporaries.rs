//! Variables that are assigned for one command only: `a=1 command`.

use crate::Text;
use crate::arithmetic::Slot;
use crate::run::value::{Value, Variable};

/// What variables were before they were given other values for one command, innermost last.
#[derive(Debug, Default)]
pub(crate) struct Temporaries {
    list: Vec<Temporary>,
    /// While the assignments before a command are made: which is the first of that command.
    first: Option<usize>,
}

#[derive(Debug)]
struct Temporary {
    slot: Slot,
    /// None if there is nothing to put back any more.
    before: Option<Variable>,
    /// The subshell that assigned it, and how many locals there were.
    subshell: u32,
    locals: usize,
}

impl Temporaries {
    pub(crate) fn count(&self) -> usize {
        self.list.len()
    }

    /// An assignment before a command is made, whose temporaries begin there. Gives what is to be
    /// put back afterwards.
    pub(crate) fn begin_assignment(&mut self, first: usize) -> Option<usize> {
        self.first.replace(first)
    }

    /// Ends what [`begin_assignment`](Temporaries::begin_assignment) began.
    pub(crate) fn end_assignment(&mut self, outer: Option<usize>) {
        self.first = outer;
    }

    pub(crate) fn add(&mut self, slot: Slot, before: Variable, subshell: u32, locals: usize) {
        self.list.push(Temporary { slot, before: Some(before), subshell, locals });
    }

    /// After a command: the last of its temporaries, and what is to be put back of it.
    pub(crate) fn end_last(&mut self, first: usize) -> Option<(Slot, Option<Variable>)> {
        let last = if self.list.len() > first { self.list.pop() } else { None };
        last.map(|one| (one.slot, one.before))
    }

    /// The variables that were assigned since there were so many.
    pub(crate) fn since(&self, first: usize) -> Vec<Slot> {
        self.list[first..].iter().map(|one| one.slot).collect()
    }

    /// What was assigned to these since there were so many stays.
    pub(crate) fn keep_since(&mut self, first: usize, kept: &[Slot]) {
        for one in self.list[first..].iter_mut().filter(|one| kept.contains(&one.slot)) {
            one.before = None;
        }
    }

    /// What was assigned to a variable last stays, if it was that subshell that has assigned it.
    pub(crate) fn keep_last_of(&mut self, slot: Slot, subshell: u32) {
        let one = self.list.iter_mut().rev().find(|one| one.slot == slot);
        if let Some(one) = one.filter(|one| one.subshell == subshell) {
            one.before = None;
        }
    }

    /// The command whose assignments are being made leaves that value behind.
    pub(crate) fn assign_behind(&mut self, slot: Slot, value: &Text) {
        let Some(first) = self.first else { return };
        let one = self.list[first..].iter_mut().find(|one| one.slot == slot);
        if let Some(before) = one.and_then(|one| one.before.as_mut()) {
            before.value = Value::Text(value.clone());
        }
    }

    /// Takes what a variable was before the last command that has assigned it, if that was in this
    /// subshell and behind that local.
    pub(crate) fn take_behind(
        &mut self,
        slot: Slot,
        subshell: u32,
        local: Option<usize>,
    ) -> Option<Variable> {
        let one = self.list.iter_mut().rev().find(|one| {
            one.slot == slot && one.before.is_some() && local.is_none_or(|at| one.locals > at)
        });
        one.filter(|one| one.subshell == subshell)?.before.take()
    }
}
