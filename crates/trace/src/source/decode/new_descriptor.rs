//! Calls that make, copy, mark and close descriptors.

use std::ffi::OsStr;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;
use std::rc::Rc;

use super::decoder::Decoder;
use crate::source::descriptors::{AtExec, Open};
use crate::source::proc;
use crate::source::ptrace::Pid;
use crate::source::record::View;
use crate::source::tracees::{PathOrigin, Pending, Thread};
use crate::source::uring::Parameters;
use crate::{Call, Name, PathId};

/// The flag behind `O_CLOEXEC`, `SOCK_CLOEXEC`, `EFD_CLOEXEC` and their likes: all the same bit.
pub(super) const CLOEXEC: i32 = libc::O_CLOEXEC;

/// What `fanotify_init`, `memfd_create`, `fsopen` and their likes call the same.
const CLOEXEC_1: i32 = 1;

/// `PERF_FLAG_FD_CLOEXEC`
const PERF_CLOEXEC: i32 = 8;

/// Where `struct msghdr` has the length of what came beside the bytes: descriptors, maybe.
const CONTROL_LENGTH: u64 = 40;

/// A descriptor that a call has made.
enum NewDescriptor {
    /// For the file that its path names. With its flags.
    Named(i32),
    /// For something that /proc names.
    Other(AtExec),
    /// Maybe: the result may be another number, too.
    Doubtful,
}

impl Decoder {
    /// A call that closes: it does so even if it fails, unless there was nothing to close.
    pub(super) fn track_close(&mut self, thread: &Thread, call: &Call) {
        if call.name == Name::Close && call.errno() != Some(libc::EBADF) {
            thread.descriptors.borrow_mut().close(call.int(0));
        }
    }

    /// A call that succeeded may have made or changed a descriptor.
    pub(super) fn track_descriptor(&mut self, id: Pid, thread: &mut Thread, pending: &mut Pending) {
        let call = &mut pending.call;
        if let Some(made) = made(&self.view, id, call) {
            let descriptor = descriptor(call.result);
            let Decoder { paths, events, .. } = self;
            let mut table = thread.descriptors.borrow_mut();
            // Another process that shares the table may have caused a definition before.
            if Rc::strong_count(&thread.descriptors) == 1
                && !matches!(made, NewDescriptor::Doubtful)
            {
                table.expect(descriptor);
            }
            match made {
                NewDescriptor::Named(flags) => {
                    drop(table);
                    self.opened(id, thread, pending, descriptor, flags);
                }
                NewDescriptor::Other(at_exec) => {
                    match recorded_name(&self.view, call, 0) {
                        Some(name) => table.open(descriptor, named(paths.id(&name, events))),
                        None => drop(table.ask(id, descriptor, paths, events)),
                    }
                    table.set_at_exec(descriptor, at_exec);
                    let open = table.get(id, descriptor, paths, events);
                    call.file = open.map_or(PathId::NONE, |open| open.path);
                }
                NewDescriptor::Doubtful => table.doubt(descriptor),
            }
            return;
        }
        match call.name {
            Name::Dup => self.copied(id, thread, call, AtExec::Keeps),
            Name::Dup2 if call.int(0) != call.int(1) => {
                self.copied(id, thread, call, AtExec::Keeps);
            }
            Name::Dup3 => {
                let at_exec = AtExec::closes(call.int(2) & CLOEXEC != 0);
                self.copied(id, thread, call, at_exec);
            }
            Name::Fcntl => self.fcntl(id, thread, call),
            Name::Ioctl => marks_by_ioctl(thread, call),
            Name::Pipe => self.pair(id, thread, call, 0, 0),
            Name::Pipe2 => self.pair(id, thread, call, 0, call.int(1)),
            Name::Socketpair => self.pair(id, thread, call, 3, call.int(1)),
            Name::CloseRange => close_range(thread, call),
            Name::Recvmsg => {
                let length = call.arguments[1].wrapping_add(CONTROL_LENGTH);
                if self.view.array(id, length).is_some_and(|bytes: [u8; 8]| bytes != [0; 8]) {
                    thread.descriptors.borrow_mut().doubt_closed();
                }
            }
            Name::Recvmmsg => thread.descriptors.borrow_mut().doubt_closed(),
            _ => {}
        }
    }

    /// A file was opened by its path.
    fn opened(
        &mut self,
        id: Pid,
        thread: &Thread,
        pending: &mut Pending,
        descriptor: i32,
        flags: i32,
    ) {
        let PathOrigin { base_is_real, names, has_parents } = pending.origin;
        let follows = flags & libc::O_NOFOLLOW == 0;
        let mut is_real = base_is_real && (names == 0 || (names == 1 && !follows));
        let is_unnamed = flags & libc::O_TMPFILE == libc::O_TMPFILE;
        if has_parents || is_unnamed || pending.call.file == PathId::NONE {
            // A process that runs on may have closed it: what its path leads to now is the same.
            let has_path = !is_unnamed && pending.call.file.is_some();
            let path = match self.view.is_record() && has_path {
                true => real_path(self.paths.bytes(pending.call.file)),
                false => proc::descriptor(id, descriptor),
            };
            is_real = path.is_some();
            if is_real {
                pending.call.file = self.path(path);
            }
        }
        let at_exec = AtExec::closes(flags & CLOEXEC != 0);
        let open = Open { path: pending.call.file, is_real, at_exec, ..Open::default() };
        thread.descriptors.borrow_mut().open(descriptor, open);
    }

    /// A descriptor was copied: the first argument is the old one, the result the new one.
    fn copied(&mut self, id: Pid, thread: &Thread, call: &mut Call, at_exec: AtExec) {
        let Decoder { paths, events, .. } = self;
        let (old, new) = (call.int(0), descriptor(call.result));
        let mut table = thread.descriptors.borrow_mut();
        match table.get(id, old, paths, events) {
            Some(open) => table.open(new, Open { at_exec, ..open }),
            None => {
                table.ask(id, new, paths, events);
                table.set_at_exec(new, at_exec);
            }
        }
    }

    fn fcntl(&mut self, id: Pid, thread: &Thread, call: &mut Call) {
        match call.int(1) {
            libc::F_DUPFD => self.copied(id, thread, call, AtExec::Keeps),
            libc::F_DUPFD_CLOEXEC => self.copied(id, thread, call, AtExec::Closes),
            libc::F_SETFD => {
                let at_exec = AtExec::closes(call.int(2) & libc::FD_CLOEXEC != 0);
                thread.descriptors.borrow_mut().set_at_exec(call.int(0), at_exec);
            }
            _ => {}
        }
    }

    /// Two descriptors were written to where an argument points to.
    fn pair(&mut self, id: Pid, thread: &Thread, call: &mut Call, argument: usize, flags: i32) {
        let Decoder { paths, events, .. } = self;
        let Some(bytes) = self.view.array::<8>(id, call.arguments[argument]) else { return };
        let mut table = thread.descriptors.borrow_mut();
        let (ends, _) = bytes.as_chunks::<4>();
        let mut stand_for = [PathId::NONE; 2];
        for (at, (end, path)) in ends.iter().zip(&mut stand_for).enumerate() {
            let descriptor = i32::from_ne_bytes(*end);
            let open = match recorded_name(&self.view, call, at) {
                Some(name) => {
                    let open = named(paths.id(&name, events));
                    table.open(descriptor, open);
                    Some(open)
                }
                None => table.ask(id, descriptor, paths, events),
            };
            table.set_at_exec(descriptor, AtExec::closes(flags & CLOEXEC != 0));
            *path = open.map_or(PathId::NONE, |open| open.path);
        }
        call.file = stand_for[0];
        call.second = if stand_for[1] == stand_for[0] { PathId::NONE } else { stand_for[1] };
    }
}

/// What /proc calls a descriptor that a call has made and that may be closed by now.
fn recorded_name(view: &View, call: &Call, at: usize) -> Option<Vec<u8>> {
    let inode = view.inode(at)?;
    Some(match call.name {
        Name::Pipe | Name::Pipe2 => format!("pipe:[{inode}]").into_bytes(),
        Name::Socket | Name::Socketpair | Name::Accept | Name::Accept4 => {
            format!("socket:[{inode}]").into_bytes()
        }
        Name::Eventfd | Name::Eventfd2 => b"anon_inode:[eventfd]".into(),
        Name::EpollCreate | Name::EpollCreate1 => b"anon_inode:[eventpoll]".into(),
        Name::TimerfdCreate => b"anon_inode:[timerfd]".into(),
        Name::Signalfd | Name::Signalfd4 => b"anon_inode:[signalfd]".into(),
        Name::InotifyInit | Name::InotifyInit1 => b"anon_inode:inotify".into(),
        Name::PidfdOpen => b"anon_inode:[pidfd]".into(),
        _ => return None,
    })
}

fn named(path: PathId) -> Open {
    Open { path, is_real: true, ..Open::default() }
}

/// A path without links on the way.
pub(super) fn real_path(path: &[u8]) -> Option<Vec<u8>> {
    let path = Path::new(OsStr::from_bytes(path)).canonicalize().ok()?;
    Some(path.into_os_string().into_vec())
}

/// A result as the descriptor that it is.
#[expect(clippy::cast_possible_truncation, reason = "descriptors are ints")]
fn descriptor(result: i64) -> i32 {
    result as i32
}

/// Whether a call makes a descriptor and returns it.
fn made(view: &View, id: Pid, call: &Call) -> Option<NewDescriptor> {
    let flag = |at: usize, bit: i32| NewDescriptor::Other(AtExec::closes(call.int(at) & bit != 0));
    Some(match call.name {
        Name::Open => NewDescriptor::Named(call.int(1)),
        Name::Openat | Name::OpenTree | Name::OpenTreeAttr => NewDescriptor::Named(call.int(2)),
        Name::Creat => NewDescriptor::Named(0),
        Name::Openat2 => {
            let flags: Option<[u8; 8]> = view.array(id, call.arguments[2]);
            #[expect(clippy::cast_possible_truncation, reason = "all flags so far are below")]
            NewDescriptor::Named(flags.map_or(0, u64::from_ne_bytes) as i32)
        }
        Name::OpenByHandleAt => flag(2, CLOEXEC),
        Name::Socket => flag(1, CLOEXEC),
        Name::Signalfd | Name::Signalfd4 if call.int(0) >= 0 => return None,
        Name::Accept4 | Name::Signalfd4 => flag(3, CLOEXEC),
        Name::EpollCreate1 | Name::InotifyInit1 | Name::Userfaultfd | Name::MemfdSecret => {
            flag(0, CLOEXEC)
        }
        Name::Eventfd2 | Name::TimerfdCreate => flag(1, CLOEXEC),
        Name::MemfdCreate | Name::Fsopen | Name::Fsmount => flag(1, CLOEXEC_1),
        Name::Fspick => flag(2, CLOEXEC_1),
        Name::FanotifyInit => flag(0, CLOEXEC_1),
        Name::PerfEventOpen => flag(4, PERF_CLOEXEC),
        Name::Accept | Name::EpollCreate | Name::Eventfd | Name::Signalfd | Name::InotifyInit => {
            NewDescriptor::Other(AtExec::Keeps)
        }
        // A ring without a descriptor has a number of its own kind.
        Name::IoUringSetup if is_registered_ring(view, id, call) => return None,
        Name::PidfdOpen | Name::PidfdGetfd | Name::IoUringSetup | Name::MqOpen => {
            NewDescriptor::Other(AtExec::Closes)
        }
        Name::Bpf | Name::LandlockCreateRuleset => NewDescriptor::Doubtful,
        _ => return None,
    })
}

fn is_registered_ring(view: &View, id: Pid, call: &Call) -> bool {
    let parameters = view.array(id, call.arguments[1]);
    parameters.is_some_and(|parameters| Parameters::is_registered_only(&parameters))
}

fn marks_by_ioctl(thread: &Thread, call: &Call) {
    let at_exec = match call.int(1).cast_unsigned() as libc::Ioctl {
        libc::FIOCLEX => AtExec::Closes,
        libc::FIONCLEX => AtExec::Keeps,
        _ => return,
    };
    thread.descriptors.borrow_mut().set_at_exec(call.int(0), at_exec);
}

fn close_range(thread: &mut Thread, call: &Call) {
    let flags = call.int(2).cast_unsigned();
    if flags & libc::CLOSE_RANGE_UNSHARE != 0 {
        thread.own_descriptors();
    }
    let marks_only = flags & libc::CLOSE_RANGE_CLOEXEC != 0;
    let (first, last) = (call.int(0).cast_unsigned(), call.int(1).cast_unsigned());
    thread.descriptors.borrow_mut().close_range(first, last, marks_only);
}
