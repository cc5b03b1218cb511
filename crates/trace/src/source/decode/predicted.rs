//! Calls whose result is known before they are made, from the table of descriptors alone. They do
//! not stop at their end, which saves half of what watching them costs.
//!
//! A descriptor that is open can be closed and marked. A copy gets the lowest number that is free,
//! as POSIX has it, below the limit. (An error of a file system that writes at `close`, as NFS
//! does, is not seen; the descriptor is closed all the same.) Of `nanosleep` only the beginning
//! matters.

use std::rc::Rc;

use super::decoder::Decoder;
use super::new_descriptor::CLOEXEC;
use crate::source::descriptors::AtExec;
use crate::source::tracees::Thread;
use crate::{Call, Name};

impl Decoder {
    /// The result that a call will have; `None` if that is for the kernel to say.
    pub(super) fn predicted_result(&self, thread: &Thread, call: &Call) -> Option<i64> {
        // A thread that may stop at the end of each call has to be known to be in one.
        let stops_always = thread.stops_always() || thread.space.rings.borrow().had_any();
        if stops_always || !self.knows_descriptors {
            return None;
        }
        if call.name == Name::Nanosleep {
            return Some(0);
        }
        if !matches!(call.name, Name::Close | Name::Fcntl | Name::Dup | Name::Dup2 | Name::Dup3) {
            return None;
        }
        let table = thread.descriptors.borrow();
        let old = table.is_open(call.int(0))?;
        // A thread that shares the table may be about to make a descriptor.
        let is_shared = Rc::strong_count(&thread.descriptors) > 1;
        let lowest = |from: i32| {
            let free = table.lowest_free(from).filter(|_| !is_shared)?;
            (u64::try_from(free).ok()? < self.descriptor_limit?).then_some(i64::from(free))
        };
        match (call.name, call.int(1)) {
            (Name::Close, _) | (Name::Fcntl, libc::F_SETFD) => Some(0),
            (Name::Fcntl, libc::F_GETFD) => match old.at_exec {
                AtExec::Keeps => Some(0),
                AtExec::Closes => Some(i64::from(libc::FD_CLOEXEC)),
                AtExec::Unsure => None,
            },
            (Name::Fcntl, libc::F_DUPFD | libc::F_DUPFD_CLOEXEC) => lowest(call.int(2)),
            (Name::Dup, _) => lowest(0),
            (Name::Dup2, new) => self.exactly(new),
            (Name::Dup3, new) if new != call.int(0) && call.int(2) & !CLOEXEC == 0 => {
                self.exactly(new)
            }
            _ => None,
        }
    }

    /// The result if the call itself chooses the new descriptor.
    fn exactly(&self, new: i32) -> Option<i64> {
        let is_possible = u64::try_from(new).ok()? < self.descriptor_limit?;
        is_possible.then_some(i64::from(new))
    }
}
