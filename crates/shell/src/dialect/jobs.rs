//! What the shells differ in: `wait`, `kill`, and jobs

use super::Around;

/// `wait`, `kill`, and jobs
pub(crate) struct JobControl {
    /// Whether `wait` says that a process is not a child: in bash.
    pub(crate) wait_tells_strangers: bool,
    /// What `wait` says of a job that there is not.
    pub(crate) no_such_job: Around,
    /// The same for `%-`.
    pub(crate) no_previous_job: Around,
    /// The status of that.
    pub(crate) no_such_job_status: i32,
    /// What `wait` says to a word that is no process.
    pub(crate) wait_bad_operand: Around,
    /// Whether the status of an interrupted `wait` is 1: in ksh; elsewhere 128 and the
    /// signal's number.
    pub(crate) interrupted_wait_is_1: bool,
    /// Whether `%%` is a job that was not waited for, and `%-` the same if there is only
    /// one: in bash.
    pub(crate) waited_is_no_current_job: bool,
    /// Whether the status of a child can be waited for once only: in ksh.
    pub(crate) forgets_waited: bool,
    /// Whether the trap on CHLD ends `wait`: in bash it runs behind the child's status.
    pub(crate) child_ends_wait: bool,
    /// Whether a signal that came before a child's end was seen ends `wait`: not in ksh.
    pub(crate) signal_beats_child: bool,
    /// Whether `kill -n 15` gives a number: not in dash.
    pub(crate) kill_has_n: bool,
    /// Whether `kill -sTERM` and `kill -n15` are understood, and `kill -s` alone is an
    /// error: in bash.
    pub(crate) kill_takes_glued_values: bool,
    /// Whether `kill -x` is an unknown option: in ksh; elsewhere an unknown signal.
    pub(crate) kill_bad_letter_is_option: bool,
    /// Whether `kill` alone tells its usage without a place: in bash.
    pub(crate) kill_usage_is_bare: bool,
    /// What `kill` says of a job that there is not.
    pub(crate) kill_bad_job: Around,
    /// What `kill` says to a word that is no process.
    pub(crate) kill_bad_process: Around,
    /// What `kill` says if a signal cannot be sent.
    pub(crate) kill_failed: fn(process: i32, why: &str) -> String,
    /// Of a signal that there is not.
    pub(crate) bad_signal: Around,
    /// What `kill -l` and `kill -L` do.
    pub(crate) kill_list: KillList,
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
