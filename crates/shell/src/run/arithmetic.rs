//! Arithmetic asks the shell for its variables.

use std::rc::Rc;

use super::value::{Flags, Value};
use super::{Flow, Shell, Unwind};
use crate::arithmetic::{
    Error, Expression, OwnedPart, Slot, Subscript, Variables, evaluate, evaluate_text, parse,
    parse_integer,
};
use crate::program::Arithmetic;
use crate::{Dialect, Text, arithmetic};

/// How often the value of a variable may lead to another's.
const CHAIN: u32 = 1024;

/// How many texts that were parsed at run time are kept for one place of the script.
const KEPT: usize = 64;

/// The values of the expansions (`$…`) in the expressions that are being evaluated.
#[derive(Debug, Default)]
pub(crate) struct PlaceholderValues {
    numbers: Vec<i64>,
    texts: Vec<Text>,
    /// Where those of the innermost begin.
    base: usize,
    chain: u32,
}

impl Shell {
    /// The value of an expression; an error ends the command.
    #[inline]
    pub(crate) fn evaluate(&mut self, arithmetic: &Arithmetic) -> Flow<i64> {
        match self.try_evaluate(arithmetic)? {
            Ok(value) => Ok(value),
            Err(message) => self.arithmetic_failed(&message),
        }
    }

    /// The value of `(( … ))`, of an operand in `[[ … ]]`: an error is bash's status (then `None`).
    pub(crate) fn evaluate_command(
        &mut self,
        command: &[u8],
        arithmetic: &Arithmetic,
    ) -> Flow<Option<i64>> {
        match self.try_evaluate(arithmetic)? {
            Ok(value) => Ok(Some(value)),
            Err(message) if !self.profile.failures.bad_evaluation_fails_command => {
                self.arithmetic_failed(&message)
            }
            Err(message) => {
                if !message.is_empty() {
                    self.complain(&[command, b": ", &*message].concat());
                }
                if self.expansion.unset_in_arithmetic {
                    return self.arithmetic_failed(b"");
                }
                Ok(None)
            }
        }
    }

    fn arithmetic_failed<T>(&mut self, message: &[u8]) -> Flow<T> {
        if !message.is_empty() {
            self.complain(message);
        }
        let unset = std::mem::take(&mut self.expansion.unset_in_arithmetic);
        let failures = &self.profile.failures;
        self.execution.status = if unset { self.status_of_unset() } else { failures.status };
        Err(match unset && failures.unset_ends_shell {
            true => Unwind::Exit,
            false => self.after_error(),
        })
    }

    /// The value, or the message of what is wrong (empty if it was told already).
    #[inline]
    fn try_evaluate(&mut self, arithmetic: &Arithmetic) -> Flow<Result<i64, Vec<u8>>> {
        if let Some(expression) = &arithmetic.expression
            && arithmetic.placeholders.is_empty()
        {
            return Ok(match evaluate(expression, self) {
                Ok(value) => Ok(value),
                Err(error) => Err(self.message(arithmetic, &error, &[])),
            });
        }
        self.evaluate_with_placeholders(arithmetic)
    }

    fn evaluate_with_placeholders(
        &mut self,
        arithmetic: &Arithmetic,
    ) -> Flow<Result<i64, Vec<u8>>> {
        let mut texts = Vec::with_capacity(arithmetic.placeholders.len());
        for placeholder in &arithmetic.placeholders {
            texts.push(self.expand_whole(placeholder)?);
        }
        if let Some(expression) = &arithmetic.expression
            && let Some(numbers) = self.numbers_of(expression, &texts)
        {
            let base = std::mem::replace(
                &mut self.expansion.placeholders.base,
                self.expansion.placeholders.numbers.len(),
            );
            let start = self.expansion.placeholders.base;
            self.expansion.placeholders.numbers.extend(numbers);
            self.expansion.placeholders.texts.extend(texts.iter().cloned());
            let value = evaluate(expression, self);
            self.expansion.placeholders.numbers.truncate(start);
            self.expansion.placeholders.texts.truncate(start);
            self.expansion.placeholders.base = base;
            return Ok(value.map_err(|error| self.message(arithmetic, &error, &texts)));
        }
        let text = fill(&arithmetic.parts, &texts);
        let known = arithmetic.parsed.borrow().get(&*text).cloned();
        let expression = match known {
            Some(expression) => expression,
            None => match self.parse_arithmetic(&text) {
                Ok(expression) => {
                    let expression = Rc::new(expression);
                    let mut parsed = arithmetic.parsed.borrow_mut();
                    if parsed.len() >= KEPT {
                        parsed.clear();
                    }
                    parsed.insert(text.clone(), expression.clone());
                    expression
                }
                Err(error) => return Ok(Err(error.message(&text, &[], self.profile.dialect))),
            },
        };
        let dialect = self.profile.dialect;
        Ok(evaluate(&expression, self).map_err(|error| error.message(&text, &[], dialect)))
    }

    /// The numbers that the placeholders hold, if all of them can be taken as they are.
    fn numbers_of(&self, expression: &Expression, texts: &[Text]) -> Option<Vec<i64>> {
        let mut numbers = vec![0; texts.len()];
        for placeholder in expression.placeholders() {
            let index = placeholder.number as usize;
            let text = texts.get(index)?;
            numbers[index] =
                match (placeholder.number(text, self.profile.dialect), placeholder.subscript_of) {
                    (Some(number), _) => number,
                    (None, Some(slot)) if self.variables.is_associative(slot) => 0,
                    _ => return None,
                };
        }
        Some(numbers)
    }

    fn parse_arithmetic(&mut self, text: &[u8]) -> Result<Expression, Error> {
        let names = &mut self.names;
        let parts = [arithmetic::Part::Text(text)];
        let parsed = parse(&parts, self.profile.dialect, &mut |name| names.slot(name));
        self.make_room();
        parsed
    }

    /// The value of a text, as `let` and a variable that is an integer evaluate it.
    pub(crate) fn evaluate_text(&mut self, text: &[u8]) -> Flow<i64> {
        match self.try_evaluate_text(text) {
            Ok(value) => Ok(value),
            Err(message) => self.arithmetic_failed(&message),
        }
    }

    /// The same, with the message of what is wrong.
    pub(crate) fn try_evaluate_text(&mut self, text: &[u8]) -> Result<i64, Vec<u8>> {
        if let Some(number) = parse_integer(text, self.profile.dialect) {
            return Ok(number);
        }
        let dialect = self.profile.dialect;
        let expression =
            self.parse_arithmetic(text).map_err(|error| error.message(text, &[], dialect))?;
        evaluate(&expression, self).map_err(|error| error.message(text, &[], dialect))
    }

    fn message(&self, arithmetic: &Arithmetic, error: &Error, texts: &[Text]) -> Vec<u8> {
        let lengths: Vec<_> = texts.iter().map(|text| text.len()).collect();
        error.message(&fill(&arithmetic.parts, texts), &lengths, self.profile.dialect)
    }

    /// The key of an associative array: the subscript's text.
    fn key(&self, subscript: &Subscript) -> Text {
        let texts = &self.expansion.placeholders.texts[self.expansion.placeholders.base..];
        match &*subscript.parts {
            // Quotes are no part of it.
            [OwnedPart::Text(text)] if text.len() > 1 && text.starts_with(b"'") => {
                Text::from_slice(text[1..].strip_suffix(b"'").unwrap_or(text))
            }
            parts => Text::from_vec(fill(parts, texts)),
        }
    }

    fn value_of(&mut self, slot: Slot) -> Result<i64, Error> {
        let rules = &self.profile.values.numbers;
        let no_unset = self.options.no_unset() && rules.unset_is_error || self.is_behind_a_value();
        let text = match self.get(slot) {
            Some(text) => Text::from_slice(text),
            None if no_unset => return Err(self.unset_here(slot)),
            None => return Ok(0),
        };
        self.number_in(&text)
    }

    fn unset_here(&mut self, slot: Slot) -> Error {
        let name = self.names.name(slot);
        self.expansion.unset_in_arithmetic = true;
        Error::outside(self.profile.messages.unset.of(name))
    }

    /// Whether a name stands in a variable's value, where it has to be set.
    fn is_behind_a_value(&self) -> bool {
        self.profile.values.numbers.unset_in_value_is_error && self.expansion.placeholders.chain > 0
    }

    /// A value as a number: an expression, if it is no plain number.
    pub(crate) fn number_in(&mut self, text: &[u8]) -> Result<i64, Error> {
        if let Some(number) = parse_integer(text, self.profile.dialect) {
            return Ok(number);
        }
        if !self.profile.values.numbers.values_are_expressions {
            return Err(Error::outside(self.profile.builtins.arguments.not_a_number.of(text)));
        }
        if self.expansion.placeholders.chain >= CHAIN {
            return Err(Error::outside([text, b": expression recursion level exceeded"].concat()));
        }
        self.expansion.placeholders.chain += 1;
        let value = crate::stack::with_room(|| evaluate_text(text, self));
        self.expansion.placeholders.chain -= 1;
        value
    }

    fn stopped(flow: Flow) -> Result<(), Error> {
        // The message was told already.
        flow.map_err(|_| Error::outside(Vec::new()))
    }
}

pub(crate) fn fill(parts: &[OwnedPart], texts: &[Text]) -> Vec<u8> {
    let mut out = Vec::new();
    for part in parts {
        match part {
            OwnedPart::Text(text) => out.extend_from_slice(text),
            OwnedPart::Placeholder(number) => {
                out.extend_from_slice(texts.get(*number as usize).map_or(b"", |text| text));
            }
        }
    }
    out
}

impl Variables for Shell {
    #[inline]
    fn get(&mut self, slot: Slot) -> Result<i64, Error> {
        let variable = &self.variables[slot];
        if let Value::Text(text) = &variable.value
            && variable.flags.0 & Flags::REFERENCE.with(Flags::COMPUTED).0 == 0
            && let Some(number) = parse_integer(text, self.profile.dialect)
        {
            return Ok(number);
        }
        self.value_of(slot)
    }

    #[inline]
    fn set(&mut self, slot: Slot, value: i64) -> Result<(), Error> {
        Shell::stopped(Shell::set(self, slot, super::texts::number(value)))
    }

    fn get_element(&mut self, slot: Slot, subscript: &Subscript) -> Result<i64, Error> {
        let slot = self.meant(slot);
        let text = if self.variables.is_associative(slot) {
            let key = self.key(subscript);
            self.element_by_key(slot, &key).cloned()
        } else {
            let index = subscript.index(self)?;
            Shell::stopped(self.in_range(slot, index))?;
            self.element_at(slot, index).cloned()
        };
        match text {
            Some(text) => self.number_in(&text),
            None if self.options.no_unset() => Err(self.unset_here(slot)),
            None => Ok(0),
        }
    }

    fn set_element(&mut self, slot: Slot, at: &Subscript, value: i64) -> Result<(), Error> {
        let slot = self.meant(slot);
        let value = super::texts::number(value);
        if self.variables.is_associative(slot) {
            let key = self.key(at);
            return Shell::stopped(self.set_key(slot, key, value, false));
        }
        let index = at.index(self)?;
        Shell::stopped(self.set_index(slot, index, value, false))
    }

    fn change_element(
        &mut self,
        slot: Slot,
        subscript: &Subscript,
        change: &mut dyn FnMut(&mut Shell, i64) -> Result<i64, Error>,
    ) -> Result<i64, Error> {
        let slot = self.meant(slot);
        if self.variables.is_associative(slot) {
            let key = self.key(subscript);
            let text = self.element_by_key(slot, &key).cloned().unwrap_or_default();
            let old = self.number_in(&text)?;
            let new = super::texts::number(change(self, old)?);
            Shell::stopped(self.set_key(slot, key, new, false))?;
            return Ok(old);
        }
        let index = subscript.index(self)?;
        let text = self.element_at(slot, index).cloned().unwrap_or_default();
        let old = self.number_in(&text)?;
        let new = super::texts::number(change(self, old)?);
        Shell::stopped(self.set_index(slot, index, new, false))?;
        Ok(old)
    }

    fn placeholder(&mut self, number: u32) -> Result<i64, Error> {
        Ok(self
            .expansion
            .placeholders
            .numbers
            .get(self.expansion.placeholders.base + number as usize)
            .copied()
            .unwrap_or(0))
    }

    fn slot(&mut self, name: &[u8]) -> Slot {
        Shell::slot(self, name)
    }

    #[inline]
    fn dialect(&self) -> Dialect {
        self.profile.dialect
    }
}
