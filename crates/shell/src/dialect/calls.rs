//! What the shells differ in: how commands are called, and what stands before them.

/// How commands are called, and what stands before them.
pub(crate) struct Calls {
    /// Whether a program's redirections are expanded in its process, so that `${x:=1}` in
    /// them does not stay: in bash.
    pub(crate) redirects_in_child: bool,
    /// Whether `a=1 f` stays assigned after a function that was not defined with
    /// `function`: in ksh.
    pub(crate) function_keeps_assignments: bool,
    /// Whether `a[1]=x command` assigns to an element for the command's time: bash refuses
    /// it.
    pub(crate) subscript_before_command: bool,
    /// Whether `a=1 export a` keeps what was assigned for the command's time: in bash.
    pub(crate) export_keeps_assignment: bool,
    /// Whether a `local` in a function takes over what was assigned before the function's
    /// name: in bash.
    pub(crate) functions_know_given: bool,
    /// Whether `set -x` shows a command before its redirections and assignments are done.
    pub(crate) traced_before: TraceTime,
    /// Whether assignments without a command are done before the redirections beside them:
    /// dash redirects first.
    pub(crate) assigns_before_redirecting: bool,
    /// Whether `! command` sets PIPESTATUS (bash).
    pub(crate) not_sets_pipe_status: bool,
    /// What `$?` is behind the words of a `for` or `case` in which something was
    /// substituted.
    pub(crate) body_status: BodyStatus,
    /// Whether `set -e` looks at `((…))`: in ksh what it comes to is no failure.
    pub(crate) checks_arithmetic_command: bool,
    /// Whether the traps on DEBUG, ERR and RETURN are put away in functions: in bash.
    pub(crate) functions_have_own_traps: bool,
    /// Whether `function f` has variables, options and traps of its own, and `f()` has not
    /// even locals: in ksh.
    pub(crate) function_keyword_makes_scope: bool,
    /// Whether `getopts` begins anew in each function: in dash.
    pub(crate) function_has_getopts: bool,
    /// Whether the line is that of the call again when a function or subshell ends: in ksh.
    pub(crate) function_line_ends: bool,
    /// Whether traps run where a function or a redirected command ends: in bash that on
    /// EXIT runs where `exit` stands, with the function's frame and the redirections that
    /// are there.
    pub(crate) exit_trap_runs_inside: bool,
    /// Whether FUNCNEST limits how deep functions call each other (bash).
    pub(crate) nesting_limit: bool,
    /// Whether `.` makes its file the script that messages name: bash names it by the
    /// functions that run.
    pub(crate) names_reader_script: bool,
}

/// Whether `set -x` shows a command before its redirections and assignments are done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TraceTime {
    /// dash: behind all of them.
    Never,
    /// bash: before the redirections, behind the assignments.
    WithoutAssignments,
    /// ksh: before all of them.
    Always,
}

/// What `$?` is behind the words of a `for` or `case` in which something was substituted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BodyStatus {
    /// dash: what it was before.
    Before,
    /// bash: that of the substitution; 0 behind the command if no body runs.
    Substitution,
    /// ksh: that of the substitution, also behind the command if no body runs.
    SubstitutionStays,
}
