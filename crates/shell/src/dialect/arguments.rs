//! What the shells differ in: which builtins there are, and what many of them do alike.

use super::Around;

/// Which builtins there are, and what many of them do alike.
pub(crate) struct Arguments {
    /// Those that are done here, sorted.
    pub(crate) done: &'static [&'static str],
    /// Those that are not: a script that calls one ends, or is for its own shell. Sorted.
    pub(crate) left_out: &'static [&'static str],
    /// Of an option that a builtin does not have.
    pub(crate) no_such_option: fn(sign: u8, letter: u8) -> Vec<u8>,
    /// Of an option without its value.
    pub(crate) no_value: Around,
    /// How it is told how a builtin is used.
    pub(crate) usage: Usage,
    /// Of an operand that should be a number.
    pub(crate) not_a_number: Around,
    /// Whether `break`, `return`, `exit` and `shift` with too many operands end the
    /// commands of the line: in bash.
    pub(crate) extra_operand_ends_line: bool,
    /// Whether `--` is an operand of `eval` and `shift`: in dash.
    pub(crate) dashes_end_no_options: bool,
    /// What `shift` does that is to shift more than there is.
    pub(crate) shift_many: ManyShifts,
    /// What the operand of `shift` can be.
    pub(crate) shift_operand: ShiftOperand,
    /// Whether `let` alone is an error: in bash; in ksh it shows how it is used.
    pub(crate) let_needs_expression: bool,
    /// Whether a failing `unset` ends the shell: in dash.
    pub(crate) unset_failure_exits: bool,
    /// Whether `unset` alone shows how it is used: in ksh.
    pub(crate) unset_needs_name: bool,
    /// Whether `unset name` takes a function away if there is no such variable: in bash.
    pub(crate) unset_takes_functions: bool,
    /// Whether `unset .name` does nothing: in ksh.
    pub(crate) unset_ignores_dotted: bool,
    /// The status of `printf -v` with what is no name.
    pub(crate) printf_bad_name_status: i32,
    /// How many digits of a second `times` shows.
    pub(crate) times_digits: usize,
    /// Of an operand of `ulimit` that is no number.
    pub(crate) bad_limit: fn(word: &[u8]) -> Vec<u8>,
}

/// How it is told how a builtin is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Usage {
    /// dash: not at all; `getopts` and `printf` without operands say it as an error.
    None,
    /// bash: on one line.
    Line,
    /// ksh: on lines, with a hint.
    Paragraph,
}

/// What `shift` does that is to shift more than there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ManyShifts {
    /// dash: `can't shift that many`.
    Error,
    /// bash: it fails, and says so if `shift_verbose` is on.
    Silent,
    /// ksh: `bad number`.
    BadNumber,
}

/// What the operand of `shift` can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShiftOperand {
    /// dash: a number from 0 on.
    Number,
    /// bash: a number; below 0 it is out of range.
    AnyNumber,
    /// ksh: an arithmetic expression; what begins with `-` is an option.
    Expression,
}
