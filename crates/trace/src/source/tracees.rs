//! The threads that are traced, and what they share.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::descriptors::Descriptors;
use super::inserted::{Handlers, SpaceAgent};
use super::uring::Rings;
use crate::{Call, PathId};
use rustc_hash::FxHashSet;

/// A thread.
pub(crate) struct Thread {
    /// Its process.
    pub(crate) process: Rc<Process>,
    /// Its descriptors.
    pub(crate) descriptors: Rc<RefCell<Descriptors>>,
    /// Where its relative paths begin.
    pub(crate) path_base: Rc<RefCell<PathBase>>,
    /// Its memory.
    pub(crate) space: Rc<Space>,
    /// The call that it is in.
    pub(crate) pending: Option<Pending>,
    /// How many bytes its last read gave; 0 once it wrote.
    pub(crate) latest_read: u64,
    /// Whether it has not gone on yet.
    pub(crate) is_newborn: bool,
    /// Whether it has chosen itself on which processors it runs.
    pub(crate) chose_processors: bool,
    /// How often it stopped at calls that an agent could have made.
    pub(crate) agent_stops: u32,
    /// Whether it was made to stop, so that code could be changed.
    pub(crate) is_interrupted: bool,
}

/// What all threads of a process have in common.
#[derive(Default)]
pub(crate) struct Process {
    /// Its number.
    pub(crate) id: u32,
    /// The process that made it; 0 for the first one.
    pub(crate) parent: u32,
    /// Its executable.
    pub(crate) program: Cell<PathId>,
    /// Whether it stops at every call, because there is no filter that could choose, or not ours
    /// alone.
    pub(crate) stops_always: Cell<bool>,
    /// What it does about faults.
    pub(crate) handlers: Handlers,
    /// How many bytes the last read of a file by any of its threads gave.
    pub(crate) latest_block: Cell<u64>,
}

/// An address space, as one or more threads have it.
#[derive(Default)]
pub(crate) struct Space {
    /// Its number; never the same twice.
    pub(crate) number: u32,
    /// Where calls of this machine's kind were made from: an instruction makes one kind.
    pub(crate) native: RefCell<FxHashSet<u64>>,
    /// The rings of io_uring that are mapped in it.
    pub(crate) rings: RefCell<Rings>,
    /// The agent that is in it.
    pub(crate) agent: RefCell<SpaceAgent>,
}

/// Where relative and absolute paths begin.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PathBase {
    /// The working directory.
    pub(crate) directory: PathId,
    /// Whether that is the kernel's own path, without links on the way.
    pub(crate) is_real: bool,
    /// The root directory; `NONE` is the usual one.
    pub(crate) root: PathId,
}

/// A call that has begun.
#[derive(Debug)]
pub(crate) struct Pending {
    /// The call, as far as it is known.
    pub(crate) call: Call,
    /// How `call.file` was found.
    pub(crate) origin: PathOrigin,
    /// Whether it becomes an event when it is done.
    pub(crate) is_reported: bool,
    /// Whether its arguments were changed, and are to be put back.
    pub(crate) is_changed: bool,
}

/// How a file's absolute path was found.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct PathOrigin {
    /// The directory's path is the kernel's own.
    pub(crate) base_is_real: bool,
    /// How many names were put behind it.
    pub(crate) names: usize,
    /// Whether a `..` is left.
    pub(crate) has_parents: bool,
}

impl Thread {
    /// A thread that shares everything with this one.
    pub(crate) fn sibling(&self) -> Thread {
        Thread {
            process: Rc::clone(&self.process),
            descriptors: Rc::clone(&self.descriptors),
            path_base: Rc::clone(&self.path_base),
            space: Rc::clone(&self.space),
            pending: None,
            latest_read: 0,
            is_newborn: false,
            chose_processors: self.chose_processors,
            agent_stops: 0,
            is_interrupted: false,
        }
    }

    /// Whether it stops at every call: also where a ring may be answered between calls that are
    /// watched, so that its memory is looked at before it is gone.
    pub(crate) fn stops_always(&self) -> bool {
        self.process.stops_always.get() || self.space.rings.borrow().are_busy()
    }

    /// Its descriptors are its own from now on.
    pub(crate) fn own_descriptors(&mut self) {
        self.descriptors = unshared(&self.descriptors);
    }

    /// Its working directory is its own from now on.
    pub(crate) fn own_path_base(&mut self) {
        self.path_base = unshared(&self.path_base);
    }
}

/// A copy of what was shared.
pub(crate) fn unshared<T: Clone>(shared: &Rc<RefCell<T>>) -> Rc<RefCell<T>> {
    Rc::new(RefCell::new(shared.borrow().clone()))
}
