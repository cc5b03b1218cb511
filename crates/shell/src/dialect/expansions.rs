//! What the shells differ in: what expansions come to.

/// What expansions come to.
pub(crate) struct Expansions {
    /// Whether braces that come from a variable are expanded: in ksh.
    pub(crate) variables_make_braces: bool,
    /// Whether what comes from a variable has no `(`, `|` or `)` of a pattern: in ksh.
    pub(crate) plain_pattern_signs: bool,
    /// Whether `$*` in a here-document is joined with spaces, whatever IFS is: in bash.
    pub(crate) here_joins_with_spaces: bool,
    /// Whether `$@` where only one text can be is joined with the first character of IFS:
    /// in dash; elsewhere with a space.
    pub(crate) at_joins_with_ifs: bool,
    /// Whether an empty last word of `$@` ends a field of its own: in ksh.
    pub(crate) empty_last_word_ends_list: bool,
    /// Whether the message about an unset `$1` has the `$`: in bash.
    pub(crate) positional_has_dollar: bool,
    /// Whether `${@-word}` takes no words for set: in dash.
    pub(crate) no_words_are_set: bool,
    /// Whether `${@:-word}` looks at the first word only: in ksh.
    pub(crate) first_word_is_empty: bool,
    /// Whether what is done to an unset parameter is not even looked at: in bash.
    pub(crate) unset_is_not_transformed: bool,
    /// Whether a quoted operation on no words gives one empty word: in dash.
    pub(crate) no_words_are_empty_text: bool,
    /// Whether `${#@}` is the length of the joined text: in dash; elsewhere the number of
    /// words.
    pub(crate) length_of_words_is_of_text: bool,
    /// Whether `${#a[@]}` of an unset variable is an error under `set -u`: in bash.
    pub(crate) unset_array_count_is_error: bool,
    /// Whether a slice that begins before the beginning begins there, and a negative length
    /// is 0: in ksh.
    pub(crate) slices_are_clamped: bool,
    /// Whether `${a[@]:1}` of a text is a slice of the text: in bash.
    pub(crate) one_text_is_sliced: bool,
    /// Whether a slice of an associative array counts from 1: in bash.
    pub(crate) associative_slice_from_one: bool,
    /// What counts in the text that `${a/b/text}` puts in.
    pub(crate) replacement: ReplacementSigns,
    /// Whether `${!a}` is an error if `a` is unset: in bash.
    pub(crate) empty_indirect_is_error: bool,
}

/// What counts in the text that `${a/b/text}` puts in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReplacementSigns {
    /// Nothing (dash has no such operation).
    None,
    /// bash with `patsub_replacement`: `&` is what matched.
    Ampersand,
    /// ksh: `\1` is what a group matched.
    Backslash,
}
