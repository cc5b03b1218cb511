//! The parser of find's `-printf`.

use super::field::{Field, LETTERS, Moment, Source};
use super::{FormatError, Pad, Piece, time_style};
use crate::quote::escape_letter;

/// How find writes a whole time; its fractions have a digit more than there are nanoseconds.
const TIME: &[u8] = b"%a %b %e %H:%M:%S.%N0 %Y";

pub(super) fn parse(template: &[u8]) -> Result<Vec<Piece>, FormatError> {
    let (mut pieces, mut text, mut rest) = (Vec::new(), Vec::new(), template);
    while let [first, behind @ ..] = rest {
        rest = match (first, behind) {
            (b'%', [b'%', behind @ ..]) => {
                text.push(b'%');
                behind
            }
            (b'%', _) => {
                if !text.is_empty() {
                    pieces.push(Piece::Text(std::mem::take(&mut text).into()));
                }
                let (field, pad, behind) = directive(behind)?;
                pieces.push(Piece::Field { field, pad });
                behind
            }
            (b'\\', _) => escape(behind, &mut text),
            _ => {
                text.push(*first);
                behind
            }
        };
    }
    if !text.is_empty() {
        pieces.push(Piece::Text(text.into()));
    }
    Ok(pieces)
}

/// What stands behind a percent sign: flags, width, precision, letter. Returns what is behind it.
fn directive(mut rest: &[u8]) -> Result<(Field, Pad, &[u8]), FormatError> {
    let mut pad = Pad::default();
    while let [flag @ (b'-' | b'0'), behind @ ..] = rest {
        (pad.left, pad.zeros) = (pad.left || *flag == b'-', pad.zeros || *flag == b'0');
        rest = behind;
    }
    (pad.width, rest) = number(rest);
    if let [b'.', behind @ ..] = rest {
        let (most, behind) = number(behind);
        (pad.most, rest) = (Some(most), behind);
    }
    let field = match rest {
        [b'a' | b'c' | b't', behind @ ..] => Some((time(rest[0], TIME), behind)),
        [b'A' | b'B' | b'C' | b'T', of, behind @ ..] if of.is_ascii_graphic() => {
            Some((time(rest[0], &time_format(*of)), behind))
        }
        [letter, behind @ ..] => LETTERS
            .into_iter()
            .find(|(known, _)| known == letter)
            .map(|(_, source)| (Field { source, time: None }, behind)),
        [] => None,
    };
    // For C's printf, all others are texts, and zeros are for numbers.
    pad.zeros &= matches!(rest, [b'd' | b'm', ..]);
    field.map(|(field, behind)| (field, pad, behind)).ok_or_else(|| {
        let letters: String = LETTERS.iter().map(|(letter, _)| char::from(*letter)).collect();
        let found = rest.first().map_or(String::new(), |&byte| char::from(byte).to_string());
        let reason = format!(
            "%{found} is no field; the letters are {letters}, a c t, and A B C T with one behind"
        );
        FormatError { reason }
    })
}

fn time(letter: u8, format: &[u8]) -> Field {
    let moment = match letter {
        b'a' | b'A' => Moment::Accessed,
        b'c' | b'C' => Moment::Changed,
        b'B' => Moment::Created,
        _ => Moment::Modified,
    };
    Field { source: Source::Time(moment), time: time_style(format) }
}

/// The format of date(1) for the letter behind `%T`.
fn time_format(letter: u8) -> Vec<u8> {
    match letter {
        b'@' => b"%s.%N0".into(),
        b'S' => b"%S.%N0".into(),
        b'T' | b'X' => b"%H:%M:%S.%N0".into(),
        b'+' => b"%Y-%m-%d+%H:%M:%S.%N0".into(),
        b'c' => TIME.into(),
        other => vec![b'%', other],
    }
}

/// The number at the beginning, 0 if there is none; as wide as any name may be.
fn number(rest: &[u8]) -> (usize, &[u8]) {
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, behind) = rest.split_at(digits);
    let add = |sum: usize, digit: &u8| (sum * 10 + usize::from(digit - b'0')).min(1 << 16);
    (digits.iter().fold(0, add), behind)
}

/// Appends what an escape stands for; returns what is behind it. An unknown one is kept as it is.
fn escape<'t>(rest: &'t [u8], text: &mut Vec<u8>) -> &'t [u8] {
    let octal = rest.iter().take(3).take_while(|byte| (b'0'..=b'7').contains(byte)).count();
    if octal > 0 {
        let value =
            rest[..octal].iter().fold(0_u32, |sum, digit| sum * 8 + u32::from(digit - b'0'));
        text.push(value as u8);
        return &rest[octal..];
    }
    let Some((letter, behind)) = rest.split_first() else {
        text.push(b'\\');
        return rest;
    };
    match (0..32).find(|byte| escape_letter(*byte) == Some(*letter)) {
        Some(byte) => text.push(byte),
        None if *letter == b'\\' => text.push(b'\\'),
        None => text.extend([b'\\', *letter]),
    }
    behind
}
