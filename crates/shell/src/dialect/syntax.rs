//! What the shells' grammars differ in.

use super::{Assigned, Braces, LeftToItsShell, Parameters, SyntaxErrors, Words};

/// How a script is read.
pub(crate) struct Syntax {
    /// Which commands there are.
    pub(crate) grammar: Grammar,
    /// Functions.
    pub(crate) functions: Functions,
    /// Assignments.
    pub(crate) assigned: Assigned,
    /// Quotes, tildes, patterns, substitutions.
    pub(crate) words: Words,
    /// Braces: `{a,b}`.
    pub(crate) braces: Braces,
    /// `${…}`
    pub(crate) parameters: Parameters,
    /// `<<end`
    pub(crate) here_documents: HereDocuments,
    /// What is said of a script that cannot be read.
    pub(crate) errors: SyntaxErrors,
    /// What is left to the shell itself.
    pub(crate) left: LeftToItsShell,
}

/// Which commands there are, and how they are made of each other. dash has what POSIX has.
pub(crate) struct Grammar {
    /// `[[ … ]]`
    pub(crate) double_brackets: bool,
    /// `(( … ))` and `for (( … ))`
    pub(crate) arithmetic_commands: bool,
    /// `select`
    pub(crate) select: bool,
    /// `for a in b; { … }`
    pub(crate) loops_in_braces: bool,
    /// `function name …`
    pub(crate) function_keyword: bool,
    /// `time`
    pub(crate) time: bool,
    /// `time -p` and `time --`: in bash options, in ksh the name of a command.
    pub(crate) time_options: bool,
    /// Whether `coproc` is a reserved word, as in bash.
    pub(crate) coproc: bool,
    /// Whether `in` is a reserved word wherever a command begins; in ksh it is a name there.
    pub(crate) reserved_in: bool,
    /// Whether `!` may stand before another `!`, and `!` and `time` before nothing.
    pub(crate) free_prefixes: bool,
    /// `|&`
    pub(crate) pipe_and: PipeAnd,
    /// `;&` at the end of an arm of `case`.
    pub(crate) fall_through: bool,
    /// `;;&` at the end of an arm of `case`, as in bash.
    pub(crate) try_next: bool,
    /// `<( … )` and `>( … )`
    pub(crate) process_substitution: bool,
    /// `<<<`, `&>`, `&>>` and `{name}>`
    pub(crate) more_redirections: bool,
    /// Whether the number before `<` or `>` may have several digits, as in bash.
    pub(crate) wide_descriptors: bool,
    /// Whether the redirections of `{ ( … ) >a; } >b` take the place of the subshell's own, as in
    /// dash.
    pub(crate) outer_redirections_win: bool,
    /// Which line a simple command is on: that of its first word, or, as in bash, which looks one
    /// word ahead, that of its second.
    pub(crate) line_of_second_word: bool,
    /// Whether `set -x` shows loops, redirections and patterns as they are written, as in bash.
    pub(crate) trace_shows_source: bool,
    /// Whether `! command &` turns the status round: bash does not do it where nothing waits.
    pub(crate) background_negation: bool,
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

/// How functions are written.
pub(crate) struct Functions {
    /// Whether any word may be a function's name, as in bash, and not only a name.
    pub(crate) any_name: bool,
    /// Names that no function may have.
    pub(crate) forbidden: &'static [&'static [u8]],
    /// `function name ()`, as in bash.
    pub(crate) keyword_and_parentheses: bool,
    /// Whether a simple command may be a function's body: bash wants a compound one.
    pub(crate) simple_body: bool,
    /// Whether the body behind `function name` must be `{ … }`, as in ksh.
    pub(crate) keyword_needs_group: bool,
    /// Whether a listing shows a function with the token behind it, as in ksh, and not up to the
    /// end of its body.
    pub(crate) source_has_next_token: bool,
    /// Whether a listing writes a function anew from what was understood, as in bash, and not as
    /// it stands in the script.
    pub(crate) written_anew: bool,
    /// Whether the names of special builtins, and those with a `.`, are no functions' names, as in
    /// ksh.
    pub(crate) keeps_special_names: bool,
}

/// How here-documents are read.
pub(crate) struct HereDocuments {
    /// Whether a fault in the text is found when it is expanded (bash, ksh), and not when the
    /// script is read (dash).
    pub(crate) read_late: bool,
    /// Whether the delimiter may be continued over lines, as in bash.
    pub(crate) continued_delimiter: bool,
    /// Whether the last line gets its newline if the script ends without one, as in bash.
    pub(crate) ends_last_line: bool,
    /// Whether `\"` in backquotes stays what it is, as in bash.
    pub(crate) backquotes_keep_quotes: bool,
    /// What becomes of a here-document whose text has not begun at the end of `$( … )`.
    pub(crate) in_substitution: UnfinishedHere,
    /// Whether `$*` is what `$@` is: joined by blanks (bash, ksh), not by IFS (dash).
    pub(crate) star_has_blanks: bool,
    /// The same for `${a[*]}`, as in ksh.
    pub(crate) joined_array_has_blanks: bool,
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
