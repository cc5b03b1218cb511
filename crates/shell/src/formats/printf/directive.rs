//! `%-5.3d`: what a directive says, and the padding that follows from it.

use crate::dialect::Printf;

/// A directive.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Directive<'a> {
    pub(super) letter: u8,
    pub(super) left: bool,
    pub(super) plus: bool,
    pub(super) space: bool,
    pub(super) zero: bool,
    pub(super) alternate: bool,
    pub(super) width: usize,
    pub(super) precision: Option<usize>,
    /// What is between the parentheses of `%(…)T`.
    pub(super) time: &'a [u8],
    /// How many bytes it is behind the `%`.
    pub(super) length: usize,
}

/// What is wrong with one.
#[derive(Clone, Copy, Debug)]
pub(super) enum Flaw {
    /// It ends before its letter; its length.
    Missing(usize),
    /// The byte that ends this many is none of its.
    Invalid(usize),
    /// Wider, or more precise, than [`MOST`].
    Large,
    /// `%(` without `)T`: where the byte is that should have been `T`.
    Time(usize),
}

/// Wider than anything that is meant: 16 MiB. Beyond it, nothing is written.
pub(super) const MOST: usize = 1 << 24;

impl<'a> Directive<'a> {
    /// Reads what stands behind a `%`; also whether width and precision are `*`.
    pub(super) fn read(
        text: &'a [u8],
        rules: &Printf,
    ) -> Result<(Directive<'a>, (bool, bool)), Flaw> {
        let mut directive = Directive::default();
        let mut at = directive.flags(text, rules);
        let width = text.get(at) == Some(&b'*');
        let mut precision = false;
        if width {
            at += 1;
        } else {
            directive.width = number(text, &mut at);
        }
        if text.get(at) == Some(&b'.') {
            at += 1;
            precision = text.get(at) == Some(&b'*');
            if precision {
                at += 1;
            } else {
                let negative = text.get(at) == Some(&b'-') && rules.negative_precision;
                at += usize::from(negative);
                let value = number(text, &mut at);
                directive.precision = (!negative).then_some(value);
            }
        }
        if rules.modifiers {
            while text.get(at).is_some_and(|byte| b"hjlLtz".contains(byte)) {
                at += 1;
            }
        }
        if text.get(at) == Some(&b'(') && rules.letters.contains(&b'T') {
            let end = closing(text, at).ok_or(Flaw::Time(text.len()))?;
            directive.time = &text[at + 1..end];
            at = end + 1;
            if text.get(at) != Some(&b'T') {
                return Err(Flaw::Time(at));
            }
        } else if text.get(at) == Some(&b'T') {
            return Err(Flaw::Invalid(at + 1));
        }
        let Some(&letter) = text.get(at) else {
            return Err(Flaw::Missing(at));
        };
        directive.letter = letter;
        directive.length = at + 1;
        let known = match letter {
            b'd' | b'i' | b'o' | b'u' | b'x' | b'X' | b's' | b'c' | b'b' => true,
            b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => true,
            other => rules.letters.contains(&other),
        };
        if !known {
            return Err(Flaw::Invalid(at + 1));
        }
        if directive.is_large() {
            return Err(Flaw::Large);
        }
        Ok((directive, (width, precision)))
    }

    pub(super) fn is_large(&self) -> bool {
        self.width > MOST || self.precision.is_some_and(|precision| precision > MOST)
    }

    fn flags(&mut self, text: &[u8], rules: &Printf) -> usize {
        let mut at = 0;
        while let Some(byte) = text.get(at) {
            match byte {
                b'-' => self.left = true,
                b'+' => self.plus = true,
                b' ' => self.space = true,
                b'0' => self.zero = true,
                b'#' => self.alternate = true,
                b'\'' if rules.modifiers => {}
                _ => break,
            }
            at += 1;
        }
        at
    }

    pub(super) fn set_width(&mut self, width: i64) {
        self.left |= width < 0;
        self.width = width.unsigned_abs() as usize;
    }

    pub(super) fn set_precision(&mut self, precision: i64) {
        self.precision = usize::try_from(precision).ok();
    }

    /// Text, as much of it as the precision says, in the width.
    pub(super) fn text(&self, text: &[u8], out: &mut Vec<u8>) {
        let most = self.precision.unwrap_or(text.len()).min(text.len());
        self.padded(&text[..most], out);
    }

    pub(super) fn padded(&self, text: &[u8], out: &mut Vec<u8>) {
        let spaces = self.width.saturating_sub(text.len());
        if !self.left {
            out.resize(out.len() + spaces, b' ');
        }
        out.extend_from_slice(text);
        if self.left {
            out.resize(out.len() + spaces, b' ');
        }
    }

    /// Sign or prefix, then digits, in the width; with zeros between if they may be.
    pub(super) fn number(&self, prefix: &[u8], digits: &[u8], zeros: bool, out: &mut Vec<u8>) {
        let pad = self.width.saturating_sub(prefix.len() + digits.len());
        let zeros = zeros && self.zero && !self.left;
        if !zeros && !self.left {
            out.resize(out.len() + pad, b' ');
        }
        out.extend_from_slice(prefix);
        if zeros {
            out.resize(out.len() + pad, b'0');
        }
        out.extend_from_slice(digits);
        if self.left {
            out.resize(out.len() + pad, b' ');
        }
    }

    pub(super) fn sign(&self, negative: bool) -> &'static [u8] {
        match (negative, self.plus, self.space) {
            (true, _, _) => b"-",
            (false, true, _) => b"+",
            (false, false, true) => b" ",
            (false, false, false) => b"",
        }
    }

    pub(super) fn integer(&self, negative: bool, value: u64, out: &mut Vec<u8>) {
        let mut digits = match self.letter {
            b'o' => format!("{value:o}"),
            b'x' => format!("{value:x}"),
            b'X' => format!("{value:X}"),
            _ => value.to_string(),
        }
        .into_bytes();
        if value == 0 && self.precision == Some(0) {
            digits.clear();
        }
        let least = self.precision.unwrap_or(0);
        if digits.len() < least {
            digits.splice(0..0, std::iter::repeat_n(b'0', least - digits.len()));
        }
        let prefix: &[u8] = match self.letter {
            b'd' | b'i' => self.sign(negative),
            b'x' if self.alternate && value != 0 => b"0x",
            b'X' if self.alternate && value != 0 => b"0X",
            _ => b"",
        };
        if self.letter == b'o' && self.alternate && digits.first() != Some(&b'0') {
            digits.insert(0, b'0');
        }
        self.number(prefix, &digits, self.precision.is_none(), out);
    }
}

/// The decimal number there, 0 if there is none.
fn number(text: &[u8], at: &mut usize) -> usize {
    let mut value = 0usize;
    while let Some(digit) = text.get(*at).filter(|byte| byte.is_ascii_digit()) {
        value = value.saturating_mul(10).saturating_add(usize::from(digit - b'0')).min(MOST + 1);
        *at += 1;
    }
    value
}

/// Where the `)` is that belongs to the `(` there.
fn closing(text: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0;
    for (at, byte) in text.iter().enumerate().skip(open) {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}
