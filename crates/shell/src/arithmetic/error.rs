//! What can be wrong with an arithmetic text, as each shell words it.

use crate::Dialect;
use crate::dialect::{ArithmeticErrors, Wrong};

/// Why there is no value. Small: it travels through every step of an evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(pub(super) Box<Detail>);

/// What an [`Error`] points to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Detail {
    pub(super) kind: Kind,
    /// Where the shell's "error token" begins.
    pub(super) place: Position,
    /// Where the part of the text that was read ends, if not at its end.
    pub(super) end: Option<usize>,
    /// The whole message, if it is known already.
    pub(super) said: Option<Vec<u8>>,
}

/// A place in a text with placeholders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Position {
    /// The offset; a placeholder counts one byte.
    pub(super) offset: u32,
    /// How many placeholders are before it.
    pub(super) placeholders: u32,
}

impl Position {
    /// The offset once the placeholders have these lengths.
    fn filled(self, lengths: &[usize]) -> usize {
        let placeholders = self.placeholders as usize;
        let before: usize = lengths.iter().take(placeholders).sum();
        (self.offset as usize).saturating_sub(placeholders) + before
    }
}

/// What kind of error it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The text has a placeholder and can only be read when it is filled: not an error of the
    /// script.
    Textual,
    /// Something of this dialect that is not done here (floating point).
    Unsupported,
    /// The variables' owner stopped it ([`Error::outside`]).
    Outside,
    /// A division by zero.
    DivisionByZero,
    /// `2 ** -1` in bash.
    NegativeExponent,
    /// An integer of ksh that would have become a floating-point number.
    Overflow,
    /// The end where a number was wanted.
    UnexpectedEnd,
    /// No number where one was wanted.
    OperandExpected,
    /// More text where the end was wanted.
    TrailingText,
    /// A character that no operator begins with.
    InvalidOperator,
    /// `1 = 2`
    NotAVariable,
    /// `--a++` in bash
    IncrementOfAValue,
    /// `--a--` in bash
    DecrementOfAValue,
    /// `(1`
    MissingParenthesis,
    /// `1 ? 2`
    MissingColon,
    /// `1 ? : 2`
    EmptyChoice,
    /// `a[1`
    BadSubscript,
    /// `08`
    DigitTooGreat,
    /// `1#0`
    InvalidBase,
    /// `2#`
    NoDigits,
    /// `010#5`
    InvalidNumber,
    /// Nested deeper than the limit.
    TooDeep,
}

impl Error {
    #[cold]
    pub(super) fn at(kind: Kind, place: Position) -> Error {
        Error(Box::new(Detail { kind, place, end: None, said: None }))
    }

    #[cold]
    pub(super) fn number(kind: Kind, place: Position, end: usize) -> Error {
        Error(Box::new(Detail { kind, place, end: Some(end), said: None }))
    }

    /// An error of the variables' owner (an unset or read-only variable, a limit): its whole
    /// message.
    #[cold]
    pub fn outside(message: Vec<u8>) -> Error {
        Error(Box::new(Detail {
            kind: Kind::Outside,
            place: Position::default(),
            end: None,
            said: Some(message),
        }))
    }

    /// What kind of error it is.
    pub fn kind(&self) -> Kind {
        self.0.kind
    }

    /// The message as the shell words it, without what it puts before (`sh: line 1: `). The text
    /// is the one that was parsed, its placeholders filled; `lengths` are theirs, in order.
    pub fn message(&self, text: &[u8], lengths: &[usize], dialect: Dialect) -> Vec<u8> {
        if let Some(said) = &self.0.said {
            return said.clone();
        }
        let errors = &dialect.profile().arithmetic.errors;
        let read = &text[..self.0.end.unwrap_or(text.len()).min(text.len())];
        let token = read.get(self.0.place.filled(lengths)..).unwrap_or(b"");
        (errors.message)(Wrong { text, what: self.what(errors), read, token })
    }

    /// The same error with its message fixed: for a text inside another, such as a variable's
    /// value.
    #[cold]
    pub fn with_message(mut self, text: &[u8], dialect: Dialect) -> Error {
        if self.0.said.is_none() {
            self.0.said = Some(self.message(text, &[], dialect));
        }
        self
    }

    fn what(&self, errors: &ArithmeticErrors) -> &'static str {
        match self.0.kind {
            Kind::DivisionByZero => errors.division_by_zero,
            Kind::NegativeExponent => errors.negative_exponent,
            Kind::Overflow | Kind::Unsupported => errors.floating_point,
            Kind::UnexpectedEnd => errors.unexpected_end,
            Kind::OperandExpected => errors.operand_expected,
            Kind::Textual | Kind::Outside | Kind::TrailingText => errors.trailing_text,
            Kind::InvalidOperator => errors.invalid_operator,
            Kind::NotAVariable => errors.not_a_variable,
            Kind::IncrementOfAValue => errors.increment_of_a_value,
            Kind::DecrementOfAValue => errors.decrement_of_a_value,
            Kind::MissingParenthesis => errors.missing_parenthesis,
            Kind::MissingColon => errors.missing_colon,
            Kind::EmptyChoice => errors.empty_choice,
            Kind::BadSubscript => errors.bad_subscript,
            Kind::DigitTooGreat => errors.digit_too_great,
            Kind::InvalidBase => errors.invalid_base,
            Kind::NoDigits => errors.no_digits,
            Kind::InvalidNumber => errors.invalid_number,
            Kind::TooDeep => errors.too_deep,
        }
    }
}
