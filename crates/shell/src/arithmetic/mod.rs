//! `$(( … ))`: read once, then evaluated as often as a loop wants.
//!
//! [`parse()`] makes an [`Expression`] of a text in which expansions may be [`Part::Placeholder`]s;
//! [`evaluate()`] asks [`Variables`] for what it needs. Variables are slots, constants folded.
//!
//! A placeholder is right only as long as its text is a plain number: ask
//! [`Expression::placeholders`] and [`Placeholder::number`] for each **before** evaluating. If one
//! says `None`, or if `parse` said [`Kind::Textual`], put the expanded texts together and use
//! [`evaluate_text`].

mod error;
mod evaluate;
mod node;
mod number;
mod operators;
mod parse;
mod scan;
#[cfg(test)]
mod tests;

pub use error::{Error, Kind};
pub use evaluate::{Variables, evaluate, evaluate_text};
pub use node::{Expression, Operator, OwnedPart, Placeholder, Subscript};
pub use number::parse_integer;
pub use parse::parse;

/// Where a variable lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot(pub u32);

/// A part of an arithmetic text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part<'a> {
    /// As it is written.
    Text(&'a [u8]),
    /// An expansion that is done beforehand, by its number.
    Placeholder(u32),
}
