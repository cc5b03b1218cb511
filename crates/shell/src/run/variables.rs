//! Variables: read, assigned, unset, local.

use super::state::{SelfReference, Undo};
use super::value::{Flags, Indexed, Value, Variable};
use super::{Flow, Shell};
use crate::Text;
use crate::arithmetic::Slot;
use crate::pattern::cases::Case;
use crate::program::Function;
use std::rc::Rc;

impl Shell {
    /// The variable that is meant: the end of a chain of references.
    pub(crate) fn meant(&mut self, slot: Slot) -> Slot {
        let mut slot = slot;
        // A chain that is longer is a circle.
        for _ in 0..16 {
            let variable = &self.variables[slot];
            if !variable.flags.has(Flags::REFERENCE) {
                break;
            }
            let Value::Text(name) = &variable.value else { break };
            let name = name.clone();
            if !crate::syntax::is_name(&name) {
                break;
            }
            let next = self.slot(&name);
            if next == slot {
                // Named like what it means.
                let mut known = self.variables.self_references.iter();
                let known = known.find(|known| known.reference == slot);
                return known.map_or(slot, |known| known.hidden);
            }
            slot = next;
        }
        slot
    }

    /// bash: a local reference is to mean the variable of its own name outside of all functions.
    /// False if that cannot be.
    pub(crate) fn refer_to_outer(&mut self, reference: Slot) -> bool {
        if self.variables.self_references.iter().any(|known| known.reference == reference) {
            return true;
        }
        let own = |locals: &[(Slot, Variable)]| {
            Some((
                locals.iter().position(|(slot, _)| *slot == reference)?,
                locals.iter().rposition(|(slot, _)| *slot == reference)?,
            ))
        };
        let here = self.frame_of_locals().map(|frame| self.calls.frames[frame].subshell);
        let Some((first, local)) =
            own(&self.variables.locals).filter(|_| here == Some(self.subshells.current()))
        else {
            return false;
        };
        if self.subshells.depth() != 0
            && self.variables.locals[first].1.saved_in != self.subshells.current()
        {
            if first != local {
                return false;
            }
            let outer = &mut self.variables.locals[first].1;
            self.subshells.note(Undo::Variable(reference, outer.clone()));
            outer.saved_in = self.subshells.current();
        }
        let name = [b"\0", &*self.names.name(reference)].concat();
        let hidden = self.slot(&name);
        self.save(hidden);
        let outer = std::mem::take(&mut self.variables.locals[first].1);
        let variable = &mut self.variables[hidden];
        *variable = Variable { saved_in: variable.saved_in, ..outer };
        self.variables.self_references.push(SelfReference { reference, hidden, local });
        true
    }

    /// A local reference with its own variable's name is no more: what it stood for has its name
    /// again. `old` is what the local had hidden.
    fn end_self_reference(&mut self, ended: SelfReference, old: Variable) -> Variable {
        let meant = std::mem::take(&mut self.variables[ended.hidden]);
        let mut outer =
            self.variables.locals.iter_mut().filter(|(slot, _)| *slot == ended.reference);
        match outer.next() {
            Some((_, outer)) => {
                *outer = meant;
                old
            }
            None => meant,
        }
    }

    /// Its value as one text.
    #[inline]
    pub(crate) fn get(&mut self, slot: Slot) -> Option<&[u8]> {
        let flags = self.variables[slot].flags;
        if flags.has(Flags::REFERENCE.with(Flags::COMPUTED)) {
            return self.get_slowly(slot);
        }
        self.variables.text_of(slot)
    }

    fn get_slowly(&mut self, slot: Slot) -> Option<&[u8]> {
        let meant = self.meant(slot);
        if self.variables[meant].flags.has(Flags::REFERENCE) {
            let (array, subscript) = self.element_meant(meant)?;
            if self.variables.is_associative(array) {
                return self.element_by_key(array, &subscript).map(|text| &**text);
            }
            let index = self.try_evaluate_text(&subscript).ok()?;
            return self.element_at(array, index).map(|text| &**text);
        }
        self.compute(meant);
        self.variables.text_of(meant)
    }

    /// The array and the subscript that a reference to an element stands for.
    fn element_meant(&mut self, slot: Slot) -> Option<(Slot, Text)> {
        let target = self.variables.text_of(slot)?;
        let open = memchr::memchr(b'[', target).filter(|_| target.ends_with(b"]"))?;
        let subscript = Text::from_slice(&target[open + 1..target.len() - 1]);
        let name = Text::from_slice(&target[..open]);
        if !crate::syntax::is_name(&name) {
            return None;
        }
        let array = self.slot(&name);
        Some((self.meant(array), subscript))
    }

    /// Whether a reference leads to a reference again.
    fn is_circular(&self, slot: Slot) -> bool {
        let next = self.variables.text_of(slot).and_then(|name| self.names.find(name));
        let next = next.and_then(|next| self.variables.get(next));
        self.profile.values.variables.circular_references
            && next.is_some_and(|next| next.flags.has(Flags::REFERENCE))
    }

    /// Nothing can be assigned to a circle; in a function the variable outside of all is meant.
    fn set_circular(&mut self, slot: Slot, value: Text) -> Flow {
        let name = self.names.name(slot);
        let text = [b"warning: ", &*name, b": circular name reference"].concat();
        let Some((_, outer)) = self.variables.locals.iter_mut().find(|(local, _)| *local == slot)
        else {
            return self.fail_command(&text);
        };
        outer.value = Value::Text(value);
        self.complain(&text);
        Ok(())
    }

    /// What `for` does with its variable: a reference stands for another one each time.
    pub(crate) fn set_in_loop(&mut self, slot: Slot, value: Text) -> Flow {
        if self.variables[slot].flags.has(Flags::REFERENCE) {
            self.writable(slot)?;
            return self.set_plainly(slot, value);
        }
        self.set(slot, value)
    }

    /// Its value by its name.
    pub(crate) fn get_named(&mut self, name: &[u8]) -> Option<&[u8]> {
        let slot = self.names.find(name)?;
        self.make_room();
        self.get(slot)
    }

    /// Before a variable changes.
    #[inline]
    pub(crate) fn save(&mut self, slot: Slot) {
        self.subshells.save(&mut self.variables, slot);
    }

    /// Gives it a value; what its attributes say is done to it first.
    #[inline]
    pub(crate) fn set(&mut self, slot: Slot, value: Text) -> Flow {
        let variable = &self.variables[slot];
        if variable.flags.is_simple()
            && matches!(variable.value, Value::Text(_) | Value::Unset)
            && !self.options.all_export()
        {
            self.save(slot);
            self.variables[slot].value = Value::Text(value);
            return Ok(());
        }
        if slot == self.variables.known.optind
            && self.profile.values.variables.optind_must_be_number
        {
            let number = std::str::from_utf8(&value).ok().and_then(|text| text.trim().parse().ok());
            if number.is_none_or(|number: i32| number < 0) {
                return self.fail_command(&self.profile.builtins.arguments.not_a_number.of(value));
            }
        }
        self.set_slowly(slot, value)
    }

    fn set_slowly(&mut self, slot: Slot, value: Text) -> Flow {
        let slot = self.meant(slot);
        if self.variables[slot].flags.has(Flags::REFERENCE) {
            return match self.element_meant(slot) {
                Some((array, subscript)) => {
                    self.set_text_subscript(array, &subscript, value, false)
                }
                None if self.is_circular(slot) => self.set_circular(slot, value),
                None => self.set_plainly(slot, value),
            };
        }
        self.writable(slot)?;
        let value = self.converted(slot, value)?;
        self.set_plainly(slot, value)
    }

    /// Gives it a value without a look at its attributes. An array's first element is meant.
    pub(crate) fn set_plainly(&mut self, slot: Slot, value: Text) -> Flow {
        self.save(slot);
        let variable = &mut self.variables[slot];
        match &mut variable.value {
            Value::Indexed(array) => {
                array.put(0, Some(value));
            }
            Value::Associative(map) => {
                map.insert(Text::from_slice(b"0"), value);
            }
            _ if variable.flags.has(Flags::ASSOCIATIVE) => {
                let map = [(Text::from_slice(b"0"), value)].into_iter().collect();
                variable.value = Value::Associative(Box::new(map));
            }
            _ if variable.flags.has(Flags::ARRAY) => {
                variable.value = Value::Indexed(Box::new(Indexed::of([value])));
            }
            other => *other = Value::Text(value),
        }
        self.changed(slot);
        Ok(())
    }

    /// What has to be done when a variable has changed.
    pub(crate) fn changed(&mut self, slot: Slot) {
        let flags = self.variables[slot].flags;
        if self.options.all_export() {
            self.variables[slot].flags = flags.with(Flags::EXPORT);
            self.variables.environment.forget();
        }
        if flags.has(Flags::EXPORT) {
            self.variables.environment.forget();
        }
        if flags.has(Flags::WATCHED) {
            self.watched_changed(slot);
        }
    }

    /// An error if it may not be changed.
    pub(crate) fn writable(&mut self, slot: Slot) -> Flow {
        if self.variables[slot].flags.has(Flags::READONLY) {
            return self.refuse_readonly(slot);
        }
        Ok(())
    }

    /// A value as the variable's attributes want it.
    pub(crate) fn converted(&mut self, slot: Slot, mut value: Text) -> Flow<Text> {
        let flags = self.variables[slot].flags;
        if flags.has(Flags::INTEGER) {
            let number = self.evaluate_text(&value)?;
            return Ok(super::texts::number(number));
        }
        if flags.has(Flags::CAPITAL) {
            value = super::texts::in_case(&value, false, self.expansion.utf8);
            return Ok(self.change_case(&value, Case::Upper, false, None));
        }
        if flags.has(Flags::UPPER.with(Flags::LOWER)) {
            value = super::texts::in_case(&value, flags.has(Flags::UPPER), self.expansion.utf8);
        }
        Ok(value)
    }

    /// Changes its attributes.
    pub(crate) fn set_flags(&mut self, slot: Slot, flags: Flags) {
        self.save(slot);
        let old = std::mem::replace(&mut self.variables[slot].flags, flags);
        if old.has(Flags::EXPORT) != flags.has(Flags::EXPORT) {
            self.variables.environment.forget();
        }
    }

    /// Puts a variable back as it was.
    pub(crate) fn put_back(&mut self, slot: Slot, old: Variable) {
        let new = &self.variables[slot];
        let either = new.flags.with(old.flags);
        self.variables[slot] = old;
        if either.has(Flags::EXPORT) {
            self.variables.environment.forget();
        }
        if either.has(Flags::WATCHED) {
            self.watched_changed(slot);
        }
    }

    /// Unsets it.
    pub(crate) fn unset(&mut self, slot: Slot) -> Flow {
        self.writable(slot)?;
        let local = self.is_local_here(slot);
        if !local
            && self.profile.values.variables.unset_shows_outer
            && (self.show_behind_temporary(slot) || self.show_outer(slot))
        {
            return Ok(());
        }
        self.save(slot);
        let variable = &mut self.variables[slot];
        let old = std::mem::take(&mut variable.value);
        let flags = variable.flags;
        // A local stays local; one that is computed becomes an ordinary one.
        variable.flags = Flags(flags.0 & Flags::WATCHED.0);
        if local {
            variable.flags = variable.flags.with(Flags::DECLARED);
        }
        drop(old);
        if flags.has(Flags::EXPORT) {
            self.variables.environment.forget();
        }
        if flags.has(Flags::WATCHED) {
            self.watched_changed(slot);
        }
        Ok(())
    }

    /// The frame that locals belong to.
    fn frame_of_locals(&self) -> Option<usize> {
        let own_scope = self.profile.calls.function_keyword_makes_scope;
        self.calls.frames.iter().rposition(|frame| match own_scope {
            true => frame.own_scope,
            false => frame.function.is_some(),
        })
    }

    /// bash: a local of a function that called this one gives way to what it hides.
    fn show_outer(&mut self, slot: Slot) -> bool {
        let Some(at) = self.variables.locals.iter().rposition(|(name, _)| *name == slot) else {
            return false;
        };
        // What was local before this subshell began is still so after it.
        let owner = self.calls.frames.iter().rposition(|frame| frame.locals <= at);
        if owner.is_none_or(|owner| self.calls.frames[owner].subshell != self.subshells.current()) {
            return false;
        }
        let given = owner.is_some_and(|owner| self.calls.frames[owner].assigned.contains(&slot));
        let (_, outer) = self.variables.locals.remove(at);
        for frame in self.calls.frames.iter_mut().filter(|frame| frame.locals > at) {
            frame.locals -= 1;
        }
        self.put_back(slot, outer);
        if given {
            self.show_behind_temporary(slot);
        }
        true
    }

    /// Whether the function that is running has made it local.
    pub(crate) fn is_local_here(&self, slot: Slot) -> bool {
        let Some(frame) = self.frame_of_locals() else { return false };
        self.variables.locals[self.calls.frames[frame].locals..]
            .iter()
            .any(|(name, _)| *name == slot)
    }

    /// The variables that the function that is running has made local; none if no function is.
    pub(crate) fn locals_here(&self) -> Option<Vec<Slot>> {
        let frame = self.frame_of_locals()?;
        let locals = &self.variables.locals[self.calls.frames[frame].locals..];
        Some(locals.iter().map(|(slot, _)| *slot).collect())
    }

    /// Makes it local to the function that is running; false if none is.
    pub(crate) fn make_local(&mut self, slot: Slot) -> bool {
        let Some(at) = self.frame_of_locals() else { return false };
        let frame = &self.calls.frames[at];
        if self.variables.locals[frame.locals..].iter().any(|(name, _)| *name == slot) {
            return true;
        }
        // What a function changes it puts back itself, unless it was called outside this subshell.
        if frame.subshell != self.subshells.current() {
            self.save(slot);
        }
        let saved_in = self.subshells.current();
        let old = &self.variables[slot];
        let rules = &self.profile.values.variables;
        let kept = match rules.local_keeps_export {
            true => Flags::WATCHED.with(Flags::EXPORT),
            false => Flags::WATCHED,
        };
        let kept = Flags(old.flags.0 & kept.0);
        let new = match rules.local_keeps_value {
            // As it was, until it is given another value.
            true => Variable { saved_in, ..old.clone() },
            false => Variable { value: Value::Unset, flags: kept.with(Flags::DECLARED), saved_in },
        };
        let watched = new.flags.has(Flags::WATCHED) && !rules.local_keeps_value;
        let old = std::mem::replace(&mut self.variables[slot], new);
        if old.flags.has(Flags::EXPORT) {
            self.variables.environment.forget();
        }
        self.variables.locals.push((slot, old));
        for inner in &mut self.calls.frames[at + 1..] {
            inner.locals += 1;
        }
        if watched {
            self.watched_changed(slot);
        }
        true
    }

    /// Ends the locals from there on.
    pub(crate) fn end_locals(&mut self, from: usize) {
        while self.variables.locals.len() > from {
            let Some((slot, mut old)) = self.variables.locals.pop() else { break };
            let at = self.variables.locals.len();
            if let Some(ended) = self.variables.self_references.pop_if(|known| known.local >= at) {
                old = self.end_self_reference(ended, old);
            }
            self.put_back(slot, old);
        }
    }

    /// Defines a function, or removes it.
    pub(crate) fn set_function(&mut self, slot: Slot, function: Option<Rc<Function>>) {
        let old = self.put_function(slot, function);
        self.subshells.note(Undo::Function(slot, old));
    }

    /// The same where nothing is taken back. Gives the one that was there.
    pub(crate) fn put_function(
        &mut self,
        slot: Slot,
        function: Option<Rc<Function>>,
    ) -> Option<Rc<Function>> {
        if self.functions.exported().next().is_some() {
            self.variables.environment.forget();
        }
        self.functions.put(slot, function)
    }
}
