//! The loop: waits for a tracee to stop, records what it does, lets it go on.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::time::Instant;

use super::affinity::Affinity;
use super::decode::Decoder;
use super::inserted::Agents;
use super::proc;
use super::ptrace::{self, Pid, Stop};
use super::run_time::RunTimer;
use super::signals::{self, Clock, TICK_MS};
use super::tracees::Thread;
use super::visit::{Due, Visit};
use super::{Ended, Ending, Options, failed};
use crate::{Error, Event};
use rustc_hash::FxHashMap;

/// The most events in a batch.
const BATCH: usize = 4096;

/// A batch is sent when it is this large: one stop seldom adds more than what is left.
const FULL: usize = BATCH - 256;

/// After so many ticks without a stop the batch is sent as it is, and the clock stops.
const IDLE_TICKS: u32 = 20;

/// After so many ticks without a stop the program's threads may run wherever they like.
const FEW_TICKS: u32 = 5;

/// How long the tracer waits until a signal reaches the program by itself, as those from a terminal
/// do, before it forwards it; and until a parent's stop announces a new child. In nanoseconds.
const PATIENCE: u64 = 50_000_000;

/// If the program got a signal so short a time before this process got the same, both come from one
/// Ctrl-C. In nanoseconds.
const RECENTLY: u64 = 500_000_000;

/// A traced run.
pub(crate) struct Tracer<'a> {
    sink: &'a mut dyn FnMut(Vec<Event>),
    pub(crate) decoder: Decoder,
    pub(crate) threads: FxHashMap<Pid, Thread>,
    pub(crate) early: EarlyChildren,
    /// What the kernel refused, so that the run cannot go on.
    pub(crate) broken: Option<Error>,
    /// The process that is watched; the others are its children.
    pub(crate) first: Pid,
    /// Its name, for the message if it does not start.
    pub(crate) name: OsString,
    /// Whether the first process has become its program.
    pub(crate) has_begun: bool,
    /// Whether it ran before the trace, and runs on after it.
    pub(crate) is_attached: bool,
    /// Whether all tracees are being let go.
    pub(crate) lets_go: bool,
    pub(crate) ending: Option<Ending>,
    /// Until when this goes on, and who else is to be watched.
    pub(crate) visit: Visit,
    pub(crate) spaces: u32,
    pub(crate) affinity: Affinity,
    pub(crate) clock: Clock,
    idle_ticks: u32,
    end_requests: EndRequests,
    pub(crate) timer: RunTimer,
    pub(crate) agents: Agents,
    /// The threads that stopped and have not been handled yet.
    pub(crate) stops: VecDeque<Stop>,
}

/// Children that stopped before their parent said that it has them.
#[derive(Default)]
pub(crate) struct EarlyChildren {
    pub(crate) threads: Vec<Pid>,
    /// When the last of them came, in nanoseconds since the program started.
    pub(crate) since: u64,
}

/// Signals that ask this process, or the traced program, to end.
#[derive(Default)]
struct EndRequests {
    /// One that this process got and the program did not yet, and when.
    pending: Option<(i32, u64)>,
    /// Whether this process has ever got one.
    any: bool,
    /// The last one that the program got, and when.
    delivered: (i32, u64),
}

impl<'a> Tracer<'a> {
    /// A tracer without tracees.
    pub(crate) fn new(
        name: OsString,
        options: &Options,
        sink: &'a mut dyn FnMut(Vec<Event>),
    ) -> Result<Tracer<'a>, Error> {
        // An emulator of another machine (qemu-user) has neither.
        let clock = Clock::new().map_err(|error| match ptrace::is_there() {
            true => failed(&error, "trace", &name),
            false => Error::NoTracing { name: name.as_bytes().into() },
        })?;
        let began = Instant::now();
        Ok(Tracer {
            sink,
            decoder: Decoder::new(options, began),
            threads: FxHashMap::default(),
            early: EarlyChildren::default(),
            broken: None,
            first: 0,
            name,
            has_begun: false,
            is_attached: false,
            lets_go: false,
            ending: None,
            visit: Visit::new(options.time_limit, options.interval),
            spaces: 0,
            affinity: Affinity::new(options.reader),
            clock,
            idle_ticks: 0,
            end_requests: EndRequests::default(),
            timer: RunTimer::new(),
            agents: Agents::new(options.tier, began),
            stops: VecDeque::new(),
        })
    }

    /// Runs until no tracee is left.
    pub(crate) fn run(mut self) -> Result<Ended, Error> {
        self.timer.begin();
        loop {
            self.timer.waits();
            match ptrace::wait() {
                Ok(stop) => {
                    self.timer.works();
                    self.idle_ticks = 0;
                    if !self.clock.ticks() {
                        self.clock.set(true);
                    }
                    self.all_stopped(stop)?;
                    if self.ending.is_some() {
                        self.timer.end();
                    }
                }
                Err(error) => match error.raw_os_error() {
                    Some(libc::EINTR) => {
                        self.timer.wakes(self.affinity.is_in_the_way());
                        self.tick();
                    }
                    Some(libc::ECHILD) => break,
                    _ => return Err(failed(&error, "trace", &self.name)),
                },
            }
            if let Some(error) = self.broken.take() {
                return Err(error);
            }
            if self.lets_go && self.threads.is_empty() {
                // A command that was started here runs on: it is no tracee, but a child.
                break;
            }
            self.look_at_the_clock();
            let waited = self.timer.stopped_at().saturating_sub(self.early.since);
            if !self.early.threads.is_empty() && waited > PATIENCE {
                self.adopt_orphans();
            }
            if let Some(signal) = self.clock.end_request() {
                self.asked_to_end(signal);
            }
            self.forward_end_request();
            self.send_if_full();
        }
        Ok(self.end())
    }

    /// Sends what is left. How the run ended.
    pub(crate) fn end(mut self) -> Ended {
        self.decoder.finish();
        self.send();
        let ending = self.ending.unwrap_or(Ending::Detached);
        Ended {
            ending,
            run_time: self.timer.run_time(self.agents.calls),
            by_agent: self.agents.calls,
            answered: self.agents.answered,
            interrupted: self.end_requests.any && !self.is_attached,
        }
    }

    /// Does what is due by now.
    fn look_at_the_clock(&mut self) {
        if self.lets_go {
            return;
        }
        match self.visit.due(self.timer.stopped_at()) {
            Some(Due::End) => self.let_all_go(),
            Some(Due::Look) => self.take_in_new_ones(),
            Some(Due::Send) => self.send(),
            None => {}
        }
    }

    /// One thread has stopped. Handles all threads that have stopped before any of them goes on:
    /// the kernel reports them always in the same order, so threads far behind in it would never be
    /// handled while those in front stop again and again.
    fn all_stopped(&mut self, stop: Stop) -> Result<(), Error> {
        self.stops.push_back(stop);
        if self.threads.len() + self.early.threads.len() > 1 {
            self.stops.extend(std::iter::from_fn(ptrace::poll));
        }
        // What the threads did before they stopped.
        self.drain_all();
        while let Some(stop) = self.stops.pop_front() {
            // A thread that stopped and was then killed is no longer at that stop.
            let is_stale = self.stops.iter().any(|other| other.thread == stop.thread);
            if !is_stale {
                self.stopped(&stop)?;
            }
        }
        Ok(())
    }

    /// Sends the events if there are many.
    pub(crate) fn send_if_full(&mut self) {
        if self.decoder.events.len() >= FULL {
            self.send();
        }
    }

    /// Sends the events that there are, in batches.
    pub(crate) fn send(&mut self) {
        while !self.decoder.events.is_empty() {
            let rest = match self.decoder.events.len() {
                0..=BATCH => Vec::with_capacity(BATCH),
                _ => self.decoder.events.split_off(BATCH),
            };
            (self.sink)(std::mem::replace(&mut self.decoder.events, rest));
        }
    }

    /// No thread stopped for a while.
    pub(crate) fn tick(&mut self) {
        let has_drained = self.drain_all();
        self.affinity.keep_off(&self.threads, &self.agents.busy, self.agents.calls);
        self.agents.busy.clear();
        if has_drained {
            self.idle_ticks = 0;
            return;
        }
        self.idle_ticks += 1;
        if self.idle_ticks >= FEW_TICKS {
            self.affinity.idle(&self.threads);
        }
        if self.end_requests.pending.is_none() && self.idle_ticks >= IDLE_TICKS {
            match self.visit.remaining(self.timer.stopped_at()) {
                Some(time) => self.clock.wake_after(time),
                None => self.clock.set(false),
            }
            self.send();
        }
    }

    /// The program gets the signal that this process got, if it did not get it by itself.
    pub(crate) fn forward_end_request(&mut self) {
        let Some((signal, at)) = self.end_requests.pending else { return };
        if self.decoder.now().saturating_sub(at) < PATIENCE {
            return;
        }
        // One that was sent to all is there already, though it may take its time.
        if !proc::is_pending(self.first, signal) {
            self.end_requests.pending = None;
            ptrace::send(self.first, signal);
        }
    }

    /// A signal asks this process to end. The traced program decides whether it does.
    pub(crate) fn asked_to_end(&mut self, signal: i32) {
        self.end_requests.any = true;
        if self.is_attached {
            self.let_all_go();
        } else if self.ending.is_some() {
            // What is left are children that outlived the program. They cannot go on without a
            // tracer, because of the filter.
            for thread in self.threads.keys().chain(&self.early.threads) {
                ptrace::send(*thread, libc::SIGKILL);
            }
        } else {
            let now = self.decoder.now();
            let (last, at) = self.end_requests.delivered;
            let got_it = last == signal && now.saturating_sub(at) < RECENTLY;
            self.end_requests.pending = (!got_it).then_some((signal, now));
        }
        // It has to tick until the signal has been dealt with.
        self.clock.set(true);
    }

    /// The first process got a signal.
    pub(crate) fn first_got(&mut self, signal: i32) {
        // A child that the same signal ended makes a SIGCHLD right behind it.
        if signals::asks(signal) {
            self.end_requests.delivered = (signal, self.decoder.now());
        }
        if self.end_requests.pending.is_some_and(|(asked, _)| asked == signal) {
            self.end_requests.pending = None;
        }
    }

    /// Begins to let go all tracees: each as soon as it stops.
    fn let_all_go(&mut self) {
        self.lets_go = true;
        self.affinity.end(&self.threads);
        for thread in self.threads.keys().chain(&self.early.threads) {
            let _gone = ptrace::interrupt(*thread);
        }
    }
}

const _: () = assert!(TICK_MS * 1_000_000 * 2 <= PATIENCE as i64);
