//! A command for each path, several at a time.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use sys::SignalMask;

use super::CommandTemplate;
use crate::error::Error;
use crate::processors::processors;
use crate::scope::Output;
use crate::threads::start_scoped;
use crate::walk::Answer;

/// So many paths wait for a command; a caller that brings more waits.
const MOST_WAITING: usize = 1024;

/// Runs the commands for a path.
type Run<'e> = dyn Fn(&[u8]) + Sync + 'e;

/// Where the paths go.
pub struct Paths<'e> {
    queue: &'e Queue,
    /// Runs the commands for a path at once, because there is no thread that would.
    run_here: Option<&'e Run<'e>>,
}

impl fmt::Debug for Paths<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Paths").field("queue", self.queue).finish_non_exhaustive()
    }
}

impl Paths<'_> {
    /// Hands over a path; waits while too many others wait. `Stop` if no more commands are run.
    pub fn push(&self, path: &[u8]) -> Answer {
        match self.run_here {
            None => self.queue.push(path),
            Some(_) if self.queue.state().stopped => Answer::Stop,
            Some(run) => {
                run(path);
                Answer::Continue
            }
        }
    }
}

/// The paths that wait for their command.
#[derive(Debug, Default)]
struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    waiting: VecDeque<Box<[u8]>>,
    /// No more paths come.
    closed: bool,
    /// No more commands are started.
    stopped: bool,
}

impl Queue {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, path: &[u8]) -> Answer {
        let mut state = self.state();
        while state.waiting.len() >= MOST_WAITING && !state.stopped {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.stopped {
            return Answer::Stop;
        }
        state.waiting.push_back(path.into());
        self.changed.notify_all();
        Answer::Continue
    }

    fn take(&self) -> Option<Box<[u8]>> {
        let mut state = self.state();
        loop {
            if state.stopped {
                return None;
            }
            if let Some(path) = state.waiting.pop_front() {
                self.changed.notify_all();
                return Some(path);
            }
            if state.closed {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn stop(&self) {
        self.state().stopped = true;
        self.changed.notify_all();
    }
}

/// Runs the commands for each path that `body` hands over, one behind the other for the same path
/// as long as they succeed, and for up to `threads` paths at a time (by default as many as there
/// are processors). Returns the answer of `body` when all have ended.
///
/// `ended` is called for one path at a time, in the order in which commands end: with the status of
/// the last command and with what all of them wrote, or with the error of a command that could not
/// be run. `Stop` starts no more commands. On one thread commands have the standard streams of this
/// process, and their output is not collected; on several their standard input is empty. Where no
/// thread can be started, each path waits for its commands, on the thread that hands it over.
///
/// Price: a thread for each of `threads`; for each command that of
/// [`Command::output`](crate::Command::output), on one thread that of
/// [`Command::status`](crate::Command::status).
pub fn run_each<T>(
    commands: &[CommandTemplate],
    threads: Option<usize>,
    ended: impl FnMut(Result<Output, Error>) -> Answer + Send,
    body: impl FnOnce(&Paths<'_>) -> T,
) -> T {
    let threads = threads.unwrap_or_else(processors).clamp(1, 256);
    let each = Each {
        commands,
        mask: sys::signal_mask(),
        collects: threads > 1,
        queue: Queue::default(),
        ended: Mutex::new(ended),
    };
    std::thread::scope(|scope| {
        let started = (0..threads).take_while(|_| start_scoped(scope, || each.work()).is_ok());
        let here = |path: &[u8]| each.run(path);
        let run_here: Option<&Run<'_>> = if started.count() == 0 { Some(&here) } else { None };
        let _close = Close(&each.queue);
        body(&Paths { queue: &each.queue, run_here })
    })
}

/// No more paths come, be it because of a panic.
struct Close<'q>(&'q Queue);

impl Drop for Close<'_> {
    fn drop(&mut self) {
        self.0.state().closed = true;
        self.0.changed.notify_all();
    }
}

/// What the threads share.
struct Each<'c, F> {
    commands: &'c [CommandTemplate],
    mask: SignalMask,
    /// Whether output is collected.
    collects: bool,
    queue: Queue,
    ended: Mutex<F>,
}

impl<F: FnMut(Result<Output, Error>) -> Answer> Each<'_, F> {
    fn work(&self) {
        while let Some(path) = self.queue.take() {
            self.run(&path);
        }
    }

    fn run(&self, path: &[u8]) {
        let mut all: Option<Output> = None;
        for template in self.commands {
            let mut command = template.command(std::iter::once(path));
            command.mask = Some(self.mask);
            let output = match self.collects {
                true => command.output(),
                false => command.status().map(Output::without_streams),
            };
            let output = match output {
                Ok(output) => output,
                Err(error) => {
                    if let Some(output) = all {
                        self.end(Ok(output));
                    }
                    return self.end(Err(error));
                }
            };
            let failed = !output.status.success();
            match &mut all {
                None => all = Some(output),
                Some(all) => all.append(output),
            }
            if failed {
                break;
            }
        }
        if let Some(output) = all {
            self.end(Ok(output));
        }
    }

    fn end(&self, outcome: Result<Output, Error>) {
        let mut ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        // One program that is not there is one error, though several threads have found out.
        if outcome.is_err() && self.queue.state().stopped {
            return;
        }
        if ended(outcome) == Answer::Stop {
            self.queue.stop();
        }
    }
}
