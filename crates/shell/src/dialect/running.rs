//! How commands run, how far their errors reach, and what is said of them.

use fewer::Errno;

use super::Around;

area! {
    /// How far an error reaches, and which status it leaves.
    pub(crate) struct Failures {
        /// The status of a command that is wrong, or cannot be done: 2 in dash, 1 in bash and ksh.
        status: i32 = 2,
        /// What an error of an expansion, an assignment or an evaluation ends.
        reach: ErrorReach = ErrorReach::Shell,
        /// Whether a parameter that `set -u` misses ends the shell (not ksh).
        unset_ends_shell: bool = true,
        /// Whether an unset parameter in a script of `-c` is 127 (bash, but in subshells).
        unset_in_argument_is_127: bool = false,
        /// Whether the error of a special builtin ends the shell: in bash only in POSIX mode.
        special_builtins_exit: bool = true,
        /// Whether it does so after any failure: in bash (in POSIX mode) only after a wrong use.
        special_failures_exit: bool = true,
        /// Whether a text that `eval` or `.` cannot parse ends the shell: in dash it does.
        unreadable_text_exits: bool = true,
        /// The status that such a text leaves.
        unreadable_text_status: i32 = 2,
        /// Whether an assignment to a readonly variable ends the shell in POSIX mode (bash).
        readonly_exits_in_posix_mode: bool = false,
        /// Whether a readonly variable only fails the `for`, `select`, `read` that sets it (bash).
        readonly_fails_command: bool = false,
        /// What becomes of `fixed=1 command` where `fixed` is readonly.
        readonly_before_command: ReadonlyPrefix = ReadonlyPrefix::Assigned,
        /// Whether `${fixed:=word}` leaves the status 2 in a script that is a file (bash).
        readonly_default_is_2: bool = false,
        /// Whether a bad word of a redirection is like a file that cannot be opened (ksh).
        redirect_word_is_redirect: bool = false,
        /// Whether `set -e` and ERR see a compound command's failed redirections (not ksh).
        checks_failed_redirects: bool = true,
        /// Whether `$(<file)` of an unreadable file ends the shell under `set -e` (bash).
        unreadable_file_exits: bool = false,
        /// Whether `[[ a =~ b ]]` with a wrong expression is false (ksh), or an error, status 2.
        bad_regex_is_false: bool = false,
        /// Whether wrong arithmetic in `((…))`, `for ((…))` only makes it fail (bash).
        bad_evaluation_fails_command: bool = false,
        /// Whether the status is 2 whatever the reason why a script cannot be read (dash).
        one_status: bool = true,
        /// The status of a shell that cannot make a process.
        fork_status: i32 = 2,
    }

    /// What the shell says of expansions, redirections and commands.
    pub(crate) struct Messages {
        /// Of a parameter that `set -u` misses.
        unset: Around = Around("", ": parameter not set"),
        /// Of a variable that may not be changed.
        read_only: Around = Around("", ": is read only"),
        /// Of a variable that may not be unset.
        unset_read_only: Around = Around("", ": is read only"),
        /// Of a word that cannot be a variable's name.
        not_a_name: Around = Around("", ": bad variable name"),
        /// The same, said by `export` and `readonly`.
        export_not_a_name: Around = Around("", ": bad variable name"),
        /// Of a command that there is not.
        not_found: Around = Around("", ": not found"),
        /// Of a command whose name is empty, and the status.
        empty_command: (&'static str, i32) = (": Permission denied", 127),
        /// Of `${x:?}` where nothing else is to be said.
        null_parameter: &'static str = "parameter not set or null",
        /// Of `${1:=word}`.
        not_assignable: Around = Around("$", ": bad variable name"),
        /// Of a builtin whose output cannot be written.
        cannot_write: fn(builtin: &str, why: &str) -> String =
            |builtin, _| format!("{builtin}: I/O error"),
        /// Of a file that a redirection cannot open.
        cannot_open: CannotOpen = cannot_open,
        /// Of a here-document for which there is no descriptor.
        no_here_document: fn(why: &str) -> String = |_| "Pipe call failed".into(),
        /// Of a descriptor that is not open.
        bad_descriptor: Around = Around("", ": Bad file descriptor"),
        /// Why `exec` cannot run a program, behind its name.
        exec_failed: Around = Around(": ", ""),
        /// What stands before a message.
        place: MessagePlace = MessagePlace::Number,
        /// How it is said that the working directory has no path.
        no_directory: NoDirectory = NoDirectory::Placed,
        /// Whether the message about a text with a fault names `eval` or the file (not bash).
        unreadable_text_names_reader: bool = true,
        /// Whether the reason why a missing program cannot be started is given (bash).
        program_names_reason: bool = false,
        /// Whether the shell says that a signal ended a child: bash, in scripts, is silent here.
        tells_of_signals: bool = true,
    }

    /// How commands are called, and what stands before them.
    pub(crate) struct Calls {
        /// Whether `${x:=1}` in a program's redirections is done in its process only (bash).
        redirects_in_child: bool = false,
        /// Whether `a=1 f` stays assigned if `f` was defined without `function` (ksh).
        function_keeps_assignments: bool = false,
        /// Whether `a[1]=x command` assigns to an element for the command's time: bash refuses it.
        subscript_before_command: bool = true,
        /// Whether `a=1 export a` keeps what was assigned for the command's time (bash).
        export_keeps_assignment: bool = false,
        /// Whether `local a` takes over `a=1` from before the function's name (bash).
        functions_know_given: bool = false,
        /// Whether `set -x` shows a command before its redirections and assignments are done.
        traced_before: TraceTime = TraceTime::Never,
        /// Whether assignments alone are done before redirections beside them (not dash).
        assigns_before_redirecting: bool = false,
        /// Whether `! command` sets PIPESTATUS (bash).
        not_sets_pipe_status: bool = false,
        /// What `$?` is behind the words of a `for` or `case` in which something was substituted.
        body_status: BodyStatus = BodyStatus::Before,
        /// Whether `set -e` looks at `((…))`: in ksh what it comes to is no failure.
        checks_arithmetic_command: bool = true,
        /// Whether the traps on DEBUG, ERR and RETURN are put away in functions (bash).
        functions_have_own_traps: bool = false,
        /// Whether `function f` has variables, options and traps, and `f()` no locals (ksh).
        function_keyword_makes_scope: bool = false,
        /// Whether `getopts` begins anew in each function (dash).
        function_has_getopts: bool = true,
        /// Whether the line is that of the call again when a function or subshell ends (ksh).
        function_line_ends: bool = false,
        /// Whether `exit` runs its trap where it stands, within function and redirections (bash).
        exit_trap_runs_inside: bool = false,
        /// Whether FUNCNEST limits how deep functions call each other (bash).
        nesting_limit: bool = false,
        /// Whether `.` makes its file the script that messages name (not bash).
        names_reader_script: bool = true,
    }

    /// Subshells, substitutions and pipelines.
    pub(crate) struct Subshells {
        /// Whether a status above 255 of a child that a signal ended leaves a subshell (ksh).
        keeps_signal_status: bool = false,
        /// Whether `break` in `( … )` has nothing to do with the loops around (bash).
        loops_end_at_subshell: bool = false,
        /// Whether `$?` is that of a substitution only when the command is done (dash).
        substitution_status_is_late: bool = true,
        /// Whether `$(<file)` is the file's text: in dash it is empty.
        reads_files: bool = false,
        /// What `set -e` is in a substitution.
        errors_in_substitution: SubstitutionErrors = SubstitutionErrors::Anew,
        /// Whether a NUL byte ends what is substituted (ksh); elsewhere it is left out.
        nul_ends_output: bool = false,
        /// Whether PIPESTATUS has the statuses of a pipeline (bash).
        pipe_status: bool = false,
        /// Where the last stage of a pipeline runs.
        last_stage: LastStage = LastStage::Subshell,
        /// Whether a lone command as a stage ends when nothing reads its output any more (bash).
        pipe_ends_lone_command: bool = false,
        /// Whether `( … ) |` is one shell deeper, not two (bash).
        stage_of_subshell_counts_once: bool = false,
        /// Whether a stage of a pipeline does not even show the traps around it (ksh).
        stages_forget_traps: bool = false,
        /// Whether a command with `&` and any redirected input reads it, be it `<&0` (bash).
        named_input_is_kept: bool = false,
    }
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

/// What stands before a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MessagePlace {
    /// dash: the script and the line, `script: 3: `.
    Number,
    /// bash: `script: line 3: `, and other names of the script for functions of `-c`.
    Line,
    /// ksh: the script and each function that runs, with the lines of the calls.
    Calls,
}

/// How it is said that the working directory has no path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoDirectory {
    /// dash: like any message, `script: 3: cd: getcwd() failed: …`.
    Placed,
    /// bash: `cd: error retrieving current directory: …`, without a place.
    Bare,
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

/// What is said of a file that cannot be opened, for writing if `create`; `errno` says why.
pub(crate) type CannotOpen = fn(path: &[u8], create: bool, errno: Errno, why: &str) -> Vec<u8>;

fn cannot_open(path: &[u8], create: bool, errno: Errno, why: &str) -> Vec<u8> {
    let why = match (create, errno) {
        (false, Errno::NOENT) => "No such file",
        (true, Errno::NOENT) => "Directory nonexistent",
        _ => why,
    };
    let what: &[u8] = if create { b"cannot create " } else { b"cannot open " };
    [what, path, b": ", why.as_bytes()].concat()
}
