//! What a handle holds until it is closed: a walk, say, and the request that it end.

use std::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::sync::atomic::{AtomicBool, fence};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

/// Shared by the handle and by the thread that works for it.
pub(crate) struct Slot<T> {
    held: Mutex<Option<T>>,
    is_cancelled: Arc<AtomicBool>,
}

impl<T> Slot<T> {
    /// Holds what `make` makes; it gets the flag that says when to stop.
    pub(crate) fn new(make: impl FnOnce(&Arc<AtomicBool>) -> T) -> Arc<Slot<T>> {
        let is_cancelled = Arc::new(AtomicBool::new(false));
        let held = Mutex::new(Some(make(&is_cancelled)));
        Arc::new(Slot { held, is_cancelled })
    }

    /// Works with what is held; `None` if it is closed, also if that happens meanwhile.
    pub(crate) fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> Option<R> {
        let mut held = self.lock();
        let done = match held.as_mut() {
            Some(it) if !self.is_cancelled() => Some(work(it)),
            _ => None,
        };
        drop(held);
        // Whoever closed it meanwhile has found it locked, and has left it to this thread.
        if self.is_cancelled() {
            self.drop_held();
            return None;
        }
        done
    }

    /// Ends it. If another thread is at work with it, that drops it when it is done.
    pub(crate) fn close(&self) {
        self.is_cancelled.store(true, Relaxed);
        self.drop_held();
    }

    fn is_cancelled(&self) -> bool {
        // Unlocking comes before it is asked, cancelling before the lock is tried: so one of the
        // two threads sees what the other has done.
        fence(SeqCst);
        self.is_cancelled.load(Relaxed)
    }

    /// Drops what is held, unless another thread is at work with it.
    fn drop_held(&self) {
        fence(SeqCst);
        let held = match self.held.try_lock() {
            Ok(mut held) => held.take(),
            Err(TryLockError::Poisoned(held)) => held.into_inner().take(),
            Err(TryLockError::WouldBlock) => None,
        };
        drop(held);
    }

    fn lock(&self) -> MutexGuard<'_, Option<T>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
