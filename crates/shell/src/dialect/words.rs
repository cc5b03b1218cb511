//! How words are read: quotes, tildes, braces, `${…}`, assignments.

area! {
    /// How unquoted and quoted text is read.
    pub(crate) struct Words {
        /// `$'…'` and `$"…"`
        dollar_quotes: bool = false,
        /// Whether `$'…'` counts in the word of `"${a-word}"` (bash).
        dollar_quotes_in_operands: bool = false,
        /// Whether `'}'` in the word of `"${a-word}"` does not end it (bash).
        quotes_hide_braces: bool = false,
        /// Whether a `"` in arithmetic stays, and is no number then (dash).
        quotes_in_arithmetic_stay: bool = true,
        /// `@(…)`, `*(…)` and the like.
        extended_patterns: ExtendedPatterns = ExtendedPatterns::Never,
        /// `$[ … ]` (bash).
        old_arithmetic: bool = false,
        /// Whether `$((` and `((` always begin arithmetic, not parentheses as well (dash).
        only_arithmetic: bool = true,
        /// Whether a fault in backquotes is found when they are run (not dash).
        backquotes_read_late: bool = false,
        /// Whether lines are counted from 1 in backquotes (dash).
        backquotes_count_lines: bool = true,
        /// Whether a fault in `$( … )` is found when it is run (ksh).
        substitutions_read_late: bool = false,
        /// Whether a backslash, unlike quotes, is part of a regular expression (ksh).
        regex_has_backslashes: bool = false,
        /// Whether a backslash at the very end of the text stands for itself; in ksh it is nothing.
        last_backslash_stays: bool = true,
        /// Whether a `:` ends the name behind `~` also outside of assignments (not dash).
        colon_ends_tilde: bool = false,
        /// Whether `~` counts before a quoted `/` (ksh).
        tilde_before_quoted_slash: bool = false,
        /// Whether an argument that looks like an assignment has the tildes of one (bash).
        tildes_in_arguments: bool = false,
        /// Whether `"$x$@"` is an empty word where there are no parameters.
        empty_at: EmptyAt = EmptyAt::Stays,
    }

    /// How braces are expanded: `{a,b}`, `{1..9}`.
    pub(crate) struct Braces {
        /// Whether they are.
        expanded: bool = false,
        /// Whether braces that come out of an expansion count (ksh): bash expands them first.
        after_expansions: bool = false,
        /// Whether only plain text between braces, and plain sequences, are done here (ksh).
        only_plain: bool = false,
        /// Whether a tilde is looked for in each of the words that come of braces (bash).
        tildes_afterwards: bool = false,
        /// Whether an empty alternative is an empty word, as in ksh; bash drops it.
        empty_words: bool = false,
        /// Whether a comma at any depth makes a list, as in bash: `{{a,b}}`.
        inner_comma_counts: bool = false,
        /// `{a..Z}` (bash).
        mixed_cases: bool = false,
        /// Whether `{01..10}` pads with zeros (bash).
        padded_numbers: bool = false,
        /// Whether the sign of a sequence's step counts (ksh): bash goes to the other end.
        signed_steps: bool = false,
        /// Whether `export a={1,2}` assigns twice (bash).
        in_declarations: bool = false,
        /// Whether `a=([1]={b,c})` has two elements without a subscript (bash).
        behind_subscripts: bool = false,
        /// Whether they are expanded in redirections, and refused as too many words (bash).
        in_redirections: bool = false,
    }

    /// What `${…}` can do.
    pub(crate) struct Parameters {
        /// `${ command; }` (ksh).
        command_in_braces: bool = false,
        /// `${!name}`, `${!prefix*}`, `${!array[@]}`
        indirection: bool = false,
        /// `${a:1:2}`
        slices: bool = false,
        /// Whether `${a:}` is refused (bash).
        refuses_empty_slice: bool = false,
        /// `${a/pattern/by}`
        replacement: bool = false,
        /// Whether `${a////b}` replaces slashes (bash).
        slash_in_pattern: bool = false,
        /// Whether an `&` in what replaces stands for what was found (bash).
        ampersand_in_replacement: bool = false,
        /// `${a^}`, `${a,,}`, `${a~}` (bash).
        case_changes: bool = false,
        /// `${a@Q}` and its like (bash).
        transformations: bool = false,
        /// Whether `${a[]}` is refused (bash).
        refuses_empty_subscript: bool = false,
    }

    /// How assignments are written.
    pub(crate) struct Assigned {
        /// `a[1]=b`, `a=(b c)`, `${a[1]}`
        arrays: bool = false,
        /// `a+=b`
        append: bool = false,
        /// Whether `a[` reads on to the `]`, whatever stands between (bash).
        reads_to_bracket: bool = false,
        /// The commands behind whose names assignments are assignments.
        declaring: &'static [&'static [u8]] = &[b"export", b"readonly", b"local"],
        /// Whether this is so behind `command export` as well: in bash these are words like others.
        declaring_behind_command: bool = true,
    }
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
