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

const fn with(text: &'static str, bit: u32) -> OptionName {
    OptionName { text, bit: Some(bit), negated: false }
}

const fn without(text: &'static str, bit: u32) -> OptionName {
    OptionName { text, bit: Some(bit), negated: true }
}

const fn always(text: &'static str) -> OptionName {
    OptionName { text, bit: None, negated: true }
}

const fn never(text: &'static str) -> OptionName {
    OptionName { text, bit: None, negated: false }
}

/// `set -o` of bash, in the order in which it lists them.
pub(crate) const BASH: &[OptionName] = &[
    with("allexport", 0),
    with("braceexpand", 13),
    with("emacs", 23),
    with("errexit", 1),
    with("errtrace", 9),
    with("functrace", 10),
    with("hashall", 12),
    with("histexpand", 21),
    with("history", 22),
    with("ignoreeof", 15),
    with("interactive-comments", 25),
    with("keyword", 18),
    never("monitor"),
    with("noclobber", 7),
    with("noexec", 3),
    with("noglob", 2),
    with("nolog", 16),
    with("notify", 14),
    with("nounset", 4),
    with("onecmd", 19),
    with("physical", 17),
    with("pipefail", 8),
    with("posix", 11),
    with("privileged", 20),
    with("verbose", 5),
    with("vi", 24),
    with("xtrace", 6),
];

/// `set -o` of dash, in the order in which it lists them.
pub(crate) const DASH: &[OptionName] = &[
    with("errexit", 1),
    with("noglob", 2),
    with("ignoreeof", 15),
    never("interactive"),
    never("monitor"),
    with("noexec", 3),
    never("stdin"),
    with("xtrace", 6),
    with("verbose", 5),
    with("vi", 24),
    with("emacs", 23),
    with("noclobber", 7),
    with("allexport", 0),
    with("notify", 14),
    with("nounset", 4),
    with("privileged", 20),
    with("nolog", 16),
    never("debug"),
];

/// `set -o` of ksh, in the order in which it lists them.
pub(crate) const KSH: &[OptionName] = &[
    with("allexport", 0),
    always("backslashctrl"),
    never("bgnice"),
    with("braceexpand", 13),
    without("clobber", 7),
    with("emacs", 23),
    with("errexit", 1),
    without("exec", 3),
    with("functrace", 10),
    without("glob", 2),
    never("globcasedetect"),
    with("globstar", 26),
    never("gmacs"),
    with("histexpand", 21),
    never("histreedit"),
    never("histverify"),
    with("ignoreeof", 15),
    never("interactive"),
    with("keyword", 18),
    never("letoctal"),
    without("log", 16),
    never("login_shell"),
    never("markdirs"),
    never("monitor"),
    always("multiline"),
    with("notify", 14),
    with("pipefail", 8),
    with("posix", 11),
    with("privileged", 20),
    never("rc"),
    never("restricted"),
    never("showme"),
    with("trackall", 12),
    without("unset", 4),
    with("verbose", 5),
    with("vi", 24),
    always("viraw"),
    with("xtrace", 6),
];

/// The names of `shopt` in the order in which they are listed.
pub(crate) const SHOPT: &[OptionName] = &[
    never("autocd"),
    with("assoc_expand_once", 61),
    never("cdable_vars"),
    with("cdspell", 58),
    with("checkhash", 42),
    never("checkjobs"),
    with("checkwinsize", 43),
    with("cmdhist", 50),
    never("compat31"),
    never("compat32"),
    never("compat40"),
    never("compat41"),
    never("compat42"),
    never("compat43"),
    never("compat44"),
    always("complete_fullquote"),
    never("direxpand"),
    never("dirspell"),
    with("dotglob", 33),
    with("execfail", 49),
    with("expand_aliases", 57),
    with("extdebug", 60),
    with("extglob", 34),
    with("extquote", 44),
    with("failglob", 37),
    with("force_fignore", 51),
    with("globasciiranges", 52),
    with("globskipdots", 53),
    with("globstar", 38),
    never("gnu_errfmt"),
    never("histappend"),
    never("histreedit"),
    never("histverify"),
    always("hostcomplete"),
    never("huponexit"),
    with("inherit_errexit", 40),
    with("interactive_comments", 48),
    with("lastpipe", 39),
    never("lithist"),
    with("localvar_inherit", 54),
    with("localvar_unset", 55),
    with("login_shell", 62),
    never("mailwarn"),
    never("no_empty_cmd_completion"),
    with("nocaseglob", 35),
    with("nocasematch", 36),
    never("noexpand_translation"),
    with("nullglob", 32),
    with("patsub_replacement", 56),
    with("progcomp", 46),
    never("progcomp_alias"),
    with("promptvars", 47),
    never("restricted_shell"),
    with("shift_verbose", 59),
    with("sourcepath", 45),
    never("varredir_close"),
    with("xpg_echo", 41),
];
