//! The commands that are the shell's own.
//!
//! | room | what lives there |
//! |---|---|
//! | `options` | letters behind dashes, and what is said of wrong ones |
//! | `flow` | `:`, `break`, `return`, `exit`, `eval`, `.`, `exec`, … |
//! | `declare` | `export`, `readonly`, `local`, `typeset`, `declare`, … |
//! | `variables` | `unset`, `shift`, `let` |
//! | `getopts` | `getopts` |
//! | `set` | `set`, `shopt` |
//! | `output` | `echo`, `printf`, `print` |
//! | `input` | `read` |
//! | `mapfile` | `mapfile` |
//! | `places` | `cd`, `pwd`, `umask`, `ulimit` |
//! | `stack` | `pushd`, `popd`, `dirs` |
//! | `children` | `wait`, `kill`, `times` |
//! | `names` | `command`, `builtin`, `type`, `whence` |
//! | `hash` | `hash` |
//! | `alias` | `alias`, `unalias` |
//! | `traps` | `trap` |
//! | `test` | `test`, `[` |

pub(crate) mod alias;
pub(crate) mod children;
pub(crate) mod declare;
pub(crate) mod flow;
pub(crate) mod getopts;
pub(crate) mod hash;
pub(crate) mod input;
pub(crate) mod mapfile;
pub(crate) mod names;
mod options;
pub(crate) mod output;
pub(crate) mod places;
pub(crate) mod set;
pub(crate) mod stack;
pub(crate) mod test;
pub(crate) mod traps;
pub(crate) mod variables;

use crate::run::{Flow, Shell, Unwind};
use crate::{Dialect, Text};

/// A builtin.
pub(crate) struct Builtin {
    pub(crate) name: &'static str,
    /// POSIX: found before functions, assignments before it stay, its errors end the shell.
    pub(crate) special: bool,
    /// Its arguments may be assignments: [`declare::run`] runs it.
    pub(crate) declares: bool,
    dialects: &'static [Dialect],
    /// The dialects whose shells have it, and it is not done here.
    left_out: &'static [Dialect],
    /// Runs it with its words, its own name first, and gives its status.
    pub(crate) run: fn(&mut Shell, &[Text]) -> Flow<i32>,
}

impl std::fmt::Debug for Builtin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Builtin({})", self.name)
    }
}

const ALL: &[Dialect] = &[Dialect::Posix, Dialect::Bash, Dialect::Ksh];
const BASH: &[Dialect] = &[Dialect::Bash];
const KSH: &[Dialect] = &[Dialect::Ksh];
const NOT_POSIX: &[Dialect] = &[Dialect::Bash, Dialect::Ksh];
const POSIX: &[Dialect] = &[Dialect::Posix];
const NOT_KSH: &[Dialect] = &[Dialect::Posix, Dialect::Bash];

type Run = fn(&mut Shell, &[Text]) -> Flow<i32>;

const fn special(name: &'static str, run: Run) -> Builtin {
    Builtin { name, special: true, declares: false, dialects: ALL, left_out: &[], run }
}

const fn plain(name: &'static str, dialects: &'static [Dialect], run: Run) -> Builtin {
    Builtin { name, special: false, declares: false, dialects, left_out: &[], run }
}

const fn declaring(name: &'static str, special: bool, dialects: &'static [Dialect]) -> Builtin {
    let run = declare::run_words;
    Builtin { name, special, declares: true, dialects, left_out: &[], run }
}

const fn left_out(name: &'static str, dialects: &'static [Dialect]) -> Builtin {
    Builtin { left_out: dialects, ..plain(name, dialects, not_here) }
}

fn not_here(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    Err(shell.not_run_here(&words[0]))
}

/// All of them, sorted by name.
static TABLE: &[Builtin] = &[
    special(".", flow::source),
    special(":", flow::nothing),
    plain("[", ALL, test::bracket),
    plain("alias", ALL, alias::alias),
    left_out("autoload", KSH),
    left_out("bg", ALL),
    left_out("bind", BASH),
    special("break", flow::break_loop),
    Builtin { left_out: KSH, ..plain("builtin", NOT_POSIX, names::builtin) },
    plain("caller", BASH, names::caller),
    plain("cd", ALL, places::cd),
    left_out("chdir", POSIX),
    plain("command", ALL, names::command),
    left_out("compgen", BASH),
    left_out("complete", BASH),
    left_out("compopt", BASH),
    left_out("compound", KSH),
    special("continue", flow::continue_loop),
    declaring("declare", false, BASH),
    plain("dirs", BASH, stack::dirs),
    Builtin { left_out: KSH, ..plain("disown", NOT_POSIX, children::disown) },
    plain("echo", ALL, output::echo),
    left_out("enable", BASH),
    left_out("enum", KSH),
    special("eval", flow::eval),
    special("exec", flow::exec),
    special("exit", flow::exit),
    declaring("export", true, ALL),
    plain("false", ALL, flow::no),
    left_out("fc", NOT_POSIX),
    left_out("fg", ALL),
    left_out("float", KSH),
    left_out("functions", KSH),
    plain("getopts", ALL, variables::getopts),
    plain("hash", ALL, names::hash),
    left_out("help", BASH),
    left_out("hist", KSH),
    left_out("history", BASH),
    declaring("integer", false, KSH),
    left_out("jobs", ALL),
    plain("kill", ALL, children::kill),
    plain("let", NOT_POSIX, variables::let_all),
    declaring("local", false, NOT_KSH),
    left_out("logout", BASH),
    plain("mapfile", BASH, mapfile::mapfile),
    declaring("nameref", false, KSH),
    plain("popd", BASH, stack::popd),
    plain("print", KSH, output::print),
    plain("printf", ALL, output::printf),
    plain("pushd", BASH, stack::pushd),
    plain("pwd", ALL, places::pwd),
    plain("read", ALL, input::read),
    plain("readarray", BASH, mapfile::mapfile),
    declaring("readonly", true, ALL),
    left_out("redirect", KSH),
    special("return", flow::return_from),
    special("set", set::set),
    special("shift", variables::shift),
    plain("shopt", BASH, set::shopt),
    plain("source", NOT_POSIX, flow::source),
    left_out("stop", KSH),
    left_out("suspend", NOT_POSIX),
    plain("test", ALL, test::test),
    special("times", children::times),
    special("trap", traps::trap),
    plain("true", ALL, flow::nothing),
    plain("type", ALL, names::type_of),
    declaring("typeset", false, NOT_POSIX),
    plain("ulimit", ALL, places::ulimit),
    plain("umask", ALL, places::umask),
    plain("unalias", ALL, alias::unalias),
    special("unset", variables::unset),
    plain("wait", ALL, children::wait),
    plain("whence", KSH, names::whence),
];

impl Builtin {
    /// Whether the dialect's shell has it, and it is not done here.
    pub(crate) fn is_left_out(&self, dialect: Dialect) -> bool {
        self.left_out.contains(&dialect)
    }
}

/// The builtin of that name.
pub(crate) fn find(name: &[u8], dialect: Dialect) -> Option<&'static Builtin> {
    let index = TABLE.binary_search_by(|builtin| builtin.name.as_bytes().cmp(name)).ok()?;
    let builtin = &TABLE[index];
    builtin.dialects.contains(&dialect).then_some(builtin)
}

impl Shell {
    /// Something that is not done here, and was found only now: the script ends there.
    #[cold]
    pub(crate) fn not_run_here(&mut self, what: &[u8]) -> Unwind {
        self.complain(&[b"'", what, b"' is not run here"].concat());
        self.status = 2;
        Unwind::Exit
    }

    /// A message of a builtin; its status is 2 for a wrong use in dash and bash.
    pub(crate) fn builtin_error(&mut self, words: &[Text], text: &[u8], status: i32) -> i32 {
        let message = [&*words[0], b": ", text].concat();
        self.complain(&message);
        status
    }
}
