//! What the shells differ in: `read`, `select` and `getopts`

/// `read`, `select` and `getopts`
pub(crate) struct Reading {
    /// Whether `-p` reads from the process of `|&`: in ksh, where there is none here.
    pub(crate) p_is_process: bool,
    /// Whether a backslash in IFS only separates: in ksh.
    pub(crate) ifs_takes_backslash: bool,
    /// Whether `read` alone is an error: in dash; elsewhere it sets REPLY.
    pub(crate) needs_name: bool,
    /// Whether `name?text` has a prompt: in ksh.
    pub(crate) prompt_behind_name: bool,
    /// Whether `-t 0` only asks whether there is input: in bash.
    pub(crate) zero_timeout_asks: bool,
    /// Whether a readonly variable is found before anything is read: in ksh.
    pub(crate) checks_readonly_first: bool,
    /// Whether an escaped character counts once for `-n` and `-N`, which take the backslash
    /// away: in bash.
    pub(crate) counts_escaped: bool,
    /// Whether some of what `-n` asked for is as good as all of it: in ksh.
    pub(crate) part_succeeds: bool,
    /// Whether what came before the timeout is dropped, and the status is 1: in ksh;
    /// elsewhere 142.
    pub(crate) late_line_is_lost: bool,
    /// What a trapped signal does to `read`.
    pub(crate) interrupted: InterruptedRead,
    /// Whether REPLY keeps the blanks around a line: in bash.
    pub(crate) reply_is_whole_line: bool,
    /// Whether `select` writes a newline at the end of the input: in bash.
    pub(crate) select_ends_line: bool,
    /// Whether `select` shows PS3 without a terminal, and fills the width with columns: in
    /// bash.
    pub(crate) select_has_prompt: bool,
    /// Whether `getopts` names itself in the message about a readonly variable: in dash.
    pub(crate) getopts_names_itself: bool,
    /// Whether OPTERR=0 turns the messages of `getopts` off: in bash.
    pub(crate) getopts_can_be_quiet: bool,
    /// Whether messages about options begin with `$0`: not in dash.
    pub(crate) getopts_names_script: bool,
    /// Whether the message about what is no name does not name `getopts`: in ksh.
    pub(crate) getopts_bad_name_is_plain: bool,
}

/// What a trapped signal does to `read`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InterruptedRead {
    /// dash: it fails, before the trap runs.
    Fails,
    /// bash: it goes on behind the trap.
    GoesOn,
    /// ksh: its status is 256 and the signal's number.
    EndsWithSignal,
}
