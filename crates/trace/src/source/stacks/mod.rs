//! Stacks: from where a call was made. Unwound in this process, from the registers of a stopped
//! thread and copies of what is on its stack.
//!
//! | module | what is in it |
//! |---|---|
//! | `maps` | the lines of /proc/PID/maps |
//! | `space` | which code lies where in an address space |
//! | `images` | each distinct file once |
//! | `image`, `mapped` | what a file says about unwinding, read from it or from memory |
//! | `functions` | where the functions of a file begin and end |
//! | `prologue` | the frames of functions that nothing is said about, from their code |
//! | `step` | a step from a function to its caller |
//! | `sections` | sections that may be compressed |
//! | `copied` | stacks that the kernel copied of threads that run on |
//! | `window` | copies of a thread's stack |
//! | `machine` | what differs from processor to processor |
//! | `unwind` | from registers to frames, and what they depend on |
//! | `runtime` | the functions of programs in Python and other languages that a runtime executes |
//! | `runtimes` | the runtimes of an address space |
//! | `goroutine` | where a goroutine was created |
//! | `memo` | stacks that were seen before |
//! | `words` | words of memory that a stack depends on |
//! | `interner` | gives each distinct frame and stack a number |

#[cfg(feature = "kernel")]
mod copied;
mod functions;
mod goroutine;
mod image;
mod images;
mod interner;
mod machine;
mod mapped;
mod maps;
mod memo;
#[cfg_attr(not(target_arch = "x86_64"), path = "no_prologue.rs")]
mod prologue;
mod runtime;
mod runtimes;
mod sections;
mod space;
mod step;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod trial;
mod unwind;
mod window;
mod words;

use std::ops::Range;

use self::images::Images;
use self::interner::Interner;
use self::memo::Memo;
use self::runtime::Script;
use self::runtimes::Runtimes;
use self::space::{Change, Space, Spot};
use self::unwind::{Trail, Walk};
use self::window::Window;
use self::words::Word;
use super::paths::Paths;
use super::registers::Registers;
use crate::{Event, Note, StackId};
use rustc_hash::{FxHashMap, FxHashSet};

#[cfg(feature = "kernel")]
pub(crate) use self::copied::Codes;
pub(crate) use self::maps::free_range;
pub(crate) use self::memo::StackKey;
#[cfg_attr(not(target_arch = "x86_64"), expect(unused_imports, reason = "for the agent"))]
pub(crate) use self::words::Address;

/// The stacks of all traced threads.
pub(crate) struct Stacks {
    images: Images,
    spaces: FxHashMap<u32, Known>,
    /// Whether a signal handler returns to a spot.
    returns: FxHashMap<Spot, bool>,
    interner: Interner,
    /// What could not be read, in words, as it was said.
    unreadable: FxHashSet<String>,
    bytes: Vec<u8>,
    /// Whether the last stack is a runtime's, and was never there before.
    is_only_once: bool,
    /// How many stacks were not known.
    #[cfg(test)]
    unwound: usize,
}

/// A stopped thread, where it belongs, and which memory is its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StoppedThread {
    /// The number of its address space.
    pub(crate) space: u32,
    /// Its process.
    pub(crate) process: u32,
    /// Its own number. Its memory is read by this: a process's first thread may have ended.
    pub(crate) thread: libc::pid_t,
}

/// What is known of an address space.
struct Known {
    space: Space,
    memo: Memo,
    runtimes: Runtimes,
    /// Whether it may have changed.
    stale: bool,
    /// Pages that were looked for, and have no code.
    unknown: FxHashSet<u64>,
}

/// So many pages are looked for.
const MOST_UNKNOWN: usize = 256;

impl Default for Known {
    fn default() -> Known {
        let (space, memo, runtimes) = (Space::default(), Memo::default(), Runtimes::default());
        Known { space, memo, runtimes, stale: true, unknown: FxHashSet::default() }
    }
}

impl Known {
    fn refresh(&mut self, process: libc::pid_t, images: &mut Images) {
        let change = self.space.refresh(process, images);
        self.changed(change, images);
    }

    /// Looks whether there is code by now where none was known: it need not have been mapped as
    /// code (`mprotect`, `mremap`). Whether that has changed anything.
    fn looks_for(&mut self, address: u64, process: libc::pid_t, images: &mut Images) -> bool {
        if self.unknown.len() > MOST_UNKNOWN || !self.unknown.insert(address >> 12) {
            return false;
        }
        self.refresh(process, images);
        self.space.find(address).is_some()
    }

    fn walk(
        &self,
        thread: libc::pid_t,
        registers: &Registers,
        is_last: bool,
        (images, returns): (&mut Images, &mut FxHashMap<Spot, bool>),
    ) -> Trail {
        let walk = Walk::new(Window::new(thread), &self.space, images)
            .doubting_code(is_last)
            .ending_at_compiled(self.runtimes.know_compiled());
        walk.outwards(registers, |spot, address| {
            let is = || unwind::is_signal_return(thread, address);
            *returns.entry(spot).or_insert_with(is)
        })
    }

    fn changed(&mut self, change: Change, images: &Images) {
        match change {
            Change::Nothing => return,
            Change::More => self.memo.forget_unsettled(),
            Change::Other => (self.memo, self.runtimes) = (Memo::default(), self.runtimes.anew()),
        }
        self.runtimes.mapped(self.space.runtimes(images));
    }
}

impl Stacks {
    /// Nothing is known yet.
    pub(crate) fn new() -> Stacks {
        Stacks {
            images: Images::new(),
            spaces: FxHashMap::default(),
            returns: FxHashMap::default(),
            interner: Interner::default(),
            unreadable: FxHashSet::default(),
            bytes: Vec::new(),
            is_only_once: false,
            #[cfg(test)]
            unwound: 0,
        }
    }

    /// The stack of a stopped thread. New definitions are put into `events` first.
    pub(crate) fn capture(
        &mut self,
        stopped: StoppedThread,
        registers: &Registers,
        paths: &mut Paths,
        events: &mut Vec<Event>,
    ) -> StackId {
        let known = self.spaces.entry(stopped.space).or_default();
        if std::mem::take(&mut known.stale) {
            known.unknown.clear();
            known.refresh(stopped.thread, &mut self.images);
        }
        let unreadable = &mut self.unreadable;
        let mut unreadable = |text: String, events: &mut Vec<Event>| {
            if unreadable.insert(text.clone()) {
                let (id, process) = ("runtime".to_owned(), stopped.process);
                events.push(Event::Note(Note { id, process, text }));
            }
        };
        known.runtimes.begin(stopped.thread, &self.images, &mut |it| unreadable(it, events));
        let (trail, compiled) = match known.memo.recall(stopped.thread, registers, &mut self.bytes)
        {
            Some(found) => found,
            None => {
                #[cfg(test)]
                {
                    self.unwound += 1;
                }
                let (images, returns) = (&mut self.images, &mut self.returns);
                let mut trail = known.walk(stopped.thread, registers, false, (images, returns));
                if let Some(address) = trail.unknown {
                    let is_there = known.looks_for(address, stopped.thread, images);
                    if is_there {
                        known
                            .runtimes
                            .begin(stopped.thread, images, &mut |it| unreadable(it, events));
                    }
                    if is_there || trail.is_from_code {
                        trail = known.walk(stopped.thread, registers, true, (images, returns));
                    }
                }
                let number = self.interner.trail(stopped, &trail, &self.images, paths, events);
                known.memo.keep(registers, &trail, !trail.truncated, number);
                (number, trail.compiled)
            }
        };
        let runs = self.interner.may_run_a_program(trail);
        let mut frames =
            |location| self.interner.location(location, stopped.process, paths, events);
        let scripts = known.runtimes.functions(stopped, registers, (compiled, runs), &mut frames);
        let is_of_runtime = !scripts.is_empty();
        let scripts = match known.space.goroutines(&self.images) {
            Some(goroutines) if scripts.is_empty() => {
                let created = goroutines.creation(stopped.thread, registers.sp);
                let spot = created.and_then(|address| known.space.find(address.wrapping_sub(1)));
                let frame = |spot| self.interner.frame(stopped, spot, &self.images, paths, events);
                let created = |frame| Script { frame, is_last: true };
                spot.map(frame).map(created).into_iter().collect()
            }
            _ => scripts,
        };
        let stack = self.interner.stack(trail, &scripts, events);
        let is_new = matches!(events.last(), Some(Event::Stack { id, .. }) if *id == stack);
        self.is_only_once = is_new && is_of_runtime;
        stack
    }

    /// Whether the stacks of a space depend on registers and memory alone, and it can be said on
    /// which words of it.
    pub(crate) fn depend_on_words(&self, space: u32) -> bool {
        self.spaces.get(&space).is_some_and(|known| known.runtimes.depend_on_words())
    }

    /// What the stack depends on that was captured last of all, for these registers of a thread;
    /// `None` if code that comes later may change it, or it depends on anything else; and for one
    /// of a runtime that was not there before: while a program is loaded most are of that kind,
    /// and to find all their words takes longer than to stop once more.
    pub(crate) fn key(&self, space: u32, thread: libc::pid_t, at: &Registers) -> Option<StackKey> {
        let known = self.spaces.get(&space).filter(|_| !self.is_only_once)?;
        let mut key = known.memo.key(at)?;
        let mut words = Vec::new();
        known.runtimes.words(thread, &mut words)?;
        if let Some(goroutines) = known.space.goroutines(&self.images) {
            goroutines.words(thread, &mut words)?;
        }
        if !words.is_empty() {
            // Those of a runtime differ from call to call more often.
            words.append(&mut key.words);
            Word::merge(&mut words);
            (key.words, key.is_of_runtime) = (words, true);
        }
        (key.words.len() <= words::MOST).then_some(key)
    }

    /// The function, from its beginning to its end, that an address of a thread's memory is in.
    pub(crate) fn function(
        &mut self,
        thread: libc::pid_t,
        space: u32,
        address: u64,
    ) -> Option<Range<u64>> {
        let known = self.spaces.entry(space).or_default();
        if std::mem::take(&mut known.stale) {
            known.refresh(thread, &mut self.images);
        }
        let spot = known.space.find(address)?;
        let slide = address.wrapping_sub(spot.address);
        let function = self.images.image(spot.image).function(spot.address)?;
        Some(function.start.wrapping_add(slide)..function.end.wrapping_add(slide))
    }

    /// Whether any jump from elsewhere leads to one of these addresses in a function. `None`: that
    /// is not known.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn is_jumped_into(&mut self, space: u32, inside: &Range<u64>) -> Option<bool> {
        let spot = self.spaces.get(&space)?.space.find(inside.start)?;
        let end = spot.address + (inside.end - inside.start);
        self.images.image(spot.image).is_jumped_into(&(spot.address..end))
    }

    /// What was loaded into a program says that its notes for a thread are at this address.
    pub(crate) fn noted(&mut self, stopped: StoppedThread, address: u64) {
        self.spaces.entry(stopped.space).or_default().runtimes.noted(stopped.thread, address);
    }

    /// A thread made a process, which has a copy of its memory, or the same: also of such notes.
    pub(crate) fn forked(&mut self, parent: StoppedThread, child: StoppedThread) {
        let known = self.spaces.get(&parent.space);
        if let Some(address) = known.and_then(|known| known.runtimes.notes_of(parent.thread)) {
            self.noted(child, address);
        }
    }

    /// Code was mapped, unmapped, or became executable: the space is looked at anew.
    pub(crate) fn mapped(&mut self, space: u32) {
        if let Some(known) = self.spaces.get_mut(&space) {
            known.stale = true;
        }
    }

    /// The space is no more.
    pub(crate) fn forget(&mut self, space: u32) {
        self.spaces.remove(&space);
    }
}
