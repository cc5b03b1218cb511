//! How ksh runs commands.

use fewer::Errno;

use crate::dialect::*;

pub(super) const FAILURES: Failures = Failures {
    status: 1,
    reach: ErrorReach::Text,
    unset_ends_shell: false,
    unset_in_argument_is_127: false,
    special_builtins_exit: true,
    special_failures_exit: true,
    unreadable_text_exits: false,
    unreadable_text_status: 3,
    readonly_exits_in_posix_mode: false,
    readonly_fails_command: false,
    readonly_before_command: ReadonlyPrefix::CommandLeftOut,
    readonly_default_is_2: false,
    redirect_word_is_redirect: true,
    checks_failed_redirects: false,
    unreadable_file_exits: false,
    bad_regex_is_false: true,
    bad_evaluation_fails_command: false,
    fork_status: 254,
};

pub(super) const CALLS: Calls = Calls {
    redirects_in_child: false,
    function_keeps_assignments: true,
    subscript_before_command: true,
    export_keeps_assignment: false,
    functions_know_given: false,
    traced_before: TraceTime::Always,
    assigns_before_redirecting: true,
    not_sets_pipe_status: false,
    body_status: BodyStatus::SubstitutionStays,
    checks_arithmetic_command: false,
    functions_have_own_traps: false,
    function_keyword_makes_scope: true,
    function_has_getopts: false,
    function_line_ends: true,
    exit_trap_runs_inside: false,
    nesting_limit: false,
    names_reader_script: true,
};

pub(super) const VARIABLES: Variables = Variables {
    computed: &["RANDOM", "SECONDS", "LINENO", ".sh.subshell"],
    integers: &[],
    arrays: &[],
    random_generator: RandomGenerator::Any,
    optind_must_be_number: false,
    set_resets_getopts: false,
    default_outlives_prefix: false,
    unset_shows_outer: false,
    local_keeps_value: false,
    local_keeps_export: false,
    prefix_hides_arrays: false,
    exports_arrays: true,
    exports_in_buckets: None,
    imports_functions: false,
    keeps_strange_environment: true,
    directory_stack: false,
    tilde_signs: true,
    circular_references: false,
};

pub(super) const ARRAYS: Arrays = Arrays {
    text_has_last_element: false,
    missing_first_has_length: true,
    checks_range: true,
    refuses_empty_keys: false,
    keys_make_associative: true,
    keyed_elements_are_plain: false,
    mixed_elements_are_told: false,
    keys_in_buckets: None,
    exist: true,
    unset_missing_key_fails: true,
    unset_all_elements: false,
    unset_needs_array: false,
    unset_bad_subscript_fails_builtin: true,
    unset_out_of_range: |name, _| Around("", ": subscript out of range").of(name),
    v_all_is_key: false,
};

pub(super) const EXPANSIONS: Expansions = Expansions {
    variables_make_braces: true,
    plain_pattern_signs: true,
    here_joins_with_spaces: false,
    at_joins_with_ifs: false,
    empty_last_word_ends_list: true,
    positional_has_dollar: false,
    no_words_are_set: false,
    first_word_is_empty: true,
    unset_is_not_transformed: false,
    no_words_are_empty_text: false,
    length_of_words_is_of_text: false,
    unset_array_count_is_error: false,
    slices_are_clamped: true,
    one_text_is_sliced: false,
    associative_slice_from_one: false,
    replacement: ReplacementSigns::Backslash,
    empty_indirect_is_error: false,
};

pub(super) const PATTERNS: Patterns = Patterns {
    plain_classes: false,
    matches_dots: DotNames::Never,
    ignores_files: false,
    regex_brackets_stay: false,
    regex_signs: b"\\[]*?()|",
    regex_sets_words: false,
    trace_escapes_quoted_value: false,
    equal_signs_are_one: true,
};

pub(super) const SUBSHELLS: Subshells = Subshells {
    keeps_signal_status: true,
    loops_end_at_subshell: false,
    substitution_status_is_late: false,
    reads_files: true,
    errors_in_substitution: SubstitutionErrors::Kept,
    nul_ends_output: true,
    pipe_status: false,
    last_stage: LastStage::Shell,
    pipe_ends_lone_command: false,
    stage_of_subshell_counts_once: false,
    stages_forget_traps: true,
    named_input_is_kept: false,
};

pub(super) const TRACE: Trace = Trace {
    nests: false,
    prompt_escapes: false,
    own_descriptor: false,
    hides_its_end: true,
    declarations: TracedDeclarations::Values,
    bracket_is_plain: true,
    quotes_empty_values: true,
    assignments_share_line: false,
    shows_heads: false,
    shows_empty_parts: false,
    arithmetic: Around("((", "))"),
    shows_tests: true,
    quotes_tested_words: true,
    time_format: TimeFormat::Usual,
};

pub(super) const TRAPS: Traps = Traps {
    child_trap_for_each: false,
    dies_with_status: true,
    status_before_trap: TrapStatus::None,
    error_trap_of_function_waits: false,
    exit_trap_keeps_status_on_error: false,
    set_on_ignored: IgnoredTrap::ListedEmpty,
    ignores_quit: false,
    keeps_ignored_child: false,
    ignored_beside_is_for_good: true,
    runs_exit_trap_on_signal: true,
    exit_trap_survives_signal: true,
    defers_interrupt: false,
    signal_status: 256,
    resets: ResetWords::Number,
    bad_condition: BadCondition::Said,
    no_conditions_shows_usage: false,
    subshell_hides_actions: false,
    lists_ignored: false,
    lists_running_exit: false,
    shows_action_alone: true,
};

pub(super) const SIGNALS: Signals = Signals {
    stack_fault_has_name: true,
    has_own_names: true,
    sig_prefix: true,
    real_time_from_first: true,
    real_time_from_last: true,
    number_has_sign: false,
    list_number_has_sign: false,
    conditions: &["ERR", "DEBUG", "KEYBD"],
    traps_have_prefix: false,
    traps_from_highest: true,
    list: SignalList::Lines,
    explains_names: true,
    explains_low_bits: true,
    unnamed_are_nothing: false,
    error_number: 128,
    debug_number: 132,
};

pub(super) const REDIRECTS: Redirects = Redirects {
    exec_opens_privately: true,
    here_document_is_file: true,
    expands_file_names: false,
    first_named_descriptor: 11,
    copies_digits_only: false,
    p_is_process: true,
    copy_of_word_is_file: false,
    bad_copy_is_ambiguous: false,
};

pub(super) const DIRECTORIES: Directories = Directories {
    tells_lost_directory: false,
    old_directory: OldDirectory::KnownOrDot,
    exports_old: false,
    exports_new: false,
    lost_is_dot: true,
    physical_takes_names_off: true,
    parent: ParentPath::NamesFromRoot,
    tries_physical: false,
    from_lost: LostDirectory::Error,
    at_start: LostStart::Believed,
    starts_with_tidy_path: false,
    replaces_part: true,
    extra_operand_status: Some(2),
    unset_home_is_here: false,
    refuses_empty: true,
    checks_empty: false,
    cannot_change: |path, why| [path, b": [", why.as_bytes(), b"]"].concat(),
    root_joins_plainly: true,
    print: PrintDirectory::Checked,
};

pub(super) const START: Start = Start {
    path: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    prompts: false,
    variables: &[("KSH_VERSION", "Version AJM 93u+m/1.0.4 2022-10-22")],
    usual_variables: KSH_VARIABLES,
    version_numbers: &[],
    tells_user_and_host: false,
    startup_file: true,
    level: ShellLevel::Any,
    options: &["hashall", "braceexpand"],
    scripts_run_by: &["ksh93", "ksh"],
    scripts_else_run_by: "/bin/sh",
    reads_input_in_blocks: false,
    lines_of_evaluated_text: false,
    runs_readable_lines: false,
    exec_misses_empty_name: false,
    exec_names_path: false,
    exec_knows_directories: true,
    failed_exec_drops_traps: true,
};

pub(super) const NUMBERS: Numbers =
    Numbers { unset_is_error: true, unset_in_value_is_error: true, values_are_expressions: true };

pub(super) const RUN_MESSAGES: Messages = Messages {
    unset: Around("", ": parameter not set"),
    read_only: Around("", ": is read only"),
    unset_read_only: Around("warning: ", ": is read only"),
    not_a_name: Around("", ": invalid variable name"),
    export_not_a_name: Around("", ": is not an identifier"),
    not_found: Around("", ": not found"),
    empty_command: (": cannot execute [Is a directory]", 126),
    null_parameter: "parameter null",
    not_assignable: Around("$", ": bad variable name"),
    cannot_write: |builtin, why| format!("{builtin}: write to 1 failed [{why}]"),
    cannot_open,
    no_here_document: |why| format!("cannot create temporary file [{why}]"),
    bad_descriptor: Around("", ": bad file unit number"),
    exec_failed: Around(": cannot execute [", "]"),
    place: MessagePlace::Calls,
    no_directory: NoDirectory::Placed,
    unreadable_text_names_reader: true,
    program_names_reason: false,
    tells_of_signals: true,
};

const KSH_VARIABLES: &[(&str, &str)] = &[
    ("PS2", "> "),
    ("PS3", "#? "),
    ("FCEDIT", "ed"),
    ("HISTCMD", "0"),
    ("JOBMAX", "0"),
    ("MAILCHECK", "600"),
    ("SHELL", "/bin/sh"),
    ("TMOUT", "0"),
];

fn cannot_open(path: &[u8], create: bool, _: Errno, why: &str) -> Vec<u8> {
    let what: &[u8] = if create { b": cannot create [" } else { b": cannot open [" };
    [path, what, why.as_bytes(), b"]"].concat()
}
