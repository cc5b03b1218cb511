//! The options of builtins, and what each shell says of one that there is not.

use crate::Text;
use crate::dialect::Usage;
use crate::run::{Flow, Shell};

/// Options, letter by letter, up to `--` or what is none.
pub(super) struct Options<'w> {
    rest: &'w [Text],
    /// What is left of letters behind one dash.
    letters: &'w [u8],
}

impl<'w> Options<'w> {
    /// `words` begin with the builtin's own name.
    pub(super) fn new(words: &'w [Text]) -> Options<'w> {
        Options { rest: words.get(1..).unwrap_or_default(), letters: b"" }
    }

    /// The value of the last option: what is behind its letter, else the next word.
    pub(super) fn value(&mut self) -> Option<&'w [u8]> {
        match std::mem::take(&mut self.letters) {
            b"" => {
                let (value, rest) = self.rest.split_first()?;
                self.rest = rest;
                Some(value)
            }
            behind => Some(behind),
        }
    }

    /// What is not an option, when there are no more options.
    pub(super) fn operands(self) -> &'w [Text] {
        self.rest
    }

    /// The next letter.
    pub(super) fn next(&mut self) -> Option<u8> {
        if self.letters.is_empty() {
            let (first, rest) = self.rest.split_first()?;
            let letters = first.strip_prefix(b"-").filter(|letters| !letters.is_empty())?;
            self.rest = rest;
            if letters == b"-" {
                return None;
            }
            self.letters = letters;
        }
        let (&letter, behind) = self.letters.split_first()?;
        self.letters = behind;
        Some(letter)
    }
}

/// The letter, if it is one of those options; 0 if there is no such option.
pub(super) fn known(letter: u8, letters: &str) -> u8 {
    if takes_value(letter, letters).is_some() { letter } else { 0 }
}

/// Whether the letter is one of those options, and takes a value.
pub(super) fn takes_value(letter: u8, letters: &str) -> Option<bool> {
    let at = letters.bytes().position(|known| known == letter && known != b':')?;
    Some(letters[at + 1..].starts_with(':'))
}

/// How a builtin is used, as bash and ksh tell it.
const USAGES: &[(&str, &str, &str)] = &[
    ("alias", "alias [-p] [name[=value] ... ]", "alias [-ptx] [name[=value]...]"),
    ("builtin", "builtin [shell-builtin [arg ...]]", ""),
    ("caller", "caller [expr]", ""),
    ("cd", "cd [-L|[-P [-e]] [-@]] [dir]", "cd [-LPe] [directory]\n   Or: cd old new"),
    ("command", "command [-pVv] command [arg ...]", "command [-pvVx] [cmd [arg ...]]"),
    (
        "declare",
        "declare [-aAfFgiIlnrtux] [name[=value] ...] or declare -p [-aAfFilnrtux] [name ...]",
        "",
    ),
    ("disown", "disown [-h] [-ar] [jobspec ... | pid ...]", ""),
    (
        "exec", "exec [-cl] [-a name] [command [argument ...]] [redirection ...]",
        "exec [-c] [-a name] [command [arg ...]]",
    ),
    ("export", "export [-fn] [name[=value] ...] or export -p", "export [-p] [name[=value]...]"),
    ("getopts", "getopts optstring name [arg ...]", "getopts [-a name] optstring name [args...]"),
    ("hash", "hash [-lr] [-p pathname] [-dt] [name ...]", "hash [-r] [utility...]"),
    ("integer", "", TYPESET_KSH),
    ("let", "", "let [ options ] [expr ...]"),
    ("local", "local [option] name[=value] ...", ""),
    (
        "mapfile",
        "mapfile [-d delim] [-n count] [-O origin] [-s count] [-t] [-u fd] [-C callback] [-c \
         quantum] [array]",
        "",
    ),
    ("nameref", "", TYPESET_KSH),
    ("print", "", "print [-enprsvC] [-f format] [-u fd] [string ...]"),
    ("printf", "printf [-v var] format [arguments]", "printf [-v name] format [string ...]"),
    ("pwd", "pwd [-LP]", "pwd [-LP]"),
    (
        "read",
        "read [-ers] [-a array] [-d delim] [-i text] [-n nchars] [-N nchars] [-p prompt] [-t \
         timeout] [-u fd] [name ...]",
        "read [-AaCprsSv] [-d delim] [-n count] [-N count] [-u fd] [-t timeout]\n            \
         [var?prompt] [var ...]",
    ),
    (
        "readarray",
        "readarray [-d delim] [-n count] [-O origin] [-s count] [-t] [-u fd] [-C callback] [-c \
         quantum] [array]",
        "",
    ),
    (
        "readonly", "readonly [-aAf] [name[=value] ...] or readonly -p",
        "readonly [-p] [name[=value]...]",
    ),
    (
        "set", "set [-abefhkmnptuvxBCEHPT] [-o option-name] [--] [-] [arg ...]",
        "set [-sabefhkmnprtuvxBCGH] [-A name] [-o[option]] [arg ...]",
    ),
    ("shift", "", "shift [ options ] [n]"),
    ("shopt", "shopt [-pqsu] [-o] [optname ...]", ""),
    ("trap", "trap [-lp] [[arg] signal_spec ...]", "trap [-p] [action condition ...]"),
    ("type", "type [-afptP] name [name ...]", "type [-afpPtqv] name  ..."),
    (
        "typeset",
        "typeset [-aAfFgiIlnrtux] name[=value] ... or typeset -p [-aAfFilnrtux] [name ...]",
        TYPESET_KSH,
    ),
    ("ulimit", "ulimit [-SHabcdefiklmnpqrstuvxPRT] [limit]", "ulimit [-HSalimits] [limit]"),
    ("umask", "umask [-p] [-S] [mode]", "umask [-S] [mask]"),
    ("unalias", "unalias [-a] name [name ...]", "unalias [-a] name..."),
    ("unset", "unset [-f] [-v] [-n] [name ...]", "unset [-nfv] name..."),
    ("wait", "wait [-fn] [-p var] [id ...]", "wait [ options ] [job ...]"),
    ("whence", "", "whence [-afpPtqv] name  ..."),
];

/// Of all that ksh makes of `typeset`.
const TYPESET_KSH: &str = "typeset [-bfglmnprstuxACHS] [-a[[type]]] [-i[base]] [-E[n]] [-F[n]]
               [-L[n]] [-M[mapping]] [-R[n]] [-X[n]] [-h string] [-T[tname]]
               [-Z[n]] [name[=value]...]
   Or: typeset -f [-tu] [name...]
   Or: typeset -m [name=name...]
   Or: typeset -n [-g] [name=name...]
   Or: typeset -T [tname[=(type definition)]...]";

/// Says that there is no such option: a sign and a letter. The status is 2.
pub(super) fn no_such_option(shell: &mut Shell, words: &[Text], option: [u8; 2]) -> i32 {
    let [sign, letter] = option;
    let text = (shell.profile.builtins.arguments.no_such_option)(sign, letter);
    wrong_use(shell, words, &text)
}

/// The same as the end of the builtin: that of a special one may end the shell.
pub(super) fn refuse(shell: &mut Shell, words: &[Text], letter: u8) -> Flow<i32> {
    let status = no_such_option(shell, words, [b'-', letter]);
    shell.special_status(words, status)
}

/// Says that an option lacks its value. The status is 2.
pub(super) fn no_value(shell: &mut Shell, words: &[Text], letter: u8) -> i32 {
    let text = shell.profile.builtins.arguments.no_value.of([letter]);
    wrong_use(shell, words, &text)
}

/// Says this, and how the builtin is used. The status is 2.
pub(super) fn wrong_use(shell: &mut Shell, words: &[Text], text: &[u8]) -> i32 {
    shell.builtin_error(words, text, 2);
    show_usage(shell, words)
}

/// Says how the builtin is used, if that shell does. The status is 2.
pub(super) fn show_usage(shell: &mut Shell, words: &[Text]) -> i32 {
    let known = USAGES.iter().find(|(name, ..)| name.as_bytes() == &*words[0]);
    let text = match (known, shell.profile.builtins.arguments.usage) {
        (None, _) | (_, Usage::None) => return 2,
        (Some((name, usage, _)), Usage::Line) => format!("{name}: usage: {usage}\n"),
        (Some((name, _, usage)), Usage::Paragraph) => {
            let usage = usage.replace("typeset", name);
            format!("Usage: {usage}\n Help: {name} [ --help | --man ] 2>&1\n")
        }
    };
    shell.say(2, text.as_bytes());
    2
}
