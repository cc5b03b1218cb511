//! What the shells differ in: what `set -x` and `time` show.

use super::Around;

/// What `set -x` and `time` show.
pub(crate) struct Trace {
    /// Whether the first character of PS4 is repeated in `eval`, `.` and substitutions: in
    /// bash.
    pub(crate) nests: bool,
    /// Whether PS4 has the escapes of a prompt: in bash.
    pub(crate) prompt_escapes: bool,
    /// Whether BASH_XTRACEFD says where the lines go: in bash.
    pub(crate) own_descriptor: bool,
    /// Whether `set +x` alone is not shown: in ksh.
    pub(crate) hides_its_end: bool,
    /// How a declaring command's assignments are shown.
    pub(crate) declarations: TracedDeclarations,
    /// Whether the name `[` is shown without quotes: in ksh.
    pub(crate) bracket_is_plain: bool,
    /// Whether an empty value that is assigned is shown as `''`: in ksh.
    pub(crate) quotes_empty_values: bool,
    /// Whether assignments are shown on the line of their command: in dash; elsewhere each
    /// on its own.
    pub(crate) assignments_share_line: bool,
    /// Whether the heads of `for`, `case` and `select` are shown: in bash.
    pub(crate) shows_heads: bool,
    /// Whether an empty part of `for ((;;))` is shown as `(( 1 ))`: in bash.
    pub(crate) shows_empty_parts: bool,
    /// How `((…))` is shown.
    pub(crate) arithmetic: Around,
    /// Whether the tests of `[[ … ]]` are shown: dash has none.
    pub(crate) shows_tests: bool,
    /// Whether the words of a test are shown in quotes where they need them: in ksh.
    pub(crate) quotes_tested_words: bool,
    /// How `time` shows what it measured.
    pub(crate) time_format: TimeFormat,
}

/// How a declaring command's assignments are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TracedDeclarations {
    /// dash: as the words they are.
    Words,
    /// bash: arrays on lines before; those of `export` and `readonly` again on lines behind.
    Twice,
    /// ksh: each on a line before, and its name in the command.
    Values,
}

/// How `time` shows what it measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TimeFormat {
    /// dash: as `time -p` does.
    Posix,
    /// bash: as TIMEFORMAT says.
    Variable,
    /// ksh: in its usual way.
    Usual,
}
