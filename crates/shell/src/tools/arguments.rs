//! Options and operands, told apart as `getopt_long` does.

use smallvec::SmallVec;

use super::Lent;
use crate::Text;

/// The options that a tool does here.
pub(super) struct Known {
    /// Letters, each with a colon behind it if it takes a value.
    pub(super) short: &'static [u8],
    /// Long names, the letters that they are handed over as, and whether they take a value.
    pub(super) long: &'static [(&'static str, u8, bool)],
    /// Whether options may stand behind operands.
    pub(super) anywhere: bool,
}

/// What is not an option.
pub(super) type Operands<'a> = SmallVec<[&'a [u8]; 4]>;

/// Options, one after the other.
pub(super) struct Arguments<'a> {
    known: &'a Known,
    rest: &'a [Text],
    /// What is left of letters behind one dash.
    letters: &'a [u8],
    operands: Operands<'a>,
    /// Whether an option stood behind an operand.
    permuted: bool,
}

impl<'a> Arguments<'a> {
    pub(super) fn new(known: &'a Known, arguments: &'a [Text]) -> Arguments<'a> {
        let operands = Operands::new();
        Arguments { known, rest: arguments, letters: b"", operands, permuted: false }
    }

    /// The next option with its value (empty if it takes none); inside, `None` after the last.
    /// Outside, `None` for an option that is not known, or whose value is missing.
    #[expect(clippy::option_option, reason = "the outer one is for the question mark")]
    pub(super) fn next(&mut self) -> Option<Option<(u8, &'a [u8])>> {
        if let Some((&letter, behind)) = self.letters.split_first() {
            return self.letter(letter, behind).map(Some);
        }
        while let Some((first, rest)) = self.rest.split_first() {
            let first: &'a [u8] = first;
            match first {
                b"--" => {
                    self.operands.extend(rest.iter().map(|operand| &operand[..]));
                    self.rest = &[];
                }
                [b'-', b'-', long @ ..] => {
                    self.rest = rest;
                    self.permuted |= !self.operands.is_empty();
                    return self.long(long).map(Some);
                }
                [b'-', letter, behind @ ..] => {
                    self.rest = rest;
                    self.permuted |= !self.operands.is_empty();
                    return self.letter(*letter, behind).map(Some);
                }
                _ if self.known.anywhere => {
                    self.operands.push(first);
                    self.rest = rest;
                }
                _ => {
                    self.operands.extend(self.rest.iter().map(|operand| &operand[..]));
                    self.rest = &[];
                }
            }
        }
        Some(None)
    }

    fn letter(&mut self, letter: u8, behind: &'a [u8]) -> Option<(u8, &'a [u8])> {
        let short = self.known.short;
        let place = short.iter().position(|&known| known == letter && known != b':')?;
        if short.get(place + 1) != Some(&b':') {
            self.letters = behind;
            return Some((letter, b""));
        }
        self.letters = b"";
        if behind.is_empty() { Some((letter, self.value()?)) } else { Some((letter, behind)) }
    }

    /// Abbreviated names are left to the real tool.
    fn long(&mut self, long: &'a [u8]) -> Option<(u8, &'a [u8])> {
        let cut = memchr::memchr(b'=', long);
        let name = &long[..cut.unwrap_or(long.len())];
        let known = self.known.long.iter().find(|(known, ..)| known.as_bytes() == name);
        let &(_, letter, takes_value) = known?;
        match (takes_value, cut) {
            (true, Some(cut)) => Some((letter, &long[cut + 1..])),
            (true, None) => Some((letter, self.value()?)),
            (false, None) => Some((letter, b"")),
            (false, Some(_)) => None,
        }
    }

    fn value(&mut self) -> Option<&'a [u8]> {
        let (value, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(value)
    }

    /// What is not an option, when there are no more options. `None` if the environment wants
    /// options behind operands to be operands.
    pub(super) fn operands(self, lent: &Lent<'_>) -> Option<Operands<'a>> {
        let strict = self.permuted && (lent.environment)(b"POSIXLY_CORRECT").is_some();
        (!strict).then_some(self.operands)
    }
}

/// A whole number in decimal that fits.
pub(super) fn decimal(text: &[u8]) -> Option<u64> {
    if text.is_empty() {
        return None;
    }
    text.iter().try_fold(0_u64, |number, &byte| {
        let digit = byte.is_ascii_digit().then(|| u64::from(byte - b'0'))?;
        number.checked_mul(10)?.checked_add(digit)
    })
}
