//! What bash 5.2 does differently from POSIX sh.

use fewer::Errno;

use super::*;

/// How bash behaves.
pub(super) static PROFILE: Profile = differs! { Profile
    + multibyte;
    dialect: Dialect::Bash,
    option: b"--bash",
    programs: &[b"bash", b"rbash"],
    syntax: differs! { Syntax
        grammar: differs! { Grammar
            + double_brackets, arithmetic_commands, select, loops_in_braces, function_keyword, time,
              time_options, coproc, free_prefixes, fall_through, try_next, process_substitution,
              more_redirections, wide_descriptors, line_of_second_word, trace_shows_source;
            - outer_redirections_win, background_negation;
            pipe_and: PipeAnd::ErrorsToo,
        },
        functions: differs! { Functions
            + any_name, keyword_and_parentheses, written_anew;
            - simple_body;
            forbidden: &[],
        },
        assigned: differs! { Assigned
            + arrays, append, reads_to_bracket;
            - declaring_behind_command;
            declaring: &[b"export", b"readonly", b"local", b"typeset", b"declare"],
        },
        words: differs! { Words
            + dollar_quotes, dollar_quotes_in_operands, quotes_hide_braces, old_arithmetic,
              backquotes_read_late, colon_ends_tilde, tildes_in_arguments;
            - quotes_in_arithmetic_stay, only_arithmetic, backquotes_count_lines;
            extended_patterns: ExtendedPatterns::IfAskedFor,
            empty_at: EmptyAt::Vanishes,
        },
        braces: differs! { Braces
            + expanded, tildes_afterwards, inner_comma_counts, mixed_cases, padded_numbers,
              in_declarations, behind_subscripts, in_redirections;
        },
        parameters: differs! { Parameters
            + indirection, slices, refuses_empty_slice, replacement, slash_in_pattern,
              ampersand_in_replacement, case_changes, transformations, refuses_empty_subscript;
        },
        here_documents: differs! { HereDocuments
            + read_late, continued_delimiter, ends_last_line, backquotes_keep_quotes,
              star_has_blanks;
            in_substitution: UnfinishedHere::BehindTheLine,
        },
        errors: differs! { SyntaxErrors
            + end_is_a_line;
            - open_expansion_is_open_quote;
            unmatched: |end| {
                let end = if end == "))" { ")" } else { end };
                format!("unexpected EOF while looking for matching `{end}'")
            },
            unexpected: unexpected,
            no_word_at_end: Some("syntax error near unexpected token `newline'"),
            redirection_for_word: None,
            bad_substitution: "not supported: bad substitution",
            bad_loop_variable: None,
            bad_function_name: None,
        },
        left: differs! { LeftToItsShell
            + braces_behind_names;
            variables: &[
                b"BASH_ALIASES", b"BASH_ARGC", b"BASH_ARGV", b"BASH_ARGV0", b"BASH_CMDS",
                b"BASH_COMMAND", b"GROUPS",
            ],
        },
    },
    commands: differs! { Commands + aliases_in_posix_mode, lists_last_argument, shopt; },
    arithmetic: differs! { Arithmetic
        + empty_is_zero, comma, power, steps_once;
        - reads_target_last;
        doubled_sign: DoubledSign::StepOrSigns,
        constants: Constants::CAndBases,
        errors: differs! { ArithmeticErrors
            message: |wrong| {
                let (read, what) = (wrong.read.trim_ascii_start(), wrong.what.as_bytes());
                [read, b": ", what, b" (error token is \"", wrong.token, b"\")"].concat()
            },
            division_by_zero: "division by 0",
            negative_exponent: "exponent less than 0",
            floating_point: "syntax error in expression",
            unexpected_end: "syntax error: operand expected",
            operand_expected: "syntax error: operand expected",
            trailing_text: "syntax error in expression",
            invalid_operator: "syntax error: invalid arithmetic operator",
            not_a_variable: "attempted assignment to non-variable",
            increment_of_a_value: "++: assignment requires lvalue",
            decrement_of_a_value: "--: assignment requires lvalue",
            missing_parenthesis: "missing `)'",
            missing_colon: "`:' expected for conditional expression",
            empty_choice: "expression expected",
            bad_subscript: "bad array subscript",
            digit_too_great: "value too great for base",
            invalid_base: "invalid arithmetic base",
            no_digits: "invalid integer constant",
            invalid_number: "invalid number",
            too_deep: "expression recursion level exceeded",
        },
    },
    conditions: differs! { Conditions
        + more_operators, prefix_comes_first;
        - terminal_needs_a_number, ages_need_both;
        no_bracket: "missing `]'",
        binary_tests: BinaryTests::WithAndOr,
        no_unary_operator: |first| Some(Around("", ": unary operator expected").of(first)),
        left_over: LeftOver::TooManyArguments,
        no_operand: Some("argument expected"),
        no_parenthesis: |instead| match instead {
            Some(word) => Around("`)' expected, found ", "").of(word),
            None => b"`)' expected".to_vec(),
        },
        not_a_number: NotANumber::Error(Around("", ": integer expression expected")),
    },
    formats: differs! { Formats
        echo: differs! { Echo
            - one_option, escapes;
            are_options: |letters| letters.iter().all(|letter| b"neE".contains(letter)),
        },
        escapes: differs! { EscapeRules
            + capital_e, quotes;
            by_number: EscapesByNumber::Anywhere,
            octal_zero: OctalZero::InEcho,
        },
        printf: differs! { Printf
            + modifiers, negative_precision, quotes_nothing, long_doubles;
            - out_of_range_fails;
            letters: b"qnTQ",
            no_letter: |directive| Some(Around("`%", "': missing format character").of(directive)),
            unknown_letter: |directive| {
                let letter = &directive[directive.len().saturating_sub(1)..];
                Around("`", "': invalid format character").of(letter)
            },
            too_large: "Value too large for defined data type",
            flaw_status: 1,
            time_bytes: 127,
            not_a_number: |text, _| {
                let kind = match text {
                    [b'0', b'x' | b'X', ..] => ": invalid hex number",
                    [b'0', digit, ..] if digit.is_ascii_digit() => ": invalid octal number",
                    _ => ": invalid number",
                };
                Around("", kind).of(text)
            },
            out_of_range: Around("warning: ", ": Numerical result out of range"),
        },
        getopts: differs! { GetoptsRules
            + unsets_argument, unsets_at_end;
            - wraps, index_is_ahead;
            unknown: Around("illegal option -- ", ""),
            no_argument: Around("option requires an argument -- ", ""),
        },
        splitting: differs! { Splitting
            + joins_expansions;
            - keeps_escaped;
            words_are_joined: JoinedWords::IfIfsBeginsWithWhite,
        },
        quoting: Quoting::ByPurpose,
    },
    failures: differs! { Failures
        + unset_in_argument_is_127, readonly_exits_in_posix_mode, readonly_fails_command,
          readonly_default_is_2, unreadable_file_exits, bad_evaluation_fails_command;
        - special_builtins_exit, special_failures_exit, unreadable_text_exits, one_status;
        status: 1,
        reach: ErrorReach::Line,
        readonly_before_command: ReadonlyPrefix::LeftOut,
        fork_status: 254,
    },
    messages: differs! { Messages
        + program_names_reason;
        - unreadable_text_names_reader, tells_of_signals;
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
        cannot_open: cannot_open,
        no_here_document: |why| format!("cannot create temp file for here-document: {why}"),
        place: MessagePlace::Line,
        no_directory: NoDirectory::Bare,
    },
    calls: differs! { Calls
        + redirects_in_child, export_keeps_assignment, functions_know_given,
          assigns_before_redirecting, not_sets_pipe_status, functions_have_own_traps,
          exit_trap_runs_inside, nesting_limit;
        - subscript_before_command, function_has_getopts, names_reader_script;
        traced_before: TraceTime::WithoutAssignments,
        body_status: BodyStatus::Substitution,
    },
    subshells: differs! { Subshells
        + loops_end_at_subshell, reads_files, pipe_status, pipe_ends_lone_command,
          stage_of_subshell_counts_once, named_input_is_kept;
        - substitution_status_is_late;
        errors_in_substitution: SubstitutionErrors::Ignored,
        last_stage: LastStage::Option,
    },
    start: differs! { Start
        + tells_user_and_host, lines_of_evaluated_text, runs_readable_lines, exec_misses_empty_name,
          exec_names_path, exec_knows_directories, long_options;
        - prompts, reads_input_in_blocks;
        path: "/usr/local/bin:/usr/local/sbin:/usr/bin:/usr/sbin:/bin:/sbin:.",
        variables: &[
            ("BASH", "/bin/bash"), ("BASH_VERSION", "5.2.15(1)-release"), ("OSTYPE", "linux-gnu"),
            ("HOSTTYPE", "x86_64"), ("MACHTYPE", "x86_64-pc-linux-gnu"), ("OPTERR", "1"),
            ("SHELLOPTS", "braceexpand:hashall:interactive-comments"),
        ],
        version_numbers: &["5", "2", "15", "1", "release", "x86_64-pc-linux-gnu"],
        startup_variable: Some("BASH_ENV"),
        level: ShellLevel::Limited,
        options: &["hashall", "braceexpand", "interactive-comments"],
        scripts_else_run_by: "/bin/bash",
    },
    set: differs! { SetOptions
        + flag_of_argument, lists_functions, variables_tell_options;
        - e_is_emacs, flags_in_list_order;
        names: option_names::BASH,
        letters: b"abefhkmnptuvxBCEHPT",
        flag_of_source: SourceFlag::Last,
        bad_name: Around("", ": invalid option name"),
        table: OptionTable::Tabs,
    },
    trace: differs! { Trace
        + nests, prompt_escapes, own_descriptor, shows_heads, shows_empty_parts, shows_tests;
        - assignments_share_line;
        declarations: TracedDeclarations::Twice,
        arithmetic: Around("(( ", " ))"),
        time_format: TimeFormat::Variable,
    },
    values: differs! { Values
        variables: differs! { Variables
            + default_outlives_prefix, unset_shows_outer, local_keeps_export, prefix_hides_arrays,
              imports_functions, keeps_strange_environment, directory_stack, tilde_signs,
              circular_references;
            - optind_must_be_number, set_resets_getopts, local_keeps_value, exports_arrays;
            computed: &[
                "RANDOM", "SRANDOM", "SECONDS", "LINENO", "EPOCHSECONDS", "EPOCHREALTIME",
                "BASHPID", "BASH_SUBSHELL", "PIPESTATUS", "_", "FUNCNAME", "BASH_LINENO",
                "BASH_SOURCE", "DIRSTACK",
            ],
            integers: &["RANDOM", "SRANDOM", "SECONDS", "BASHPID", "OPTIND"],
            arrays: &["FUNCNAME"],
            random_generator: RandomGenerator::Bash,
            exports_in_buckets: None,
        },
        arrays: differs! { Arrays
            + refuses_empty_keys, keyed_elements_are_plain, mixed_elements_are_told, exist,
              unset_all_elements, unset_needs_array, v_all_is_key;
            keys_in_buckets: Some(|key| hash(key) & 1023),
            unset_out_of_range: |_, subscript| Around("[", "]: bad array subscript").of(subscript),
        },
        expansions: differs! { Expansions
            + here_joins_with_spaces, positional_has_dollar, unset_is_not_transformed,
              unset_array_count_is_error, one_text_is_sliced, associative_slice_from_one,
              empty_indirect_is_error;
            - at_joins_with_ifs, no_words_are_set, no_words_are_empty_text,
              length_of_words_is_of_text;
            replacement: ReplacementSigns::Ampersand,
        },
        patterns: differs! { Patterns
            + ignores_files, regex_brackets_stay, regex_sets_words, trace_escapes_quoted_value;
            - plain_classes;
            matches_dots: DotNames::Option,
        },
        numbers: differs! { Numbers + unset_is_error, values_are_expressions; },
    },
    processes: differs! { Processes
        traps: differs! { Traps
            + child_trap_for_each, error_trap_of_function_waits, exit_trap_keeps_status_on_error,
              ignores_quit, keeps_ignored_child, runs_exit_trap_on_signal, defers_interrupt,
              no_conditions_shows_usage, lists_ignored, lists_running_exit;
            - dies_with_status, ignored_beside_is_for_good, subshell_hides_actions;
            status_before_trap: TrapStatus::Innermost,
            set_on_ignored: IgnoredTrap::Left,
            resets: ResetWords::AloneOrNumberIfKnown,
            bad_condition: BadCondition::Invalid,
        },
        signals: differs! { Signals
            + stack_fault_has_name, sig_prefix, real_time_from_first, number_has_sign,
              traps_have_prefix, explains_names, unnamed_are_nothing;
            conditions: &["ERR", "DEBUG", "RETURN"],
            list: SignalList::Columns,
        },
        jobs: differs! { JobControl
            + wait_tells_strangers, waited_is_no_current_job, kill_has_n, kill_takes_glued_values,
              kill_usage_is_bare;
            - child_ends_wait;
            no_such_job: Around("", ": no such job"),
            no_previous_job: Around("%-", ": no such job"),
            no_such_job_status: 127,
            wait_bad_operand: Around("`", "': not a pid or valid job spec"),
            kill_bad_job: Around("", ": no such job"),
            kill_bad_process: Around("", ": arguments must be process or job IDs"),
            kill_failed: |process, why| format!("({process}) - {why}"),
            bad_signal: Around("", ": invalid signal specification"),
            kill_list: KillList::Any,
        },
        limits: differs! { ProcessLimits
            + hard_and_soft, large_is_error, shows_new_mask;
            - empty_mask, mask_may_end_in_comma;
            rows: limit_rows::BASH,
            line: LimitLine::NameUnitLetter,
            largest_mask: 0o7777,
            mask_clause: MaskClause::One,
            bad_mask_number: Around("", ": octal number out of range"),
            bad_mask_operator:
                |_, byte| Around("`", "': invalid symbolic mode operator").of([byte]),
            bad_mask_permission:
                |_, byte| Around("`", "': invalid symbolic mode character").of([byte]),
        },
    },
    files: differs! { Files
        redirects: differs! { Redirects
            + expands_file_names, copy_of_word_is_file, bad_copy_is_ambiguous;
            - copies_digits_only;
        },
        directories: differs! { Directories
            + tells_lost_directory, lost_is_dot, tries_physical, starts_with_tidy_path;
            - exports_new, unset_home_is_here, checks_empty;
            old_directory: OldDirectory::Variable,
            parent: ParentPath::Checked,
            from_lost: LostDirectory::Silent,
            at_start: LostStart::Told,
            extra_operand_status: Some(1),
            cannot_change: |path, why| [path, b": ", why.as_bytes()].concat(),
            print: PrintDirectory::KnownOrAsked,
        },
    },
    builtins: differs! { Builtins
        arguments: differs! { Arguments
            + extra_operand_ends_line, let_needs_expression, unset_takes_functions;
            - dashes_end_no_options, unset_failure_exits;
            done: BuiltinSet::of(&[
                ".", ":", "[", "alias", "break", "builtin", "caller", "cd", "command", "continue",
                "declare", "dirs", "disown", "echo", "eval", "exec", "exit", "export", "false",
                "getopts", "hash", "kill", "let", "local", "logout", "mapfile", "popd", "printf",
                "pushd", "pwd", "read", "readarray", "readonly", "return", "set", "shift", "shopt",
                "source", "test", "times", "trap", "true", "type", "typeset", "ulimit", "umask",
                "unalias", "unset", "wait",
            ]),
            left_out: BuiltinSet::of(&[
                "bg", "bind", "compgen", "complete", "compopt", "enable", "fc", "fg", "help",
                "history", "jobs", "suspend",
            ]),
            no_such_option: |sign, letter| Around("", ": invalid option").of([sign, letter]),
            no_value: Around("-", ": option requires an argument"),
            usage: Usage::Line,
            not_a_number: Around("", ": numeric argument required"),
            shift_many: ManyShifts::Silent,
            shift_operand: ShiftOperand::AnyNumber,
            times_digits: 3,
            bad_limit: |word| Around("", ": invalid number").of(word),
        },
        letters: differs! { OptionLetters
            + t_is_trace;
            alias: Some("p"),
            type_of: Some("tafpP"),
            exec: Some("cla:"),
            wait: "nfp:",
            hash: "rltdp:",
            cd: "LPe@",
            umask: "Sp",
            trap: "pl",
            unset: "fvn",
            printf: "v:",
            export: "fnp",
            readonly: "aAfp",
            local: "aAgiIlnprtux",
            declare: "aAcfFgiIlnprtux",
            read: "rp:sea:d:n:N:t:u:i:",
        },
        flow: differs! { ControlFlow
            + break_outside_is_told, return_needs_function, return_sees_outer_trap, return_is_byte,
              bad_return_returns, exit_is_byte, eval_has_options, dot_needs_file,
              dot_takes_arguments, set_in_file_stays, has_return_trap;
            - exit_sees_any_trap, directory_is_empty_file, dot_prefers_path_here;
            bad_loop_count: BadLoopCount::OutOfRange,
            status_operand: StatusOperand::Number,
            missing_file: MissingFile::Plain,
        },
        declare: differs! { Declarations
            + print_assigns, readonly_has_no_local, reaches_global, elements_mark_array,
              valueless_is_declared, checks_conversion, bad_name_is_operand, cases_cancel,
              print_finds_unknown, reads_text_as_elements;
            local_outside: "can only be used in a function",
            local_outside_status: 1,
            bad_reference: Around("`", "': invalid variable name for name reference"),
            readonly_names_builtin: NamedBuiltin::Declares,
            style: DeclarationStyle::Declare,
        },
        read: differs! { Reading
            + zero_timeout_asks, counts_escaped, reply_is_whole_line, select_ends_line,
              select_has_prompt, getopts_can_be_quiet, getopts_names_script;
            - needs_name, getopts_names_itself;
            interrupted: InterruptedRead::GoesOn,
        },
        lookup: differs! { Lookup
            + alias_lists_beside_names, alias_prefix, checks_alias_names, unalias_needs_name,
              hash_is_an_option, p_is_only_if_file, one_known_is_enough, lists_every_file;
            - alias_unknown_is_bare, describes_one, unknown_is_output, any_file_is_program;
            aliases_in_buckets: None,
            programs_in_buckets: Some(|name| hash(name) & 255),
            hash_list: HashList::Hits,
            unknown_status: 1,
            description: differs! { Description
                + function_text;
                - special;
                function: "a function",
                hashed: Hashed::RememberedAlone,
            },
        },
    },
};

fn unexpected(token: Token<'_>, _expected: Option<&str>) -> String {
    let token = match token {
        Token::End => return "syntax error: unexpected end of file".into(),
        Token::Newline => "newline",
        Token::Known(token) | Token::Word(token) => token,
    };
    format!("syntax error near unexpected token `{token}'")
}

/// The hash that bash's tables use (FNV).
fn hash(key: &[u8]) -> u32 {
    key.iter()
        .fold(2_166_136_261, |hash: u32, byte| hash.wrapping_mul(16_777_619) ^ u32::from(*byte))
}

fn cannot_open(path: &[u8], _: bool, errno: Errno, why: &str) -> Vec<u8> {
    let why = if errno == Errno::EXIST { "cannot overwrite existing file" } else { why };
    [path, b": ", why.as_bytes()].concat()
}
