//! What the shells differ in: how far an error reaches, and which status it leaves.

/// How far an error reaches, and which status it leaves.
pub(crate) struct Failures {
    /// The status of a command that is wrong, or cannot be done: 2 in dash, 1 in bash and
    /// ksh.
    pub(crate) status: i32,
    /// What an error of an expansion, an assignment or an evaluation ends.
    pub(crate) reach: ErrorReach,
    /// Whether a parameter that `set -u` misses ends the shell: in ksh it is an error like
    /// others.
    pub(crate) unset_ends_shell: bool,
    /// Whether the status of an unset parameter is 127 in a script that came with `-c`: in
    /// bash, outside of subshells.
    pub(crate) unset_in_argument_is_127: bool,
    /// Whether the error of a special builtin ends the shell: in bash only in POSIX mode.
    pub(crate) special_builtins_exit: bool,
    /// Whether it does so after any failure: in bash (in POSIX mode) only after a wrong
    /// use.
    pub(crate) special_failures_exit: bool,
    /// Whether a text that `eval` or `.` cannot parse ends the shell: in dash it does.
    pub(crate) unreadable_text_exits: bool,
    /// The status that such a text leaves.
    pub(crate) unreadable_text_status: i32,
    /// Whether an assignment to a readonly variable ends the shell in POSIX mode (bash).
    pub(crate) readonly_exits_in_posix_mode: bool,
    /// Whether a readonly variable only makes the `for`, `select` or `read` fail that sets
    /// it, and the script goes on: in bash.
    pub(crate) readonly_fails_command: bool,
    /// What becomes of `fixed=1 command` where `fixed` is readonly.
    pub(crate) readonly_before_command: ReadonlyPrefix,
    /// Whether `${fixed:=word}` leaves the status 2 in a script that is a file: in bash.
    pub(crate) readonly_default_is_2: bool,
    /// Whether a word of a redirection that cannot be expanded is like a file that cannot
    /// be opened: in ksh the command alone is left out.
    pub(crate) redirect_word_is_redirect: bool,
    /// Whether `set -e` and the trap on ERR look at a compound command whose redirections
    /// failed: in ksh they do not.
    pub(crate) checks_failed_redirects: bool,
    /// Whether `$(<file)` ends the shell under `set -e` if the file cannot be read: in bash
    /// it does.
    pub(crate) unreadable_file_exits: bool,
    /// Whether `[[ a =~ b ]]` with a wrong expression is false: in bash it is an error,
    /// status 2.
    pub(crate) bad_regex_is_false: bool,
    /// Whether wrong arithmetic makes a `((…))` or `for ((…))` fail and the script go on:
    /// in bash; elsewhere it is an error like others.
    pub(crate) bad_evaluation_fails_command: bool,
    /// The status of a shell that cannot make a process.
    pub(crate) fork_status: i32,
}

/// What an error ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ErrorReach {
    /// dash: the shell.
    Shell,
    /// bash: the commands of its line; the script goes on with the next line.
    Line,
    /// ksh: the text of `eval`, `.` or a trap, the command with redirections or assignments, or
    /// the last stage of a pipeline that it is in; outside of all of them, the shell.
    Text,
}

/// What becomes of `fixed=1 command` where `fixed` is readonly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReadonlyPrefix {
    /// dash: what becomes of any assignment to it.
    Assigned,
    /// bash: a message, and the command runs without it; in POSIX mode the command is left out.
    LeftOut,
    /// ksh: a message, and the command is left out.
    CommandLeftOut,
}
