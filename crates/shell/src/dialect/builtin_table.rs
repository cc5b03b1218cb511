//! Which builtins there are: their names, and what is special about each. What they do is in
//! `builtins` of the crate.

use self::BuiltinId as Id;
use super::Dialect;

/// A builtin.
#[derive(Debug)]
pub(crate) struct Builtin {
    pub(crate) name: &'static str,
    /// POSIX: found before functions, assignments before it stay, its errors end the shell.
    pub(crate) special: bool,
    /// Its arguments may be assignments.
    pub(crate) declares: bool,
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
    Logout,
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

/// Some of the builtins: a bit for each row of `TABLE`.
#[derive(Clone, Copy)]
pub(crate) struct BuiltinSet(u128);

impl BuiltinSet {
    /// Those of these names. A name without a row does not compile.
    pub(crate) const fn of(names: &[&str]) -> BuiltinSet {
        let (mut rows, mut at) = (0, 0);
        while at < names.len() {
            let mut row = 0;
            while !is_same(TABLE[row].name.as_bytes(), names[at].as_bytes()) {
                row += 1;
            }
            rows |= 1 << row;
            at += 1;
        }
        BuiltinSet(rows)
    }

    fn has(self, row: usize) -> bool {
        self.0 >> row & 1 == 1
    }
}

const fn is_same(a: &[u8], b: &[u8]) -> bool {
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

const fn special(name: &'static str, id: BuiltinId) -> Builtin {
    Builtin { name, special: true, declares: false, id }
}

const fn plain(name: &'static str, id: BuiltinId) -> Builtin {
    Builtin { name, special: false, declares: false, id }
}

const fn declaring(name: &'static str, special: bool) -> Builtin {
    Builtin { name, special, declares: true, id: Id::Declare }
}

const fn left_out(name: &'static str) -> Builtin {
    plain(name, Id::NotHere)
}

/// All of them, sorted by name. Which of them a shell has is in its profile.
const TABLE: &[Builtin] = &[
    special(".", Id::Source),
    special(":", Id::Nothing),
    plain("[", Id::Bracket),
    plain("alias", Id::Alias),
    left_out("autoload"),
    left_out("bg"),
    left_out("bind"),
    special("break", Id::Break),
    plain("builtin", Id::Builtin),
    plain("caller", Id::Caller),
    plain("cd", Id::Cd),
    left_out("chdir"),
    plain("command", Id::Command),
    left_out("compgen"),
    left_out("complete"),
    left_out("compopt"),
    left_out("compound"),
    special("continue", Id::Continue),
    declaring("declare", false),
    plain("dirs", Id::Dirs),
    plain("disown", Id::Disown),
    plain("echo", Id::Echo),
    left_out("enable"),
    left_out("enum"),
    special("eval", Id::Eval),
    special("exec", Id::Exec),
    special("exit", Id::Exit),
    declaring("export", true),
    plain("false", Id::False),
    left_out("fc"),
    left_out("fg"),
    left_out("float"),
    left_out("functions"),
    plain("getopts", Id::Getopts),
    plain("hash", Id::Hash),
    left_out("help"),
    left_out("hist"),
    left_out("history"),
    declaring("integer", false),
    left_out("jobs"),
    plain("kill", Id::Kill),
    plain("let", Id::Let),
    declaring("local", false),
    plain("logout", Id::Logout),
    plain("mapfile", Id::Mapfile),
    declaring("nameref", false),
    plain("popd", Id::Popd),
    plain("print", Id::Print),
    plain("printf", Id::Printf),
    plain("pushd", Id::Pushd),
    plain("pwd", Id::Pwd),
    plain("read", Id::Read),
    plain("readarray", Id::Mapfile),
    declaring("readonly", true),
    left_out("redirect"),
    special("return", Id::Return),
    special("set", Id::Set),
    special("shift", Id::Shift),
    plain("shopt", Id::Shopt),
    plain("source", Id::Source),
    left_out("stop"),
    left_out("suspend"),
    plain("test", Id::Test),
    special("times", Id::Times),
    special("trap", Id::Trap),
    plain("true", Id::Nothing),
    plain("type", Id::Type),
    declaring("typeset", false),
    plain("ulimit", Id::Ulimit),
    plain("umask", Id::Umask),
    plain("unalias", Id::Unalias),
    special("unset", Id::Unset),
    plain("wait", Id::Wait),
    plain("whence", Id::Whence),
];

fn row(name: &[u8]) -> Option<usize> {
    TABLE.binary_search_by(|builtin| builtin.name.as_bytes().cmp(name)).ok()
}

/// The builtin of that name, if that shell has one. Costs one search.
pub(crate) fn find(name: &[u8], dialect: Dialect) -> Option<&'static Builtin> {
    let row = row(name)?;
    let rules = &dialect.profile().builtins.arguments;
    (rules.done.has(row) || rules.left_out.has(row)).then_some(&TABLE[row])
}

/// Whether that shell has a builtin of that name, and it is not done here.
pub(crate) fn is_left_out(name: &[u8], dialect: Dialect) -> bool {
    row(name).is_some_and(|row| dialect.profile().builtins.arguments.left_out.has(row))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builtins_are_sorted_and_done_or_left_out() {
        assert!(TABLE.is_sorted_by_key(|builtin| builtin.name));
        for Builtin { name, .. } in TABLE {
            let has = |dialect| find(name.as_bytes(), dialect).is_some();
            assert!(Dialect::ALL.into_iter().any(has), "no shell has {name}");
        }
        for dialect in Dialect::ALL {
            let rules = &dialect.profile().builtins.arguments;
            assert_eq!(rules.done.0 & rules.left_out.0, 0, "{dialect:?}");
        }
    }
}
