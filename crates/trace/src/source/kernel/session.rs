//! The loop: reads what the kernel recorded, and looks at the clock.

use rustc_hash::FxHashMap;
use std::time::Duration;

use super::program::Program;
use crate::source::Ended;
use crate::source::ptrace::{self, Pid};
use crate::source::record::{Record, Stamped};
use crate::source::stacks::Codes;
use crate::source::tracer::Tracer;
use crate::source::visit::Due;
use crate::{Error, Event, Note, Text};

/// After so many records the clock is looked at.
const SOME: usize = 1024;

/// How long the ring is left alone while it fills slowly, in milliseconds. What has to be looked at
/// at once wakes this process.
const REST_MS: i32 = 10;

/// The same, after a while in which nothing came.
const LONG_REST_MS: i32 = 100;

/// So many rests without a record are a while.
const IDLE_RESTS: u32 = 20;

/// A run that the kernel records.
pub(crate) struct Session<'a> {
    pub(crate) tracer: Tracer<'a>,
    program: Program,
    pub(super) clock: Monotonic,
    pub(super) record: Record,
    /// The words that processes were started with: their children's, until these become others.
    pub(super) arguments: FxHashMap<u32, Vec<Text>>,
    /// Where code lies in the spaces of programs whose beginning was seen.
    pub(super) codes: FxHashMap<u32, Codes>,
    /// Whether the first process is a child of this one.
    pub(crate) is_child: bool,
    /// Whether it goes on when no process is left.
    pub(crate) is_endless: bool,
    /// Whether it is over.
    is_over: bool,
    /// How many records were lost so far.
    lost: u64,
    idle: u32,
}

/// The clock of the kernel's records: it began with the machine.
pub(super) struct Monotonic {
    /// What it said when the recording began.
    began: u64,
}

impl Monotonic {
    /// `elapsed`: how long ago the recording began.
    fn new(elapsed: u64) -> Monotonic {
        let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: the kernel writes one `timespec`.
        unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut now) };
        let now = Duration::new(
            u64::try_from(now.tv_sec).unwrap_or(0),
            u32::try_from(now.tv_nsec).unwrap_or(0),
        );
        let now = u64::try_from(now.as_nanos()).unwrap_or(0);
        Monotonic { began: now.saturating_sub(elapsed) }
    }
}

impl Stamped for Monotonic {
    fn nanoseconds(&self, stamp: u64) -> u64 {
        stamp.saturating_sub(self.began)
    }
}

impl<'a> Session<'a> {
    pub(super) fn new(tracer: Tracer<'a>, program: Program) -> Session<'a> {
        let clock = Monotonic::new(tracer.decoder.now());
        Session {
            tracer,
            program,
            clock,
            record: Record::default(),
            arguments: FxHashMap::default(),
            codes: FxHashMap::default(),
            is_child: false,
            is_endless: false,
            is_over: false,
            lost: 0,
            idle: 0,
        }
    }

    /// Begins to record the calls of a process.
    pub(super) fn watch(&mut self, process: Pid) -> Result<(), Error> {
        self.program.watch(process)
    }

    /// Runs until no process is left, or somebody ends it.
    pub(super) fn run(mut self) -> Result<Ended, Error> {
        self.tracer.timer.begin();
        while !self.is_over {
            let count = self.drain(SOME)?;
            self.look_at_losses();
            self.look_at_the_clock()?;
            if let Some(signal) = self.tracer.clock.end_request() {
                self.asked_to_end(signal);
            }
            self.tracer.forward_end_request();
            if self.tracer.threads.is_empty() && !self.is_endless {
                self.is_over = true;
            } else if count == 0 {
                self.rest()?;
            } else {
                self.idle = 0;
            }
        }
        // What was recorded before the end.
        while self.drain(SOME)? > 0 {}
        self.look_at_losses();
        self.say_losses();
        if self.is_child && self.tracer.ending.is_some() {
            ptrace::reap(self.tracer.first);
        }
        Ok(self.tracer.end())
    }

    /// Takes records, at most so many. How many there were.
    fn drain(&mut self, most: usize) -> Result<usize, Error> {
        for count in 0..most {
            if !self.program.next(self.record.bytes()) {
                return Ok(count);
            }
            self.recorded()?;
            self.tracer.send_if_full();
        }
        Ok(most)
    }

    /// Nothing was recorded that has to be looked at.
    fn rest(&mut self) -> Result<(), Error> {
        self.idle += 1;
        self.tracer.tick();
        let is_idle = self.idle > IDLE_RESTS;
        if is_idle && self.idle.is_multiple_of(IDLE_RESTS) {
            self.look_for_ends()?;
        }
        self.program.wait(if is_idle { LONG_REST_MS } else { REST_MS });
        Ok(())
    }

    fn look_at_the_clock(&mut self) -> Result<(), Error> {
        match self.tracer.visit.due(self.tracer.decoder.now()) {
            Some(Due::End) => self.is_over = true,
            Some(Due::Look) => {
                for process in self.tracer.visit.members() {
                    if !self.tracer.threads.contains_key(&process) {
                        self.take_in(process)?;
                    }
                }
            }
            Some(Due::Send) => self.tracer.send(),
            None => {}
        }
        Ok(())
    }

    /// The program decides whether it ends; its children, and what ran before, run on.
    fn asked_to_end(&mut self, signal: i32) {
        self.is_over = self.tracer.is_attached || self.tracer.ending.is_some();
        if !self.is_over {
            self.tracer.asked_to_end(signal);
        }
    }

    /// Records were lost since the last time: what they were about is not known any more.
    fn look_at_losses(&mut self) {
        let lost = self.program.lost();
        if std::mem::replace(&mut self.lost, lost) == lost {
            return;
        }
        for thread in self.tracer.threads.values() {
            thread.descriptors.borrow_mut().doubt_all();
        }
    }

    /// Whether nothing was lost is said, too.
    fn say_losses(&mut self) {
        let text = match self.lost {
            0 => "the kernel recorded the calls, without a stop; none was lost".to_owned(),
            lost => format!(
                "the kernel recorded the calls, without a stop; {lost} of its records were lost, \
                 because there was no room: the figures are too low (--ring gives it more)"
            ),
        };
        let note = Note { id: "recorded".to_owned(), process: 0, text };
        self.tracer.decoder.events.push(Event::Note(note));
    }

    /// Where records were lost, one may have said that a process ended.
    fn look_for_ends(&mut self) -> Result<(), Error> {
        if self.lost == 0 {
            return Ok(());
        }
        let threads: Vec<Pid> = self.tracer.threads.keys().copied().collect();
        for thread in threads {
            if !ptrace::is_alive(thread) {
                self.gone(thread, 0, Duration::ZERO)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    #[test]
    fn the_kernels_clock_is_that_of_the_recording() {
        let began = Instant::now();
        let clock = Monotonic::new(0);
        let now = Monotonic::new(0).began;
        // Looked at last: any time may pass between two looks.
        let elapsed = u64::try_from(began.elapsed().as_nanos()).unwrap();
        assert!(clock.nanoseconds(now) <= elapsed);
        assert_eq!(clock.nanoseconds(0), 0);
    }
}
