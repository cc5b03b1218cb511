//! Brace expansion: `{a,b}`, `{1..9..2}`: one word made into several.
//!
//! It is done before anything is expanded: what a variable holds is no part of it, and so it can be
//! done once for a script. (ksh expands braces that come out of variables, too: the same is done
//! with its fields.)

use super::build::Build;
use super::tildes;
use super::tree::{Piece, Word};
use crate::Dialect;
use crate::dialect::{Braces, Syntax};

mod sequence;

/// More words than this are not made of one.
pub const WORDS_LIMIT: usize = 1 << 20;

/// What cannot be expanded before the script runs: for its own shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unclear {
    /// More than [`WORDS_LIMIT`] words.
    TooMany,
    /// In ksh, an expansion or a quote between the braces; a format in a sequence.
    OnlyKsh,
}

/// A byte of unquoted text, or anything else.
#[derive(Clone)]
enum Unit {
    Byte(u8),
    Other(Piece),
}

/// The words that a word with braces stands for; none if there is nothing to expand. No calls.
///
/// For arguments and the words of `for` and of arrays, not for assigned values, patterns of `case`,
/// or in `[[ ]]`.
///
/// # Errors
/// [`Unclear`]
pub fn expand(word: &Word, dialect: Dialect) -> Result<Option<Vec<Word>>, Unclear> {
    let braces =
        |piece: &Piece| matches!(piece, Piece::Literal(t) | Piece::Tilde(t) if t.contains(&b'{'));
    let syntax = &dialect.profile().syntax;
    if !syntax.braces.expanded || !word.pieces.iter().any(braces) {
        return Ok(None);
    }
    let units = units(word, &syntax.braces);
    let words = if syntax.braces.only_plain { only_plain(&units)? } else { true }
        .then(|| Expander { rules: &syntax.braces }.expand(&units))
        .transpose()?;
    match words {
        Some(words) if words.len() > 1 || words.first().is_some_and(|w| w.len() != units.len()) => {
            let words = words.into_iter().map(|units| to_word(units, syntax));
            Ok(Some(words.filter(|word| !word.pieces.is_empty()).collect()))
        }
        _ => Ok(None),
    }
}

fn units(word: &Word, rules: &Braces) -> Vec<Unit> {
    let mut units = Vec::new();
    for piece in &word.pieces {
        match piece {
            Piece::Literal(text) => units.extend(text.iter().map(|b| Unit::Byte(*b))),
            // Whether it is one is seen when the braces are gone.
            Piece::Tilde(name) if rules.tildes_afterwards || name.contains(&b'{') => {
                units.push(Unit::Byte(b'~'));
                units.extend(name.iter().map(|b| Unit::Byte(*b)));
            }
            other => units.push(Unit::Other(other.clone())),
        }
    }
    units
}

fn to_word(units: Vec<Unit>, syntax: &Syntax) -> Word {
    let mut out = Build::default();
    for unit in units {
        match unit {
            Unit::Byte(byte) => out.literal(&[byte]),
            Unit::Other(Piece::Quoted(text)) => out.quoted(&text),
            Unit::Other(piece) => out.push(piece),
        }
    }
    let mut word = out.word();
    if syntax.braces.tildes_afterwards {
        tildes::at_start(&mut word, &syntax.words);
    }
    if syntax.braces.empty_words && word.pieces.is_empty() {
        word.pieces.push(Piece::Quoted(Vec::new()));
    }
    word
}

/// Whether there are braces at all, if nothing but plain text is between them.
fn only_plain(units: &[Unit]) -> Result<bool, Unclear> {
    let is = |unit: &Unit, byte| matches!(unit, Unit::Byte(b) if *b == byte);
    let quoted = units.iter().any(
        |u| matches!(u, Unit::Other(Piece::Quoted(t)) if t.iter().any(|b| b"{,}".contains(b))),
    );
    if quoted {
        return Err(Unclear::OnlyKsh);
    }
    let first = units.iter().position(|u| is(u, b'{'));
    let last = units.iter().rposition(|u| is(u, b'}'));
    let (Some(first), Some(last)) = (first, last) else { return Ok(false) };
    if first > last {
        return Ok(false);
    }
    let inside = &units[first..last];
    let separated = inside.iter().any(|u| is(u, b','))
        || inside.windows(2).any(|w| is(&w[0], b'.') && is(&w[1], b'.'));
    let plain = inside.iter().all(|u| matches!(u, Unit::Byte(b) if *b != b'%'));
    if !plain {
        return Err(Unclear::OnlyKsh);
    }
    if separated && !well_formed(units) {
        return Err(Unclear::OnlyKsh);
    }
    Ok(separated)
}

/// Whether both shells find the same braces: all of them are matched, and each has either commas or
/// one sequence in it.
fn well_formed(units: &[Unit]) -> bool {
    let mut open: Vec<(bool, bool)> = Vec::new();
    let mut dot = false;
    for unit in units {
        let Unit::Byte(byte) = unit else {
            dot = false;
            continue;
        };
        match (byte, open.last_mut()) {
            (b'{', _) => open.push((false, false)),
            (b'}', Some((commas, dots))) => {
                if commas == dots {
                    return false;
                }
                open.pop();
            }
            (b'}', None) => return false,
            (b',', Some((commas, _))) => *commas = true,
            (b'.', Some((_, dots))) if dot => *dots = true,
            _ => {}
        }
        dot = *byte == b'.';
    }
    open.is_empty()
}

struct Expander {
    rules: &'static Braces,
}

impl Expander {
    /// All words of a text.
    fn expand(&self, mut text: &[Unit]) -> Result<Vec<Vec<Unit>>, Unclear> {
        let mut words = vec![Vec::new()];
        loop {
            let Some((open, close)) = self.braces(text) else {
                append(&mut words, vec![text.to_vec()])?;
                return Ok(words);
            };
            append(&mut words, vec![text[..open].to_vec()])?;
            let inside = &text[open + 1..close];
            let alternatives = if self.has_comma(inside) {
                self.alternatives(inside)?
            } else {
                let sequence = sequence::expand(&bytes(inside), self.rules)?;
                sequence.unwrap_or_else(|| vec![text[open..=close].to_vec()])
            };
            append(&mut words, alternatives)?;
            text = &text[close + 1..];
        }
    }

    /// Whether it is a list.
    fn has_comma(&self, inside: &[Unit]) -> bool {
        if !self.rules.inner_comma_counts {
            return find(inside, 0, b',').is_some();
        }
        inside.iter().any(|u| matches!(u, Unit::Byte(b',')))
    }

    /// The first braces that count, as bash finds them: an opening one that a closing one matches.
    fn braces(&self, text: &[Unit]) -> Option<(usize, usize)> {
        let mut from = 0;
        loop {
            let open = find(text, from, b'{')?;
            match find(text, open + 1, b'}') {
                Some(close) => return Some((open, close)),
                None => from = open + 1,
            }
        }
    }

    /// `a,b,c`
    fn alternatives(&self, inside: &[Unit]) -> Result<Vec<Vec<Unit>>, Unclear> {
        let mut all = Vec::new();
        let mut from = 0;
        loop {
            let comma = find(inside, from, b',');
            let end = comma.unwrap_or(inside.len());
            let part = &inside[from..end];
            all.extend(crate::stack::with_room(|| self.expand(part))?);
            if all.len() > WORDS_LIMIT {
                return Err(Unclear::TooMany);
            }
            match comma {
                Some(comma) => from = comma + 1,
                None => return Ok(all),
            }
        }
    }
}

/// Each word with each alternative behind it.
fn append(words: &mut Vec<Vec<Unit>>, alternatives: Vec<Vec<Unit>>) -> Result<(), Unclear> {
    if let [only] = &alternatives[..] {
        words.iter_mut().for_each(|word| word.extend_from_slice(only));
        return Ok(());
    }
    if words.len().saturating_mul(alternatives.len()) > WORDS_LIMIT {
        return Err(Unclear::TooMany);
    }
    let both = |word: &Vec<Unit>, end: &Vec<Unit>| word.iter().chain(end).cloned().collect();
    *words =
        words.iter().flat_map(|word| alternatives.iter().map(move |end| both(word, end))).collect();
    Ok(())
}

/// The next place of a brace or comma that is not inside other braces. A closing brace counts only
/// behind a comma or `..`.
fn find(text: &[Unit], from: usize, wanted: u8) -> Option<usize> {
    let (mut level, mut separated) = (0u32, wanted != b'}');
    let byte = |at: usize| match text.get(at) {
        Some(Unit::Byte(byte)) => Some(*byte),
        _ => None,
    };
    for at in from..text.len() {
        let Some(this) = byte(at) else { continue };
        if this == wanted && level == 0 && separated {
            let empty = this == b'{' && at == 0 && byte(1) == Some(b'}');
            if empty {
                continue;
            }
            return Some(at);
        }
        match this {
            b'{' => level += 1,
            b'}' if level > 0 => level -= 1,
            b',' if level == 0 => separated = true,
            b'.' if level == 0 && byte(at + 1) == Some(b'.') && byte(at + 2) != Some(wanted) => {
                separated = true
            }
            _ => {}
        }
    }
    None
}

/// The bytes of a text in which there is nothing else; empty if there is.
fn bytes(units: &[Unit]) -> Vec<u8> {
    let byte = |unit: &Unit| match unit {
        Unit::Byte(byte) => Some(*byte),
        Unit::Other(_) => None,
    };
    units.iter().map(byte).collect::<Option<_>>().unwrap_or_default()
}
