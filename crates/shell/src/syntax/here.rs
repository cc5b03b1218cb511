//! Here-documents: their text begins behind the next newline.

use memchr::memchr;

use super::build::Build;
use super::cursor::{Parser, Pending};
use super::error::{Error, Result};
use super::quotes::Kind;
use super::tree::{HereText, Word};
use crate::dialect::UnfinishedHere;

impl Parser<'_> {
    /// The whole text as the text of a here-document.
    pub(super) fn here_text(&mut self) -> Result<Word> {
        self.in_here_text = true;
        let mut pieces = Build::default();
        self.nested(|parser| parser.like_quoted(Kind::Here, &mut pieces))?;
        Ok(pieces.word())
    }

    /// Behind `<<` or, with `tabs`, `<<-`.
    pub(super) fn here_document(&mut self, tabs: bool) -> Result<HereText> {
        self.skip_blanks();
        let began = self.at;
        let (delimiter, quoted) = self.delimiter()?;
        if self.at == began {
            return Err(self.no_word(None));
        }
        let word = &self.text[began..self.at];
        if self.syntax.left.forms_of_delimiters && (delimiter.is_empty() || word.contains(&b'$')) {
            return Err(self.unsupported("a here-document that ends as only ksh knows"));
        }
        let text = HereText::default();
        self.pending.push(Pending { text: text.clone(), delimiter, quoted, tabs });
        Ok(text)
    }

    /// The word behind `<<` without its quotes, and whether it had any. Nothing in it is expanded.
    fn delimiter(&mut self) -> Result<(Vec<u8>, bool)> {
        let mut delimiter = Vec::new();
        let mut quoted = false;
        while let Some(byte) = self.byte() {
            match byte {
                b'\'' => {
                    delimiter.extend_from_slice(self.single_quoted_text()?);
                    quoted = true;
                }
                b'"' => {
                    let began = self.at;
                    let rest = &self.text[began + 1..];
                    let Some(length) = memchr(b'"', rest) else {
                        return Err(self.unmatched("\"", began));
                    };
                    let inside = &rest[..length];
                    if inside.contains(&b'\\') {
                        return Err(self.unsupported("a backslash in a quoted delimiter"));
                    }
                    delimiter.extend_from_slice(inside);
                    self.at += length + 2;
                    quoted = true;
                }
                b'\\' if self.peek(1) == Some(b'\n') => self.at += 2,
                b'\\' => {
                    delimiter.extend(self.peek(1));
                    self.at = (self.at + 2).min(self.text.len());
                    quoted = true;
                }
                b'$' if self.syntax.words.dollar_quotes && self.peek(1) == Some(b'"') => {
                    self.at += 1
                }
                b'$' if self.syntax.words.dollar_quotes && self.peek(1) == Some(b'\'') => {
                    self.at += 1;
                    let mut out = Build::default();
                    self.dollar_single(&mut out)?;
                    if let Some(super::tree::Piece::Quoted(text)) = out.pieces.pop() {
                        delimiter.extend(text);
                    }
                    quoted = true;
                }
                _ if super::cursor::is_meta(byte) => break,
                _ => {
                    delimiter.push(byte);
                    self.at += 1;
                }
            }
        }
        Ok((delimiter, quoted))
    }

    /// Goes behind the newline here, and behind the here-documents that begin there.
    pub(super) fn newline(&mut self) -> Result<()> {
        self.at += 1;
        if self.pending.is_empty() { Ok(()) } else { self.read_pending() }
    }

    /// Reads all here-documents that were promised, from here on.
    pub(super) fn read_pending(&mut self) -> Result<()> {
        for pending in std::mem::take(&mut self.pending) {
            let line = self.line();
            let (body, plain) = self.body(&pending);
            let own_forms = self.syntax.left.forms_of_delimiters;
            if own_forms && !pending.quoted && begins_delimiter(&body, &pending) {
                return Err(self.unsupported("a delimiter on a line that is continued"));
            }
            let word = if pending.quoted || plain {
                let mut out = Build::default();
                if !body.is_empty() {
                    out.quoted(&body);
                }
                out.word()
            } else {
                let read = self.nested(|parser| parser.inner(&body, line).here_text());
                if self.syntax.here_documents.read_late {
                    read.map_err(Error::found_early)?
                } else {
                    read?
                }
            };
            pending.text.fill(word);
        }
        Ok(())
    }

    /// The lines up to the delimiter, and whether there is nothing to expand in them. Without a
    /// delimiter, it is all the rest.
    fn body(&mut self, pending: &Pending) -> (Vec<u8>, bool) {
        let mut body = Vec::new();
        let mut plain = true;
        let mut continued = false;
        // Where the last line begins that a backslash goes on with.
        let mut began = 0;
        while self.at < self.text.len() {
            let rest = self.rest();
            let end = memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
            let mut line = &rest[..end];
            self.at += end;
            if pending.tabs && !continued {
                let tabs = line.iter().take_while(|b| **b == b'\t').count();
                line = &line[tabs..];
            }
            let bare = line.strip_suffix(b"\n").unwrap_or(line);
            if !continued {
                if bare == pending.delimiter {
                    return (body, plain);
                }
                began = body.len();
            } else if self.syntax.here_documents.continued_delimiter
                && joined(&body[began..], bare).is_some_and(|line| line == pending.delimiter)
            {
                body.truncate(began);
                return (body, plain);
            }
            plain = plain && !line.iter().any(|b| matches!(b, b'$' | b'`' | b'\\'));
            let backslashes = bare.iter().rev().take_while(|b| **b == b'\\').count();
            continued = !pending.quoted && backslashes % 2 == 1;
            body.extend_from_slice(line);
        }
        self.here_text_is_open = true;
        let ends_line = self.syntax.here_documents.ends_last_line;
        if ends_line && body.last().is_some_and(|last| *last != b'\n') {
            body.push(b'\n');
        }
        (body, plain)
    }

    /// At the end of `$( … )`: a here-document whose text has not begun.
    pub(super) fn end_of_substitution(&mut self) -> Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        match self.syntax.here_documents.in_substitution {
            UnfinishedHere::Empty => {
                self.pending.clear();
                Ok(())
            }
            UnfinishedHere::BehindTheLine => Ok(()),
            UnfinishedHere::Error(message) => Err(self.error(message.into())),
        }
    }
}

/// Whether a line has the beginning of the delimiter alone, and goes on behind it: ksh takes
/// what comes then as it is.
fn begins_delimiter(body: &[u8], pending: &Pending) -> bool {
    body.split(|byte| *byte == b'\n').any(|line| {
        let begun = line.strip_suffix(b"\\").unwrap_or_default();
        !begun.is_empty() && pending.delimiter.starts_with(begun)
    })
}

/// Lines that backslashes join, and the one behind them; none if that is too long for a delimiter.
fn joined(lines: &[u8], last: &[u8]) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    for line in lines.split_inclusive(|byte| *byte == b'\n') {
        text.extend_from_slice(line.strip_suffix(b"\\\n")?);
    }
    text.extend_from_slice(last);
    (text.len() <= 4096).then_some(text)
}

impl HereText {
    fn fill(&self, word: Word) {
        // It is empty until now: each is read once.
        let _ = self.0.set(word);
    }
}
