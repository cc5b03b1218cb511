//! What the shells differ in: what the shell says of expansions, redirections and commands.

use fewer::Errno;

use super::Around;

/// What the shell says of expansions, redirections and commands.
pub(crate) struct Messages {
    /// Of a parameter that `set -u` misses.
    pub(crate) unset: Around,
    /// Of a variable that may not be changed.
    pub(crate) read_only: Around,
    /// Of a variable that may not be unset.
    pub(crate) unset_read_only: Around,
    /// Of a word that cannot be a variable's name.
    pub(crate) not_a_name: Around,
    /// The same, said by `export` and `readonly`.
    pub(crate) export_not_a_name: Around,
    /// Of a command that there is not.
    pub(crate) not_found: Around,
    /// Of a command whose name is empty, and the status.
    pub(crate) empty_command: (&'static str, i32),
    /// Of `${x:?}` where nothing else is to be said.
    pub(crate) null_parameter: &'static str,
    /// Of `${1:=word}`.
    pub(crate) not_assignable: Around,
    /// Of a builtin whose output cannot be written.
    pub(crate) cannot_write: fn(builtin: &str, why: &str) -> String,
    /// Of a file that a redirection cannot open, for writing if `create`; `errno` says why.
    pub(crate) cannot_open: fn(path: &[u8], create: bool, errno: Errno, why: &str) -> Vec<u8>,
    /// Of a here-document for which there is no descriptor.
    pub(crate) no_here_document: fn(why: &str) -> String,
    /// Of a descriptor that is not open.
    pub(crate) bad_descriptor: Around,
    /// Why `exec` cannot run a program, behind its name.
    pub(crate) exec_failed: Around,
    /// What stands before a message.
    pub(crate) place: MessagePlace,
    /// How it is said that the working directory has no path.
    pub(crate) no_directory: NoDirectory,
    /// Whether the message about a text that cannot be parsed names `eval` or the file: not
    /// in bash.
    pub(crate) unreadable_text_names_reader: bool,
    /// Whether bash's reason is given for a program that cannot be started: the others say
    /// of one that is missing that it was not found.
    pub(crate) program_names_reason: bool,
    /// Whether the shell says that a signal ended a child: bash, in scripts, is silent
    /// here.
    pub(crate) tells_of_signals: bool,
}

/// What stands before a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MessagePlace {
    /// dash: the script and the line, `script: 3: `.
    Number,
    /// bash: `script: line 3: `, and other names of the script for functions of `-c`.
    Line,
    /// ksh: the script and each function that runs, with the lines of the calls.
    Calls,
}

/// How it is said that the working directory has no path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoDirectory {
    /// dash: like any message, `script: 3: cd: getcwd() failed: …`.
    Placed,
    /// bash: `cd: error retrieving current directory: …`, without a place.
    Bare,
}
