//! Runs what was lowered.
//!
//! A [`Shell`] goes over the nodes of a block (`commands`). For a simple command it expands the
//! words (`expand`), puts redirections in place and back (`redirect`), and asks what the name
//! means (`call`): a function, a builtin, a tool that is done here, or a program (`external`). Each
//! leaves its status in the shell; what ends more than itself comes back as an [`Unwind`].
//!
//! | room | what lives there |
//! |---|---|
//! | here | the shell's state |
//! | `start`, `script_input` | a new shell, and the script that it runs |
//! | `commands`, `conditions`, `select`, `timed` | `if`, loops, `case`; `[[`; `select`; `time` |
//! | `call`, `assign`, `redirect` | simple commands |
//! | `function`, `external` | what they run: functions; tools and programs |
//! | `subshell`, `undo` | what runs in this process, and is taken back |
//! | `pipeline`, `process`, `jobs` | what runs beside it, and is waited for |
//! | `expand`, `fields` | words, and where they go: fields, one text, a pattern |
//! | `parameter`, `replace`, `transform` | `${ … }` |
//! | `special` | `$?` and its like; files that are read, texts that are run |
//! | `arithmetic`, `patterns`, `prompt` | numbers; patterns and names of files; `${x@P}` |
//! | `value`, `variables`, `arrays` | what variables hold |
//! | `computed` | variables that are made when asked for |
//! | `environment`, `place` | what is outside: environment, streams; the working directory |
//! | `options`, `option_names`, `limits` | `set -o` and `shopt`; what a script may use |
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
pub(crate) mod messages;
pub(crate) mod option_names;
pub(crate) mod options;
pub(crate) mod parameter;
pub(crate) mod patterns;
pub(crate) mod pipeline;
pub(crate) mod place;
pub(crate) mod process;
pub(crate) mod prompt;
pub(crate) mod redirect;
pub(crate) mod replace;
mod script_input;
mod select;
pub(crate) mod signals;
pub(crate) mod special;
mod start;
pub(crate) mod subshell;
pub(crate) mod texts;
pub(crate) mod timed;
pub(crate) mod trace;
pub(crate) mod transform;
pub(crate) mod trap;
pub(crate) mod undo;
pub(crate) mod value;
pub(crate) mod variables;

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use fewer::Scope;

use crate::arithmetic::Slot;
use crate::formats::fields::Ifs;
use crate::formats::getopts::Getopts;
use crate::names::Names;
use crate::program::{Function, Traits};
use crate::streams::Table;
use crate::{Dialect, Text};

use self::external::Found;
use self::jobs::Jobs;
use self::limits::Limits;
use self::options::Options;
use self::trap::Traps;
use self::undo::Undo;
use self::value::{Value, Variable};

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

/// The slots of the variables that the shell itself uses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Own {
    pub(crate) ifs: Slot,
    pub(crate) path: Slot,
    pub(crate) home: Slot,
    pub(crate) pwd: Slot,
    pub(crate) oldpwd: Slot,
    pub(crate) reply: Slot,
    pub(crate) optind: Slot,
    pub(crate) optarg: Slot,
    pub(crate) ps4: Slot,
    pub(crate) random: Slot,
    pub(crate) seconds: Slot,
    pub(crate) pipe_status: Slot,
    pub(crate) rematch: Slot,
    pub(crate) cdpath: Slot,
    pub(crate) nest: Slot,
}

/// A call of a function, or a file that is being read.
#[derive(Debug)]
pub(crate) struct Frame {
    /// Its function; `None` for a file.
    pub(crate) function: Option<Rc<Function>>,
    /// Where its locals begin.
    pub(crate) locals: usize,
    /// The subshell that it was called in.
    pub(crate) serial: u32,
    /// The line that it was called on.
    pub(crate) called_on: u32,
    /// The file that was being run, for a file.
    pub(crate) file: Option<Rc<[u8]>>,
    /// ksh: a scope of its own, with its own EXIT trap.
    pub(crate) own_scope: bool,
    /// What `local -` keeps.
    pub(crate) options: Option<Options>,
    /// What was assigned before the call's name.
    pub(crate) given: Vec<Slot>,
}

/// What a variable was before it was given another value for one command.
#[derive(Debug)]
pub(crate) struct Temporary {
    pub(crate) slot: Slot,
    /// None if there is nothing to put back any more.
    pub(crate) before: Option<Variable>,
    /// The subshell that did so, and how many locals there were.
    pub(crate) serial: u32,
    pub(crate) locals: usize,
}

/// bash: a reference in a function that is named like the variable it means, which is the one
/// outside of all functions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Circle {
    pub(crate) reference: Slot,
    /// Where that variable is kept meanwhile.
    pub(crate) hidden: Slot,
    /// Which of the locals the reference is.
    pub(crate) local: usize,
}

/// The positional parameters.
#[derive(Clone, Debug, Default)]
pub(crate) struct Positional {
    pub(crate) words: Rc<Vec<Text>>,
    pub(crate) shifted: usize,
    /// Whether `set` made them.
    pub(crate) by_set: bool,
}

impl Positional {
    pub(crate) fn new(words: Vec<Text>) -> Positional {
        Positional { words: Rc::new(words), shifted: 0, by_set: false }
    }

    pub(crate) fn all(&self) -> &[Text] {
        self.words.get(self.shifted..).unwrap_or_default()
    }
}

/// A shell.
pub(crate) struct Shell {
    pub(crate) dialect: Dialect,
    pub(crate) names: Names,
    pub(crate) own: Own,
    pub(crate) variables: Vec<Variable>,
    pub(crate) functions: Vec<Option<Rc<Function>>>,
    /// What is known of every function that was lowered, by its name.
    pub(crate) traits: HashMap<Slot, Traits>,
    /// Changes whenever `traits` does.
    pub(crate) generation: u32,
    /// Variables that a function's own hide, innermost last.
    pub(crate) locals: Vec<(Slot, Variable)>,
    /// What is assigned for one command only.
    pub(crate) temporaries: Vec<Temporary>,
    /// Those of the command whose assignments are being made: from which on.
    pub(crate) assigning: Option<usize>,
    pub(crate) circles: Vec<Circle>,
    /// How many subshells BASH_SUBSHELL leaves out.
    pub(crate) counted_twice: u32,
    pub(crate) frames: Vec<Frame>,
    pub(crate) positional: Positional,
    /// `$0`
    pub(crate) zero: Text,
    /// What messages begin with.
    pub(crate) script: Rc<[u8]>,
    pub(crate) status: i32,
    pub(crate) options: Options,
    pub(crate) line: u32,
    /// How many virtual subshells are around, in this process.
    pub(crate) level: u32,
    /// The subshell that is running; each has another number.
    pub(crate) serial: u32,
    pub(crate) last_serial: u32,
    pub(crate) undo: Vec<Undo>,
    pub(crate) elements_saved: usize,
    /// Real subshells around (`$BASH_SUBSHELL` counts both), and virtual ones around these.
    pub(crate) forked: u32,
    pub(crate) copied_levels: u32,
    /// Greater than none where a failure is looked at: conditions, `!`, all but the last of `&&`.
    pub(crate) unchecked: u32,
    pub(crate) loops: u32,
    pub(crate) scope: Scope,
    /// The logical path of the working directory.
    pub(crate) here: Rc<[u8]>,
    pub(crate) streams: Table,
    pub(crate) jobs: Jobs,
    pub(crate) traps: Rc<Traps>,
    pub(crate) ifs: Rc<Ifs>,
    /// Tables that were made for values of IFS.
    pub(crate) ifs_before: Vec<(Option<Text>, Rc<Ifs>)>,
    pub(crate) utf8: bool,
    /// The environment of children, until a variable in it changes.
    pub(crate) environment: Option<Rc<[std::ffi::CString]>>,
    pub(crate) limits: Limits,
    /// Texts that were lowered (`eval`, `trap`, …), by their bytes.
    pub(crate) lowered: HashMap<Box<[u8]>, Rc<crate::lower::Lowered>>,
    pub(crate) getopts: Getopts,
    /// Turns of loops, around and around.
    pub(crate) turns: u32,
    /// `command` runs a builtin: its errors do not end the shell.
    pub(crate) under_command: bool,
    pub(crate) readonly_functions: Rc<std::collections::HashSet<Slot>>,
    pub(crate) exported_functions: Rc<std::collections::HashSet<Slot>>,
    pub(crate) computed: computed::State,
    /// The process that `$$` is.
    pub(crate) process: u32,
    /// Whether this process is the shell's own: `exec`, signals and limits are its business.
    pub(crate) owns_process: bool,
    /// Where a script in another program writes to, if that is collected.
    pub(crate) outputs: [Option<Rc<crate::streams::Open>>; 2],
    /// What is told of a limit that was reached.
    pub(crate) last_words: Vec<u8>,
    /// The subshell whose command is a program that is not waited for.
    pub(crate) beside: Option<u32>,
    /// What was assigned before the command's name, until a function takes it.
    pub(crate) given: Vec<Slot>,
    /// The call, by its address, that is all that this copy of the shell has to do.
    pub(crate) alone: Option<usize>,
    /// The status of the last program that a signal ended.
    pub(crate) killed: i32,
    pub(crate) builtin_tools: bool,
    pub(crate) substituted: bool,
    /// dash: the status of the last substitution.
    pub(crate) substituted_status: i32,
    pub(crate) spare: Vec<Vec<Text>>,
    /// Where programs were found, until PATH changes.
    pub(crate) programs: HashMap<Box<[u8]>, Rc<Found>>,
    pub(crate) holes: arithmetic::Holes,
    pub(crate) unset_in_arithmetic: bool,
    /// What of the environment no variable can hold.
    pub(crate) strange_environment: Vec<Vec<u8>>,
    /// The numbers of `<( … )` that the command still needs.
    pub(crate) substitutions: Vec<u32>,
    /// Nobody reads standard output any more: the process ends as by SIGPIPE.
    pub(crate) broken_pipe: bool,
    /// The signal that ends the process.
    pub(crate) dies_of: Option<i32>,
    /// Signals that this process's script has set a trap on, bit 0 for signal 1: in a virtual
    /// subshell they wait for its end.
    pub(crate) trapped: u64,
    /// Those that it has sent to itself alone.
    pub(crate) own_signals: u64,
    /// Who has written last: whose fault it is if that turns out to be impossible.
    pub(crate) wrote: &'static str,
    /// How many of the files that commands wrote to could not be written in the end.
    pub(crate) failed_writes: u32,
    /// How many texts that are evaluated (`eval`, traps) are inside each other.
    pub(crate) evaluations: usize,
    /// How many commands that keep errors in ksh are inside each other: compound ones and functions
    /// with redirections, last stages of pipelines. An error ends no more than the innermost.
    pub(crate) redirected: usize,
    /// The line that LINENO is while the trap on ERR runs.
    pub(crate) trap_line: Option<u32>,
    /// Ends of pipes that are for later: a copy of this process must not keep them.
    pub(crate) held_ends: Vec<Rc<crate::streams::Open>>,
    /// Room that builtins use for what they write or read.
    pub(crate) room: Vec<u8>,
    /// `alias`, by name.
    pub(crate) aliases: Rc<BTreeMap<Vec<u8>, Text>>,
    /// `pushd`'s directories, the top last.
    pub(crate) directories: Vec<Text>,
    pub(crate) umask: crate::processes::Umask,
    /// Whether the last command was a pipeline, whose statuses PIPESTATUS holds.
    pub(crate) piped: bool,
    /// The last argument of the last command, if the script asks for `$_` (bash).
    pub(crate) last_argument: Option<Text>,
    /// Where functions were defined, if that was not the script itself.
    pub(crate) sources: HashMap<Slot, Rc<[u8]>>,
    pub(crate) tracing: trace::Tracing,
    /// Whether a text that was to be run could not be read.
    pub(crate) unreadable: bool,
    /// Who reads the text that is run: `eval`, or the name of a file.
    pub(crate) reader: Option<Text>,
    pub(crate) in_error_trap: bool,
    pub(crate) in_return_trap: bool,
    /// The action on EXIT while it runs.
    pub(crate) exit_action: Option<Text>,
    /// `$?` when the last `return` began: what the trap on RETURN sees (bash).
    pub(crate) before_return: i32,
    /// bash: children that have ended, of which the trap on CHLD has not been told.
    pub(crate) children_ended: u32,
    /// bash: whether the trap on ERR is younger than the call that has failed.
    pub(crate) new_error_trap: bool,
    /// What `$?` was before the trap that runs, and how many frames there were: what `exit`
    /// without a number is with.
    pub(crate) before_trap: Option<(i32, usize)>,
    /// Whether the script came with `-c`.
    pub(crate) from_argument: bool,
    /// Whether the script came from the standard input.
    pub(crate) from_input: bool,
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
        if self.variables.len() < count {
            self.variables.resize_with(count, Variable::default);
            self.functions.resize_with(count, || None);
        }
    }

    /// Whether a variable has a value.
    pub(crate) fn is_set(&self, slot: Slot) -> bool {
        !matches!(self.variables[slot.0 as usize].value, Value::Unset)
    }
}
