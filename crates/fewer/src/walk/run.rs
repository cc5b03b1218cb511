//! A whole walk: on the calling thread while it is small, then on several threads.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Scope;
use std::time::{Duration, Instant};

use super::output::Output;
use super::scheduler::{PieceOutput, Scheduler, Sink, Work};
use super::shared::{SMALL_DIRECTORIES, Shared};
use super::stack::Stack;
use super::worker::{Step, Worker};
use super::{Answer, Item, Order, Visitor, Walk};
use crate::threads::start_scoped;

/// Output of visitors is delivered after this time, even if there is little of it.
const MOST_DELAY: Duration = Duration::from_millis(100);
/// The clock is looked at once in so many steps.
const STEPS_PER_LOOK: usize = 64;
/// Where the number of threads is not given, it is looked at once in so many directories, or after
/// each if they take long.
const DIRECTORIES_PER_LOOK: usize = 8;
const LONG_DIRECTORY: Duration = Duration::from_micros(100);

impl Walk {
    /// Walks, with several workers once the tree turns out not to be small. Each worker gets a
    /// visitor from `make`; the output of visitors goes to `sink` in blocks of about 128 KiB, or
    /// 256 KiB since a snapshot, one at a time. Returns the visitors when the walk is over.
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
        let ended: Mutex<Vec<V>> = Mutex::default();
        let with_visitor = |work: &mut dyn FnMut(&mut dyn Visitor)| {
            let mut visitor = make();
            work(&mut visitor);
            locked(&ended).push(visitor);
        };
        self.run(&with_visitor, Box::new(move |bytes: &mut Vec<u8>| sink(bytes)));
        let mut visitors = ended.into_inner().unwrap_or_else(PoisonError::into_inner);
        // The calling thread's, which ends last, is the first.
        visitors.rotate_right(1);
        visitors
    }

    /// The walk itself, which is compiled once for all visitors.
    fn run(&self, with_visitor: WithVisitor<'_>, sink: Sink<'_>) {
        let shared = Arc::new(Shared::new(self.clone()));
        let scheduler = Scheduler::new(self.order, sink);
        let mut work = |visitor: &mut dyn Visitor| {
            let mut first = Worker::new(Arc::clone(&shared), BorrowedVisitor(visitor));
            let whole = first.start();
            if let Some(rest) = Participant::new(&scheduler, &mut first).work(whole) {
                go_on(&shared, &scheduler, &mut first, rest, with_visitor);
            }
        };
        sys::without_fetching(|| with_visitor(&mut work));
    }
}

/// Makes a visitor, and calls a worker with it.
type WithVisitor<'l> = &'l (dyn Fn(&mut dyn FnMut(&mut dyn Visitor)) + Sync);

/// A worker's visitor.
struct BorrowedVisitor<'v>(&'v mut (dyn Visitor + 'v));

impl Visitor for BorrowedVisitor<'_> {
    #[inline]
    fn visit(&mut self, item: Item<'_>, out: &mut Vec<u8>) -> Answer {
        self.0.visit(item, out)
    }

    fn line_end(&self) -> Option<u8> {
        self.0.line_end()
    }

    fn printed(&mut self, entries: usize, directories: usize) {
        self.0.printed(entries, directories);
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

/// What all threads of a walk with visitors share.
struct Crew<'c, 's> {
    shared: &'c Arc<Shared>,
    scheduler: &'c Scheduler<'s>,
    with_visitor: WithVisitor<'c>,
    /// What threads panicked with.
    panics: Mutex<Vec<Box<dyn Any + Send>>>,
}

/// Continues a walk with as many workers as are worthwhile.
fn go_on(
    shared: &Arc<Shared>,
    scheduler: &Scheduler<'_>,
    first: &mut Worker<BorrowedVisitor<'_>>,
    rest: Work,
    with_visitor: WithVisitor<'_>,
) {
    let crew = Crew { shared, scheduler, with_visitor, panics: Mutex::default() };
    std::thread::scope(|scope| {
        let more = || crew.start_one(scope);
        let _stop_on_panic = StopOnPanic(scheduler);
        let mut participant = Participant::new(scheduler, first).with_others(&more);
        participant.begin();
        participant.work_on(Some(rest));
    });
    let panics = crew.panics.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(panic) = panics.into_iter().next() {
        std::panic::resume_unwind(panic);
    }
}

impl Crew<'_, '_> {
    /// Starts one more thread; false if no more can be started.
    fn start_one<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>) -> bool {
        let Crew { shared, scheduler, with_visitor, .. } = *self;
        let number = shared.pool().add_thread();
        scheduler.add_worker();
        let mut work = move |visitor: &mut dyn Visitor| {
            let mut worker = Worker::new(Arc::clone(shared), BorrowedVisitor(visitor));
            let more = || self.start_one(scope);
            let participant = Participant::new(scheduler, &mut worker).with_others(&more);
            participant.numbered(number).work_on(None);
        };
        let helper = move || {
            let walked = catch_unwind(AssertUnwindSafe(|| {
                let _stop_on_panic = StopOnPanic(scheduler);
                sys::without_fetching(|| with_visitor(&mut work));
            }));
            locked(&self.panics).extend(walked.err());
        };
        let started = start_scoped(scope, helper).is_ok();
        if !started {
            scheduler.drop_worker();
            shared.pool().drop_thread();
        }
        started
    }
}

/// No holder of a lock panics.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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
    /// Its number: 0 is the calling thread.
    number: usize,
    /// Starts one more thread; false if that fails. `None` while this is the only one.
    start_one: Option<&'t dyn Fn() -> bool>,
    /// The number of threads is looked at when the worker has done so much.
    next_look: usize,
    looked: (Instant, usize),
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
        let (now, done) = (Instant::now(), worker.done());
        let is_single = worker.inspector.shared.walk.threads == Some(1);
        let next_look = if is_single { usize::MAX } else { 0 };
        Participant {
            scheduler,
            worker,
            throttle,
            number: 0,
            start_one: None,
            next_look,
            looked: (now, done),
            steps: 0,
            delivered: now,
        }
    }

    /// There are others: `start_one` starts one more.
    pub(super) fn with_others(mut self, start_one: &'t dyn Fn() -> bool) -> Self {
        self.start_one = Some(start_one);
        let pool = self.worker.inspector.shared.pool();
        if pool.is_fixed() {
            self.next_look = usize::MAX;
        }
        self
    }

    /// Says which of the threads this is.
    pub(super) fn numbered(mut self, number: usize) -> Self {
        self.number = number;
        self
    }

    /// Starts as many threads as are worthwhile now.
    pub(super) fn begin(&self) {
        let shared = &self.worker.inspector.shared;
        self.grow_to(shared.pool().begin(&shared.alone()));
    }

    fn grow_to(&self, limit: usize) {
        let pool = self.worker.inspector.shared.pool();
        let start_one = || self.start_one.is_some_and(|start_one| start_one());
        // Before any is started, so that none finds itself above the limit.
        self.scheduler.set_limit(limit);
        while pool.started() < limit {
            if !start_one() {
                self.scheduler.set_limit(pool.allowed()); // fewer will do
                break;
            }
        }
    }

    /// Looks at how fast it goes, every so many directories: whether this thread, being alone,
    /// should not be, or how many should work. True if this is the only thread and others are to be
    /// started.
    fn look(&mut self) -> bool {
        let now = Instant::now();
        let worker = &*self.worker;
        let time = now.saturating_duration_since(self.looked.0);
        let done = worker.done() - self.looked.1;
        self.looked = (now, worker.done());
        let is_slow = time > LONG_DIRECTORY * done as u32;
        self.next_look = worker.done() + if is_slow { 1 } else { DIRECTORIES_PER_LOOK };
        let shared = &worker.inspector.shared;
        if self.start_one.is_none() {
            return shared.alone().waits(time, done as u64);
        }
        let pool = shared.pool();
        if let Some(limit) = pool.report(now, done as u64, self.scheduler.lacks_work()) {
            self.grow_to(limit);
        }
        false
    }

    /// Works until the walk is over, beginning with `job` if there is one.
    pub(super) fn work_on(&mut self, mut work: Option<Work>) {
        while let Some(next) = work.or_else(|| self.take()) {
            work = self.work(next);
        }
    }

    fn take(&mut self) -> Option<Work> {
        let work = self.scheduler.take(self.number);
        self.looked.0 = Instant::now();
        work
    }

    /// Works on one piece. Returns the piece to continue with, if that is already known; while it
    /// is the only worker, the rest of the same piece once the tree turns out not to be small.
    pub(super) fn work(&mut self, work: Work) -> Option<Work> {
        let scheduler = self.scheduler;
        let piece = work.piece;
        let limit_bytes = scheduler.limit_bytes(piece);
        self.worker.inspector.stack = work.stack;
        self.worker.inspector.stopped = false;
        if self.start_one.is_some() {
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
            let waits = self.worker.done() >= self.next_look && self.look();
            if self.start_one.is_none()
                && (waits || self.worker.directories >= SMALL_DIRECTORIES)
                && self.worker.inspector.stack.has_work_to_share()
            {
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
            if !self.throttle.may_go_on() || scheduler.is_above_limit(self.number) {
                output.deliver(&mut self.worker.inspector.out);
                scheduler.give_back(Work { stack: self.take_stack(), piece });
                return None;
            }
        }
        if self.worker.inspector.shared.walk.order == Order::Any {
            // Another worker has shown the last result that was wanted: these are among them.
            output.deliver(&mut self.worker.inspector.out);
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
