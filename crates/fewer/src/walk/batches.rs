//! The walk as batches of entries. The thread that asks for a batch walks itself, and other threads
//! read ahead if the tree is large.
//!
//! The calling thread is a worker like the others, except that it is not always there. When it
//! asks for a batch it takes what the others have delivered; if there is nothing, it walks until
//! there is something, and then gives its piece of work back, so that the others can continue with
//! it.

use std::cell::Cell;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use super::output::Output;
use super::record::{Batch, RecordWriter};
use super::run::{Participant, StopOnPanic, Throttle};
use super::scheduler::{PieceOutput, Scheduler};
use super::shared::Shared;
use super::worker::Worker;
use super::{Answer, Walk};
use crate::cancel::CancelCheck;
use crate::threads;

/// When so many blocks (about 2 MiB) are in the queue, no thread reads further ahead. Output that
/// the scheduler holds back for its order comes on top.
const MOST_QUEUED_BLOCKS: usize = 16;

/// The entries of a walk, a batch at a time. Made by [`Walk::batches`].
pub struct Batches {
    batch: Batch,
    /// Memory for the next block.
    spare: Vec<u8>,
    worker: Worker<RecordWriter>,
    scheduler: Arc<Scheduler<'static>>,
    queue: Arc<Queue>,
    helpers: Helpers,
    cancel_check: CancelCheck,
}

/// The threads that read ahead; `None` until the first is started.
type Helpers = Option<Arc<Crew>>;

/// What the threads that read ahead share.
struct Crew {
    shared: Arc<Shared>,
    scheduler: Arc<Scheduler<'static>>,
    queue: Arc<Queue>,
    record_writer: RecordWriter,
    handles: Mutex<Vec<JoinHandle<()>>>,
}

impl Crew {
    /// Starts one more thread; false if no more can be started.
    fn start_one(self: &Arc<Crew>) -> bool {
        let number = self.shared.pool().add_thread();
        self.scheduler.add_worker();
        let crew = Arc::clone(self);
        let started = threads::start(move || {
            let _stop_on_panic = StopOnPanic(&crew.scheduler);
            let mut worker = Worker::new(Arc::clone(&crew.shared), crew.record_writer);
            let more = || crew.start_one();
            let throttle = BoundedByQueue(&crew.queue);
            let participant = Participant::at(throttle, &crew.scheduler, &mut worker);
            let mut participant = participant.with_others(&more).numbered(number);
            sys::without_fetching(|| participant.work_on(None));
        });
        match started {
            Ok(handle) => self.handles().push(handle),
            Err(_) => {
                self.scheduler.drop_worker();
                self.shared.pool().drop_thread();
                return false;
            }
        }
        true
    }

    fn handles(&self) -> MutexGuard<'_, Vec<JoinHandle<()>>> {
        self.handles.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until all threads have ended, also those that these have started. Returns what a panic
    /// left.
    fn join(&self) -> std::thread::Result<()> {
        let mut all = Ok(());
        loop {
            let Some(next) = self.handles().pop() else { return all };
            all = all.and(next.join());
        }
    }
}

impl Walk {
    /// The walk, a batch of entries at a time. The calling thread walks while it waits for one. A
    /// tree of more than 400 directories is walked by several threads ([`Walk::threads`]), which
    /// read ahead by about 2 MiB; with [`Order::Sorted`](super::Order) by 12 MiB more. They take no
    /// signals. Dropping it ends them.
    ///
    /// Price: that of the walk.
    ///
    /// ```
    /// use fewer::Walk;
    ///
    /// let mut batches = Walk::new("src").batches();
    /// let mut longest = 0;
    /// while let Some(batch) = batches.next() {
    ///     let lengths = batch.entries().iter().map(|entry| entry.name_length);
    ///     longest = lengths.max().unwrap_or(0).max(longest);
    /// }
    /// assert!(longest >= "lib.rs".len() as u32);
    /// ```
    #[must_use]
    pub fn batches(&self) -> Batches {
        let shared = Arc::new(Shared::new(self.clone()));
        let queue = Arc::new(Queue::default());
        let its_queue = Arc::clone(&queue);
        let put = move |bytes: &mut Vec<u8>| its_queue.put(bytes);
        let scheduler = Scheduler::with_consumer(self.order, Box::new(put));
        let worker = Worker::new(shared, RecordWriter::new(self));
        scheduler.give_back(worker.start());
        Batches {
            batch: Batch::default(),
            spare: Vec::new(),
            worker,
            scheduler: Arc::new(scheduler),
            queue,
            helpers: None,
            cancel_check: CancelCheck::default(),
        }
    }
}

impl Batches {
    /// Returns an empty batch when the function returns true; the next call goes on where that one
    /// has stopped. The function is called after a step of the calling thread, 50 times a second at
    /// most: if hardly an entry passes the filter, a walk takes long without a batch to return.
    ///
    /// ```
    /// use fewer::{Filter, Kinds, Walk};
    ///
    /// let nothing = Filter::new().kinds(Kinds::NONE);
    /// let mut batches = Walk::new("src").filter(nothing).batches().cancel_when(|| true);
    /// std::thread::sleep(std::time::Duration::from_millis(30));
    /// assert!(batches.next().is_some_and(|batch| batch.entries().is_empty()));
    /// ```
    #[must_use]
    pub fn cancel_when(mut self, canceled: impl Fn() -> bool + Send + Sync + 'static) -> Batches {
        self.cancel_check = CancelCheck::new(canceled);
        self
    }

    /// The next batch, with at least one entry or failure unless it was
    /// [canceled](Batches::cancel_when), borrowed until the next call; `None` when the walk is
    /// over.
    #[allow(clippy::should_implement_trait, reason = "an iterator cannot lend")]
    pub fn next(&mut self) -> Option<&Batch> {
        loop {
            let bytes = self.next_block()?;
            let is_canceled = bytes.is_empty();
            self.spare = self.batch.fill(bytes);
            if is_canceled || !self.batch.is_empty() {
                return Some(&self.batch);
            }
        }
    }

    /// The next block of bytes; an empty one when canceled; `None` when the walk is over.
    fn next_block(&mut self) -> Option<Vec<u8>> {
        let stopped = Cell::new(false);
        loop {
            if let Some(block) = self.queue.take(&mut self.spare) {
                return Some(block);
            }
            if stopped.get() {
                return Some(std::mem::take(&mut self.spare));
            }
            let Some(work) = self.scheduler.take_unless(0, || self.queue.has_blocks()) else {
                if !self.scheduler.is_over() {
                    continue;
                }
                self.join_helpers();
                // What was delivered between the last check and the end.
                return self.queue.take(&mut self.spare);
            };
            let cancel_check = &self.cancel_check;
            let throttle = UntilNeeded { queue: &self.queue, cancel_check, stopped: &stopped };
            let participant = Participant::at(throttle, &self.scheduler, &mut self.worker);
            let rest = sys::without_fetching(|| match &self.helpers {
                None => { participant }.work(work),
                Some(crew) => participant.with_others(&|| crew.start_one()).work(work),
            });
            if let Some(rest) = rest {
                // What was visited goes out before what lies below it.
                let mut output = PieceOutput { scheduler: &self.scheduler, piece: rest.piece };
                output.deliver(&mut self.worker.inspector.out);
                self.scheduler.give_back(rest);
                self.start_helpers();
            }
        }
    }

    /// Starts the threads that read ahead, unless they have been started.
    fn start_helpers(&mut self) {
        if self.helpers.is_some() {
            return;
        }
        let crew = self.helpers.insert(Arc::new(Crew {
            shared: Arc::clone(&self.worker.inspector.shared),
            scheduler: Arc::clone(&self.scheduler),
            queue: Arc::clone(&self.queue),
            record_writer: self.worker.inspector.visitor,
            handles: Mutex::default(),
        }));
        let throttle = BoundedByQueue(&self.queue);
        let participant = Participant::at(throttle, &self.scheduler, &mut self.worker);
        participant.with_others(&|| crew.start_one()).begin();
    }

    /// Waits until the other threads have ended. A panic of theirs is passed on.
    fn join_helpers(&mut self) {
        // All of them, so that none is running any more when the caller gets the panic.
        if let Some(Err(panic)) = self.helpers.as_ref().map(|crew| crew.join()) {
            std::panic::resume_unwind(panic);
        }
    }
}

impl Drop for Batches {
    fn drop(&mut self) {
        self.scheduler.stop();
        if let Some(crew) = &self.helpers {
            self.queue.close();
            // Nothing is returned any more, so a panic is not passed on either.
            let _ = crew.join();
        }
    }
}

/// Stops the calling thread when there is a batch for it, or when it is canceled.
struct UntilNeeded<'q> {
    queue: &'q Queue,
    cancel_check: &'q CancelCheck,
    stopped: &'q Cell<bool>,
}

impl Throttle for UntilNeeded<'_> {
    #[inline]
    fn may_go_on(&self) -> bool {
        self.stopped.set(self.cancel_check.is_canceled());
        !self.stopped.get() && !self.queue.has_blocks()
    }
}

/// Holds up a thread that reads ahead while the queue is full.
struct BoundedByQueue<'q>(&'q Queue);

impl Throttle for BoundedByQueue<'_> {
    #[inline]
    fn may_go_on(&self) -> bool {
        if self.0.length.load(Relaxed) >= MOST_QUEUED_BLOCKS {
            self.0.wait_for_space();
        }
        true
    }
}

/// Blocks that have been delivered and not been taken.
#[derive(Default)]
struct Queue {
    state: Mutex<State>,
    /// How many blocks there are.
    length: AtomicUsize,
    /// Notified when a block has been taken, or the queue is closed.
    block_taken: Condvar,
}

#[derive(Default)]
struct State {
    blocks: VecDeque<Vec<u8>>,
    spare: Vec<Vec<u8>>,
    closed: bool,
}

impl Queue {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[inline]
    fn has_blocks(&self) -> bool {
        self.length.load(Relaxed) > 0
    }

    /// Takes the bytes, and leaves memory for others.
    fn put(&self, bytes: &mut Vec<u8>) -> Answer {
        let mut state = self.state();
        if state.closed {
            return Answer::Stop;
        }
        let spare = state.spare.pop().unwrap_or_default();
        state.blocks.push_back(std::mem::replace(bytes, spare));
        self.length.store(state.blocks.len(), Relaxed);
        Answer::Continue
    }

    /// The next block, in exchange for spare memory.
    fn take(&self, spare: &mut Vec<u8>) -> Option<Vec<u8>> {
        let mut state = self.state();
        let block = state.blocks.pop_front()?;
        self.length.store(state.blocks.len(), Relaxed);
        if spare.capacity() > 0 {
            state.spare.push(std::mem::take(spare));
        }
        // Threads only wait if the queue was full.
        let was_full = state.blocks.len() + 1 >= MOST_QUEUED_BLOCKS;
        drop(state);
        if was_full {
            self.block_taken.notify_all();
        }
        Some(block)
    }

    fn wait_for_space(&self) {
        let mut state = self.state();
        while state.blocks.len() >= MOST_QUEUED_BLOCKS && !state.closed {
            state = self.block_taken.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn close(&self) {
        self.state().closed = true;
        self.block_taken.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::super::Order;
    use super::super::shared::SMALL_DIRECTORIES;
    use super::*;

    #[test]
    fn no_thread_is_started_when_all_directories_are_read() {
        for (directories, is_small) in [(SMALL_DIRECTORIES, true), (SMALL_DIRECTORIES + 1, false)] {
            let folder = tempfile::tempdir().unwrap();
            for number in 1..directories {
                std::fs::create_dir(folder.path().join(number.to_string())).unwrap();
            }
            for order in [Order::Any, Order::Sorted] {
                let mut batches = Walk::new(folder.path()).order(order).threads(2).batches();
                while batches.next().is_some() {}
                let is_alone = batches.helpers.is_none();
                assert_eq!(is_alone, is_small, "{directories} {order:?}");
            }
        }
    }

    #[test]
    fn a_panic_is_passed_on_when_no_thread_is_running_any_more() {
        use std::panic::{AssertUnwindSafe, catch_unwind};
        use std::sync::atomic::AtomicBool;
        let is_home = Arc::new(AtomicBool::new(false));
        let late = Arc::clone(&is_home);
        let first = threads::start(|| std::panic::resume_unwind(Box::new("on purpose"))).unwrap();
        let second = threads::start(move || {
            std::thread::sleep(std::time::Duration::from_millis(200));
            late.store(true, Relaxed);
        });
        let mut batches = Walk::new(".").max_depth(0).batches();
        batches.start_helpers();
        batches.helpers.as_ref().unwrap().handles().extend([second.unwrap(), first]);
        let walked = catch_unwind(AssertUnwindSafe(|| while batches.next().is_some() {}));
        assert_eq!(walked.unwrap_err().downcast_ref(), Some(&"on purpose"));
        drop(batches);
        assert!(is_home.load(Relaxed));
    }
}
