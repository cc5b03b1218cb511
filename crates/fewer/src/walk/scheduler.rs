//! How workers share the work of a walk, and in which order their output is delivered.
//!
//! A piece of work is a [`Stack`]: open directories with what is left to do in each. Splitting one
//! yields two that follow each other in the order of the walk, so the pieces always form a
//! sequence. Without an order each worker delivers its output at once. With an order the output of
//! the first piece, the front, is delivered at once, and that of the others waits in a window of
//! limited size. A worker whose output fills its part of the window pauses its piece until the
//! front reaches it, and helps near the front instead.
//!
//! A worker without work sleeps; a worker with work reads one atomic number per step to see whether
//! another one waits for work.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::output::Output;
use super::stack::{Share, Stack};
use super::{Answer, Order};

/// How many bytes of output may wait for earlier pieces, of all workers together.
const WINDOW_BYTES: usize = 12 << 20;

/// Receives blocks of bytes, one at a time, and returns whether to go on. It may keep the memory of
/// a block, and leave other memory in its place.
pub(crate) type Sink<'s> = Box<dyn FnMut(&mut Vec<u8>) -> Answer + Send + 's>;

/// A piece of work.
pub(crate) struct Work {
    pub(crate) stack: Stack,
    pub(crate) piece: usize,
}

/// What the workers of one walk share about its pieces of work.
pub(crate) struct Scheduler<'s> {
    order: Order,
    state: Mutex<State>,
    work_or_end: Condvar,
    /// How many workers may work at once: those with lower numbers.
    limit: AtomicUsize,
    /// Workers above the limit wait here.
    limit_raised: Condvar,
    /// How many workers wait for work that has not been offered yet.
    lacking_work: AtomicUsize,
    /// How many bytes of output wait for earlier pieces.
    waiting_bytes: AtomicUsize,
    /// The piece whose output is delivered at once.
    front: AtomicUsize,
    over: AtomicBool,
    /// Whether the sink has refused to take more.
    refused: AtomicBool,
    sink: Mutex<Sink<'s>>,
    /// Whether one worker is also the consumer of the output, and waits for either.
    has_consumer: bool,
}

struct State {
    offered: Vec<Work>,
    /// How many of them wait for work or for the limit to rise.
    idle: usize,
    /// How many of these are above the limit.
    parked: usize,
    members: usize,
    pieces: Vec<Piece>,
    free: Vec<usize>,
}

/// One piece of an ordered walk.
#[derive(Default)]
struct Piece {
    next: Option<usize>,
    blocks: std::collections::VecDeque<Vec<u8>>,
    /// Set when its worker paused it because the window was full.
    paused: Option<Stack>,
    finished: bool,
    /// How full the window may be for a worker to go on with it.
    limit_bytes: usize,
}

impl<'s> Scheduler<'s> {
    pub(crate) fn new(order: Order, sink: Sink<'s>) -> Scheduler<'s> {
        let first = Piece { limit_bytes: WINDOW_BYTES, ..Piece::default() };
        let state = State {
            offered: Vec::new(),
            idle: 0,
            parked: 0,
            members: 1,
            pieces: vec![first],
            free: Vec::new(),
        };
        Scheduler {
            order,
            state: Mutex::new(state),
            work_or_end: Condvar::new(),
            limit: AtomicUsize::new(usize::MAX),
            limit_raised: Condvar::new(),
            lacking_work: AtomicUsize::new(0),
            waiting_bytes: AtomicUsize::new(0),
            front: AtomicUsize::new(0),
            over: AtomicBool::new(false),
            refused: AtomicBool::new(false),
            sink: Mutex::new(sink),
            has_consumer: false,
        }
    }

    /// A scheduler of which one worker waits for output as well: see [`Scheduler::take_unless`].
    pub(crate) fn with_consumer(order: Order, sink: Sink<'s>) -> Scheduler<'s> {
        Scheduler { has_consumer: true, ..Scheduler::new(order, sink) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says that there is one more worker, before it is started: a walk is not over while one is
    /// about to ask for work.
    pub(crate) fn add_worker(&self) {
        self.state().members += 1;
    }

    /// Says that a worker could not be started.
    pub(crate) fn drop_worker(&self) {
        self.state().members -= 1;
    }

    /// From now on so many workers work at once.
    pub(crate) fn set_limit(&self, limit: usize) {
        let state = self.state();
        self.limit.store(limit, Relaxed);
        if state.parked > 0 {
            self.limit_raised.notify_all();
        }
    }

    /// Whether the worker with that number is to wait until the limit rises. The first one, which
    /// is the calling thread, never does.
    #[inline]
    pub(crate) fn is_above_limit(&self, worker: usize) -> bool {
        worker > 0 && worker >= self.limit.load(Relaxed)
    }

    /// Whether a worker waits for work that has not been offered yet.
    #[inline]
    pub(crate) fn lacks_work(&self) -> bool {
        self.lacking_work.load(Relaxed) > 0
    }

    /// Whether the walk is over, be it done or stopped.
    pub(crate) fn is_over(&self) -> bool {
        self.over.load(Relaxed)
    }

    /// Ends the walk: no worker begins another piece or step.
    pub(crate) fn stop(&self) {
        let state = self.state(); // no worker is between reading `over` and falling asleep
        self.over.store(true, Relaxed);
        self.wake_all(&state);
    }

    /// Which part of its work a worker should give away now, if any.
    #[inline]
    pub(crate) fn wants(&self, piece: usize) -> Option<Share> {
        if !self.lacks_work() {
            return None;
        }
        match self.waiting_bytes.load(Relaxed) {
            0..HALF_WINDOW => Some(Share::Largest),
            HALF_WINDOW..WINDOW_BYTES if self.is_at_front(piece) => Some(Share::Nearest),
            _ => None,
        }
    }

    /// Whether the output of this piece is delivered at once.
    pub(crate) fn is_at_front(&self, piece: usize) -> bool {
        self.order == Order::Any || self.front.load(Relaxed) == piece
    }

    /// Offers a piece that follows right after the piece `after`.
    pub(crate) fn offer(&self, stack: Stack, after: usize, share: Share) {
        let mut state = self.state();
        let piece = match self.order {
            Order::Any => 0,
            Order::Sorted => state.insert(after, share),
        };
        state.offered.push(Work { stack, piece });
        self.offered(&state);
    }

    fn offered(&self, state: &State) {
        self.count_lacking_work(state);
        match state.idle - state.parked {
            0 => {}
            // The worker that wakes up may be the consumer, which then takes output instead.
            _ if self.has_consumer => self.work_or_end.notify_all(),
            _ => self.work_or_end.notify_one(),
        }
    }

    /// Wakes the workers that wait, if there are any: without the check it would cost a call.
    fn wake_all(&self, state: &State) {
        if state.idle > 0 {
            self.work_or_end.notify_all();
        }
        if state.parked > 0 {
            self.limit_raised.notify_all();
        }
    }

    fn count_lacking_work(&self, state: &State) {
        let waiting = state.idle - state.parked;
        self.lacking_work.store(waiting.saturating_sub(state.offered.len()), Relaxed);
    }

    /// Gives back a piece that was begun.
    pub(crate) fn give_back(&self, work: Work) {
        let mut state = self.state();
        state.offered.push(work);
        self.offered(&state);
    }

    /// Waits for work for the worker with that number; `None` when the walk is over.
    pub(crate) fn take(&self, worker: usize) -> Option<Work> {
        self.take_unless(worker, || false)
    }

    /// As [`take`](Scheduler::take); also `None` if `ready` says that there is something else to
    /// do. It is called again whenever bytes were delivered.
    pub(crate) fn take_unless(&self, worker: usize, ready: impl Fn() -> bool) -> Option<Work> {
        let mut state = self.state();
        state.idle += 1;
        let work = loop {
            if self.is_over() || ready() {
                break None;
            }
            let parked = self.is_above_limit(worker);
            if !parked && let Some(work) = state.offered.pop() {
                break Some(work);
            }
            if state.is_done() && self.order == Order::Any {
                self.over.store(true, Relaxed);
                state.idle -= 1;
                self.wake_all(&state);
                return None;
            }
            state = self.wait(state, parked);
        };
        state.idle -= 1;
        self.count_lacking_work(&state);
        work
    }

    fn wait<'g>(&self, mut state: MutexGuard<'g, State>, parked: bool) -> MutexGuard<'g, State> {
        state.parked += usize::from(parked);
        self.count_lacking_work(&state);
        if parked && !state.offered.is_empty() {
            self.work_or_end.notify_one(); // it may have been woken for that
        }
        let condition = if parked { &self.limit_raised } else { &self.work_or_end };
        let mut state = condition.wait(state).unwrap_or_else(PoisonError::into_inner);
        state.parked -= usize::from(parked);
        state
    }

    /// Whether the worker on this piece should pause it.
    #[inline]
    pub(crate) fn should_pause(&self, piece: usize, limit_bytes: usize) -> bool {
        self.waiting_bytes.load(Relaxed) > limit_bytes && !self.is_at_front(piece)
    }

    /// How full the window may be for a worker to go on with this piece.
    pub(crate) fn limit_bytes(&self, piece: usize) -> usize {
        self.state().pieces[piece].limit_bytes
    }

    /// Pauses a piece. Returns it if the front has reached it meanwhile: then it goes on.
    pub(crate) fn pause(&self, work: Work) -> Option<Work> {
        let mut state = self.state();
        if self.is_at_front(work.piece) {
            return Some(work);
        }
        state.pieces[work.piece].paused = Some(work.stack);
        None
    }

    /// Drops everything after this piece, because a visitor has ended the walk. What comes before
    /// it in the order is still visited.
    pub(crate) fn cut(&self, piece: usize) {
        match self.order {
            Order::Any => self.stop(),
            Order::Sorted => self.state().pieces[piece].next = None,
        }
    }

    /// Says that a piece is done. Returns the next piece if the front moves on to one that is
    /// paused.
    pub(crate) fn finish(&self, piece: usize) -> Option<Work> {
        if self.order == Order::Any {
            return None;
        }
        let mut state = self.state();
        state.pieces[piece].finished = true;
        if self.front.load(Relaxed) != piece {
            return None;
        }
        let mut here = piece;
        loop {
            let Some(next) = state.pieces[here].next else {
                self.over.store(true, Relaxed);
                self.wake_all(&state);
                return None;
            };
            // Until `front` says otherwise only this worker delivers.
            while let Some(mut block) = state.pieces[next].blocks.pop_front() {
                drop(state);
                self.waiting_bytes.fetch_sub(block.len(), Relaxed);
                self.deliver(&mut block);
                state = self.state();
            }
            // A piece keeps its number as long as it is the front.
            let left = std::mem::replace(&mut here, next);
            self.front.store(here, Relaxed);
            state.remove(left);
            if state.pieces[here].finished {
                continue;
            }
            if let Some(stack) = state.pieces[here].paused.take() {
                return Some(Work { stack, piece: here });
            }
            let offered = state.offered.iter().position(|work| work.piece == here);
            let work = offered.map(|index| state.offered.swap_remove(index));
            self.count_lacking_work(&state);
            return work;
        }
    }

    /// Hands bytes to the sink, which may end the walk.
    fn deliver(&self, block: &mut Vec<u8>) -> bool {
        if !block.is_empty() && !self.refused.load(Relaxed) {
            let mut sink = self.sink.lock().unwrap_or_else(PoisonError::into_inner);
            if !self.refused.load(Relaxed) && sink(block) == Answer::Stop {
                self.refused.store(true, Relaxed);
                self.stop();
            }
            drop(sink);
            if self.has_consumer {
                let state = self.state(); // no worker is between asking and falling asleep
                self.wake_all(&state);
            }
        }
        !self.is_over()
    }
}

const HALF_WINDOW: usize = WINDOW_BYTES / 2;

impl State {
    /// Whether no worker has work, and there is none.
    fn is_done(&self) -> bool {
        self.idle == self.members && self.offered.is_empty()
    }

    /// A new piece right after another.
    fn insert(&mut self, after: usize, share: Share) -> usize {
        let limit_bytes = match share {
            Share::Largest => HALF_WINDOW,
            Share::Nearest => WINDOW_BYTES,
        };
        let new = Piece { next: self.pieces[after].next, limit_bytes, ..Piece::default() };
        let piece = self.free.pop().unwrap_or_else(|| {
            self.pieces.push(Piece::default());
            self.pieces.len() - 1
        });
        self.pieces[piece] = new;
        self.pieces[after].next = Some(piece);
        piece
    }

    fn remove(&mut self, piece: usize) {
        self.pieces[piece] = Piece::default();
        self.free.push(piece);
    }
}

/// Where a worker's output goes while it works on one piece.
pub(crate) struct PieceOutput<'t, 's> {
    pub(crate) scheduler: &'t Scheduler<'s>,
    pub(crate) piece: usize,
}

impl Output for PieceOutput<'_, '_> {
    fn deliver(&mut self, out: &mut Vec<u8>) -> bool {
        let scheduler = self.scheduler;
        let mut state = scheduler.state();
        if scheduler.is_at_front(self.piece) {
            // It stays there until its worker says that it is done.
            drop(state);
            scheduler.deliver(out);
        } else {
            scheduler.waiting_bytes.fetch_add(out.len(), Relaxed);
            // Of just the size, so that what waits takes no more memory than it is counted for.
            state.pieces[self.piece].blocks.push_back(out.as_slice().to_vec());
        }
        out.clear();
        !scheduler.is_over()
    }
}
