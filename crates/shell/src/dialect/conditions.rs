//! What the shells' `test` and `[` differ in.

use super::Around;

/// How `test` and `[` read their words. Messages are what stands behind `test: `.
pub(crate) struct Conditions {
    /// Whether there are `-a` and `-N` for files, `-v`, `-R` and `-o` for the shell's own
    /// variables and options, and `==`: dash has only the operators of POSIX.
    pub(crate) more_operators: bool,
    /// What is said of a `[` without its `]`.
    pub(crate) no_bracket: &'static str,
    /// What three words mean whose second is no binary operator.
    pub(crate) binary_tests: BinaryTests,
    /// Whether `!` and `(` before an operand come first, even if a binary operator follows: in
    /// bash `! = a -a …` denies, and the others compare `!`.
    pub(crate) prefix_comes_first: bool,
    /// What is said of two words whose first is no unary operator. None: they are read as an
    /// expression of any length, as in dash.
    pub(crate) no_unary_operator: fn(first: &[u8]) -> Option<Vec<u8>>,
    /// What is said of words that are left over behind a whole expression.
    pub(crate) left_over: LeftOver,
    /// What is said if an operand is missing at the end. None: the last word is an unexpected
    /// operator, as in dash.
    pub(crate) no_operand: Option<&'static str>,
    /// What is said if something else stands where a `)` is missing, or nothing does.
    pub(crate) no_parenthesis: fn(instead: Option<&[u8]>) -> Vec<u8>,
    /// What a number that is none is, beside `-eq` and its like.
    pub(crate) not_a_number: NotANumber,
    /// Whether `-t` complains of a descriptor that is no number, as dash does: to the others it is
    /// no terminal.
    pub(crate) terminal_needs_a_number: bool,
    /// Whether `-nt` and `-ot` need both files, as in dash: elsewhere a missing one is older.
    pub(crate) ages_need_both: bool,
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
