//! The parser of templates with braces.

use super::field::{Field, NAMES, Source};
use super::{FormatError, Pad, Piece, time_style};
use crate::escape::escaped;
use crate::path::PathPart;

/// How a time is written unless the template says otherwise.
const TIME: &[u8] = b"%Y-%m-%d %H:%M:%S";

pub(super) fn parse(template: &[u8]) -> Result<Vec<Piece>, FormatError> {
    let (mut pieces, mut text, mut rest) = (Vec::new(), Vec::new(), template);
    while let [first, behind @ ..] = rest {
        rest = match (first, behind) {
            (b'{', [b'{', behind @ ..]) | (b'}', [b'}', behind @ ..]) => {
                text.push(*first);
                behind
            }
            (b'{', _) => {
                let end = behind.iter().position(|&byte| byte == b'}');
                let end = end.ok_or_else(|| wrong("a brace is not closed ({{ is a brace)"))?;
                if !text.is_empty() {
                    pieces.push(Piece::Text(std::mem::take(&mut text).into()));
                }
                pieces.push(Piece::Field { field: field(&behind[..end])?, pad: Pad::default() });
                &behind[end + 1..]
            }
            (b'}', _) => return Err(wrong("a brace closes nothing (}} is a brace)")),
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

/// What stands between two braces.
fn field(words: &[u8]) -> Result<Field, FormatError> {
    let sign = [b"{", words, b"}"].concat();
    let placeholders = PathPart::PLACEHOLDERS.into_iter();
    for (placeholder, part) in placeholders {
        if sign == placeholder.as_bytes() {
            return Ok(Field { source: Source::Path(part), time: None });
        }
    }
    let (name, format) = match words.iter().position(|&byte| byte == b':') {
        Some(colon) => (&words[..colon], Some(&words[colon + 1..])),
        None => (words, None),
    };
    let found = NAMES.into_iter().find(|(known, _)| known.as_bytes() == name);
    let Some((_, source)) = found else {
        let names = NAMES.map(|(name, _)| name).join(" ");
        let signs = PathPart::PLACEHOLDERS.map(|(sign, _)| sign).join(" ");
        let sign = escaped(&sign).to_string();
        return Err(wrong(&format!(
            "{sign} is no field; there are {signs}, and in braces {names}"
        )));
    };
    let time = match (source, format) {
        (Source::Time(_), format) => Some(time_style(format.unwrap_or(TIME))),
        (_, None) => None,
        (_, Some(_)) => return Err(wrong("only a time has a format behind a colon")),
    };
    match time {
        Some(None) => Err(wrong("a format of a time has one line")),
        time => Ok(Field { source, time: time.flatten() }),
    }
}

fn wrong(reason: &str) -> FormatError {
    FormatError { reason: reason.to_owned() }
}
