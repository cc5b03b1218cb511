//! What has to be known of a command before it runs.

/// How commands are named and what they show.
pub(crate) struct Commands {
    /// Whether aliases count in the POSIX mode alone, as in bash: scripts are not in it.
    pub(crate) aliases_in_posix_mode: bool,
    /// Whether there are aliases that the script has not made, as in ksh.
    pub(crate) has_own_aliases: bool,
    /// The commands that can show an alias or be one's name.
    pub(crate) alias_readers: &'static [&'static [u8]],
    /// Whether a listing of all variables has `_` in it, as in bash.
    pub(crate) lists_last_argument: bool,
    /// Whether `builtin` runs the builtin whose name follows, as in bash; ksh loads one.
    pub(crate) builtin_runs: bool,
    /// Whether `set -o` has options that are not known here, as in ksh.
    pub(crate) has_other_options: bool,
    /// `shopt`, as in bash.
    pub(crate) shopt: bool,
}
