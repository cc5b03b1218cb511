//! `${x/pattern/replacement}` in its four kinds.

use super::Pattern;

/// Which matches `${a/…}` replaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// `/`
    First,
    /// `//`
    All,
    /// `/#`
    Prefix,
    /// `/%`
    Suffix,
}

/// What `&` and `\` mean in a replacement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Nothing.
    Plain,
    /// Nothing, and matches of the empty text count as in ksh: not behind another match, but at the
    /// end; an empty pattern changes only an empty text.
    Ksh,
    /// bash 5.2 with `patsub_replacement`, as it is on: `&` is what was matched, `\&` and `\\` are
    /// `&` and `\`. The caller that expands the replacement escapes quoted `&` and `\`, and
    /// nothing else.
    Ampersand,
}

/// What matches are replaced by.
#[derive(Clone, Copy, Debug)]
pub struct Replacement<'a> {
    /// Its text.
    pub text: &'a [u8],
    /// How it is understood.
    pub style: Style,
}

impl Replacement<'_> {
    fn push(&self, matched: &[u8], out: &mut Vec<u8>) {
        if self.style != Style::Ampersand {
            return out.extend_from_slice(self.text);
        }
        let mut rest = self.text;
        while let Some(at) = memchr::memchr2(b'&', b'\\', rest) {
            out.extend_from_slice(&rest[..at]);
            let mut length = 1;
            match (rest[at], rest.get(at + 1)) {
                (b'&', _) => out.extend_from_slice(matched),
                (_, Some(&escaped @ (b'&' | b'\\'))) => {
                    out.push(escaped);
                    length = 2;
                }
                _ => out.push(b'\\'),
            }
            rest = &rest[at + length..];
        }
        out.extend_from_slice(rest);
    }
}

/// The text with matches replaced, behind `out`.
///
/// An empty pattern changes nothing with [`Which::First`] and [`Which::All`], and puts the
/// replacement at that end with the others. Price: no calls.
pub fn replace(
    text: &[u8],
    pattern: &Pattern,
    which: Which,
    replacement: &Replacement<'_>,
    out: &mut Vec<u8>,
) {
    let ksh = replacement.style == Style::Ksh;
    let counts = |start: usize| ksh || start < text.len() || empty_end_counts(text, pattern, which);
    match which {
        _ if ksh && pattern.text.is_empty() && !text.is_empty() => out.extend_from_slice(text),
        Which::Prefix => {
            let end = pattern.prefix(text, true).filter(|_| counts(0));
            if let Some(end) = end {
                replacement.push(&text[..end], out);
            }
            out.extend_from_slice(&text[end.unwrap_or(0)..]);
        }
        Which::Suffix => {
            let start = pattern.suffix(text, true).filter(|&start| counts(start));
            out.extend_from_slice(&text[..start.unwrap_or(text.len())]);
            if let Some(start) = start {
                replacement.push(&text[start..], out);
            }
        }
        _ if pattern.text.is_empty() && !ksh => out.extend_from_slice(text),
        Which::First => match pattern.find(text, 0).filter(|&(start, _)| counts(start)) {
            Some((start, end)) => {
                out.extend_from_slice(&text[..start]);
                replacement.push(&text[start..end], out);
                out.extend_from_slice(&text[end..]);
            }
            None => out.extend_from_slice(text),
        },
        Which::All if !counts(0) => {}
        Which::All => replace_all(text, pattern, replacement, out),
    }
}

/// Whether a pattern that matches the empty text does so at the very end, where there is nothing
/// left: as bash has it, that depends on how the pattern begins.
fn empty_end_counts(text: &[u8], pattern: &Pattern, which: Which) -> bool {
    let is_group = pattern.options.extended && pattern.text.get(1) == Some(&b'(');
    match pattern.text.first() {
        None | Some(b'*') => true,
        Some(b'?') => is_group && which == Which::Suffix,
        Some(b'!') => is_group && which == Which::Suffix && text.is_empty(),
        _ => false,
    }
}

fn replace_all(text: &[u8], pattern: &Pattern, replacement: &Replacement<'_>, out: &mut Vec<u8>) {
    let mut matches = pattern.find_all(text);
    let ksh = replacement.style == Style::Ksh;
    let mut at = 0;
    let mut ended = None;
    while let Some((start, end)) = matches.next_from(at) {
        // An empty match at the very end counts only in an empty text.
        if start == text.len() && !text.is_empty() && !ksh {
            break;
        }
        out.extend_from_slice(&text[at..start]);
        if !ksh || start < end || ended != Some(start) {
            replacement.push(&text[start..end], out);
            ended = Some(end);
        }
        at = end;
        if start == end {
            if at == text.len() {
                break;
            }
            let width = super::character::width(text, at, pattern.options.utf8);
            out.extend_from_slice(&text[at..at + width]);
            at += width;
        }
        if at == text.len() && !ksh {
            break;
        }
    }
    out.extend_from_slice(&text[at..]);
}
