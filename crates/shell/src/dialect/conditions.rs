//! `test` and `[`

use super::Around;

area! {
    /// How `test` and `[` read their words. Messages are what stands behind `test: `.
    pub(crate) struct Conditions {
        /// Whether there are `-a`, `-N`, `-v`, `-R`, `-o` before one operand, and `==` (not dash).
        more_operators: bool = false,
        /// What is said of a `[` without its `]`.
        no_bracket: &'static str = "missing ]",
        /// What three words mean whose second is no binary operator.
        binary_tests: BinaryTests = BinaryTests::AnyExpression,
        /// Whether `!` and `(` come first even before a binary operator, `! = a -a …` (bash).
        prefix_comes_first: bool = false,
        /// Said of two words without an operator. None: they are any expression (dash).
        no_unary_operator: fn(first: &[u8]) -> Option<Vec<u8>> = |_| None,
        /// What is said of words that are left over behind a whole expression.
        left_over: LeftOver = LeftOver::UnexpectedOperator,
        /// What is said if the last operand is missing. None: its operator is unexpected (dash).
        no_operand: Option<&'static str> = None,
        /// What is said if something else stands where a `)` is missing, or nothing does.
        no_parenthesis: fn(instead: Option<&[u8]>) -> Vec<u8> =
            |_| b"closing paren expected".to_vec(),
        /// What a number that is none is, beside `-eq` and its like.
        not_a_number: NotANumber = NotANumber::Error(Around("Illegal number: ", "")),
        /// Whether `-t` complains of what is no number (dash): elsewhere it is no terminal.
        terminal_needs_a_number: bool = true,
        /// Whether `-nt` and `-ot` need both files, as in dash: elsewhere a missing one is older.
        ages_need_both: bool = true,
    }
}

/// What three words mean whose second is no binary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BinaryTests {
    /// Whatever an expression of any length means: `-a` and `-o` are two of its operators.
    AnyExpression,
    /// `-a` and `-o` join the outer two, even if the first is `!`; anything else is an error.
    WithAndOr,
}

/// What is said of words that are left over behind a whole expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LeftOver {
    /// dash: the last word that was read is an unexpected operator.
    UnexpectedOperator,
    /// bash: too many arguments, or an operator that is unexpected.
    TooManyArguments,
    /// ksh: an unknown operator, if it has an operand; one word alone does not matter.
    UnknownOperator,
}

/// What a number that is none is, beside `-eq` and its like.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NotANumber {
    /// An error.
    Error(Around),
    /// An arithmetic expression, as in ksh.
    Arithmetic,
}
