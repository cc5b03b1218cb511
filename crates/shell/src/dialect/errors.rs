//! How the shells word what they find wrong in a script's text.

/// Messages are what stands behind `name: line n: `.
pub(crate) struct SyntaxErrors {
    /// The text is over, and something that `end` would have ended is not.
    pub(crate) unmatched: fn(end: &str) -> String,
    /// A token where it may not stand, and what was expected instead.
    pub(crate) unexpected: fn(token: Token<'_>, expected: Option<&str>) -> String,
    /// Whether what is missing at the end is missing on the line behind the last one, as in bash.
    pub(crate) end_is_a_line: bool,
    /// What is said if a word is missing at the end of a text without a newline, if that is not
    /// the end of the text: bash sees the end of a line.
    pub(crate) no_word_at_end: Option<&'static str>,
    /// What is said if a redirection stands for a word, if that is something of its own.
    pub(crate) redirection_for_word: Option<&'static str>,
    /// What is said of `${…}` that means nothing.
    pub(crate) bad_substitution: &'static str,
    /// Whether a `"${` without its end is missing the quote, as in dash, and not the brace.
    pub(crate) open_expansion_is_open_quote: bool,
    /// What is said of a loop's variable that is no name; bash and ksh say it when they run it.
    pub(crate) bad_loop_variable: Option<&'static str>,
    /// What is said of a function's name that is none.
    pub(crate) bad_function_name: Option<&'static str>,
    /// What is said of `name (` without `)`, if that is something of its own.
    pub(crate) open_function: Option<&'static str>,
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
