//! Runs what was lowered.
//!
//! A [`Shell`] goes over the nodes of a block (`commands`). For a simple command it expands the
//! words (`expand`), puts redirections in place and back (`redirect`), and asks what the name
//! means (`call`): a function, a builtin, a tool that is done here, or a program (`external`). Each
//! leaves its status in the shell; what ends more than itself comes back as an [`Unwind`].
//!
//! | module | what is in it |
//! |---|---|
//! | `state` | what a shell knows, in one object for what changes together |
//! | `start`, `script_input` | a new shell, and the script that it runs |
//! | `commands`, `conditions`, `select`, `timed` | `if`, loops, `case`; `[[`; `select`; `time` |
//! | `call`, `assign`, `redirect` | simple commands |
//! | `function`, `external` | what they run: functions; tools and programs |
//! | `subshell` | what runs in this process, and is taken back |
//! | `pipeline`, `process`, `jobs` | what runs beside it, and is waited for |
//! | `expand`, `fields` | words, and where they go: fields, one text, a pattern |
//! | `parameter`, `replace`, `transform` | `${ … }` |
//! | `special` | `$?` and its like; files that are read, texts that are run |
//! | `arithmetic`, `patterns`, `prompt` | numbers; patterns and names of files; `${x@P}` |
//! | `value`, `variables`, `arrays`, `listing` | what variables hold; how they are listed |
//! | `computed` | variables that are made when asked for |
//! | `environment`, `working_directory` | the environment and streams; the working directory |
//! | `limits` | what a script may use |
//! | `trap`, `signals` | traps; signals that end a shell |
//! | `messages`, `trace`, `texts` | what shells say of errors; `set -x`; small texts |

pub(crate) mod arithmetic;
pub(crate) mod arrays;
pub(crate) mod assign;
pub(crate) mod call;
pub(crate) mod commands;
pub(crate) mod computed;
pub(crate) mod conditions;
pub(crate) mod environment;
pub(crate) mod expand;
pub(crate) mod external;
pub(crate) mod fields;
pub(crate) mod function;
pub(crate) mod indirect;
pub(crate) mod jobs;
pub(crate) mod limits;
pub(crate) mod listing;
pub(crate) mod messages;
pub(crate) mod parameter;
pub(crate) mod patterns;
pub(crate) mod pipeline;
pub(crate) mod process;
pub(crate) mod prompt;
pub(crate) mod redirect;
pub(crate) mod replace;
mod script_input;
mod select;
pub(crate) mod signals;
pub(crate) mod special;
mod start;
pub(crate) mod state;
pub(crate) mod subshell;
pub(crate) mod texts;
pub(crate) mod timed;
pub(crate) mod trace;
pub(crate) mod transform;
pub(crate) mod trap;
pub(crate) mod value;
pub(crate) mod variables;
pub(crate) mod working_directory;

use crate::arithmetic::Slot;
use crate::dialect::Profile;
use crate::names::Names;
use crate::options::Options;
use crate::streams::Table;

use self::limits::Limits;
use self::state::{
    BuiltinState, Caches, CallStack, Directory, Execution, Expansion, Functions, Origin, Output,
    Processes, Subshells, TrapState, Variables,
};
pub(crate) use self::state::{Frame, Positional};
use self::trace::Tracing;

/// Why commands stop being run one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unwind {
    /// So many loops end.
    Break(u32),
    /// So many loops but one end, and that goes on.
    Continue(u32),
    /// The function, or the file that is read, ends.
    Return,
    /// The shell or the subshell ends.
    Exit,
    /// A limit was reached, or a signal ends everything: no subshell keeps it.
    Stop,
    /// The command of the script that is being run ends, the next one is run (bash, after an
    /// error).
    Discard,
}

/// What becomes of a command.
pub(crate) type Flow<T = ()> = Result<T, Unwind>;

/// A shell: its [state], and everything that needs more than one part of it.
pub(crate) struct Shell {
    /// How the dialect's shell behaves.
    pub(crate) profile: &'static Profile,
    pub(crate) options: Options,
    pub(crate) limits: Limits,
    pub(crate) names: Names,
    pub(crate) variables: Variables,
    pub(crate) functions: Functions,
    pub(crate) calls: CallStack,
    pub(crate) execution: Execution,
    pub(crate) expansion: Expansion,
    pub(crate) subshells: Subshells,
    pub(crate) directory: Directory,
    pub(crate) streams: Table,
    pub(crate) output: Output,
    pub(crate) processes: Processes,
    pub(crate) traps: TrapState,
    pub(crate) caches: Caches,
    pub(crate) tracing: Tracing,
    pub(crate) origin: Origin,
    pub(crate) builtins: BuiltinState,
}

impl Shell {
    /// The number of a name, with room for its variable and its function.
    pub(crate) fn slot(&mut self, name: &[u8]) -> Slot {
        let slot = self.names.slot(name);
        self.make_room();
        slot
    }

    /// After names were met.
    pub(crate) fn make_room(&mut self) {
        let count = self.names.len();
        self.variables.make_room(count);
        self.functions.make_room(count);
    }
}
