//! `${ … }`

use std::rc::Rc;

use fewer::compact;

use super::fields::{Into, Sink};
use super::value::{Flags, Value};
use super::{Flow, Shell};
use crate::Text;
use crate::pattern::cases::{self, Case};
use crate::pattern::{Pattern, slices};
use crate::program::{Arithmetic, Index, Name, Operation, Parameter, Part, Word};

/// What a parameter holds.
pub(super) enum Held {
    /// One value, or none.
    One(Option<Text>),
    /// Those of `$@` or of `a[@]`; joined into one if quoted.
    All { values: Vec<Text>, joined: bool },
}

impl Parameter {
    /// Whether it can come to several fields although it is quoted.
    pub(crate) fn may_be_many(&self) -> bool {
        match (&self.operation, &self.index) {
            (Operation::Length, _) => false,
            (Operation::NamesWithPrefix { joined }, _) => !joined,
            (_, Some(Index::All)) => true,
            (_, Some(_)) => false,
            // What the word of `${a-"$@"}` comes to, and what `${!a}` stands for, is known only
            // then.
            (
                Operation::Default { .. }
                | Operation::Alternative { .. }
                | Operation::Assign { .. },
                None,
            ) => true,
            _ => self.name == Name::Special(b'@') || self.indirect,
        }
    }
}

impl Parameter {
    /// Whether it is an array with which nothing is done.
    fn is_plain_array(&self) -> bool {
        let nothing = matches!(
            self.operation,
            Operation::Value
                | Operation::Default { .. }
                | Operation::Assign { .. }
                | Operation::Error { .. }
        );
        nothing && matches!(self.name, Name::Variable(_))
    }
}

impl Shell {
    pub(crate) fn expand_parameter(
        &mut self,
        parameter: &Parameter,
        quoted: bool,
        sink: &mut Sink,
    ) -> Flow {
        crate::stack::with_room(|| self.parameter_on_stack(parameter, quoted, sink))
    }

    fn parameter_on_stack(&mut self, parameter: &Parameter, quoted: bool, sink: &mut Sink) -> Flow {
        match &parameter.operation {
            Operation::NamesWithPrefix { joined } => {
                let names = self.names_with_prefix(parameter);
                self.deliver_all(&names, *joined, quoted, sink);
                return Ok(());
            }
            Operation::Keys => {
                let Name::Variable(slot) = parameter.name else { return Ok(()) };
                let slot = self.meant(slot);
                let keys = self.keys(slot);
                let joined = matches!(parameter.index, Some(Index::Joined));
                let joined = joined && !self.joins_with_spaces(sink);
                self.deliver_all(&keys, joined, quoted, sink);
                return Ok(());
            }
            Operation::Length => return self.expand_length(parameter, quoted, sink),
            _ => {}
        }
        if parameter.indirect {
            return self.expand_indirect(parameter, quoted, sink);
        }
        let held = self.held(parameter)?;
        self.operate(parameter, held, quoted, sink)
    }

    /// The element that a subscript, given as text, means.
    pub(crate) fn element_by_text(
        &mut self,
        slot: crate::arithmetic::Slot,
        subscript: &[u8],
    ) -> Flow<Option<Text>> {
        if self.variables.is_associative(slot) {
            return Ok(self.element_by_key(slot, subscript).cloned());
        }
        let index = self.evaluate_text(subscript)?;
        Ok(self.element_at(slot, index).cloned())
    }

    pub(super) fn positional_text(&self, number: u32) -> Option<Text> {
        match number {
            0 => Some(self.origin.zero.clone()),
            _ => self.calls.positional.all().get(number as usize - 1).cloned(),
        }
    }

    pub(super) fn held(&mut self, parameter: &Parameter) -> Flow<Held> {
        let slot = match parameter.name {
            Name::Variable(slot) => self.meant(slot),
            Name::Positional(number) => return Ok(Held::One(self.positional_text(number))),
            Name::Special(byte @ (b'@' | b'*')) => {
                let values = self.calls.positional.all().to_vec();
                return Ok(Held::All { values, joined: byte == b'*' });
            }
            Name::Special(b'!') if self.processes.jobs.last().is_none() => {
                return Ok(Held::One(None));
            }
            Name::Special(byte) => return Ok(Held::One(Some(self.special(byte, parameter.line)?))),
        };
        Ok(match &parameter.index {
            None => Held::One(self.get(slot).map(Text::from_slice)),
            Some(Index::All) => Held::All { values: self.values(slot), joined: false },
            Some(Index::Joined) => Held::All { values: self.values(slot), joined: true },
            Some(Index::One(subscript)) => {
                if self.variables.is_associative(slot) {
                    let key = self.expand_whole(&subscript.key)?;
                    Held::One(self.element_by_key(slot, &key).cloned())
                } else {
                    let index = self.evaluate(&subscript.arithmetic)?;
                    self.in_range(slot, index)?;
                    Held::One(self.element_at(slot, index).cloned())
                }
            }
        })
    }

    pub(super) fn operate(
        &mut self,
        parameter: &Parameter,
        held: Held,
        quoted: bool,
        sink: &mut Sink,
    ) -> Flow {
        let rules = &self.profile.values.expansions;
        let (is_set, is_empty) = match &held {
            Held::One(None) => (false, true),
            Held::One(Some(text)) => (true, text.is_empty()),
            Held::All { values, joined } => match &**values {
                [] => (rules.no_words_are_set, true),
                [one] => (true, one.is_empty()),
                [first, ..] if rules.first_word_is_empty => (true, first.is_empty()),
                // It is empty if what it is joined to is.
                several => {
                    let between = !joined || !self.expansion.ifs.first().is_empty();
                    (true, !between && several.iter().all(|one| one.is_empty()))
                }
            },
        };
        let missing = |colon: bool| !is_set || (colon && is_empty);
        match &parameter.operation {
            Operation::Default { colon, word } if missing(*colon) => {
                return self.expand_nested(word, quoted, sink);
            }
            Operation::Alternative { colon, word } => {
                if missing(*colon) {
                    self.deliver_nothing(&held, quoted, sink);
                    return Ok(());
                }
                return self.expand_nested(word, quoted, sink);
            }
            Operation::Assign { colon, word } if missing(*colon) => {
                return self.assign_default(parameter, word, quoted, sink);
            }
            Operation::Error { colon, word } if missing(*colon) => {
                return self.parameter_error(parameter, word, *colon);
            }
            Operation::Default { .. } | Operation::Assign { .. } | Operation::Error { .. } => {}
            _ if !is_set && self.options.no_unset() && matches!(held, Held::One(_)) => {
                let name = self.name_text(parameter);
                return self.unset_parameter(&name, parameter.line);
            }
            _ => {}
        }
        match held {
            Held::One(value) => {
                let unset = value.is_none();
                let value = value.unwrap_or_default();
                if let Operation::Transform(letter) = parameter.operation
                    && unset
                {
                    let text = self.transform_unset(parameter, letter);
                    self.deliver(&text, quoted, sink);
                    return Ok(());
                }
                if unset && rules.unset_is_not_transformed {
                    self.deliver(&value, quoted, sink);
                    return Ok(());
                }
                let value = self.transform(parameter, value)?;
                self.deliver(&value, quoted, sink);
            }
            Held::All { values, joined } => {
                let joined =
                    joined && (parameter.is_plain_array() || !self.joins_with_spaces(sink));
                let values = self.transform_all(parameter, values)?;
                if values.is_empty() && quoted && rules.no_words_are_empty_text {
                    sink.quoted(b"");
                }
                self.deliver_all(&values, joined, quoted, sink);
            }
        }
        Ok(())
    }

    fn deliver_nothing(&mut self, held: &Held, quoted: bool, sink: &mut Sink) {
        match held {
            Held::All { joined: false, values }
                if values.is_empty() && !self.profile.values.expansions.no_words_are_empty_text => {
            }
            _ => self.deliver(b"", quoted, sink),
        }
    }

    /// The word of `${a-word}`: quoted as what it stands in.
    pub(super) fn expand_nested(&mut self, word: &Word, quoted: bool, sink: &mut Sink) -> Flow {
        match word {
            Word::Fixed(text) => self.deliver_fixed(text, quoted, sink),
            Word::Parts { parts, .. } => {
                // Even where its `$@` is nothing.
                if quoted {
                    sink.quoted(b"");
                }
                for part in parts {
                    match part {
                        Part::Value(..) | Part::Text(_) if !quoted => {
                            self.expand_part(part, sink)?
                        }
                        Part::Text(text) | Part::Pattern(text) | Part::Unquoted(text) if quoted => {
                            sink.quoted(text);
                        }
                        Part::Value(expansion, _) => self.expand(expansion, true, sink)?,
                        part => self.expand_part(part, sink)?,
                    }
                }
            }
        }
        Ok(())
    }

    fn deliver_fixed(&self, text: &[u8], quoted: bool, sink: &mut Sink) {
        // The empty word of `${a-}` is nothing; `${a-''}` has a part.
        if quoted || !text.is_empty() {
            sink.quoted(text);
        }
    }

    fn assign_default(
        &mut self,
        parameter: &Parameter,
        word: &Word,
        quoted: bool,
        sink: &mut Sink,
    ) -> Flow {
        let mut whole = Sink::new(Into::Whole);
        self.expand_nested(word, quoted, &mut whole)?;
        let value = whole.current;
        match (parameter.name, &parameter.index) {
            (Name::Variable(slot), None) => {
                self.default_writable(slot)?;
                self.set(slot, value.clone())?;
                // In bash it stays, whatever the assignment is itself.
                if self.profile.values.variables.default_outlives_prefix {
                    self.variables.temporaries.assign_behind(slot, &value);
                }
                // A flag of the variable may have made something else of it.
                let slot = self.meant(slot);
                let value = self.get(slot).map_or(value, Text::from_slice);
                self.deliver(&value, quoted, sink);
                Ok(())
            }
            (Name::Variable(slot), Some(Index::One(subscript))) => {
                self.default_writable(slot)?;
                self.set_subscript(slot, subscript, value, false)?;
                if let Held::One(value) = self.held(parameter)? {
                    self.deliver(&value.unwrap_or_default(), quoted, sink);
                }
                Ok(())
            }
            _ => {
                let name = self.name_text(parameter);
                self.fail_command(&self.profile.messages.not_assignable.of(name))
            }
        }
    }

    /// An error if it may not be changed: in bash with the status 2, but in texts.
    fn default_writable(&mut self, slot: crate::arithmetic::Slot) -> Flow {
        let slot = self.meant(slot);
        let flow = self.writable(slot);
        let in_file = !self.origin.from_argument && self.tracing.nested == 0;
        if flow.is_err() && in_file && self.profile.failures.readonly_default_is_2 {
            self.execution.status = 2;
        }
        flow
    }

    fn parameter_error(&mut self, parameter: &Parameter, word: &Word, colon: bool) -> Flow {
        let mut whole = Sink::new(Into::Whole);
        self.expand_nested(word, true, &mut whole)?;
        let name = self.name_text(parameter);
        let mut text = [&*name, b": "].concat();
        let usual = match colon {
            true => self.profile.messages.null_parameter,
            false => "parameter not set",
        };
        let is_empty = matches!(word, Word::Fixed(text) if text.is_empty());
        text.extend_from_slice(if is_empty { usual.as_bytes() } else { &whole.current });
        self.fail_unset(&text, parameter.line)
    }

    fn expand_length(&mut self, parameter: &Parameter, quoted: bool, sink: &mut Sink) -> Flow {
        let length = match (parameter.name, &parameter.index) {
            (Name::Special(b'@' | b'*'), _)
                if self.profile.values.expansions.length_of_words_is_of_text =>
            {
                let words = self.calls.positional.all();
                let between = words.len().saturating_sub(1) * self.expansion.ifs.first().len();
                words.iter().map(|word| word.len()).sum::<usize>() + between
            }
            (Name::Special(b'@' | b'*'), _) => self.calls.positional.all().len(),
            (Name::Variable(slot), Some(Index::All | Index::Joined)) => {
                let meant = self.meant(slot);
                if self.options.no_unset()
                    && self.profile.values.expansions.unset_array_count_is_error
                    && matches!(self.variables[meant].value, Value::Unset)
                    && !self.variables[meant].flags.has(Flags::COMPUTED)
                {
                    // Unlike others this one does not end the shell.
                    let name = self.name_text(parameter);
                    return self.fail_command(&self.profile.messages.unset.of(name));
                }
                self.count_of(meant)
            }
            _ => match self.held(parameter)? {
                Held::One(Some(text)) => slices::length(&text, self.utf8_lengths()),
                Held::One(None) if self.options.no_unset() && !self.is_row(parameter.name) => {
                    let name = self.name_text(parameter);
                    return self.unset_parameter(&name, parameter.line);
                }
                _ => 0,
            },
        };
        let text = super::texts::number(i64::try_from(length).unwrap_or(i64::MAX));
        self.deliver(&text, quoted, sink);
        Ok(())
    }

    /// Whether lengths count characters of UTF-8, not bytes.
    pub(crate) fn utf8_lengths(&self) -> bool {
        self.expansion.utf8 && self.profile.multibyte
    }

    fn count_of(&mut self, slot: crate::arithmetic::Slot) -> usize {
        self.compute(slot);
        match &self.variables[slot].value {
            Value::Unset => 0,
            Value::Text(_) => 1,
            Value::Indexed(array) => array.count(),
            Value::Associative(map) => map.len(),
        }
    }

    /// What is done to one value.
    fn transform(&mut self, parameter: &Parameter, value: Text) -> Flow<Text> {
        match &parameter.operation {
            Operation::WithoutPrefix { longest, pattern } => {
                let pattern = self.exact_pattern_of(pattern)?;
                Ok(without_prefix(value, &pattern, *longest))
            }
            Operation::WithoutSuffix { longest, pattern } => {
                let pattern = self.exact_pattern_of(pattern)?;
                Ok(without_suffix(value, &pattern, *longest))
            }
            Operation::Replace { which, pattern, by } => {
                let pattern = self.pattern_of(pattern)?;
                let by = self.replacement(by)?;
                self.replace(&value, &pattern, *which, &by)
            }
            Operation::Slice { offset, length } => {
                let mut offset = self.evaluate(offset)?;
                let length = self.slice_length(length.as_ref())?;
                if self.profile.values.expansions.slices_are_clamped && offset < 0 {
                    let all = slices::length(&value, self.utf8_lengths());
                    offset = offset.saturating_add_unsigned(all as u64).max(0);
                }
                match slices::slice(&value, offset, length, self.utf8_lengths()) {
                    Ok(slice) => Ok(Text::from_slice(slice)),
                    Err(_) => self.refuse_length(length.unwrap_or(0)),
                }
            }
            Operation::Case { case, all, pattern } => {
                let pattern = match pattern {
                    Some(pattern) => Some(self.exact_pattern_of(pattern)?),
                    None => None,
                };
                Ok(self.change_case(&value, *case, *all, pattern.as_deref()))
            }
            Operation::Transform(letter) => self.transform_by_letter(parameter, *letter, &value),
            _ => Ok(value),
        }
    }

    pub(crate) fn change_case(
        &self,
        value: &[u8],
        case: Case,
        all: bool,
        pattern: Option<&Pattern>,
    ) -> Text {
        let mut out = Vec::with_capacity(value.len());
        cases::change(value, case, all, pattern, self.expansion.utf8, &mut out);
        Text::from_vec(out)
    }

    /// How many are wanted.
    fn slice_length(&mut self, length: Option<&Arithmetic>) -> Flow<Option<i64>> {
        let Some(length) = length else { return Ok(None) };
        let length = self.evaluate(length)?;
        Ok(Some(match self.profile.values.expansions.slices_are_clamped {
            true => length.max(0),
            false => length,
        }))
    }

    /// What is done to all values of `$@` or an array.
    fn transform_all(&mut self, parameter: &Parameter, values: Vec<Text>) -> Flow<Vec<Text>> {
        match &parameter.operation {
            Operation::Slice { .. }
                if matches!(&*values, [_])
                    && self.profile.values.expansions.one_text_is_sliced
                    && self.is_one_text(parameter.name) =>
            {
                let one = values.into_iter().next().unwrap_or_default();
                Ok(vec![self.transform(parameter, one)?])
            }
            Operation::Slice { offset, length } => {
                let offset = self.evaluate(offset)?;
                let length = self.slice_length(length.as_ref())?;
                self.slice_of_all(parameter, values, offset, length)
            }
            Operation::Transform(letter @ (b'A' | b'K' | b'k' | b'a')) => {
                self.transform_whole_array(parameter, *letter, &values)
            }
            Operation::Value
            | Operation::Default { .. }
            | Operation::Assign { .. }
            | Operation::Error { .. } => Ok(values),
            _ => {
                let mut out = Vec::with_capacity(values.len());
                for value in values {
                    out.push(self.transform(parameter, value)?);
                }
                Ok(out)
            }
        }
    }

    /// Whether a variable is no array.
    fn is_one_text(&mut self, name: Name) -> bool {
        let Name::Variable(slot) = name else { return false };
        let slot = self.meant(slot);
        matches!(self.variables[slot].value, Value::Text(_))
    }

    fn slice_of_all(
        &mut self,
        parameter: &Parameter,
        values: Vec<Text>,
        offset: i64,
        length: Option<i64>,
    ) -> Flow<Vec<Text>> {
        // Of the positional parameters, `$0` is the one at 0; of an array, indices count.
        let numbered: Vec<(i64, Text)> = match parameter.name {
            Name::Special(_) => {
                let zero = std::iter::once(self.origin.zero.clone());
                (0..).zip(zero.chain(values)).collect()
            }
            Name::Variable(slot) => {
                let slot = self.meant(slot);
                match &self.variables[slot].value {
                    Value::Indexed(array) => array
                        .iter()
                        .map(|(index, value)| {
                            (i64::try_from(index).unwrap_or(i64::MAX), value.clone())
                        })
                        .collect(),
                    // The first is at 1, and at 0.
                    Value::Associative(_)
                        if self.profile.values.expansions.associative_slice_from_one =>
                    {
                        let first = i64::from(offset != 0);
                        (first..).zip(values).collect()
                    }
                    _ => (0..).zip(values).collect(),
                }
            }
            Name::Positional(_) => return Ok(values),
        };
        let end = numbered.last().map_or(0, |(last, _)| last + 1);
        let mut from = if offset < 0 { end.saturating_add(offset) } else { offset };
        if self.profile.values.expansions.slices_are_clamped {
            from = from.max(0);
        }
        if from < 0 {
            return Ok(Vec::new());
        }
        let taken = match length {
            None => usize::MAX,
            Some(length) => match usize::try_from(length) {
                Ok(length) => length,
                Err(_) => return self.refuse_length(length),
            },
        };
        let rest = numbered.into_iter().filter(|(index, _)| *index >= from).take(taken);
        Ok(rest.map(|(_, value)| value).collect())
    }

    fn names_with_prefix(&mut self, parameter: &Parameter) -> Vec<Text> {
        let Name::Variable(slot) = parameter.name else { return Vec::new() };
        let prefix: Rc<[u8]> = self.names.name(slot);
        let mut names: Vec<_> = (0..self.names.len())
            .map(|index| crate::arithmetic::Slot(u32::try_from(index).unwrap_or(0)))
            .filter(|slot| self.variables.is_set(*slot))
            .map(|slot| self.names.name(slot))
            .filter(|name| name.starts_with(&prefix))
            .map(|name| Text::from_slice(&name))
            .collect();
        compact::sort_by(&mut names, Ord::cmp);
        names
    }

    /// A parameter as messages show it.
    pub(crate) fn name_text(&self, parameter: &Parameter) -> Text {
        match parameter.name {
            Name::Variable(slot) => Text::from_slice(&self.names.name(slot)),
            Name::Positional(number) => Text::from_slice(number.to_string().as_bytes()),
            Name::Special(byte) => Text::from_slice(&[byte]),
        }
    }
}

fn without_prefix(value: Text, pattern: &Pattern, longest: bool) -> Text {
    match pattern.prefix(&value, longest) {
        Some(end) if end > 0 => Text::from_slice(&value[end..]),
        _ => value,
    }
}

fn without_suffix(mut value: Text, pattern: &Pattern, longest: bool) -> Text {
    if let Some(start) = pattern.suffix(&value, longest) {
        value.truncate(start);
    }
    value
}
