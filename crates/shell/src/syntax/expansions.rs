//! `$a`, `$( … )`, `` `…` ``, `$(( … ))`

use super::build::Build;
use super::cursor::Parser;
use super::error::{Error, ErrorKind, Result};
use super::quotes::Kind;
use super::tree::{CommandSubstitution, List, Operation, Parameter, ParameterName, Piece, Word};

impl Parser<'_> {
    /// Whatever begins with the `$` that stands here.
    pub(super) fn dollar(&mut self, quoted: bool, out: &mut Build) -> Result<()> {
        // A line may be continued behind it.
        while self.peek(1) == Some(b'\\') && self.peek(2) == Some(b'\n') {
            if self.syntax.left.continued_names {
                return Err(self.unsupported("a line that is continued behind a `$`"));
            }
            self.at += 2;
        }
        match self.peek(1) {
            Some(b'(') => self.dollar_parenthesis(out),
            Some(b'{') => self.nested(|parser| parser.braced(quoted, out)),
            Some(b'[') if self.syntax.words.old_arithmetic => {
                self.nested(|parser| parser.old_arithmetic(out))
            }
            Some(b'\'') if !quoted && self.syntax.words.dollar_quotes => {
                self.at += 1;
                self.dollar_single(out)
            }
            // Nothing is translated.
            Some(b'"') if !quoted && self.syntax.words.dollar_quotes => {
                self.at += 1;
                Ok(())
            }
            Some(b'\\') if self.peek(2) == Some(b'\n') => {
                Err(self.unsupported("a line that is continued behind a `$`"))
            }
            Some(byte) => self.plain_dollar(byte, quoted, out),
            None => {
                out.text(b"$", quoted);
                self.at += 1;
                Ok(())
            }
        }
    }

    /// `$name`, `$1`, `$@`, or nothing but a dollar.
    fn plain_dollar(&mut self, byte: u8, quoted: bool, out: &mut Build) -> Result<()> {
        let name = match byte {
            b'0'..=b'9' => ParameterName::Positional(u32::from(byte - b'0')),
            b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!' => ParameterName::Special(byte),
            b'_' | b'a'..=b'z' | b'A'..=b'Z' => {
                self.at += 1;
                let line = self.line();
                let name = self.name_over_lines();
                out.push(parameter(ParameterName::Variable(name), line));
                if self.syntax.left.continued_names && self.looking_at(b"\\\n") {
                    return Err(self.unsupported("a name that goes on behind the line's end"));
                }
                if !quoted && self.byte() == Some(b'{') && self.syntax.left.braces_behind_names {
                    return Err(self.unsupported("`$name{…}`, where the braces are expanded first"));
                }
                return Ok(());
            }
            _ => {
                out.text(b"$", quoted);
                self.at += 1;
                return Ok(());
            }
        };
        let line = self.line();
        out.push(parameter(name, line));
        self.at += 2;
        Ok(())
    }

    /// `$(( … ))` or `$( … )`
    fn dollar_parenthesis(&mut self, out: &mut Build) -> Result<()> {
        let mut second = 2;
        while self.peek(second) == Some(b'\\') && self.peek(second + 1) == Some(b'\n') {
            second += 2;
        }
        if self.peek(second) == Some(b'(')
            && let Some(text) = self.try_arithmetic(second + 1)?
        {
            out.push(Piece::Arithmetic(text));
            return Ok(());
        }
        self.at += 1;
        let list = self.parenthesised()?;
        out.push(substitution(list, false));
        Ok(())
    }

    /// The text of `$(( … ))` or `(( … ))`, whose opening has `opening` bytes. None if it turns out
    /// to be parentheses inside parentheses: then nothing has been read.
    pub(super) fn try_arithmetic(&mut self, opening: usize) -> Result<Option<Word>> {
        let place = self.here();
        let began = self.at;
        if self.failed.contains(&began) {
            return Ok(None);
        }
        self.at += opening;
        let mut text = Build::default();
        let read = self.nested(|parser| parser.like_quoted(Kind::Arithmetic, &mut text));
        match &read {
            Ok(()) if self.eat_closing() => return Ok(Some(text.word())),
            Err(error) if error.kind == ErrorKind::Unsupported => return Err(error.clone()),
            _ => {}
        }
        if self.syntax.words.only_arithmetic {
            return Err(match read {
                Ok(()) => self.unmatched("))", began),
                Err(error) => error,
            });
        }
        self.go_back(place);
        self.failed.insert(began);
        Ok(None)
    }

    /// Goes behind `))`, between which a line may be continued.
    fn eat_closing(&mut self) -> bool {
        if !self.eat(b")") {
            return false;
        }
        self.skip_continued();
        self.eat(b")")
    }

    /// `$[ … ]`
    fn old_arithmetic(&mut self, out: &mut Build) -> Result<()> {
        let began = self.at;
        self.at += 2;
        let mut text = Build::default();
        self.like_quoted(Kind::Subscript, &mut text)?;
        if !self.eat(b"]") {
            return Err(self.unmatched("]", began));
        }
        out.push(Piece::Arithmetic(text.word()));
        Ok(())
    }

    /// `` `…` ``: the text without its backslashes is a script.
    pub(super) fn backquoted(&mut self, quoted: bool, out: &mut Build) -> Result<()> {
        let began = self.at;
        let rules = &self.syntax.words;
        let line = if rules.backquotes_count_lines { 1 } else { self.line() };
        let mut script = Vec::new();
        let mut at = began + 1;
        loop {
            let Some(run) = memchr::memchr2(b'`', b'\\', &self.text[at..]) else {
                return Err(self.no_backquote(began));
            };
            script.extend_from_slice(&self.text[at..at + run]);
            at += run;
            if self.text[at] == b'`' {
                break;
            }
            match self.text.get(at + 1) {
                Some(byte) if matches!(byte, b'`' | b'\\' | b'$') || quoted && *byte == b'"' => {
                    script.push(*byte)
                }
                // A line goes on before anything is read, even in quotes of the script inside.
                Some(b'\n') => {}
                Some(byte) => script.extend_from_slice(&[b'\\', *byte]),
                None => return Err(self.no_backquote(began)),
            }
            at += 2;
        }
        self.at = at + 1;
        let list = self
            .nested(|parser| parser.inner(&script, line).script())
            .map_err(|e| if rules.backquotes_read_late { e.found_early() } else { e })?;
        out.push(substitution(list, false));
        Ok(())
    }

    fn no_backquote(&mut self, began: usize) -> Error {
        let error = self.unmatched("`", began);
        self.in_substitution(error)
    }
}

/// A parameter with nothing done to it.
fn parameter(name: ParameterName, line: u32) -> Piece {
    let operation = Operation::Value;
    Piece::Parameter(Box::new(Parameter {
        name,
        subscript: None,
        indirect: false,
        operation,
        line,
    }))
}

pub(super) fn substitution(list: List, in_this_shell: bool) -> Piece {
    Piece::Command(Box::new(CommandSubstitution { list, in_this_shell }))
}
