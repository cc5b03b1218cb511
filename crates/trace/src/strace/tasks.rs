//! The processes of a log: what their descriptors stand for, their working directories, which made
//! whom. With `-yy` the log says it itself, and says it better; without, this is all there is.

use crate::{PathId, Text};
use rustc_hash::FxHashMap;

/// A process.
#[derive(Clone, Debug, Default)]
pub(super) struct Task {
    pub(super) parent: u32,
    pub(super) program: PathId,
    pub(super) arguments: Vec<Text>,
    /// The working directory; `None` until the log names it.
    pub(super) directory: Option<Box<[u8]>>,
    pub(super) descriptors: FxHashMap<i32, Open>,
}

/// What a descriptor stands for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Open {
    /// As the program named it, absolute.
    pub(super) path: Box<[u8]>,
    /// As the log names it, where links are followed: if it says the same again, it is still this.
    pub(super) annotation: Option<Box<[u8]>>,
    /// Whether it goes when another program is run.
    pub(super) closes: bool,
}

/// The processes, and which thread is of which.
#[derive(Debug, Default)]
pub(super) struct Tasks {
    processes: FxHashMap<u32, Task>,
    threads: FxHashMap<u32, u32>,
    /// Makers under way: what is new is theirs.
    makers: Vec<Maker>,
    /// The number of the process whose lines have none.
    nameless: Option<u32>,
}

/// A `clone` that has begun and not come back.
#[derive(Clone, Copy, Debug)]
struct Maker {
    thread: u32,
    makes_thread: bool,
    shares_descriptors: bool,
    /// What appeared in the meantime, and is taken for what it made.
    made: Option<u32>,
}

/// The number of a process whose number the log does not say.
const NAMELESS: u32 = 1;

impl Tasks {
    /// The thread that a line is about; `written` is the number in front of it. Without one it is
    /// the only process there is, and strace does not say its number before there is a second.
    pub(super) fn thread(&mut self, written: Option<u32>) -> u32 {
        let Some(written) = written else {
            let mut processes = self.processes.keys();
            return match (processes.next(), processes.next()) {
                (Some(only), None) => *only,
                _ => self.nameless.unwrap_or(NAMELESS),
            };
        };
        let is_first = self.nameless.is_none() && self.processes.contains_key(&NAMELESS);
        if is_first && !self.threads.contains_key(&written) && self.makers.is_empty() {
            self.nameless = Some(written);
        }
        if self.nameless == Some(written) { NAMELESS } else { written }
    }

    /// The process of a thread, and whether it was not known until now.
    pub(super) fn process(&mut self, thread: u32) -> (u32, bool) {
        if let Some(process) = self.threads.get(&thread) {
            return (*process, false);
        }
        let waiting = self.makers.iter_mut().find(|maker| maker.made.is_none());
        match waiting {
            Some(maker) => {
                maker.made = Some(thread);
                let maker = *maker;
                self.begin(thread, maker)
            }
            None => {
                self.threads.insert(thread, thread);
                self.processes.insert(thread, Task::default());
                (thread, true)
            }
        }
    }

    fn begin(&mut self, thread: u32, maker: Maker) -> (u32, bool) {
        let parent = self.threads.get(&maker.thread).copied().unwrap_or(maker.thread);
        let process = if maker.makes_thread { parent } else { thread };
        self.threads.insert(thread, process);
        if !maker.makes_thread {
            let mut task = self.processes.get(&parent).cloned().unwrap_or_default();
            task.parent = parent;
            if maker.shares_descriptors {
                // Two processes with one table: what one opens, the other has. Rare, and not kept.
                task.descriptors.clear();
            }
            self.processes.insert(process, task);
        }
        (process, !maker.makes_thread)
    }

    /// A call that makes a process or a thread has begun.
    pub(super) fn making(&mut self, thread: u32, flags: u64) {
        const CLONE_FILES: u64 = 0x400;
        const CLONE_THREAD: u64 = 0x10000;
        self.makers.retain(|maker| maker.thread != thread);
        self.makers.push(Maker {
            thread,
            makes_thread: flags & CLONE_THREAD != 0,
            shares_descriptors: flags & CLONE_FILES != 0,
            made: None,
        });
    }

    /// That call has come back with the number of what it made. The process, if it is one that was
    /// not known until now.
    pub(super) fn made(&mut self, thread: u32, flags: u64, child: Option<u32>) -> Option<u32> {
        if !self.makers.iter().any(|maker| maker.thread == thread) {
            self.making(thread, flags);
        }
        let place = self.makers.iter().position(|maker| maker.thread == thread)?;
        let maker = self.makers.remove(place);
        let child = child?;
        if self.threads.contains_key(&child) {
            return None;
        }
        let (process, is_new) = self.begin(child, maker);
        is_new.then_some(process)
    }

    pub(super) fn task(&mut self, process: u32) -> &mut Task {
        self.processes.entry(process).or_default()
    }

    /// A thread has ended. Whether its process has.
    pub(super) fn ended(&mut self, thread: u32) -> bool {
        self.makers.retain(|maker| maker.thread != thread);
        if self.threads.remove(&thread) != Some(thread) {
            return false;
        }
        self.threads.retain(|_, process| *process != thread);
        self.processes.remove(&thread);
        true
    }
}
