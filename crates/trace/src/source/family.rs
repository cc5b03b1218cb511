//! How tracees begin, become other programs, and end.

use std::cell::RefCell;
use std::rc::Rc;

use super::decode::Decoder;
use super::descriptors::Descriptors;
use super::ptrace::{self, Pid, Stop};
use super::stacks::StoppedThread;
use super::tracees::{PathBase, Process, Space, Thread, unshared};
use super::tracer::Tracer;
use super::{Ending, attach, failure, proc};
use crate::{Error, Event};

impl Tracer<'_> {
    /// Takes in the first process, which is about to begin, with the threads that it has.
    /// `stops_always`: there is no filter.
    pub(crate) fn adopt(&mut self, process: Pid, threads: &[Pid], stops_always: bool) {
        self.first = process;
        let thread = self.stranger(process, process, stops_always);
        for id in threads {
            self.threads.insert(*id, thread.sibling());
        }
    }

    /// Takes in a process that runs already.
    pub(crate) fn take_in(&mut self, process: Pid, threads: &[Pid]) {
        let alive = proc::living_thread(process);
        let thread = self.stranger(process, alive, true);
        for id in threads {
            let chose_processors = self.affinity.is_unusual(*id);
            self.threads.insert(*id, Thread { chose_processors, ..thread.sibling() });
        }
        let place = *thread.path_base.borrow();
        self.decoder.process(alive, &thread.process, 0, &place);
    }

    /// Whether this is a process that is watched, or a thread of one.
    pub(crate) fn is_watched(&self, id: Pid) -> bool {
        let mut all = self.threads.values();
        self.threads.contains_key(&id) || all.any(|it| it.process.id == id.cast_unsigned())
    }

    /// Takes in the processes that belong to those that are watched, and were made by others.
    pub(crate) fn take_in_new_ones(&mut self) {
        for process in self.visit.members() {
            let is_known = self.is_watched(process) || self.early.threads.contains(&process);
            // One that cannot be traced, or ends just now, is left out: the others go on.
            if !is_known && let Ok((process, threads)) = attach::attach(process) {
                self.take_in(process, &threads);
            }
        }
    }

    /// A process of which only that is known which the kernel says, when asked for a thread of it
    /// that lives.
    pub(crate) fn stranger(&mut self, process: Pid, alive: Pid, stops_always: bool) -> Thread {
        let directory = self.decoder.path(proc::directory(alive));
        let root = self.decoder.path(proc::root(alive).filter(|root| root != b"/"));
        let program = self.decoder.path(proc::program(alive));
        let process = Rc::new(Process {
            id: process.cast_unsigned(),
            parent: 0,
            program: program.into(),
            stops_always: stops_always.into(),
            ..Process::default()
        });
        Thread {
            process,
            descriptors: Rc::new(RefCell::new(Descriptors::unknown())),
            path_base: Rc::new(RefCell::new(PathBase { directory, is_real: true, root })),
            space: self.new_space(),
            pending: None,
            latest_read: 0,
            is_newborn: false,
            chose_processors: false,
            agent_stops: 0,
            is_interrupted: false,
        }
    }

    /// Takes in processes whose parent was killed before its stop announced them.
    pub(crate) fn adopt_orphans(&mut self) {
        for id in std::mem::take(&mut self.early.threads) {
            let process = proc::process(id);
            let is_sibling = |other: &&Thread| process == Some(other.process.id.cast_signed());
            let thread = match self.threads.values().find(is_sibling).map(Thread::sibling) {
                Some(thread) => thread,
                None => {
                    let stops_always = self.is_attached || self.decoder.reports_all;
                    let thread = self.stranger(id, id, stops_always);
                    let place = *thread.path_base.borrow();
                    self.decoder.process(id, &thread.process, 0, &place);
                    thread
                }
            };
            self.affinity.born(id, &thread);
            self.threads.insert(id, Thread { is_newborn: true, ..thread });
            self.leave_ring(id);
            self.go_on(id, 0);
        }
    }

    /// The first process enters this directory before its program begins, where no call is seen.
    pub(crate) fn starts_in(&mut self, directory: &[u8]) {
        let directory = self.decoder.path(Some(directory.into()));
        for thread in self.threads.values() {
            thread.path_base.borrow_mut().directory = directory;
        }
    }

    fn new_space(&mut self) -> Rc<Space> {
        self.spaces += 1;
        Rc::new(Space { number: self.spaces, ..Space::default() })
    }

    /// A thread no longer uses the address space; without other users it is forgotten.
    pub(crate) fn leave_space(&mut self, process: &Process, space: Rc<Space>) {
        if let Some(space) = Rc::into_inner(space) {
            self.decoder.end_rings(process, space.rings.into_inner());
            self.decoder.stacks.forget(space.number);
        }
    }

    /// A thread made another one, or a process.
    pub(crate) fn born(&mut self, parent: Pid, child: Pid) {
        if self.threads.contains_key(&child) {
            return;
        }
        // Let go already, where its stop came before that of its maker.
        if self.lets_go && ptrace::interrupt(child).is_err() {
            return;
        }
        let Some(maker) = self.threads.get(&parent) else { return };
        let process = maker.process.id;
        let call = maker.pending.as_ref().map(|pending| &pending.call);
        let flags = call
            .and_then(|call| Decoder::clone_flags(parent, call.name, &call.arguments))
            .unwrap_or_else(|| likely_flags(child, process));
        self.made(parent, child, flags);
    }

    /// The same, with the flags of `clone`.
    pub(crate) fn made(&mut self, parent: Pid, child: Pid, flags: u64) {
        let Some(maker) = self.threads.get(&parent) else { return };
        let has = |flag: i32| flags & u64::from(flag.cast_unsigned()) != 0;
        let (process, space, place) =
            (Rc::clone(&maker.process), Rc::clone(&maker.space), *maker.path_base.borrow());
        let (maker_space, descriptors) = (space.number, Rc::clone(&maker.descriptors));
        let mut thread = Thread {
            descriptors: shared_or_copied(&maker.descriptors, has(libc::CLONE_FILES)),
            path_base: shared_or_copied(&maker.path_base, has(libc::CLONE_FS)),
            process,
            space,
            pending: None,
            latest_read: 0,
            is_newborn: true,
            chose_processors: maker.chose_processors,
            agent_stops: 0,
            is_interrupted: false,
        };
        if !has(libc::CLONE_VM) {
            let rings = thread.space.rings.clone();
            let agent = RefCell::new(thread.space.agent.borrow().copy());
            self.spaces += 1;
            let number = self.spaces;
            thread.space = Rc::new(Space { number, rings, agent, ..Space::default() });
        }
        if !has(libc::CLONE_THREAD) {
            let process = Process {
                id: child.cast_unsigned(),
                parent: thread.process.id,
                program: thread.process.program.clone(),
                stops_always: thread.process.stops_always.clone(),
                handlers: thread.process.handlers.clone(),
                ..Process::default()
            };
            self.decoder.process(child, &process, process.parent, &place);
            let of = |space, thread| StoppedThread { space, process: process.id, thread };
            let made_in = of(maker_space, parent);
            self.decoder.stacks.forked(made_in, of(thread.space.number, child));
            thread.process = Rc::new(process);
        }
        self.affinity.born(child, &thread);
        self.have_answers_follow(&descriptors, &thread);
        self.threads.insert(child, thread);
        if let Some(at) = self.early.threads.iter().position(|early| *early == child) {
            self.early.threads.swap_remove(at);
            self.go_on(child, 0);
        }
    }

    /// `execve` succeeded: the thread is the only one left of its process, and has its number.
    pub(crate) fn became_program(&mut self, id: Pid) {
        let former = ptrace::message(id).unwrap_or(id);
        self.drain_last(former);
        self.became(id, former);
    }

    /// The same, with the number that the thread had before.
    pub(crate) fn became(&mut self, id: Pid, former: Pid) {
        let Some(mut thread) = self.threads.remove(&former) else { return };
        // The others are gone; of the first one there is no stop that says so.
        let others: Vec<Pid> = self
            .threads
            .iter()
            .filter(|(_, other)| Rc::ptr_eq(&other.process, &thread.process))
            .map(|(id, _)| *id)
            .collect();
        for other in others {
            self.drain_last(other);
            let other = self.threads.remove(&other);
            self.decoder.unfinished(other);
        }
        let space = std::mem::replace(&mut thread.space, self.new_space());
        self.leave_space(&Rc::clone(&thread.process), space);
        let begins = id == self.first && !self.has_begun && !self.is_attached;
        self.has_begun |= begins;
        thread.process.handlers.exec();
        if begins {
            thread.process.handlers.ask(id);
        }
        let former = Rc::clone(&thread.descriptors);
        self.decoder.exec(id, &mut thread, begins);
        self.have_answers_follow(&former, &thread);
        self.threads.insert(id, thread);
    }

    /// Whether a process is over now that a thread of it is no more. The kernel tells of the first
    /// one last; nothing of it, if that had ended before it could be watched.
    fn is_over(&self, process: &Rc<Process>, gone: Pid) -> bool {
        let first = process.id.cast_signed();
        let is_there = |it: &Thread| Rc::ptr_eq(&it.process, process);
        gone == first
            || !self.threads.contains_key(&first)
                && proc::has_ended(first)
                && !self.threads.values().any(is_there)
    }

    /// A thread is no more.
    pub(crate) fn gone(&mut self, stop: &Stop) -> Result<(), Error> {
        let &Stop { thread: id, status, .. } = stop;
        self.drain_last(id);
        let Some(thread) = self.threads.remove(&id) else {
            self.early.threads.retain(|early| *early != id);
            return Ok(());
        };
        let (process, space) = (Rc::clone(&thread.process), Rc::clone(&thread.space));
        self.void_answers_of(&thread);
        self.decoder.unfinished(Some(thread));
        self.leave_space(&process, space);
        if !self.is_over(&process, id) {
            return Ok(());
        }
        let process = process.id;
        let at = self.decoder.now();
        let processor = u64::try_from(stop.processor.as_nanos()).unwrap_or(0);
        self.decoder.events.push(Event::Ended { process, at, status, processor });
        if process != self.first.cast_unsigned() {
            return Ok(());
        }
        if !self.has_begun && !self.is_attached && libc::WIFEXITED(status) {
            return Err(failure(libc::WEXITSTATUS(status), "run", &self.name));
        }
        self.ending = Some(if libc::WIFEXITED(status) {
            Ending::Exited(u8::try_from(libc::WEXITSTATUS(status)).unwrap_or(u8::MAX))
        } else {
            Ending::Killed(libc::WTERMSIG(status))
        });
        Ok(())
    }
}

fn shared_or_copied<T: Clone>(parents: &Rc<RefCell<T>>, is_shared: bool) -> Rc<RefCell<T>> {
    if is_shared { Rc::clone(parents) } else { unshared(parents) }
}

/// What a call must have said that could not be read: whether it made a thread or a process.
fn likely_flags(child: Pid, process: u32) -> u64 {
    if proc::process(child).is_some_and(|id| id.cast_unsigned() == process) {
        (libc::CLONE_THREAD | libc::CLONE_VM | libc::CLONE_FS | libc::CLONE_FILES) as u64
    } else {
        0
    }
}
