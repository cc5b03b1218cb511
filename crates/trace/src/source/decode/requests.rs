//! Requests of io_uring: follows the calls that make, map and enter rings, and reads what lies in
//! them before the kernel takes it, and when it is done.

use std::rc::Rc;

use super::decoder::Decoder;
use crate::source::memory;
use crate::source::ptrace::Pid;
use crate::source::tracees::{Process, Thread};
use crate::source::uring::{
    Answered, Completion, PARAMETERS, Parameters, Ring, RingOwner, Rings, SharedRing, Submission,
    op,
};
use crate::{Call, Class, Event, Name, Operand, Operation, PathId, Request};

/// Instead of a directory's descriptor: the working directory.
const HERE: i32 = libc::AT_FDCWD;

impl Decoder {
    /// A call begins: reads what it is about to submit, and what rings have answered meanwhile.
    pub(super) fn before_rings(&mut self, id: Pid, thread: &Thread, call: &Call) {
        if !thread.space.rings.borrow().had_any() {
            return;
        }
        if call.name == Name::IoUringEnter
            && let Some(ring) = entered(id, thread, call)
        {
            self.read_submissions(id, thread, &ring);
        }
        self.look_at_rings(id, thread);
    }

    /// A call is done: follows rings, and reports what was submitted and answered.
    pub(super) fn after_rings(&mut self, id: Pid, thread: &Thread, call: &Call) {
        // What was recorded lies back: its rings are others by now.
        if self.view.is_record() {
            return;
        }
        if call.name == Name::IoUringSetup && call.succeeded() {
            self.new_ring(id, thread, call);
        }
        if call.name == Name::IoUringEnter {
            self.entered(id, thread, call);
        }
        if !thread.space.rings.borrow().had_any() {
            return;
        }
        match call.name {
            Name::Mmap if call.succeeded() => {
                if let Some(ring) = thread.space.rings.borrow().of_descriptor(call.int(4)) {
                    ring.borrow_mut().mapped(call.arguments[5], call.result.cast_unsigned());
                }
            }
            Name::IoUringRegister if call.succeeded() => self.registered(id, thread, call),
            _ => {}
        }
        self.look_at_rings(id, thread);
    }

    fn new_ring(&mut self, id: Pid, thread: &Thread, call: &Call) {
        let bytes: Option<[u8; PARAMETERS]> = memory::array(id, call.arguments[1]);
        let Some(bytes) = bytes else { return };
        let Some(parameters) = Parameters::parse(&bytes) else { return };
        let ring = Ring::new(parameters);
        let mut rings = thread.space.rings.borrow_mut();
        let former = match u32::try_from(call.result) {
            Ok(number) if Parameters::is_registered_only(&bytes) => {
                rings.register(id, number, SharedRing::new(ring.into()))
            }
            #[expect(clippy::cast_possible_truncation, reason = "descriptors are ints")]
            _ => rings.add(call.result as i32, ring),
        };
        drop(rings);
        if let Some(former) = former {
            self.end_ring(former, owner(&thread.process));
        }
    }

    /// An `io_uring_enter` is done.
    fn entered(&mut self, id: Pid, thread: &Thread, call: &Call) {
        let count = u32::try_from(call.result).unwrap_or(0);
        let Some(ring) = entered(id, thread, call) else {
            if count > 0 {
                let owner = owner(&thread.process);
                self.unseen_of(owner).submissions += u64::from(count);
                thread.descriptors.borrow_mut().doubt_closed();
            }
            return;
        };
        self.submitted(thread, &ring, count, Some(call));
        self.read_completions(id, thread, &ring);
    }

    /// Looks at all rings in which something may have happened.
    fn look_at_rings(&mut self, id: Pid, thread: &Thread) {
        let busy = thread.space.rings.borrow().busy();
        for ring in busy {
            if ring.borrow().parameters.polls() {
                self.read_submissions(id, thread, &ring);
                self.submitted(thread, &ring, 0, None);
            }
            self.read_completions(id, thread, &ring);
        }
    }

    /// Reads what lies in a ring's queue and the kernel has not taken yet.
    fn read_submissions(&mut self, id: Pid, thread: &Thread, ring: &SharedRing) {
        let mut read = |ranges: &[_], bytes: &mut Vec<u8>| memory::ranges(id, ranges, bytes);
        let submissions = ring.borrow_mut().new_submissions(&mut read);
        for submission in submissions {
            let request = self.request(id, thread, ring, &submission);
            let mut ring = ring.borrow_mut();
            if let Some(number) = submission.direct() {
                ring.files.set(number, request.file);
            }
            ring.queued.push_back((submission, request));
        }
    }

    /// The request that a submission makes.
    fn request(
        &mut self,
        id: Pid,
        thread: &Thread,
        ring: &SharedRing,
        submission: &Submission,
    ) -> Request {
        let Submission { operation, fd, offset, address, length, .. } = *submission;
        if operation == Operation::FILES_UPDATE {
            self.register_files(id, thread, ring, low(offset), (address, length));
        }
        let mut request = Request {
            operation,
            process: thread.process.id,
            thread: id.cast_unsigned(),
            length,
            ..Request::default()
        };
        let mut at = |directory, address| self.path_argument(id, thread, directory, address);
        match submission.operand() {
            Operand::Nothing => {}
            Operand::Descriptor => {
                request.offset = offset;
                request.file = self.file(id, thread, ring, fd, submission.is_fixed());
            }
            Operand::Descriptors => {
                let from = submission.file_index.cast_signed();
                request.file = self.file(id, thread, ring, from, submission.first_is_fixed());
                request.second = self.file(id, thread, ring, fd, submission.is_fixed());
            }
            Operand::At => (request.path, request.file, _) = at(fd, address),
            Operand::Ats => {
                (request.path, request.file, _) = at(fd, address);
                request.second = at(length.cast_signed(), offset).1;
            }
            Operand::SecondAt => (request.path, request.file, _) = at(fd, offset),
            Operand::ThirdPath => (request.path, request.file, _) = at(HERE, submission.third),
        }
        request
    }

    /// What a descriptor, or a number of a registered file, stands for.
    fn file(
        &mut self,
        id: Pid,
        thread: &Thread,
        ring: &SharedRing,
        descriptor: i32,
        is_fixed: bool,
    ) -> PathId {
        if is_fixed {
            ring.borrow().files.get(descriptor.cast_unsigned())
        } else {
            self.descriptor_path(id, thread, descriptor)
        }
    }

    /// The kernel took so many submissions; all, if it does so by itself. `enter`: by this call.
    fn submitted(&mut self, thread: &Thread, ring: &SharedRing, count: u32, enter: Option<&Call>) {
        let polls = ring.borrow().parameters.polls();
        let known = u32::try_from(ring.borrow().queued.len()).unwrap_or(u32::MAX);
        let count = if polls { known } else { count };
        let start = enter.map_or_else(|| self.now(), |call| call.start);
        let taken = ring.borrow_mut().take(count);
        for (submission, mut request) in taken {
            request.start = start;
            if let Some(call) = enter {
                request.stack = call.stack;
            }
            request.batch = if polls { 0 } else { count };
            if submission.changes_descriptors() {
                // From now on a number may be another's at any time.
                thread.descriptors.borrow_mut().doubt(-1);
            }
            let beyond = ring.borrow_mut().in_flight.add(submission, request);
            self.events.extend(beyond.map(Event::Request));
        }
    }

    fn read_completions(&mut self, id: Pid, thread: &Thread, ring: &SharedRing) {
        let mut ring = ring.borrow_mut();
        let before = ring.unseen_completions;
        let mut read = |ranges: &[_], bytes: &mut Vec<u8>| memory::ranges(id, ranges, bytes);
        for completion in ring.new_completions(&mut read) {
            match ring.in_flight.complete(&completion) {
                Answered::Request(submission, done) => {
                    follow_descriptors(thread, &submission, &completion);
                    if let Some(request) = done {
                        if submission.is_direct()
                            && submission.direct().is_none()
                            && let Ok(number) = u32::try_from(completion.result)
                        {
                            ring.files.set(number, request.file);
                        }
                        self.events.push(Event::Request(request));
                    }
                }
                Answered::Beyond => {}
                Answered::Nothing => ring.unseen_completions += 1,
            }
        }
        if ring.unseen_completions > before {
            thread.descriptors.borrow_mut().doubt_closed();
        }
    }

    /// An `io_uring_register` succeeded.
    fn registered(&mut self, id: Pid, thread: &Thread, call: &Call) {
        let [_, _, arguments, count, ..] = call.arguments;
        let count = low(count);
        let code = call.int(1).cast_unsigned();
        if matches!(code, op::REGISTER_RING_FDS | op::UNREGISTER_RING_FDS) {
            return self.register_rings(id, thread, code, arguments, count);
        }
        let rings = thread.space.rings.borrow();
        let ring = if code & op::USE_REGISTERED_RING != 0 {
            rings.of_number(id, low(call.arguments[0]))
        } else {
            rings.of_descriptor(call.int(0))
        };
        drop(rings);
        let Some(ring) = ring else { return };
        match code & !op::USE_REGISTERED_RING {
            op::REGISTER_FILES => {
                ring.borrow_mut().files.clear();
                self.register_files(id, thread, &ring, 0, (arguments, count));
            }
            op::UNREGISTER_FILES => ring.borrow_mut().files.clear(),
            op::REGISTER_FILES_UPDATE => {
                if let Some([offset, list]) = words(id, arguments) {
                    self.register_files(id, thread, &ring, low(offset), (list, count));
                }
            }
            op::REGISTER_FILES2 => {
                ring.borrow_mut().files.clear();
                if let Some([count, _, list]) = words(id, arguments)
                    && list != 0
                {
                    self.register_files(id, thread, &ring, 0, (list, low(count)));
                }
            }
            op::REGISTER_FILES_UPDATE2 => {
                if let Some([offset, list, _, count]) = words(id, arguments) {
                    self.register_files(id, thread, &ring, low(offset), (list, low(count)));
                }
            }
            op::REGISTER_RESIZE_RINGS => {
                let bytes: Option<[u8; PARAMETERS]> = memory::array(id, arguments);
                if let Some(parameters) = bytes.as_ref().and_then(Parameters::parse) {
                    ring.borrow_mut().resize(parameters);
                }
            }
            _ => {}
        }
    }

    /// Descriptors become registered files, from a number on. `list`: its address and length.
    fn register_files(
        &mut self,
        id: Pid,
        thread: &Thread,
        ring: &SharedRing,
        from: u32,
        list: (u64, u32),
    ) {
        /// `IORING_REGISTER_FILES_SKIP`: this number stays as it is.
        const SKIP: i32 = -2;
        /// So many at most are read at once.
        const MOST: usize = 1 << 16;
        let mut bytes = Vec::new();
        let length = (list.1 as usize).min(MOST) * 4;
        memory::ranges(id, &[(list.0, length)], &mut bytes);
        for (number, word) in (from..).zip(bytes.as_chunks().0) {
            let descriptor = i32::from_ne_bytes(*word);
            if descriptor != SKIP {
                let file = self.descriptor_path(id, thread, descriptor);
                ring.borrow_mut().files.set(number, file);
            }
        }
    }

    /// A thread gives rings numbers of its own, or takes these back.
    fn register_rings(&mut self, id: Pid, thread: &Thread, code: u32, list: u64, count: u32) {
        /// So many rings at most has a thread (`IO_RINGFD_REG_MAX`).
        const MOST: u32 = 16;
        for at in 0..count.min(MOST) {
            let entry = words(id, list.wrapping_add(u64::from(at) * 16));
            let Some([number, descriptor]) = entry else { return };
            let number = low(number);
            let mut rings = thread.space.rings.borrow_mut();
            let former = if code == op::UNREGISTER_RING_FDS {
                rings.unregister(id, number)
            } else {
                let ring = rings.of_descriptor(low(descriptor).cast_signed());
                ring.and_then(|ring| rings.register(id, number, ring))
            };
            drop(rings);
            if let Some(former) = former {
                self.end_ring(former, owner(&thread.process));
            }
        }
    }

    /// An address space is no more: reports what its rings never answered.
    pub(crate) fn end_rings(&mut self, process: &Process, mut rings: Rings) {
        for ring in rings.drain() {
            self.end_ring(ring, owner(process));
        }
    }

    fn end_ring(&mut self, ring: SharedRing, owner: RingOwner) {
        // Another process may have it, too.
        let Some(ring) = Rc::into_inner(ring) else { return };
        let mut ring = ring.into_inner();
        let unseen = self.unseen_of(owner);
        unseen.add(&ring);
        self.events.extend(ring.in_flight.drain().into_iter().map(Event::Request));
    }
}

/// The ring that an `io_uring_enter` enters, if it is known.
fn entered(id: Pid, thread: &Thread, call: &Call) -> Option<SharedRing> {
    let rings = thread.space.rings.borrow();
    if call.arguments[3] & op::ENTER_REGISTERED_RING != 0 {
        rings.of_number(id, low(call.arguments[0]))
    } else {
        rings.of_descriptor(call.int(0))
    }
}

fn owner(process: &Process) -> RingOwner {
    RingOwner { program: process.program.get(), process: process.id }
}

/// A request is done that may have made or closed a descriptor.
fn follow_descriptors(thread: &Thread, submission: &Submission, completion: &Completion) {
    if completion.result < 0 || !submission.changes_descriptors() {
        return;
    }
    let mut table = thread.descriptors.borrow_mut();
    match submission.operation {
        operation if operation.class() == Class::Close => table.doubt(submission.fd),
        Operation::PIPE | Operation::RECVMSG => table.doubt_closed(),
        _ => table.doubt(completion.result),
    }
}

/// Words of 64 bits in a process's memory.
fn words<const N: usize>(id: Pid, address: u64) -> Option<[u64; N]> {
    let mut bytes = Vec::new();
    memory::ranges(id, &[(address, 8 * N)], &mut bytes);
    let words = bytes.as_chunks().0.iter().map(|word| u64::from_ne_bytes(*word));
    words.collect::<Vec<_>>().try_into().ok()
}

/// The lower half: where the kernel has a number of 32 bits.
#[expect(clippy::cast_possible_truncation, reason = "the upper half is another field")]
fn low(word: u64) -> u32 {
    word as u32
}
