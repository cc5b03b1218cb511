//! What a script is left to its own shell for.

/// Forms that are recognised, but not done here: a script with one of them is left to the shell
/// that it was written for before anything of it has run. A field is true if the shell gives the
/// form a meaning of its own.
pub(crate) struct LeftToItsShell {
    /// ksh: `a.b=1`, `${a.b}`, `a=()`, `a=(b=1)`.
    pub(crate) compound_variables: bool,
    /// ksh: `a[]=1`, `a+=([1]=b)`, `a=([1]=b c)`, `a=(b)c`.
    pub(crate) forms_of_arrays: bool,
    /// ksh: a name behind `~` that goes on in an expansion or a quote.
    pub(crate) late_tildes: bool,
    /// ksh: a `[` without `]` in a pattern or a regular expression.
    pub(crate) open_brackets: bool,
    /// ksh: a line that is continued behind a `$` or in a name.
    pub(crate) continued_names: bool,
    /// bash: `$a{…}`, whose braces are expanded first.
    pub(crate) braces_behind_names: bool,
    /// ksh: quotes in the word of `"${a-word}"`.
    pub(crate) quotes_in_operands: bool,
    /// ksh: `${a:%b}`, and a `|` in the pattern of `${a%b}`.
    pub(crate) forms_of_trimming: bool,
    /// ksh: blanks, parentheses and other text that is no number in `${a:b:c}`.
    pub(crate) forms_of_slices: bool,
    /// ksh: a backslash in what replaces.
    pub(crate) backslash_in_replacement: bool,
    /// ksh: `${!name}` of a reference.
    pub(crate) references_by_name: bool,
    /// ksh: `&>>`, `<<#`, `>;`, `<>;`.
    pub(crate) forms_of_redirections: bool,
    /// ksh: `<>` cuts the file off.
    pub(crate) read_write: bool,
    /// ksh: an empty delimiter of a here-document, one with a `$`, or one on a continued line.
    pub(crate) forms_of_delimiters: bool,
    /// ksh: an empty command, `;`.
    pub(crate) empty_commands: bool,
    /// ksh: `time -x`, and `!` behind a pipe.
    pub(crate) forms_of_prefixes: bool,
    /// Variables that only the shell itself can fill.
    pub(crate) variables: &'static [&'static [u8]],
    /// Variables that change how the shell works when they are assigned to.
    pub(crate) assigned_variables: &'static [&'static [u8]],
    /// ksh: what two things of a script show together: fractions in what calculates, references in
    /// functions with variables of their own, `set -x` and what it shows of redirections.
    pub(crate) by_two_things: bool,
    /// Whether a command is left to the shell.
    pub(crate) command: IsLeft,
}

/// Says it of a command by its name and the words behind it, as far as they are known.
pub(crate) type IsLeft = fn(name: &[u8], words: &[Option<&[u8]>]) -> bool;
