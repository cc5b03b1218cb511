//! How bash runs commands.

use fewer::Errno;

use crate::dialect::*;

pub(super) const FAILURES: Failures = Failures {
    status: 1,
    reach: ErrorReach::Line,
    unset_ends_shell: true,
    unset_in_argument_is_127: true,
    special_builtins_exit: false,
    special_failures_exit: false,
    unreadable_text_exits: false,
    unreadable_text_status: 2,
    readonly_exits_in_posix_mode: true,
    readonly_fails_command: true,
    readonly_before_command: ReadonlyPrefix::LeftOut,
    readonly_default_is_2: true,
    redirect_word_is_redirect: false,
    checks_failed_redirects: true,
    unreadable_file_exits: true,
    bad_regex_is_false: false,
    bad_evaluation_fails_command: true,
    fork_status: 254,
};

pub(super) const CALLS: Calls = Calls {
    redirects_in_child: true,
    function_keeps_assignments: false,
    subscript_before_command: false,
    export_keeps_assignment: true,
    functions_know_given: true,
    traced_before: TraceTime::WithoutAssignments,
    assigns_before_redirecting: true,
    not_sets_pipe_status: true,
    body_status: BodyStatus::Substitution,
    checks_arithmetic_command: true,
    functions_have_own_traps: true,
    function_keyword_makes_scope: false,
    function_has_getopts: false,
    function_line_ends: false,
    exit_trap_runs_inside: true,
    nesting_limit: true,
    names_reader_script: false,
};

pub(super) const VARIABLES: Variables = Variables {
    computed: &[
        "RANDOM", "SRANDOM", "SECONDS", "LINENO", "EPOCHSECONDS", "EPOCHREALTIME", "BASHPID",
        "BASH_SUBSHELL", "PIPESTATUS", "_", "FUNCNAME", "BASH_LINENO", "BASH_SOURCE", "DIRSTACK",
    ],
    integers: &["RANDOM", "SRANDOM", "SECONDS", "BASHPID", "OPTIND"],
    arrays: &["FUNCNAME"],
    random_generator: RandomGenerator::Bash,
    optind_must_be_number: false,
    set_resets_getopts: false,
    default_outlives_prefix: true,
    unset_shows_outer: true,
    local_keeps_value: false,
    local_keeps_export: true,
    prefix_hides_arrays: true,
    exports_arrays: false,
    exports_in_buckets: None,
    imports_functions: true,
    keeps_strange_environment: true,
    directory_stack: true,
    tilde_signs: true,
    circular_references: true,
};

pub(super) const ARRAYS: Arrays = Arrays {
    text_has_last_element: true,
    missing_first_has_length: false,
    checks_range: false,
    refuses_empty_keys: true,
    keys_make_associative: false,
    keyed_elements_are_plain: true,
    mixed_elements_are_told: true,
    keys_in_buckets: Some(|key| hash(key) & 1023),
    exist: true,
    unset_missing_key_fails: false,
    unset_all_elements: true,
    unset_needs_array: true,
    unset_bad_subscript_fails_builtin: false,
    unset_out_of_range: |_, subscript| Around("[", "]: bad array subscript").of(subscript),
    v_all_is_key: true,
};

pub(super) const EXPANSIONS: Expansions = Expansions {
    variables_make_braces: false,
    plain_pattern_signs: false,
    here_joins_with_spaces: true,
    at_joins_with_ifs: false,
    empty_last_word_ends_list: false,
    positional_has_dollar: true,
    no_words_are_set: false,
    first_word_is_empty: false,
    unset_is_not_transformed: true,
    no_words_are_empty_text: false,
    length_of_words_is_of_text: false,
    unset_array_count_is_error: true,
    slices_are_clamped: false,
    one_text_is_sliced: true,
    associative_slice_from_one: true,
    replacement: ReplacementSigns::Ampersand,
    empty_indirect_is_error: true,
};

pub(super) const PATTERNS: Patterns = Patterns {
    plain_classes: false,
    matches_dots: DotNames::Option,
    ignores_files: true,
    regex_brackets_stay: true,
    regex_signs: b"\\.[]*^$+?(){}|",
    regex_sets_words: true,
    trace_escapes_quoted_value: true,
    equal_signs_are_one: false,
};

pub(super) const SUBSHELLS: Subshells = Subshells {
    keeps_signal_status: false,
    loops_end_at_subshell: true,
    substitution_status_is_late: false,
    reads_files: true,
    errors_in_substitution: SubstitutionErrors::Ignored,
    nul_ends_output: false,
    pipe_status: true,
    last_stage: LastStage::Option,
    pipe_ends_lone_command: true,
    stage_of_subshell_counts_once: true,
    stages_forget_traps: false,
    named_input_is_kept: true,
};

pub(super) const TRACE: Trace = Trace {
    nests: true,
    prompt_escapes: true,
    own_descriptor: true,
    hides_its_end: false,
    declarations: TracedDeclarations::Twice,
    bracket_is_plain: false,
    quotes_empty_values: false,
    assignments_share_line: false,
    shows_heads: true,
    shows_empty_parts: true,
    arithmetic: Around("(( ", " ))"),
    shows_tests: true,
    quotes_tested_words: false,
    time_format: TimeFormat::Variable,
};

pub(super) const TRAPS: Traps = Traps {
    child_trap_for_each: true,
    dies_with_status: false,
    status_before_trap: TrapStatus::Innermost,
    error_trap_of_function_waits: true,
    exit_trap_keeps_status_on_error: true,
    set_on_ignored: IgnoredTrap::Left,
    ignores_quit: true,
    keeps_ignored_child: true,
    ignored_beside_is_for_good: false,
    runs_exit_trap_on_signal: true,
    exit_trap_survives_signal: false,
    defers_interrupt: true,
    signal_status: 128,
    resets: ResetWords::AloneOrNumberIfKnown,
    bad_condition: BadCondition::Invalid,
    no_conditions_shows_usage: true,
    subshell_hides_actions: false,
    lists_ignored: true,
    lists_running_exit: true,
    shows_action_alone: false,
};

pub(super) const SIGNALS: Signals = Signals {
    stack_fault_has_name: true,
    has_own_names: false,
    sig_prefix: true,
    real_time_from_first: true,
    real_time_from_last: false,
    number_has_sign: true,
    list_number_has_sign: true,
    conditions: &["ERR", "DEBUG", "RETURN"],
    traps_have_prefix: true,
    traps_from_highest: false,
    list: SignalList::Columns,
    explains_names: true,
    explains_low_bits: false,
    unnamed_are_nothing: true,
    error_number: 66,
    debug_number: 65,
};

pub(super) const REDIRECTS: Redirects = Redirects {
    exec_opens_privately: false,
    here_document_is_file: false,
    expands_file_names: true,
    first_named_descriptor: 10,
    copies_digits_only: false,
    p_is_process: false,
    copy_of_word_is_file: true,
    bad_copy_is_ambiguous: true,
};

pub(super) const DIRECTORIES: Directories = Directories {
    tells_lost_directory: true,
    old_directory: OldDirectory::Variable,
    exports_old: true,
    exports_new: false,
    lost_is_dot: true,
    physical_takes_names_off: false,
    parent: ParentPath::Asked,
    tries_physical: true,
    from_lost: LostDirectory::Silent,
    at_start: LostStart::Told,
    starts_with_tidy_path: true,
    replaces_part: false,
    extra_operand_status: Some(1),
    unset_home_is_here: false,
    refuses_empty: false,
    checks_empty: false,
    cannot_change: |path, why| [path, b": ", why.as_bytes()].concat(),
    root_joins_plainly: false,
    print: PrintDirectory::KnownOrAsked,
};

pub(super) const START: Start = Start {
    path: "/usr/local/bin:/usr/local/sbin:/usr/bin:/usr/sbin:/bin:/sbin:.",
    prompts: false,
    variables: BASH_VARIABLES,
    usual_variables: &[],
    version_numbers: &["5", "2", "15", "1", "release", "x86_64-pc-linux-gnu"],
    tells_user_and_host: true,
    startup_file: false,
    level: ShellLevel::Limited,
    options: &["hashall", "braceexpand", "interactive-comments"],
    scripts_run_by: &[],
    scripts_else_run_by: "/bin/bash",
    reads_input_in_blocks: false,
    lines_of_evaluated_text: true,
    runs_readable_lines: true,
    exec_misses_empty_name: true,
    exec_names_path: true,
    exec_knows_directories: true,
    failed_exec_drops_traps: false,
};

pub(super) const NUMBERS: Numbers =
    Numbers { unset_is_error: true, unset_in_value_is_error: false, values_are_expressions: true };

pub(super) const RUN_MESSAGES: Messages = Messages {
    unset: Around("", ": unbound variable"),
    read_only: Around("", ": readonly variable"),
    unset_read_only: Around("", ": cannot unset: readonly variable"),
    not_a_name: Around("`", "': not a valid identifier"),
    export_not_a_name: Around("`", "': not a valid identifier"),
    not_found: Around("", ": command not found"),
    empty_command: (": command not found", 127),
    null_parameter: "parameter null or not set",
    not_assignable: Around("$", ": cannot assign in this way"),
    cannot_write: |builtin, why| format!("{builtin}: write error: {why}"),
    cannot_open,
    no_here_document: |why| format!("cannot create temp file for here-document: {why}"),
    bad_descriptor: Around("", ": Bad file descriptor"),
    exec_failed: Around(": ", ""),
    place: MessagePlace::Line,
    no_directory: NoDirectory::Bare,
    unreadable_text_names_reader: false,
    program_names_reason: true,
    tells_of_signals: false,
};

/// The hash that bash's tables use (FNV).
pub(super) fn hash(key: &[u8]) -> u32 {
    key.iter()
        .fold(2_166_136_261, |hash: u32, byte| hash.wrapping_mul(16_777_619) ^ u32::from(*byte))
}

const BASH_VARIABLES: &[(&str, &str)] = &[
    ("BASH", "/bin/bash"),
    ("BASH_VERSION", "5.2.15(1)-release"),
    ("OSTYPE", "linux-gnu"),
    ("HOSTTYPE", "x86_64"),
    ("MACHTYPE", "x86_64-pc-linux-gnu"),
    ("OPTERR", "1"),
    ("SHELLOPTS", "braceexpand:hashall:interactive-comments"),
];

fn cannot_open(path: &[u8], _: bool, errno: Errno, why: &str) -> Vec<u8> {
    let why = if errno == Errno::EXIST { "cannot overwrite existing file" } else { why };
    [path, b": ", why.as_bytes()].concat()
}
