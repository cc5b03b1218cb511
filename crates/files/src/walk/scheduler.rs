//! Workers that hand each other work, and the order of what they print.
//!
//! Every piece of work is a [`Stack`]: a way down with what is left to do on it. Splitting one
//! yields two that follow each other in the order of the walk, so the pieces always form a
//! sequence. Without order each worker just delivers. With order the bytes of the first piece, the
//! front, go out at once, and those of the others wait, in a window of limited size. A worker
//! whose bytes fill its part of the window puts its piece down, to be taken up again when the front
//! gets there, and helps near the front instead.
//!
//! Who has nothing to do sleeps; who has work looks at one atomic number per step to see whether
//! somebody waits.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::output::Output;
use super::stack::{Share, Stack};
use super::{Answer, Order};

/// So many bytes may wait for their turn, all workers together.
const WINDOW_BYTES: usize = 12 << 20;

/// Receives blocks of bytes, one at a time, and answers whether to go on. It may keep the memory of
/// a block, and leave other memory in its place.
pub(crate) type Sink<'s> = Box<dyn FnMut(&mut Vec<u8>) -> Answer + Send + 's>;

/// A piece of work.
pub(crate) struct Job {
    pub(crate) stack: Stack,
    pub(crate) place: usize,
}

/// One walk's workers, seen from any of them.
pub(crate) struct Team<'s> {
    order: Order,
    state: Mutex<State>,
    work_or_end: Condvar,
    /// How many wait for work that nobody has put down for them yet.
    hungry: AtomicUsize,
    /// How many bytes wait for their turn.
    waiting_bytes: AtomicUsize,
    /// The piece whose bytes go out at once.
    front: AtomicUsize,
    over: AtomicBool,
    /// Whether the sink has refused to take more.
    refused: AtomicBool,
    sink: Mutex<Sink<'s>>,
    /// Whether somebody waits for bytes as well as for work.
    is_pulled: bool,
}

struct State {
    offered: Vec<Job>,
    idle: usize,
    members: usize,
    pieces: Vec<Piece>,
    free: Vec<usize>,
}

/// One piece of an ordered walk.
#[derive(Default)]
struct Piece {
    next: Option<usize>,
    blocks: std::collections::VecDeque<Vec<u8>>,
    /// Set when its worker put it down because the window was full.
    put_down: Option<Stack>,
    finished: bool,
    /// How full the window may be for a worker to go on with it.
    limit_bytes: usize,
}

impl<'s> Team<'s> {
    pub(crate) fn new(order: Order, sink: Sink<'s>) -> Team<'s> {
        let first = Piece { limit_bytes: WINDOW_BYTES, ..Piece::default() };
        let state = State {
            offered: Vec::new(),
            idle: 0,
            members: 1,
            pieces: vec![first],
            free: Vec::new(),
        };
        Team {
            order,
            state: Mutex::new(state),
            work_or_end: Condvar::new(),
            hungry: AtomicUsize::new(0),
            waiting_bytes: AtomicUsize::new(0),
            front: AtomicUsize::new(0),
            over: AtomicBool::new(false),
            refused: AtomicBool::new(false),
            sink: Mutex::new(sink),
            is_pulled: false,
        }
    }

    /// A team of which one member waits for bytes as well: see [`Team::take_or`].
    pub(crate) fn pulled(order: Order, sink: Sink<'s>) -> Team<'s> {
        Team { is_pulled: true, ..Team::new(order, sink) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says how many workers there are from now on.
    pub(crate) fn grow_to(&self, members: usize) {
        self.state().members = members;
    }

    /// Whether the walk is over, be it done or stopped.
    pub(crate) fn is_over(&self) -> bool {
        self.over.load(Relaxed)
    }

    /// Ends the walk: nobody begins anything new.
    pub(crate) fn stop(&self) {
        let state = self.state(); // nobody is between looking at `over` and falling asleep
        self.over.store(true, Relaxed);
        self.wake_all(&state);
    }

    /// Which part of its work a worker should give away now, if any.
    #[inline]
    pub(crate) fn wants(&self, place: usize) -> Option<Share> {
        if self.hungry.load(Relaxed) == 0 {
            return None;
        }
        match self.waiting_bytes.load(Relaxed) {
            0..HALF_WINDOW => Some(Share::Largest),
            HALF_WINDOW..WINDOW_BYTES if self.is_at_front(place) => Some(Share::Nearest),
            _ => None,
        }
    }

    /// Whether the bytes of this piece go out at once.
    pub(crate) fn is_at_front(&self, place: usize) -> bool {
        self.order == Order::Any || self.front.load(Relaxed) == place
    }

    /// Offers a piece that follows right after the piece `after`.
    pub(crate) fn offer(&self, stack: Stack, after: usize, share: Share) {
        let mut state = self.state();
        let place = match self.order {
            Order::Any => 0,
            Order::Sorted => state.insert(after, share),
        };
        state.offered.push(Job { stack, place });
        self.offered(&state);
    }

    fn offered(&self, state: &State) {
        self.count_hungry(state);
        match state.idle {
            0 => {}
            // The one who is woken may have something better to do.
            _ if self.is_pulled => self.work_or_end.notify_all(),
            _ => self.work_or_end.notify_one(),
        }
    }

    /// Wakes who waits; to wake nobody would be a call, too.
    fn wake_all(&self, state: &State) {
        if state.idle > 0 {
            self.work_or_end.notify_all();
        }
    }

    fn count_hungry(&self, state: &State) {
        self.hungry.store(state.idle.saturating_sub(state.offered.len()), Relaxed);
    }

    /// Gives back a piece that was begun.
    pub(crate) fn give_back(&self, job: Job) {
        let mut state = self.state();
        state.offered.push(job);
        self.offered(&state);
    }

    /// Waits for work; `None` when the walk is over.
    pub(crate) fn take(&self) -> Option<Job> {
        self.take_or(|| false)
    }

    /// Waits for work; `None` when the walk is over, or `ready` says that there is something else
    /// to do. It is asked again whenever bytes were delivered.
    pub(crate) fn take_or(&self, ready: impl Fn() -> bool) -> Option<Job> {
        let mut state = self.state();
        state.idle += 1;
        loop {
            if self.is_over() {
                state.idle -= 1;
                return None;
            }
            if ready() {
                state.idle -= 1;
                self.count_hungry(&state);
                return None;
            }
            if let Some(job) = state.offered.pop() {
                state.idle -= 1;
                self.count_hungry(&state);
                return Some(job);
            }
            if state.idle == state.members && self.order == Order::Any {
                self.over.store(true, Relaxed);
                state.idle -= 1;
                self.wake_all(&state);
                return None;
            }
            self.count_hungry(&state);
            state = self.work_or_end.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Whether the worker on this piece should put it down for now.
    #[inline]
    pub(crate) fn should_put_down(&self, place: usize, limit_bytes: usize) -> bool {
        self.waiting_bytes.load(Relaxed) > limit_bytes && !self.is_at_front(place)
    }

    /// How full the window may be for a worker to go on with this piece.
    pub(crate) fn limit_bytes(&self, place: usize) -> usize {
        self.state().pieces[place].limit_bytes
    }

    /// Puts a piece down; back comes what to go on with, if the front has reached it meanwhile.
    pub(crate) fn put_down(&self, job: Job) -> Option<Job> {
        let mut state = self.state();
        if self.is_at_front(job.place) {
            return Some(job);
        }
        state.pieces[job.place].put_down = Some(job.stack);
        None
    }

    /// Drops everything after this piece, because a visitor wants no more. What lies before it is
    /// still wanted.
    pub(crate) fn cut(&self, place: usize) {
        match self.order {
            Order::Any => self.stop(),
            Order::Sorted => self.state().pieces[place].next = None,
        }
    }

    /// Says that a piece is done; back comes what to go on with, if the front moves on to a piece
    /// that nobody works on.
    pub(crate) fn finish(&self, place: usize) -> Option<Job> {
        if self.order == Order::Any {
            return None;
        }
        let mut state = self.state();
        state.pieces[place].finished = true;
        if self.front.load(Relaxed) != place {
            return None;
        }
        let mut here = place;
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
            if let Some(stack) = state.pieces[here].put_down.take() {
                return Some(Job { stack, place: here });
            }
            let offered = state.offered.iter().position(|job| job.place == here);
            let job = offered.map(|index| state.offered.swap_remove(index));
            self.count_hungry(&state);
            return job;
        }
    }

    /// Hands bytes to the sink, which ends the walk if it answers so.
    fn deliver(&self, block: &mut Vec<u8>) -> bool {
        if !block.is_empty() && !self.refused.load(Relaxed) {
            let mut sink = self.sink.lock().unwrap_or_else(PoisonError::into_inner);
            if !self.refused.load(Relaxed) && sink(block) == Answer::Stop {
                self.refused.store(true, Relaxed);
                self.stop();
            }
            drop(sink);
            if self.is_pulled {
                let state = self.state(); // nobody is between asking and falling asleep
                self.wake_all(&state);
            }
        }
        !self.is_over()
    }
}

const HALF_WINDOW: usize = WINDOW_BYTES / 2;

impl State {
    /// A new piece right after another.
    fn insert(&mut self, after: usize, share: Share) -> usize {
        let limit_bytes = match share {
            Share::Largest => HALF_WINDOW,
            Share::Nearest => WINDOW_BYTES,
        };
        let piece = Piece { next: self.pieces[after].next, limit_bytes, ..Piece::default() };
        let place = self.free.pop().unwrap_or_else(|| {
            self.pieces.push(Piece::default());
            self.pieces.len() - 1
        });
        self.pieces[place] = piece;
        self.pieces[after].next = Some(place);
        place
    }

    fn remove(&mut self, place: usize) {
        self.pieces[place] = Piece::default();
        self.free.push(place);
    }
}

/// Where a worker's bytes go while it works on one piece.
pub(crate) struct Post<'t, 's> {
    pub(crate) team: &'t Team<'s>,
    pub(crate) place: usize,
}

impl Output for Post<'_, '_> {
    fn deliver(&mut self, out: &mut Vec<u8>) -> bool {
        let team = self.team;
        let mut state = team.state();
        if team.is_at_front(self.place) {
            // It stays there until its worker says that it is done.
            drop(state);
            team.deliver(out);
        } else {
            team.waiting_bytes.fetch_add(out.len(), Relaxed);
            // Of just the size, so that what waits takes no more memory than it is counted for.
            state.pieces[self.place].blocks.push_back(out.as_slice().to_vec());
        }
        out.clear();
        !team.is_over()
    }
}
