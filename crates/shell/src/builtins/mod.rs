//! The commands that are the shell's own.
//!
//! | module | what is in it |
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
//! | `children` | `wait`, `kill`, `disown`, `times` |
//! | `names` | `command`, `builtin`, `type`, `whence`, `caller` |
//! | `hash` | `hash` |
//! | `alias` | `alias`, `unalias` |
//! | `traps` | `trap` |
//! | `test` | `test`, `[` |

mod alias;
mod children;
mod declare;
mod flow;
mod getopts;
mod hash;
mod input;
mod mapfile;
mod names;
mod options;
mod output;
mod places;
mod set;
mod stack;
mod test;
mod traps;
mod variables;

use crate::Text;
use crate::dialect::builtin_table::BuiltinId;
use crate::program::Argument;
use crate::run::{Flow, Shell};

/// Runs a builtin with its words, its own name first, and gives its status. `arguments` are what
/// the words were expanded from, for those that declare arrays.
pub(crate) fn run(
    shell: &mut Shell,
    builtin: BuiltinId,
    words: &[Text],
    arguments: &[Argument],
) -> Flow<i32> {
    match builtin {
        BuiltinId::Alias => alias::alias(shell, words),
        BuiltinId::Bracket => test::bracket(shell, words),
        BuiltinId::Break => flow::break_loop(shell, words),
        BuiltinId::Builtin => names::builtin(shell, words),
        BuiltinId::Caller => names::caller(shell, words),
        BuiltinId::Cd => places::cd(shell, words),
        BuiltinId::Command => names::command(shell, words),
        BuiltinId::Continue => flow::continue_loop(shell, words),
        BuiltinId::Declare => declare::run(shell, words, arguments),
        BuiltinId::Dirs => stack::dirs(shell, words),
        BuiltinId::Disown => children::disown(shell, words),
        BuiltinId::Echo => output::echo(shell, words),
        BuiltinId::Eval => flow::eval(shell, words),
        BuiltinId::Exec => flow::exec(shell, words),
        BuiltinId::Exit => flow::exit(shell, words),
        BuiltinId::False => flow::no(shell, words),
        BuiltinId::Getopts => variables::getopts(shell, words),
        BuiltinId::Hash => names::hash(shell, words),
        BuiltinId::Kill => children::kill(shell, words),
        BuiltinId::Let => variables::let_all(shell, words),
        BuiltinId::Logout => flow::logout(shell, words),
        BuiltinId::Mapfile => mapfile::mapfile(shell, words),
        BuiltinId::NotHere => Err(shell.not_run_here(&words[0])),
        BuiltinId::Nothing => flow::nothing(shell, words),
        BuiltinId::Popd => stack::popd(shell, words),
        BuiltinId::Print => output::print(shell, words),
        BuiltinId::Printf => output::printf(shell, words),
        BuiltinId::Pushd => stack::pushd(shell, words),
        BuiltinId::Pwd => places::pwd(shell, words),
        BuiltinId::Read => input::read(shell, words),
        BuiltinId::Return => flow::return_from(shell, words),
        BuiltinId::Set => set::set(shell, words),
        BuiltinId::Shift => variables::shift(shell, words),
        BuiltinId::Shopt => set::shopt(shell, words),
        BuiltinId::Source => flow::source(shell, words),
        BuiltinId::Test => test::test(shell, words),
        BuiltinId::Times => children::times(shell, words),
        BuiltinId::Trap => traps::trap(shell, words),
        BuiltinId::Type => names::type_of(shell, words),
        BuiltinId::Ulimit => places::ulimit(shell, words),
        BuiltinId::Umask => places::umask(shell, words),
        BuiltinId::Unalias => alias::unalias(shell, words),
        BuiltinId::Unset => variables::unset(shell, words),
        BuiltinId::Wait => children::wait(shell, words),
        BuiltinId::Whence => names::whence(shell, words),
    }
}
