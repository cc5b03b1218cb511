//! The names of options, as the shells list them.

/// An option as a shell names it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OptionName {
    pub(crate) text: &'static str,
    /// Its bit; none if it is only named here.
    pub(crate) bit: Option<u32>,
    /// Whether it is on when the bit is off (ksh's `glob`); without a bit, whether it is always on.
    pub(crate) negated: bool,
}

/// Names, each with its bit, if it has one; `!` if it is on when the bit is off; `on` if it is
/// always on.
macro_rules! names {
    ($($text:literal $($bit:literal)? $(! $without:literal)? $($on:ident)?),*) => {
        &[$(OptionName {
            text: $text,
            bit: [$(Some($bit),)? $(Some($without),)? None][0],
            negated: !stringify!($($without)? $($on)?).is_empty(),
        }),*]
    };
}

/// `set -o` of bash, in the order in which it lists them.
pub(crate) const BASH: &[OptionName] = names! {
    "allexport" 0, "braceexpand" 13, "emacs" 23, "errexit" 1, "errtrace" 9, "functrace" 10,
    "hashall" 12, "histexpand" 21, "history" 22, "ignoreeof" 15, "interactive-comments" 25,
    "keyword" 18, "monitor", "noclobber" 7, "noexec" 3, "noglob" 2, "nolog" 16, "notify" 14,
    "nounset" 4, "onecmd" 19, "physical" 17, "pipefail" 8, "posix" 11, "privileged" 20, "verbose" 5,
    "vi" 24, "xtrace" 6
};

/// `set -o` of dash, in the order in which it lists them.
pub(crate) const DASH: &[OptionName] = names! {
    "errexit" 1, "noglob" 2, "ignoreeof" 15, "interactive", "monitor", "noexec" 3, "stdin",
    "xtrace" 6, "verbose" 5, "vi" 24, "emacs" 23, "noclobber" 7, "allexport" 0, "notify" 14,
    "nounset" 4, "privileged" 20, "nolog" 16, "debug"
};

/// `set -o` of ksh, in the order in which it lists them.
pub(crate) const KSH: &[OptionName] = names! {
    "allexport" 0, "backslashctrl" on, "bgnice", "braceexpand" 13, "clobber" !7, "emacs" 23,
    "errexit" 1, "exec" !3, "functrace" 10, "glob" !2, "globcasedetect", "globstar" 26, "gmacs",
    "histexpand" 21, "histreedit", "histverify", "ignoreeof" 15, "interactive", "keyword" 18,
    "letoctal", "log" !16, "login_shell", "markdirs", "monitor", "multiline" on, "notify" 14,
    "pipefail" 8, "posix" 11, "privileged" 20, "rc", "restricted", "showme", "trackall" 12,
    "unset" !4, "verbose" 5, "vi" 24, "viraw" on, "xtrace" 6
};

/// The names of `shopt` in the order in which they are listed.
pub(crate) const SHOPT: &[OptionName] = names! {
    "autocd", "assoc_expand_once" 61, "cdable_vars", "cdspell" 58, "checkhash" 42, "checkjobs",
    "checkwinsize" 43, "cmdhist" 50, "compat31", "compat32", "compat40", "compat41", "compat42",
    "compat43", "compat44", "complete_fullquote" on, "direxpand", "dirspell", "dotglob" 33,
    "execfail" 49, "expand_aliases" 57, "extdebug" 60, "extglob" 34, "extquote" 44, "failglob" 37,
    "force_fignore" 51, "globasciiranges" 52, "globskipdots" 53, "globstar" 38, "gnu_errfmt",
    "histappend", "histreedit", "histverify", "hostcomplete" on, "huponexit", "inherit_errexit" 40,
    "interactive_comments" 48, "lastpipe" 39, "lithist", "localvar_inherit" 54, "localvar_unset" 55,
    "login_shell" 62, "mailwarn", "no_empty_cmd_completion", "nocaseglob" 35, "nocasematch" 36,
    "noexpand_translation", "nullglob" 32, "patsub_replacement" 56, "progcomp" 46, "progcomp_alias",
    "promptvars" 47, "restricted_shell", "shift_verbose" 59, "sourcepath" 45, "varredir_close",
    "xpg_echo" 41
};
