//! How text is written, split and quoted.

use super::Around;

area! {
    /// How text is written, split and quoted.
    pub(crate) struct Formats {
        /// `echo`
        echo: Echo = Echo::POSIX,
        /// Backslashes and what follows them.
        escapes: EscapeRules = EscapeRules::POSIX,
        /// `printf`
        printf: Printf = Printf::POSIX,
        /// `getopts`
        getopts: GetoptsRules = GetoptsRules::POSIX,
        /// IFS.
        splitting: Splitting = Splitting::POSIX,
        /// How a listing quotes.
        quoting: Quoting = Quoting::Always,
    }

    /// How `echo` reads its words.
    pub(crate) struct Echo {
        /// Whether the letters behind a `-` are all options.
        are_options: fn(letters: &[u8]) -> bool = |letters| letters == b"n",
        /// Whether only the first word can be an option (dash).
        one_option: bool = true,
        /// Whether escapes count without `-e` (dash).
        escapes: bool = true,
        /// Whether the blank behind a word with `\c` is still written (ksh).
        stops_behind_blank: bool = false,
    }

    /// Which escapes there are in `echo`, `printf`, `%b` and `$'…'`.
    pub(crate) struct EscapeRules {
        /// Whether there is `\e` in `echo` and `%b`: ksh has it in formats and `$'…'` alone.
        small_e_anywhere: bool = true,
        /// `\E`
        capital_e: bool = false,
        /// `\"`, `\'`, `\?` in formats and `$'…'`.
        quotes: bool = false,
        /// `\x1f`, `\u20ac` and `\U1f600`.
        by_number: EscapesByNumber = EscapesByNumber::Nowhere,
        /// Where an octal number needs a 0 in front (`\0101`) where it may have one.
        octal_zero: OctalZero = OctalZero::Optional,
        /// Whether a backslash before any other letter goes away in formats and `$'…'` (ksh).
        unknown_loses_backslash: bool = false,
        /// Whether `\x` takes up to eight digits, and more than two make a character (ksh).
        wide_hexadecimal: bool = false,
        /// Whether there is `\x{1f}` everywhere, as in ksh, and not in `$'…'` alone.
        braced_hexadecimal: bool = false,
        /// `\u{20ac}` and `\u[20ac]` (ksh).
        braced_unicode: bool = false,
        /// Whether `\x` and `\u` without a digit are NUL, as in ksh, and not themselves.
        no_digits_is_nul: bool = false,
        /// `\cA` in formats (ksh).
        control_in_formats: bool = false,
        /// `\CA` in formats and `$'…'` (ksh).
        capital_control: bool = false,
        /// Whether `\c` turns a bit of its letter round, as in ksh, instead of clearing some.
        control_turns_bit: bool = false,
    }

    /// What `printf` does. Messages are what stands behind `printf: `.
    pub(crate) struct Printf {
        /// The letters of directives that POSIX does not have.
        letters: &'static [u8] = b"",
        /// Whether lengths (`%ld`) and the flag `'` may stand there, and say nothing.
        modifiers: bool = false,
        /// Whether a negative precision is none (bash).
        negative_precision: bool = false,
        /// What is said of a directive without a letter. None: it is written as it is.
        no_letter: fn(directive: &[u8]) -> Option<Vec<u8>> =
            |_| Some(b"missing format character".to_vec()),
        /// What is said of a directive whose letter, its last byte, is none.
        unknown_letter: fn(directive: &[u8]) -> Vec<u8> =
            |directive| Around("%", ": invalid directive").of(directive),
        /// What is said of a width or precision beyond all limits.
        too_large: &'static str = "xvsnprintf failed",
        /// The status behind a directive that is wrong.
        flaw_status: u8 = 2,
        /// Whether `%c` writes a character, as in ksh, or a byte.
        whole_characters: bool = false,
        /// Whether `%q` without an argument writes an empty word in quotes (bash).
        quotes_nothing: bool = false,
        /// The format of `%()T`.
        default_time: &'static str = "%X",
        /// How long a time may get: bash writes nothing if it is longer.
        time_bytes: usize = usize::MAX,
        /// Whether numbers are arithmetic expressions (ksh).
        numbers_are_expressions: bool = false,
        /// Whether `'` without a character is warned of (ksh).
        warns_of_no_character: bool = false,
        /// What is said of a text that is no number, or only begins with one.
        not_a_number: fn(text: &[u8], begins: bool) -> Vec<u8> = |text, begins| {
            let what =
                if begins { ": not completely converted" } else { ": expected numeric value" };
            Around("", what).of(text)
        },
        /// What is said of a number of too many digits.
        out_of_range: Around = Around("", ": Numerical result out of range"),
        /// Whether that makes the status 1; to bash it is a warning.
        out_of_range_fails: bool = true,
        /// Whether `%f` calculates with 80 bits, and not with 64 as in dash.
        long_doubles: bool = false,
        /// Whether `%f` rounds a half up, as in ksh, and not to the even digit.
        rounds_half_up: bool = false,
    }

    /// What `getopts` does.
    pub(crate) struct GetoptsRules {
        /// Whether a `+` in front of the letters lets options begin with one (ksh).
        plus: bool = false,
        /// Whether a `#` behind a letter says that its argument is a number (ksh).
        numbers: bool = false,
        /// Whether an OPTIND beyond the words begins anew (dash).
        wraps: bool = true,
        /// Whether OPTIND counts a word as soon as it is begun (dash).
        index_is_ahead: bool = true,
        /// Whether OPTARG is unset by an option without argument; in dash it is empty then.
        unsets_argument: bool = false,
        /// Whether OPTARG is unset at the end; in dash it stays.
        unsets_at_end: bool = false,
        /// What is said of a letter that is no option.
        unknown: Around = Around("Illegal option -", ""),
        /// What is said of a letter whose argument is missing.
        no_argument: Around = Around("No arg for -", " option"),
    }

    /// How IFS splits.
    pub(crate) struct Splitting {
        /// Whether what two expansions give is split as if it were one text (bash).
        joins_expansions: bool = false,
        /// When what is between two words of `$@` or `$*` is like white space of IFS.
        words_are_joined: JoinedWords = JoinedWords::Always,
        /// Whether white space behind a backslash stays at the end of what `read` reads (dash).
        keeps_escaped: bool = true,
        /// Whether white space that is twice in IFS counts like any other delimiter (ksh).
        doubled_white_counts: bool = false,
    }
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
