//! A whole walk: alone as long as it is small, then with helpers.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::output::Output;
use super::shared::Shared;
use super::stack::Stack;
use super::team::{Job, Post, Team};
use super::worker::{Step, Worker};
use super::{Answer, Order, Visitor, Walk};
use crate::threads::start_scoped;

/// A tree that is done after this many directories never starts a thread: starting one takes as
/// long as reading about ten directories, and a dozen calls.
pub(super) const SMALL_DIRECTORIES: usize = 400;

/// What visitors wrote does not wait longer than this, even if it is little.
const PATIENCE: Duration = Duration::from_millis(100);
/// The clock is looked at once in so many steps.
const STEPS_PER_LOOK: usize = 64;

impl Walk {
    /// Does the walk, with as many workers as there are threads once the tree turns out not to be
    /// small. Each worker gets a visitor from `make`; what visitors write goes to `sink` in
    /// blocks of about 128 KiB, one at a time. Back come the visitors when all is done.
    ///
    /// With [`Order::Sorted`] up to 12 MiB of what visitors wrote wait for
    /// their turn; else nothing waits.
    ///
    /// Errors are items: see [`Item`](super::Item). A panic in a visitor ends the walk and is
    /// passed on.
    pub fn visit<V: Visitor + Send>(
        &self,
        make: impl Fn() -> V + Sync,
        mut sink: impl FnMut(&[u8]) -> Answer + Send,
    ) -> Vec<V> {
        let shared = Arc::new(Shared::new(self.clone()));
        let team = Team::new(self.order, Box::new(move |bytes: &mut Vec<u8>| sink(bytes)));
        let mut first = Worker::new(Arc::clone(&shared), make());
        let whole = first.start();
        let alone = Member::new(&team, &mut first).alone_until(SMALL_DIRECTORIES).work(whole);
        match alone {
            Some(rest) => go_on(&shared, &team, first, rest, &make),
            None => vec![first.scout.visitor],
        }
    }
}

/// Goes on with a walk, with as many workers as there are threads. Back come their visitors.
fn go_on<V: Visitor + Send>(
    shared: &Arc<Shared>,
    team: &Team<'_>,
    mut first: Worker<V>,
    rest: Job,
    make: &(impl Fn() -> V + Sync),
) -> Vec<V> {
    let workers = shared.workers();
    std::thread::scope(|scope| {
        let mut helpers = Vec::new();
        team.grow_to(workers);
        for _ in 1..workers {
            let helper = move || {
                let _alarm = StopOnPanic(team);
                let mut worker = Worker::new(Arc::clone(shared), make());
                Member::new(team, &mut worker).work_on(None);
                worker.scout.visitor
            };
            match start_scoped(scope, helper) {
                Ok(handle) => helpers.push(handle),
                Err(_) => break, // no more threads to be had: fewer will do
            }
        }
        team.grow_to(1 + helpers.len());
        let _alarm = StopOnPanic(team);
        Member::new(team, &mut first).work_on(Some(rest));
        let mut visitors = vec![first.scout.visitor];
        for helper in helpers {
            match helper.join() {
                Ok(visitor) => visitors.push(visitor),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        visitors
    })
}

/// How a worker minds what becomes of the bytes.
pub(super) trait Pace {
    /// Called between steps, when nothing is locked: may wait. False if the worker is to give its
    /// piece back and return.
    fn goes_on(&self) -> bool;
}

/// Works as fast as it can.
struct Free;

impl Pace for Free {
    #[inline]
    fn goes_on(&self) -> bool {
        true
    }
}

/// A worker as a member of a team.
pub(super) struct Member<'t, 's, V, P> {
    team: &'t Team<'s>,
    worker: &'t mut Worker<V>,
    pace: P,
    /// As long as nobody else works on the walk: how many directories it takes to change that.
    alone_until: Option<usize>,
    steps: usize,
    delivered: Instant,
}

impl<'t, 's, V: Visitor> Member<'t, 's, V, Free> {
    fn new(team: &'t Team<'s>, worker: &'t mut Worker<V>) -> Self {
        Member::at(Free, team, worker)
    }
}

impl<'t, 's, V: Visitor, P: Pace> Member<'t, 's, V, P> {
    pub(super) fn at(pace: P, team: &'t Team<'s>, worker: &'t mut Worker<V>) -> Self {
        Member { team, worker, pace, alone_until: None, steps: 0, delivered: Instant::now() }
    }

    /// Says that nobody else works on the walk until so many directories are read.
    pub(super) fn alone_until(mut self, directories: usize) -> Self {
        self.alone_until = Some(directories);
        self
    }

    /// Works until the walk is over, beginning with `job` if there is one.
    pub(super) fn work_on(&mut self, mut job: Option<Job>) {
        while let Some(next) = job.or_else(|| self.team.take()) {
            job = self.work(next);
        }
    }

    /// Works on one piece; back comes what to go on with. Alone, that is the rest of the same piece
    /// once the tree turns out not to be small.
    pub(super) fn work(&mut self, job: Job) -> Option<Job> {
        let team = self.team;
        let place = job.place;
        let limit_bytes = team.limit_bytes(place);
        self.worker.scout.stack = job.stack;
        self.worker.scout.stopped = false;
        if self.alone_until.is_none() {
            self.worker.share_descriptors();
        }
        let mut post = Post { team, place };
        while !team.is_over() {
            match self.worker.step(&mut post) {
                Step::More => {}
                Step::Done => return self.finish(&mut post),
                Step::Stopped => {
                    team.cut(place);
                    return self.finish(&mut post);
                }
            }
            let is_small = |most| self.worker.directories < most;
            if !self.alone_until.is_none_or(is_small) && self.worker.scout.stack.has_directories() {
                self.alone_until = None;
                return Some(Job { stack: self.take_stack(), place });
            }
            if let Some(share) = team.wants(place)
                && let Some(stack) = self.worker.split(share)
            {
                if self.worker.scout.shared.walk.order == Order::Any {
                    // What was visited goes out before what lies below it.
                    post.deliver(&mut self.worker.scout.out);
                }
                team.offer(stack, place, share);
            }
            if team.should_put_down(place, limit_bytes) {
                post.deliver(&mut self.worker.scout.out);
                // Nobody counts the descriptors of a piece that nobody works on.
                self.worker.scout.release_down_to(1);
                let stack = self.take_stack();
                self.worker.scout.stack = team.put_down(Job { stack, place })?.stack;
            }
            self.keep_patience(&mut post);
            if !self.pace.goes_on() {
                post.deliver(&mut self.worker.scout.out);
                team.give_back(Job { stack: self.take_stack(), place });
                return None;
            }
        }
        None
    }

    fn take_stack(&mut self) -> Stack {
        std::mem::take(&mut self.worker.scout.stack)
    }

    fn finish(&mut self, post: &mut Post<'t, 's>) -> Option<Job> {
        post.deliver(&mut self.worker.scout.out);
        self.team.finish(post.place)
    }

    /// Delivers what has waited long enough, unless it is not its turn anyway.
    fn keep_patience(&mut self, post: &mut Post<'t, 's>) {
        self.steps += 1;
        if self.steps.is_multiple_of(STEPS_PER_LOOK) && self.delivered.elapsed() > PATIENCE {
            if self.team.is_at_front(post.place) {
                post.deliver(&mut self.worker.scout.out);
            }
            self.delivered = Instant::now();
        }
    }
}

/// Lets the others go home when a visitor panics.
pub(super) struct StopOnPanic<'t, 's>(pub(super) &'t Team<'s>);

impl Drop for StopOnPanic<'_, '_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}
