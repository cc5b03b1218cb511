//! Which builtins there are: their names, the shells that have them, and what is special about
//! each. What they do is in `builtins`.

use self::BuiltinId as Id;
use crate::Dialect;

/// A builtin.
#[derive(Debug)]
pub(crate) struct Builtin {
    pub(crate) name: &'static str,
    /// POSIX: found before functions, assignments before it stay, its errors end the shell.
    pub(crate) special: bool,
    /// Its arguments may be assignments.
    pub(crate) declares: bool,
    dialects: &'static [Dialect],
    /// The dialects whose shells have it, and it is not done here.
    left_out: &'static [Dialect],
    /// Which one it is.
    pub(crate) id: BuiltinId,
}

/// What runs when a builtin is called. Several names may call the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BuiltinId {
    Alias,
    Bracket,
    Break,
    Builtin,
    Caller,
    Cd,
    Command,
    Continue,
    /// `export`, `local`, `typeset`, …
    Declare,
    Dirs,
    Disown,
    Echo,
    Eval,
    Exec,
    Exit,
    False,
    Getopts,
    Hash,
    Kill,
    Let,
    Mapfile,
    /// One that is not done here.
    NotHere,
    Nothing,
    Popd,
    Print,
    Printf,
    Pushd,
    Pwd,
    Read,
    Return,
    Set,
    Shift,
    Shopt,
    Source,
    Test,
    Times,
    Trap,
    Type,
    Ulimit,
    Umask,
    Unalias,
    Unset,
    Wait,
    Whence,
}

impl Builtin {
    /// Whether the dialect's shell has it, and it is not done here.
    pub(crate) fn is_left_out(&self, dialect: Dialect) -> bool {
        self.left_out.contains(&dialect)
    }
}

const ALL: &[Dialect] = &[Dialect::Posix, Dialect::Bash, Dialect::Ksh];
const BASH: &[Dialect] = &[Dialect::Bash];
const KSH: &[Dialect] = &[Dialect::Ksh];
const NOT_POSIX: &[Dialect] = &[Dialect::Bash, Dialect::Ksh];
const POSIX: &[Dialect] = &[Dialect::Posix];
const NOT_KSH: &[Dialect] = &[Dialect::Posix, Dialect::Bash];

const fn special(name: &'static str, id: BuiltinId) -> Builtin {
    Builtin { name, special: true, declares: false, dialects: ALL, left_out: &[], id }
}

const fn plain(name: &'static str, dialects: &'static [Dialect], id: BuiltinId) -> Builtin {
    Builtin { name, special: false, declares: false, dialects, left_out: &[], id }
}

const fn declaring(name: &'static str, special: bool, dialects: &'static [Dialect]) -> Builtin {
    Builtin { name, special, declares: true, dialects, left_out: &[], id: Id::Declare }
}

const fn left_out(name: &'static str, dialects: &'static [Dialect]) -> Builtin {
    Builtin { left_out: dialects, ..plain(name, dialects, Id::NotHere) }
}

/// All of them, sorted by name.
static TABLE: &[Builtin] = &[
    special(".", Id::Source),
    special(":", Id::Nothing),
    plain("[", ALL, Id::Bracket),
    plain("alias", ALL, Id::Alias),
    left_out("autoload", KSH),
    left_out("bg", ALL),
    left_out("bind", BASH),
    special("break", Id::Break),
    Builtin { left_out: KSH, ..plain("builtin", NOT_POSIX, Id::Builtin) },
    plain("caller", BASH, Id::Caller),
    plain("cd", ALL, Id::Cd),
    left_out("chdir", POSIX),
    plain("command", ALL, Id::Command),
    left_out("compgen", BASH),
    left_out("complete", BASH),
    left_out("compopt", BASH),
    left_out("compound", KSH),
    special("continue", Id::Continue),
    declaring("declare", false, BASH),
    plain("dirs", BASH, Id::Dirs),
    Builtin { left_out: KSH, ..plain("disown", NOT_POSIX, Id::Disown) },
    plain("echo", ALL, Id::Echo),
    left_out("enable", BASH),
    left_out("enum", KSH),
    special("eval", Id::Eval),
    special("exec", Id::Exec),
    special("exit", Id::Exit),
    declaring("export", true, ALL),
    plain("false", ALL, Id::False),
    left_out("fc", NOT_POSIX),
    left_out("fg", ALL),
    left_out("float", KSH),
    left_out("functions", KSH),
    plain("getopts", ALL, Id::Getopts),
    plain("hash", ALL, Id::Hash),
    left_out("help", BASH),
    left_out("hist", KSH),
    left_out("history", BASH),
    declaring("integer", false, KSH),
    left_out("jobs", ALL),
    plain("kill", ALL, Id::Kill),
    plain("let", NOT_POSIX, Id::Let),
    declaring("local", false, NOT_KSH),
    left_out("logout", BASH),
    plain("mapfile", BASH, Id::Mapfile),
    declaring("nameref", false, KSH),
    plain("popd", BASH, Id::Popd),
    plain("print", KSH, Id::Print),
    plain("printf", ALL, Id::Printf),
    plain("pushd", BASH, Id::Pushd),
    plain("pwd", ALL, Id::Pwd),
    plain("read", ALL, Id::Read),
    plain("readarray", BASH, Id::Mapfile),
    declaring("readonly", true, ALL),
    left_out("redirect", KSH),
    special("return", Id::Return),
    special("set", Id::Set),
    special("shift", Id::Shift),
    plain("shopt", BASH, Id::Shopt),
    plain("source", NOT_POSIX, Id::Source),
    left_out("stop", KSH),
    left_out("suspend", NOT_POSIX),
    plain("test", ALL, Id::Test),
    special("times", Id::Times),
    special("trap", Id::Trap),
    plain("true", ALL, Id::Nothing),
    plain("type", ALL, Id::Type),
    declaring("typeset", false, NOT_POSIX),
    plain("ulimit", ALL, Id::Ulimit),
    plain("umask", ALL, Id::Umask),
    plain("unalias", ALL, Id::Unalias),
    special("unset", Id::Unset),
    plain("wait", ALL, Id::Wait),
    plain("whence", KSH, Id::Whence),
];

/// The builtin of that name.
pub(crate) fn find(name: &[u8], dialect: Dialect) -> Option<&'static Builtin> {
    let index = TABLE.binary_search_by(|builtin| builtin.name.as_bytes().cmp(name)).ok()?;
    let builtin = &TABLE[index];
    builtin.dialects.contains(&dialect).then_some(builtin)
}
