//! `[…]`: which characters it holds.

use sys::{CharacterClass, character_is};

use super::{Options, names};

/// What stands between brackets.
#[derive(Clone, Debug, Default)]
pub(super) struct Class {
    /// The first 256 characters (or bytes), answered beforehand, negation included.
    low: [u64; 4],
    negated: bool,
    /// Cases are the same, but not to names: nothing is `[[:lower:]]` that is not.
    fold: bool,
    ranges: Vec<(u32, u32)>,
    named: Vec<CharacterClass>,
    /// `[.` without its end: only what stands before that counts.
    is_void: bool,
}

impl Class {
    /// The class whose text starts behind the `[` at the beginning of `text`, and how many bytes it
    /// has up to and with its `]`; `None` if it has no end, and so is none.
    pub(super) fn parse(text: &[u8], options: Options) -> Option<(Class, usize)> {
        let mut class = Class { fold: options.fold_case, ..Class::default() };
        let mut at = 0;
        let negates = match text.first() {
            Some(b'!') => true,
            Some(b'^') => !options.plain_classes,
            _ => false,
        };
        if negates {
            class.negated = true;
            at = 1;
        }
        let first = at;
        loop {
            let byte = *text.get(at)?;
            if byte == b']' && at > first {
                break;
            }
            let is_name = byte == b'[' && text.get(at + 1) == Some(&b':');
            let name = names::between(text, at + 1).filter(|_| is_name);
            let is_known = name.is_some_and(|(name, _)| CharacterClass::named(name).is_some());
            if is_name && (is_known || !options.plain_classes) {
                match name {
                    Some((name, after)) => {
                        let named = CharacterClass::named(name);
                        class.named.extend(named.filter(|_| !class.is_void));
                        at = after;
                    }
                    // Without its end the bracket is nothing, and the rest is what it is.
                    None => at += 1,
                }
                continue;
            }
            class.is_void |= !options.plain_classes
                && text[at..].starts_with(b"[.")
                && names::between(text, at + 1).is_none();
            let (from, after) = member(text, at, options)?;
            at = after;
            let mut to = from;
            if text.get(at) == Some(&b'-') && !matches!(text.get(at + 1), None | Some(b']')) {
                (to, at) = member(text, at + 1, options)?;
            }
            if let (Some(from), Some(to), false) = (from, to, class.is_void) {
                class.ranges.push((class.folded(from), class.folded(to)));
            }
        }
        class.prepare(options.utf8);
        Some((class, at + 1))
    }

    fn prepare(&mut self, utf8: bool) {
        for code in 0..256u32 {
            if self.ask(code, utf8 || code < 128) {
                self.low[code as usize / 64] |= 1 << (code % 64);
            }
        }
    }

    /// Whether it holds the character.
    #[inline]
    pub(super) fn holds(&self, code: u32) -> bool {
        match code {
            0..256 => self.low[code as usize / 64] >> (code % 64) & 1 == 1,
            _ => self.ask(code, true),
        }
    }

    fn folded(&self, code: u32) -> u32 {
        if self.fold { sys::to_lower(code) } else { code }
    }

    fn ask(&self, code: u32, is_character: bool) -> bool {
        let folded = if is_character { self.folded(code) } else { code };
        let held = self.ranges.iter().any(|&(from, to)| (from..=to).contains(&folded))
            || is_character && self.named.iter().any(|&class| character_is(class, code));
        if self.is_void { held && !self.negated } else { held != self.negated }
    }
}

/// One end of a range, or what stands alone, and where it ends; the character is `None` for a
/// name that names none.
fn member(text: &[u8], at: usize, options: Options) -> Option<(Option<u32>, usize)> {
    let utf8 = options.utf8;
    let at = match *text.get(at)? {
        b'\\' if at + 1 < text.len() => at + 1,
        b'[' if !options.plain_classes && matches!(text.get(at + 1), Some(b'.' | b'=')) => {
            if let Some((name, after)) = names::between(text, at + 1) {
                return Some((names::character(name, utf8), after));
            }
            at
        }
        _ => at,
    };
    let (code, length) = match utf8 {
        true => super::character::decode(text, at),
        false => (u32::from(text[at]), 1),
    };
    Some((Some(code), at + length))
}
