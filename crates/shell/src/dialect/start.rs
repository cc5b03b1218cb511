//! What the shells differ in: what a shell begins with.

/// What a shell begins with.
pub(crate) struct Start {
    /// PATH if it is not set.
    pub(crate) path: &'static str,
    /// Whether PS1 and PS2 are set: in dash.
    pub(crate) prompts: bool,
    /// Variables that are set, whatever they were.
    pub(crate) variables: &'static [(&'static str, &'static str)],
    /// Variables that are set if they are not.
    pub(crate) usual_variables: &'static [(&'static str, &'static str)],
    /// The elements of BASH_VERSINFO; none if there is no such array.
    pub(crate) version_numbers: &'static [&'static str],
    /// Whether UID, EUID and HOSTNAME are set, and what bash tells of itself is readonly:
    /// in bash.
    pub(crate) tells_user_and_host: bool,
    /// Whether ENV is `~/.kshrc` if it is not set: in ksh.
    pub(crate) startup_file: bool,
    /// Whether SHLVL counts shells in shells.
    pub(crate) level: ShellLevel,
    /// The options of `set` that are on.
    pub(crate) options: &'static [&'static str],
    /// The shells of scripts without `#!`, looked for in turn.
    pub(crate) scripts_run_by: &'static [&'static str],
    /// The shell of such scripts if none of them is there.
    pub(crate) scripts_else_run_by: &'static str,
    /// Whether a script that comes from the standard input is read block by block, so that
    /// its commands miss what was read too much: in dash.
    pub(crate) reads_input_in_blocks: bool,
    /// Whether lines of a text for `eval` are counted from the line of the `eval`: in bash;
    /// elsewhere from 1.
    pub(crate) lines_of_evaluated_text: bool,
    /// Whether of a text that cannot be parsed the lines before are run: in bash.
    pub(crate) runs_readable_lines: bool,
    /// Whether `exec ''` is not found: in bash; elsewhere a directory is, which cannot be
    /// run.
    pub(crate) exec_misses_empty_name: bool,
    /// Whether a failing `exec` names the whole path, and a second time as `exec`: in bash.
    pub(crate) exec_names_path: bool,
    /// Whether a failing `exec` says of a directory that it is one: not in dash.
    pub(crate) exec_knows_directories: bool,
    /// Whether nothing is trapped any more when `exec` has failed: in ksh.
    pub(crate) failed_exec_drops_traps: bool,
}

/// Whether SHLVL counts shells in shells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShellLevel {
    /// dash: it does not.
    None,
    /// bash: from 0 to 999; more is taken for a mistake. `exec` counts down.
    Limited,
    /// ksh: whatever it was, and one.
    Any,
}
