//! What one start came to: a process with everything that it started in turn.

use super::super::prelude::*;
use crate::content_hash;

/// Programs of a unit that are told apart; one that starts more is no small tool.
const MOST_PROGRAMS: usize = 16;
/// Pipes of a process that are remembered, and calls on each of them that may belong to a start.
const MOST_PIPES: usize = 1 << 12;
const MOST_PER_PIPE: u32 = 16;
/// Calls for one start that wait (`poll`), on epoll, eventfd and their like, and on /dev/null.
const MOST_NAMELESS: u32 = 32;

/// What starts are counted together.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub(super) enum Kind {
    /// This program was started.
    Program(PathId),
    /// This shell was started for a command.
    Command(PathId),
    /// Several programs were started in turn.
    Programs,
    /// A shell made a copy of itself, which started something.
    CopyThatStarts,
    /// A shell made a copy of itself.
    Copy,
}

/// A process that has ended, and those that it had started.
#[derive(Clone, Debug, Default)]
pub(super) struct Unit {
    /// The first program that it became; none if it stayed a copy of the one that made it.
    pub(super) program: PathId,
    /// Whether that is a shell that was given one command: `sh -c`.
    pub(super) is_command: bool,
    /// Whether it becomes what its arguments say.
    is_wrapped: bool,
    /// What is the same for all items of a loop.
    pub(super) form: u64,
    /// All programs that ran in it, that one included.
    pub(super) programs: Vec<PathId>,
    /// Processes.
    pub(super) processes: u64,
    /// Calls of all of them.
    pub(super) calls: u64,
    /// Those on files that nothing else had to do with.
    pub(super) work: u64,
    /// How long the first of them lived.
    pub(super) nanoseconds: u64,
    /// The processor's time that it took, with those that it waited for.
    pub(super) processor: u64,
}

impl Unit {
    /// A program begins to run in it.
    pub(super) fn becomes(&mut self, process: &Process) {
        if self.is_copy() || self.is_wrapped {
            self.program = process.program;
            self.is_command = is_command(process);
            self.is_wrapped =
                is_wrapper(process.arguments.first().map_or(&b""[..], |word| &word.0));
            self.form = form(process);
        }
        if self.programs.len() < MOST_PROGRAMS {
            self.programs.push(process.program);
        }
    }

    /// What it is counted as.
    pub(super) fn kind(&self) -> Kind {
        match (self.program.is_some(), self.programs.is_empty()) {
            (true, _) if self.is_command => Kind::Command(self.program),
            (true, _) => Kind::Program(self.program),
            (false, false) => Kind::CopyThatStarts,
            (false, true) => Kind::Copy,
        }
    }

    /// Another unit was a part of its work.
    pub(super) fn take_in(&mut self, part: &Unit) {
        let room = MOST_PROGRAMS - self.programs.len();
        self.programs.extend(part.programs.iter().take(room));
        self.processes += part.processes;
        self.calls += part.calls;
        self.work += part.work;
    }

    /// Whether it stayed a copy.
    pub(super) fn is_copy(&self) -> bool {
        !self.program.is_some()
    }
}

/// Whether a program only makes things ready for the one that it becomes.
pub(super) fn is_wrapper(program: &[u8]) -> bool {
    const WRAPPERS: &[&str] = &[
        "chroot", "doas", "env", "ionice", "jspawnhelper", "nice", "nohup", "setsid", "stdbuf",
        "sudo", "taskset", "timeout",
    ];
    WRAPPERS.iter().any(|it| it.as_bytes() == base_name(program))
}

/// The options of a command, without their values and numbers, as one number. A loop gives the same
/// ones each time; what has others each time is another job of the same program: `git prune`, `git
/// repack -d`.
fn form(process: &Process) -> u64 {
    let mut options = Vec::new();
    for word in process.arguments.iter().skip(1).filter(|word| word.0.starts_with(b"-")) {
        let name = word.0.split(|byte| *byte == b'=').next().unwrap_or_default();
        options.extend(name.iter().filter(|byte| !byte.is_ascii_digit()));
        options.push(b' ');
    }
    content_hash::of(&options)
}

/// Whether a shell was started for a command: `sh -c 'wc x'`, `bash -ec …`.
fn is_command(process: &Process) -> bool {
    const SHELLS: &[&str] = &["ash", "bash", "dash", "ksh", "ksh93", "mksh", "sh", "zsh"];
    let mut words = process.arguments.iter().map(|word| &*word.0);
    let shell = base_name(words.next().unwrap_or_default());
    let option = words.next().unwrap_or_default();
    let is_short = option.starts_with(b"-") && !option.starts_with(b"--");
    SHELLS.iter().any(|it| it.as_bytes() == shell) && is_short && option.contains(&b'c')
}

/// Calls that a process makes because it starts others: those that make them, and those on pipes
/// and on what waits for them.
#[derive(Debug, Default)]
pub(super) struct Effort {
    pub(super) calls: u64,
    pipes: FxHashMap<PathId, u32>,
    /// Calls that wait, or on what has no name of its own, since the last start.
    nameless: u32,
}

impl Effort {
    /// Takes in a call. A pipe that much flows through was not made for one of many starts.
    pub(super) fn call(&mut self, call: &Call, context: Context) {
        let is_ours = match (call.name, call.name.class(), context.kind(call.file)) {
            (_, Class::Fork, _) => {
                self.nameless = 0;
                true
            }
            (Name::Pipe | Name::Pipe2 | Name::Socketpair, ..) | (_, Class::Anonymous, _) => true,
            (.., FileKind::Pipe | FileKind::Socket) => {
                if self.pipes.len() >= MOST_PIPES {
                    self.pipes.clear();
                }
                let calls = self.pipes.entry(call.file).or_default();
                *calls += 1;
                *calls <= MOST_PER_PIPE
            }
            (_, Class::Wait, FileKind::Nothing) | (.., FileKind::Anonymous | FileKind::Null) => {
                self.nameless += 1;
                self.nameless <= MOST_NAMELESS
            }
            _ => false,
        };
        self.calls += u64::from(is_ours);
    }
}
