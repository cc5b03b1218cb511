//! `"…"`, and all text that is read like the inside of it: here-documents, arithmetic, subscripts.

use super::build::Build;
use super::cursor::Parser;
use super::error::Result;
use crate::formats::escapes;

/// Which text it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `"…"`, to the quote.
    Quotes,
    /// A here-document, to the end of the text.
    Here,
    /// The word in `"${a-word}"`, to the brace.
    Operand,
    /// `$(( … ))`, to the first parenthesis that nothing has opened.
    Arithmetic,
    /// `for (( a; b; c ))`: as above, or to a `;`.
    Count,
    /// `[ … ]`, to the bracket.
    Subscript,
    /// `${a:offset:length}`: to a colon or to the brace.
    Slice,
}

impl Kind {
    /// Whether this byte needs a look.
    fn special(self, byte: u8) -> bool {
        match byte {
            b'$' | b'`' | b'\\' => true,
            b'"' => self != Self::Here,
            b'\'' => self == Self::Subscript,
            b'}' => matches!(self, Self::Operand | Self::Slice),
            b'(' | b')' => matches!(self, Self::Arithmetic | Self::Count | Self::Slice),
            b'[' | b']' => self == Self::Subscript,
            b':' | b'?' => self == Self::Slice,
            b';' => self == Self::Count,
            _ => false,
        }
    }

    /// Whether a backslash before this byte goes away.
    fn escapes(self, byte: u8) -> bool {
        match byte {
            b'$' | b'`' | b'\\' => true,
            b'"' => self != Self::Here,
            b'}' => self == Self::Operand,
            b'[' | b']' | b'\'' | b' ' => self == Self::Subscript,
            _ => false,
        }
    }
}

impl Parser<'_> {
    /// `$'…'`, from the quote on.
    pub(super) fn dollar_single(&mut self, out: &mut Build) -> Result<()> {
        let began = self.at;
        self.at += 1;
        loop {
            match self.byte() {
                None => return Err(self.unmatched("'", began)),
                Some(b'\'') => break,
                Some(byte) => self.at += 1 + usize::from(byte == b'\\'),
            }
        }
        let text = &self.text[began + 1..self.at];
        out.quoted(&escapes::dollar(text, self.dialect, true));
        self.at += 1;
        Ok(())
    }

    /// `"…"`
    pub(super) fn double_quoted(&mut self, out: &mut Build) -> Result<()> {
        let began = self.at;
        self.at += 1;
        let mut inside = Build::default();
        self.like_quoted(Kind::Quotes, &mut inside)?;
        if !self.eat(b"\"") {
            return Err(self.unmatched("\"", began));
        }
        out.double(inside);
        Ok(())
    }

    /// Text that is expanded, but never split, up to its end, which is left standing.
    pub(super) fn like_quoted(&mut self, kind: Kind, out: &mut Build) -> Result<()> {
        let (mut depth, mut questions) = (0u32, 0u32);
        let hides = kind == Kind::Operand && self.syntax.words.quotes_hide_braces;
        let mut hidden = false;
        loop {
            let rest = self.rest();
            let special = |byte: &u8| kind.special(*byte) || hides && *byte == b'\'';
            let run = rest.iter().position(special).unwrap_or(rest.len());
            if run > 0 {
                out.quoted(&rest[..run]);
                self.at += run;
            }
            let Some(byte) = self.byte() else { return Ok(()) };
            match byte {
                b'\'' if hides => {
                    hidden = !hidden;
                    out.quoted(b"'");
                    self.at += 1;
                }
                b'}' if hidden => {
                    out.quoted(b"}");
                    self.at += 1;
                }
                b'"' if hidden => {
                    return Err(self.unsupported("a single quote in the word of an expansion"));
                }
                b'$' if self.has_quotes_behind_dollar(kind) => {
                    self.dollar(false, out)?;
                }
                b'$' => self.dollar(true, out)?,
                b'`' => {
                    let keeps = self.syntax.here_documents.backquotes_keep_quotes;
                    let quoted = kind != Kind::Here || !keeps;
                    self.backquoted(quoted, out)?;
                }
                b'\\' => self.escaped_inside(kind, out),
                b'"' => match kind {
                    Kind::Quotes => return Ok(()),
                    Kind::Subscript => self.quotes_inside(out)?,
                    Kind::Operand if self.syntax.left.quotes_in_operands => {
                        return Err(self.unsupported("quotes in the word of a quoted expansion"));
                    }
                    Kind::Arithmetic if self.syntax.words.quotes_in_arithmetic_stay => {
                        out.quoted(b"\"");
                        self.at += 1;
                    }
                    _ => self.at += 1,
                },
                b'\'' => {
                    let text = self.single_quoted_text()?;
                    out.quoted(text);
                }
                _ => {
                    match byte {
                        b'(' | b'[' => depth += 1,
                        b')' | b']' if depth > 0 => depth -= 1,
                        b'?' | b':' if depth > 0 => {}
                        b'?' => questions += 1,
                        b':' if questions > 0 => questions -= 1,
                        b';' if depth > 0 => {}
                        // A closing parenthesis too many in a slice is for the arithmetic to
                        // refuse.
                        b')' if kind == Kind::Slice => {}
                        _ => return Ok(()),
                    }
                    out.quoted(&[byte]);
                    self.at += 1;
                }
            }
        }
    }

    /// Whether there is a `$'…'` here that counts: in a subscript, and in the word of `"${a-word}"`
    /// in some shells, but not in a here-document.
    fn has_quotes_behind_dollar(&self, kind: Kind) -> bool {
        let counts = match kind {
            Kind::Subscript => true,
            Kind::Operand => self.syntax.words.dollar_quotes_in_operands && !self.in_here_text,
            _ => false,
        };
        counts && self.peek(1) == Some(b'\'')
    }

    /// `"…"` in a text that is quoted anyway.
    fn quotes_inside(&mut self, out: &mut Build) -> Result<()> {
        let began = self.at;
        self.at += 1;
        self.like_quoted(Kind::Quotes, out)?;
        if self.eat(b"\"") { Ok(()) } else { Err(self.unmatched("\"", began)) }
    }

    fn escaped_inside(&mut self, kind: Kind, out: &mut Build) {
        match self.peek(1) {
            Some(b'\n') => self.at += 2,
            Some(byte) if kind.escapes(byte) => {
                out.quoted(&[byte]);
                self.at += 2;
            }
            _ => {
                out.quoted(b"\\");
                self.at += 1;
            }
        }
    }
}
