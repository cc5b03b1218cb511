//! `${!name}`: what the parameter holds whose name is a value.

use super::fields::{Into, Sink};
use super::parameter::Held;
use super::value::Flags;
use super::{Flow, Shell};
use crate::Text;
use crate::program::{Name, Operation, Parameter};

impl Shell {
    /// `${!name…}`: the value is the name of the parameter that is meant.
    pub(super) fn expand_indirect(
        &mut self,
        parameter: &Parameter,
        quoted: bool,
        sink: &mut Sink,
    ) -> Flow {
        if let Name::Variable(slot) = parameter.name
            && self.variables[slot].flags.has(Flags::REFERENCE)
        {
            // Of a reference, it is the name that it stands for in the end.
            let name = self.name_referred_to(slot);
            return self.operate(parameter, Held::One(name), quoted, sink);
        }
        let name = match self.held(parameter)? {
            Held::One(Some(name)) => name,
            Held::One(None) if self.profile.values.expansions.empty_indirect_is_error => {
                let name = self.name_text(parameter);
                let text = [&*name, b": invalid indirect expansion"].concat();
                return self.fail_command(&text);
            }
            Held::One(None) => return self.operate(parameter, Held::One(None), quoted, sink),
            Held::All { values, .. } => match values.into_iter().next() {
                Some(name) => name,
                None => return Ok(()),
            },
        };
        let held = self.held_by_name(&name)?;
        if let Operation::Assign { colon, word } = &parameter.operation
            && let Held::One(value) = &held
            && value.as_ref().is_none_or(|value| *colon && value.is_empty())
        {
            let mut whole = Sink::new(Into::Whole);
            self.expand_nested(word, quoted, &mut whole)?;
            self.set_target(&name, whole.current.clone())?;
            self.deliver(&whole.current, quoted, sink);
            return Ok(());
        }
        self.operate(parameter, held, quoted, sink)
    }

    /// What is at the end of a chain of references; one that is longer is a circle.
    fn name_referred_to(&self, slot: crate::arithmetic::Slot) -> Option<Text> {
        let mut name = self.variables.text_of(slot)?;
        for _ in 0..16 {
            let next = self.names.find(name);
            let next = next.filter(|next| {
                let variable = self.variables.get(*next);
                variable.is_some_and(|variable| variable.flags.has(Flags::REFERENCE))
            });
            let Some(next) = next.and_then(|next| self.variables.text_of(next)) else { break };
            name = next;
        }
        Some(Text::from_slice(name))
    }

    /// What the parameter of that name, perhaps with a subscript, holds.
    fn held_by_name(&mut self, name: &[u8]) -> Flow<Held> {
        if let Some(open) = memchr::memchr(b'[', name)
            && name.last() == Some(&b']')
            && crate::syntax::is_name(&name[..open])
        {
            let slot = self.slot(&name[..open]);
            let slot = self.meant(slot);
            let inside = &name[open + 1..name.len() - 1];
            if inside == b"@" || inside == b"*" {
                return Ok(Held::All { values: self.values(slot), joined: inside == b"*" });
            }
            if self.variables.is_associative(slot) && inside.contains(&b'$') {
                let inside = self.expand_prompt(inside);
                return Ok(Held::One(self.element_by_text(slot, &inside)?));
            }
            return Ok(Held::One(self.element_by_text(slot, inside)?));
        }
        if crate::syntax::is_name(name) {
            let slot = self.slot(name);
            return Ok(Held::One(self.get(slot).map(Text::from_slice)));
        }
        if let Some(number) = super::texts::parsed(name) {
            return Ok(Held::One(self.positional_text(number)));
        }
        match name {
            b"@" | b"*" => {
                Ok(Held::All { values: self.calls.positional.all().to_vec(), joined: name == b"*" })
            }
            [byte @ (b'?' | b'#' | b'$' | b'!' | b'-')] => {
                Ok(Held::One(Some(self.special(*byte, self.execution.line)?)))
            }
            _ => {
                let text = [name, b": invalid variable name"].concat();
                self.fail_command(&text)
            }
        }
    }
}
