//! Unquoted text.

use memchr::memchr;

use super::build::Build;
use super::cursor::{Parser, is_meta};
use super::error::{Error, Result};
use super::tree::{List, Piece, Word};
use crate::dialect::ExtendedPatterns;

/// Where unquoted text ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Until {
    /// Where a word ends: a blank or an operator.
    Meta,
    /// `}`: the word in `${a-word}`, a pattern.
    Brace,
    /// `/` or `}`: the pattern in `${a/pattern/by}`.
    Slash,
    /// `|` or `)`: one of the alternatives in `@(a|b)`.
    Alternative,
    /// Where a word ends, but parentheses and `|` are a part of it: a regular expression in `[[
    /// ]]`.
    Regex,
}

/// For each byte whether it needs a look in unquoted text: bit 0 in words, 1 in `${…}`, 2 in
/// alternatives and regular expressions.
static SPECIAL: [u8; 256] = special();

const fn special() -> [u8; 256] {
    let mut table = [0; 256];
    let everywhere = b"$`'\"\\(";
    let mut i = 0;
    while i < everywhere.len() {
        table[everywhere[i] as usize] = 7;
        i += 1;
    }
    let words = b" \t\n;&|<>)";
    i = 0;
    while i < words.len() {
        table[words[i] as usize] |= 5;
        i += 1;
    }
    table[b'}' as usize] |= 2;
    table[b'/' as usize] |= 2;
    table
}

impl Until {
    fn bit(self) -> u8 {
        match self {
            Self::Meta => 1,
            Self::Brace | Self::Slash => 2,
            Self::Alternative | Self::Regex => 4,
        }
    }

    /// Whether the text ends at this byte.
    fn ends(self, byte: u8, depth: u32) -> bool {
        match self {
            Self::Meta => is_meta(byte),
            Self::Brace => byte == b'}',
            Self::Slash => matches!(byte, b'}' | b'/'),
            Self::Alternative => depth == 0 && matches!(byte, b'|' | b')'),
            Self::Regex => depth == 0 && byte != b'|' && byte != b'(' && is_meta(byte),
        }
    }
}

impl Parser<'_> {
    /// A word, perhaps empty.
    pub(super) fn word(&mut self, until: Until) -> Result<Word> {
        let mut out = Build::default();
        self.unquoted(until, &mut out)?;
        Ok(out.word())
    }

    /// A word that must be there: tildes in it are looked at.
    pub(super) fn expect_word(&mut self) -> Result<Word> {
        self.skip_blanks();
        let began = self.at;
        let mut word = self.word(Until::Meta)?;
        if self.at == began {
            return Err(self.no_word(None));
        }
        super::tildes::at_start(&mut word, &self.syntax.words);
        self.no_late_tilde(&word)?;
        Ok(word)
    }

    /// Refuses a tilde whose user is looked up when all of the word is expanded.
    pub(super) fn no_late_tilde(&mut self, word: &Word) -> Result<()> {
        if self.syntax.left.late_tildes && super::tildes::ends_late(word) {
            return Err(self.unsupported("a tilde before what is expanded or quoted"));
        }
        Ok(())
    }

    /// Pieces of a word up to its end, which is left standing.
    pub(super) fn unquoted(&mut self, until: Until, out: &mut Build) -> Result<()> {
        let bit = until.bit();
        let mut depth = 0;
        loop {
            let rest = self.rest();
            let run =
                rest.iter().position(|b| SPECIAL[*b as usize] & bit != 0).unwrap_or(rest.len());
            if run > 0 {
                out.literal(&rest[..run]);
                self.at += run;
            }
            let Some(byte) = self.byte() else { return Ok(()) };
            match byte {
                b'\'' => self.single_quoted(out)?,
                b'"' => self.double_quoted(out)?,
                b'$' => self.dollar(false, out)?,
                b'`' => self.backquoted(false, out)?,
                b'\\'
                    if until == Until::Regex
                        && self.syntax.words.regex_has_backslashes
                        && self.peek(1).is_some_and(|byte| b"\\.[]*^$+?(){}|".contains(&byte)) =>
                {
                    out.literal(&self.rest()[..2]);
                    self.at += 2;
                }
                b'\\' => self.escaped(out),
                b'(' if self.syntax.words.extended_patterns != ExtendedPatterns::Never
                    && until != Until::Regex
                    && extended_before(out).is_some() =>
                {
                    if self.at < self.groups_from {
                        return Err(self.unsupported("such a pattern without `extglob'"));
                    }
                    self.extended_pattern(out)?;
                }
                b'<' | b'>'
                    if self.process_follows() && matches!(until, Until::Meta | Until::Brace) =>
                {
                    self.process(out)?;
                }
                _ if until.ends(byte, depth) => return Ok(()),
                _ => {
                    match byte {
                        b'(' => depth += 1,
                        b')' => depth = depth.saturating_sub(1),
                        _ => {}
                    }
                    out.literal(&[byte]);
                    self.at += 1;
                }
            }
        }
    }

    /// `\x`
    fn escaped(&mut self, out: &mut Build) {
        match self.peek(1) {
            None => {
                if self.syntax.words.last_backslash_stays {
                    out.quoted(b"\\");
                }
                self.at += 1;
            }
            Some(b'\n') => self.at += 2,
            Some(byte) => {
                out.quoted(&[byte]);
                self.at += 2;
            }
        }
    }

    /// Whether `<(` or `>(` stands here.
    pub(super) fn process_follows(&self) -> bool {
        self.syntax.grammar.process_substitution
            && matches!(self.byte(), Some(b'<' | b'>'))
            && self.peek(1) == Some(b'(')
    }

    fn process(&mut self, out: &mut Build) -> Result<()> {
        let write = self.byte() == Some(b'>');
        self.at += 1;
        let list = self.parenthesised()?;
        out.push(Piece::Process { write, list });
        Ok(())
    }

    /// `( … )` as a list of its own: the newlines in it are not those behind which the
    /// here-documents of the command outside begin.
    pub(super) fn parenthesised(&mut self) -> Result<List> {
        let began = self.at;
        self.at += 1;
        let outside = std::mem::take(&mut self.pending);
        let in_braces = std::mem::replace(&mut self.in_braces, false);
        let list = self.list().map_err(|error| self.in_substitution(error))?;
        self.in_braces = in_braces;
        if self.byte().is_none() {
            return Err(self.unmatched(")", began));
        }
        if !self.eat(b")") {
            let error = self.unexpected(Some(")"));
            return Err(self.in_substitution(error));
        }
        self.end_of_substitution()?;
        self.pending.splice(0..0, outside);
        Ok(list)
    }

    /// An error in a substitution, which some shells read when they run it.
    pub(super) fn in_substitution(&self, error: Error) -> Error {
        if self.syntax.words.substitutions_read_late { error.found_early() } else { error }
    }

    /// `@( … )`, from the parenthesis on; the byte before it is in `out` already.
    fn extended_pattern(&mut self, out: &mut Build) -> Result<()> {
        let Some(kind) = extended_before(out) else { return Ok(()) };
        drop_last(out);
        let began = self.at;
        let alternatives = self.nested(|parser| {
            let mut alternatives = Vec::new();
            loop {
                parser.at += 1;
                let word = parser.word(Until::Alternative)?;
                if parser.syntax.left.open_brackets && word.pieces.iter().any(has_open_bracket) {
                    return Err(parser.unsupported("a bracket that is not closed in a pattern"));
                }
                alternatives.push(word);
                match parser.byte() {
                    Some(b'|') => {}
                    Some(_) => {
                        parser.at += 1;
                        return Ok(alternatives);
                    }
                    None => return Err(parser.unmatched(")", began).found_early()),
                }
            }
        })?;
        out.push(Piece::Extended { kind, alternatives });
        Ok(())
    }

    /// `'…'`
    fn single_quoted(&mut self, out: &mut Build) -> Result<()> {
        let text = self.single_quoted_text()?;
        out.quoted(text);
        Ok(())
    }
}

impl<'a> Parser<'a> {
    /// What is between two `'`, the first of which stands here.
    pub(super) fn single_quoted_text(&mut self) -> Result<&'a [u8]> {
        let began = self.at;
        let from = self.at + 1;
        let Some(length) = memchr(b'\'', &self.text[from..]) else {
            return Err(self.unmatched("'", began));
        };
        self.at = from + length + 1;
        Ok(&self.text[from..from + length])
    }
}

/// The byte that makes a parenthesis behind it an extended pattern.
fn extended_before(out: &Build) -> Option<u8> {
    match out.pieces.last() {
        Some(Piece::Literal(text)) => text.last().copied().filter(|b| b"?*+@!".contains(b)),
        _ => None,
    }
}

/// Whether a `[` is there and no `]` behind it.
pub(super) fn has_open_bracket(piece: &Piece) -> bool {
    let Piece::Literal(text) = piece else { return false };
    text.iter().rposition(|b| *b == b'[').is_some_and(|at| !text[at..].contains(&b']'))
}

/// Takes the last byte of a literal away.
fn drop_last(out: &mut Build) {
    if let Some(Piece::Literal(text)) = out.pieces.last_mut() {
        text.pop();
        if text.is_empty() {
            out.pieces.pop();
        }
    }
}
