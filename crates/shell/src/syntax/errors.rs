//! What is said about a script that cannot be read, in the words of the dialect's shell.

use super::cursor::Parser;
use super::error::{Error, ErrorKind};
use crate::dialect::Token;

impl Parser<'_> {
    /// `${ … }` that means nothing, which the shells find when they come there.
    pub(super) fn bad_substitution(&mut self) -> Error {
        let message = self.syntax.errors.bad_substitution.into();
        Error { line: self.line(), kind: ErrorKind::Unsupported, message }
    }

    /// A syntax error at this line.
    pub(super) fn error(&mut self, message: String) -> Error {
        Error { line: self.line(), kind: ErrorKind::Syntax, message }
    }

    /// Something that only the shell itself can do.
    pub(super) fn unsupported(&mut self, what: &str) -> Error {
        Error {
            line: self.line(),
            kind: ErrorKind::Unsupported,
            message: format!("not supported: {what}"),
        }
    }

    /// Nothing begun may end here: the text is over, and this would have ended it.
    pub(super) fn unmatched(&mut self, end: &str, began: usize) -> Error {
        self.starved = true;
        let message = (self.syntax.errors.unmatched)(end);
        // Substitutions are read command by command, and quotes are not.
        let line = if end == ")" && self.syntax.errors.end_is_a_line {
            self.line_of_end()
        } else {
            self.line_of(began)
        };
        Error { line, kind: ErrorKind::Syntax, message }
    }

    /// The line behind the last one.
    fn line_of_end(&mut self) -> u32 {
        let line = self.line_of(self.text.len());
        if self.text.last().is_some_and(|b| *b != b'\n') { line + 1 } else { line }
    }

    /// A word is missing on this line.
    pub(super) fn no_word(&mut self, expected: Option<&str>) -> Error {
        self.skip_blanks();
        let rules = &self.syntax.errors;
        let message = match self.byte() {
            None if self.text.last().is_some_and(|b| *b != b'\n') => rules.no_word_at_end,
            Some(b'<' | b'>') => rules.redirection_for_word,
            _ => None,
        };
        let Some(message) = message else { return self.unexpected(expected) };
        self.starved |= self.byte().is_none();
        self.error(message.into())
    }

    /// What stands here may not stand here.
    pub(super) fn unexpected(&mut self, expected: Option<&str>) -> Error {
        self.skip_blanks();
        let token = self.token();
        self.starved |= token.is_none();
        let token = match &token {
            None => Token::End,
            Some(token) if token == "\n" => Token::Newline,
            Some(token) if self.is_known(token) => Token::Known(token),
            Some(token) => Token::Word(token),
        };
        let message = (self.syntax.errors.unexpected)(token, expected);
        let at_end = matches!(token, Token::End) && self.syntax.errors.end_is_a_line;
        let line = if at_end { self.line_of_end() } else { self.line() };
        Error { line, kind: ErrorKind::Syntax, message }
    }

    /// Whether a token is an operator or a reserved word.
    fn is_known(&self, token: &str) -> bool {
        super::is_reserved(token.as_bytes(), self.dialect)
            || b";&|<>()".contains(&token.as_bytes()[0])
    }

    /// The operator or word at this place, as it is written; none at the end.
    fn token(&self) -> Option<String> {
        let rest = &self.text[self.at..];
        let first = *rest.first()?;
        let length = match first {
            b'\n' | b'(' | b')' => 1,
            b';' | b'&' | b'|' | b'<' | b'>' => {
                rest.iter().take(3).take_while(|b| b";&|<>".contains(b)).count().min(
                    if rest.starts_with(b";;&")
                        || rest.starts_with(b"<<<")
                        || rest.starts_with(b"&>>")
                    {
                        3
                    } else {
                        2
                    },
                )
            }
            _ => rest.iter().take_while(|b| !super::cursor::is_meta(**b)).count().max(1),
        };
        let two = matches!(
            rest.get(..2),
            Some(
                b";;"
                    | b"&&"
                    | b"||"
                    | b"<<"
                    | b">>"
                    | b"<&"
                    | b">&"
                    | b"<>"
                    | b">|"
                    | b"&>"
                    | b"|&"
                    | b";&"
            )
        );
        let length = if b";&|<>".contains(&first) && !two { 1 } else { length };
        Some(String::from_utf8_lossy(&rest[..length]).into_owned())
    }
}
