//! What the shells differ in: names and numbers of signals.

/// Names and numbers of signals.
pub(crate) struct Signals {
    /// Whether signal 16 is STKFLT: dash has no name for it.
    pub(crate) stack_fault_has_name: bool,
    /// Whether some signals have other names in lists, and SIGEXIT and SIG15 are EXIT and
    /// 15: in ksh.
    pub(crate) has_own_names: bool,
    /// Whether SIGTERM is TERM: not in dash.
    pub(crate) sig_prefix: bool,
    /// Whether RTMIN+n goes beyond the middle of the real-time signals: not in dash.
    pub(crate) real_time_from_first: bool,
    /// Whether RTMAX-n does: in ksh.
    pub(crate) real_time_from_last: bool,
    /// Whether a signal's number may have white space and a sign before it: in bash.
    pub(crate) number_has_sign: bool,
    /// The same for `kill -l`.
    pub(crate) list_number_has_sign: bool,
    /// The conditions of `trap` that are no signals, EXIT apart.
    pub(crate) conditions: &'static [&'static str],
    /// Whether `trap` lists SIGTERM: in bash; elsewhere TERM.
    pub(crate) traps_have_prefix: bool,
    /// Whether `trap` lists the highest signal first: in ksh.
    pub(crate) traps_from_highest: bool,
    /// How `kill -l` lists all.
    pub(crate) list: SignalList,
    /// Whether `kill -l TERM` gives the number: not in dash.
    pub(crate) explains_names: bool,
    /// Whether `kill -l n` looks at the lowest seven bits only: in ksh; elsewhere 128 is
    /// taken off.
    pub(crate) explains_low_bits: bool,
    /// Whether `kill -l` knows 0 as EXIT, and gives nothing at all for 32 and 33: in bash.
    pub(crate) unnamed_are_nothing: bool,
    /// The number that `kill -l ERR` gives.
    pub(crate) error_number: u8,
    /// The number that `kill -l DEBUG` gives.
    pub(crate) debug_number: u8,
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
