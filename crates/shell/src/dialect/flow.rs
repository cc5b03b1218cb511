//! What the shells differ in: `break`, `return`, `exit`, `eval`, `.`

/// `break`, `return`, `exit`, `eval`, `.`
pub(crate) struct ControlFlow {
    /// What `break 0` and `break x` do.
    pub(crate) bad_loop_count: BadLoopCount,
    /// Whether `break` outside of loops says that it means nothing there: in bash.
    pub(crate) break_outside_is_told: bool,
    /// What the operand of `exit` and `return` can be.
    pub(crate) status_operand: StatusOperand,
    /// Whether `return` outside of functions and files is an error: in bash; elsewhere it
    /// ends the shell.
    pub(crate) return_needs_function: bool,
    /// Whether `return` in a function that a trap calls gives the status from before the
    /// trap: in bash.
    pub(crate) return_sees_outer_trap: bool,
    /// Whether `return 256` is `return 0`: in bash.
    pub(crate) return_is_byte: bool,
    /// Whether `return x` returns: in bash; elsewhere it ends the shell.
    pub(crate) bad_return_returns: bool,
    /// Whether `exit` in any trap gives the status from before it: in bash only in that on
    /// EXIT.
    pub(crate) exit_sees_any_trap: bool,
    /// Whether `$?` in the trap on EXIT is what the process ends with: in dash it is the
    /// number that was given.
    pub(crate) exit_is_byte: bool,
    /// Whether `eval -x` is refused: in bash.
    pub(crate) eval_has_options: bool,
    /// Whether `.` alone is an error: in bash.
    pub(crate) dot_needs_file: bool,
    /// Whether `. ./directory` reads nothing, and is content: in dash.
    pub(crate) directory_is_empty_file: bool,
    /// Whether NUL bytes in files that are read are dropped: not in ksh.
    pub(crate) drops_nul: bool,
    /// Whether `. file words` sets positional parameters: not in dash.
    pub(crate) dot_takes_arguments: bool,
    /// Whether `set` in a file that was given words changes the caller's: in bash, outside
    /// of functions.
    pub(crate) set_in_file_stays: bool,
    /// Whether the trap on RETURN runs behind a file or a function: in bash.
    pub(crate) has_return_trap: bool,
    /// Whether the status of `.` is a byte: in ksh.
    pub(crate) dot_status_is_byte: bool,
    /// What `.` says of a file that cannot be read.
    pub(crate) missing_file: MissingFile,
    /// Whether `.` looks for `./name` if PATH has no such file: in bash for `name`, but in
    /// POSIX mode.
    pub(crate) dot_prefers_path_here: bool,
}

/// What `break 0` and `break x` do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BadLoopCount {
    /// dash: neither is a number; the shell ends.
    NoNumber,
    /// bash: 0 is out of range, and ends all loops; `x` ends the shell with the status 128.
    OutOfRange,
    /// ksh: both are labels, which there are not; the shell ends.
    NoLabel,
}

/// What the operand of `exit` and `return` can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StatusOperand {
    /// dash: a number from 0 on.
    FromZero,
    /// bash: any number.
    Number,
    /// ksh: anything: the number that it begins with, else 0.
    Leading,
}

/// What `.` says of a file that cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MissingFile {
    /// dash: `not found`, or `cannot open …: No such file` of a path.
    NotFound,
    /// bash: the reason, not as a message of `.`; it ends the shell only in POSIX mode.
    Plain,
    /// ksh: `cannot open`, and the reason.
    CannotOpen,
}
