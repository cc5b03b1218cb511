//! What a handle holds until it is closed: a walk, say, and the request that it end.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
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
        if !self.is_cancelled.load(Relaxed)
            && let Some(it) = held.as_mut()
        {
            let done = work(it);
            if !self.is_cancelled.load(Relaxed) {
                return Some(done);
            }
        }
        let dropped = held.take();
        drop(held);
        drop(dropped);
        None
    }

    /// Ends it. If another thread is at work with it, that drops it when it is done.
    pub(crate) fn close(&self) {
        self.is_cancelled.store(true, Relaxed);
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
