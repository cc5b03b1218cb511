//! POSIX sh as dash 0.5.12 has it.

mod builtins;
mod running;

use super::*;

/// How dash behaves.
pub(super) static PROFILE: Profile = Profile {
    option: b"--posix",
    itself: b"sh",
    programs: &[b"sh", b"dash", b"ash"],
    multibyte: false,
    syntax: SYNTAX,
    commands: COMMANDS,
    arithmetic: ARITHMETIC,
    conditions: CONDITIONS,
    formats: FORMATS,
    failures: running::FAILURES,
    messages: running::RUN_MESSAGES,
    calls: running::CALLS,
    subshells: running::SUBSHELLS,
    start: running::START,
    set: builtins::SET,
    trace: running::TRACE,
    values: Values {
        variables: running::VARIABLES,
        arrays: running::ARRAYS,
        expansions: running::EXPANSIONS,
        patterns: running::PATTERNS,
        numbers: running::NUMBERS,
    },
    processes: Processes {
        traps: running::TRAPS,
        signals: running::SIGNALS,
        jobs: builtins::JOBS,
        limits: builtins::LIMITS,
    },
    files: Files { redirects: running::REDIRECTS, directories: running::DIRECTORIES },
    builtins: Builtins {
        arguments: builtins::ARGUMENTS,
        letters: builtins::LETTERS,
        flow: builtins::FLOW,
        declare: builtins::DECLARE,
        read: builtins::READ,
        lookup: builtins::LOOKUP,
    },
};

// ---- syntax

const SYNTAX: Syntax = Syntax {
    grammar: Grammar {
        double_brackets: false,
        arithmetic_commands: false,
        select: false,
        loops_in_braces: false,
        function_keyword: false,
        time: false,
        time_options: false,
        coproc: false,
        reserved_in: true,
        free_prefixes: false,
        pipe_and: PipeAnd::Absent,
        fall_through: false,
        try_next: false,
        process_substitution: false,
        more_redirections: false,
        wide_descriptors: false,
        outer_redirections_win: true,
        line_of_second_word: false,
        trace_shows_source: false,
        background_negation: true,
    },
    functions: Functions {
        any_name: false,
        forbidden: &[
            b"break", b"continue", b"eval", b"exec", b"exit", b"export", b"local", b"readonly",
            b"return", b"set", b"shift", b"times", b"trap", b"unset", b".", b":",
        ],
        keyword_and_parentheses: false,
        simple_body: true,
        keyword_needs_group: false,
        source_has_next_token: false,
        written_anew: false,
        keeps_special_names: false,
    },
    assigned: Assigned {
        arrays: false,
        append: false,
        reads_to_bracket: false,
        declaring: &[b"export", b"readonly", b"local"],
        declaring_behind_command: true,
    },
    words: Words {
        dollar_quotes: false,
        dollar_quotes_in_operands: false,
        quotes_hide_braces: false,
        quotes_in_arithmetic_stay: true,
        extended_patterns: ExtendedPatterns::Never,
        old_arithmetic: false,
        only_arithmetic: true,
        backquotes_read_late: false,
        backquotes_count_lines: true,
        substitutions_read_late: false,
        regex_has_backslashes: false,
        last_backslash_stays: true,
        colon_ends_tilde: false,
        tilde_before_quoted_slash: false,
        tildes_in_arguments: false,
        empty_at: EmptyAt::Stays,
    },
    braces: Braces {
        expanded: false,
        after_expansions: false,
        only_plain: false,
        tildes_afterwards: false,
        empty_words: false,
        inner_comma_counts: false,
        mixed_cases: false,
        padded_numbers: false,
        signed_steps: false,
        in_declarations: false,
        behind_subscripts: false,
        in_redirections: false,
    },
    parameters: Parameters {
        command_in_braces: false,
        indirection: false,
        slices: false,
        refuses_empty_slice: false,
        replacement: false,
        slash_in_pattern: false,
        ampersand_in_replacement: false,
        case_changes: false,
        transformations: false,
        refuses_empty_subscript: false,
    },
    here_documents: HereDocuments {
        read_late: false,
        continued_delimiter: false,
        ends_last_line: false,
        backquotes_keep_quotes: false,
        in_substitution: UnfinishedHere::Empty,
        star_has_blanks: false,
        joined_array_has_blanks: false,
    },
    errors: SyntaxErrors {
        unmatched,
        unexpected,
        end_is_a_line: false,
        no_word_at_end: None,
        redirection_for_word: Some("Syntax error: redirection unexpected"),
        bad_substitution: "Bad substitution",
        open_expansion_is_open_quote: true,
        bad_loop_variable: Some("Syntax error: Bad for loop variable"),
        bad_function_name: Some("Syntax error: Bad function name"),
        open_function: None,
    },
    left: LeftToItsShell {
        compound_variables: false,
        forms_of_arrays: false,
        late_tildes: false,
        open_brackets: false,
        continued_names: false,
        braces_behind_names: false,
        quotes_in_operands: false,
        forms_of_trimming: false,
        forms_of_slices: false,
        backslash_in_replacement: false,
        references_by_name: false,
        forms_of_redirections: false,
        read_write: false,
        forms_of_delimiters: false,
        empty_commands: false,
        forms_of_prefixes: false,
        variables: &[],
        assigned_variables: &[],
        by_two_things: false,
        command: |_, _| false,
    },
};

fn unmatched(end: &str) -> String {
    match end {
        "`" => "Syntax error: EOF in backquote substitution".into(),
        "}" => "Syntax error: Missing '}'".into(),
        "))" => "Syntax error: Missing '))'".into(),
        ")" => "Syntax error: end of file unexpected (expecting \")\")".into(),
        _ => "Syntax error: Unterminated quoted string".into(),
    }
}

fn unexpected(token: Token<'_>, expected: Option<&str>) -> String {
    let what = match token {
        Token::End => "end of file".into(),
        Token::Newline => "newline".into(),
        Token::Known(token) => format!("\"{token}\""),
        Token::Word(_) => "word".into(),
    };
    let expecting = expected.map(|e| format!(" (expecting \"{e}\")")).unwrap_or_default();
    format!("Syntax error: {what} unexpected{expecting}")
}

// ---- commands

const COMMANDS: Commands = Commands {
    aliases_in_posix_mode: false,
    has_own_aliases: false,
    alias_readers: &[b"type", b"command", b"eval", b"."],
    lists_last_argument: false,
    builtin_runs: true,
    has_other_options: false,
    shopt: false,
};

// ---- arithmetic

const ARITHMETIC: Arithmetic = Arithmetic {
    empty_is_zero: false,
    comma: false,
    power: false,
    doubled_sign: DoubledSign::Signs,
    steps_once: false,
    empty_choice: false,
    assignment_behind_colon: false,
    parentheses: u32::MAX,
    floating_point: false,
    functions: false,
    characters: false,
    points_in_names: false,
    reads_target_last: true,
    constants: Constants::C,
    fractions_of_seconds: false,
    errors: ArithmeticErrors {
        message: |wrong| {
            let what = wrong.what.as_bytes();
            [b"arithmetic expression: ", what, b": \"", wrong.text, b"\""].concat()
        },
        division_by_zero: "division by zero",
        negative_exponent: "expecting EOF",
        floating_point: "expecting EOF",
        unexpected_end: "expecting primary",
        operand_expected: "expecting primary",
        trailing_text: "expecting EOF",
        invalid_operator: "expecting EOF",
        not_a_variable: "expecting EOF",
        increment_of_a_value: "expecting EOF",
        decrement_of_a_value: "expecting EOF",
        missing_parenthesis: "expecting ')'",
        missing_colon: "expecting ':'",
        empty_choice: "expecting primary",
        bad_subscript: "expecting EOF",
        digit_too_great: "expecting EOF",
        invalid_base: "expecting EOF",
        no_digits: "expecting EOF",
        invalid_number: "expecting EOF",
        too_deep: "expression is too deep",
    },
};

// ---- conditions

const CONDITIONS: Conditions = Conditions {
    more_operators: false,
    no_bracket: "missing ]",
    binary_tests: BinaryTests::AnyExpression,
    prefix_comes_first: false,
    no_unary_operator: |_| None,
    left_over: LeftOver::UnexpectedOperator,
    no_operand: None,
    no_parenthesis: |_| b"closing paren expected".to_vec(),
    not_a_number: NotANumber::Error(Around("Illegal number: ", "")),
    terminal_needs_a_number: true,
    ages_need_both: true,
};

// ---- formats

const FORMATS: Formats = Formats {
    echo: Echo {
        are_options: |letters| letters == b"n",
        one_option: true,
        escapes: true,
        stops_behind_blank: false,
    },
    escapes: EscapeRules {
        small_e_anywhere: true,
        capital_e: false,
        quotes: false,
        by_number: EscapesByNumber::Nowhere,
        octal_zero: OctalZero::Optional,
        unknown_loses_backslash: false,
        wide_hexadecimal: false,
        braced_hexadecimal: false,
        braced_unicode: false,
        no_digits_is_nul: false,
        control_in_formats: false,
        capital_control: false,
        control_turns_bit: false,
    },
    printf: Printf {
        letters: b"",
        modifiers: false,
        negative_precision: false,
        no_letter: |_| Some(b"missing format character".to_vec()),
        unknown_letter: |directive| Around("%", ": invalid directive").of(directive),
        too_large: "xvsnprintf failed",
        flaw_status: 2,
        whole_characters: false,
        quotes_nothing: false,
        default_time: "%X",
        time_bytes: usize::MAX,
        numbers_are_expressions: false,
        warns_of_no_character: false,
        not_a_number: |text, begins| {
            let what =
                if begins { ": not completely converted" } else { ": expected numeric value" };
            Around("", what).of(text)
        },
        out_of_range: Around("", ": Numerical result out of range"),
        out_of_range_fails: true,
        long_doubles: false,
        rounds_half_up: false,
    },
    getopts: GetoptsRules {
        plus: false,
        numbers: false,
        wraps: true,
        index_is_ahead: true,
        unsets_argument: false,
        unsets_at_end: false,
        unknown: Around("Illegal option -", ""),
        no_argument: Around("No arg for -", " option"),
    },
    splitting: Splitting {
        joins_expansions: false,
        words_are_joined: JoinedWords::Always,
        keeps_escaped: true,
        doubled_white_counts: false,
    },
    quoting: Quoting::Always,
};
