//! What is said about a script that cannot be read, in the words of the dialect's shell.

use std::fmt;

use super::cursor::Parser;
use crate::Dialect;

/// Why a script cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// Where, from 1.
    pub line: u32,
    /// Whose fault it is.
    pub kind: ErrorKind,
    /// What the shell would say behind `name: line n: `.
    pub message: String,
}

/// Whose fault it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The script's: its shell would refuse it too.
    Syntax,
    /// Ours: its shell may run it.
    Unsupported,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for Error {}

pub(super) type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// The same, found where its shell looks only when it comes there: it may run the rest.
    pub(super) fn found_early(self) -> Self {
        Self { kind: ErrorKind::Unsupported, ..self }
    }
}

impl Parser<'_> {
    /// `${ … }` that means nothing, which the shells find when they come there.
    pub(super) fn bad_substitution(&mut self) -> Error {
        let error = self.unsupported("bad substitution");
        match self.dialect {
            Dialect::Posix => Error { message: "Bad substitution".into(), ..error },
            _ => error,
        }
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
        let message = match self.dialect {
            Dialect::Posix => match end {
                "`" => "Syntax error: EOF in backquote substitution".into(),
                "}" => "Syntax error: Missing '}'".into(),
                "))" => "Syntax error: Missing '))'".into(),
                ")" => "Syntax error: end of file unexpected (expecting \")\")".into(),
                _ => "Syntax error: Unterminated quoted string".into(),
            },
            Dialect::Bash => {
                let end = if end == "))" { ")" } else { end };
                format!("unexpected EOF while looking for matching `{end}'")
            }
            Dialect::Ksh => {
                let opening = match end {
                    ")" | "))" => "(",
                    "}" => "{",
                    "]" => "[",
                    end => end,
                };
                format!("syntax error: `{opening}' unmatched")
            }
        };
        // Substitutions are read command by command, and quotes are not.
        let line = if end == ")" && self.dialect == Dialect::Bash {
            self.line_of_end()
        } else {
            self.line_of(began)
        };
        Error { line, kind: ErrorKind::Syntax, message }
    }

    /// The line behind the last one.
    fn line_of_end(&mut self) -> u32 {
        let line = self.line_of(self.text.len());
        if self.dialect == Dialect::Bash && self.text.last().is_some_and(|b| *b != b'\n') {
            line + 1
        } else {
            line
        }
    }

    /// A word is missing on this line: bash sees the end of the line, even of the last one.
    pub(super) fn no_word(&mut self, expected: Option<&str>) -> Error {
        self.skip_blanks();
        match (self.byte(), self.dialect) {
            (None, Dialect::Bash) if self.text.last().is_some_and(|b| *b != b'\n') => {
                self.starved = true;
                self.error("syntax error near unexpected token `newline'".into())
            }
            (Some(b'<' | b'>'), Dialect::Posix) => {
                self.error("Syntax error: redirection unexpected".into())
            }
            _ => self.unexpected(expected),
        }
    }

    /// What stands here may not stand here.
    pub(super) fn unexpected(&mut self, expected: Option<&str>) -> Error {
        self.skip_blanks();
        let token = self.token();
        self.starved |= token.is_none();
        let message = match (self.dialect, token) {
            (Dialect::Posix, token) => {
                let what = match token {
                    None => "end of file".into(),
                    Some(token) if token == "\n" => "newline".into(),
                    Some(token) if dash_names(&token) => format!("\"{token}\""),
                    Some(_) => "word".into(),
                };
                let expecting =
                    expected.map(|e| format!(" (expecting \"{e}\")")).unwrap_or_default();
                format!("Syntax error: {what} unexpected{expecting}")
            }
            (Dialect::Bash, None) => {
                let message = "syntax error: unexpected end of file".into();
                return Error { line: self.line_of_end(), kind: ErrorKind::Syntax, message };
            }
            (Dialect::Ksh, None) => "syntax error: `end of file' unexpected".into(),
            (dialect, Some(token)) => {
                let token = if token == "\n" { "newline" } else { &token };
                if dialect == Dialect::Bash {
                    format!("syntax error near unexpected token `{token}'")
                } else {
                    format!("syntax error: `{token}' unexpected")
                }
            }
        };
        self.error(message)
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

/// Whether dash says the token itself, and not `word`.
fn dash_names(token: &str) -> bool {
    super::is_reserved(token.as_bytes(), Dialect::Posix)
        || b";&|<>()".contains(&token.as_bytes()[0])
}
