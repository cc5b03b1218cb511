//! What can be wrong with an arithmetic text, as each shell words it.

use crate::Dialect;

/// Why there is no value. Small: it travels through every step of an evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(pub(super) Box<Detail>);

/// What an [`Error`] points to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Detail {
    pub(super) kind: Kind,
    /// Where the shell's "error token" begins.
    pub(super) place: Place,
    /// Where the part of the text that bash shows ends, if not at its end.
    pub(super) end: Option<usize>,
    /// The whole message, if it is known already.
    pub(super) said: Option<Vec<u8>>,
}

/// A place in a text with holes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    /// The offset; a hole counts one byte.
    pub(super) offset: u32,
    /// How many holes are before it.
    pub(super) holes: u32,
}

impl Place {
    /// The offset once the holes have these lengths.
    fn filled(self, lengths: &[usize]) -> usize {
        let holes = self.holes as usize;
        let before: usize = lengths.iter().take(holes).sum();
        (self.offset as usize).saturating_sub(holes) + before
    }
}

/// What kind of error it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The text has a hole and can only be read when it is filled: not an error of the script.
    Textual,
    /// Something of this dialect that is not done here (ksh's floating point).
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
    pub(super) fn at(kind: Kind, place: Place) -> Error {
        Error(Box::new(Detail { kind, place, end: None, said: None }))
    }

    #[cold]
    pub(super) fn number(kind: Kind, place: Place, end: usize) -> Error {
        Error(Box::new(Detail { kind, place, end: Some(end), said: None }))
    }

    /// An error of the variables' owner (an unset or read-only variable, a limit): its whole
    /// message.
    #[cold]
    pub fn outside(message: Vec<u8>) -> Error {
        Error(Box::new(Detail {
            kind: Kind::Outside,
            place: Place::default(),
            end: None,
            said: Some(message),
        }))
    }

    /// What kind of error it is.
    pub fn kind(&self) -> Kind {
        self.0.kind
    }

    /// The message as the shell words it, without what it puts before (`sh: line 1: `). The text
    /// is the one that was parsed, its holes filled; `lengths` are those of the holes, in order.
    pub fn message(&self, text: &[u8], lengths: &[usize], dialect: Dialect) -> Vec<u8> {
        if let Some(said) = &self.0.said {
            return said.clone();
        }
        match dialect {
            Dialect::Posix => self.dash(text),
            Dialect::Bash => self.bash(text, lengths),
            Dialect::Ksh => self.ksh(text),
        }
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

    fn dash(&self, text: &[u8]) -> Vec<u8> {
        let what = match self.0.kind {
            Kind::DivisionByZero => "division by zero",
            Kind::MissingColon => "expecting ':'",
            Kind::MissingParenthesis => "expecting ')'",
            Kind::OperandExpected | Kind::UnexpectedEnd | Kind::EmptyChoice => "expecting primary",
            Kind::TooDeep => "expression is too deep",
            _ => "expecting EOF",
        };
        [b"arithmetic expression: ", what.as_bytes(), b": \"", text, b"\""].concat()
    }

    fn bash(&self, text: &[u8], lengths: &[usize]) -> Vec<u8> {
        let what = match self.0.kind {
            Kind::DivisionByZero => "division by 0",
            Kind::NegativeExponent => "exponent less than 0",
            Kind::OperandExpected | Kind::UnexpectedEnd => "syntax error: operand expected",
            Kind::InvalidOperator => "syntax error: invalid arithmetic operator",
            Kind::NotAVariable => "attempted assignment to non-variable",
            Kind::IncrementOfAValue => "++: assignment requires lvalue",
            Kind::DecrementOfAValue => "--: assignment requires lvalue",
            Kind::MissingParenthesis => "missing `)'",
            Kind::MissingColon => "`:' expected for conditional expression",
            Kind::EmptyChoice => "expression expected",
            Kind::BadSubscript => "bad array subscript",
            Kind::DigitTooGreat => "value too great for base",
            Kind::InvalidBase => "invalid arithmetic base",
            Kind::NoDigits => "invalid integer constant",
            Kind::InvalidNumber => "invalid number",
            Kind::TooDeep => "expression recursion level exceeded",
            _ => "syntax error in expression",
        };
        let shown = &text[..self.0.end.unwrap_or(text.len()).min(text.len())];
        let token = shown.get(self.0.place.filled(lengths)..).unwrap_or(b"");
        let shown = shown.trim_ascii_start();
        [shown, b": ", what.as_bytes(), b" (error token is \"", token, b"\")"].concat()
    }

    fn ksh(&self, text: &[u8]) -> Vec<u8> {
        let what = match self.0.kind {
            Kind::DivisionByZero => "divide by zero",
            Kind::MissingColon => "':' expected for '?' operator",
            Kind::MissingParenthesis => "unbalanced parenthesis",
            Kind::NotAVariable => "assignment requires lvalue",
            Kind::UnexpectedEnd => "more tokens expected",
            Kind::TooDeep => "recursion too deep",
            Kind::Overflow | Kind::NegativeExponent | Kind::Unsupported => {
                "floating point is not supported"
            }
            _ => "arithmetic syntax error",
        };
        [text, b": ", what.as_bytes()].concat()
    }
}
