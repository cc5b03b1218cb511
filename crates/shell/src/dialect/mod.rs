//! Which shell's language a script is in, and everything that the languages differ in.
//!
//! [`Dialect`] names a shell. Its profile says how that shell behaves: each difference is one
//! documented field, named after the behaviour, and the code asks for that field instead of
//! comparing dialects. A further shell is one more folder beside `posix`, `bash` and `ksh`, and one
//! more line in `Dialect::profile`.
//!
//! | module | what is in it |
//! |---|---|
//! | `posix`, `bash`, `ksh` | the profiles: a value for each field |
//! | `syntax`, `words`, `errors` | fields: how a script is read, and what is said if it cannot be |
//! | `left` | fields: what is recognised and left to the shell itself |
//! | `commands` | fields: what has to be known of a command before it runs |
//! | `arithmetic`, `conditions` | fields: `$(( … ))`; `test` and `[` |
//! | `formats` | fields: `echo`, `printf`, escapes, quotes, `getopts`, IFS |
//! | `failures`, `run_messages` | fields: how far errors reach, and what is said of them |
//! | `calls`, `subshells` | fields: commands, functions, substitutions, pipelines |
//! | `variables`, `arrays`, `expansions`, `patterns`, `numbers` | fields: values |
//! | `traps`, `signals`, `jobs`, `limits`, `limit_rows` | fields: processes |
//! | `redirects`, `directories` | fields: files |
//! | `start`, `set`, `option_names`, `trace` | fields: how a shell begins, its options |
//! | `arguments`, `letters`, `flow`, `declare`, `read`, `lookup` | fields: builtins |
//! | `messages` | the shape of a message with a subject in it |
//!
//! This folder uses nothing else of the crate, so that every other module can use it. A field is a
//! `bool`, a small `enum`, a text, or a function of texts where a shell does something of its own.

mod arguments;
mod arithmetic;
mod arrays;
mod bash;
mod calls;
mod commands;
mod conditions;
mod declare;
mod directories;
mod errors;
mod expansions;
mod failures;
mod flow;
mod formats;
mod jobs;
mod ksh;
mod left;
mod letters;
mod limit_rows;
mod limits;
mod lookup;
mod messages;
mod numbers;
pub(crate) mod option_names;
mod patterns;
mod posix;
mod read;
mod redirects;
mod run_messages;
mod set;
mod signals;
mod start;
mod subshells;
mod syntax;
mod trace;
mod traps;
mod variables;
mod words;

pub(crate) use arguments::{Arguments, ManyShifts, ShiftOperand, Usage};
pub(crate) use arithmetic::{Arithmetic, ArithmeticErrors, Constants, DoubledSign, Wrong};
pub(crate) use arrays::Arrays;
pub(crate) use calls::{BodyStatus, Calls, TraceTime};
pub(crate) use commands::Commands;
pub(crate) use conditions::{BinaryTests, Conditions, LeftOver, NotANumber};
pub(crate) use declare::{DeclarationStyle, Declarations, NamedBuiltin};
pub(crate) use directories::{
    Directories, LostDirectory, LostStart, OldDirectory, ParentPath, PrintDirectory,
};
pub(crate) use errors::{SyntaxErrors, Token};
pub(crate) use expansions::{Expansions, ReplacementSigns};
pub(crate) use failures::{ErrorReach, Failures, ReadonlyPrefix};
pub(crate) use flow::{BadLoopCount, ControlFlow, MissingFile, StatusOperand};
pub(crate) use formats::{
    Echo, EscapeRules, EscapesByNumber, Formats, GetoptsRules, JoinedWords, OctalZero, Printf,
    Quoting, Splitting,
};
pub(crate) use jobs::{JobControl, KillList};
pub(crate) use left::LeftToItsShell;
pub(crate) use letters::OptionLetters;
pub(crate) use limit_rows::{LimitOf, LimitRow};
pub(crate) use limits::{LimitLine, MaskClause, ProcessLimits};
pub(crate) use lookup::{Description, HashList, Hashed, Lookup};
pub(crate) use messages::Around;
pub(crate) use numbers::Numbers;
pub(crate) use option_names::OptionName;
pub(crate) use patterns::{DotNames, Patterns};
pub(crate) use read::{InterruptedRead, Reading};
pub(crate) use redirects::Redirects;
pub(crate) use run_messages::{MessagePlace, Messages, NoDirectory};
pub(crate) use set::{OptionTable, SetOptions, SourceFlag};
pub(crate) use signals::{SignalList, Signals};
pub(crate) use start::{ShellLevel, Start};
pub(crate) use subshells::{LastStage, Subshells, SubstitutionErrors};
pub(crate) use syntax::{Functions, Grammar, HereDocuments, PipeAnd, Syntax, UnfinishedHere};
pub(crate) use trace::{TimeFormat, Trace, TracedDeclarations};
pub(crate) use traps::{BadCondition, IgnoredTrap, ResetWords, TrapStatus, Traps};
pub(crate) use variables::{RandomGenerator, Variables};
pub(crate) use words::{Assigned, Braces, EmptyAt, ExtendedPatterns, Parameters, Words};

/// Which shell's language a script is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// POSIX sh as dash has it.
    #[default]
    Posix,
    /// bash 5.2
    Bash,
    /// ksh93u+m
    Ksh,
}

impl Dialect {
    /// Each of them.
    pub(crate) const ALL: [Self; 3] = [Self::Posix, Self::Bash, Self::Ksh];

    /// The one that an option of `fewer sh` asks for: `--bash`. No calls.
    #[must_use]
    pub fn by_option(option: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.profile().option == option)
    }

    /// The one that a program speaks, by its name without a path: `ksh93`. No calls.
    #[must_use]
    pub fn by_program(name: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.profile().programs.contains(&name))
    }

    /// The shell itself, which runs the scripts that are not run here. No calls.
    #[must_use]
    pub fn program(self) -> &'static [u8] {
        self.profile().itself
    }

    /// How this shell behaves. Costs one look into a table, and no calls.
    #[inline]
    pub(crate) fn profile(self) -> &'static Profile {
        match self {
            Self::Posix => &posix::PROFILE,
            Self::Bash => &bash::PROFILE,
            Self::Ksh => &ksh::PROFILE,
        }
    }
}

/// How a shell behaves, by area.
pub(crate) struct Profile {
    /// The option of `fewer sh` that asks for it.
    pub(crate) option: &'static [u8],
    /// The shell itself.
    pub(crate) itself: &'static [u8],
    /// The names of programs that speak it.
    pub(crate) programs: &'static [&'static [u8]],
    /// Whether a character may have several bytes, if the locale says so: dash knows bytes.
    pub(crate) multibyte: bool,
    /// How a script is read.
    pub(crate) syntax: Syntax,
    /// What has to be known of commands before they run.
    pub(crate) commands: Commands,
    /// `$(( … ))`
    pub(crate) arithmetic: Arithmetic,
    /// `test` and `[`
    pub(crate) conditions: Conditions,
    /// How text is written, split and quoted.
    pub(crate) formats: Formats,
    pub(crate) failures: Failures,
    pub(crate) messages: Messages,
    pub(crate) calls: Calls,
    pub(crate) subshells: Subshells,
    pub(crate) start: Start,
    pub(crate) set: SetOptions,
    pub(crate) trace: Trace,
    pub(crate) values: Values,
    pub(crate) processes: Processes,
    pub(crate) files: Files,
    pub(crate) builtins: Builtins,
}

/// What words, variables and arrays come to.
pub(crate) struct Values {
    pub(crate) variables: Variables,
    pub(crate) arrays: Arrays,
    pub(crate) expansions: Expansions,
    pub(crate) patterns: Patterns,
    pub(crate) numbers: Numbers,
}

/// Signals, jobs, and what a process has.
pub(crate) struct Processes {
    pub(crate) traps: Traps,
    pub(crate) signals: Signals,
    pub(crate) jobs: JobControl,
    pub(crate) limits: ProcessLimits,
}

/// Redirections and the working directory.
pub(crate) struct Files {
    pub(crate) redirects: Redirects,
    pub(crate) directories: Directories,
}

/// What builtins do.
pub(crate) struct Builtins {
    pub(crate) arguments: Arguments,
    pub(crate) letters: OptionLetters,
    pub(crate) flow: ControlFlow,
    pub(crate) declare: Declarations,
    pub(crate) read: Reading,
    pub(crate) lookup: Lookup,
}
