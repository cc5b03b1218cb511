//! The position in the text: lines, blanks, how deep it is.

use std::collections::HashSet;

use memchr::{memchr, memchr_iter};

use super::error::{Error, ErrorKind, Result};
use super::tree::{HereText, List, Written};
use super::{NESTING_LIMIT, name_length};
use crate::Dialect;
use crate::dialect::Syntax;

/// A parser at a place of a text.
pub(super) struct Parser<'a> {
    pub(super) text: &'a [u8],
    pub(super) at: usize,
    pub(super) dialect: Dialect,
    /// How the dialect's shell reads a script.
    pub(super) syntax: &'static Syntax,
    /// Here-documents whose text begins behind the next newline.
    pub(super) pending: Vec<Pending>,
    /// Where `((` or `name[` turned out to be something else: it is not tried twice.
    pub(super) failed: HashSet<usize>,
    /// Inside `${ …; }`, where a brace ends the list whatever follows it.
    pub(super) in_braces: bool,
    /// How many parentheses are open in `[[ ]]`.
    pub(super) parentheses: u32,
    /// Whether it is the text of a here-document.
    pub(super) in_here_text: bool,
    /// From where on `@(…)` is a pattern outside of `[[ ]]`: before, bash has not been told so
    /// by `extglob`.
    pub(super) groups_from: usize,
    /// Whether the end of the text was met where something begun had to go on.
    pub(super) starved: bool,
    /// Whether a here-document went on to the end of the text.
    pub(super) here_text_is_open: bool,
    depth: u32,
    /// A place and its line: others are counted from here.
    mark: (usize, u32),
}

/// A here-document whose text has not been read yet.
pub(super) struct Pending {
    /// Where it goes.
    pub(super) text: HereText,
    pub(super) delimiter: Vec<u8>,
    /// Whether nothing in it is expanded.
    pub(super) quoted: bool,
    /// Whether leading tabs go away.
    pub(super) tabs: bool,
}

/// A place to come back to.
#[derive(Clone, Copy)]
pub(super) struct Position {
    at: usize,
    pending: usize,
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a [u8], dialect: Dialect) -> Self {
        Self {
            text,
            at: 0,
            dialect,
            syntax: &dialect.profile().syntax,
            pending: Vec::new(),
            failed: HashSet::new(),
            in_braces: false,
            parentheses: 0,
            in_here_text: false,
            groups_from: 0,
            starved: false,
            here_text_is_open: false,
            depth: 0,
            mark: (0, 1),
        }
    }

    /// A parser for a text inside this one, at this line.
    pub(super) fn inner<'b>(&self, text: &'b [u8], line: u32) -> Parser<'b> {
        let groups_from = if self.at < self.groups_from { usize::MAX } else { 0 };
        let new = Parser::new(text, self.dialect);
        Parser { depth: self.depth, mark: (0, line), groups_from, ..new }
    }

    /// The whole text as a script.
    pub(super) fn script(&mut self) -> Result<List> {
        if let Some(nul) = memchr(0, self.text) {
            self.at = nul;
            return Err(self.unsupported("a NUL byte"));
        }
        let list = self.list()?;
        if self.at < self.text.len() {
            return Err(self.unexpected(None));
        }
        self.read_pending()?;
        Ok(list)
    }

    pub(super) fn byte(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// The byte so many behind this one.
    pub(super) fn peek(&self, by: usize) -> Option<u8> {
        self.text.get(self.at + by).copied()
    }

    pub(super) fn rest(&self) -> &'a [u8] {
        &self.text[self.at..]
    }

    /// Whether this stands here.
    pub(super) fn looking_at(&self, what: &[u8]) -> bool {
        self.rest().starts_with(what)
    }

    /// Goes behind it, if it stands here.
    pub(super) fn eat(&mut self, what: &[u8]) -> bool {
        let there = self.looking_at(what);
        if there {
            self.at += what.len();
        }
        there
    }

    /// The name at this place, perhaps empty.
    pub(super) fn name(&mut self) -> &'a [u8] {
        let length = name_length(self.rest());
        let name = &self.text[self.at..self.at + length];
        self.at += length;
        name
    }

    /// The name at this place, perhaps empty, whose line may be continued in it.
    pub(super) fn name_over_lines(&mut self) -> Vec<u8> {
        let mut name = self.name().to_vec();
        while !name.is_empty() && self.looking_at(b"\\\n") {
            let end = self.at;
            self.skip_continued();
            let in_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
            let length = self.rest().iter().take_while(in_name).count();
            if length == 0 {
                self.at = end;
                break;
            }
            name.extend_from_slice(&self.rest()[..length]);
            self.at += length;
        }
        name
    }

    pub(super) fn here(&self) -> Position {
        Position { at: self.at, pending: self.pending.len() }
    }

    pub(super) fn go_back(&mut self, place: Position) {
        self.at = place.at;
        self.pending.truncate(place.pending);
    }

    /// This line, from 1.
    pub(super) fn line(&mut self) -> u32 {
        self.line_of(self.at)
    }

    /// The line of a place. Its price is the distance from the place that was asked for before.
    pub(super) fn line_of(&mut self, at: usize) -> u32 {
        let (from, line) = self.mark;
        let count =
            |text: &[u8]| u32::try_from(memchr_iter(b'\n', text).count()).unwrap_or(u32::MAX);
        let line = if at >= from {
            line.saturating_add(count(&self.text[from..at]))
        } else {
            line.saturating_sub(count(&self.text[at..from]))
        };
        self.mark = (at, line);
        line
    }

    /// What is written from there to here, if `set -x` may want to show it.
    pub(super) fn written(&self, from: usize) -> Written {
        match self.syntax.grammar.trace_shows_source {
            true => Written(self.text[from..self.at].to_vec()),
            false => Written::default(),
        }
    }

    /// Ends of lines that a backslash hides.
    pub(super) fn skip_continued(&mut self) {
        while self.eat(b"\\\n") {}
    }

    /// Blanks, continued lines and a comment.
    pub(super) fn skip_blanks(&mut self) {
        let began = self.at;
        loop {
            match self.byte() {
                Some(b' ' | b'\t') => self.at += 1,
                Some(b'\\') if self.peek(1) == Some(b'\n') => self.at += 2,
                Some(b'#') if self.at > began || self.at_word_start() => {
                    self.at += memchr(b'\n', self.rest()).unwrap_or(self.text.len() - self.at);
                    return;
                }
                _ => return,
            }
        }
    }

    /// Whether a word could begin here: nothing of one stands directly before.
    fn at_word_start(&self) -> bool {
        self.at == 0 || is_meta(self.text[self.at - 1]) || matches!(self.text[self.at - 1], b'`')
    }

    /// Blanks, comments and newlines; here-documents are read on the way.
    pub(super) fn skip_newlines(&mut self) -> Result<()> {
        loop {
            self.skip_blanks();
            if self.byte() != Some(b'\n') {
                return Ok(());
            }
            self.newline()?;
        }
    }

    /// The word at this place if it is made of what reserved words are made of, and ends there.
    pub(super) fn keyword(&self) -> &'a [u8] {
        let rest = self.rest();
        let length = rest
            .iter()
            .take(9)
            .take_while(|b| b.is_ascii_lowercase() || matches!(b, b'!' | b'{' | b'}' | b'[' | b']'))
            .count();
        match rest.get(length) {
            Some(end) if !is_meta(*end) => &[],
            _ => &rest[..length],
        }
    }

    /// Goes behind a reserved word, or says that it is missing.
    pub(super) fn expect_keyword(&mut self, word: &str) -> Result<()> {
        if self.keyword() == word.as_bytes() {
            self.at += word.len();
            return Ok(());
        }
        Err(self.unexpected(Some(word)))
    }

    /// One level deeper, on a stack that is large enough.
    pub(super) fn nested<T>(&mut self, inside: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth >= NESTING_LIMIT {
            let message = format!("nested deeper than {NESTING_LIMIT} levels");
            return Err(Error { line: self.line(), kind: ErrorKind::Unsupported, message });
        }
        self.depth += 1;
        let result = crate::stack::with_room(|| inside(self));
        self.depth -= 1;
        result
    }
}

/// Whether an unquoted word ends before this byte.
pub(super) fn is_meta(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')')
}
