//! How dash runs commands.

use fewer::Errno;

use crate::dialect::*;

pub(super) const FAILURES: Failures = Failures {
    status: 2,
    reach: ErrorReach::Shell,
    unset_ends_shell: true,
    unset_in_argument_is_127: false,
    special_builtins_exit: true,
    special_failures_exit: true,
    unreadable_text_exits: true,
    unreadable_text_status: 2,
    readonly_exits_in_posix_mode: false,
    readonly_fails_command: false,
    readonly_before_command: ReadonlyPrefix::Assigned,
    readonly_default_is_2: false,
    redirect_word_is_redirect: false,
    checks_failed_redirects: true,
    unreadable_file_exits: false,
    bad_regex_is_false: false,
    bad_evaluation_fails_command: false,
    fork_status: 2,
};

pub(super) const CALLS: Calls = Calls {
    redirects_in_child: false,
    function_keeps_assignments: false,
    subscript_before_command: true,
    export_keeps_assignment: false,
    functions_know_given: false,
    traced_before: TraceTime::Never,
    assigns_before_redirecting: false,
    not_sets_pipe_status: false,
    body_status: BodyStatus::Before,
    checks_arithmetic_command: true,
    functions_have_own_traps: false,
    function_keyword_makes_scope: false,
    function_has_getopts: true,
    function_line_ends: false,
    exit_trap_runs_inside: false,
    nesting_limit: false,
    names_reader_script: true,
};

pub(super) const VARIABLES: Variables = Variables {
    computed: &[],
    integers: &[],
    arrays: &[],
    random_generator: RandomGenerator::Any,
    optind_must_be_number: true,
    set_resets_getopts: true,
    default_outlives_prefix: false,
    unset_shows_outer: false,
    local_keeps_value: true,
    local_keeps_export: false,
    prefix_hides_arrays: false,
    exports_arrays: true,
    exports_in_buckets: Some(|name| bucket(name, 39)),
    imports_functions: false,
    keeps_strange_environment: false,
    directory_stack: false,
    tilde_signs: false,
    circular_references: false,
};

pub(super) const ARRAYS: Arrays = Arrays {
    text_has_last_element: true,
    missing_first_has_length: false,
    checks_range: false,
    refuses_empty_keys: false,
    keys_make_associative: false,
    keyed_elements_are_plain: false,
    mixed_elements_are_told: false,
    keys_in_buckets: None,
    exist: false,
    unset_missing_key_fails: false,
    unset_all_elements: false,
    unset_needs_array: false,
    unset_bad_subscript_fails_builtin: false,
    unset_out_of_range: |name, _| Around("", ": subscript out of range").of(name),
    v_all_is_key: false,
};

pub(super) const EXPANSIONS: Expansions = Expansions {
    variables_make_braces: false,
    plain_pattern_signs: false,
    here_joins_with_spaces: false,
    at_joins_with_ifs: true,
    empty_last_word_ends_list: false,
    positional_has_dollar: false,
    no_words_are_set: true,
    first_word_is_empty: false,
    unset_is_not_transformed: false,
    no_words_are_empty_text: true,
    length_of_words_is_of_text: true,
    unset_array_count_is_error: false,
    slices_are_clamped: false,
    one_text_is_sliced: false,
    associative_slice_from_one: false,
    replacement: ReplacementSigns::None,
    empty_indirect_is_error: false,
};

pub(super) const PATTERNS: Patterns = Patterns {
    plain_classes: true,
    matches_dots: DotNames::Always,
    ignores_files: false,
    regex_brackets_stay: false,
    regex_signs: b"\\.[]*^$+?(){}|",
    regex_sets_words: false,
    trace_escapes_quoted_value: false,
    equal_signs_are_one: false,
};

pub(super) const SUBSHELLS: Subshells = Subshells {
    keeps_signal_status: false,
    loops_end_at_subshell: false,
    substitution_status_is_late: true,
    reads_files: false,
    errors_in_substitution: SubstitutionErrors::Anew,
    nul_ends_output: false,
    pipe_status: false,
    last_stage: LastStage::Subshell,
    pipe_ends_lone_command: false,
    stage_of_subshell_counts_once: false,
    stages_forget_traps: false,
    named_input_is_kept: false,
};

pub(super) const TRACE: Trace = Trace {
    nests: false,
    prompt_escapes: false,
    own_descriptor: false,
    hides_its_end: false,
    declarations: TracedDeclarations::Words,
    bracket_is_plain: false,
    quotes_empty_values: false,
    assignments_share_line: true,
    shows_heads: false,
    shows_empty_parts: false,
    arithmetic: Around("((", "))"),
    shows_tests: false,
    quotes_tested_words: false,
    time_format: TimeFormat::Posix,
};

pub(super) const TRAPS: Traps = Traps {
    child_trap_for_each: false,
    dies_with_status: true,
    status_before_trap: TrapStatus::Outermost,
    error_trap_of_function_waits: false,
    exit_trap_keeps_status_on_error: false,
    set_on_ignored: IgnoredTrap::Listed,
    ignores_quit: false,
    keeps_ignored_child: false,
    ignored_beside_is_for_good: true,
    runs_exit_trap_on_signal: false,
    exit_trap_survives_signal: false,
    defers_interrupt: false,
    signal_status: 128,
    resets: ResetWords::AloneOrNumber,
    bad_condition: BadCondition::SaidBare,
    no_conditions_shows_usage: false,
    subshell_hides_actions: true,
    lists_ignored: false,
    lists_running_exit: false,
    shows_action_alone: false,
};

pub(super) const SIGNALS: Signals = Signals {
    stack_fault_has_name: false,
    has_own_names: false,
    sig_prefix: false,
    real_time_from_first: false,
    real_time_from_last: false,
    number_has_sign: false,
    list_number_has_sign: true,
    conditions: &[],
    traps_have_prefix: false,
    traps_from_highest: false,
    list: SignalList::LinesFromZero,
    explains_names: false,
    explains_low_bits: false,
    unnamed_are_nothing: false,
    error_number: 66,
    debug_number: 65,
};

pub(super) const REDIRECTS: Redirects = Redirects {
    exec_opens_privately: false,
    here_document_is_file: false,
    expands_file_names: false,
    first_named_descriptor: 10,
    copies_digits_only: true,
    p_is_process: false,
    copy_of_word_is_file: false,
    bad_copy_is_ambiguous: false,
};

pub(super) const DIRECTORIES: Directories = Directories {
    tells_lost_directory: false,
    old_directory: OldDirectory::Known,
    exports_old: true,
    exports_new: true,
    lost_is_dot: false,
    physical_takes_names_off: false,
    parent: ParentPath::Names,
    tries_physical: false,
    from_lost: LostDirectory::Told,
    at_start: LostStart::ToldUnnamed,
    starts_with_tidy_path: false,
    replaces_part: false,
    extra_operand_status: None,
    unset_home_is_here: true,
    refuses_empty: false,
    checks_empty: true,
    cannot_change: |path, _| Around("can't cd to ", "").of(path),
    root_joins_plainly: false,
    print: PrintDirectory::Known,
};

pub(super) const START: Start = Start {
    path: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    prompts: true,
    variables: &[],
    usual_variables: &[],
    version_numbers: &[],
    tells_user_and_host: false,
    startup_file: false,
    level: ShellLevel::None,
    options: &[],
    scripts_run_by: &[],
    scripts_else_run_by: "/bin/sh",
    reads_input_in_blocks: true,
    lines_of_evaluated_text: false,
    runs_readable_lines: false,
    exec_misses_empty_name: false,
    exec_names_path: false,
    exec_knows_directories: false,
    failed_exec_drops_traps: false,
};

pub(super) const NUMBERS: Numbers = Numbers {
    unset_is_error: false,
    unset_in_value_is_error: false,
    values_are_expressions: false,
};

pub(super) const RUN_MESSAGES: Messages = Messages {
    unset: Around("", ": parameter not set"),
    read_only: Around("", ": is read only"),
    unset_read_only: Around("", ": is read only"),
    not_a_name: Around("", ": bad variable name"),
    export_not_a_name: Around("", ": bad variable name"),
    not_found: Around("", ": not found"),
    empty_command: (": Permission denied", 127),
    null_parameter: "parameter not set or null",
    not_assignable: Around("$", ": bad variable name"),
    cannot_write: |builtin, _| format!("{builtin}: I/O error"),
    cannot_open,
    no_here_document: |_| "Pipe call failed".into(),
    bad_descriptor: Around("", ": Bad file descriptor"),
    exec_failed: Around(": ", ""),
    place: MessagePlace::Number,
    no_directory: NoDirectory::Placed,
    unreadable_text_names_reader: true,
    program_names_reason: false,
    tells_of_signals: true,
};

/// Where dash keeps a name, in a table of so many rows: what it lists comes row by row.
pub(super) fn bucket(name: &[u8], rows: u32) -> u32 {
    let first = u32::from(name.first().copied().unwrap_or_default()) << 4;
    name.iter().fold(first, |sum, byte| sum.wrapping_add(u32::from(*byte))) % rows
}

fn cannot_open(path: &[u8], create: bool, errno: Errno, why: &str) -> Vec<u8> {
    let why = match (create, errno) {
        (false, Errno::NOENT) => "No such file",
        (true, Errno::NOENT) => "Directory nonexistent",
        _ => why,
    };
    let what: &[u8] = if create { b"cannot create " } else { b"cannot open " };
    [what, path, b": ", why.as_bytes()].concat()
}
