//! Splitting by IFS.

use crate::dialect::JoinedWords;
use crate::{Dialect, Text};

/// What a byte is to the splitting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// Nothing special.
    Plain,
    /// White space of IFS: any number of it is one delimiter, with one other beside it.
    White,
    /// Any other delimiter: each one ends a field.
    Other,
    /// Perhaps the first byte of a delimiter of several bytes.
    Wide,
}

/// The value of IFS, ready to split by.
#[derive(Clone, Debug)]
pub struct Ifs {
    classes: [Class; 256],
    wide: Vec<Text>,
    first: Text,
    /// Whether what two expansions give is split as if it were one text.
    pub(crate) joins: bool,
    /// Whether the text between two words of an unquoted `$@` or `$*` is like white space of IFS,
    /// and one other delimiter beside it belongs to it.
    pub(crate) words_are_joined: bool,
    /// Whether white space behind a backslash stays at the end of what is read.
    keeps_escaped: bool,
}

impl Ifs {
    /// From the variable's value, `None` if it is unset. Its characters are UTF-8's if `utf8`,
    /// unless the shell knows bytes only. Makes no calls.
    pub fn new(value: Option<&[u8]>, utf8: bool, dialect: Dialect) -> Ifs {
        let profile = dialect.profile();
        let rules = &profile.formats.splitting;
        let value = value.unwrap_or(b" \t\n");
        let mut ifs = Ifs {
            classes: [Class::Plain; 256],
            wide: Vec::new(),
            first: Text::new(),
            joins: rules.joins_expansions,
            words_are_joined: false,
            keeps_escaped: rules.keeps_escaped,
        };
        let mut at = 0;
        let mut before = None;
        while at < value.len() {
            let length = match utf8 && profile.multibyte {
                true => character_length(&value[at..]),
                false => 1,
            };
            let character = &value[at..at + length];
            ifs.add(character, rules.doubled_white_counts && before == Some(character));
            if at == 0 {
                ifs.first = Text::from_slice(character);
            }
            before = Some(character);
            at += length;
        }
        ifs.words_are_joined = match rules.words_are_joined {
            JoinedWords::Never => false,
            JoinedWords::IfIfsBeginsWithWhite => ifs.begins_with_white_space(),
            JoinedWords::Always => true,
        };
        ifs
    }

    fn add(&mut self, character: &[u8], doubled: bool) {
        match *character {
            [byte @ (b' ' | b'\t' | b'\n')] if !doubled => {
                self.classes[usize::from(byte)] = Class::White;
            }
            [byte] => self.classes[usize::from(byte)] = Class::Other,
            [byte, ..] => {
                if self.classes[usize::from(byte)] == Class::Plain {
                    self.classes[usize::from(byte)] = Class::Wide;
                }
                self.wide.push(Text::from_slice(character));
            }
            [] => {}
        }
    }

    fn begins_with_white_space(&self) -> bool {
        self.first.first().is_some_and(|&byte| self.classes[usize::from(byte)] == Class::White)
    }

    /// The first character: what stands between the words of `"$*"`. Empty if IFS is.
    pub fn first(&self) -> &[u8] {
        &self.first
    }

    /// How many bytes at the start are no delimiter for sure.
    pub(crate) fn plain_length(&self, text: &[u8]) -> usize {
        text.iter()
            .position(|&byte| self.classes[usize::from(byte)] != Class::Plain)
            .unwrap_or(text.len())
    }

    /// What is at the start of a text that is not empty, and how long it is.
    pub(crate) fn class(&self, text: &[u8]) -> (Class, usize) {
        match self.classes[usize::from(text[0])] {
            Class::Wide => match self.wide.iter().find(|wide| text.starts_with(wide)) {
                Some(wide) => (Class::Other, wide.len()),
                None => (Class::Plain, 1),
            },
            class => (class, 1),
        }
    }
}

/// The length of the UTF-8 character at the start, 1 if there is none.
fn character_length(text: &[u8]) -> usize {
    let most = text.len().min(4);
    (1..=most).find(|&length| std::str::from_utf8(&text[..length]).is_ok()).unwrap_or(1)
}

/// Whether `read` without `-r` has to read on: the text ends with a backslash that counts. Append
/// what was read as the delimiter after it (a newline vanishes with its backslash), then the next
/// line.
pub fn reads_on(text: &[u8]) -> bool {
    text.iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1
}

/// How `read` takes a text apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Into {
    /// So many variables; the last one gets the rest.
    Names(usize),
    /// An array: as many as there are.
    Array,
    /// bash's REPLY: all of it as it is.
    Whole,
}

/// The fields of what `read` has read, without its delimiter. `raw`: backslashes stand for
/// themselves. With [`Into::Names`] there are exactly so many, empty ones at the end.
pub fn read(text: &[u8], raw: bool, ifs: &Ifs, into: Into, out: &mut Vec<Text>) {
    let mut line = Line { rest: text, raw, ifs };
    let first = out.len();
    match into {
        Into::Whole => out.push(line.whole().0),
        Into::Array => {
            line.skip_white();
            while !line.rest.is_empty() {
                out.push(line.field());
            }
        }
        Into::Names(count) => {
            line.skip_white();
            for _ in 1..count {
                let field = match line.rest.is_empty() {
                    true => Text::new(),
                    false => line.field(),
                };
                out.push(field);
            }
            out.push(line.last());
            out.truncate(first + count);
        }
    }
}

/// What is left of a line.
struct Line<'a> {
    rest: &'a [u8],
    raw: bool,
    ifs: &'a Ifs,
}

impl Line<'_> {
    fn skip_white(&mut self) {
        while !self.rest.is_empty() && self.ifs.class(self.rest).0 == Class::White {
            self.rest = &self.rest[1..];
        }
    }

    /// One field, and the delimiter behind it.
    fn field(&mut self) -> Text {
        let mut field = Text::new();
        while !self.rest.is_empty() {
            if self.escaped(&mut field) {
                continue;
            }
            let (class, length) = self.ifs.class(self.rest);
            if matches!(class, Class::White | Class::Other) {
                break;
            }
            // A run of plain bytes at once, up to the next backslash.
            let run = self.ifs.plain_length(self.rest).max(length);
            let run = match self.raw {
                true => run,
                false => memchr::memchr(b'\\', &self.rest[..run]).unwrap_or(run),
            };
            field.extend_from_slice(&self.rest[..run]);
            self.rest = &self.rest[run..];
        }
        self.skip_white();
        if !self.rest.is_empty() {
            let (class, length) = self.ifs.class(self.rest);
            if class == Class::Other {
                self.rest = &self.rest[length..];
                self.skip_white();
            }
        }
        field
    }

    /// A backslash and what it makes of the byte after it.
    fn escaped(&mut self, field: &mut Text) -> bool {
        if self.raw || self.rest[0] != b'\\' {
            return false;
        }
        match self.rest.get(1) {
            None | Some(b'\n') => {}
            Some(&byte) => field.push(byte),
        }
        self.rest = &self.rest[self.rest.len().min(2)..];
        true
    }

    /// The last name's: one field if nothing but its delimiter follows, else all of it, without
    /// white space at the end.
    fn last(&mut self) -> Text {
        let all = self.rest;
        let one = self.field();
        if self.rest.is_empty() {
            return one;
        }
        self.rest = all;
        let (mut text, escaped) = self.whole();
        let keep = if self.ifs.keeps_escaped { escaped } else { 0 };
        while let Some(byte) = text.last().filter(|_| text.len() > keep) {
            if self.ifs.classes[usize::from(*byte)] != Class::White {
                break;
            }
            text.pop();
        }
        text
    }

    /// All of it, and where in it the last byte ends that was behind a backslash.
    fn whole(&mut self) -> (Text, usize) {
        let mut text = Text::new();
        let mut escaped = 0;
        while !self.rest.is_empty() {
            if self.escaped(&mut text) {
                escaped = text.len();
            } else {
                let run = match self.raw {
                    true => self.rest.len(),
                    false => memchr::memchr(b'\\', self.rest).unwrap_or(self.rest.len()),
                };
                text.extend_from_slice(&self.rest[..run]);
                self.rest = &self.rest[run..];
            }
        }
        (text, escaped)
    }
}

#[cfg(test)]
mod tests;
