//! Runs shell scripts whose subshells, substitutions and pipes cost no system calls.
//!
//! A script is read whole ([`syntax`]), made into what can be run fast (`lower`), and run (`run`).
//! What cannot be run exactly is found before the first command runs.
//!
//! | module | what is in it |
//! |---|---|
//! | [`dialect`] | which shell's language: POSIX sh, bash, ksh; and all that they differ in |
//! | [`syntax`] | the parser and its tree |
//! | [`pattern`] | `*`, `?`, `[…]`, `@(…)`: strings, and names of files |
//! | [`arithmetic`] | `$(( … ))` |
//! | [`conditions`] | `test`, `[`, and the file tests of `[[ … ]]` |
//! | [`formats`] | fields, escapes, quotes, `printf` |
//! | [`streams`] | a script's descriptors, buffered, and what children get of them |
//! | [`processes`] | children, jobs, signals, umask, limits |
//! | `lower`, `program`, `names` | the tree made into what is run |
//! | `options` | `set -o` and `shopt`: names, letters, which are done here |
//! | `run` | commands, expansion, variables, subshells, pipelines |
//! | `builtins` | the commands that are the shell's own |
//! | `stack` | more stack for deep recursion |
//! | `runner` | scripts that a program runs in itself: [`Runner`] |
//! | `script_file` | a script's file: found and read |
//! | `main_process` | a script that is the process: `fewer sh` |

pub mod arithmetic;
mod builtins;
pub mod conditions;
pub mod dialect;
pub mod formats;
mod interpreter;
mod lower;
mod main_process;
mod names;
mod options;
pub mod pattern;
pub mod processes;
mod program;
mod run;
mod runner;
mod script_file;
mod stack;
pub mod streams;
pub mod syntax;
mod text;

pub use dialect::Dialect;
pub use interpreter::{Interpreter, interpreter};
pub use main_process::{
    Input, Invocation, explain, keep_open, replace_process, run_input, run_process,
};
pub use options::{Setting, is_option, option_names, shopt_names};
pub use run::limits::Limit;
pub use runner::{Outcome, Refused, Runner};
pub use script_file::{ScriptFile, is_program, is_this_program};
pub use streams::Canceller;
pub use text::Text;
