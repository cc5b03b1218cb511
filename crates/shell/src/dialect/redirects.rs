//! What the shells differ in: redirections.

/// Redirections.
pub(crate) struct Redirects {
    /// Whether programs do not get what `exec 3>file` has opened: in ksh.
    pub(crate) exec_opens_privately: bool,
    /// Whether a here-document is a file that can be read twice: in ksh.
    pub(crate) here_document_is_file: bool,
    /// Whether the word of a redirection is split and matched with files, and must be one:
    /// in bash, but in POSIX mode.
    pub(crate) expands_file_names: bool,
    /// The first number that `{name}>file` takes.
    pub(crate) first_named_descriptor: u32,
    /// Whether the word of `>&` can only be a digit: in dash.
    pub(crate) copies_digits_only: bool,
    /// Whether `<&p` is the process of `|&`: in ksh, where there is none here.
    pub(crate) p_is_process: bool,
    /// Whether `>&file` is `>file 2>&1`: in bash.
    pub(crate) copy_of_word_is_file: bool,
    /// Whether `>&word` is called ambiguous: in bash.
    pub(crate) bad_copy_is_ambiguous: bool,
}
