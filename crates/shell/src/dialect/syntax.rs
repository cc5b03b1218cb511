//! How a script is read, and what is said if it cannot be.

use super::{Assigned, Braces, Parameters, Words};

area! {
    /// How a script is read.
    pub(crate) struct Syntax {
        /// Which commands there are.
        grammar: Grammar = Grammar::POSIX,
        /// Functions.
        functions: Functions = Functions::POSIX,
        /// Assignments.
        assigned: Assigned = Assigned::POSIX,
        /// Quotes, tildes, patterns, substitutions.
        words: Words = Words::POSIX,
        /// Braces: `{a,b}`.
        braces: Braces = Braces::POSIX,
        /// `${…}`
        parameters: Parameters = Parameters::POSIX,
        /// `<<end`
        here_documents: HereDocuments = HereDocuments::POSIX,
        /// What is said of a script that cannot be read.
        errors: SyntaxErrors = SyntaxErrors::POSIX,
        /// What is left to the shell itself.
        left: LeftToItsShell = LeftToItsShell::POSIX,
    }

    /// Which commands there are, and how they are made of each other. dash has what POSIX has.
    pub(crate) struct Grammar {
        /// `[[ … ]]`
        double_brackets: bool = false,
        /// `(( … ))` and `for (( … ))`
        arithmetic_commands: bool = false,
        /// `select`
        select: bool = false,
        /// `for a in b; { … }`
        loops_in_braces: bool = false,
        /// `function name …`
        function_keyword: bool = false,
        /// `time`
        time: bool = false,
        /// `time -p` and `time --`: in bash options, in ksh the name of a command.
        time_options: bool = false,
        /// Whether `coproc` is a reserved word (bash).
        coproc: bool = false,
        /// Whether `in` is a reserved word wherever a command begins; in ksh it is a name there.
        reserved_in: bool = true,
        /// Whether `!` may stand before another `!`, and `!` and `time` before nothing.
        free_prefixes: bool = false,
        /// `|&`
        pipe_and: PipeAnd = PipeAnd::Absent,
        /// `;&` at the end of an arm of `case`.
        fall_through: bool = false,
        /// `;;&` at the end of an arm of `case` (bash).
        try_next: bool = false,
        /// `<( … )` and `>( … )`
        process_substitution: bool = false,
        /// `<<<`, `&>`, `&>>` and `{name}>`
        more_redirections: bool = false,
        /// Whether the number before `<` or `>` may have several digits (bash).
        wide_descriptors: bool = false,
        /// Whether those of `{ ( … ) >a; } >b` take the place of the subshell's own (dash).
        outer_redirections_win: bool = true,
        /// Whether a simple command is on the line of its second word (bash), not of its first.
        line_of_second_word: bool = false,
        /// Whether `set -x` shows loops, redirections and patterns as they are written (bash).
        trace_shows_source: bool = false,
        /// Whether `! command &` turns the status round: bash does not do it where nothing waits.
        background_negation: bool = true,
    }

    /// How functions are written.
    pub(crate) struct Functions {
        /// Whether any word may be a function's name, as in bash, and not only a name.
        any_name: bool = false,
        /// Names that no function may have.
        forbidden: &'static [&'static [u8]] = &[
            b"break", b"continue", b"eval", b"exec", b"exit", b"export", b"local", b"readonly",
            b"return", b"set", b"shift", b"times", b"trap", b"unset", b".", b":",
        ],
        /// `function name ()` (bash).
        keyword_and_parentheses: bool = false,
        /// Whether a simple command may be a function's body: bash wants a compound one.
        simple_body: bool = true,
        /// Whether the body behind `function name` must be `{ … }` (ksh).
        keyword_needs_group: bool = false,
        /// Whether a listing shows a function with the token behind it (ksh).
        source_has_next_token: bool = false,
        /// Whether a listing writes a function anew (bash), and not as the script has it.
        written_anew: bool = false,
        /// Whether names of special builtins, and those with a `.`, are no functions (ksh).
        keeps_special_names: bool = false,
    }

    /// How here-documents are read.
    pub(crate) struct HereDocuments {
        /// Whether a fault in the text is found when it is expanded (not dash).
        read_late: bool = false,
        /// Whether the delimiter may be continued over lines (bash).
        continued_delimiter: bool = false,
        /// Whether the last line gets its newline if the script ends without one (bash).
        ends_last_line: bool = false,
        /// Whether `\"` in backquotes stays what it is (bash).
        backquotes_keep_quotes: bool = false,
        /// What becomes of a here-document whose text has not begun at the end of `$( … )`.
        in_substitution: UnfinishedHere = UnfinishedHere::Empty,
        /// Whether `$*` is what `$@` is: joined by blanks (bash, ksh), not by IFS (dash).
        star_has_blanks: bool = false,
        /// The same for `${a[*]}` (ksh).
        joined_array_has_blanks: bool = false,
    }

    /// Messages are what stands behind `name: line n: `.
    pub(crate) struct SyntaxErrors {
        /// The text is over, and something that `end` would have ended is not.
        unmatched: fn(end: &str) -> String = unmatched,
        /// A token where it may not stand, and what was expected instead.
        unexpected: fn(token: Token<'_>, expected: Option<&str>) -> String = unexpected,
        /// Whether what is missing at the end is missing on the line behind the last one (bash).
        end_is_a_line: bool = false,
        /// What is said of a word that is missing at the end of a text without a newline (bash).
        no_word_at_end: Option<&'static str> = None,
        /// What is said if a redirection stands for a word, if that is something of its own.
        redirection_for_word: Option<&'static str> = Some("Syntax error: redirection unexpected"),
        /// What is said of `${…}` that means nothing.
        bad_substitution: &'static str = "Bad substitution",
        /// Whether a `"${` without its end is missing the quote, as in dash, and not the brace.
        open_expansion_is_open_quote: bool = true,
        /// What is said of a loop's variable that is no name; bash and ksh say it when they run it.
        bad_loop_variable: Option<&'static str> = Some("Syntax error: Bad for loop variable"),
        /// What is said of a function's name that is none.
        bad_function_name: Option<&'static str> = Some("Syntax error: Bad function name"),
        /// What is said of `name (` without `)`, if that is something of its own.
        open_function: Option<&'static str> = None,
    }

    /// Forms that are recognised, but not done here: a script with one of them is left to the shell
    /// that it was written for before anything of it has run. A field is true if the shell gives
    /// the form a meaning of its own.
    pub(crate) struct LeftToItsShell {
        /// ksh: `a.b=1`, `${a.b}`, `a=()`, `a=(b=1)`.
        compound_variables: bool = false,
        /// ksh: `a[]=1`, `a+=([1]=b)`, `a=([1]=b c)`, `a=(b)c`.
        forms_of_arrays: bool = false,
        /// ksh: a name behind `~` that goes on in an expansion or a quote.
        late_tildes: bool = false,
        /// ksh: a `[` without `]` in a pattern or a regular expression.
        open_brackets: bool = false,
        /// ksh: a line that is continued behind a `$` or in a name.
        continued_names: bool = false,
        /// bash: `$a{…}`, whose braces are expanded first.
        braces_behind_names: bool = false,
        /// ksh: quotes in the word of `"${a-word}"`.
        quotes_in_operands: bool = false,
        /// ksh: `${a:%b}`, and a `|` in the pattern of `${a%b}`.
        forms_of_trimming: bool = false,
        /// ksh: blanks, parentheses and other text that is no number in `${a:b:c}`.
        forms_of_slices: bool = false,
        /// ksh: a backslash in what replaces.
        backslash_in_replacement: bool = false,
        /// ksh: `${!name}` of a reference.
        references_by_name: bool = false,
        /// ksh: `&>>`, `<<#`, `>;`, `<>;`.
        forms_of_redirections: bool = false,
        /// ksh: `<>` cuts the file off.
        read_write: bool = false,
        /// ksh: an empty delimiter of a here-document, one with a `$`, or one on a continued line.
        forms_of_delimiters: bool = false,
        /// ksh: an empty command, `;`.
        empty_commands: bool = false,
        /// ksh: `time -x`, and `!` behind a pipe.
        forms_of_prefixes: bool = false,
        /// Variables that only the shell itself can fill.
        variables: &'static [&'static [u8]] = &[],
        /// Variables that change how the shell works when they are assigned to.
        assigned_variables: &'static [&'static [u8]] = &[],
        /// ksh: calculated fractions, references in `function f`, redirections under `set -x`.
        by_two_things: bool = false,
        /// Whether a command is left to the shell.
        command: IsLeft = |_, _| false,
    }

    /// How commands are named and what they show.
    pub(crate) struct Commands {
        /// Whether aliases count in the POSIX mode alone, as in bash: scripts are not in it.
        aliases_in_posix_mode: bool = false,
        /// Whether there are aliases that the script has not made (ksh).
        has_own_aliases: bool = false,
        /// The commands that can show an alias or be one's name.
        alias_readers: &'static [&'static [u8]] = &[b"type", b"command", b"eval", b"."],
        /// Whether a listing of all variables has `_` in it (bash).
        lists_last_argument: bool = false,
        /// Whether `builtin` runs the builtin whose name follows, as in bash; ksh loads one.
        builtin_runs: bool = true,
        /// Whether `set -o` has options that are not known here (ksh).
        has_other_options: bool = false,
        /// `shopt` (bash).
        shopt: bool = false,
    }
}

/// `|&`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PipeAnd {
    /// There is none.
    Absent,
    /// The errors go through the pipe as well.
    ErrorsToo,
    /// A coprocess.
    Coprocess,
}

/// A here-document whose text has not begun at the end of `$( … )`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnfinishedHere {
    /// It is empty.
    Empty,
    /// It begins behind the line.
    BehindTheLine,
    /// It is a syntax error.
    Error(&'static str),
}

/// What stands where something may not stand.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Token<'a> {
    /// The end of the text.
    End,
    /// The end of a line.
    Newline,
    /// An operator or a reserved word.
    Known(&'a str),
    /// Any other word.
    Word(&'a str),
}

/// Says it of a command by its name and the words behind it, as far as they are known.
pub(crate) type IsLeft = fn(name: &[u8], words: &[Option<&[u8]>]) -> bool;

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
