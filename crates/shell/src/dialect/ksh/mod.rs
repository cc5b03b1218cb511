//! ksh93u+m.

mod builtins;
mod running;

use super::*;

/// How ksh behaves.
pub(super) static PROFILE: Profile = Profile {
    option: b"--ksh",
    itself: b"ksh93",
    programs: &[b"ksh", b"ksh93", b"mksh", b"pdksh"],
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
        time_options: false,
        coproc: false,
        reserved_in: false,
        free_prefixes: true,
        pipe_and: PipeAnd::Coprocess,
        fall_through: true,
        try_next: false,
        process_substitution: true,
        more_redirections: true,
        wide_descriptors: false,
        outer_redirections_win: false,
        line_of_second_word: false,
        trace_shows_source: false,
        background_negation: true,
    },
    functions: Functions {
        any_name: false,
        forbidden: &[],
        keyword_and_parentheses: false,
        simple_body: true,
        keyword_needs_group: true,
        source_has_next_token: true,
        written_anew: false,
        keeps_special_names: true,
    },
    assigned: Assigned {
        arrays: true,
        append: true,
        reads_to_bracket: false,
        declaring: &[b"export", b"readonly", b"typeset", b"integer", b"float", b"nameref"],
        declaring_behind_command: true,
    },
    words: Words {
        dollar_quotes: true,
        dollar_quotes_in_operands: false,
        quotes_hide_braces: false,
        quotes_in_arithmetic_stay: false,
        extended_patterns: ExtendedPatterns::Always,
        old_arithmetic: false,
        only_arithmetic: false,
        backquotes_read_late: true,
        backquotes_count_lines: false,
        substitutions_read_late: true,
        regex_has_backslashes: true,
        last_backslash_stays: false,
        colon_ends_tilde: true,
        tilde_before_quoted_slash: true,
        tildes_in_arguments: false,
        empty_at: EmptyAt::StaysIfOnlyAt,
    },
    braces: Braces {
        expanded: true,
        after_expansions: true,
        only_plain: true,
        tildes_afterwards: false,
        empty_words: true,
        inner_comma_counts: false,
        mixed_cases: false,
        padded_numbers: false,
        signed_steps: true,
        in_declarations: false,
        behind_subscripts: false,
        in_redirections: false,
    },
    parameters: Parameters {
        command_in_braces: true,
        indirection: true,
        slices: true,
        refuses_empty_slice: false,
        replacement: true,
        slash_in_pattern: false,
        ampersand_in_replacement: false,
        case_changes: false,
        transformations: false,
        refuses_empty_subscript: false,
    },
    here_documents: HereDocuments {
        read_late: true,
        continued_delimiter: false,
        ends_last_line: false,
        backquotes_keep_quotes: false,
        in_substitution: UnfinishedHere::Error(
            "syntax error: here-document not contained within command substitution",
        ),
        star_has_blanks: true,
        joined_array_has_blanks: true,
    },
    errors: SyntaxErrors {
        unmatched,
        unexpected,
        end_is_a_line: false,
        no_word_at_end: None,
        redirection_for_word: None,
        bad_substitution: "not supported: bad substitution",
        open_expansion_is_open_quote: false,
        bad_loop_variable: None,
        bad_function_name: None,
        open_function: Some("syntax error: `(' unexpected"),
    },
    left: LeftToItsShell {
        compound_variables: true,
        forms_of_arrays: true,
        late_tildes: true,
        open_brackets: true,
        continued_names: true,
        braces_behind_names: false,
        quotes_in_operands: true,
        forms_of_trimming: true,
        forms_of_slices: true,
        backslash_in_replacement: true,
        references_by_name: true,
        forms_of_redirections: true,
        read_write: true,
        forms_of_delimiters: true,
        empty_commands: true,
        forms_of_prefixes: true,
        variables: &[],
        assigned_variables: &[b"FIGNORE"],
        by_two_things: true,
        command: is_left,
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

// ---- commands

const COMMANDS: Commands = Commands {
    aliases_in_posix_mode: false,
    has_own_aliases: true,
    alias_readers: &[b"type", b"whence", b"command", b"eval", b".", b"source"],
    lists_last_argument: false,
    builtin_runs: false,
    has_other_options: true,
    shopt: false,
};

// ---- arithmetic

const ARITHMETIC: Arithmetic = Arithmetic {
    empty_is_zero: true,
    comma: true,
    power: true,
    doubled_sign: DoubledSign::Step,
    steps_once: false,
    empty_choice: true,
    assignment_behind_colon: true,
    parentheses: 255,
    floating_point: true,
    functions: true,
    characters: true,
    points_in_names: true,
    reads_target_last: false,
    constants: Constants::DecimalAndBases,
    fractions_of_seconds: true,
    errors: ArithmeticErrors {
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
};

// ---- conditions

const CONDITIONS: Conditions = Conditions {
    more_operators: true,
    no_bracket: "']' missing",
    binary_tests: BinaryTests::AnyExpression,
    prefix_comes_first: false,
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
    terminal_needs_a_number: false,
    ages_need_both: false,
};

// ---- formats

const FORMATS: Formats = Formats {
    echo: Echo {
        are_options: |letters| matches!(letters, b"n" | b"e" | b"ne" | b"en"),
        one_option: false,
        escapes: false,
        stops_behind_blank: true,
    },
    escapes: EscapeRules {
        small_e_anywhere: false,
        capital_e: true,
        quotes: true,
        by_number: EscapesByNumber::Quoting,
        octal_zero: OctalZero::Needed,
        unknown_loses_backslash: true,
        wide_hexadecimal: true,
        braced_hexadecimal: true,
        braced_unicode: true,
        no_digits_is_nul: true,
        control_in_formats: true,
        capital_control: true,
        control_turns_bit: true,
    },
    printf: Printf {
        letters: b"qnT%",
        modifiers: true,
        negative_precision: false,
        no_letter: |_| None,
        unknown_letter: |directive| {
            let letter = &directive[directive.len().saturating_sub(1)..];
            Around("", ": unknown format specifier").of(letter)
        },
        too_large: "Value too large for defined data type",
        flaw_status: 1,
        whole_characters: true,
        quotes_nothing: false,
        default_time: "%a %b %e %H:%M:%S %Z %Y",
        time_bytes: usize::MAX,
        numbers_are_expressions: true,
        warns_of_no_character: true,
        not_a_number: |text, _| Around("", ": invalid number").of(text),
        out_of_range: Around("warning: ", ": overflow exception"),
        out_of_range_fails: true,
        long_doubles: true,
        rounds_half_up: true,
    },
    getopts: GetoptsRules {
        plus: true,
        numbers: true,
        wraps: false,
        index_is_ahead: false,
        unsets_argument: true,
        unsets_at_end: true,
        unknown: Around("-", ": unknown option"),
        no_argument: Around("-", ": argument expected"),
    },
    splitting: Splitting {
        joins_expansions: false,
        words_are_joined: JoinedWords::Never,
        keeps_escaped: false,
        doubled_white_counts: true,
    },
    quoting: Quoting::IfNeeded,
};
