//! Signals, jobs, and what a process has.

use super::{Around, LimitRow, limit_rows};

area! {
    /// Signals, jobs, and what a process has.
    pub(crate) struct Processes {
        traps: Traps = Traps::POSIX,
        signals: Signals = Signals::POSIX,
        jobs: JobControl = JobControl::POSIX,
        limits: ProcessLimits = ProcessLimits::POSIX,
    }

    /// What is trapped, and what signals do.
    pub(crate) struct Traps {
        /// Whether the trap on CHLD runs for each child (bash), also for one without a process.
        child_trap_for_each: bool = false,
        /// Whether `$?` is 128 and the signal's number when a signal ends the shell (not bash).
        dies_with_status: bool = true,
        /// Which status `exit` and `return` without a number give in a trap.
        status_before_trap: TrapStatus = TrapStatus::Outermost,
        /// Whether a trap on ERR set by a function skips that call's own failure (bash).
        error_trap_of_function_waits: bool = false,
        /// Whether an error in the trap on EXIT leaves the status as it was (bash).
        exit_trap_keeps_status_on_error: bool = false,
        /// What a trap on a signal does that was ignored when the shell began.
        set_on_ignored: IgnoredTrap = IgnoredTrap::Listed,
        /// Whether the shell ignores SIGQUIT (bash).
        ignores_quit: bool = false,
        /// Whether SIGCHLD that was ignored at the start stays ignored for programs (bash).
        keeps_ignored_child: bool = false,
        /// Whether a command with `&` can never trap its ignored interrupt (not bash).
        ignored_beside_is_for_good: bool = true,
        /// Whether the trap on EXIT runs when a signal ends the shell (not dash).
        runs_exit_trap_on_signal: bool = false,
        /// Whether the shell ends with a status, not of the signal, after that (ksh).
        exit_trap_survives_signal: bool = false,
        /// Whether an interrupt ends the shell only if it ends the program that runs (bash).
        defers_interrupt: bool = false,
        /// What is added to a signal's number for `$?` of a child that it ended.
        signal_status: i32 = 128,
        /// Whether the first word of `trap` is a condition, not an action.
        resets: ResetWords = ResetWords::AloneOrNumber,
        /// What `trap` does with a condition that there is not.
        bad_condition: BadCondition = BadCondition::SaidBare,
        /// Whether an action without conditions shows the usage of `trap` (bash), or is an error.
        no_conditions_shows_usage: bool = false,
        /// Whether `trap` in a subshell lists nothing of what the shell around has set (dash).
        subshell_hides_actions: bool = true,
        /// Whether `trap` lists what was ignored at the start (bash).
        lists_ignored: bool = false,
        /// Whether `trap` lists the action on EXIT while it runs (bash).
        lists_running_exit: bool = false,
        /// Whether `trap -p INT` shows the action alone (ksh).
        shows_action_alone: bool = false,
    }

    /// Names and numbers of signals.
    pub(crate) struct Signals {
        /// Whether signal 16 is STKFLT: dash has no name for it.
        stack_fault_has_name: bool = false,
        /// Whether some signals have other names in lists, and SIGEXIT is EXIT (ksh).
        has_own_names: bool = false,
        /// Whether SIGTERM is TERM (not dash).
        sig_prefix: bool = false,
        /// Whether RTMIN+n goes beyond the middle of the real-time signals (not dash).
        real_time_from_first: bool = false,
        /// Whether RTMAX-n does (ksh).
        real_time_from_last: bool = false,
        /// Whether a signal's number may have white space and a sign before it (bash).
        number_has_sign: bool = false,
        /// The same for `kill -l`.
        list_number_has_sign: bool = true,
        /// The conditions of `trap` that are no signals, EXIT apart.
        conditions: &'static [&'static str] = &[],
        /// Whether `trap` lists SIGTERM (bash); elsewhere TERM.
        traps_have_prefix: bool = false,
        /// Whether `trap` lists the highest signal first (ksh).
        traps_from_highest: bool = false,
        /// How `kill -l` lists all.
        list: SignalList = SignalList::LinesFromZero,
        /// Whether `kill -l TERM` gives the number (not dash).
        explains_names: bool = false,
        /// Whether `kill -l n` looks at seven bits (ksh); elsewhere 128 is taken off.
        explains_low_bits: bool = false,
        /// Whether `kill -l` knows 0 as EXIT, and gives nothing at all for 32 and 33 (bash).
        unnamed_are_nothing: bool = false,
        /// The number that `kill -l ERR` gives.
        error_number: u8 = 66,
        /// The number that `kill -l DEBUG` gives.
        debug_number: u8 = 65,
    }

    /// `wait`, `kill`, and jobs
    pub(crate) struct JobControl {
        /// Whether `wait` says that a process is not a child (bash).
        wait_tells_strangers: bool = false,
        /// What `wait` says of a job that there is not.
        no_such_job: Around = Around("No such job: ", ""),
        /// The same for `%-`.
        no_previous_job: Around = Around("No previous job", ""),
        /// The status of that.
        no_such_job_status: i32 = 2,
        /// What `wait` says to a word that is no process.
        wait_bad_operand: Around = Around("Illegal number: ", ""),
        /// Whether an interrupted `wait` is 1 (ksh); elsewhere 128 and the signal's number.
        interrupted_wait_is_1: bool = false,
        /// Whether `%%` is a job not waited for, and `%-` the same if there is only one (bash).
        waited_is_no_current_job: bool = false,
        /// Whether the status of a child can be waited for once only (ksh).
        forgets_waited: bool = false,
        /// Whether the trap on CHLD ends `wait`: in bash it runs behind the child's status.
        child_ends_wait: bool = true,
        /// Whether a signal that came before a child's end was seen ends `wait` (not ksh).
        signal_beats_child: bool = true,
        /// Whether `kill -n 15` gives a number (not dash).
        kill_has_n: bool = false,
        /// Whether there are `kill -sTERM` and `kill -n15`; `kill -s` is an error then (bash).
        kill_takes_glued_values: bool = false,
        /// Whether `kill -x` is an unknown option (ksh); elsewhere an unknown signal.
        kill_bad_letter_is_option: bool = false,
        /// Whether `kill` alone tells its usage without a place (bash).
        kill_usage_is_bare: bool = false,
        /// What `kill` says of a job that there is not.
        kill_bad_job: Around = Around("Illegal number: ", ""),
        /// What `kill` says to a word that is no process.
        kill_bad_process: Around = Around("Illegal number: ", ""),
        /// What `kill` says if a signal cannot be sent.
        kill_failed: fn(process: i32, why: &str) -> String = |_, why| why.into(),
        /// Of a signal that there is not.
        bad_signal: Around = Around("", ": unknown signal name"),
        /// What `kill -l` and `kill -L` do.
        kill_list: KillList = KillList::One,
    }

    /// `ulimit` and `umask`
    pub(crate) struct ProcessLimits {
        /// The letters of `ulimit`, in the order of `ulimit -a`.
        rows: &'static [LimitRow] = limit_rows::DASH,
        /// A line of `ulimit -a`.
        line: LimitLine = LimitLine::Name,
        /// Whether `ulimit -f hard` means the limit that there is (bash).
        hard_and_soft: bool = false,
        /// Whether a number that is too large is an error (bash); elsewhere it is no limit.
        large_is_error: bool = false,
        /// The largest mask in octal digits.
        largest_mask: u32 = u32::MAX,
        /// Whether `umask ''` changes nothing (dash); elsewhere it is wrong.
        empty_mask: bool = true,
        /// Whether a symbolic mask may end in a comma (dash).
        mask_may_end_in_comma: bool = true,
        /// What stands between the commas of a symbolic mask.
        mask_clause: MaskClause = MaskClause::Changes { copies: true, sets: false },
        /// Whether `umask -S mask` shows the mask that it sets (bash).
        shows_new_mask: bool = false,
        /// Of a mask with wrong digits.
        bad_mask_number: Around = Around("Illegal number: ", ""),
        /// Of a mask with something else for an operator.
        bad_mask_operator: fn(word: &[u8], byte: u8) -> Vec<u8> =
            |word, _| Around("Illegal mode: ", "").of(word),
        /// Of a mask with something else for a permission.
        bad_mask_permission: fn(word: &[u8], byte: u8) -> Vec<u8> =
            |word, _| Around("Illegal mode: ", "").of(word),
    }
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

/// How `kill -l` lists all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SignalList {
    /// dash: a line for each, with one for 0.
    LinesFromZero,
    /// bash: in columns with numbers.
    Columns,
    /// ksh: a line for each.
    Lines,
}

/// What `kill -l` and `kill -L` do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KillList {
    /// dash: `-l` explains one operand, with errors of its own; there is no `-L`.
    One,
    /// bash: they do the same.
    Any,
    /// ksh: `-L` lists in columns.
    AnyInColumns,
}

/// A line of `ulimit -a`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LimitLine {
    /// dash: the name and the value.
    Name,
    /// bash: the name, the unit and the letter, and the value.
    NameUnitLetter,
    /// ksh: the name, the letter and the value.
    NameLetter,
}

/// What stands between the commas of a symbolic mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MaskClause {
    /// bash: one change.
    One,
    /// dash and ksh: any number of changes.
    Changes {
        /// dash: `g=u` copies what was allowed; in ksh `t` is a permission instead.
        copies: bool,
        /// ksh: letters without an operator are set.
        sets: bool,
    },
}
