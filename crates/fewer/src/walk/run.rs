//! A whole walk: on the calling thread while it is small, then on several threads.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::output::Output;
use super::scheduler::{PieceOutput, Scheduler, Work};
use super::shared::Shared;
use super::stack::Stack;
use super::worker::{Step, Worker};
use super::{Answer, Item, Order, Visitor, Walk};
use crate::threads::start_scoped;

/// A tree that is done after this many directories never starts a thread: starting one takes as
/// long as reading about ten directories, and a dozen calls.
pub(super) const SMALL_DIRECTORIES: usize = 400;

/// Output of visitors is delivered after this time, even if there is little of it.
const MOST_DELAY: Duration = Duration::from_millis(100);
/// The clock is looked at once in so many steps.
const STEPS_PER_LOOK: usize = 64;

impl Walk {
    /// Walks, with several workers once the tree turns out not to be small. Each worker gets a
    /// visitor from `make`; the output of visitors goes to `sink` in blocks of about 128 KiB, one
    /// at a time. Returns the visitors when the walk is over.
    ///
    /// With [`Order::Sorted`] up to 12 MiB of output wait for the output before it; otherwise
    /// nothing waits.
    ///
    /// Errors are items: see [`Item`]. A panic in a visitor ends the walk and is
    /// passed on.
    pub fn visit<V: Visitor + Send>(
        &self,
        make: impl Fn() -> V + Sync,
        mut sink: impl FnMut(&[u8]) -> Answer + Send,
    ) -> Vec<V> {
        let shared = Arc::new(Shared::new(self.clone()));
        let scheduler =
            Scheduler::new(self.order, Box::new(move |bytes: &mut Vec<u8>| sink(bytes)));
        let mut first = Worker::new(Arc::clone(&shared), make());
        let whole = first.start();
        let alone =
            Participant::new(&scheduler, &mut first).alone_until(SMALL_DIRECTORIES).work(whole);
        match alone {
            Some(rest) => go_on(&shared, &scheduler, first, rest, &make),
            None => vec![first.inspector.visitor],
        }
    }
}

impl Walk {
    /// Does the walk as [`visit`](Walk::visit) does, for what writes nothing: each worker has a
    /// value from `start`, which `each` is called with for each entry or error. Returns the values.
    ///
    /// Price: that of the walk.
    ///
    /// ```
    /// use fewer::{Answer, Walk};
    ///
    /// let counts = Walk::new("src").fold(
    ///     || 0,
    ///     |count, _item| {
    ///         *count += 1;
    ///         Answer::Continue
    ///     },
    /// );
    /// assert!(counts.into_iter().sum::<usize>() > 50);
    /// ```
    pub fn fold<T: Send>(
        &self,
        start: impl Fn() -> T + Sync,
        each: impl Fn(&mut T, Item<'_>) -> Answer + Sync,
    ) -> Vec<T> {
        let make = || Folder { value: start(), each: &each };
        let folders = self.visit(make, |_bytes| Answer::Continue);
        folders.into_iter().map(|folder| folder.value).collect()
    }
}

/// A worker's value, and what is called with it.
struct Folder<'f, T, F> {
    value: T,
    each: &'f F,
}

impl<T, F: Fn(&mut T, Item<'_>) -> Answer> Visitor for Folder<'_, T, F> {
    #[inline]
    fn visit(&mut self, item: Item<'_>, _out: &mut Vec<u8>) -> Answer {
        (self.each)(&mut self.value, item)
    }
}

/// Continues a walk with as many workers as there are threads. Returns their visitors.
fn go_on<V: Visitor + Send>(
    shared: &Arc<Shared>,
    scheduler: &Scheduler<'_>,
    mut first: Worker<V>,
    rest: Work,
    make: &(impl Fn() -> V + Sync),
) -> Vec<V> {
    let workers = shared.workers();
    std::thread::scope(|scope| {
        let mut helpers = Vec::new();
        scheduler.grow_to(workers);
        for _ in 1..workers {
            let helper = move || {
                let _stop_on_panic = StopOnPanic(scheduler);
                let mut worker = Worker::new(Arc::clone(shared), make());
                Participant::new(scheduler, &mut worker).work_on(None);
                worker.inspector.visitor
            };
            match start_scoped(scope, helper) {
                Ok(handle) => helpers.push(handle),
                Err(_) => break, // no more threads can be started: fewer will do
            }
        }
        scheduler.grow_to(1 + helpers.len());
        let _stop_on_panic = StopOnPanic(scheduler);
        Participant::new(scheduler, &mut first).work_on(Some(rest));
        let mut visitors = vec![first.inspector.visitor];
        for helper in helpers {
            match helper.join() {
                Ok(visitor) => visitors.push(visitor),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        visitors
    })
}

/// Makes a worker wait, or stops it, depending on what happens to its output.
pub(super) trait Throttle {
    /// Called between steps, when no lock is held; may wait. False if the worker is to give its
    /// piece of work back and return.
    fn may_go_on(&self) -> bool;
}

/// Never makes a worker wait.
struct Unthrottled;

impl Throttle for Unthrottled {
    #[inline]
    fn may_go_on(&self) -> bool {
        true
    }
}

/// A worker together with the scheduler that it gets its work from.
pub(super) struct Participant<'t, 's, V, P> {
    scheduler: &'t Scheduler<'s>,
    worker: &'t mut Worker<V>,
    throttle: P,
    /// While this is the only worker: after how many directories others are started.
    alone_until: Option<usize>,
    steps: usize,
    delivered: Instant,
}

impl<'t, 's, V: Visitor> Participant<'t, 's, V, Unthrottled> {
    fn new(scheduler: &'t Scheduler<'s>, worker: &'t mut Worker<V>) -> Self {
        Participant::at(Unthrottled, scheduler, worker)
    }
}

impl<'t, 's, V: Visitor, P: Throttle> Participant<'t, 's, V, P> {
    pub(super) fn at(throttle: P, scheduler: &'t Scheduler<'s>, worker: &'t mut Worker<V>) -> Self {
        Participant {
            scheduler,
            worker,
            throttle,
            alone_until: None,
            steps: 0,
            delivered: Instant::now(),
        }
    }

    /// Makes [`work`](Participant::work) return after so many directories, for others to be
    /// started.
    pub(super) fn alone_until(mut self, directories: usize) -> Self {
        self.alone_until = Some(directories);
        self
    }

    /// Works until the walk is over, beginning with `job` if there is one.
    pub(super) fn work_on(&mut self, mut work: Option<Work>) {
        while let Some(next) = work.or_else(|| self.scheduler.take()) {
            work = self.work(next);
        }
    }

    /// Works on one piece. Returns the piece to continue with, if that is already known; while it
    /// is the only worker, the rest of the same piece once the tree turns out not to be small.
    pub(super) fn work(&mut self, work: Work) -> Option<Work> {
        let scheduler = self.scheduler;
        let piece = work.piece;
        let limit_bytes = scheduler.limit_bytes(piece);
        self.worker.inspector.stack = work.stack;
        self.worker.inspector.stopped = false;
        if self.alone_until.is_none() {
            self.worker.share_descriptors();
        }
        let mut output = PieceOutput { scheduler, piece };
        while !scheduler.is_over() {
            match self.worker.step(&mut output) {
                Step::More => {}
                Step::Done => return self.finish(&mut output),
                Step::Stopped => {
                    scheduler.cut(piece);
                    return self.finish(&mut output);
                }
            }
            let is_small = |most| self.worker.directories < most;
            if !self.alone_until.is_none_or(is_small)
                && self.worker.inspector.stack.has_directories()
            {
                self.alone_until = None;
                return Some(Work { stack: self.take_stack(), piece });
            }
            if let Some(share) = scheduler.wants(piece)
                && let Some(stack) = self.worker.split(share)
            {
                if self.worker.inspector.shared.walk.order == Order::Any {
                    // The entries of a directory are delivered before those below it.
                    output.deliver(&mut self.worker.inspector.out);
                }
                scheduler.offer(stack, piece, share);
            }
            if scheduler.should_pause(piece, limit_bytes) {
                output.deliver(&mut self.worker.inspector.out);
                // The descriptors of a paused piece would count for no worker.
                self.worker.inspector.release_down_to(1);
                let stack = self.take_stack();
                self.worker.inspector.stack = scheduler.pause(Work { stack, piece })?.stack;
            }
            self.deliver_if_late(&mut output);
            if !self.throttle.may_go_on() {
                output.deliver(&mut self.worker.inspector.out);
                scheduler.give_back(Work { stack: self.take_stack(), piece });
                return None;
            }
        }
        None
    }

    fn take_stack(&mut self) -> Stack {
        std::mem::take(&mut self.worker.inspector.stack)
    }

    fn finish(&mut self, output: &mut PieceOutput<'t, 's>) -> Option<Work> {
        output.deliver(&mut self.worker.inspector.out);
        self.scheduler.finish(output.piece)
    }

    /// Delivers output that has waited long enough, unless output of an earlier piece comes first.
    fn deliver_if_late(&mut self, output: &mut PieceOutput<'t, 's>) {
        self.steps += 1;
        if self.steps.is_multiple_of(STEPS_PER_LOOK) && self.delivered.elapsed() > MOST_DELAY {
            if self.scheduler.is_at_front(output.piece) {
                output.deliver(&mut self.worker.inspector.out);
            }
            self.delivered = Instant::now();
        }
    }
}

/// Ends the walk for all workers when a visitor panics.
pub(super) struct StopOnPanic<'t, 's>(pub(super) &'t Scheduler<'s>);

impl Drop for StopOnPanic<'_, '_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}
