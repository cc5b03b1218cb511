//! Calls that the kernel records by a program that it runs at each (eBPF). Nothing stops.
//!
//! | module | what is in it |
//! |---|---|
//! | `calls.bpf.c`, `calls.bpf.o` | the program: source, and what clang makes of it |
//! | `program` | loads and attaches it; its maps and its ring |
//! | `plans` | what it copies of a process's memory for each call |
//! | `session` | the loop: read the ring, look at the clock |
//! | `events` | what each record means |
//! | `code` | where the code of a new program lies |
//!
//! What the other sources ask of /proc while a process stands still is recorded here, or asked at
//! the beginning: what is asked later, a process may have changed by then.

mod code;
mod events;
mod plans;
mod program;
mod session;

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::rc::Rc;

use self::program::{Program, Settings};
use self::session::Session;
use super::affinity::Affinity;
use super::descriptors::AtExec;
use super::members::Members;
use super::ptrace::Pid;
use super::tracer::Tracer;
use super::{Ended, Options, Stage, Subject, Target, failed, launch, proc};
use crate::{Error, Event};

/// Watches a program until it has ended, with all its children, or until Ctrl-C.
///
/// # Errors
/// The kernel runs no such program for this user, or the command cannot be started.
pub(crate) fn trace(
    subject: &Subject,
    options: &Options,
    sink: &mut dyn FnMut(Vec<Event>),
) -> Result<Ended, Error> {
    // What is loaded into programs is found through calls that stop.
    let options = &Options { preload: false, ..*options };
    match subject {
        Subject::Command(command) => start(command, &Stage::default(), options, sink),
        Subject::Staged(command, stage) => start(command, stage, options, sink),
        Subject::Running(targets) => join(targets, options, sink),
        Subject::Machine => all(options, sink),
    }
}

fn session<'a>(
    name: OsString,
    options: &Options,
    everything: bool,
    sink: &'a mut dyn FnMut(Vec<Event>),
) -> Result<Session<'a>, Error> {
    let program = Program::load(&Settings {
        everything,
        every_call: options.all,
        stacks: options.stacks,
        ring: options.ring,
    })?;
    let mut tracer = Tracer::new(name, options, sink)?;
    tracer.affinity = Affinity::none();
    Ok(Session::new(tracer, program))
}

fn start(
    command: &[OsString],
    stage: &Stage,
    options: &Options,
    sink: &mut dyn FnMut(Vec<Event>),
) -> Result<Ended, Error> {
    let name = command.first().cloned().unwrap_or_default();
    let mut session = session(name.clone(), options, false, sink)?;
    let directory = super::directory(stage)?;
    let inherited = session.tracer.clock.inherited();
    let (first, gate) = launch::prepare(command, stage, Vec::new(), inherited)?;
    if let Err(error) = session.watch(first) {
        launch::kill(first);
        return Err(error);
    }
    session.tracer.adopt(first, &[first], true);
    session.is_child = true;
    session.fill_descriptors(first, first);
    if let Some(directory) = directory {
        session.tracer.starts_in(directory.as_os_str().as_bytes());
    }
    gate.open();
    session.run()
}

fn join(
    targets: &[Target],
    options: &Options,
    sink: &mut dyn FnMut(Vec<Event>),
) -> Result<Ended, Error> {
    let (members, now) = Members::new(targets)?;
    let name = targets.first().map(Target::to_string).unwrap_or_default();
    let mut session = session(name.into(), options, false, sink)?;
    session.begin_attached(options);
    let may_be_gone = members.may_grow();
    let is_one = now.len() == 1 && !may_be_gone;
    for process in now {
        // The number of a thread means its process, too.
        if session.tracer.threads.contains_key(&process) {
            continue;
        }
        match session.take_in(process)? {
            Some(process) => session.tracer.first = if is_one { process } else { 0 },
            None if may_be_gone => {}
            None => {
                let error = std::io::Error::from_raw_os_error(libc::ESRCH);
                return Err(failed(&error, "watch process", process.to_string().as_ref()));
            }
        }
    }
    session.tracer.visit.follow(members);
    session.run()
}

/// The whole machine.
fn all(options: &Options, sink: &mut dyn FnMut(Vec<Event>)) -> Result<Ended, Error> {
    let mut session = session("all processes".into(), options, true, sink)?;
    session.begin_attached(options);
    session.is_endless = true;
    let own = std::process::id().cast_signed();
    for process in proc::all().into_iter().filter(|process| *process != own) {
        // A thread of the kernel runs no program, and makes no calls.
        if proc::program(process).is_some() {
            session.take_in(process)?;
        }
    }
    session.run()
}

impl Session<'_> {
    /// What is watched ran before, and runs on.
    fn begin_attached(&mut self, options: &Options) {
        self.tracer.is_attached = true;
        self.tracer.decoder.begin_stacks();
        if options.quit_key {
            self.tracer.clock.hear_key();
        }
    }

    /// Begins to watch a process that runs already; its number, if it is there.
    pub(crate) fn take_in(&mut self, process: Pid) -> Result<Option<Pid>, Error> {
        let Some(process) = proc::process(process) else { return Ok(None) };
        self.watch(process)?;
        let threads = proc::threads(process);
        if threads.is_empty() {
            return Ok(None);
        }
        self.tracer.take_in(process, &threads);
        let alive = proc::living_thread(process);
        self.keep_arguments(process.cast_unsigned(), proc::arguments(alive));
        self.fill_descriptors(process, alive);
        Ok(Some(process))
    }

    /// Asks which descriptors a process has: as it runs, that cannot be asked when one is used.
    fn fill_descriptors(&mut self, process: Pid, alive: Pid) {
        let is_child = self.is_child;
        let at_exec = |descriptor| match proc::closes_at_exec(alive, descriptor) {
            // What this process has open is nothing to the command.
            Some(true) if is_child => None,
            closes => Some(closes.map_or(AtExec::Unsure, AtExec::closes)),
        };
        let table = self.tracer.decoder.open_descriptors(alive, at_exec);
        if let Some(thread) = self.tracer.threads.get(&process) {
            *Rc::clone(&thread.descriptors).borrow_mut() = table;
        }
    }
}
