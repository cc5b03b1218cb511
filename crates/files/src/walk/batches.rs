//! A walk that is asked for more: who asks works on it, and others go ahead if it is large.
//!
//! It is a team as any other, but for one member that is not always there. When it asks for bytes
//! it takes what the others have delivered; if there is nothing, it works until there is something,
//! and gives its piece back, so that the others can go on with it while it is away.

use std::cell::Cell;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use super::output::Output;
use super::record::{Batch, Scribe};
use super::run::{Member, Pace, SMALL_DIRECTORIES, StopOnPanic};
use super::shared::Shared;
use super::team::{Post, Team};
use super::worker::Worker;
use super::{Answer, Walk};
use crate::threads;

/// When so many blocks wait for being asked for, about 2 MiB, nobody goes further ahead. What the
/// team holds back for its turn comes on top.
const MOST_AHEAD: usize = 16;

/// The entries of a walk, a batch at a time. Made by [`Walk::batches`].
pub struct Batches {
    batch: Batch,
    /// Memory for the next block.
    spare: Vec<u8>,
    worker: Worker<Scribe>,
    team: Arc<Team<'static>>,
    queue: Arc<Queue>,
    others: Others,
}

/// The other members of the team.
enum Others {
    /// There are none yet.
    ToCome,
    Started(Vec<JoinHandle<()>>),
}

impl Walk {
    /// The walk, a batch of entries at a time. The calling thread walks while it waits for one. A
    /// tree of more than 400 directories is walked by as many threads as may work
    /// ([`Walk::threads`]), which go ahead by about 2 MiB; with [`Order::Sorted`](super::Order) by
    /// 12 MiB more. They take no signals. Dropping it ends them.
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
        let team = Team::pulled(self.order, Box::new(put));
        let worker = Worker::new(shared, Scribe::new(self.targets));
        team.give_back(worker.start());
        Batches {
            batch: Batch::default(),
            spare: Vec::new(),
            worker,
            team: Arc::new(team),
            queue,
            others: Others::ToCome,
        }
    }
}

impl Batches {
    /// The next batch, which has at least one entry or failure in it, lent until the next call;
    /// `None` when the walk is over.
    #[allow(clippy::should_implement_trait, reason = "an iterator cannot lend")]
    pub fn next(&mut self) -> Option<&Batch> {
        self.next_unless(&|| false)
    }

    /// As [`Batches::next`], but comes back with an empty batch when `enough` says so, which is
    /// asked after each step of the calling thread: where nothing fits the filter, a walk is long
    /// and has no batch to show. The next call goes on where this one has stopped.
    ///
    /// ```
    /// use fewer::{Filter, Kinds, Walk};
    ///
    /// let mut batches = Walk::new("src").filter(Filter::new().kinds(Kinds::NONE)).batches();
    /// let mut steps = 0;
    /// while let Some(batch) = batches.next_unless(&|| true) {
    ///     assert!(batch.entries().is_empty());
    ///     steps += 1;
    /// }
    /// assert!(steps > 2);
    /// ```
    pub fn next_unless(&mut self, enough: &dyn Fn() -> bool) -> Option<&Batch> {
        loop {
            let bytes = self.more(enough)?;
            let is_enough = bytes.is_empty();
            self.spare = self.batch.fill(bytes);
            if is_enough || !self.batch.is_empty() {
                return Some(&self.batch);
            }
        }
    }

    /// The next bytes that were written; none at all after enough; `None` when the walk is over.
    fn more(&mut self, enough: &dyn Fn() -> bool) -> Option<Vec<u8>> {
        let stopped = Cell::new(false);
        loop {
            if let Some(block) = self.queue.take(&mut self.spare) {
                return Some(block);
            }
            if stopped.get() {
                return Some(std::mem::take(&mut self.spare));
            }
            let Some(job) = self.team.take_or(|| self.queue.has_blocks()) else {
                if !self.team.is_over() {
                    continue;
                }
                self.dismiss();
                // What was delivered between the last look and the end.
                return self.queue.take(&mut self.spare);
            };
            let pace = UntilAsked { queue: &self.queue, enough, stopped: &stopped };
            let mut member = Member::at(pace, &self.team, &mut self.worker);
            let rest = match self.others {
                Others::ToCome => member.alone_until(SMALL_DIRECTORIES).work(job),
                Others::Started(_) => member.work(job),
            };
            if let Some(rest) = rest {
                // What was visited goes out before what lies below it.
                let mut post = Post { team: &self.team, place: rest.place };
                post.deliver(&mut self.worker.scout.out);
                self.team.give_back(rest);
                self.start_others();
            }
        }
    }

    /// Starts the other members, unless they are there.
    fn start_others(&mut self) {
        if matches!(self.others, Others::Started(_)) {
            return;
        }
        let shared = &self.worker.scout.shared;
        let workers = shared.workers();
        let mut started = Vec::new();
        for _ in 1..workers {
            let (team, shared) = (Arc::clone(&self.team), Arc::clone(shared));
            let (queue, scribe) = (Arc::clone(&self.queue), self.worker.scout.visitor);
            // Before it starts: a walk is not over while somebody is about to ask for work.
            team.grow_to(2 + started.len());
            let other = threads::start(move || {
                let _alarm = StopOnPanic(&team);
                let mut worker = Worker::new(shared, scribe);
                Member::at(NotTooFar(&queue), &team, &mut worker).work_on(None);
            });
            match other {
                Ok(other) => started.push(other),
                Err(_) => break, // no more threads to be had: fewer will do
            }
        }
        self.team.grow_to(1 + started.len());
        self.others = Others::Started(started);
    }

    /// Waits for the others to go home. A panic of theirs is passed on.
    fn dismiss(&mut self) {
        let others = std::mem::replace(&mut self.others, Others::Started(Vec::new()));
        let Others::Started(others) = others else { return };
        // All of them, so that nobody is at work any more when the caller hears of it.
        let joined: Vec<_> = others.into_iter().map(JoinHandle::join).collect();
        if let Some(panic) = joined.into_iter().find_map(Result::err) {
            std::panic::resume_unwind(panic);
        }
    }
}

impl Drop for Batches {
    fn drop(&mut self) {
        self.team.stop();
        if let Others::Started(others) = &mut self.others
            && !others.is_empty()
        {
            self.queue.refuse();
            for other in others.drain(..) {
                // Nobody asks any more, so nobody is told of a panic either.
                let _ = other.join();
            }
        }
    }
}

/// The pace of the one who asks: until there is something to lend, or it is enough.
struct UntilAsked<'q> {
    queue: &'q Queue,
    enough: &'q dyn Fn() -> bool,
    stopped: &'q Cell<bool>,
}

impl Pace for UntilAsked<'_> {
    #[inline]
    fn goes_on(&self) -> bool {
        self.stopped.set((self.enough)());
        !self.stopped.get() && !self.queue.has_blocks()
    }
}

/// The pace of the others: they wait where too much is waiting already.
struct NotTooFar<'q>(&'q Queue);

impl Pace for NotTooFar<'_> {
    #[inline]
    fn goes_on(&self) -> bool {
        if self.0.length.load(Relaxed) >= MOST_AHEAD {
            self.0.wait_for_room();
        }
        true
    }
}

/// Blocks that wait for being asked for.
#[derive(Default)]
struct Queue {
    state: Mutex<State>,
    /// How many blocks there are.
    length: AtomicUsize,
    /// Rung when a block has gone, or no more are wanted.
    went: Condvar,
}

#[derive(Default)]
struct State {
    blocks: VecDeque<Vec<u8>>,
    spare: Vec<Vec<u8>>,
    unwanted: bool,
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
        if state.unwanted {
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
        // Only who was held up has to hear of it.
        let had_no_room = state.blocks.len() + 1 >= MOST_AHEAD;
        drop(state);
        if had_no_room {
            self.went.notify_all();
        }
        Some(block)
    }

    fn wait_for_room(&self) {
        let mut state = self.state();
        while state.blocks.len() >= MOST_AHEAD && !state.unwanted {
            state = self.went.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn refuse(&self) {
        self.state().unwanted = true;
        self.went.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::super::Order;
    use super::*;

    #[test]
    fn no_thread_is_started_when_all_directories_are_read() {
        for (directories, is_small) in [(SMALL_DIRECTORIES, true), (SMALL_DIRECTORIES + 1, false)] {
            let place = tempfile::tempdir().unwrap();
            for number in 1..directories {
                std::fs::create_dir(place.path().join(number.to_string())).unwrap();
            }
            for order in [Order::Any, Order::Sorted] {
                let mut batches = Walk::new(place.path()).order(order).threads(2).batches();
                assert!(batches.next().is_some());
                let is_alone = matches!(batches.others, Others::ToCome);
                assert_eq!(is_alone, is_small, "{directories} {order:?}");
            }
        }
    }

    #[test]
    fn a_panic_is_passed_on_when_nobody_is_at_work_any_more() {
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
        batches.others = Others::Started(vec![first, second.unwrap()]);
        let walked = catch_unwind(AssertUnwindSafe(|| while batches.next().is_some() {}));
        assert_eq!(walked.unwrap_err().downcast_ref(), Some(&"on purpose"));
        drop(batches);
        assert!(is_home.load(Relaxed));
    }
}
