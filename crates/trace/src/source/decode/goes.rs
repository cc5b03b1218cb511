//! Calls that change where paths begin, and what is shared.

use crate::source::proc;
use crate::source::ptrace::Pid;
use crate::source::told::Told;
use crate::source::tracees::{Pending, Thread};
use crate::{Name, PathId};

impl Told {
    /// A call that succeeded may have changed the working directory, the root, or who shares them;
    /// or which code is mapped.
    pub(super) fn goes(&mut self, id: Pid, thread: &mut Thread, pending: &mut Pending) {
        let call = &pending.call;
        match call.name {
            Name::Fchdir => {
                let mut table = thread.descriptors.borrow_mut();
                let open = table.get(id, call.int(0), &mut self.paths, &mut self.events);
                drop(table);
                match open {
                    Some(open) if open.is_real => {
                        let mut place = thread.place.borrow_mut();
                        (place.directory, place.is_real) = (open.path, true);
                    }
                    _ => self.asks_where(id, thread),
                }
            }
            Name::Chdir | Name::Setns | Name::PivotRoot => self.asks_where(id, thread),
            Name::Chroot => {
                let root = proc::root(id).filter(|root| root != b"/");
                thread.place.borrow_mut().root = self.path(root);
            }
            Name::Unshare => {
                let has = |flag: i32| call.int(0) & flag != 0;
                if has(libc::CLONE_FILES) {
                    thread.own_descriptors();
                }
                if has(libc::CLONE_FS) || has(libc::CLONE_NEWNS) || has(libc::CLONE_NEWUSER) {
                    thread.own_place();
                }
            }
            Name::Mmap if call.int(2) & libc::PROT_EXEC != 0 => {
                self.stacks.mapped(thread.space.number);
            }
            _ => {}
        }
    }

    /// The working directory is another one: the kernel knows its path without links.
    fn asks_where(&mut self, id: Pid, thread: &Thread) {
        let directory = self.path(proc::directory(id));
        let mut place = thread.place.borrow_mut();
        (place.directory, place.is_real) = (directory, directory != PathId::NONE);
    }
}
