//! Assignments.

use super::value::{Flags, Value};
use super::{Flow, Shell};
use crate::Text;
use crate::arithmetic::Slot;
use crate::program::{Assignment, Value as Assigned};

impl Shell {
    /// Assignments without a command: the status is that of the last substitution.
    pub(crate) fn assign_all(&mut self, assignments: &[Assignment], line: u32) -> Flow {
        self.execution.line = line;
        if self.execution.last_argument.is_some() {
            self.execution.last_argument = Some(Text::new());
        }
        let before = std::mem::take(&mut self.expansion.had_substitution);
        for assignment in assignments {
            self.assign(assignment)?;
        }
        self.execution.was_pipeline = false;
        let substituted = std::mem::replace(&mut self.expansion.had_substitution, before);
        self.end_with_substitution(substituted);
        if self.options.trace() && !assignments.is_empty() {
            self.trace_assigned();
        }
        self.check()
    }

    /// The status of what has no command: that of the last substitution, if there was one.
    pub(crate) fn end_with_substitution(&mut self, substituted: bool) {
        if !substituted {
            self.execution.status = 0;
        } else if self.profile.subshells.substitution_status_is_late {
            self.execution.status = self.expansion.substitution_status;
        }
    }

    pub(crate) fn assign(&mut self, assignment: &Assignment) -> Flow {
        match &assignment.value {
            Assigned::Word(word) => {
                let value = self.expand_whole(word)?;
                if self.options.trace() {
                    self.trace_assignment(assignment, &value);
                }
                match &assignment.subscript {
                    None if assignment.append => self.append(assignment.slot, value),
                    None => self.set(assignment.slot, value),
                    Some(subscript) => {
                        self.set_subscript(assignment.slot, subscript, value, assignment.append)
                    }
                }
            }
            Assigned::Array(elements) => {
                if self.options.trace() {
                    self.trace_assignment(assignment, b"");
                }
                self.set_array(assignment.slot, elements, assignment.append)
            }
        }
    }

    /// `name+=value`
    pub(crate) fn append(&mut self, slot: Slot, value: Text) -> Flow {
        let slot = self.meant(slot);
        let flags = self.variables[slot].flags;
        if flags.has(Flags::INTEGER) {
            let old = self.get(slot).map(Text::from_slice).unwrap_or_default();
            let sum = self.sum(&old, &value)?;
            return self.set(slot, sum);
        }
        if flags.is_plain()
            && let Value::Text(_) = self.variables[slot].value
        {
            // In place: appending in a loop must not copy what is there each time.
            self.save(slot);
            if let Value::Text(text) = &mut self.variables[slot].value {
                text.extend_from_slice(&value);
            }
            return Ok(());
        }
        let mut text = self.get(slot).map(Text::from_slice).unwrap_or_default();
        text.extend_from_slice(&value);
        self.set(slot, text)
    }

    /// `name=value` as an argument, for `export` and the like.
    pub(crate) fn assignment_as_text(&mut self, assignment: &Assignment) -> Flow<Text> {
        let mut text = Text::from_slice(&self.names.name(assignment.slot));
        if let Some(subscript) = &assignment.subscript {
            text.push(b'[');
            let key = self.expand_whole(&subscript.key)?;
            text.extend_from_slice(&key);
            text.push(b']');
        }
        text.extend_from_slice(if assignment.append { b"+=" } else { b"=" });
        match &assignment.value {
            Assigned::Word(word) => {
                let value = self.expand_whole(word)?;
                text.extend_from_slice(&value);
            }
            Assigned::Array(_) => text.extend_from_slice(b"()"),
        }
        Ok(text)
    }

    /// Assigns for the time of one command, and puts it into that command's environment.
    pub(crate) fn assign_for_command(&mut self, assignment: &Assignment) -> Flow {
        let slot = self.meant(assignment.slot);
        self.save(slot);
        let old = self.variables[slot].clone();
        if self.profile.values.variables.prefix_hides_arrays
            && let Assigned::Word(_) = assignment.value
        {
            // It hides an array.
            let text = self.variables.text_of(slot).map(Text::from_slice);
            let variable = &mut self.variables[slot];
            if matches!(variable.value, Value::Indexed(_) | Value::Associative(_)) {
                variable.value = text.map_or(Value::Unset, Value::Text);
            }
            let arrays = Flags::ARRAY.with(Flags::ASSOCIATIVE);
            variable.flags = variable.flags.without(arrays);
        }
        let flow = self.assign(assignment);
        match flow {
            Ok(()) => {
                self.variables.export(slot);
                let (subshell, locals) = (self.subshells.current(), self.variables.locals.len());
                self.variables.temporaries.add(slot, old, subshell, locals);
            }
            Err(_) => self.put_back(slot, old),
        }
        flow
    }

    /// After the command: as it was before those from there on.
    pub(crate) fn end_temporaries(&mut self, from: usize) {
        while let Some((slot, before)) = self.variables.temporaries.end_last(from) {
            if let Some(before) = before {
                self.put_back(slot, before);
            }
        }
    }

    /// bash: what was assigned for the function that is running is as it was before; false if that
    /// is not so.
    pub(crate) fn show_behind_temporary(&mut self, slot: Slot) -> bool {
        let subshell = self.subshells.current();
        let local = self.variables.locals.iter().rposition(|(name, _)| *name == slot);
        let before = self.variables.temporaries.take_behind(slot, subshell, local);
        let Some(before) = before else { return false };
        self.put_back(slot, before);
        true
    }

    /// bash: what was assigned for the function that is running stays, as it is exported or made
    /// readonly.
    pub(crate) fn keep_temporary(&mut self, slot: Slot) {
        if !self.calls.is_assigned(slot) {
            return;
        }
        self.variables.temporaries.keep_last_of(slot, self.subshells.current());
    }

    /// bash: no element is assigned for one command only.
    pub(crate) fn refuse_element(&mut self, assignment: &Assignment) -> Flow {
        let text = self.assignment_as_text(assignment)?;
        let left = text.split(|byte| *byte == b'=').next().unwrap_or_default().to_vec();
        let left = left.strip_suffix(b"+").unwrap_or(&left);
        self.complain(&[b"`", left, b"': not a valid identifier"].concat());
        Ok(())
    }
}
