//! The parser and its tree: a script read whole, by recursive descent over its bytes.
//!
//! There is no token stream: what a byte means depends on where the grammar stands, and the
//! functions that know the grammar look at the bytes themselves.
//!
//! | module | what is in it |
//! |---|---|
//! | [`tree`] | what comes out |
//! | `cursor` | the position, lines, blanks, depth |
//! | `error` | why a script cannot be read |
//! | `errors` | what is said, in each shell's words |
//! | `lists` | lists, and-or lists, pipelines |
//! | `commands` | which command it is; simple commands, functions |
//! | `compound` | `if`, `while`, `for`, `case`, … |
//! | `conditions` | `[[ … ]]` |
//! | `assignments` | `a=1`, `a[1]=2`, `a=(…)` |
//! | `redirects`, `here` | redirections and here-documents |
//! | `words` | unquoted text |
//! | `quotes` | `'…'`, `$'…'`, `"…"` and all text that is read like it |
//! | `expansions` | `$a`, `$(…)`, `` `…` ``, `$((…))` |
//! | `parameters` | `${…}` |
//! | `tildes` | where `~` counts |
//! | [`braces`] | `{a,b}`, `{1..9}`: one word made into several |

mod assignments;
pub mod braces;
mod build;
mod commands;
mod compound;
mod conditions;
mod cursor;
mod error;
mod errors;
mod expansions;
mod here;
mod lists;
mod parameters;
mod quotes;
mod redirects;
mod tildes;
pub mod tree;
mod words;

use crate::Dialect;
use crate::dialect::ExtendedPatterns;

use cursor::Parser;
pub use error::{Error, ErrorKind};
use tree::{List, Word};

/// How deep commands and expansions may be nested.
pub const NESTING_LIMIT: u32 = 20_000;

/// Reads a whole script. No calls.
///
/// # Errors
/// [`ErrorKind::Syntax`] if the dialect's shell refuses it, [`ErrorKind::Unsupported`] if it is
/// something that the tree cannot hold: then the script is for its own shell.
pub fn parse(text: &[u8], dialect: Dialect) -> Result<List, Error> {
    parse_at(text, dialect, 1)
}

/// The same for the text that a shell is started with: bash's `@(…)` is a pattern only if that was
/// asked for with `extglob`, and this text must do it.
///
/// # Errors
/// As [`parse`].
pub fn parse_first(text: &[u8], dialect: Dialect) -> Result<List, Error> {
    let mut parser = Parser::new(text, dialect);
    if parser.syntax.words.extended_patterns == ExtendedPatterns::IfAskedFor {
        parser.groups_from = memchr::memmem::find(text, b"extglob").unwrap_or(usize::MAX);
    }
    parser.script()
}

/// Reads a script whose first line has that number. No calls.
///
/// # Errors
/// As [`parse`].
pub fn parse_at(text: &[u8], dialect: Dialect, line: u32) -> Result<List, Error> {
    Parser::new(text, dialect).inner(text, line).script()
}

/// What the beginning of a text that comes bit by bit is.
#[derive(Debug)]
pub enum Start {
    /// The commands of a line, or of as many as they need; and how many bytes these are.
    Commands(List, usize),
    /// Nothing: blanks and comments.
    Blank,
    /// The beginning of a command.
    Part,
}

/// Reads the commands that a text begins with, up to the end of the line that ends them; what is
/// behind it need not be a script. `line` is the number of the text's first line, `all` whether
/// nothing more will come. No calls.
///
/// # Errors
/// As [`parse`], if more text cannot mend it.
pub fn parse_start(text: &[u8], dialect: Dialect, line: u32, all: bool) -> Result<Start, Error> {
    // A line that has only begun may come to mean something else.
    let text = match memchr::memrchr(b'\n', text) {
        _ if all => text,
        Some(end) => &text[..=end],
        None => return Ok(Start::Part),
    };
    let mut parser = Parser::new(text, dialect).inner(text, line);
    match parser.line_of_commands() {
        Ok((list, _)) if list.items.is_empty() => Ok(Start::Blank),
        Ok((_, ended)) if !ended && !all => Ok(Start::Part),
        Ok((list, _)) => {
            if let Some(nul) = memchr::memchr(0, &text[..parser.at]) {
                parser.at = nul;
                return Err(parser.unsupported("a NUL byte"));
            }
            Ok(Start::Commands(list, parser.at))
        }
        Err(error) if !all && (parser.starved || error.kind == ErrorKind::Unsupported) => {
            Ok(Start::Part)
        }
        Err(error) => Err(error),
    }
}

/// Reads a text that is expanded like the inside of double quotes, quotes in it standing for
/// themselves: the prompts, `${x@P}`, arithmetic found in a variable. No calls.
///
/// # Errors
/// As [`parse`].
pub fn parse_word_text(text: &[u8], dialect: Dialect) -> Result<Word, Error> {
    Parser::new(text, dialect).here_text()
}

/// Whether it can be a variable's name.
#[must_use]
pub fn is_name(text: &[u8]) -> bool {
    !text.is_empty() && name_length(text) == text.len()
}

/// How many bytes at the beginning of the text make a name.
#[must_use]
pub fn name_length(text: &[u8]) -> usize {
    match text.first() {
        Some(first) if first.is_ascii_alphabetic() || *first == b'_' => {
            text.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count()
        }
        _ => 0,
    }
}

/// Whether it is one of the words that the grammar keeps for itself where a command begins.
#[must_use]
pub fn is_reserved(word: &[u8], dialect: Dialect) -> bool {
    let grammar = &dialect.profile().syntax.grammar;
    match word {
        b"!" | b"{" | b"}" | b"case" | b"do" | b"done" | b"elif" | b"else" | b"esac" | b"fi"
        | b"for" | b"if" | b"in" | b"then" | b"until" | b"while" => true,
        b"[[" | b"]]" => grammar.double_brackets,
        b"function" => grammar.function_keyword,
        b"select" => grammar.select,
        b"time" => grammar.time,
        b"coproc" => grammar.coproc,
        _ => false,
    }
}

#[cfg(test)]
mod tests;
