//! What the shells differ in: patterns and regular expressions when they are used.

/// Patterns and regular expressions when they are used.
pub(crate) struct Patterns {
    /// Whether `[[.a.]]` and `[[=a=]]` are plain characters: in dash.
    pub(crate) plain_classes: bool,
    /// Whether `.*` finds `.` and `..`.
    pub(crate) matches_dots: DotNames,
    /// Whether GLOBIGNORE says which files patterns do not find: in bash.
    pub(crate) ignores_files: bool,
    /// Whether quoted text between `[` and `]` of a regular expression is left as it is: in
    /// bash.
    pub(crate) regex_brackets_stay: bool,
    /// What is escaped in quoted text of a regular expression: in ksh only what counts in
    /// other patterns as well.
    pub(crate) regex_signs: &'static [u8],
    /// Whether `=~` sets BASH_REMATCH: in bash.
    pub(crate) regex_sets_words: bool,
    /// Whether `set -x` shows `$a` in quotes as a pattern with a backslash before each
    /// character: in bash.
    pub(crate) trace_escapes_quoted_value: bool,
    /// Whether `set -x` shows `==` of `[[` as `=`: in ksh.
    pub(crate) equal_signs_are_one: bool,
}

/// Whether `.*` finds `.` and `..`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DotNames {
    /// dash: it does.
    Always,
    /// bash: unless `globskipdots` is on.
    Option,
    /// ksh: it does not.
    Never,
}
