//! bash 5.2.

mod builtins;
mod running;

use super::*;

/// How bash behaves.
pub(super) static PROFILE: Profile = Profile {
    option: b"--bash",
    itself: b"bash",
    programs: &[b"bash", b"rbash"],
    multibyte: true,
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
        double_brackets: true,
        arithmetic_commands: true,
        select: true,
        loops_in_braces: true,
        function_keyword: true,
        time: true,
        time_options: true,
        coproc: true,
        reserved_in: true,
        free_prefixes: true,
        pipe_and: PipeAnd::ErrorsToo,
        fall_through: true,
        try_next: true,
        process_substitution: true,
        more_redirections: true,
        wide_descriptors: true,
        outer_redirections_win: false,
        line_of_second_word: true,
        trace_shows_source: true,
        background_negation: false,
    },
    functions: Functions {
        any_name: true,
        forbidden: &[],
        keyword_and_parentheses: true,
        simple_body: false,
        keyword_needs_group: false,
        source_has_next_token: false,
        written_anew: true,
        keeps_special_names: false,
    },
    assigned: Assigned {
        arrays: true,
        append: true,
        reads_to_bracket: true,
        declaring: &[b"export", b"readonly", b"local", b"typeset", b"declare"],
        declaring_behind_command: false,
    },
    words: Words {
        dollar_quotes: true,
        dollar_quotes_in_operands: true,
        quotes_hide_braces: true,
        quotes_in_arithmetic_stay: false,
        extended_patterns: ExtendedPatterns::IfAskedFor,
        old_arithmetic: true,
        only_arithmetic: false,
        backquotes_read_late: true,
        backquotes_count_lines: false,
        substitutions_read_late: false,
        regex_has_backslashes: false,
        last_backslash_stays: true,
        colon_ends_tilde: true,
        tilde_before_quoted_slash: false,
        tildes_in_arguments: true,
        empty_at: EmptyAt::Vanishes,
    },
    braces: Braces {
        expanded: true,
        after_expansions: false,
        only_plain: false,
        tildes_afterwards: true,
        empty_words: false,
        inner_comma_counts: true,
        mixed_cases: true,
        padded_numbers: true,
        signed_steps: false,
        in_declarations: true,
        behind_subscripts: true,
        in_redirections: true,
    },
    parameters: Parameters {
        command_in_braces: false,
        indirection: true,
        slices: true,
        refuses_empty_slice: true,
        replacement: true,
        slash_in_pattern: true,
        ampersand_in_replacement: true,
        case_changes: true,
        transformations: true,
        refuses_empty_subscript: true,
    },
    here_documents: HereDocuments {
        read_late: true,
        continued_delimiter: true,
        ends_last_line: true,
        backquotes_keep_quotes: true,
        in_substitution: UnfinishedHere::BehindTheLine,
        star_has_blanks: true,
        joined_array_has_blanks: false,
    },
    errors: SyntaxErrors {
        unmatched: |end| {
            let end = if end == "))" { ")" } else { end };
            format!("unexpected EOF while looking for matching `{end}'")
        },
        unexpected,
        end_is_a_line: true,
        no_word_at_end: Some("syntax error near unexpected token `newline'"),
        redirection_for_word: None,
        bad_substitution: "not supported: bad substitution",
        open_expansion_is_open_quote: false,
        bad_loop_variable: None,
        bad_function_name: None,
        open_function: None,
    },
    left: LeftToItsShell {
        compound_variables: false,
        forms_of_arrays: false,
        late_tildes: false,
        open_brackets: false,
        continued_names: false,
        braces_behind_names: true,
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
        variables: &[
            b"BASH_ALIASES", b"BASH_ARGC", b"BASH_ARGV", b"BASH_ARGV0", b"BASH_CMDS",
            b"BASH_COMMAND", b"GROUPS",
        ],
        assigned_variables: &[],
        by_two_things: false,
        command: |_, _| false,
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

// ---- commands

const COMMANDS: Commands = Commands {
    aliases_in_posix_mode: true,
    has_own_aliases: false,
    alias_readers: &[b"type", b"command", b"eval", b"."],
    lists_last_argument: true,
    builtin_runs: true,
    has_other_options: false,
    shopt: true,
};

// ---- arithmetic

const ARITHMETIC: Arithmetic = Arithmetic {
    empty_is_zero: true,
    comma: true,
    power: true,
    doubled_sign: DoubledSign::StepOrSigns,
    steps_once: true,
    empty_choice: false,
    assignment_behind_colon: false,
    parentheses: u32::MAX,
    floating_point: false,
    functions: false,
    characters: false,
    points_in_names: false,
    reads_target_last: false,
    constants: Constants::CAndBases,
    fractions_of_seconds: false,
    errors: ArithmeticErrors {
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
};

// ---- conditions

const CONDITIONS: Conditions = Conditions {
    more_operators: true,
    no_bracket: "missing `]'",
    binary_tests: BinaryTests::WithAndOr,
    prefix_comes_first: true,
    no_unary_operator: |first| Some(Around("", ": unary operator expected").of(first)),
    left_over: LeftOver::TooManyArguments,
    no_operand: Some("argument expected"),
    no_parenthesis: |instead| match instead {
        Some(word) => Around("`)' expected, found ", "").of(word),
        None => b"`)' expected".to_vec(),
    },
    not_a_number: NotANumber::Error(Around("", ": integer expression expected")),
    terminal_needs_a_number: false,
    ages_need_both: false,
};

// ---- formats

const FORMATS: Formats = Formats {
    echo: Echo {
        are_options: |letters| letters.iter().all(|letter| b"neE".contains(letter)),
        one_option: false,
        escapes: false,
        stops_behind_blank: false,
    },
    escapes: EscapeRules {
        small_e_anywhere: true,
        capital_e: true,
        quotes: true,
        by_number: EscapesByNumber::Anywhere,
        octal_zero: OctalZero::InEcho,
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
        letters: b"qnTQ",
        modifiers: true,
        negative_precision: true,
        no_letter: |directive| Some(Around("`%", "': missing format character").of(directive)),
        unknown_letter: |directive| {
            let letter = &directive[directive.len().saturating_sub(1)..];
            Around("`", "': invalid format character").of(letter)
        },
        too_large: "Value too large for defined data type",
        flaw_status: 1,
        whole_characters: false,
        quotes_nothing: true,
        default_time: "%X",
        time_bytes: 127,
        numbers_are_expressions: false,
        warns_of_no_character: false,
        not_a_number: |text, _| {
            let kind = match text {
                [b'0', b'x' | b'X', ..] => ": invalid hex number",
                [b'0', digit, ..] if digit.is_ascii_digit() => ": invalid octal number",
                _ => ": invalid number",
            };
            Around("", kind).of(text)
        },
        out_of_range: Around("warning: ", ": Numerical result out of range"),
        out_of_range_fails: false,
        long_doubles: true,
        rounds_half_up: false,
    },
    getopts: GetoptsRules {
        plus: false,
        numbers: false,
        wraps: false,
        index_is_ahead: false,
        unsets_argument: true,
        unsets_at_end: true,
        unknown: Around("illegal option -- ", ""),
        no_argument: Around("option requires an argument -- ", ""),
    },
    splitting: Splitting {
        joins_expansions: true,
        words_are_joined: JoinedWords::IfIfsBeginsWithWhite,
        keeps_escaped: false,
        doubled_white_counts: false,
    },
    quoting: Quoting::ByPurpose,
};
