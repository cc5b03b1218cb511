//! Calls that change where paths begin, and what threads share.

use super::decoder::Decoder;
use super::new_descriptor::real_path;
use crate::source::proc;
use crate::source::ptrace::Pid;
use crate::source::tracees::{Pending, Thread};
use crate::{Name, PathId};

impl Decoder {
    /// Follows a call that succeeded and changed the working directory, the root, which threads
    /// share them, or which code is mapped.
    pub(super) fn track_path_base(&mut self, id: Pid, thread: &mut Thread, pending: &mut Pending) {
        let call = &pending.call;
        match call.name {
            Name::Chdir | Name::Fchdir if self.view.directory().is_some() => {
                let directory = self.recorded_directory(thread);
                let directory = self.path(directory);
                let mut base = thread.path_base.borrow_mut();
                (base.directory, base.is_real) = (directory, true);
            }
            Name::Fchdir => {
                let mut table = thread.descriptors.borrow_mut();
                let open = table.get(id, call.int(0), &mut self.paths, &mut self.events);
                drop(table);
                match open {
                    Some(open) if open.is_real => {
                        let mut base = thread.path_base.borrow_mut();
                        (base.directory, base.is_real) = (open.path, true);
                    }
                    _ => self.ask_directory(id, thread),
                }
            }
            Name::Chdir => match self.new_directory(thread, pending) {
                Some(directory) => {
                    let directory = self.path(Some(directory));
                    let mut base = thread.path_base.borrow_mut();
                    (base.directory, base.is_real) = (directory, true);
                }
                None => self.ask_directory(id, thread),
            },
            Name::Setns | Name::PivotRoot => self.ask_directory(id, thread),
            Name::Chroot => {
                let root = proc::root(id).filter(|root| root != b"/");
                thread.path_base.borrow_mut().root = self.path(root);
            }
            Name::Unshare => {
                let has = |flag: i32| call.int(0) & flag != 0;
                if has(libc::CLONE_FILES) {
                    thread.own_descriptors();
                }
                if has(libc::CLONE_FS) || has(libc::CLONE_NEWNS) || has(libc::CLONE_NEWUSER) {
                    thread.own_path_base();
                }
            }
            Name::Mmap if call.int(2) & libc::PROT_EXEC != 0 => {
                self.stacks.mapped(thread.space.number);
            }
            _ => {}
        }
    }

    /// Where a process went as the agent has seen it, from its root on.
    fn recorded_directory(&self, thread: &Thread) -> Option<Vec<u8>> {
        let root = self.paths.bytes(thread.path_base.borrow().root);
        let directory = self.view.directory()?;
        let is_root = directory == b"/" && !root.is_empty();
        Some(if is_root { root.to_vec() } else { [root, directory].concat() })
    }

    /// Where a process went that runs on: /proc knows only where it is now, if it is still there.
    fn new_directory(&self, thread: &Thread, pending: &Pending) -> Option<Vec<u8>> {
        let has_own_root = thread.path_base.borrow().root != PathId::NONE;
        let path = self.paths.bytes(pending.call.file);
        let is_known = self.view.is_record() && pending.call.file.is_some() && !has_own_root;
        if is_known { real_path(path) } else { None }
    }

    /// Asks the kernel for the path of the new working directory, which has no links in it.
    fn ask_directory(&mut self, id: Pid, thread: &Thread) {
        let directory = self.path(proc::directory(id));
        let mut base = thread.path_base.borrow_mut();
        (base.directory, base.is_real) = (directory, directory != PathId::NONE);
    }
}
