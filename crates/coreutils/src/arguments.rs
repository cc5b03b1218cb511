//! Splits arguments into options and operands, as `getopt_long` does.

use smallvec::SmallVec;

use crate::Io;

/// The options of a tool that are supported.
pub(super) struct KnownOptions {
    /// Letters, each followed by a colon if it takes a value.
    pub(super) short: &'static [u8],
    /// Long names, each with the letter that it stands for, and a colon if it takes a value:
    /// `quiet=q`, `mode=m:`.
    pub(super) long: &'static [&'static str],
    /// Whether options may follow operands.
    pub(super) anywhere: bool,
}

/// The arguments that are no options.
pub(super) type Operands<'a> = SmallVec<[&'a [u8]; 4]>;

/// Reads one option after the other, and collects the operands.
pub(super) struct Arguments<'a> {
    known: &'a KnownOptions,
    rest: &'a [&'a [u8]],
    /// The letters behind one dash that are not read yet.
    letters: &'a [u8],
    operands: Operands<'a>,
    /// Whether an option followed an operand.
    permuted: bool,
}

impl<'a> Arguments<'a> {
    pub(super) fn new(known: &'a KnownOptions, arguments: &'a [&'a [u8]]) -> Arguments<'a> {
        let operands = Operands::new();
        Arguments { known, rest: arguments, letters: b"", operands, permuted: false }
    }

    /// The letter of the next option and its value (empty if it takes none). Inside, `None` after
    /// the last option; outside, `None` for an unknown option, or one without its value.
    #[expect(clippy::option_option, reason = "the outer one is for the question mark")]
    pub(super) fn next(&mut self) -> Option<Option<(u8, &'a [u8])>> {
        if let Some((&letter, behind)) = self.letters.split_first() {
            return self.letter(letter, behind).map(Some);
        }
        while let Some((first, rest)) = self.rest.split_first() {
            let first: &'a [u8] = first;
            match first {
                b"--" => {
                    self.operands.extend_from_slice(rest);
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
                    self.operands.extend_from_slice(self.rest);
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
        let known = |row: &&'static str| row.as_bytes().strip_prefix(name)?.strip_prefix(b"=");
        match (self.known.long.iter().find_map(known)?, cut) {
            ([letter, b':'], Some(cut)) => Some((*letter, &long[cut + 1..])),
            ([letter, b':'], None) => Some((*letter, self.value()?)),
            ([letter], None) => Some((*letter, b"")),
            _ => None,
        }
    }

    fn value(&mut self) -> Option<&'a [u8]> {
        let (value, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(value)
    }

    /// The operands, when all options are read. `None` if POSIXLY_CORRECT makes operands of options
    /// that follow operands.
    pub(super) fn operands(self, io: &Io<'_>) -> Option<Operands<'a>> {
        (!(self.permuted && io.is_posixly_correct())).then_some(self.operands)
    }
}

/// A number in decimal digits; `None` for anything else, or if it is too large.
pub(super) fn decimal(text: &[u8]) -> Option<u64> {
    if text.is_empty() {
        return None;
    }
    text.iter().try_fold(0_u64, |number, &byte| {
        let digit = byte.is_ascii_digit().then(|| u64::from(byte - b'0'))?;
        number.checked_mul(10)?.checked_add(digit)
    })
}
