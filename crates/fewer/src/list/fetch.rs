//! Fetches the metadata of rows, by several threads.
//!
//! A thread takes a chunk at a time. Where storage has to be waited for, a few rows at a time are
//! enough, and there are more threads than processors: as many as gain something.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Scope;
use std::time::{Duration, Instant};

use sys::{AsFile, Descriptor, Errno};

use super::metadata::MetadataRequest;
use super::rows::{Chunk, RowData};
use crate::cancel::CancelCheck;
use crate::compact;
use crate::concurrency::{AdaptiveLimit, Alone, MAX_THREADS, Progress, Sample};
use crate::processors::processors;
use crate::threads::start_scoped;

/// The clock is looked at once in so many rows, and where storage is slow a thread takes no more at
/// once.
const ROWS_PER_LOOK: usize = 16;

/// A row takes less than two microseconds where nothing has to be waited for, and some ten from a
/// local disk, which reads the metadata of many files at once, after a slow start.
const SLOW_ROW: Duration = Duration::from_micros(300);
const SLOW_TIME: Duration = Duration::from_millis(60);

/// What holds the reading of a directory.
pub(super) trait Restraint: Sync {
    /// Whether other threads may be started for it now.
    fn may_start_threads(&self) -> bool;

    /// Says that so many rows more have been read; may wait.
    fn add_rows(&self, rows: usize);
}

/// Nothing holds it: its caller waits for it.
pub(super) struct ReadsNow;

impl Restraint for ReadsNow {
    fn may_start_threads(&self) -> bool {
        true
    }

    fn add_rows(&self, _rows: usize) {}
}

/// The rows whose metadata is to be fetched, and those that are done.
pub(super) struct Fetch<'d> {
    dir: &'d Descriptor,
    restraint: &'d dyn Restraint,
    request: MetadataRequest,
    /// How many threads to use, if that is given.
    threads: Option<usize>,
    state: Mutex<State>,
    /// Notified when rows have been added, or no more will be.
    changed: Condvar,
    /// Whether storage has to be waited for.
    slow: AtomicBool,
    /// How many threads may work; those with higher numbers end.
    limit: AtomicUsize,
    rows: AtomicU64,
    control: Mutex<Control>,
}

#[derive(Default)]
struct State {
    /// The parts to be done, the first at the end.
    waiting: Vec<Part>,
    done: Vec<Part>,
    chunks: usize,
    started: usize,
    most_started: usize,
    closed: bool,
    canceled: bool,
}

/// What decides how many threads there are.
struct Control {
    alone: Alone,
    limit: Option<(Instant, AdaptiveLimit)>,
}

/// Rows of one chunk.
struct Part {
    /// Which chunk, and where in it they begin.
    chunk: usize,
    row: usize,
    rows: Chunk,
}

impl Part {
    /// Splits off the rows from `at` on.
    fn split_off(&mut self, at: usize) -> Part {
        let rest = Chunk {
            names: self.rows.names.clone(),
            rows: self.rows.rows.split_off(at),
            ..Chunk::default()
        };
        Part { chunk: self.chunk, row: self.row + at, rows: rest }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'d> Fetch<'d> {
    pub(super) fn new(
        dir: &'d Descriptor,
        request: MetadataRequest,
        threads: Option<usize>,
        restraint: &'d dyn Restraint,
    ) -> Fetch<'d> {
        Fetch {
            dir,
            restraint,
            request,
            threads,
            state: Mutex::default(),
            changed: Condvar::new(),
            slow: AtomicBool::new(false),
            limit: AtomicUsize::new(usize::MAX),
            rows: AtomicU64::new(0),
            control: Mutex::new(Control { alone: Alone::new(SLOW_ROW, SLOW_TIME), limit: None }),
        }
    }
}

impl Fetch<'_> {
    /// How many threads there are while the processors have work.
    fn usual_threads(&self) -> usize {
        self.threads.unwrap_or_else(processors)
    }

    fn is_slow(&self) -> bool {
        self.slow.load(Relaxed)
    }

    /// Adds a chunk; returns how many have been added in all.
    pub(super) fn put(&self, chunk: Chunk) -> usize {
        self.restraint.add_rows(chunk.rows.len());
        let mut state = lock(&self.state);
        let part = Part { chunk: state.chunks, row: 0, rows: chunk };
        state.chunks += 1;
        self.add(&mut state, part);
        state.chunks
    }

    fn add(&self, state: &mut State, part: Part) {
        state.waiting.push(part);
        if state.started > 0 {
            self.changed.notify_one();
        }
    }

    fn close(&self) {
        let mut state = lock(&self.state);
        state.closed = true;
        if state.started > 0 {
            self.changed.notify_all();
        }
    }

    /// Stops the work: no more rows are taken.
    pub(super) fn cancel(&self) {
        let mut state = lock(&self.state);
        state.canceled = true;
        state.waiting.clear();
    }

    pub(super) fn is_canceled(&self) -> bool {
        lock(&self.state).canceled
    }

    /// Starts one more thread unless there are as many as processors.
    pub(super) fn start_one<'s>(&'s self, scope: &'s Scope<'s, '_>) {
        if self.restraint.may_start_threads()
            && lock(&self.state).started + 1 < self.usual_threads()
        {
            self.start(scope);
        }
    }

    /// Starts one more thread; false if that fails.
    fn start<'s>(&'s self, scope: &'s Scope<'s, '_>) -> bool {
        let number = {
            let mut state = lock(&self.state);
            state.started += 1;
            state.most_started = state.most_started.max(state.started);
            state.started
        };
        let work = move || self.work(number, &CancelCheck::default(), scope);
        let started = start_scoped(scope, work).is_ok();
        if !started {
            lock(&self.state).started -= 1;
        }
        started
    }

    /// Fetches until all is done, or it is canceled, or there are too many threads. The calling
    /// thread has the number 0.
    pub(super) fn work<'s>(
        &'s self,
        number: usize,
        cancel_check: &CancelCheck,
        scope: &'s Scope<'s, '_>,
    ) {
        while let Some(mut part) = self.take(number) {
            if cancel_check.is_canceled() {
                return self.cancel();
            }
            let (mut done, mut looked) = (0, Instant::now());
            while self.request.needs_calls() && done < part.rows.rows.len() {
                let rows = done..part.rows.rows.len().min(done + ROWS_PER_LOOK);
                done = rows.end;
                let count = rows.len() as u64;
                part.rows.fetch_metadata(self.dir, &self.request, rows);
                let time = looked.elapsed();
                looked += time;
                self.look(time, count, scope);
                if self.is_slow() && done < part.rows.rows.len() {
                    let rest = part.split_off(done);
                    self.add(&mut lock(&self.state), rest);
                }
            }
            lock(&self.state).done.push(part);
        }
    }

    fn take(&self, number: usize) -> Option<Part> {
        let mut state = lock(&self.state);
        loop {
            if number > 0 && number >= self.limit.load(Relaxed) {
                state.started -= 1;
                return None;
            }
            if let Some(mut part) = state.waiting.pop() {
                if self.is_slow() && part.rows.rows.len() > ROWS_PER_LOOK {
                    let rest = part.split_off(ROWS_PER_LOOK);
                    self.add(&mut state, rest);
                }
                return Some(part);
            }
            if state.closed {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Says how long some rows took: decides how many threads there are from now on.
    fn look<'s>(&'s self, time: Duration, rows: u64, scope: &'s Scope<'s, '_>) {
        let items = self.rows.fetch_add(rows, Relaxed) + rows;
        if self.threads == Some(1) || !self.restraint.may_start_threads() {
            return;
        }
        // Another thread is at it if it is locked.
        let Ok(mut control) = self.control.try_lock() else { return };
        let Control { alone, limit } = &mut *control;
        let limit = match limit {
            None if alone.waits(time, rows) => {
                let least = self.usual_threads();
                let most = self.threads.unwrap_or_else(|| MAX_THREADS.max(least));
                let (_, limit) = limit.insert((Instant::now(), AdaptiveLimit::new(least, most)));
                limit.begin(Progress { time: Duration::ZERO, items }, alone.rate());
                limit
            }
            Some((begun, limit)) if begun.elapsed() >= limit.due() => {
                let has_more = !lock(&self.state).waiting.is_empty();
                let now = Progress { time: begun.elapsed(), items };
                if !limit.update(now, has_more, Sample::now) {
                    return;
                }
                limit
            }
            _ => return,
        };
        self.slow.store(limit.limit() > limit.least(), Relaxed);
        self.limit.store(limit.limit(), Relaxed);
        while lock(&self.state).started + 1 < limit.limit() {
            if !self.start(scope) {
                limit.cap(lock(&self.state).started + 1); // fewer will do
            }
        }
    }

    /// The chunks, in the order in which they came, and how many threads are worthwhile for the
    /// next steps.
    pub(super) fn finish(self) -> (Vec<Chunk>, usize) {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let threads = match state.most_started {
            0 => 1,
            started => (started + 1).min(self.threads.unwrap_or_else(processors)),
        };
        let mut parts = state.done;
        compact::sort_by_key(&mut parts, |part| (part.chunk, part.row));
        let mut chunks: Vec<Chunk> = Vec::with_capacity(state.chunks);
        for Part { row, rows, .. } in parts {
            match chunks.last_mut() {
                Some(chunk) if row > 0 => chunk.append(rows),
                _ => chunks.push(rows),
            }
        }
        (chunks, threads)
    }
}

/// Closes the queue when it goes out of scope.
pub(super) struct CloseOnDrop<'f, 'd>(pub(super) &'f Fetch<'d>);

impl Drop for CloseOnDrop<'_, '_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl Chunk {
    /// Fetches the metadata of some rows, those before them being done.
    pub(super) fn fetch_metadata(
        &mut self,
        dir: &Descriptor,
        request: &MetadataRequest,
        rows: Range<usize>,
    ) {
        if !request.needs_calls() {
            return;
        }
        let at = dir.as_file();
        let (names, failed) = (&self.names, &mut self.failed);
        let fetch = |data: &mut RowData| {
            if !request.needs_calls_of(data.kind) {
                return None;
            }
            let start = data.start as usize;
            let with_nul = &names[start..=start + usize::from(data.length)];
            let answer = match std::ffi::CStr::from_bytes_with_nul(with_nul) {
                Ok(name) => request.fetch(at, name, data),
                Err(_) => Some(Err(Errno::INVAL)),
            };
            *failed |= matches!(answer, Some(Err(_)))
                || data.more.as_ref().is_some_and(|more| {
                    more.link.as_ref().is_some_and(|link| matches!(link.path, Some(Err(_))))
                });
            answer
        };
        let every = self.rows.len();
        let rows = self.rows[rows].iter_mut();
        match request.needs_stat() {
            true => {
                self.answers.reserve_exact(every - self.answers.len());
                self.answers.extend(rows.map(fetch));
            }
            false => {
                // Links and marks are kept with the row.
                rows.map(fetch).for_each(|_| {});
            }
        }
    }

    /// Appends the rows that were split off from it.
    fn append(&mut self, mut rest: Chunk) {
        self.rows.append(&mut rest.rows);
        self.answers.append(&mut rest.answers);
        self.failed |= rest.failed;
    }
}
