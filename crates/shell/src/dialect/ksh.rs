//! What ksh93u+m does differently from POSIX sh.

use fewer::Errno;

use super::*;

/// How ksh behaves.
pub(super) static PROFILE: Profile = differs! { Profile
    + multibyte;
    dialect: Dialect::Ksh,
    option: b"--ksh",
    programs: &[b"ksh93", b"ksh", b"mksh", b"pdksh"],
    syntax: differs! { Syntax
        grammar: differs! { Grammar
            + double_brackets, arithmetic_commands, select, loops_in_braces, function_keyword, time,
              free_prefixes, fall_through, process_substitution, more_redirections;
            - reserved_in, outer_redirections_win;
            pipe_and: PipeAnd::Coprocess,
        },
        functions: differs! { Functions
            + keyword_needs_group, source_has_next_token, keeps_special_names;
            forbidden: &[],
        },
        assigned: differs! { Assigned
            + arrays, append;
            declaring: &[b"export", b"readonly", b"typeset", b"integer", b"float", b"nameref"],
        },
        words: differs! { Words
            + dollar_quotes, backquotes_read_late, substitutions_read_late, regex_has_backslashes,
              colon_ends_tilde, tilde_before_quoted_slash;
            - quotes_in_arithmetic_stay, only_arithmetic, backquotes_count_lines,
              last_backslash_stays;
            extended_patterns: ExtendedPatterns::Always,
            empty_at: EmptyAt::StaysIfOnlyAt,
        },
        braces: differs! { Braces
            + expanded, after_expansions, only_plain, empty_words, signed_steps;
        },
        parameters: differs! { Parameters + command_in_braces, indirection, slices, replacement; },
        here_documents: differs! { HereDocuments
            + read_late, star_has_blanks, joined_array_has_blanks;
            in_substitution: UnfinishedHere::Error(
                "syntax error: here-document not contained within command substitution",
            ),
        },
        errors: differs! { SyntaxErrors
            - open_expansion_is_open_quote;
            unmatched: unmatched,
            unexpected: unexpected,
            redirection_for_word: None,
            bad_substitution: "not supported: bad substitution",
            bad_loop_variable: None,
            bad_function_name: None,
            open_function: Some("syntax error: `(' unexpected"),
        },
        left: differs! { LeftToItsShell
            + compound_variables, forms_of_arrays, late_tildes, open_brackets, continued_names,
              quotes_in_operands, forms_of_trimming, forms_of_slices, backslash_in_replacement,
              references_by_name, forms_of_redirections, read_write, forms_of_delimiters,
              empty_commands, forms_of_prefixes, by_two_things;
            assigned_variables: &[b"FIGNORE"],
            command: is_left,
        },
    },
    commands: differs! { Commands
        + has_own_aliases, has_other_options;
        - builtin_runs;
        alias_readers: &[b"type", b"whence", b"command", b"eval", b".", b"source"],
    },
    arithmetic: differs! { Arithmetic
        + empty_is_zero, comma, power, empty_choice, assignment_behind_colon, floating_point,
          functions, characters, points_in_names, fractions_of_seconds;
        - reads_target_last;
        doubled_sign: DoubledSign::Step,
        parentheses: 255,
        constants: Constants::DecimalAndBases,
        errors: differs! { ArithmeticErrors
            message: |wrong| [wrong.text, b": ", wrong.what.as_bytes()].concat(),
            division_by_zero: "divide by zero",
            negative_exponent: "floating point is not supported",
            floating_point: "floating point is not supported",
            unexpected_end: "more tokens expected",
            operand_expected: "arithmetic syntax error",
            trailing_text: "arithmetic syntax error",
            invalid_operator: "arithmetic syntax error",
            not_a_variable: "assignment requires lvalue",
            increment_of_a_value: "arithmetic syntax error",
            decrement_of_a_value: "arithmetic syntax error",
            missing_parenthesis: "unbalanced parenthesis",
            missing_colon: "':' expected for '?' operator",
            empty_choice: "arithmetic syntax error",
            bad_subscript: "arithmetic syntax error",
            digit_too_great: "arithmetic syntax error",
            invalid_base: "arithmetic syntax error",
            no_digits: "arithmetic syntax error",
            invalid_number: "arithmetic syntax error",
            too_deep: "recursion too deep",
        },
    },
    conditions: differs! { Conditions
        + more_operators;
        - terminal_needs_a_number, ages_need_both;
        no_bracket: "']' missing",
        no_unary_operator: |first| {
            Some(match first {
                [b'-', _] => Around("", ": unknown operator").of(first),
                _ => b"argument expected".to_vec(),
            })
        },
        left_over: LeftOver::UnknownOperator,
        no_operand: Some("argument expected"),
        no_parenthesis: |_| b"argument expected".to_vec(),
        not_a_number: NotANumber::Arithmetic,
    },
    formats: differs! { Formats
        echo: differs! { Echo
            + stops_behind_blank;
            - one_option, escapes;
            are_options: |letters| matches!(letters, b"n" | b"e" | b"ne" | b"en"),
        },
        escapes: differs! { EscapeRules
            + capital_e, quotes, unknown_loses_backslash, wide_hexadecimal, braced_hexadecimal,
              braced_unicode, no_digits_is_nul, control_in_formats, capital_control,
              control_turns_bit;
            - small_e_anywhere;
            by_number: EscapesByNumber::Quoting,
            octal_zero: OctalZero::Needed,
        },
        printf: differs! { Printf
            + modifiers, whole_characters, numbers_are_expressions, warns_of_no_character,
              long_doubles, rounds_half_up;
            letters: b"qnT%",
            no_letter: |_| None,
            unknown_letter: |directive| {
                let letter = &directive[directive.len().saturating_sub(1)..];
                Around("", ": unknown format specifier").of(letter)
            },
            too_large: "Value too large for defined data type",
            flaw_status: 1,
            default_time: "%a %b %e %H:%M:%S %Z %Y",
            not_a_number: |text, _| Around("", ": invalid number").of(text),
            out_of_range: Around("warning: ", ": overflow exception"),
        },
        getopts: differs! { GetoptsRules
            + plus, numbers, unsets_argument, unsets_at_end;
            - wraps, index_is_ahead;
            unknown: Around("-", ": unknown option"),
            no_argument: Around("-", ": argument expected"),
        },
        splitting: differs! { Splitting
            + doubled_white_counts;
            - keeps_escaped;
            words_are_joined: JoinedWords::Never,
        },
        quoting: Quoting::IfNeeded,
    },
    failures: differs! { Failures
        + redirect_word_is_redirect, bad_regex_is_false;
        - unset_ends_shell, unreadable_text_exits, checks_failed_redirects, one_status;
        status: 1,
        reach: ErrorReach::Text,
        unreadable_text_status: 3,
        readonly_before_command: ReadonlyPrefix::CommandLeftOut,
        fork_status: 254,
    },
    messages: differs! { Messages
        unset_read_only: Around("warning: ", ": is read only"),
        not_a_name: Around("", ": invalid variable name"),
        export_not_a_name: Around("", ": is not an identifier"),
        empty_command: (": cannot execute [Is a directory]", 126),
        null_parameter: "parameter null",
        cannot_write: |builtin, why| format!("{builtin}: write to 1 failed [{why}]"),
        cannot_open: cannot_open,
        no_here_document: |why| format!("cannot create temporary file [{why}]"),
        bad_descriptor: Around("", ": bad file unit number"),
        exec_failed: Around(": cannot execute [", "]"),
        place: MessagePlace::Calls,
    },
    calls: differs! { Calls
        + function_keeps_assignments, assigns_before_redirecting, function_keyword_makes_scope,
          function_line_ends;
        - checks_arithmetic_command, function_has_getopts;
        traced_before: TraceTime::Always,
        body_status: BodyStatus::SubstitutionStays,
    },
    subshells: differs! { Subshells
        + keeps_signal_status, reads_files, nul_ends_output, stages_forget_traps;
        - substitution_status_is_late;
        errors_in_substitution: SubstitutionErrors::Kept,
        last_stage: LastStage::Shell,
    },
    start: differs! { Start
        + startup_file, exec_knows_directories, failed_exec_drops_traps;
        - prompts, reads_input_in_blocks;
        variables: &[("KSH_VERSION", "Version AJM 93u+m/1.0.4 2022-10-22")],
        usual_variables: &[
            ("PS2", "> "), ("PS3", "#? "), ("FCEDIT", "ed"), ("HISTCMD", "0"), ("JOBMAX", "0"),
            ("MAILCHECK", "600"), ("SHELL", "/bin/sh"), ("TMOUT", "0"),
        ],
        level: ShellLevel::Any,
        options: &["hashall", "braceexpand"],
        scripts_run_by: &["ksh93", "ksh"],
    },
    set: differs! { SetOptions
        + no_negates, flag_of_argument, sets_arrays, bad_name_shows_usage, default_and_exceptions,
          lists_computed;
        - e_is_emacs, flags_in_list_order;
        names: option_names::KSH,
        letters: b"abefhknptuvxBCGH",
        flag_of_source: SourceFlag::Sorted,
        bad_name: Around("", ": unknown option"),
        table: OptionTable::Wide(25),
    },
    trace: differs! { Trace
        + hides_its_end, bracket_is_plain, quotes_empty_values, shows_tests, quotes_tested_words;
        - assignments_share_line;
        declarations: TracedDeclarations::Values,
        time_format: TimeFormat::Usual,
    },
    values: differs! { Values
        variables: differs! { Variables
            + keeps_strange_environment, tilde_signs;
            - optind_must_be_number, set_resets_getopts, local_keeps_value;
            computed: &["RANDOM", "SECONDS", "LINENO", ".sh.subshell"],
            exports_in_buckets: None,
        },
        arrays: differs! { Arrays
            + missing_first_has_length, checks_range, keys_make_associative, exist,
              unset_missing_key_fails, unset_bad_subscript_fails_builtin;
            - text_has_last_element;
        },
        expansions: differs! { Expansions
            + variables_make_braces, plain_pattern_signs, empty_last_word_ends_list,
              first_word_is_empty, slices_are_clamped;
            - at_joins_with_ifs, no_words_are_set, no_words_are_empty_text,
              length_of_words_is_of_text;
            replacement: ReplacementSigns::Backslash,
        },
        patterns: differs! { Patterns
            + equal_signs_are_one;
            - plain_classes;
            matches_dots: DotNames::Never,
            regex_signs: b"\\[]*?()|",
        },
        numbers: differs! { Numbers
            + unset_is_error, unset_in_value_is_error, values_are_expressions;
        },
    },
    processes: differs! { Processes
        traps: differs! { Traps
            + runs_exit_trap_on_signal, exit_trap_survives_signal, shows_action_alone;
            - subshell_hides_actions;
            status_before_trap: TrapStatus::None,
            set_on_ignored: IgnoredTrap::ListedEmpty,
            signal_status: 256,
            resets: ResetWords::Number,
            bad_condition: BadCondition::Said,
        },
        signals: differs! { Signals
            + stack_fault_has_name, has_own_names, sig_prefix, real_time_from_first,
              real_time_from_last, traps_from_highest, explains_names, explains_low_bits;
            - list_number_has_sign;
            conditions: &["ERR", "DEBUG", "KEYBD"],
            list: SignalList::Lines,
            error_number: 128,
            debug_number: 132,
        },
        jobs: differs! { JobControl
            + interrupted_wait_is_1, forgets_waited, kill_has_n, kill_bad_letter_is_option;
            - signal_beats_child;
            no_such_job: Around("", ": no such job"),
            no_previous_job: Around("%-", ": no such job"),
            no_such_job_status: 127,
            wait_bad_operand: Around("", ": invalid process ID"),
            kill_bad_job: Around("", ": arguments must be process or job IDs"),
            kill_bad_process: Around("", ": arguments must be process or job IDs"),
            kill_list: KillList::AnyInColumns,
        },
        limits: differs! { ProcessLimits
            - empty_mask, mask_may_end_in_comma;
            rows: limit_rows::KSH,
            line: LimitLine::NameLetter,
            mask_clause: MaskClause::Changes { copies: false, sets: true },
            bad_mask_number: Around("", ": bad format"),
            bad_mask_operator: |word, _| Around("", ": bad format").of(word),
            bad_mask_permission: |word, _| Around("", ": bad format").of(word),
        },
    },
    files: differs! { Files
        redirects: differs! { Redirects
            + exec_opens_privately, here_document_is_file, p_is_process;
            - copies_digits_only;
            first_named_descriptor: 11,
        },
        directories: differs! { Directories
            + lost_is_dot, physical_takes_names_off, replaces_part, refuses_empty,
              root_joins_plainly;
            - exports_old, exports_new, unset_home_is_here, checks_empty;
            old_directory: OldDirectory::KnownOrDot,
            parent: ParentPath::NamesFromRoot,
            from_lost: LostDirectory::Error,
            at_start: LostStart::Believed,
            extra_operand_status: Some(2),
            cannot_change: |path, why| [path, b": [", why.as_bytes(), b"]"].concat(),
            print: PrintDirectory::Checked,
        },
    },
    builtins: differs! { Builtins
        arguments: differs! { Arguments
            + unset_needs_name, unset_ignores_dotted;
            - dashes_end_no_options, unset_failure_exits;
            done: BuiltinSet::of(&[
                ".", ":", "[", "alias", "break", "cd", "command", "continue", "echo", "eval",
                "exec", "exit", "export", "false", "getopts", "hash", "integer", "kill", "let",
                "nameref", "print", "printf", "pwd", "read", "readonly", "return", "set", "shift",
                "source", "test", "times", "trap", "true", "type", "typeset", "ulimit", "umask",
                "unalias", "unset", "wait", "whence",
            ]),
            left_out: BuiltinSet::of(&[
                "autoload", "bg", "builtin", "compound", "disown", "enum", "fc", "fg", "float",
                "functions", "hist", "jobs", "redirect", "stop", "suspend",
            ]),
            no_such_option: |sign, letter| Around("", ": unknown option").of([sign, letter]),
            no_value: Around("-", ": argument expected"),
            usage: Usage::Paragraph,
            shift_many: ManyShifts::BadNumber,
            shift_operand: ShiftOperand::Expression,
            printf_bad_name_status: 1,
            times_digits: 3,
            bad_limit: |word| Around("", ": invalid number").of(word),
        },
        letters: differs! { OptionLetters
            alias: Some("p"),
            type_of: Some("tafpP"),
            exec: Some("ca:"),
            cd: "LPe",
            trap: "p",
            command: "vVpx",
            unset: "fvn",
            printf: "v:",
            declare: "aAfFgilnprtuxs",
            read: "rspA:a:d:n:N:t:u:",
        },
        flow: differs! { ControlFlow
            + exit_is_byte, dot_takes_arguments, dot_status_is_byte;
            - directory_is_empty_file, drops_nul;
            bad_loop_count: BadLoopCount::NoLabel,
            status_operand: StatusOperand::Leading,
            missing_file: MissingFile::CannotOpen,
        },
        declare: differs! { Declarations
            + print_assigns, integer_recalculates, bad_name_is_operand, plus_lists_names,
              integer_has_base;
            - text_becomes_element, function_ends_line;
            readonly_names_builtin: NamedBuiltin::TakesOff,
            style: DeclarationStyle::Typeset,
        },
        read: differs! { Reading
            + p_is_process, ifs_takes_backslash, prompt_behind_name, checks_readonly_first,
              part_succeeds, late_line_is_lost, getopts_names_script, getopts_bad_name_is_plain;
            - needs_name, getopts_names_itself;
            interrupted: InterruptedRead::EndsWithSignal,
        },
        lookup: differs! { Lookup
            + checks_alias_names, unalias_needs_name, needs_name;
            - alias_unknown_is_bare, hash_finds_unknown, describes_one, unknown_is_output,
              any_file_is_program;
            aliases_in_buckets: None,
            programs_in_buckets: None,
            hash_list: HashList::Assignments,
            unknown_status: 1,
            description: differs! { Description
                keyword: "a keyword",
                function: "a function",
                hashed: Hashed::Found,
            },
        },
    },
};

fn unmatched(end: &str) -> String {
    let opening = match end {
        ")" | "))" => "(",
        "}" => "{",
        "]" => "[",
        end => end,
    };
    format!("syntax error: `{opening}' unmatched")
}

fn unexpected(token: Token<'_>, _expected: Option<&str>) -> String {
    let token = match token {
        Token::End => "end of file",
        Token::Newline => "newline",
        Token::Known(token) | Token::Word(token) => token,
    };
    format!("syntax error: `{token}' unexpected")
}

/// Whether a command does what only ksh does, by its name and the words behind it.
fn is_left(name: &[u8], words: &[Option<&[u8]>]) -> bool {
    let any = |is: &dyn Fn(&[u8]) -> bool| words.iter().flatten().any(|word| is(word));
    let option = |word: &[u8], letters: &[u8]| {
        word.first() == Some(&b'-') && word.iter().any(|letter| letters.contains(letter))
    };
    match name {
        b"printf" => any(&has_own_conversion),
        b"typeset" | b"integer" => {
            any(&|word| option(word, b"LRZFETCMHSXbt0123456789"))
                || any(&|word| !word.is_empty() && word.iter().all(u8::is_ascii_digit))
                // What follows an `a` in the same word is a type.
                || any(&|word| option(word, b"a") && !word.ends_with(b"a"))
                || any(&|word| word == b"+p" || word == b"-")
        }
        // Long options; the place that is a variable no more.
        b"getopts" => any(&|word| word.contains(&b'[')),
        b"unset" => any(&|word| word == b"OPTIND"),
        // Options of it.
        b"." | b"source" => words.is_empty() || any(&|word| option(word, b"i")),
        // Other ways of showing values, and the history.
        b"print" => any(&|word| {
            option(word, b"Cvs") && word.iter().all(|b| b.is_ascii_alphabetic() || *b == b'-')
        }),
        _ => false,
    }
}

/// Whether a format has conversions that only ksh knows: `%H`, `%R`, `%#q`, `%2$s`, `%..2d`.
fn has_own_conversion(format: &[u8]) -> bool {
    let mut rest = format;
    while let Some(at) = memchr::memchr(b'%', rest) {
        rest = &rest[at + 1..];
        let end = rest.iter().position(|byte| byte.is_ascii_alphabetic() || b"(%".contains(byte));
        let Some(end) = end else { return false };
        let (flags, conversion) = (&rest[..end], rest[end]);
        let strange = flags.contains(&b'$') || flags.windows(2).any(|two| two == b"..");
        if strange
            || b"HRPTBZQ".contains(&conversion)
            || (conversion == b'q' && flags.contains(&b'#'))
        {
            return true;
        }
        rest = &rest[end + 1..];
        if conversion == b'(' {
            // Its dates are written as people write them.
            return true;
        }
    }
    false
}

fn cannot_open(path: &[u8], create: bool, _: Errno, why: &str) -> Vec<u8> {
    let what: &[u8] = if create { b": cannot create [" } else { b": cannot open [" };
    [path, what, why.as_bytes(), b"]"].concat()
}
