//! `${a@Q}` and its like.

use super::arrays::order;
use super::listing::{attributes_of, element_list};
use super::value::Value;
use super::{Flow, Shell};
use crate::Text;
use crate::arithmetic::Slot;
use crate::formats::escapes;
use crate::formats::quote::{self, For};
use crate::pattern::cases::Case;
use crate::program::{Name, Parameter};

impl Shell {
    /// One value.
    pub(super) fn transform_by_letter(
        &mut self,
        parameter: &Parameter,
        letter: u8,
        value: &[u8],
    ) -> Flow<Text> {
        Ok(match letter {
            b'U' => self.change_case(value, Case::Upper, true, None),
            b'u' => self.change_case(value, Case::Upper, false, None),
            b'L' => self.change_case(value, Case::Lower, true, None),
            b'Q' | b'K' | b'k' => self.quoted(value),
            b'E' => {
                Text::from_vec(escapes::dollar(value, self.profile.dialect, self.expansion.utf8))
            }
            b'P' => {
                let prompt = self.prompt_escapes(value);
                Text::from_vec(self.expand_prompt(&prompt))
            }
            b'a' => self.attribute_letters(parameter),
            b'A' => self.assignment_of(parameter, Some(value)),
            _ => Text::from_slice(value),
        })
    }

    /// One that has no value: its attributes may still be told.
    pub(super) fn transform_unset(&mut self, parameter: &Parameter, letter: u8) -> Text {
        match letter {
            b'a' => self.attribute_letters(parameter),
            b'A' => self.assignment_of(parameter, None),
            _ => Text::new(),
        }
    }

    fn quoted(&self, value: &[u8]) -> Text {
        let mut out = Vec::new();
        quote::quote(value, For::Transform, self.profile.dialect, self.expansion.utf8, &mut out);
        Text::from_vec(out)
    }

    fn variable_of(&mut self, parameter: &Parameter) -> Option<Slot> {
        match parameter.name {
            Name::Variable(slot) => Some(self.meant(slot)),
            _ => None,
        }
    }

    fn attribute_letters(&mut self, parameter: &Parameter) -> Text {
        let slot = self.variable_of(parameter);
        slot.map_or_else(Text::new, |slot| Text::from_vec(attributes_of(self, slot)))
    }

    /// The command that would make the variable again.
    fn assignment_of(&mut self, parameter: &Parameter, value: Option<&[u8]>) -> Text {
        let Some(slot) = self.variable_of(parameter) else { return Text::new() };
        let mut out = self.declaration_start(slot);
        if value.is_none() && out.is_empty() {
            return Text::new();
        }
        out.extend_from_slice(&self.names.name(slot));
        if let Some(value) = value {
            out.push(b'=');
            quote::quote(
                value,
                For::Transform,
                self.profile.dialect,
                self.expansion.utf8,
                &mut out,
            );
        }
        Text::from_vec(out)
    }

    /// `declare -x `, if it has attributes.
    fn declaration_start(&self, slot: Slot) -> Vec<u8> {
        let letters = attributes_of(self, slot);
        if letters.is_empty() { letters } else { [b"declare -", &*letters, b" "].concat() }
    }

    /// All of an array, or of the positional parameters.
    pub(super) fn transform_whole_array(
        &mut self,
        parameter: &Parameter,
        letter: u8,
        values: &[Text],
    ) -> Flow<Vec<Text>> {
        let Some(slot) = self.variable_of(parameter) else {
            return Ok(self.transform_positional(letter, values));
        };
        let is_array =
            matches!(self.variables[slot].value, Value::Indexed(_) | Value::Associative(_));
        if !is_array {
            return match values.first() {
                Some(value) => Ok(vec![self.transform_by_letter(parameter, letter, value)?]),
                None if letter == b'A' => Ok(self.words_of_declaration(slot, false)),
                None => Ok(Vec::new()),
            };
        }
        Ok(match letter {
            b'a' => vec![self.attribute_letters(parameter); values.len()],
            b'A' => self.words_of_declaration(slot, true),
            b'K' => vec![self.keys_and_values(slot)],
            _ => self
                .keys(slot)
                .into_iter()
                .zip(values.to_vec())
                .flat_map(<[Text; 2]>::from)
                .collect(),
        })
    }

    fn transform_positional(&mut self, letter: u8, values: &[Text]) -> Vec<Text> {
        match letter {
            b'a' => vec![Text::new(); values.len()],
            b'A' => {
                let words = [b"set".as_slice(), b"--"].map(Text::from_slice);
                words.into_iter().chain(values.iter().map(|value| self.quoted(value))).collect()
            }
            _ => values.iter().map(|value| self.quoted(value)).collect(),
        }
    }

    fn words_of_declaration(&mut self, slot: Slot, has_value: bool) -> Vec<Text> {
        let letters = attributes_of(self, slot);
        if letters.is_empty() {
            return Vec::new();
        }
        let mut last = self.names.name(slot).to_vec();
        if has_value {
            last.push(b'=');
            element_list(self, slot, For::Declare, &mut last);
        }
        let letters = [b"-", &*letters].concat();
        vec![Text::from_slice(b"declare"), Text::from_vec(letters), Text::from_vec(last)]
    }

    /// `0 "a" 1 "b"`
    fn keys_and_values(&self, slot: Slot) -> Text {
        let mut out = Vec::new();
        let quote = |text: &[u8], out: &mut Vec<u8>| {
            quote::quote(text, For::Declare, self.profile.dialect, self.expansion.utf8, out);
        };
        match &self.variables[slot].value {
            Value::Indexed(array) => {
                for (index, text) in array.iter() {
                    out.extend_from_slice(format!("{index} ").as_bytes());
                    quote(text, &mut out);
                    out.push(b' ');
                }
                out.pop();
            }
            Value::Associative(map) => {
                for (key, text) in order(map, self.profile.dialect) {
                    quote::key(key, self.expansion.utf8, &mut out);
                    out.push(b' ');
                    quote(text, &mut out);
                    out.push(b' ');
                }
            }
            _ => {}
        }
        Text::from_vec(out)
    }
}
