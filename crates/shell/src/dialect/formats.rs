//! What the shells differ in where text is written, split or quoted.

use super::Around;

/// How text is written, split and quoted.
pub(crate) struct Formats {
    /// `echo`
    pub(crate) echo: Echo,
    /// Backslashes and what follows them.
    pub(crate) escapes: EscapeRules,
    /// `printf`
    pub(crate) printf: Printf,
    /// `getopts`
    pub(crate) getopts: GetoptsRules,
    /// IFS.
    pub(crate) splitting: Splitting,
    /// How a listing quotes.
    pub(crate) quoting: Quoting,
}

/// How `echo` reads its words.
pub(crate) struct Echo {
    /// Whether the letters behind a `-` are all options.
    pub(crate) are_options: fn(letters: &[u8]) -> bool,
    /// Whether only the first word can be an option, as in dash.
    pub(crate) one_option: bool,
    /// Whether escapes count without `-e`, as in dash.
    pub(crate) escapes: bool,
    /// Whether the blank behind a word with `\c` is still written, as in ksh.
    pub(crate) stops_behind_blank: bool,
}

/// Which escapes there are in `echo`, `printf`, `%b` and `$'…'`.
pub(crate) struct EscapeRules {
    /// Whether there is `\e` in `echo` and `%b`: ksh has it in formats and `$'…'` alone.
    pub(crate) small_e_anywhere: bool,
    /// `\E`
    pub(crate) capital_e: bool,
    /// `\"`, `\'`, `\?` in formats and `$'…'`.
    pub(crate) quotes: bool,
    /// `\x1f`, `\u20ac` and `\U1f600`.
    pub(crate) by_number: EscapesByNumber,
    /// Where an octal number needs a 0 in front (`\0101`) where it may have one.
    pub(crate) octal_zero: OctalZero,
    /// Whether a backslash before any other letter goes away in formats and `$'…'`, as in ksh.
    pub(crate) unknown_loses_backslash: bool,
    /// Whether `\x` takes up to eight digits, and more than two make a character, as in ksh.
    pub(crate) wide_hexadecimal: bool,
    /// Whether there is `\x{1f}` everywhere, as in ksh, and not in `$'…'` alone.
    pub(crate) braced_hexadecimal: bool,
    /// `\u{20ac}` and `\u[20ac]`, as in ksh.
    pub(crate) braced_unicode: bool,
    /// Whether `\x` and `\u` without a digit are NUL, as in ksh, and not themselves.
    pub(crate) no_digits_is_nul: bool,
    /// `\cA` in formats, as in ksh.
    pub(crate) control_in_formats: bool,
    /// `\CA` in formats and `$'…'`, as in ksh.
    pub(crate) capital_control: bool,
    /// Whether `\c` turns a bit of its letter round, as in ksh, instead of clearing some.
    pub(crate) control_turns_bit: bool,
}

/// `\x1f`, `\u20ac` and `\U1f600`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EscapesByNumber {
    /// There are none.
    Nowhere,
    /// In formats and `$'…'`.
    Quoting,
    /// In `echo` and `%b` as well.
    Anywhere,
}

/// Where an octal number needs a 0 in front, of the places where it may have one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OctalZero {
    /// In none.
    Optional,
    /// In `echo`.
    InEcho,
    /// In `echo` and `%b`.
    Needed,
}

/// What `printf` does. Messages are what stands behind `printf: `.
pub(crate) struct Printf {
    /// The letters of directives that POSIX does not have.
    pub(crate) letters: &'static [u8],
    /// Whether lengths (`%ld`) and the flag `'` may stand there, and say nothing.
    pub(crate) modifiers: bool,
    /// Whether a negative precision is none, as in bash.
    pub(crate) negative_precision: bool,
    /// What is said of a directive without a letter. None: it is written as it is.
    pub(crate) no_letter: fn(directive: &[u8]) -> Option<Vec<u8>>,
    /// What is said of a directive whose letter, its last byte, is none.
    pub(crate) unknown_letter: fn(directive: &[u8]) -> Vec<u8>,
    /// What is said of a width or precision beyond all limits.
    pub(crate) too_large: &'static str,
    /// The status behind a directive that is wrong.
    pub(crate) flaw_status: u8,
    /// Whether `%c` writes a character, as in ksh, or a byte.
    pub(crate) whole_characters: bool,
    /// Whether `%q` without an argument writes an empty word in quotes, as in bash.
    pub(crate) quotes_nothing: bool,
    /// The format of `%()T`.
    pub(crate) default_time: &'static str,
    /// How long a time may get: bash writes nothing if it is longer.
    pub(crate) time_bytes: usize,
    /// Whether numbers are arithmetic expressions, as in ksh.
    pub(crate) numbers_are_expressions: bool,
    /// Whether `'` without a character is warned of, as in ksh.
    pub(crate) warns_of_no_character: bool,
    /// What is said of a text that is no number, or only begins with one.
    pub(crate) not_a_number: fn(text: &[u8], begins: bool) -> Vec<u8>,
    /// What is said of a number of too many digits.
    pub(crate) out_of_range: Around,
    /// Whether that makes the status 1; to bash it is a warning.
    pub(crate) out_of_range_fails: bool,
    /// Whether `%f` calculates with 80 bits, and not with 64 as in dash.
    pub(crate) long_doubles: bool,
    /// Whether `%f` rounds a half up, as in ksh, and not to the even digit.
    pub(crate) rounds_half_up: bool,
}

/// What `getopts` does.
pub(crate) struct GetoptsRules {
    /// Whether a `+` in front of the letters lets options begin with one, as in ksh.
    pub(crate) plus: bool,
    /// Whether a `#` behind a letter says that its argument is a number, as in ksh.
    pub(crate) numbers: bool,
    /// Whether an OPTIND beyond the words begins anew, as in dash.
    pub(crate) wraps: bool,
    /// Whether OPTIND counts a word as soon as it is begun, as in dash.
    pub(crate) index_is_ahead: bool,
    /// Whether OPTARG is unset by an option without argument; in dash it is empty then.
    pub(crate) unsets_argument: bool,
    /// Whether OPTARG is unset at the end; in dash it stays.
    pub(crate) unsets_at_end: bool,
    /// What is said of a letter that is no option.
    pub(crate) unknown: Around,
    /// What is said of a letter whose argument is missing.
    pub(crate) no_argument: Around,
}

/// How IFS splits.
pub(crate) struct Splitting {
    /// Whether what two expansions give is split as if it were one text, as in bash.
    pub(crate) joins_expansions: bool,
    /// When what is between two words of an unquoted `$@` or `$*` is like white space of IFS, to
    /// which one other delimiter beside it belongs.
    pub(crate) words_are_joined: JoinedWords,
    /// Whether white space behind a backslash stays at the end of what `read` reads, as in dash.
    pub(crate) keeps_escaped: bool,
    /// Whether white space that is twice in IFS counts like any other delimiter, as in ksh.
    pub(crate) doubled_white_counts: bool,
}

/// When what is between two words of an unquoted `$@` or `$*` is like white space of IFS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JoinedWords {
    /// Never (ksh).
    Never,
    /// If IFS begins with white space (bash).
    IfIfsBeginsWithWhite,
    /// Always (dash).
    Always,
}

/// How a listing quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quoting {
    /// Always `'…'`, and `set -x` not at all (dash).
    Always,
    /// In a way of its own for each purpose (bash).
    ByPurpose,
    /// Only what needs it, by `'…'` or `$'…'` (ksh).
    IfNeeded,
}
