//! Who reads an object may have enough of it while more is waited for.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::task::Poll;

use tokio::sync::Notify;

use super::piece::Receiver;
use crate::error::Reason;

/// Says to who waits for bytes that none are wanted any more.
#[derive(Debug, Default)]
pub(super) struct Cancel {
    is_set: AtomicBool,
    notify: Notify,
}

impl Cancel {
    /// Nothing more is wanted.
    pub(super) fn set(&self) {
        self.is_set.store(true, Relaxed);
        // If nobody waits yet, this is kept for who will.
        self.notify.notify_one();
    }

    pub(super) fn is_set(&self) -> bool {
        self.is_set.load(Relaxed)
    }

    /// What comes next, unless nothing is wanted; `None` also at the end.
    pub(super) async fn unless(&self, receiver: &mut Receiver) -> Option<Result<Vec<u8>, Reason>> {
        let mut cancelled = pin!(self.notify.notified());
        poll_fn(|context| {
            if self.is_set() || cancelled.as_mut().poll(context).is_ready() {
                return Poll::Ready(None);
            }
            receiver.poll_recv(context)
        })
        .await
    }
}
