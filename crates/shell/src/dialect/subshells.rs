//! What the shells differ in: subshells, substitutions and pipelines.

/// Subshells, substitutions and pipelines.
pub(crate) struct Subshells {
    /// Whether a status above 255 of a child that a signal ended leaves a subshell: in ksh.
    pub(crate) keeps_signal_status: bool,
    /// Whether `break` in `( … )` has nothing to do with the loops around: in bash.
    pub(crate) loops_end_at_subshell: bool,
    /// Whether `$?` is that of a substitution only when the command is done: in dash.
    pub(crate) substitution_status_is_late: bool,
    /// Whether `$(<file)` is the file's text: in dash it is empty.
    pub(crate) reads_files: bool,
    /// What `set -e` is in a substitution.
    pub(crate) errors_in_substitution: SubstitutionErrors,
    /// Whether a NUL byte ends what is substituted: in ksh; elsewhere it is left out.
    pub(crate) nul_ends_output: bool,
    /// Whether PIPESTATUS has the statuses of a pipeline: in bash.
    pub(crate) pipe_status: bool,
    /// Where the last stage of a pipeline runs.
    pub(crate) last_stage: LastStage,
    /// Whether a lone command as a stage ends when nothing reads its output any more: in
    /// bash.
    pub(crate) pipe_ends_lone_command: bool,
    /// Whether `( … ) |` is one shell deeper, not two: in bash.
    pub(crate) stage_of_subshell_counts_once: bool,
    /// Whether a stage of a pipeline does not even show the traps around it: in ksh.
    pub(crate) stages_forget_traps: bool,
    /// Whether a command with `&` that redirects its standard input, be it with `<&0`,
    /// reads it: in bash; else it reads nothing.
    pub(crate) named_input_is_kept: bool,
}

/// What `set -e` is in a substitution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SubstitutionErrors {
    /// dash: it looks at every failure again, also where it did not around the substitution.
    Anew,
    /// bash: off, unless `inherit_errexit` or `posix` is on.
    Ignored,
    /// ksh: what it is around.
    Kept,
}

/// Where the last stage of a pipeline runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LastStage {
    /// dash: in a subshell.
    Subshell,
    /// bash: in the shell itself with `lastpipe`.
    Option,
    /// ksh: in the shell itself, and `$?` is 0 at its beginning.
    Shell,
}
