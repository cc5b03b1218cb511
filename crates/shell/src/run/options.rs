//! `set -o` and `shopt`.

pub(crate) use super::option_names::{Name, SHOPT_NAMES, names};
use crate::Dialect;

/// Options that are on, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Options(u64);

macro_rules! options {
    ($($bit:literal $get:ident $letter:literal $name:literal,)*) => {
        /// Each option of `set`: its bit, its letter (a space if it has none), its name.
        pub(crate) const SET: &[(u32, u8, &str)] = &[$(($bit, $letter, $name),)*];
        impl Options {
            $(
                #[inline]
                #[allow(dead_code, reason = "some are only remembered")]
                pub(crate) fn $get(self) -> bool { self.0 & (1 << $bit) != 0 }
            )*
        }
    };
}

macro_rules! shell_options {
    ($($bit:literal $get:ident $name:literal $usual:literal,)*) => {
        /// Each option of `shopt`: its bit, its name, whether it is usually on.
        pub(crate) const SHOPT: &[(u32, &str, bool)] = &[$(($bit, $name, $usual),)*];
        impl Options {
            $(
                #[inline]
                #[allow(dead_code, reason = "some are only remembered")]
                pub(crate) fn $get(self) -> bool { self.0 & (1 << $bit) != 0 }
            )*
        }
    };
}

options! {
    0 all_export b'a' "allexport",
    1 exit_on_error b'e' "errexit",
    2 no_glob b'f' "noglob",
    3 no_exec b'n' "noexec",
    4 no_unset b'u' "nounset",
    5 verbose b'v' "verbose",
    6 trace b'x' "xtrace",
    7 no_clobber b'C' "noclobber",
    8 pipe_fail b' ' "pipefail",
    9 error_trace b'E' "errtrace",
    10 function_trace b'T' "functrace",
    11 posix b' ' "posix",
    12 hash_all b'h' "hashall",
    13 brace_expand b'B' "braceexpand",
    14 notify b'b' "notify",
    15 ignore_eof b' ' "ignoreeof",
    16 no_log b' ' "nolog",
    17 physical b'P' "physical",
    18 key_word b'k' "keyword",
    19 one_command b't' "onecmd",
    20 privileged b'p' "privileged",
    21 hist_expand b'H' "histexpand",
    22 history b' ' "history",
    23 emacs b' ' "emacs",
    24 vi b' ' "vi",
    25 interactive_comments b' ' "interactive-comments",
    26 global_star_ksh b' ' "globstar",
}

shell_options! {
    32 null_glob "nullglob" false,
    33 dot_glob "dotglob" false,
    34 ext_glob "extglob" false,
    35 no_case_glob "nocaseglob" false,
    36 no_case_match "nocasematch" false,
    37 fail_glob "failglob" false,
    38 glob_star "globstar" false,
    39 last_pipe "lastpipe" false,
    40 inherit_error "inherit_errexit" false,
    41 xpg_echo "xpg_echo" false,
    42 check_hash "checkhash" false,
    43 check_winsize "checkwinsize" true,
    44 extended_quote "extquote" true,
    45 source_path "sourcepath" true,
    46 prog_comp "progcomp" true,
    47 prompt_vars "promptvars" true,
    48 interactive_comments2 "interactive_comments" true,
    49 exec_fail "execfail" false,
    50 cmd_hist "cmdhist" true,
    51 force_fignore "force_fignore" true,
    52 glob_ascii_ranges "globasciiranges" true,
    53 glob_skip_dots "globskipdots" true,
    54 local_var_inherit "localvar_inherit" false,
    55 local_var_unset "localvar_unset" false,
    56 pat_sub_replacement "patsub_replacement" true,
    57 expand_aliases "expand_aliases" false,
    58 cd_spell "cdspell" false,
    59 shift_verbose "shift_verbose" false,
    60 ext_debug "extdebug" false,
    61 assoc_expand_once "assoc_expand_once" false,
    62 login_shell "login_shell" false,
}

impl Options {
    /// What a script of that dialect begins with.
    pub(crate) fn of(dialect: crate::Dialect) -> Options {
        let mut options = Options::default();
        if dialect == crate::Dialect::Bash {
            for (bit, _, usual) in SHOPT {
                options.set(*bit, *usual);
            }
            for name in ["hashall", "braceexpand", "interactive-comments"] {
                if let Some(bit) = by_name(name.as_bytes()) {
                    options.set(bit, true);
                }
            }
        }
        if dialect == crate::Dialect::Ksh {
            options.set(HASH, true);
            options.set(BRACES, true);
        }
        options
    }

    pub(crate) fn is(self, bit: u32) -> bool {
        self.0 & (1 << bit) != 0
    }

    pub(crate) fn set(&mut self, bit: u32, on: bool) {
        if on {
            self.0 |= 1 << bit;
        } else {
            self.0 &= !(1 << bit);
        }
    }

    /// The letters of `$-`.
    pub(crate) fn letters(self, dialect: Dialect) -> Vec<u8> {
        if dialect == Dialect::Posix {
            // dash goes through its list from the end.
            let names = names(dialect).iter().rev().filter(|name| name.is_on(self));
            return names.filter_map(|name| letter_of(name.bit?)).collect();
        }
        let mut letters: Vec<u8> = SET
            .iter()
            .filter(|(bit, letter, _)| *letter != b' ' && self.is(*bit))
            .map(|(_, letter, _)| *letter)
            .collect();
        letters.sort_by_key(|letter| (letter.is_ascii_uppercase(), *letter));
        letters
    }
}

fn letter_of(bit: u32) -> Option<u8> {
    SET.iter()
        .find(|(known, letter, _)| *known == bit && *letter != b' ')
        .map(|(_, letter, _)| *letter)
}

/// The bit of an option of `set`.
pub(crate) fn by_name(name: &[u8]) -> Option<u32> {
    SET.iter().find(|(_, _, known)| known.as_bytes() == name).map(|(bit, _, _)| *bit)
}

/// Whether `set -o` knows an option of this name. No calls.
#[must_use]
pub fn is_option(name: &[u8]) -> bool {
    by_name(name).is_some()
}

/// The bit of an option by its letter, if that dialect has it.
pub(crate) fn by_letter(letter: u8, dialect: Dialect) -> Option<u32> {
    let known: &[u8] = match dialect {
        Dialect::Bash => b"abefhkmnptuvxBCEHPT",
        Dialect::Posix => b"efnxvCabup",
        Dialect::Ksh => b"abefhknptuvxBCGH",
    };
    if !known.contains(&letter) {
        return None;
    }
    if letter == b'G' {
        return Some(GLOB_STAR_KSH);
    }
    SET.iter().find(|(_, other, _)| *other == letter).map(|(bit, _, _)| *bit)
}

/// Whether an option is done here when it is on, or off: those that are not are left to the
/// language's own shell, or refused.
pub(crate) fn is_done(bit: u32, on: bool) -> bool {
    const NOT_ON: &[u32] = &[VERBOSE, 18, 19, 49, 54, 55, 57, 60];
    const NOT_OFF: &[u32] = &[BRACES, 44, 45, 47];
    !if on { NOT_ON } else { NOT_OFF }.contains(&bit)
}

/// The name of the first option that is on, or off, and not done here.
pub(crate) fn not_done(options: Options, dialect: Dialect) -> Option<&'static str> {
    let usual = Options::of(dialect);
    let names = SET.iter().map(|(bit, _, name)| (*bit, *name));
    let mut names = names.filter(|(bit, _)| options.is(*bit) != usual.is(*bit));
    names.find(|(bit, _)| !is_done(*bit, options.is(*bit))).map(|(_, name)| name)
}

pub(crate) const VERBOSE: u32 = 5;
pub(crate) const TRACE: u32 = 6;
const HASH: u32 = 12;
const BRACES: u32 = 13;
const GLOB_STAR_KSH: u32 = 26;
