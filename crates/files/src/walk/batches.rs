//! A walk that is asked for more: small trees on the thread that asks, large ones ahead of it.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;

use super::record::{Batch, Scribe};
use super::run::{PATIENCE, SMALL_DIRECTORIES, STEPS_PER_LOOK, go_on};
use super::shared::Shared;
use super::stack::Stack;
use super::team::{Job, Team};
use super::worker::{Outlet, Step, Worker};
use super::{Answer, Walk};
use crate::threads;

/// So many blocks may be ahead of the one who asks: about 2 MiB.
const MOST_AHEAD: usize = 16;

/// The entries of a walk, a batch at a time. Made by [`Walk::batches`].
pub struct Batches {
    batch: Batch,
    spare: Vec<u8>,
    source: Source,
    /// When it has read so many directories, other threads are to go on.
    large_from: usize,
}

/// Who walks.
enum Source {
    Here(Box<Worker<Scribe>>),
    Ahead(Crew),
    Nowhere,
}

impl Walk {
    /// The walk, a batch of entries at a time. A tree of more than 400 directories is gone on with
    /// by as many other threads as may work ([`Walk::threads`]; with one all is done by the calling
    /// thread), which are ahead by 2 MiB of paths at most. They take no signals. Dropping it ends
    /// them.
    ///
    /// Price: that of the walk; one more thread, where there are any.
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
        let mut worker = Worker::new(shared, Scribe::new(self.targets));
        worker.start();
        Batches {
            batch: Batch::default(),
            spare: Vec::new(),
            source: Source::Here(Box::new(worker)),
            large_from: SMALL_DIRECTORIES,
        }
    }
}

impl Batches {
    /// The next batch, which has at least one entry or failure in it, lent until the next call;
    /// `None` when the walk is over.
    #[allow(clippy::should_implement_trait, reason = "an iterator cannot lend")]
    pub fn next(&mut self) -> Option<&Batch> {
        loop {
            let bytes = self.more()?;
            self.spare = self.batch.fill(bytes);
            if !self.batch.is_empty() {
                return Some(&self.batch);
            }
        }
    }

    /// The next bytes that were written, in exchange for those that are spare.
    fn more(&mut self) -> Option<Vec<u8>> {
        let spare = std::mem::take(&mut self.spare);
        match &mut self.source {
            Source::Nowhere => None,
            Source::Ahead(crew) => crew.take(spare),
            Source::Here(worker) => {
                let mut block = Block(spare);
                match go(worker, self.large_from, &mut block) {
                    Going::Full => {}
                    Going::Over => self.source = Source::Nowhere,
                    Going::Large => match Crew::start(worker) {
                        Some(crew) => self.source = Source::Ahead(crew),
                        // Alone, or no thread to be had: it goes on here.
                        None => self.large_from = usize::MAX,
                    },
                }
                Some(block.0)
            }
        }
    }
}

/// Why a walk on the calling thread comes to a stop.
enum Going {
    Full,
    Large,
    Over,
}

/// Walks on the calling thread until there is something to lend.
fn go(worker: &mut Worker<Scribe>, large_from: usize, block: &mut Block) -> Going {
    let begun = Instant::now();
    let mut steps = 0_usize;
    let going = loop {
        if worker.step(block) != Step::More {
            break Going::Over;
        }
        if worker.directories >= large_from {
            break Going::Large;
        }
        steps += 1;
        let late = steps.is_multiple_of(STEPS_PER_LOOK) && begun.elapsed() > PATIENCE;
        if late || !block.0.is_empty() {
            break Going::Full;
        }
    };
    block.deliver(&mut worker.scout.out);
    going
}

/// Where bytes go on the calling thread.
struct Block(Vec<u8>);

impl Outlet for Block {
    fn deliver(&mut self, out: &mut Vec<u8>) -> bool {
        match self.0.is_empty() {
            true => std::mem::swap(&mut self.0, out),
            false => self.0.append(out),
        }
        true
    }
}

/// The threads that go on with a large tree.
struct Crew {
    queue: Arc<Queue>,
    thread: Option<JoinHandle<()>>,
}

impl Crew {
    /// Lets other threads go on with what a worker has left to do; `None` if there are none to be
    /// had.
    fn start(worker: &mut Worker<Scribe>) -> Option<Crew> {
        let shared = Arc::clone(&worker.scout.shared);
        if shared.workers() < 2 {
            return None;
        }
        let scribe = worker.scout.visitor;
        let queue = Arc::new(Queue::default());
        // Not moved into the thread: it would be lost if there is none.
        let stack = Arc::new(Mutex::new(std::mem::take(&mut worker.scout.stack)));
        let (its_queue, its_stack) = (Arc::clone(&queue), Arc::clone(&stack));
        let body = move || {
            let _closing = Closing(&its_queue);
            let stack = take_stack(&its_stack);
            let mut sink = |bytes: &mut Vec<u8>| its_queue.put(bytes);
            let team = Team::new(shared.walk.order, &mut sink);
            let first = Worker::new(Arc::clone(&shared), scribe);
            go_on(&shared, &team, first, Job { stack, place: 0 }, &|| scribe);
        };
        match threads::start(body) {
            Ok(thread) => Some(Crew { queue, thread: Some(thread) }),
            Err(_) => {
                worker.scout.stack = take_stack(&stack);
                None
            }
        }
    }

    /// The next block, in exchange for one that is spare; `None` when the walk is over.
    fn take(&mut self, spare: Vec<u8>) -> Option<Vec<u8>> {
        let block = self.queue.take(spare);
        if block.is_none()
            && let Some(thread) = self.thread.take()
            && let Err(panic) = thread.join()
        {
            std::panic::resume_unwind(panic);
        }
        block
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        self.queue.refuse();
        if let Some(thread) = self.thread.take() {
            // Nobody asks any more, so nobody is told of a panic either.
            let _ = thread.join();
        }
    }
}

fn take_stack(cell: &Mutex<Stack>) -> Stack {
    std::mem::take(&mut cell.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Blocks that wait for being asked for.
#[derive(Default)]
struct Queue {
    state: Mutex<State>,
    /// Rung when a block has come, or the last one has.
    came: Condvar,
    /// Rung when a block has gone, or no more are wanted.
    went: Condvar,
}

#[derive(Default)]
struct State {
    blocks: VecDeque<Vec<u8>>,
    spare: Vec<Vec<u8>>,
    over: bool,
    unwanted: bool,
}

impl Queue {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the bytes, as soon as there is room, and leaves memory for others.
    fn put(&self, bytes: &mut Vec<u8>) -> Answer {
        let mut state = self.state();
        while state.blocks.len() >= MOST_AHEAD && !state.unwanted {
            state = self.went.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.unwanted {
            return Answer::Stop;
        }
        let spare = state.spare.pop().unwrap_or_default();
        state.blocks.push_back(std::mem::replace(bytes, spare));
        drop(state);
        self.came.notify_one();
        Answer::Continue
    }

    fn take(&self, spare: Vec<u8>) -> Option<Vec<u8>> {
        let mut state = self.state();
        if spare.capacity() > 0 {
            state.spare.push(spare);
        }
        loop {
            if let Some(block) = state.blocks.pop_front() {
                // Only who was held up has to hear of it.
                let was_full = state.blocks.len() + 1 >= MOST_AHEAD;
                drop(state);
                if was_full {
                    self.went.notify_one();
                }
                return Some(block);
            }
            if state.over {
                return None;
            }
            state = self.came.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn refuse(&self) {
        self.state().unwanted = true;
        self.went.notify_all();
    }
}

/// Says that no more will come, also if that is because of a panic.
struct Closing<'q>(&'q Queue);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.state().over = true;
        self.0.came.notify_all();
    }
}
