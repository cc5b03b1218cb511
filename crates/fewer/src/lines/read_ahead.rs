//! A thread that reads and checks the blocks that come next, while the caller's thread uses this
//! one.
//!
//! The thread has a reader of its own, which goes on where the caller's is: it has the file, the
//! beginning of a line that the last block cut off, and what is known about that. It hands over the
//! whole lines of a block, in the memory that they were read into, and gets the memory back. At the
//! end the caller's reader takes over the state of the other one.
//!
//! It is stopped by anything but the reading of lines. Then the file goes back to where the
//! caller's reader is, and what was read ahead is read again if it is needed.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use sys::{Errno, Kind};

use super::batch::Table;
use super::block::Block;
use super::{LineError, Lines, Source};
use crate::Action;
use crate::cancel::CancelCheck;
use crate::threads;

/// How many blocks may wait: few enough to be still in the cache when they are used.
const MOST_QUEUED_BLOCKS: usize = 8;

/// For no more it is not worthwhile to start a thread.
const BEYOND_BYTES: u64 = 1 << 20;

/// The whole lines of a block.
#[derive(Debug, Default)]
struct Ready {
    block: Block,
    table: Table,
}

#[derive(Debug)]
enum Sent {
    Ready(Ready),
    /// The last of all: the reader, and what its reading ended with.
    Over(Box<Lines<'static>>, Result<(), LineError>),
}

/// What the two threads hand each other.
#[derive(Debug, Default)]
struct Exchange {
    waiting: Mutex<Waiting>,
    changed: Condvar,
    /// Nothing is wanted any more.
    stop: AtomicBool,
}

/// What waits for one of the threads. (Channels of the standard library would be 100 kB of code.)
#[derive(Debug, Default)]
struct Waiting {
    /// For the thread: its reader, which comes when there is a thread to take it.
    reader: Option<Box<Lines<'static>>>,
    /// For the caller.
    filled: VecDeque<Sent>,
    /// Memory for the thread.
    used: Vec<Ready>,
    /// The thread sends no more.
    has_ended: bool,
}

/// The thread, as the caller's reader sees it. Dropping it ends the thread and waits for that.
#[derive(Debug)]
pub(super) struct ReadAhead {
    exchange: Arc<Exchange>,
    thread: Option<JoinHandle<()>>,
    /// The position of the file where reading began.
    origin: u64,
}

impl Lines<'_> {
    /// Whether another thread is to read ahead: it reads and checks the blocks that come next,
    /// while this one is busy with the lines that [`Lines::next`] and [`Lines::next_batch`] have
    /// returned. They return the same lines and the same errors at the same place. By default no
    /// thread does.
    ///
    /// It is started when more than 1 MiB has been read of a regular file that is not borrowed, and
    /// more than a block is left, unless [`Lines::threads`] is 1. It reads ahead by 8 blocks at
    /// most, takes no signals, and ends with the file, with this reader, or with any operation but
    /// these two: then nothing is lost, and what was read ahead is read again. [`Lines::last`] is
    /// for few lines and switches it off. A process that is forked off has no such thread, and must
    /// not use the reader.
    ///
    /// Price: beyond 1 MiB one `statx`, and one `lseek` for a file that was not opened here. To
    /// stop it before its end costs one `lseek`.
    ///
    /// ```
    /// use fewer::Lines;
    ///
    /// let mut lines = Lines::open("Cargo.toml")?;
    /// lines.set_read_ahead(true)?; // no thread for so few
    /// assert!(lines.next_batch()?.is_some_and(|batch| batch.len() > 10));
    /// # Ok::<(), fewer::LineError>(())
    /// ```
    ///
    /// # Errors
    /// The kernel's number, if a thread has to be stopped and the position of the file cannot be
    /// set.
    pub fn set_read_ahead(&mut self, read_ahead: bool) -> Result<(), LineError> {
        self.options.read_ahead = read_ahead;
        if read_ahead { Ok(()) } else { self.stop_ahead() }
    }

    /// Stops the thread, if there is one; the file goes back to where this reader is.
    ///
    /// Price: none, or one `lseek`.
    pub(super) fn stop_ahead(&mut self) -> Result<(), LineError> {
        let Some(ahead) = self.ahead.take() else { return Ok(()) };
        let origin = ahead.origin;
        drop(ahead);
        sys::set_position(self.source.as_file(), origin + self.bytes_read())
            .map_err(|errno| self.failed(Action::READ, errno))
    }

    /// Starts the thread if it is time to and worthwhile; whether it was started.
    pub(super) fn start_ahead(&mut self) -> bool {
        if self.ended || self.bytes_read() <= BEYOND_BYTES {
            return false;
        }
        // It is tried once.
        self.options.read_ahead = false;
        if self.options.threads == Some(1) || !self.has_much_left() {
            return false;
        }
        let (Some(source), Ok(position)) = (self.source.shared(), self.position()) else {
            return false;
        };
        let origin = position - self.bytes_read();
        let exchange = Arc::new(Exchange::default());
        let of_thread = Arc::clone(&exchange);
        let Ok(thread) = threads::start(move || of_thread.run()) else { return false };
        let reader = self.begin_ahead(source, Arc::clone(&exchange));
        exchange.waiting().reader = Some(Box::new(reader));
        exchange.changed.notify_all();
        self.ahead = Some(ReadAhead { exchange, thread: Some(thread), origin });
        true
    }

    /// Whether it is a regular file with more than a block left.
    ///
    /// Price: one `statx`.
    fn has_much_left(&self) -> bool {
        let more_than = self.bytes_read() + self.options.block_bytes as u64;
        self.stat().is_ok_and(|stat| stat.kind() == Kind::File && stat.size() > more_than)
    }

    /// The reader of the other thread, which goes on behind the lines of this one.
    fn begin_ahead(&mut self, source: Source<'static>, exchange: Arc<Exchange>) -> Lines<'static> {
        let next = Block::starting(self.bytes_read());
        let reader = Lines::new(source, &self.name);
        Lines {
            options: self.options,
            cancel_check: CancelCheck::new(move || exchange.stop.load(Relaxed)),
            block: std::mem::replace(&mut self.block, next),
            checker: std::mem::take(&mut self.checker),
            number: self.number,
            was_short: self.was_short,
            ..reader
        }
    }

    /// Fills the table with the next lines of the other thread; false if there are none.
    pub(super) fn take_ahead(&mut self) -> Result<bool, LineError> {
        let Some(ahead) = &mut self.ahead else { return Ok(false) };
        let Ok(next) = ahead.next(&self.cancel_check) else {
            return Err(self.failed(Action::READ, Errno::CANCELED));
        };
        match next {
            Sent::Ready(Ready { block, table }) => {
                let block = std::mem::replace(&mut self.block, block);
                let table = std::mem::replace(&mut self.table, table);
                ahead.exchange.waiting().used.push(Ready { block, table });
                Ok(true)
            }
            Sent::Over(reader, outcome) => {
                self.ahead = None;
                self.block = reader.block;
                self.checker = reader.checker;
                self.pending = reader.pending;
                self.ended = reader.ended;
                self.was_short = reader.was_short;
                self.has_grown |= reader.has_grown;
                outcome.map(|()| false)
            }
        }
    }

    /// The whole lines of the block, which go; what is behind them stays, in the memory of `spare`.
    fn hand_over(&mut self, mut spare: Ready) -> Result<Ready, LineError> {
        let lines = self.table.bytes();
        let room = self.options.block_bytes.saturating_mul(2);
        let rest = self.block.split_off(lines, &mut spare.block, room);
        rest.map_err(|errno| self.failed(Action::READ_LINE, errno))?;
        spare.table.clear();
        self.number += self.table.len() as u64;
        std::mem::swap(&mut self.block, &mut spare.block);
        std::mem::swap(&mut self.table, &mut spare.table);
        Ok(spare)
    }
}

impl Source<'_> {
    /// The same file for another thread, if it does not belong to the caller.
    fn shared(&self) -> Option<Source<'static>> {
        match self {
            Source::Own(file) => Some(Source::Own(Arc::clone(file))),
            Source::Taken(file) => Some(Source::Taken(Arc::clone(file))),
            Source::Lent(_) => None,
        }
    }
}

/// Tells the caller that no more comes, also if the thread panics.
struct Ending<'e>(&'e Exchange);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.waiting().has_ended = true;
        self.0.changed.notify_all();
    }
}

impl Exchange {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until there is what `take` looks for; `None` when nothing is wanted any more.
    fn wait_for<T>(&self, mut take: impl FnMut(&mut Waiting) -> Option<T>) -> Option<T> {
        let mut waiting = self.waiting();
        while !self.stop.load(Relaxed) {
            if let Some(taken) = take(&mut waiting) {
                return Some(taken);
            }
            waiting = self.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
        None
    }

    /// What the thread does.
    fn run(&self) {
        let _ending = Ending(self);
        let Some(mut reader) = self.wait_for(|waiting| waiting.reader.take()) else { return };
        loop {
            let has_room =
                |waiting: &mut Waiting| (waiting.filled.len() < MOST_QUEUED_BLOCKS).then_some(());
            if self.wait_for(has_room).is_none() {
                return;
            }
            let spare = || self.waiting().used.pop().unwrap_or_default();
            let next = match reader.fill() {
                Ok(true) => reader.hand_over(spare()).map(Some),
                Ok(false) => Ok(None),
                Err(failure) => Err(failure),
            };
            match next {
                Ok(Some(ready)) => self.send(Sent::Ready(ready)),
                Ok(None) => return self.send(Sent::Over(reader, Ok(()))),
                Err(failure) => return self.send(Sent::Over(reader, Err(failure))),
            }
        }
    }

    fn send(&self, sent: Sent) {
        self.waiting().filled.push_back(sent);
        self.changed.notify_all();
    }
}

/// The caller does not want to wait any longer.
struct Canceled;

impl ReadAhead {
    /// Waits for the next lines. A panic of the thread is passed on.
    fn next(&mut self, cancel_check: &CancelCheck) -> Result<Sent, Canceled> {
        let Exchange { changed, .. } = &*self.exchange;
        loop {
            if cancel_check.is_canceled() {
                return Err(Canceled);
            }
            let mut waiting = self.exchange.waiting();
            if let Some(sent) = waiting.filled.pop_front() {
                changed.notify_all();
                return Ok(sent);
            }
            if waiting.has_ended {
                break;
            }
            drop(changed.wait_timeout(waiting, cancel_check.interval()));
        }
        match self.thread.take().map(JoinHandle::join) {
            Some(Err(panic)) => std::panic::resume_unwind(panic),
            _ => Err(Canceled),
        }
    }
}

impl Drop for ReadAhead {
    fn drop(&mut self) {
        // Behind the mutex, so that the thread does not go to sleep in between.
        let waiting = self.exchange.waiting();
        self.exchange.stop.store(true, Relaxed);
        drop(waiting);
        self.exchange.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            // Nothing is returned any more, so a panic is not passed on either.
            let _ = thread.join();
        }
        // A reader in it knows of the exchange, so that neither would ever be freed.
        let rest = std::mem::take(&mut *self.exchange.waiting());
        drop(rest);
    }
}
