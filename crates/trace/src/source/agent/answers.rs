//! Agents that answer from memory, and do not record: they are told when anything changes.

use std::cell::RefCell;
use std::rc::Rc;

use crate::Name;
use crate::source::decode::Decoder;
use crate::source::descriptors::Descriptors;
use crate::source::ptrace::Pid;
use crate::source::tracees::Thread;
use crate::source::tracer::Tracer;

impl Tracer<'_> {
    /// A call that the tracer saw is done.
    pub(crate) fn void_answers(&mut self, id: Pid, name: Name, arguments: &[u64; 6], result: i64) {
        if self.agents.changes.answers.is_none() {
            return;
        }
        let Some(thread) = self.threads.get(&id) else { return };
        let table = Rc::as_ptr(&thread.descriptors).addr();
        let flags = Decoder::clone_flags(id, name, arguments).unwrap_or_default();
        let makes_thread = flags & libc::CLONE_THREAD as u64 != 0;
        if self.agents.changes.call(table, (name, arguments), result, makes_thread) {
            self.say_what_changed();
        }
    }

    /// A thread is no more, perhaps the last one with its table of descriptors.
    pub(crate) fn void_answers_of(&mut self, thread: &Thread) {
        let table = Rc::as_ptr(&thread.descriptors).addr();
        let is_last = Rc::strong_count(&thread.descriptors) == 1;
        if is_last && self.agents.changes.table_is_gone(table) {
            self.say_what_changed();
        }
    }

    /// A thread has become another program, or is a new one: it has the files of these descriptors.
    pub(crate) fn have_answers_follow(
        &mut self,
        former: &Rc<RefCell<Descriptors>>,
        thread: &Thread,
    ) {
        let table = Rc::as_ptr(&thread.descriptors).addr();
        let (address, is_shared) = (Rc::as_ptr(former).addr(), Rc::strong_count(former) > 1);
        if address != table {
            self.agents.changes.table_is_another(address, table, is_shared);
            self.say_what_changed();
        }
    }

    fn say_what_changed(&self) {
        for (_, id) in &self.agents.threads {
            let agent = self.threads.get(id).map(|thread| thread.space.agent.borrow());
            let shared = agent.as_ref().and_then(|agent| agent.shared.as_ref());
            shared.into_iter().for_each(|shared| shared.put_changes(&self.agents.changes));
        }
    }
}
