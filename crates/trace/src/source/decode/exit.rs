//! The end of a call: its result, and what it left in memory.

use super::decoder::Decoder;
use crate::source::ptrace::Pid;
use crate::source::tracees::{Pending, Thread};
use crate::{Call, Class, Event, PathId, Shape};

/// Beyond the numbers of errors: by these the kernel marks a call that a signal interrupted and
/// that is made anew. Programs never see them.
const RESTARTS: std::ops::RangeInclusive<i64> = -516..=-512;

/// Whether a call with this result is made anew, if no signal has a handler.
pub(crate) fn is_made_anew(result: i64) -> bool {
    RESTARTS.contains(&result)
}

impl Decoder {
    /// A call is done.
    pub(crate) fn exit(&mut self, id: Pid, thread: &mut Thread, result: i64) {
        let Some(mut pending) = thread.pending.take() else { return };
        pending.call.spent = self.now().saturating_sub(pending.call.start);
        self.ended(id, thread, pending, result);
    }

    /// The same, if it is known how long it took.
    pub(super) fn ended(
        &mut self,
        id: Pid,
        thread: &mut Thread,
        mut pending: Pending,
        result: i64,
    ) {
        let call = &mut pending.call;
        call.result = if is_made_anew(result) { -i64::from(libc::EINTR) } else { result };
        let is_empty = call.path.is_some() && self.paths.bytes(call.path).is_empty();
        if is_empty && call.errno() == Some(libc::ENOENT) {
            // The empty path did not mean the directory.
            call.file = PathId::NONE;
        }
        self.track_close(thread, call);
        self.read_answer(id, call);
        self.record_address(id, thread, call);
        if call.succeeded() {
            self.look_again(id, thread, &mut pending);
            self.track_descriptor(id, thread, &mut pending);
            self.track_path_base(id, thread, &mut pending);
            self.record_transfer(id, thread, &mut pending.call);
            self.record_question(id, thread, &mut pending.call);
        }
        self.after_rings(id, thread, &pending.call);
        self.after_hiding(id, thread, &mut pending);
        if pending.is_reported {
            self.call(pending.call);
        } else if pending.call.slept() {
            let Call { process, thread, start: at, .. } = pending.call;
            self.events.push(Event::Slept { process, thread, at });
        }
    }

    /// A call begins whose result is known already: it is as good as done.
    pub(super) fn done(&mut self, id: Pid, thread: &mut Thread, result: i64) {
        let is_reported = thread.pending.as_ref().is_some_and(|pending| pending.is_reported);
        self.exit(id, thread, result);
        if is_reported && let Some(Event::Call(call)) = self.events.last_mut() {
            call.spent = 0;
        }
    }

    /// Asks /proc for a descriptor that works although no call was seen that made it.
    fn look_again(&mut self, id: Pid, thread: &Thread, pending: &mut Pending) {
        let call = &mut pending.call;
        let Shape::Descriptor(at) = call.name.shape() else { return };
        let descriptor = call.int(at);
        let is_another = call.name.class() == Class::Close || descriptor < 0;
        if call.file != PathId::NONE || is_another {
            return;
        }
        let mut table = thread.descriptors.borrow_mut();
        let open = table.ask(id, descriptor, &mut self.paths, &mut self.events);
        call.file = open.map_or(PathId::NONE, |open| open.path);
    }
}
