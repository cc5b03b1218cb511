//! What words, variables and arrays come to.

use super::{Around, bucket};

area! {
    /// What words, variables and arrays come to.
    pub(crate) struct Values {
        variables: Variables = Variables::POSIX,
        arrays: Arrays = Arrays::POSIX,
        expansions: Expansions = Expansions::POSIX,
        patterns: Patterns = Patterns::POSIX,
        numbers: Numbers = Numbers::POSIX,
    }

    /// Variables, their values and their attributes.
    pub(crate) struct Variables {
        /// The variables whose value is computed when it is asked for.
        computed: &'static [&'static str] = &[],
        /// The variables that are integers from the start.
        integers: &'static [&'static str] = &[],
        /// The variables that are arrays from the start, though nothing is in them.
        arrays: &'static [&'static str] = &[],
        /// How RANDOM goes on from a seed.
        random_generator: RandomGenerator = RandomGenerator::Any,
        /// Whether OPTIND can only be a number: dash refuses others, and `unset OPTIND`.
        optind_must_be_number: bool = true,
        /// Whether other positional parameters make `getopts` begin anew (dash).
        set_resets_getopts: bool = true,
        /// Whether `${a:=b}` in an assignment before a command stays (bash).
        default_outlives_prefix: bool = false,
        /// Whether `unset` of a caller's or prefixed variable shows what it hides (bash).
        unset_shows_outer: bool = false,
        /// Whether a local variable begins with the value that it hides (dash).
        local_keeps_value: bool = true,
        /// Whether a local variable is exported if what it hides is (bash).
        local_keeps_export: bool = false,
        /// Whether a text assigned before a command takes an array's place for its time (bash).
        prefix_hides_arrays: bool = false,
        /// Whether programs get the first element of an exported array: bash gives them nothing.
        exports_arrays: bool = true,
        /// The row of its hash table that has a name: the environment's order. None: as they came.
        exports_in_buckets: Option<fn(name: &[u8]) -> u32> = Some(|name| bucket(name, 39)),
        /// Whether functions are taken from the environment (`BASH_FUNC_f%%`) (bash).
        imports_functions: bool = false,
        /// Whether programs get pairs of the environment that are no variables (not dash).
        keeps_strange_environment: bool = false,
        /// Whether `~1` is a directory of the stack that `pushd` makes (bash).
        directory_stack: bool = false,
        /// Whether `~+` and `~-` are PWD and OLDPWD (not dash).
        tilde_signs: bool = false,
        /// Whether a `declare -n` that leads to itself is told and kept (bash); ksh refuses it.
        circular_references: bool = false,
    }

    /// Arrays and their subscripts.
    pub(crate) struct Arrays {
        /// Whether `${a[-1]}` of a text is the text (not ksh).
        text_has_last_element: bool = true,
        /// Whether `${#a[0]}` is taken of an array's first element though it is not there (ksh).
        missing_first_has_length: bool = false,
        /// Whether a subscript before the first element is an error (ksh), or unset (bash).
        checks_range: bool = false,
        /// Whether an empty subscript is an error (bash).
        refuses_empty_keys: bool = false,
        /// Whether `a=([k]=v)` is associative whatever was there, and `a=(v)` indexed (ksh).
        keys_make_associative: bool = false,
        /// Whether elements with keys are neither split nor matched with files (bash).
        keyed_elements_are_plain: bool = false,
        /// Whether `([k]=v w)` complains of the element without a key (bash).
        mixed_elements_are_told: bool = false,
        /// The row of its hash table that has a key: the order of keys. None: sorted (ksh).
        keys_in_buckets: Option<fn(key: &[u8]) -> u32> = None,
        /// Whether there are arrays (not dash).
        exist: bool = false,
        /// Whether `unset 'a[k]'` fails if there is no such key (ksh).
        unset_missing_key_fails: bool = false,
        /// Whether `unset 'a[@]'` empties an array (bash).
        unset_all_elements: bool = false,
        /// Whether `unset 'a[1]'` of a text is an error (bash).
        unset_needs_array: bool = false,
        /// Whether a wrong subscript only makes `unset` fail (ksh), like no other error.
        unset_bad_subscript_fails_builtin: bool = false,
        /// Of an element that is before an array's beginning.
        unset_out_of_range: fn(name: &[u8], subscript: &[u8]) -> Vec<u8> =
            |name, _| Around("", ": subscript out of range").of(name),
        /// Whether `[[ -v a[@] ]]` asks an associative array for the key `@` (bash).
        v_all_is_key: bool = false,
    }

    /// What expansions come to.
    pub(crate) struct Expansions {
        /// Whether braces that come from a variable are expanded (ksh).
        variables_make_braces: bool = false,
        /// Whether what comes from a variable has no `(`, `|` or `)` of a pattern (ksh).
        plain_pattern_signs: bool = false,
        /// Whether `$*` in a here-document is joined with spaces, whatever IFS is (bash).
        here_joins_with_spaces: bool = false,
        /// Whether `$@` as one text is joined with the first of IFS (dash), not with a space.
        at_joins_with_ifs: bool = true,
        /// Whether an empty last word of `$@` ends a field of its own (ksh).
        empty_last_word_ends_list: bool = false,
        /// Whether the message about an unset `$1` has the `$` (bash).
        positional_has_dollar: bool = false,
        /// Whether `${@-word}` takes no words for set (dash).
        no_words_are_set: bool = true,
        /// Whether `${@:-word}` looks at the first word only (ksh).
        first_word_is_empty: bool = false,
        /// Whether what is done to an unset parameter is not even looked at (bash).
        unset_is_not_transformed: bool = false,
        /// Whether a quoted operation on no words gives one empty word (dash).
        no_words_are_empty_text: bool = true,
        /// Whether `${#@}` is the length of the joined text (dash); elsewhere the number of words.
        length_of_words_is_of_text: bool = true,
        /// Whether `${#a[@]}` of an unset variable is an error under `set -u` (bash).
        unset_array_count_is_error: bool = false,
        /// Whether a slice from before the beginning begins there; a negative length is 0 (ksh).
        slices_are_clamped: bool = false,
        /// Whether `${a[@]:1}` of a text is a slice of the text (bash).
        one_text_is_sliced: bool = false,
        /// Whether a slice of an associative array counts from 1 (bash).
        associative_slice_from_one: bool = false,
        /// What counts in the text that `${a/b/text}` puts in.
        replacement: ReplacementSigns = ReplacementSigns::None,
        /// Whether `${!a}` is an error if `a` is unset (bash).
        empty_indirect_is_error: bool = false,
    }

    /// Patterns and regular expressions when they are used.
    pub(crate) struct Patterns {
        /// Whether `[[.a.]]` and `[[=a=]]` are plain characters (dash).
        plain_classes: bool = true,
        /// Whether `.*` finds `.` and `..`.
        matches_dots: DotNames = DotNames::Always,
        /// Whether GLOBIGNORE says which files patterns do not find (bash).
        ignores_files: bool = false,
        /// Whether quoted text between `[` and `]` of a regular expression is left as it is (bash).
        regex_brackets_stay: bool = false,
        /// What is escaped in quoted text of a regular expression.
        regex_signs: &'static [u8] = b"\\.[]*^$+?(){}|",
        /// Whether `=~` sets BASH_REMATCH (bash).
        regex_sets_words: bool = false,
        /// Whether `set -x` shows a quoted `$a` as a pattern with backslashes (bash).
        trace_escapes_quoted_value: bool = false,
        /// Whether `set -x` shows `==` of `[[` as `=` (ksh).
        equal_signs_are_one: bool = false,
    }

    /// Variables in arithmetic.
    pub(crate) struct Numbers {
        /// Whether `set -u` holds for variables in arithmetic (not dash).
        unset_is_error: bool = false,
        /// Whether a name in a variable's value must be set, even without `set -u` (ksh).
        unset_in_value_is_error: bool = false,
        /// Whether a variable's value may be an expression: in dash it must be a number.
        values_are_expressions: bool = false,
    }
}

/// How RANDOM goes on from a seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RandomGenerator {
    /// In some way.
    Any,
    /// As bash does: the same numbers from the same seed.
    Bash,
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
