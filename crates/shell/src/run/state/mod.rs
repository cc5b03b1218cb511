//! The state of a shell, grouped by what changes together.
//!
//! A function that needs one of these objects alone is a method of it, or takes it as an argument;
//! only what needs several of them is a method of [`Shell`](super::Shell).
//!
//! | module | what its object holds |
//! |---|---|
//! | `variables` | values and attributes; what functions and commands hide for a time |
//! | `temporaries` | what variables were before they were assigned for one command |
//! | `environment` | what children get of the variables |
//! | `generators` | what RANDOM and SECONDS are made of |
//! | `functions` | functions, and what lowering found out about them |
//! | `calls` | the call stack, and the positional parameters |
//! | `execution` | `$?`, the line, how deep loops and conditions are inside each other |
//! | `expansion` | how words are split, and what is in use while they are expanded |
//! | `subshells` | which subshell runs, and the undo log |
//! | `directory` | the working directory |
//! | `output` | where output is collected, and what went wrong with it |
//! | `processes` | this process and its children |
//! | `traps` | traps, and signals that came |
//! | `programs`, `caches` | programs that were found; texts that were lowered |
//! | `origin` | where the script came from |
//! | `builtins` | what some builtins keep between two calls |

mod builtins;
mod caches;
mod calls;
mod directory;
mod environment;
mod execution;
mod expansion;
mod functions;
mod generators;
mod origin;
mod output;
mod processes;
mod programs;
mod subshells;
mod temporaries;
mod traps;
mod variables;

pub(crate) use self::builtins::{BuiltinState, RunBuiltin};
pub(crate) use self::caches::Caches;
pub(crate) use self::calls::{CallStack, Frame, Positional};
pub(crate) use self::directory::Directory;
pub(crate) use self::execution::Execution;
pub(crate) use self::expansion::Expansion;
pub(crate) use self::functions::{FunctionMarks, Functions};
pub(crate) use self::generators::{Generators, seed};
pub(crate) use self::origin::Origin;
pub(crate) use self::output::Output;
pub(crate) use self::processes::Processes;
pub(crate) use self::programs::Found;
pub(crate) use self::subshells::{Entered, Subshells, Undo};
pub(crate) use self::traps::{DEBUG, ERROR, EXIT, RETURN, TrapState, Traps};
pub(crate) use self::variables::{SelfReference, Variables};
