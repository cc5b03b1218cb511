//! Escapes: `\n`, `\033`, `\u20ac`. Where they are read, and by which shell, decides which there
//! are.

use crate::Dialect;
use crate::dialect::{EscapeRules, EscapesByNumber, OctalZero};

/// Where the escapes stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EscapeContext {
    /// `$'…'`
    Dollar,
    /// The format of `printf`.
    Format,
    /// The argument of `printf %b`.
    Argument,
    /// What `echo` (`-e` in bash and ksh) and ksh's `print` are given.
    Echo,
}

/// What one escape came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// So many bytes behind the backslash are used.
    Used(usize),
    /// `\c`: nothing more is written at all.
    Stop,
    /// `\0` in bash's `$'…'`: the rest of this text is lost.
    End,
}

/// How escapes are read.
#[derive(Clone, Copy, Debug)]
pub struct Escapes {
    /// Where they stand.
    pub context: EscapeContext,
    /// Whose they are.
    pub dialect: Dialect,
    /// Whether the locale's characters are UTF-8.
    pub utf8: bool,
}

impl Escapes {
    fn rules(&self) -> &'static EscapeRules {
        &self.dialect.profile().formats.escapes
    }

    /// Appends a text with its escapes resolved. False: a `\c` ended it, and nothing more is
    /// written. `missing` gets the letters of `\x` and `\u` without digits, of which bash's
    /// `printf` complains.
    pub fn text(&self, text: &[u8], out: &mut Vec<u8>, missing: &mut Vec<u8>) -> bool {
        let mut rest = text;
        while let Some(at) = memchr::memchr(b'\\', rest) {
            out.extend_from_slice(&rest[..at]);
            rest = &rest[at + 1..];
            match self.one(rest, out, missing) {
                Step::Used(bytes) => rest = &rest[bytes..],
                Step::Stop => return false,
                Step::End => return true,
            }
        }
        out.extend_from_slice(rest);
        true
    }

    /// One escape; `rest` is what follows the backslash.
    pub fn one(&self, rest: &[u8], out: &mut Vec<u8>, missing: &mut Vec<u8>) -> Step {
        let Some(&letter) = rest.first() else {
            out.push(b'\\');
            return Step::Used(0);
        };
        let quoting = matches!(self.context, EscapeContext::Dollar | EscapeContext::Format);
        let rules = self.rules();
        let by_number = match rules.by_number {
            EscapesByNumber::Nowhere => false,
            EscapesByNumber::Quoting => quoting,
            EscapesByNumber::Anywhere => true,
        };
        let plain = match letter {
            b'a' => 7,
            b'b' => 8,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'v' => 11,
            b'\\' => b'\\',
            b'e' if rules.small_e_anywhere || quoting => 27,
            b'E' if rules.capital_e => 27,
            b'"' | b'\'' | b'?' if quoting && rules.quotes => letter,
            b'0'..=b'7' => return self.octal(rest, out),
            b'x' if by_number => return self.hexadecimal(rest, out, missing),
            b'u' | b'U' if by_number => return self.unicode(rest, out, missing),
            b'c' => return self.control(rest, out),
            b'C' if quoting && rules.capital_control => return self.control(rest, out),
            _ if quoting && rules.unknown_loses_backslash => letter,
            _ => {
                out.extend_from_slice(&[b'\\', letter]);
                return Step::Used(1);
            }
        };
        out.push(plain);
        Step::Used(1)
    }

    fn octal(&self, rest: &[u8], out: &mut Vec<u8>) -> Step {
        let leading_zero = matches!(self.context, EscapeContext::Argument | EscapeContext::Echo);
        let needs_zero = match self.rules().octal_zero {
            OctalZero::Optional => false,
            OctalZero::InEcho => self.context == EscapeContext::Echo,
            OctalZero::Needed => leading_zero,
        };
        let skipped = usize::from(leading_zero && rest[0] == b'0');
        if needs_zero && skipped == 0 {
            out.extend_from_slice(&[b'\\', rest[0]]);
            return Step::Used(1);
        }
        let (value, digits) = number(&rest[skipped..], 8, 3);
        self.byte(value as u8, skipped + digits, out)
    }

    /// A byte that is not a character of its own; NUL ends a `$'…'`.
    fn byte(&self, byte: u8, used: usize, out: &mut Vec<u8>) -> Step {
        if byte == 0 && self.context == EscapeContext::Dollar {
            return Step::End;
        }
        out.push(byte);
        Step::Used(used)
    }

    fn hexadecimal(&self, rest: &[u8], out: &mut Vec<u8>, missing: &mut Vec<u8>) -> Step {
        let rules = self.rules();
        let wide = rules.wide_hexadecimal;
        let braced = rules.braced_hexadecimal || self.context == EscapeContext::Dollar;
        if rest.get(1) == Some(&b'{') && braced {
            let (value, digits) = number(&rest[2..], 16, usize::MAX);
            let closed = usize::from(rest.get(2 + digits) == Some(&b'}'));
            if wide && digits > 2 {
                character(value, out);
                return Step::Used(2 + digits + closed);
            }
            return self.byte(value as u8, 2 + digits + closed, out);
        }
        let (value, digits) = number(&rest[1..], 16, if wide { 8 } else { 2 });
        if digits == 0 && !rules.no_digits_is_nul {
            return self.no_digits(b'x', out, missing);
        }
        if wide && digits > 2 {
            character(value, out);
            return Step::Used(1 + digits);
        }
        self.byte(value as u8, 1 + digits, out)
    }

    fn unicode(&self, rest: &[u8], out: &mut Vec<u8>, missing: &mut Vec<u8>) -> Step {
        let rules = self.rules();
        let braced = rules.braced_unicode && matches!(rest.get(1), Some(b'{' | b'['));
        let most = if rest[0] == b'u' && !braced { 4 } else { 8 };
        let start = 1 + usize::from(braced);
        let (value, digits) = number(&rest[start..], 16, most);
        if digits == 0 && !rules.no_digits_is_nul {
            return self.no_digits(rest[0], out, missing);
        }
        let closed = usize::from(braced && matches!(rest.get(start + digits), Some(b'}' | b']')));
        let used = start + digits + closed;
        if value < 0x80 {
            return self.byte(value as u8, used, out);
        }
        if self.utf8 {
            character(value, out);
        } else if value <= 0xffff {
            out.extend_from_slice(format!("\\u{value:04X}").as_bytes());
        } else {
            out.extend_from_slice(format!("\\U{value:08X}").as_bytes());
        }
        Step::Used(used)
    }

    fn no_digits(&self, letter: u8, out: &mut Vec<u8>, missing: &mut Vec<u8>) -> Step {
        if matches!(self.context, EscapeContext::Format | EscapeContext::Argument) {
            missing.push(letter);
        }
        out.extend_from_slice(&[b'\\', letter]);
        Step::Used(1)
    }

    fn control(&self, rest: &[u8], out: &mut Vec<u8>) -> Step {
        let rules = self.rules();
        match self.context {
            EscapeContext::Argument | EscapeContext::Echo => Step::Stop,
            EscapeContext::Format if !rules.control_in_formats => {
                out.extend_from_slice(b"\\c");
                Step::Used(1)
            }
            _ => match rest.get(1) {
                None => {
                    out.extend_from_slice(b"\\c");
                    Step::Used(1)
                }
                Some(b'?') => self.byte(0x7f, 2, out),
                Some(b'\\') if rest.get(2) == Some(&b'\\') => self.byte(0x1c, 3, out),
                Some(letter) if rules.control_turns_bit => {
                    self.byte(letter.to_ascii_uppercase() ^ 0x40, 2, out)
                }
                Some(letter) => self.byte(letter.to_ascii_uppercase() & 0x1f, 2, out),
            },
        }
    }
}

/// What `$'…'` stands for; `text` is what is between the quotes.
pub fn dollar(text: &[u8], dialect: Dialect, utf8: bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let escapes = Escapes { context: EscapeContext::Dollar, dialect, utf8 };
    escapes.text(text, &mut out, &mut Vec::new());
    out
}

/// The digits at the start, so many at most: their value and how many they are.
fn number(text: &[u8], base: u32, most: usize) -> (u32, usize) {
    let mut value = 0u32;
    let mut digits = 0;
    while digits < most.min(text.len()) {
        let Some(digit) = char::from(text[digits]).to_digit(base) else {
            break;
        };
        value = value.wrapping_mul(base).wrapping_add(digit);
        digits += 1;
    }
    (value, digits)
}

/// A number as UTF-8, also beyond what characters there are, as the shells do it.
fn character(value: u32, out: &mut Vec<u8>) {
    let (first, more) = match value {
        0..=0x7f => return out.push(value as u8),
        0x80..=0x7ff => (0xc0, 1),
        0x800..=0xffff => (0xe0, 2),
        0x1_0000..=0x1f_ffff => (0xf0, 3),
        0x20_0000..=0x3ff_ffff => (0xf8, 4),
        0x400_0000..=0x7fff_ffff => (0xfc, 5),
        _ => return,
    };
    out.push(first | (value >> (6 * more)) as u8);
    for context in (0..more).rev() {
        out.push(0x80 | ((value >> (6 * context)) & 0x3f) as u8);
    }
}
