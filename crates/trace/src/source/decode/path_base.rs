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
            Name::Chdir | Name::Fchdir => match self.new_directory(id, thread, pending) {
                Some((directory, is_real)) => {
                    let mut base = thread.path_base.borrow_mut();
                    (base.directory, base.is_real) = (directory, is_real);
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

    /// Where a thread went, and whether links have been followed on the way. `None`: that has to be
    /// asked. Of a process that runs on /proc knows only where it is by now.
    fn new_directory(
        &mut self,
        id: Pid,
        thread: &Thread,
        pending: &Pending,
    ) -> Option<(PathId, bool)> {
        if let Some(directory) = self.recorded_directory(thread) {
            return Some((self.path(Some(directory)), true));
        }
        let call = &pending.call;
        if call.name == Name::Fchdir {
            let mut table = thread.descriptors.borrow_mut();
            let open = table.get(id, call.int(0), &mut self.paths, &mut self.events)?;
            return (open.is_real || self.view.is_record()).then_some((open.path, open.is_real));
        }
        if !self.view.is_record() || !call.file.is_some() {
            return None;
        }
        let has_own_root = thread.path_base.borrow().root != PathId::NONE;
        let real = real_path(self.paths.bytes(call.file)).filter(|_| !has_own_root);
        let is_real = real.is_some();
        Some((if is_real { self.path(real) } else { call.file }, is_real))
    }

    /// Where a process went as the agent has seen it, from its root on.
    fn recorded_directory(&self, thread: &Thread) -> Option<Vec<u8>> {
        let root = self.paths.bytes(thread.path_base.borrow().root);
        let directory = self.view.directory()?;
        let is_root = directory == b"/" && !root.is_empty();
        Some(if is_root { root.to_vec() } else { [root, directory].concat() })
    }

    /// Asks the kernel for the path of the new working directory, which has no links in it.
    fn ask_directory(&mut self, id: Pid, thread: &Thread) {
        let directory = self.path(proc::directory(id));
        let mut base = thread.path_base.borrow_mut();
        (base.directory, base.is_real) = (directory, directory != PathId::NONE);
    }
}
