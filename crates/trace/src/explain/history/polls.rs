//! Looks at the same files between two sleeps: a process that waits for a change by polling.
//!
//! What a process does between two sleeps is a pass; a thread that sleeps for itself has passes of
//! its own, so that others may work meanwhile. A pass is in vain if it looked at files,
//! saw of each what it had seen before, and did nothing else: a program that is told of changes
//! would have made none of its calls.

use crate::explain::finding::Act;
use crate::explain::history::is_aside;
use crate::explain::history::paths::FileKind;
use crate::explain::history::questions::answer;
use crate::explain::tally::Tally;
use crate::{Call, Class, Name, PathId, StackId};
use rustc_hash::FxHashMap;

/// Answers that are remembered.
const MOST_ANSWERS: usize = 1 << 14;
/// Looks of one pass; a process that makes more does not only wait.
const MOST_LOOKS: usize = 4096;
/// A file looked at in vain in fewer passes is tried again, not polled.
const FEWEST: u64 = 4;

/// Threads that have passes of their own.
const MOST_SLEEPERS: usize = 256;

/// The passes of a process.
#[derive(Debug, Default)]
pub(crate) struct Polls {
    /// What all threads did but those of `own`.
    common: Pass,
    /// What threads did that sleep for themselves. A scheduler waits for events while other threads
    /// look at files, and is none of them.
    own: FxHashMap<u32, Pass>,
    /// What was seen in the passes before.
    known: FxHashMap<Look, u64>,
    /// Passs in vain, by the file that each looked at first.
    vain: FxHashMap<PathId, Vain>,
    /// In how many of them each file was looked at.
    files: FxHashMap<PathId, u64>,
    /// The sleeper, that file, and from where it was looked at, if the pass before was in vain.
    latest: Option<(Sleeper, PathId, StackId)>,
    has_slept: bool,
    /// Programs that sleep, of which the call that makes a process was not seen yet: one or none.
    sleeps_unmade: u32,
}

/// Who slept.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Sleeper {
    /// The process, by a program that it started or by waiting for events.
    Process,
    /// A thread, for itself.
    Thread(u32),
}

/// Passs in vain.
#[derive(Debug, Default)]
pub(crate) struct Vain {
    /// How many.
    pub(crate) passes: u64,
    /// Their calls, and the sleeps behind them.
    pub(crate) tally: Tally,
}

/// What was done since the last sleep.
#[derive(Debug, Default)]
struct Pass {
    looks: Vec<(Look, u64)>,
    /// From where the first look was made.
    stack: StackId,
    /// Calls of any kind.
    calls: u64,
    /// What they do.
    acts: Tally,
    /// Whether anything else was done than to look.
    worked: bool,
    /// Processes and threads made; a shell makes one to sleep.
    forks: u32,
}

/// A question about a file, and the how-manieth of the pass.
type Look = (Name, PathId, u32);

impl Polls {
    /// Takes in a call on something of that kind. `is_watchable`: a change of the file could be
    /// told. True if the call sleeps.
    pub(crate) fn see(&mut self, call: &Call, kind: FileKind, is_watchable: bool) -> bool {
        if let Some(sleeper) = sleeper(call) {
            self.sleep(sleeper, Some(call));
            return true;
        }
        if self.has_slept {
            let own = self.own.get_mut(&call.thread);
            own.unwrap_or(&mut self.common).see(call, kind, is_watchable);
        }
        false
    }

    /// A sleep ends a pass. It is a call, or a process of its own, or not watched.
    pub(crate) fn sleep(&mut self, sleeper: Sleeper, call: Option<&Call>) {
        let Some(pass) = self.end(sleeper, call) else { return };
        if pass.looks.is_empty() && !pass.worked {
            // It goes on sleeping.
            if let Some((_, file, stack)) = self.latest.filter(|(by, ..)| *by == sleeper)
                && let Some(vain) = self.vain.get_mut(&file)
            {
                vain.add(&pass, stack, call);
            }
            return;
        }
        let mut is_vain = !pass.worked && self.only_slept(&pass, sleeper, call);
        for (look, answer) in &pass.looks {
            let has_room = self.known.len() < MOST_ANSWERS || self.known.contains_key(look);
            is_vain &= has_room && self.known.insert(*look, *answer) == Some(*answer);
        }
        let first = pass.looks.first().map(|((_, file, _), _)| (sleeper, *file, pass.stack));
        self.latest = first.filter(|_| is_vain);
        let Some((_, file, stack)) = self.latest else { return };
        let vain = self.vain.entry(file).or_default();
        vain.passes += 1;
        vain.add(&pass, stack, call);
        for ((_, file, nth), _) in &pass.looks {
            if *nth == 0 {
                *self.files.entry(*file).or_default() += 1;
            }
        }
    }

    /// Whether no process was made in a pass but that which sleeps. A shell may be told of having
    /// made it only after it sleeps, in the next pass.
    fn only_slept(&mut self, pass: &Pass, sleeper: Sleeper, call: Option<&Call>) -> bool {
        let sleeps = u32::from(call.is_none() && sleeper == Sleeper::Process);
        let expected = self.sleeps_unmade + sleeps;
        self.sleeps_unmade = expected.saturating_sub(pass.forks).min(sleeps);
        pass.forks <= expected
    }

    /// What was done before a sleep; `None` if it is the first of that sleeper.
    fn end(&mut self, sleeper: Sleeper, call: Option<&Call>) -> Option<Pass> {
        self.has_slept = true;
        let thread = match sleeper {
            Sleeper::Thread(thread) => Some(thread),
            Sleeper::Process => call.map(|call| call.thread),
        };
        if let Some(own) = thread.and_then(|thread| self.own.get_mut(&thread)) {
            return Some(std::mem::take(own));
        }
        if let Sleeper::Thread(thread) = sleeper
            && self.own.len() < MOST_SLEEPERS
        {
            self.own.insert(thread, Pass::default());
            return None;
        }
        Some(std::mem::take(&mut self.common))
    }

    /// Whether the process waits for a change of this file.
    pub(crate) fn is_polled(&self, file: PathId) -> bool {
        self.files.get(&file).is_some_and(|passes| *passes >= FEWEST)
    }

    /// Passs in vain, by file.
    pub(crate) fn vain(&self) -> impl Iterator<Item = (PathId, &Vain)> {
        let polled = self.vain.iter().filter(|(file, _)| self.is_polled(**file));
        polled.map(|(file, vain)| (*file, vain))
    }
}

impl Vain {
    /// Runtimes sleep in a loop of their own: `stack` is from where the file was looked at.
    fn add(&mut self, pass: &Pass, stack: StackId, sleep: Option<&Call>) {
        self.tally.absorb(&pass.acts);
        // A sleep costs no time that would be saved.
        self.tally.blame(stack, pass.calls + u64::from(sleep.is_some()));
        if let Some(call) = sleep {
            self.tally.show(call);
        }
    }
}

impl Pass {
    fn see(&mut self, call: &Call, kind: FileKind, is_watchable: bool) {
        self.calls += 1;
        self.acts.spare(Act::of(call), 1);
        self.acts.show(call);
        let class = call.name.class();
        // Threads wake each other through event counters.
        let is_outside = kind != FileKind::Anonymous && !is_aside(call);
        match class {
            Class::Fork if call.succeeded() => self.forks += 1,
            _ if is_look(call) && matches!(kind, FileKind::File | FileKind::Nothing) => {
                self.look(call, is_watchable);
            }
            Class::Read | Class::Receive | Class::Splice | Class::Send => {
                self.worked |= is_outside && kind != FileKind::Kernel && call.result > 0;
            }
            Class::Write | Class::Copy | Class::Resize | Class::Sync | Class::Change => {
                self.worked |= is_outside && call.succeeded();
            }
            _ => {}
        }
    }

    fn look(&mut self, call: &Call, is_watchable: bool) {
        if !is_watchable || !call.file.is_some() {
            return;
        }
        if self.looks.len() >= MOST_LOOKS {
            self.worked = true;
            return;
        }
        if self.looks.is_empty() {
            self.stack = call.stack;
        }
        let is_same =
            |((name, file, _), _): &&(Look, u64)| (*name, *file) == (call.name, call.file);
        let nth = self.looks.iter().rev().find(is_same).map_or(0, |((.., nth), _)| nth + 1);
        let moved = match call.name.class() {
            Class::Read | Class::ReadDirectory => call.result.cast_unsigned(),
            _ => 0,
        };
        self.looks.push(((call.name, call.file, nth), answer(call).wrapping_add(moved)));
    }
}

/// Whether a call asks what a file is or holds.
fn is_look(call: &Call) -> bool {
    match call.name.class() {
        Class::Stat | Class::Access | Class::Readlink | Class::ReadDirectory | Class::Read => true,
        // A file that is opened to be written is an item of work.
        Class::Open => {
            const O_ACCMODE: i32 = 3;
            !call.succeeded() || call.name != Name::Openat || call.int(2) & O_ACCMODE == 0
        }
        _ => false,
    }
}

/// Who slept through a call: nothing came before its time was over.
fn sleeper(call: &Call) -> Option<Sleeper> {
    let has_time_out = match call.name {
        Name::ClockNanosleep => true,
        Name::Nanosleep | Name::Futex => call.slept(),
        Name::Poll => call.int(2) > 0,
        Name::EpollWait | Name::EpollPwait => call.int(3) > 0,
        Name::Select | Name::Pselect6 => call.arguments[4] != 0,
        Name::EpollPwait2 => call.arguments[3] != 0,
        Name::Ppoll => call.arguments[2] != 0,
        _ => false,
    };
    let is_for_events = call.name.class() == Class::Wait && !waits_for_nothing(call);
    let is_over = call.name.class() != Class::Wait || call.result == 0;
    (has_time_out && is_over).then_some(match is_for_events {
        true => Sleeper::Process,
        false => Sleeper::Thread(call.thread),
    })
}

/// Whether there is no descriptor that anything could come from.
fn waits_for_nothing(call: &Call) -> bool {
    match call.name {
        Name::Poll | Name::Ppoll => call.arguments[1] == 0,
        Name::Select | Name::Pselect6 => call.arguments[0] == 0,
        _ => false,
    }
}
