//! `test` and `[`, and the file tests that `[[ … ]]` has as well.

mod files;
mod parse;
#[cfg(test)]
mod tests;

pub use files::{Difference, compare, file_test};
pub use parse::{bracket, evaluate};

use crate::Dialect;

/// What `test` needs to know of the shell.
pub trait World {
    /// Which shell's rules.
    fn dialect(&self) -> Dialect;
    /// A test of a file by its letter ([`file_test`], unless the path is the script's own
    /// `/dev/fd/1` or the like).
    fn file(&mut self, letter: u8, path: &[u8]) -> bool;
    /// `-nt`, `-ot`, `-ef` ([`compare`]).
    fn files(&mut self, left: &[u8], how: Difference, right: &[u8]) -> bool;
    /// Whether a descriptor is a terminal.
    fn terminal(&mut self, descriptor: u32) -> bool;
    /// Whether a variable (or an element, `a[1]`) is set.
    fn set(&mut self, name: &[u8]) -> bool;
    /// Whether a variable is a reference to another.
    fn reference(&mut self, name: &[u8]) -> bool;
    /// Whether an option of the shell is on; false if there is none of this name.
    fn option(&mut self, name: &[u8]) -> bool;
    /// The value of an arithmetic text: ksh's `-eq` evaluates both sides.
    ///
    /// # Errors
    /// The message.
    fn arithmetic(&mut self, text: &[u8]) -> Result<i64, Vec<u8>>;
}

/// Whether a letter is a unary operator that asks about a file.
pub fn is_file_test(letter: u8, dialect: Dialect) -> bool {
    match letter {
        b'b' | b'c' | b'd' | b'e' | b'f' | b'g' | b'h' | b'k' | b'L' | b'O' | b'G' | b'p' => true,
        b'r' | b's' | b'S' | b'u' | b'w' | b'x' => true,
        b'a' | b'N' => dialect.profile().conditions.more_operators,
        _ => false,
    }
}
