//! `set -o` and `shopt`.

use fewer::compact;

use crate::Dialect;
use crate::dialect::{OptionName, Profile, option_names};

/// An option on the command line of a shell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// `-e`
    Letter(u8),
    /// `-o errexit`
    Name(Vec<u8>),
    /// `-O extglob`, in bash
    Shopt(Vec<u8>),
}

/// Options that are on, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Options(u64);

/// A table of options, and a question for each of those that anything asks about: the others are
/// only remembered.
macro_rules! options {
    (
        $(#[$about:meta])* $table:ident: $row:ty =
        $($bit:literal $($get:ident)? $(, $what:literal)+;)*
    ) => {
        $(#[$about])*
        pub(crate) const $table: &[$row] = &[$(($bit $(, $what)+)),*];
        impl Options {
            $($(
                #[inline]
                pub(crate) fn $get(self) -> bool { self.is($bit) }
            )?)*
        }
    };
}

options! {
    /// Each option of `set`: its bit, its letter (a space if it has none), its name.
    SET: (u32, u8, &str) =
    0 all_export, b'a', "allexport";
    1 exit_on_error, b'e', "errexit";
    2 no_glob, b'f', "noglob";
    3 no_exec, b'n', "noexec";
    4 no_unset, b'u', "nounset";
    5, b'v', "verbose";
    6 trace, b'x', "xtrace";
    7 no_clobber, b'C', "noclobber";
    8 pipe_fail, b' ', "pipefail";
    9 error_trace, b'E', "errtrace";
    10 function_trace, b'T', "functrace";
    11 posix, b' ', "posix";
    12, b'h', "hashall";
    13, b'B', "braceexpand";
    14, b'b', "notify";
    15, b' ', "ignoreeof";
    16, b' ', "nolog";
    17 physical, b'P', "physical";
    18, b'k', "keyword";
    19, b't', "onecmd";
    20, b'p', "privileged";
    21, b'H', "histexpand";
    22, b' ', "history";
    23, b' ', "emacs";
    24, b' ', "vi";
    25, b' ', "interactive-comments";
    26 global_star_ksh, b' ', "globstar";
}

options! {
    /// Each option of `shopt`: its bit, its name, whether it is usually on.
    SHOPT: (u32, &str, bool) =
    32 null_glob, "nullglob", false;
    33 dot_glob, "dotglob", false;
    34 ext_glob, "extglob", false;
    35 no_case_glob, "nocaseglob", false;
    36 no_case_match, "nocasematch", false;
    37 fail_glob, "failglob", false;
    38 glob_star, "globstar", false;
    39 last_pipe, "lastpipe", false;
    40 inherit_error, "inherit_errexit", false;
    41 xpg_echo, "xpg_echo", false;
    42, "checkhash", false;
    43, "checkwinsize", true;
    44, "extquote", true;
    45, "sourcepath", true;
    46, "progcomp", true;
    47, "promptvars", true;
    48, "interactive_comments", true;
    49, "execfail", false;
    50, "cmdhist", true;
    51, "force_fignore", true;
    52, "globasciiranges", true;
    53 glob_skip_dots, "globskipdots", true;
    54, "localvar_inherit", false;
    55, "localvar_unset", false;
    56 pat_sub_replacement, "patsub_replacement", true;
    57, "expand_aliases", false;
    58, "cdspell", false;
    59 shift_verbose, "shift_verbose", false;
    60, "extdebug", false;
    61, "assoc_expand_once", false;
    62, "login_shell", false;
}

impl Options {
    /// What a script of that shell begins with.
    pub(crate) fn of(profile: &Profile) -> Options {
        let mut options = Options::default();
        if profile.commands.shopt {
            for (bit, _, usual) in SHOPT {
                options.set(*bit, *usual);
            }
        }
        for name in profile.start.options {
            if let Some(bit) = by_name(name.as_bytes()) {
                options.set(bit, true);
            }
        }
        options
    }

    /// Whether the option of that name is on.
    pub(crate) fn has(self, name: &OptionName) -> bool {
        name.bit.is_some_and(|bit| self.is(bit)) != name.negated
    }

    #[inline]
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
    pub(crate) fn letters(self, profile: &Profile) -> Vec<u8> {
        if profile.set.flags_in_list_order {
            let names = profile.set.names.iter().rev().filter(|name| self.has(name));
            return names.filter_map(|name| letter_of(name.bit?)).collect();
        }
        let mut letters: Vec<u8> = SET
            .iter()
            .filter(|(bit, letter, _)| *letter != b' ' && self.is(*bit))
            .map(|(_, letter, _)| *letter)
            .collect();
        compact::sort_by_key(&mut letters, |letter| (letter.is_ascii_uppercase(), *letter));
        letters
    }
}

fn letter_of(bit: u32) -> Option<u8> {
    // dash alone has letters for these.
    match bit {
        IGNORE_END => return Some(b'I'),
        EMACS => return Some(b'E'),
        VI => return Some(b'V'),
        _ => {}
    }
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
    Dialect::ALL.iter().any(|dialect| named(name, true, dialect.profile()).is_some())
}

/// The names of `set -o` that bash or ksh have. No calls.
pub fn option_names() -> impl Iterator<Item = &'static str> {
    let of_ksh = option_names::KSH
        .iter()
        .filter(|of_ksh| option_names::BASH.iter().all(|of_bash| of_bash.text != of_ksh.text));
    option_names::BASH.iter().chain(of_ksh).map(|name| name.text)
}

/// The names of `shopt`. No calls.
pub fn shopt_names() -> impl Iterator<Item = &'static str> {
    option_names::SHOPT.iter().map(|name| name.text)
}

/// The bit of an option by its letter, if that shell has it.
pub(crate) fn by_letter(letter: u8, profile: &Profile) -> Option<u32> {
    if !profile.set.letters.contains(&letter) {
        return None;
    }
    match letter {
        b'G' => return Some(GLOB_STAR_KSH),
        b'E' if profile.set.e_is_emacs => return Some(EMACS),
        b'V' => return Some(VI),
        b'I' => return Some(IGNORE_END),
        _ => {}
    }
    SET.iter().find(|(_, other, _)| *other == letter).map(|(bit, _, _)| *bit)
}

/// Whether an option is done here when it is on, or off: those that are not are left to the
/// language's own shell, or refused.
pub(crate) fn is_done(name: &str, on: bool) -> bool {
    match name {
        "verbose" | "keyword" | "onecmd" | "monitor" | "restricted" | "letoctal" | "markdirs"
        | "showme" | "execfail" | "localvar_inherit" | "localvar_unset" | "expand_aliases"
        | "extdebug" | "cdable_vars" | "varredir_close" => !on,
        "braceexpand" | "extquote" | "sourcepath" | "promptvars" => on,
        _ => true,
    }
}

/// The same for a letter of `set`.
pub(crate) fn is_done_letter(letter: u8, on: bool, profile: &Profile) -> bool {
    let bit = by_letter(letter, profile);
    match SET.iter().find(|(known, ..)| Some(*known) == bit) {
        Some((.., name)) => is_done(name, on),
        None => !on || !matches!(letter, b'm' | b'r'),
    }
}

/// What `set -o` means by a name, and whether it is on then; in ksh `noglob` is `glob` the other
/// way.
pub(crate) fn named(
    name: &[u8],
    on: bool,
    profile: &Profile,
) -> Option<(&'static OptionName, bool)> {
    let names = profile.set.names;
    let find = |name: &[u8]| names.iter().find(|known| known.text.as_bytes() == name);
    if let Some(found) = find(name) {
        return Some((found, on));
    }
    let without = name.strip_prefix(b"no").filter(|_| profile.set.no_negates)?;
    Some((find(without)?, !on))
}

/// What `shopt` means by a name.
pub(crate) fn of_shopt(name: &[u8], of_set: bool) -> Option<&'static OptionName> {
    let table = if of_set { option_names::BASH } else { option_names::SHOPT };
    table.iter().find(|known| known.text.as_bytes() == name)
}

/// The name of the first option that is on, or off, and not done here.
pub(crate) fn not_done(options: Options, profile: &Profile) -> Option<&'static str> {
    let usual = Options::of(profile);
    let names = SET.iter().map(|(bit, _, name)| (*bit, *name));
    let mut names = names.filter(|(bit, _)| options.is(*bit) != usual.is(*bit));
    names.find(|(bit, name)| !is_done(name, options.is(*bit))).map(|(_, name)| name)
}

pub(crate) const VERBOSE: u32 = 5;
pub(crate) const TRACE: u32 = 6;
const IGNORE_END: u32 = 15;
const EMACS: u32 = 23;
const VI: u32 = 24;
const GLOB_STAR_KSH: u32 = 26;
