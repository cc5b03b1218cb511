//! What the shells differ in: what is trapped, and what signals do.

/// What is trapped, and what signals do.
pub(crate) struct Traps {
    /// Whether the trap on CHLD runs once for each child: in bash, which also counts what
    /// runs here without a process.
    pub(crate) child_trap_for_each: bool,
    /// Whether `$?` is 128 and the signal's number when a signal ends the shell: not in
    /// bash.
    pub(crate) dies_with_status: bool,
    /// Which status `exit` and `return` without a number give in a trap.
    pub(crate) status_before_trap: TrapStatus,
    /// Whether a trap on ERR that a function sets is not for the failure of its own call:
    /// in bash.
    pub(crate) error_trap_of_function_waits: bool,
    /// Whether an error in the trap on EXIT leaves the status as it was: in bash.
    pub(crate) exit_trap_keeps_status_on_error: bool,
    /// What a trap on a signal does that was ignored when the shell began.
    pub(crate) set_on_ignored: IgnoredTrap,
    /// Whether the shell ignores SIGQUIT: in bash.
    pub(crate) ignores_quit: bool,
    /// Whether SIGCHLD that was ignored at the start stays ignored for programs: in bash.
    pub(crate) keeps_ignored_child: bool,
    /// Whether a command with `&` can never trap the interrupt that is ignored for it: not
    /// in bash.
    pub(crate) ignored_beside_is_for_good: bool,
    /// Whether the trap on EXIT runs when a signal ends the shell: not in dash.
    pub(crate) runs_exit_trap_on_signal: bool,
    /// Whether the shell ends with a status, not of the signal, after that: in ksh.
    pub(crate) exit_trap_survives_signal: bool,
    /// Whether an interrupt that comes while a program runs ends the shell only if it ends
    /// the program: in bash.
    pub(crate) defers_interrupt: bool,
    /// What is added to a signal's number for `$?` of a child that it ended.
    pub(crate) signal_status: i32,
    /// Whether the first word of `trap` is a condition, not an action.
    pub(crate) resets: ResetWords,
    /// What `trap` does with a condition that there is not.
    pub(crate) bad_condition: BadCondition,
    /// Whether an action without conditions shows how `trap` is used: in bash; elsewhere it
    /// is an error.
    pub(crate) no_conditions_shows_usage: bool,
    /// Whether `trap` in a subshell lists nothing of what the shell around has set: in
    /// dash.
    pub(crate) subshell_hides_actions: bool,
    /// Whether `trap` lists what was ignored at the start: in bash.
    pub(crate) lists_ignored: bool,
    /// Whether `trap` lists the action on EXIT while it runs: in bash.
    pub(crate) lists_running_exit: bool,
    /// Whether `trap -p INT` shows the action alone: in ksh.
    pub(crate) shows_action_alone: bool,
}

/// Which status `exit` and `return` without a number give in a trap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TrapStatus {
    /// dash: that from before the outermost trap that runs.
    Outermost,
    /// bash: that from before this trap.
    Innermost,
    /// ksh: that of the last command in the trap.
    None,
}

/// What a trap on a signal does that was ignored when the shell began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IgnoredTrap {
    /// dash: it is listed, and never runs.
    Listed,
    /// bash: nothing.
    Left,
    /// ksh: an empty action is listed.
    ListedEmpty,
}

/// Whether the first word of `trap` is a condition, not an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResetWords {
    /// dash: if it is alone, or a number.
    AloneOrNumber,
    /// bash: the same, if there is such a signal.
    AloneOrNumberIfKnown,
    /// ksh: if it is a number.
    Number,
}

/// What `trap` does with a condition that there is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BadCondition {
    /// dash: says so without a place, and looks no further.
    SaidBare,
    /// bash: calls it an invalid signal specification, and looks at the others.
    Invalid,
    /// ksh: says so, and looks no further.
    Said,
}
