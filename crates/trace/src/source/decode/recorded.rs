//! Calls that the agent has made and recorded: all at once, beginning and end.

use super::decoder::Decoder;
use super::entry::name;
use crate::source::filter::{AUDIT_HERE, AUDIT_I386};
use crate::source::ptrace::Pid;
use crate::source::record::{Record, Stamped};
use crate::source::tracees::{PathOrigin, Pending, Thread};
use crate::{Call, StackId};

/// In the number of a call: it is a program's of 32 bits.
const IS_I386: u64 = 1 << 32;

impl Decoder {
    /// A call that was recorded whole.
    pub(crate) fn recorded(
        &mut self,
        id: Pid,
        thread: &mut Thread,
        record: &mut Record,
        stamps: &impl Stamped,
    ) {
        let mut pending = self.pending(id, thread, record, stamps);
        let (_, end) = record.times();
        pending.call.spent = stamps.nanoseconds(end).saturating_sub(pending.call.start);
        let result = record.result();
        self.view.show(record);
        self.paths_of(id, thread, &mut pending);
        self.ended(id, thread, pending, result);
        self.view.hide(record);
    }

    /// A call that was begun when its thread ended.
    pub(crate) fn begun(
        &mut self,
        id: Pid,
        thread: &mut Thread,
        record: &mut Record,
        stamps: &impl Stamped,
    ) {
        let mut pending = self.pending(id, thread, record, stamps);
        self.view.show(record);
        self.paths_of(id, thread, &mut pending);
        self.view.hide(record);
        let (_, end) = record.times();
        if end != 0 {
            pending.call.spent = stamps.nanoseconds(end).saturating_sub(pending.call.start);
        }
        thread.pending = Some(pending);
    }

    /// A call that a signal interrupted, or came right behind. The thread has stopped: memory is as
    /// the call left it.
    pub(crate) fn interrupted(
        &mut self,
        id: Pid,
        thread: &mut Thread,
        record: &Record,
        result: i64,
        stamps: &impl Stamped,
    ) {
        let mut pending = self.pending(id, thread, record, stamps);
        pending.call.spent = self.now().saturating_sub(pending.call.start);
        self.paths_of(id, thread, &mut pending);
        self.ended(id, thread, pending, result);
    }

    fn pending(&self, id: Pid, thread: &Thread, record: &Record, stamps: &impl Stamped) -> Pending {
        let number = record.number();
        let machine = if number & IS_I386 != 0 { AUDIT_I386 } else { AUDIT_HERE };
        let name = name(machine, number & !IS_I386);
        let call = Call {
            start: stamps.nanoseconds(record.times().0),
            process: thread.process.id,
            thread: id.cast_unsigned(),
            name,
            arguments: record.arguments(),
            stack: StackId(record.stack()),
            ..Call::default()
        };
        let is_reported = self.reports_all || name.is_watched() || name.is_foreign();
        Pending { call, origin: PathOrigin::default(), is_reported, is_changed: false }
    }
}
