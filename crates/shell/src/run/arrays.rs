//! Arrays.

use fewer::compact;
use indexmap::IndexMap;

use super::fields::{Into, Sink};
use super::value::{Flags, Indexed, Value};
use super::{Flow, Shell};
use crate::arithmetic::Slot;
use crate::program::{Element, Expansion, Name, Part, Subscript, Word};
use crate::{Dialect, Text};

/// What the words of `a=( … )` came to: subscript, value, and whether it is appended.
pub(crate) type Values<'e> = Vec<(Option<&'e Subscript>, Text, bool)>;

impl Shell {
    /// The element of an indexed array; a negative index counts from its end.
    pub(crate) fn element_at(&mut self, slot: Slot, index: i64) -> Option<&Text> {
        self.compute(slot);
        match &self.variables[slot].value {
            Value::Text(text) => {
                let last = index == -1 && self.profile.values.arrays.text_has_last_element;
                (index == 0 || last).then_some(text)
            }
            Value::Indexed(array) => array.get(from_end(index, array.end())?),
            _ => None,
        }
    }

    /// Whether it is an array whose first element has a length without being there.
    pub(crate) fn is_row(&self, name: Name) -> bool {
        let Name::Variable(slot) = name else { return false };
        let value = &self.variables[slot].value;
        self.profile.values.arrays.missing_first_has_length && matches!(value, Value::Indexed(_))
    }

    /// What is before the first element is an error, in some shells.
    pub(crate) fn in_range(&mut self, slot: Slot, index: i64) -> Flow {
        let Value::Indexed(array) = &self.variables[slot].value else { return Ok(()) };
        let end = array.end();
        if !self.profile.values.arrays.checks_range || end == 0 || from_end(index, end).is_some() {
            return Ok(());
        }
        let name = self.names.name(slot);
        self.fail_command(&[&*name, b": subscript out of range"].concat())
    }

    pub(crate) fn element_by_key(&mut self, slot: Slot, key: &[u8]) -> Option<&Text> {
        match &self.variables[slot].value {
            Value::Associative(map) => map.get(key),
            _ => None,
        }
    }

    /// Assigns to an element of an indexed array, which is made of whatever was there.
    pub(crate) fn set_index(&mut self, slot: Slot, index: i64, value: Text, append: bool) -> Flow {
        self.writable(slot)?;
        let plain = self.variables[slot].flags.is_plain();
        if !matches!(self.variables[slot].value, Value::Indexed(_)) {
            self.make_indexed(slot);
        }
        let Value::Indexed(array) = &self.variables[slot].value else { return Ok(()) };
        let Some(index) = from_end(index, array.end()) else {
            let name = self.names.name(slot);
            let index = index.to_string();
            let text = [&*name, b"[", index.as_bytes(), b"]: bad array subscript"].concat();
            return self.fail_command(&text);
        };
        self.subshells.save_element(&mut self.variables, slot, index);
        let value = if append {
            self.joined_to_element(slot, index, value)?
        } else if plain {
            value
        } else {
            self.converted(slot, value)?
        };
        if let Value::Indexed(array) = &mut self.variables[slot].value {
            array.put(index, Some(value));
        }
        if !plain {
            self.changed(slot);
        }
        Ok(())
    }

    fn joined_to_element(&mut self, slot: Slot, index: u64, value: Text) -> Flow<Text> {
        let integer = self.variables[slot].flags.has(Flags::INTEGER);
        let Value::Indexed(array) = &mut self.variables[slot].value else {
            return Ok(value);
        };
        if integer {
            let old = array.get(index).cloned().unwrap_or_default();
            return self.sum(&old, &value);
        }
        let mut old = array.put(index, None).unwrap_or_default();
        old.extend_from_slice(&value);
        self.converted(slot, old)
    }

    /// The sum of two texts, for `+=` of an integer.
    pub(crate) fn sum(&mut self, old: &[u8], value: &[u8]) -> Flow<Text> {
        let old = self.evaluate_text(old)?;
        let new = self.evaluate_text(value)?;
        Ok(super::texts::number(old.wrapping_add(new)))
    }

    pub(crate) fn make_indexed(&mut self, slot: Slot) {
        self.save(slot);
        let value = &mut self.variables[slot].value;
        *value = match std::mem::take(value) {
            Value::Text(text) => Value::Indexed(Box::new(Indexed::of([text]))),
            Value::Unset => Value::Indexed(Box::default()),
            other => other,
        };
    }

    /// Assigns to an element of an associative array.
    pub(crate) fn set_key(&mut self, slot: Slot, key: Text, value: Text, append: bool) -> Flow {
        self.writable(slot)?;
        if key.is_empty() && self.profile.values.arrays.refuses_empty_keys {
            let name = self.names.name(slot);
            return self.fail_command(&[&*name, b"[]: bad array subscript"].concat());
        }
        self.save(slot);
        let mut value = value;
        if append {
            let old = self.element_by_key(slot, &key).cloned().unwrap_or_default();
            if self.variables[slot].flags.has(Flags::INTEGER) {
                value = self.sum(&old, &value)?;
            } else {
                value = [&*old, &*value].concat().into();
            }
        }
        let value = self.converted(slot, value)?;
        let variable = &mut self.variables[slot];
        if !matches!(variable.value, Value::Associative(_)) {
            let mut map = IndexMap::new();
            if let Value::Text(text) = std::mem::take(&mut variable.value) {
                map.insert(Text::from_slice(b"0"), text);
            }
            variable.value = Value::Associative(Box::new(map));
        }
        if let Value::Associative(map) = &mut variable.value {
            map.insert(key, value);
        }
        self.changed(slot);
        Ok(())
    }

    /// Assigns to the element that a subscript means.
    pub(crate) fn set_subscript(
        &mut self,
        slot: Slot,
        subscript: &Subscript,
        value: Text,
        append: bool,
    ) -> Flow {
        let slot = self.meant(slot);
        if self.variables.is_associative(slot) {
            let key = self.expand_whole(&subscript.key)?;
            return self.set_key(slot, key, value, append);
        }
        if self.profile.values.arrays.refuses_empty_keys
            && matches!(&subscript.key, Word::Fixed(text) if text.is_empty())
        {
            let name = self.names.name(slot);
            return self.fail_command(&[&*name, b"[]: bad array subscript"].concat());
        }
        let index = self.evaluate(&subscript.arithmetic)?;
        self.set_index(slot, index, value, append)
    }

    /// Assigns to the element that a subscript, given as text, means.
    pub(crate) fn set_text_subscript(
        &mut self,
        slot: Slot,
        subscript: &[u8],
        value: Text,
        append: bool,
    ) -> Flow {
        let slot = self.meant(slot);
        if self.variables.is_associative(slot) {
            return self.set_key(slot, Text::from_slice(subscript), value, append);
        }
        let index = self.evaluate_text(subscript)?;
        self.set_index(slot, index, value, append)
    }

    /// Assigns to a variable or an element that is given by name.
    pub(crate) fn set_target(&mut self, name: &[u8], value: Text) -> Flow {
        if let Some(open) = memchr::memchr(b'[', name)
            && name.ends_with(b"]")
        {
            let slot = self.slot(&name[..open]);
            let slot = self.meant(slot);
            let inside = &name[open + 1..name.len() - 1];
            if self.variables.is_associative(slot) {
                return self.set_key(slot, Text::from_slice(inside), value, false);
            }
            let index = self.evaluate_text(inside)?;
            return self.set_index(slot, index, value, false);
        }
        let slot = self.slot(name);
        self.set(slot, value)
    }

    /// `a=( … )`
    pub(crate) fn set_array(&mut self, slot: Slot, elements: &[Element], append: bool) -> Flow {
        // All words are expanded before the array changes: they may be made of it.
        let meant = self.meant(slot);
        let keyed = self.variables.is_associative(meant);
        let values = self.expand_elements(elements, keyed)?;
        self.make_keyed(slot, &values, append)?;
        self.set_elements(slot, values, append)
    }

    /// ksh: `a=([k]=v)` makes an associative array, whatever was there; `a=(v)` an indexed one, if
    /// there was an associative one with something in it.
    pub(crate) fn make_keyed(&mut self, slot: Slot, values: &Values, append: bool) -> Flow {
        if !self.profile.values.arrays.keys_make_associative || values.is_empty() {
            return Ok(());
        }
        let slot = self.meant(slot);
        let keyed = matches!(values.first(), Some((Some(_), ..)));
        if keyed && !append {
            self.writable(slot)?;
            self.save(slot);
            let variable = &mut self.variables[slot];
            variable.flags = variable.flags.without(Flags::ARRAY).with(Flags::ASSOCIATIVE);
        } else if !keyed && self.variables.is_associative(slot) {
            let held = match &self.variables[slot].value {
                Value::Associative(map) => map.len(),
                _ => 0,
            };
            if append || held == 0 {
                let name = self.names.name(slot);
                let text = b"cannot append indexed array to associative array ";
                return self.fail_command(&[text.as_slice(), &name].concat());
            }
            self.make_row(slot)?;
        }
        Ok(())
    }

    /// What was an associative array is to be an indexed one.
    pub(crate) fn make_row(&mut self, slot: Slot) -> Flow {
        self.writable(slot)?;
        self.save(slot);
        let variable = &mut self.variables[slot];
        variable.flags = variable.flags.without(Flags::ASSOCIATIVE);
        variable.value = Value::Unset;
        Ok(())
    }

    /// What the words of `a=( … )` come to.
    ///
    /// With `keyed` they are for an associative array: in bash keys and values that are given by
    /// turns are a text each, and a tilde stands for itself.
    pub(crate) fn expand_elements<'e>(
        &mut self,
        elements: &'e [Element],
        keyed: bool,
    ) -> Flow<Values<'e>> {
        let plain = keyed && self.profile.values.arrays.keyed_elements_are_plain;
        let mut values = Vec::with_capacity(elements.len());
        for element in elements {
            match &element.subscript {
                Some(_) if !plain && !element.braces.is_empty() => {
                    self.expand_values(&element.braces, &mut values)?;
                }
                None if plain => {
                    values.push((None, self.expand_without_tildes(&element.value)?, false));
                }
                None => self.expand_values(std::slice::from_ref(&element.value), &mut values)?,
                Some(subscript) => {
                    let value = match plain {
                        true => self.expand_without_tildes(&element.value)?,
                        false => self.expand_whole(&element.value)?,
                    };
                    values.push((Some(subscript), value, element.append));
                }
            }
        }
        Ok(values)
    }

    /// The fields that words come to, as values without a subscript.
    fn expand_values(&mut self, words: &[Word], values: &mut Values<'_>) -> Flow {
        for word in words {
            let mut fields = Vec::new();
            self.expand_fields(word, &mut fields)?;
            self.count_words(&fields)?;
            values.extend(fields.into_iter().map(|field| (None, field, false)));
        }
        Ok(())
    }

    fn expand_without_tildes(&mut self, word: &Word) -> Flow<Text> {
        let Word::Parts { parts, .. } = word else { return self.expand_whole(word) };
        let mut sink = Sink::new(Into::Whole);
        for part in parts {
            match part {
                Part::Value(Expansion::Tilde(name), _) => {
                    sink.quoted(b"~");
                    sink.quoted(name);
                }
                part => self.expand_part(part, &mut sink)?,
            }
        }
        Ok(sink.current)
    }

    /// Gives an array what the words of `a=( … )` came to.
    pub(crate) fn set_elements(&mut self, slot: Slot, values: Values, append: bool) -> Flow {
        let slot = self.meant(slot);
        self.writable(slot)?;
        let keyed = self.variables.is_associative(slot);
        self.save(slot);
        let variable = &mut self.variables[slot];
        if keyed {
            if !append || !matches!(variable.value, Value::Associative(_)) {
                variable.value = Value::Associative(Box::default());
            }
        } else if !append {
            variable.value = Value::Indexed(Box::default());
        } else {
            self.make_indexed(slot);
        }
        if keyed { self.fill_map(slot, values) } else { self.fill_row(slot, values) }
    }

    fn fill_map(&mut self, slot: Slot, values: Values) -> Flow {
        let keyed = values.first().is_some_and(|(subscript, ..)| subscript.is_some());
        let mut values = values.into_iter();
        while let Some((subscript, value, append)) = values.next() {
            match subscript {
                None if keyed && self.profile.values.arrays.mixed_elements_are_told => {
                    let text = b": must use subscript when assigning associative array";
                    let name = self.names.name(slot).to_vec();
                    self.complain(&[&name, b": ".as_slice(), &value, text].concat());
                }
                Some(subscript) => {
                    let key = self.expand_whole(&subscript.key)?;
                    if key.is_empty() && self.profile.values.arrays.refuses_empty_keys {
                        self.complain(b"[]: bad array subscript");
                        continue;
                    }
                    self.set_key(slot, key, value, append)?;
                }
                // bash: keys and values by turns.
                None => {
                    let next = values.next().map(|(_, next, _)| next).unwrap_or_default();
                    self.set_key(slot, value, next, false)?;
                }
            }
        }
        Ok(())
    }

    fn fill_row(&mut self, slot: Slot, values: Values) -> Flow {
        let mut next = match &self.variables[slot].value {
            Value::Indexed(array) => i64::try_from(array.end()).unwrap_or(i64::MAX),
            _ => 0,
        };
        for (subscript, value, append) in values {
            if let Some(subscript) = subscript {
                next = self.evaluate(&subscript.arithmetic)?;
                if next < 0
                    && let Value::Indexed(array) = &self.variables[slot].value
                {
                    next += i64::try_from(array.end()).unwrap_or(0);
                }
            }
            self.set_index(slot, next, value, append)?;
            next = next.wrapping_add(1);
        }
        Ok(())
    }

    /// Gives an indexed array these elements.
    pub(crate) fn set_words(&mut self, slot: Slot, words: Vec<Text>) -> Flow {
        let slot = self.meant(slot);
        self.writable(slot)?;
        self.save(slot);
        self.variables[slot].value = Value::Indexed(Box::new(Indexed::of(words)));
        self.changed(slot);
        Ok(())
    }

    /// All values of a variable, in order.
    pub(crate) fn values(&mut self, slot: Slot) -> Vec<Text> {
        self.compute(slot);
        match &self.variables[slot].value {
            Value::Unset => Vec::new(),
            Value::Text(text) => vec![text.clone()],
            Value::Indexed(array) => array.iter().map(|(_, value)| value.clone()).collect(),
            Value::Associative(map) => order(map, self.profile.dialect)
                .into_iter()
                .map(|(_, value)| value.clone())
                .collect(),
        }
    }

    /// All keys of a variable, in order.
    pub(crate) fn keys(&mut self, slot: Slot) -> Vec<Text> {
        self.compute(slot);
        match &self.variables[slot].value {
            Value::Unset => Vec::new(),
            Value::Text(_) => vec![Text::from_slice(b"0")],
            Value::Indexed(array) => array
                .iter()
                .map(|(index, _)| super::texts::number(i64::try_from(index).unwrap_or(i64::MAX)))
                .collect(),
            Value::Associative(map) => {
                order(map, self.profile.dialect).into_iter().map(|(key, _)| key.clone()).collect()
            }
        }
    }
}

/// An associative array in the order in which the shell shows it.
pub(crate) fn order(map: &IndexMap<Text, Text>, dialect: Dialect) -> Vec<(&Text, &Text)> {
    let mut entries: Vec<_> = map.iter().collect();
    match dialect.profile().values.arrays.keys_in_buckets {
        None => compact::sort_by(&mut entries, Ord::cmp),
        Some(row) => {
            // A new key is the first of its bucket.
            entries.reverse();
            compact::sort_by_key(&mut entries, |(key, _)| row(key));
        }
    }
    entries
}

fn from_end(index: i64, end: u64) -> Option<u64> {
    if index >= 0 {
        return u64::try_from(index).ok();
    }
    end.checked_sub(index.unsigned_abs())
}
