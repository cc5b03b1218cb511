//! Where expanded words go: fields, one whole text, or a pattern.

use smallvec::SmallVec;

use crate::Text;
use crate::formats::fields::{Class, Ifs};
use crate::syntax::tree::{Piece, Word};

/// What a word is expanded to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Into {
    /// Fields: split, matched with names of files.
    Fields,
    /// One text.
    Whole,
    /// One text, that of a here-document: bash joins the words of `$*` with spaces there.
    Here,
    /// A pattern: what was quoted is escaped.
    Pattern,
}

/// A word while it is being expanded.
#[derive(Debug)]
pub(crate) struct Sink {
    pub(crate) into: Into,
    pub(crate) current: Text,
    /// Which bytes of `current` were quoted.
    quoted: SmallVec<[(u32, u32); 4]>,
    /// Whether there is a field, though it may be empty.
    started: bool,
    /// Whether names of files may match.
    may_match: bool,
    /// Whether braces that come out of expansions count, as in ksh; and whether there are any.
    pub(crate) braces_count: bool,
    has_brace: bool,
    /// ksh: whether a backslash and the signs of groups stand for themselves where they come out
    /// of expansions.
    pub(crate) plain_signs: bool,
    /// Whether the last field was ended by white space: another delimiter then belongs to it.
    after_white: bool,
    /// Whether nothing but white space has come of a list in bash so far.
    begins_list: bool,
    /// Whether a `$@` came to nothing.
    pub(crate) none: bool,
    /// Whether what was last is a `$@` of several words, of which the last came to nothing: in ksh
    /// that is a field where the word ends.
    pub(crate) ends_empty: bool,
    /// Finished fields, and whether each has to be matched: then it is a pattern, and the second is
    /// what it is if nothing matches.
    pub(crate) fields: SmallVec<[Field; 4]>,
}

/// A finished field.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) text: Text,
    pub(crate) pattern: Option<Vec<u8>>,
    /// What braces that came out of an expansion are to be expanded in.
    pub(crate) braces: Option<Box<Word>>,
}

impl Sink {
    pub(crate) fn new(into: Into) -> Sink {
        Sink {
            into,
            current: Text::new(),
            quoted: SmallVec::new(),
            started: false,
            may_match: false,
            braces_count: false,
            has_brace: false,
            plain_signs: false,
            after_white: false,
            begins_list: false,
            none: false,
            ends_empty: false,
            fields: SmallVec::new(),
        }
    }

    /// Before quoted expansions of which one is `$@`.
    pub(crate) fn begin_together(&mut self) -> (bool, usize, usize) {
        self.none = false;
        (self.started, self.fields.len(), self.current.len())
    }

    /// Behind them: there is no field for them if they have come to nothing.
    pub(crate) fn end_together(&mut self, (started, fields, length): (bool, usize, usize)) {
        if self.none && self.fields.len() == fields && self.current.len() == length {
            self.started = started;
        }
    }

    /// Text that stands for itself.
    pub(crate) fn quoted(&mut self, bytes: &[u8]) {
        match self.into {
            Into::Whole | Into::Here => self.current.extend_from_slice(bytes),
            Into::Pattern => escape(bytes, &mut self.current),
            Into::Fields => {
                self.started = true;
                self.after_white = false;
                let start = self.length();
                self.current.extend_from_slice(bytes);
                let end = self.length();
                match self.quoted.last_mut() {
                    Some(last) if last.1 == start => last.1 = end,
                    _ if start == end => {}
                    _ => self.quoted.push((start, end)),
                }
            }
        }
    }

    /// Text of the script that may match, and is not split.
    pub(crate) fn pattern(&mut self, bytes: &[u8]) {
        self.started = true;
        self.after_white = false;
        self.may_match = true;
        self.current.extend_from_slice(bytes);
    }

    /// What an unquoted expansion came to: it is split.
    pub(crate) fn unquoted(&mut self, bytes: &[u8], ifs: &Ifs) {
        self.ends_empty = false;
        if self.into != Into::Fields {
            match self.plain_signs {
                true => super::texts::with_classes(bytes, &mut self.current),
                false => self.current.extend_from_slice(bytes),
            }
            return;
        }
        if !ifs.joins {
            self.after_white = false;
        }
        self.split(bytes, ifs);
    }

    /// What is between two words of an unquoted `$@` or `$*` (also of arrays). The next word is
    /// [`split`](Self::split).
    pub(crate) fn next_argument(&mut self, ifs: &Ifs) {
        let first = ifs.first();
        if ifs.words_are_joined {
            self.white_space();
        } else if ifs.joins && !first.is_empty() && ifs.class(first).0 == Class::Other {
            self.delimiter();
        } else {
            self.next_field();
        }
    }

    /// Adds a text to the fields, which ends one at each delimiter.
    pub(crate) fn split(&mut self, bytes: &[u8], ifs: &Ifs) {
        let mut rest = bytes;
        while !rest.is_empty() {
            let plain = ifs.plain_length(rest);
            if plain > 0 {
                self.run(&rest[..plain]);
                rest = &rest[plain..];
                continue;
            }
            let (class, length) = ifs.class(rest);
            match class {
                Class::Plain | Class::Wide => self.run(&rest[..length]),
                Class::White => self.white_space(),
                Class::Other => self.delimiter(),
            }
            rest = &rest[length..];
        }
    }

    /// White space of IFS: it ends a field that there is.
    fn white_space(&mut self) {
        let ends = self.started;
        self.end_field();
        self.after_white |= ends || self.begins_list;
    }

    /// The first word of an unquoted `$@` or `$*` (also of arrays): in bash one delimiter behind
    /// white space at its beginning belongs to that.
    pub(crate) fn first_of_list(&mut self, bytes: &[u8], ifs: &Ifs) {
        self.begins_list = ifs.joins && !self.started;
        self.unquoted(bytes, ifs);
    }

    /// A delimiter that is no white space: it ends a field, even an empty one.
    fn delimiter(&mut self) {
        self.begins_list = false;
        if !std::mem::take(&mut self.after_white) {
            self.started = true;
            self.end_field();
        }
    }

    /// What is between two words of `"$@"`.
    pub(crate) fn next_field(&mut self) {
        self.end_field();
        self.after_white = false;
    }

    fn run(&mut self, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        self.started = true;
        self.after_white = false;
        self.begins_list = false;
        if !self.may_match && has_pattern(bytes) {
            self.may_match = true;
        }
        self.has_brace |= self.braces_count && memchr::memchr(b'{', bytes).is_some();
        if self.plain_signs && self.may_match {
            let start = self.length();
            for (at, byte) in (start..).zip(bytes) {
                if b"\\()|&".contains(byte) {
                    self.quoted.push((at, at + 1));
                }
            }
        }
        self.current.extend_from_slice(bytes);
    }

    /// Changes with whatever adds a field or begins one.
    pub(crate) fn position(&self) -> (usize, bool) {
        (self.fields.len(), self.started)
    }

    /// Ends the last field of a word.
    pub(crate) fn end_word(&mut self) {
        self.started |= self.ends_empty;
        self.end_field();
    }

    /// Ends the field, if there is one.
    pub(crate) fn end_field(&mut self) {
        if !self.started {
            return;
        }
        let pattern = self.may_match.then(|| self.as_pattern());
        let braces = self.has_brace.then(|| Box::new(self.as_word()));
        self.fields.push(Field { text: std::mem::take(&mut self.current), pattern, braces });
        self.quoted.clear();
        self.started = false;
        self.may_match = false;
        self.has_brace = false;
    }

    /// The current field as the word of a script that is the same.
    fn as_word(&self) -> Word {
        let mut pieces = Vec::new();
        let mut at = 0;
        for (start, end) in &self.quoted {
            let (start, end) = (*start as usize, *end as usize);
            pieces.push(Piece::Literal(self.current[at..start].to_vec()));
            pieces.push(Piece::Quoted(self.current[start..end].to_vec()));
            at = end;
        }
        pieces.push(Piece::Literal(self.current[at..].to_vec()));
        Word { pieces }
    }

    /// The current field as a pattern: what was quoted is escaped.
    fn as_pattern(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.current.len() + 8);
        let mut at = 0;
        for (start, end) in &self.quoted {
            let (start, end) = (*start as usize, *end as usize);
            out.extend_from_slice(&self.current[at..start]);
            escape(&self.current[start..end], &mut out);
            at = end;
        }
        out.extend_from_slice(&self.current[at..]);
        out
    }

    fn length(&self) -> u32 {
        u32::try_from(self.current.len()).unwrap_or(u32::MAX)
    }
}

fn has_pattern(bytes: &[u8]) -> bool {
    memchr::memchr3(b'*', b'?', b'[', bytes).is_some()
}

/// Puts a backslash before what counts in patterns.
pub(crate) fn escape(bytes: &[u8], out: &mut impl Extend<u8>) {
    for byte in bytes {
        if matches!(
            byte,
            b'*' | b'?'
                | b'['
                | b']'
                | b'\\'
                | b'('
                | b')'
                | b'|'
                | b'!'
                | b'^'
                | b'-'
                | b'+'
                | b'@'
        ) {
            out.extend([b'\\']);
        }
        out.extend([*byte]);
    }
}
