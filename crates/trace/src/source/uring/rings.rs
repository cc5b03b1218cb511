//! The rings of an address space, by descriptor.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::Ring;
use crate::PathId;
use crate::source::ptrace::Pid;

/// A ring that a process and its children may have both.
pub(crate) type SharedRing = Rc<RefCell<Ring>>;

/// So many are followed in an address space.
const MOST: usize = 256;

/// The rings of an address space.
#[derive(Clone, Default)]
pub(crate) struct Rings {
    by_descriptor: FxHashMap<i32, SharedRing>,
    /// Those that a thread has registered, by the number that it got.
    by_number: FxHashMap<(Pid, u32), SharedRing>,
    had_any: bool,
}

/// The program that a ring belongs to.
#[derive(Clone, Copy)]
pub(crate) struct RingOwner {
    pub(crate) program: PathId,
    pub(crate) process: u32,
}

/// What could not be seen of a program's rings.
#[derive(Clone, Copy, Default)]
pub(crate) struct Unseen {
    pub(crate) submissions: u64,
    pub(crate) completions: u64,
    /// Rings whose memory could not be read.
    pub(crate) is_unreadable: bool,
}

impl Unseen {
    /// Adds what could not be seen of a ring.
    pub(crate) fn add(&mut self, ring: &Ring) {
        self.submissions = self.submissions.saturating_add(ring.unseen_submissions);
        self.completions = self.completions.saturating_add(ring.unseen_completions);
        let has_lost = ring.unseen_submissions + ring.unseen_completions > 0;
        self.is_unreadable |= ring.is_unreadable && has_lost;
    }

    /// In words; `None` if all was seen.
    pub(crate) fn words(&self) -> Option<String> {
        let Unseen { submissions, completions, is_unreadable } = *self;
        if submissions == 0 && completions == 0 {
            return None;
        }
        let counted = |count, one| crate::figures::counted(count, one, &format!("{one}s"));
        let why = if is_unreadable {
            "the memory of its rings could not be read (it is unmapped, or the kernel is older \
             than about Linux 6.10, which does not allow it)"
        } else {
            "where the kernel takes submissions by itself, or several processes share a ring, \
             they can be gone before they are looked at"
        };
        Some(format!(
            "uses io_uring: {} and {} without a submission that was seen are not in the counts: \
             {why}",
            counted(submissions, "submission"),
            counted(completions, "completion"),
        ))
    }
}

impl Rings {
    /// Whether there are any, or were.
    pub(crate) fn had_any(&self) -> bool {
        self.had_any
    }

    /// Whether something may happen in one without a call that is watched.
    pub(crate) fn are_busy(&self) -> bool {
        self.had_any && self.all().any(|ring| ring.borrow().is_busy())
    }

    fn all(&self) -> impl Iterator<Item = &SharedRing> {
        self.by_descriptor.values().chain(self.by_number.values())
    }

    /// Those in which something may have happened.
    pub(crate) fn busy(&self) -> Vec<SharedRing> {
        self.all().filter(|ring| ring.borrow().is_busy()).cloned().collect()
    }

    pub(crate) fn of_descriptor(&self, descriptor: i32) -> Option<SharedRing> {
        self.by_descriptor.get(&descriptor).cloned()
    }

    pub(crate) fn of_number(&self, thread: Pid, number: u32) -> Option<SharedRing> {
        self.by_number.get(&(thread, number)).cloned()
    }

    /// A ring was made. What its descriptor stood for before is given back.
    pub(crate) fn add(&mut self, descriptor: i32, ring: Ring) -> Option<SharedRing> {
        self.had_any = true;
        if self.by_descriptor.len() >= MOST && !self.by_descriptor.contains_key(&descriptor) {
            return None;
        }
        self.by_descriptor.insert(descriptor, Rc::new(RefCell::new(ring)))
    }

    /// A thread has registered a ring. What the number stood for before is given back.
    pub(crate) fn register(
        &mut self,
        thread: Pid,
        number: u32,
        ring: SharedRing,
    ) -> Option<SharedRing> {
        self.had_any = true;
        let is_new = !self.by_number.contains_key(&(thread, number));
        if self.by_number.len() >= MOST && is_new {
            return None;
        }
        self.by_number.insert((thread, number), ring)
    }

    pub(crate) fn unregister(&mut self, thread: Pid, number: u32) -> Option<SharedRing> {
        self.by_number.remove(&(thread, number))
    }

    /// All of them, at the end of the address space.
    pub(crate) fn drain(&mut self) -> Vec<SharedRing> {
        let numbered = self.by_number.drain().map(|(_, ring)| ring);
        self.by_descriptor.drain().map(|(_, ring)| ring).chain(numbered).collect()
    }
}
