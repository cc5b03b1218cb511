//! The threads that read directories of a tree ahead of the caller.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;

use super::directory::{Reader, Tree};
use super::fetch::Restraint;
use super::pending::{BeingRead, Listed, MOST_ROWS_AHEAD, Next, Pending, Positions};
use crate::cancel::CancelCheck;
use crate::concurrency::{Alone, MAX_THREADS};
use crate::error::Errno;
use crate::pool::Pool;
use crate::processors::processors;
use crate::threads;

/// The calling thread has this number, and all threads together have that one.
const CALLER: usize = 0;
const ALL: usize = usize::MAX;

/// What all threads of a tree share.
pub(super) struct Crew {
    pub(super) tree: Tree,
    state: Mutex<State>,
    /// For threads that read ahead: there is something to read, or room for it.
    work: Condvar,
    /// For those above the limit, and those that have read too much.
    may_go_on: Condvar,
    /// For the calling thread: a directory has been read.
    read: Condvar,
    /// Which thread reads the directory that the calling thread waits for.
    awaited: AtomicUsize,
    pool: OnceLock<Pool>,
    over: Arc<AtomicBool>,
}

#[derive(Default)]
struct State {
    positions: Positions,
    /// How many threads may work; those with higher numbers wait.
    limit: usize,
    /// How many threads have nothing to read.
    idle: usize,
    /// Whether there are descriptors enough.
    reads_ahead: bool,
    /// How many have read too much.
    held_up: usize,
    /// Whether a thread has panicked.
    panicked: bool,
    handles: Vec<JoinHandle<()>>,
}

impl Crew {
    pub(super) fn new(tree: Tree, first: Pending) -> Crew {
        let mut state = State { reads_ahead: true, ..State::default() };
        state.positions.add(vec![first]);
        Crew {
            tree,
            state: Mutex::new(state),
            work: Condvar::new(),
            may_go_on: Condvar::new(),
            read: Condvar::new(),
            awaited: AtomicUsize::new(CALLER),
            pool: OnceLock::new(),
            over: Arc::default(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether no other thread was started.
    pub(super) fn is_alone(&self) -> bool {
        self.pool.get().is_none()
    }

    /// What the calling thread is to read or to hand over next; never one that is being read: that
    /// is waited for.
    pub(super) fn next(&self) -> Option<Next> {
        let mut state = self.state();
        loop {
            match state.positions.take() {
                // Perhaps by that thread: then nobody would wake this one any more.
                Err(BeingRead(_)) if state.panicked => {
                    drop(state);
                    self.end_and_pass_on();
                    return None;
                }
                Err(BeingRead(number)) => {
                    self.awaited.store(number, Relaxed);
                    if state.held_up > 0 {
                        self.may_go_on.notify_all();
                    }
                    state = self.read.wait(state).unwrap_or_else(PoisonError::into_inner);
                }
                Ok(next) => {
                    self.awaited.store(CALLER, Relaxed);
                    self.wake(&state, 1); // there is room for one more
                    if state.held_up > 0 && state.positions.rows <= MOST_ROWS_AHEAD {
                        self.may_go_on.notify_all();
                    }
                    return next;
                }
            }
        }
    }

    /// Wakes so many threads that have nothing to read, if there are any.
    fn wake(&self, state: &State, threads: usize) {
        (0..state.idle.min(threads)).for_each(|_| self.work.notify_one());
    }

    /// Puts directories before all others.
    pub(super) fn add(&self, below: Vec<Pending>) {
        let mut state = self.state();
        let new = below.len();
        state.positions.add(below);
        self.wake(&state, new);
    }

    /// Closes directories that are held open, of those that are pending or of other threads; false
    /// if there are none.
    pub(super) fn release(&self, next: &mut Pending) -> bool {
        let mut state = self.state();
        if state.positions.release_one(next) {
            return true;
        }
        if state.positions.being_read() == 0 {
            return false;
        }
        state.reads_ahead = false; // not with so few descriptors
        self.awaited.store(ALL, Relaxed);
        self.may_go_on.notify_all();
        while state.positions.being_read() > 0 && !state.panicked {
            state = self.read.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        self.awaited.store(CALLER, Relaxed);
        !state.panicked
    }

    /// Starts the threads that read ahead, if there is anything for them to read.
    pub(super) fn begin(self: &Arc<Crew>, alone: &Alone) {
        let threads = self.tree.template.threads;
        if threads == Some(1) || !self.state().positions.has_unread() {
            return;
        }
        let least = threads.unwrap_or_else(processors);
        let most = threads.unwrap_or_else(|| MAX_THREADS.max(least));
        let limit = self.pool.get_or_init(|| Pool::new(least, most)).begin(alone);
        self.grow_to(limit);
    }

    /// Says how much a thread has done.
    pub(super) fn report(self: &Arc<Crew>, now: Instant, items: u64) {
        let lacks_work = self.state().idle > 0;
        let limit = self.pool.get().and_then(|pool| pool.report(now, items, lacks_work));
        if let Some(limit) = limit {
            self.grow_to(limit);
        }
    }

    fn grow_to(self: &Arc<Crew>, limit: usize) {
        let Some(pool) = self.pool.get() else { return };
        self.set_limit(limit);
        while pool.started() < limit {
            let number = pool.add_thread();
            let crew = Arc::clone(self);
            match threads::start(move || crew.read_ahead(number)) {
                Ok(handle) => self.state().handles.push(handle),
                Err(_) => {
                    pool.drop_thread();
                    return self.set_limit(pool.allowed()); // fewer will do
                }
            }
        }
    }

    fn set_limit(&self, limit: usize) {
        self.state().limit = limit;
        self.may_go_on.notify_all();
    }

    /// What one of the threads does.
    fn read_ahead(self: Arc<Crew>, number: usize) {
        let _end_on_panic = EndOnPanic(&self);
        let over = Arc::clone(&self.over);
        let mut list = self.tree.template.clone();
        // The caller's function is for the calling thread.
        list.cancel_check = CancelCheck::new(move || over.load(Relaxed));
        let mut reader = Reader::new(list);
        while let Some(mut next) = self.take(number) {
            let restraint = ReadsAhead { crew: &self, number, rows: AtomicUsize::new(0) };
            let release = |next: &mut Pending| self.state().positions.release_one(next);
            let (listing, below) = reader.list(&self.tree, &mut next, &restraint, release);
            let items = self.tree.items_of(&listing);
            let mut state = self.state();
            state.positions.rows -= restraint.rows();
            match listing {
                // The caller's thread may have more luck, once this one has closed its own.
                Err(error) if matches!(error.errno(), Errno::MFILE | Errno::NFILE) => {
                    state.reads_ahead = false;
                    state.positions.give_back(number, next);
                }
                listing => {
                    let new = below.len();
                    state.positions.put(number, Listed { path: next.path, listing }, below);
                    self.wake(&state, new);
                }
            }
            drop(state);
            if [ALL, number].contains(&self.awaited.load(Relaxed)) {
                self.read.notify_one();
            }
            self.report(Instant::now(), items);
        }
    }

    /// Waits for something to read; `None` when no more will be read.
    fn take(&self, number: usize) -> Option<Pending> {
        let mut state = self.state();
        loop {
            if self.over.load(Relaxed) {
                return None;
            }
            state = if number < state.limit && state.reads_ahead {
                if let Some(pending) = state.positions.take_ahead(number) {
                    return Some(pending);
                }
                state.idle += 1;
                let mut state = self.work.wait(state).unwrap_or_else(PoisonError::into_inner);
                state.idle -= 1;
                state
            } else {
                self.may_go_on.wait(state).unwrap_or_else(PoisonError::into_inner)
            };
        }
    }

    /// Ends all threads, and waits until they have ended. Returns what a panic left.
    pub(super) fn end(&self) -> std::thread::Result<()> {
        let state = self.state(); // no thread is between looking and falling asleep
        self.over.store(true, Relaxed);
        drop(state);
        self.work.notify_all();
        self.may_go_on.notify_all();
        let mut all = Ok(());
        loop {
            let Some(next) = self.state().handles.pop() else { return all };
            all = all.and(next.join());
        }
    }

    /// Passes a panic of another thread on, when none is running any more.
    fn end_and_pass_on(&self) {
        if let Err(panic) = self.end() {
            std::panic::resume_unwind(panic);
        }
    }
}

/// What holds a thread that reads ahead.
struct ReadsAhead<'c> {
    crew: &'c Crew,
    number: usize,
    /// How many rows of its directory are counted.
    rows: AtomicUsize,
}

impl ReadsAhead<'_> {
    /// How many rows of the directory that was read were counted.
    fn rows(&self) -> usize {
        self.rows.load(Relaxed)
    }

    fn is_awaited(&self) -> bool {
        [ALL, self.number].contains(&self.crew.awaited.load(Relaxed))
    }
}

impl Restraint for ReadsAhead<'_> {
    /// Only for the directory that the caller waits for: the threads are busy with others.
    fn may_start_threads(&self) -> bool {
        self.is_awaited()
    }

    /// Waits while too many rows are held, unless the caller waits for these.
    fn add_rows(&self, rows: usize) {
        self.rows.fetch_add(rows, Relaxed);
        let mut state = self.crew.state();
        state.positions.rows += rows;
        while state.positions.rows > MOST_ROWS_AHEAD
            && !self.is_awaited()
            && !self.crew.over.load(Relaxed)
        {
            state.held_up += 1;
            state = self.crew.may_go_on.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.held_up -= 1;
        }
    }
}

/// Lets nobody wait for a thread that has panicked.
struct EndOnPanic<'c>(&'c Crew);

impl Drop for EndOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.state().panicked = true;
            self.0.read.notify_all();
        }
    }
}
