//! The text with its placeholders, and the tokens in it.

use super::error::Position;
use super::{Operator, OwnedPart, Part};
use crate::dialect::Arithmetic;
use std::borrow::Cow;

/// What stands for a placeholder in the text: a byte that no shell's text can have.
pub(super) const PLACEHOLDER: u8 = 0;

/// A text with placeholders.
pub(super) struct Source<'a> {
    pub(super) text: Cow<'a, [u8]>,
    /// Where the placeholders are, in order, and their numbers.
    pub(super) placeholders: Vec<(usize, u32)>,
}

impl<'a> Source<'a> {
    pub(super) fn new(parts: &[Part<'a>]) -> Source<'a> {
        if let [Part::Text(text)] = parts {
            return Source { text: Cow::Borrowed(text), placeholders: Vec::new() };
        }
        let (mut text, mut placeholders) = (Vec::new(), Vec::new());
        for part in parts {
            match part {
                Part::Text(more) => text.extend_from_slice(more),
                Part::Placeholder(number) => {
                    placeholders.push((text.len(), *number));
                    text.push(PLACEHOLDER);
                }
            }
        }
        Source { text: Cow::Owned(text), placeholders }
    }

    /// A piece of it, as a text of its own.
    pub(super) fn piece(&self, from: usize, to: usize) -> Source<'_> {
        let inside =
            self.placeholders.iter().filter(|placeholder| (from..to).contains(&placeholder.0));
        Source {
            text: Cow::Borrowed(&self.text[from..to]),
            placeholders: inside.map(|(at, number)| (at - from, *number)).collect(),
        }
    }

    /// Text and placeholders one after the other.
    pub(super) fn owned_parts(&self) -> Box<[OwnedPart]> {
        let (mut parts, mut from) = (Vec::new(), 0);
        for &(at, number) in &self.placeholders {
            if at > from {
                parts.push(OwnedPart::Text(self.text[from..at].into()));
            }
            parts.push(OwnedPart::Placeholder(number));
            from = at + 1;
        }
        if from < self.text.len() || parts.is_empty() {
            parts.push(OwnedPart::Text(self.text[from..].into()));
        }
        parts.into()
    }

    /// The number of the placeholder at an offset, if there is one.
    pub(super) fn hole_at(&self, at: usize) -> Option<u32> {
        let found =
            self.placeholders.binary_search_by_key(&at, |placeholder| placeholder.0).ok()?;
        Some(self.placeholders[found].1)
    }

    pub(super) fn position(&self, at: usize) -> Position {
        let placeholders = self.placeholders.partition_point(|placeholder| placeholder.0 < at);
        Position { offset: at as u32, placeholders: placeholders as u32 }
    }
}

/// Whether a byte can be in a name or a number: a placeholder beside one may be a part of it.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'_' | b'#' | b'@' | b'.' | PLACEHOLDER)
        || byte >= 0x80
}

pub(super) fn starts_name(byte: u8, rules: &Arithmetic) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || (byte == b'.' && rules.points_in_names)
}

/// How long the name at the start of a text is.
pub(super) fn name_length(text: &[u8], rules: &Arithmetic) -> usize {
    let part =
        |b: u8| b.is_ascii_alphanumeric() || b == b'_' || (b == b'.' && rules.points_in_names);
    text.iter().position(|&b| !part(b)).unwrap_or(text.len())
}

/// A binary operator at the start of a text: which, how tightly it binds, its length.
/// `None` if there is none, or if it is an assignment.
pub(super) fn binary_operator(text: &[u8], rules: &Arithmetic) -> Option<(Infix, u8, usize)> {
    use Infix::Plain;
    let second = text.get(1).copied().unwrap_or(0);
    let third = text.get(2).copied().unwrap_or(0);
    let found = match (*text.first()?, second) {
        (b'|', b'|') => (Infix::Or, 1, 2),
        (b'&', b'&') => (Infix::And, 2, 2),
        (b'=', b'=') => (Plain(Operator::Equal), 6, 2),
        (b'!', b'=') => (Plain(Operator::NotEqual), 6, 2),
        (b'<', b'<') if third != b'=' => (Plain(Operator::ShiftLeft), 8, 2),
        (b'>', b'>') if third != b'=' => (Plain(Operator::ShiftRight), 8, 2),
        (b'<', b'<') | (b'>', b'>') => return None,
        (b'<', b'=') => (Plain(Operator::LessEqual), 7, 2),
        (b'>', b'=') => (Plain(Operator::GreaterEqual), 7, 2),
        (b'<', _) => (Plain(Operator::Less), 7, 1),
        (b'>', _) => (Plain(Operator::Greater), 7, 1),
        (b'*', b'*') if rules.power => (Plain(Operator::Power), 11, 2),
        (_, b'=') => return None,
        (b'|', _) => (Plain(Operator::BitOr), 3, 1),
        (b'^', _) => (Plain(Operator::BitXor), 4, 1),
        (b'&', _) => (Plain(Operator::BitAnd), 5, 1),
        (b'+', _) => (Plain(Operator::Add), 9, 1),
        (b'-', _) => (Plain(Operator::Subtract), 9, 1),
        (b'*', _) => (Plain(Operator::Multiply), 10, 1),
        (b'/', _) => (Plain(Operator::Divide), 10, 1),
        (b'%', _) => (Plain(Operator::Remainder), 10, 1),
        _ => return None,
    };
    Some(found)
}

/// What stands between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Infix {
    Plain(Operator),
    And,
    Or,
}

/// An assignment operator at the start of a text: with which operator (`None`: `=`), and its
/// length.
pub(super) fn assignment_operator(text: &[u8]) -> Option<(Option<Operator>, usize)> {
    let found = match text {
        [b'=', b'=', ..] => return None,
        [b'=', ..] => (None, 1),
        [b'+', b'=', ..] => (Some(Operator::Add), 2),
        [b'-', b'=', ..] => (Some(Operator::Subtract), 2),
        [b'*', b'=', ..] => (Some(Operator::Multiply), 2),
        [b'/', b'=', ..] => (Some(Operator::Divide), 2),
        [b'%', b'=', ..] => (Some(Operator::Remainder), 2),
        [b'&', b'=', ..] => (Some(Operator::BitAnd), 2),
        [b'^', b'=', ..] => (Some(Operator::BitXor), 2),
        [b'|', b'=', ..] => (Some(Operator::BitOr), 2),
        [b'<', b'<', b'=', ..] => (Some(Operator::ShiftLeft), 3),
        [b'>', b'>', b'=', ..] => (Some(Operator::ShiftRight), 3),
        _ => return None,
    };
    Some(found)
}

/// Where the `]` is that belongs to the `[` at the start of a text.
pub(super) fn closing_bracket(text: &[u8]) -> Option<usize> {
    let (mut depth, mut at, mut quote) = (0usize, 0, 0u8);
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' => at += 1,
            _ if byte == quote => quote = 0,
            _ if quote != 0 => {}
            b'\'' | b'"' => quote = byte,
            b'[' => depth += 1,
            b']' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}
