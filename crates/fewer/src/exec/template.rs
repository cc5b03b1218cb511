//! A command with placeholders for a path.

use std::ffi::{OsStr, OsString};
use std::fmt;
use sys::{OsStrExt, OsStringExt};

use crate::path::PathPart;
use crate::scope::{Command, Scope};

/// A command with placeholders: `{}` the path, `{/}` its last name, `{//}` what is before that,
/// `{.}` the path without extension, `{/.}` the name without extension. They stand anywhere in an
/// argument. Without any, the path is one more argument at the end.
#[derive(Clone, Debug)]
pub struct CommandTemplate {
    arguments: Vec<Vec<Piece>>,
}

#[derive(Clone, Debug)]
enum Piece {
    Text(Box<[u8]>),
    Part(PathPart),
}

/// Words that are no command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TemplateError {
    /// There are no words.
    Empty,
    /// The program of a batch is named by a placeholder.
    ProgramOfBatch,
    /// A batch has more than one argument with a placeholder.
    TwoInBatch,
}

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TemplateError::Empty => "there is no command",
            TemplateError::ProgramOfBatch => "a command for many paths has a fixed program",
            TemplateError::TwoInBatch => {
                "a command for many paths has one argument with a placeholder"
            }
        })
    }
}

impl std::error::Error for TemplateError {}

impl CommandTemplate {
    /// A command to run for each path, from its words.
    ///
    /// # Errors
    /// There are no words, or the program is an empty one.
    pub fn each(words: impl IntoIterator<Item: AsRef<OsStr>>) -> Result<Self, TemplateError> {
        let mut arguments: Vec<Vec<Piece>> =
            words.into_iter().map(|word| pieces(word.as_ref().as_bytes())).collect();
        if arguments.first().is_none_or(Vec::is_empty) {
            return Err(TemplateError::Empty);
        }
        if !arguments.iter().any(|argument| has_placeholder(argument)) {
            arguments.push(vec![Piece::Part(PathPart::Whole)]);
        }
        Ok(CommandTemplate { arguments })
    }

    /// A command to run for many paths at once, from its words. The argument with a placeholder is
    /// repeated for each.
    ///
    /// # Errors
    /// There are no words, the first has a placeholder, or more than one has.
    pub fn batch(words: impl IntoIterator<Item: AsRef<OsStr>>) -> Result<Self, TemplateError> {
        let template = CommandTemplate::each(words)?;
        let mut with = template.arguments.iter().filter(|argument| has_placeholder(argument));
        if !template.has_fixed_program() {
            return Err(TemplateError::ProgramOfBatch);
        }
        match (with.next(), with.next()) {
            (_, Some(_)) => Err(TemplateError::TwoInBatch),
            _ => Ok(template),
        }
    }

    /// Whether the program is the same for all paths. Free.
    #[must_use]
    pub fn has_fixed_program(&self) -> bool {
        !has_placeholder(&self.arguments[0])
    }

    /// The command for these paths, in the starting scope. Arguments without a placeholder are
    /// there once.
    pub(super) fn command<'p>(&self, paths: impl Iterator<Item = &'p [u8]> + Clone) -> Command {
        let (program, rest) = self.arguments.split_first().unwrap_or((&EMPTY, &[]));
        let program = expand(program, paths.clone().next().unwrap_or_default());
        // A name from the tree is not looked for in PATH.
        let below: &[u8] =
            if self.has_fixed_program() || program.contains(&b'/') { b"" } else { b"./" };
        let command = Scope::start().command(OsString::from_vec([below, &program].concat()));
        rest.iter().fold(command, |command, argument| match has_placeholder(argument) {
            true => {
                let words = paths.clone().map(|path| OsString::from_vec(expand(argument, path)));
                command.args(words)
            }
            false => command.arg(OsString::from_vec(expand(argument, b""))),
        })
    }

    /// How many bytes of arguments a path takes, with the NUL at the end of each.
    pub(super) fn bytes_for(&self, path: &[u8]) -> usize {
        let arguments = self.arguments.iter().filter(|argument| has_placeholder(argument));
        arguments.map(|argument| bytes(argument) + path.len() + b"./\0".len()).max().unwrap_or(0)
    }

    /// How many bytes the arguments take that are the same for all paths, and their number.
    pub(super) fn fixed_bytes(&self) -> (usize, usize) {
        let fixed = self.arguments.iter().filter(|argument| !has_placeholder(argument));
        (fixed.clone().map(|argument| bytes(argument) + 1).sum(), fixed.count())
    }
}

static EMPTY: Vec<Piece> = Vec::new();

fn has_placeholder(argument: &[Piece]) -> bool {
    argument.iter().any(|piece| matches!(piece, Piece::Part(_)))
}

fn bytes(argument: &[Piece]) -> usize {
    let length = |piece: &Piece| if let Piece::Text(text) = piece { text.len() } else { 0 };
    argument.iter().map(length).sum()
}

/// Splits a word at its placeholders.
fn pieces(mut word: &[u8]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut text = Vec::new();
    while let [first, rest @ ..] = word {
        let found = PathPart::PLACEHOLDERS
            .into_iter()
            .find_map(|(sign, part)| Some((part, word.strip_prefix(sign.as_bytes())?)));
        match found {
            Some((part, rest)) => {
                if !text.is_empty() {
                    pieces.push(Piece::Text(std::mem::take(&mut text).into()));
                }
                pieces.push(Piece::Part(part));
                word = rest;
            }
            None => {
                text.push(*first);
                word = rest;
            }
        }
    }
    if !text.is_empty() {
        pieces.push(Piece::Text(text.into()));
    }
    pieces
}

fn expand(argument: &[Piece], path: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for (number, piece) in argument.iter().enumerate() {
        match piece {
            Piece::Text(text) => out.extend_from_slice(text),
            Piece::Part(part) => {
                let value = part.of(path);
                if number == 0 && value.first() == Some(&b'-') {
                    out.extend_from_slice(b"./");
                }
                out.extend_from_slice(value);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(word: &str, path: &str) -> String {
        String::from_utf8(expand(&pieces(word.as_bytes()), path.as_bytes())).unwrap()
    }

    #[test]
    fn placeholders_stand_anywhere_and_no_argument_turns_into_an_option() {
        for (word, path, expected) in [
            ("{}", "a/b.c", "a/b.c"),
            ("{}", "-rf", "./-rf"),
            ("{/}", "d/-rf", "./-rf"),
            ("{//}", "-d/x", "./-d"),
            ("--file={}", "-x", "--file=-x"),
            ("{.}.bak", "a/b.c", "a/b.bak"),
            ("{//}/{/.}-{/}", "a/b.c", "a/b-b.c"),
            ("{print $1}", "x", "{print $1}"),
            ("${x}{}", "y", "${x}y"),
            ("{{}}", "y", "{y}"),
            ("{", "y", "{"),
            ("", "y", ""),
        ] {
            assert_eq!(expanded(word, path), expected, "{word} of {path}");
        }
    }

    #[test]
    fn what_is_no_command_is_refused() {
        let none: [&str; 0] = [];
        assert_eq!(CommandTemplate::each(none).err(), Some(TemplateError::Empty));
        assert_eq!(CommandTemplate::each([""]).err(), Some(TemplateError::Empty));
        let batch = |words: &[&str]| CommandTemplate::batch(words).err();
        assert_eq!(batch(&["{}"]), Some(TemplateError::ProgramOfBatch));
        assert_eq!(batch(&["mv", "{}", "{.}"]), Some(TemplateError::TwoInBatch));
        assert_eq!(batch(&["mv", "{}", "to"]), None);
    }
}
