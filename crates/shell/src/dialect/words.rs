//! What the shells' words differ in: quotes, tildes, braces, `${…}`, assignments.

/// How unquoted and quoted text is read.
pub(crate) struct Words {
    /// `$'…'` and `$"…"`
    pub(crate) dollar_quotes: bool,
    /// Whether `$'…'` counts in the word of `"${a-word}"`, as in bash.
    pub(crate) dollar_quotes_in_operands: bool,
    /// Whether a brace between two `'` in the word of `"${a-word}"` does not end it, though the
    /// quotes are text, as in bash.
    pub(crate) quotes_hide_braces: bool,
    /// Whether a `"` in arithmetic stays, and is no number then, as in dash.
    pub(crate) quotes_in_arithmetic_stay: bool,
    /// `@(…)`, `*(…)` and the like.
    pub(crate) extended_patterns: ExtendedPatterns,
    /// `$[ … ]`, as in bash.
    pub(crate) old_arithmetic: bool,
    /// Whether `$((` and `((` always begin arithmetic, as in dash. In bash and ksh they may turn
    /// out to be parentheses in parentheses.
    pub(crate) only_arithmetic: bool,
    /// Whether a fault in backquotes is found when they are run (bash, ksh), and not when the
    /// script is read (dash).
    pub(crate) backquotes_read_late: bool,
    /// Whether lines are counted from 1 in backquotes, as in dash.
    pub(crate) backquotes_count_lines: bool,
    /// Whether a fault in `$( … )` is found when it is run, as in ksh.
    pub(crate) substitutions_read_late: bool,
    /// Whether a backslash is part of a regular expression in `[[ =~ ]]`, as in ksh, where other
    /// quotes are not.
    pub(crate) regex_has_backslashes: bool,
    /// Whether a backslash at the very end of the text stands for itself; in ksh it is nothing.
    pub(crate) last_backslash_stays: bool,
    /// Whether a `:` ends the name behind `~` anywhere (bash, ksh), and not only in assignments.
    pub(crate) colon_ends_tilde: bool,
    /// Whether `~` counts before a quoted `/`, as in ksh.
    pub(crate) tilde_before_quoted_slash: bool,
    /// Whether an argument that looks like an assignment has the tildes of one, as in bash.
    pub(crate) tildes_in_arguments: bool,
    /// Whether a quoted word of several expansions, of which one is `"$@"`, is an empty word where
    /// there are no parameters.
    pub(crate) empty_at: EmptyAt,
}

/// `@(…)`, `*(…)` and the like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExtendedPatterns {
    /// There are none.
    Never,
    /// They are patterns wherever they stand.
    Always,
    /// They are patterns in `[[ … ]]`, and elsewhere if `shopt -s extglob` asked for them.
    IfAskedFor,
}

/// A quoted word of several expansions, of which one is `"$@"`, where there are no parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EmptyAt {
    /// An empty word.
    Stays,
    /// No word, if the others are empty as well.
    Vanishes,
    /// An empty word if all of them are `$@`; else as [`Self::Vanishes`].
    StaysIfOnlyAt,
}

/// How braces are expanded: `{a,b}`, `{1..9}`.
pub(crate) struct Braces {
    /// Whether they are.
    pub(crate) expanded: bool,
    /// Whether braces that come out of an expansion count, as in ksh: they are expanded last
    /// there, and first in bash.
    pub(crate) after_expansions: bool,
    /// Whether only plain text between braces is expanded here: the rest, and sequences with
    /// formats, octal numbers or mixed ends, are left to the shell itself (ksh).
    pub(crate) only_plain: bool,
    /// Whether a tilde is looked for in each of the words that come of braces, as in bash.
    pub(crate) tildes_afterwards: bool,
    /// Whether an empty alternative is an empty word, as in ksh; bash drops it.
    pub(crate) empty_words: bool,
    /// Whether a comma at any depth makes a list, as in bash: `{{a,b}}`.
    pub(crate) inner_comma_counts: bool,
    /// `{a..Z}`, as in bash.
    pub(crate) mixed_cases: bool,
    /// Whether `{01..10}` pads with zeros, as in bash.
    pub(crate) padded_numbers: bool,
    /// Whether the sign of a sequence's step counts, as in ksh: bash goes from the one end to the
    /// other in any case.
    pub(crate) signed_steps: bool,
    /// Whether `export a={1,2}` assigns twice, as in bash.
    pub(crate) in_declarations: bool,
    /// Whether `a=([1]={b,c})` has two elements without a subscript, as in bash.
    pub(crate) behind_subscripts: bool,
    /// Whether braces in the word of a redirection are expanded, and refused as too many words, as
    /// in bash.
    pub(crate) in_redirections: bool,
}

/// What `${…}` can do.
pub(crate) struct Parameters {
    /// `${ command; }`, as in ksh.
    pub(crate) command_in_braces: bool,
    /// `${!name}`, `${!prefix*}`, `${!array[@]}`
    pub(crate) indirection: bool,
    /// `${a:1:2}`
    pub(crate) slices: bool,
    /// Whether `${a:}` is refused, as in bash.
    pub(crate) refuses_empty_slice: bool,
    /// `${a/pattern/by}`
    pub(crate) replacement: bool,
    /// Whether `${a////b}` replaces slashes, as in bash.
    pub(crate) slash_in_pattern: bool,
    /// Whether an `&` in what replaces stands for what was found, as in bash.
    pub(crate) ampersand_in_replacement: bool,
    /// `${a^}`, `${a,,}`, `${a~}`, as in bash.
    pub(crate) case_changes: bool,
    /// `${a@Q}` and its like, as in bash.
    pub(crate) transformations: bool,
    /// Whether `${a[]}` is refused, as in bash.
    pub(crate) refuses_empty_subscript: bool,
}

/// How assignments are written.
pub(crate) struct Assigned {
    /// `a[1]=b`, `a=(b c)`, `${a[1]}`
    pub(crate) arrays: bool,
    /// `a+=b`
    pub(crate) append: bool,
    /// Whether `a[` reads on to the `]`, whatever stands between, as in bash.
    pub(crate) reads_to_bracket: bool,
    /// The commands behind whose names assignments are assignments.
    pub(crate) declaring: &'static [&'static [u8]],
    /// Whether this is so behind `command export` as well: in bash these are words like others.
    pub(crate) declaring_behind_command: bool,
}
