//! The state that decoding needs at every call, and the events that come out of it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Instant;

use crate::source::Options;
use crate::source::descriptors::{AtExec, Descriptors};
use crate::source::notes::Notes;
use crate::source::paths::Paths;
use crate::source::preload::Preloads;
use crate::source::proc;
use crate::source::ptrace::Pid;
use crate::source::record::View;
use crate::source::stacks::Stacks;
use crate::source::tracees::{PathBase, Process, Thread};
use crate::source::uring::{RingOwner, Unseen};
use crate::{Call, Event, Note, PathId, StackId, Text};

/// Turns what threads do into events. The methods that decode calls are in the modules beside this.
pub(crate) struct Decoder {
    pub(crate) paths: Paths,
    pub(crate) stacks: Stacks,
    /// What is to be sent next, in order.
    pub(crate) events: Vec<Event>,
    /// When the recording began.
    began: Instant,
    /// Whether every call becomes an event, or only those that are watched.
    pub(crate) reports_all: bool,
    /// Whether all calls are seen that change the table of descriptors.
    pub(crate) knows_descriptors: bool,
    pub(crate) has_stacks: bool,
    wants_stacks: bool,
    notes: Notes,
    /// What could not be seen of rings, by program; with a process that runs it.
    unseen: BTreeMap<PathId, (u32, Unseen)>,
    /// What is loaded into programs; `None` if nothing is to be.
    pub(crate) preloads: Option<Preloads>,
    /// No program has descriptors from this on. `None` if they may have different limits.
    pub(crate) descriptor_limit: Option<u64>,
    /// The stack of the latest call.
    pub(crate) latest_stack: StackId,
    /// What calls are decoded from.
    pub(crate) view: View,
    /// A path as it was read.
    pub(crate) text: Vec<u8>,
    /// A path put together.
    pub(crate) whole: Vec<u8>,
    /// What the kernel answered.
    pub(crate) block: Vec<u8>,
    /// What a process runs that may be gone by now.
    pub(crate) program: Option<Program>,
}

/// What a process runs, as the kernel recorded it.
#[derive(Debug)]
pub(crate) struct Program {
    /// Its executable.
    pub(crate) path: Option<Vec<u8>>,
    /// The words that it was started with.
    pub(crate) arguments: Vec<Text>,
}

impl Decoder {
    pub(crate) fn new(options: &Options, began: Instant) -> Decoder {
        Decoder {
            paths: Paths::new(),
            stacks: Stacks::new(),
            events: Vec::new(),
            began,
            reports_all: options.all,
            knows_descriptors: true,
            has_stacks: false,
            wants_stacks: options.stacks,
            notes: Notes::default(),
            unseen: BTreeMap::new(),
            preloads: options.preload.then(Preloads::default),
            descriptor_limit: proc::descriptor_limit(),
            latest_stack: StackId::NONE,
            view: View::default(),
            text: Vec::new(),
            whole: Vec::new(),
            block: Vec::new(),
            program: None,
        }
    }

    /// Nanoseconds since the recording began.
    pub(crate) fn now(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }

    /// The number of a path, or none if there is no path.
    pub(crate) fn path(&mut self, path: Option<Vec<u8>>) -> PathId {
        path.map_or(PathId::NONE, |path| self.paths.id(&path, &mut self.events))
    }

    /// Emits a process: a new one, or one that became another program.
    pub(crate) fn process(&mut self, id: Pid, process: &Process, parent: u32, base: &PathBase) {
        let start = self.now();
        let recorded = self.program.as_ref().map(|program| program.arguments.clone());
        let arguments = recorded.unwrap_or_else(|| proc::arguments(id));
        self.events.push(Event::Process(crate::Process {
            id: process.id,
            parent,
            start,
            program: process.program.get(),
            arguments,
            directory: base.directory,
        }));
    }

    /// A thread's program was replaced. `begins`: it is the first one.
    pub(crate) fn exec(&mut self, id: Pid, thread: &mut Thread, begins: bool) {
        self.begin_stacks();
        // It was not stopped at its beginning, but recorded, and has changed since.
        let is_recorded = self.program.is_some();
        if begins && !is_recorded {
            self.first_descriptors(id, thread);
            self.notes.first_privilege(id);
        } else if !begins {
            // No other process shares descriptors with a program that just began.
            thread.own_descriptors();
            thread.descriptors.borrow_mut().exec();
            self.execve_done(thread);
        }
        let path = self.program.as_mut().map(|program| program.path.take());
        let program = self.path(path.unwrap_or_else(|| proc::program(id)));
        thread.process.program.set(program);
        let base = *thread.path_base.borrow();
        let parent = thread.process.parent;
        self.process(id, &thread.process, parent, &base);
        if begins {
            self.execve_done(thread);
        }
        if !is_recorded && self.notes.lacks_privilege(id) {
            let text = "is setuid: being traced, it ran without that privilege";
            self.note("setuid", thread, text);
        }
    }

    /// Emits a note about a thread's program, once for each program.
    pub(crate) fn note(&mut self, id: &'static str, thread: &Thread, text: &str) {
        let Process { id: process, program, .. } = &*thread.process;
        self.notes.note(id, (program.get(), *process), text, &self.paths, &mut self.events);
    }

    /// What could not be seen of a program's rings, to be added to.
    pub(super) fn unseen_of(&mut self, owner: RingOwner) -> &mut Unseen {
        &mut self.unseen.entry(owner.program).or_insert((owner.process, Unseen::default())).1
    }

    /// No tracee is left: says what was not seen of them.
    pub(crate) fn finish(&mut self) {
        if self.paths.is_full() {
            let text = "there were too many different paths: files that were named for the first \
                        time after that are counted without their names";
            let note = Note { id: "limit".to_owned(), process: 0, text: text.to_owned() };
            self.events.push(Event::Note(note));
        }
        for (program, (process, unseen)) in std::mem::take(&mut self.unseen) {
            if let Some(text) = unseen.words() {
                let of = (program, process);
                self.notes.note("io-uring", of, &text, &self.paths, &mut self.events);
            }
        }
    }

    /// All that a program has at its start.
    fn first_descriptors(&mut self, id: Pid, thread: &mut Thread) {
        let inherited = self.open_descriptors(id, |_| Some(AtExec::Keeps));
        thread.descriptors = Rc::new(RefCell::new(inherited));
    }

    /// Those that a process has open now, of which it is known what `execve` does to them.
    pub(crate) fn open_descriptors(
        &mut self,
        id: Pid,
        at_exec: impl Fn(i32) -> Option<AtExec>,
    ) -> Descriptors {
        let mut table = Descriptors::none();
        for descriptor in proc::descriptors(id) {
            let Some(at_exec) = at_exec(descriptor) else { continue };
            table.ask(id, descriptor, &mut self.paths, &mut self.events);
            table.set_at_exec(descriptor, at_exec);
        }
        table
    }

    /// From now on calls are the program's own: the `execve` that starts it is made by this one.
    pub(crate) fn begin_stacks(&mut self) {
        self.has_stacks = self.wants_stacks;
    }

    /// Emits an `execve` that succeeded. Its end is not waited for: what follows it is the new
    /// program.
    fn execve_done(&mut self, thread: &mut Thread) {
        let Some(pending) = &mut thread.pending else { return };
        if std::mem::replace(&mut pending.is_reported, false) {
            let mut call = pending.call.clone();
            call.spent = self.spent(&call);
            self.events.push(Event::Call(call));
        }
    }

    /// Emits the call in which a thread ended: it was made, and never came back.
    pub(crate) fn unfinished(&mut self, thread: Option<Thread>) {
        let Some(pending) = thread.and_then(|thread| thread.pending) else { return };
        if !pending.is_reported {
            return;
        }
        let mut call = pending.call;
        call.spent = self.spent(&call);
        call.result = if call.name.ends_the_thread() { 0 } else { -i64::from(libc::EINTR) };
        self.events.push(Event::Call(call));
    }

    /// How long a call took that ends now, if that was not recorded.
    fn spent(&self, call: &Call) -> u64 {
        if call.spent > 0 { call.spent } else { self.now().saturating_sub(call.start) }
    }

    /// Emits a call that is done.
    pub(crate) fn call(&mut self, call: Call) {
        self.events.push(Event::Call(call));
    }
}
