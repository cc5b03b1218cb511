//! Requests that an operation end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use napi_derive::napi;

/// What a request to stop is made with.
#[napi]
#[derive(Default)]
pub(crate) struct NativeCancel(Arc<AtomicBool>);

#[napi]
impl NativeCancel {
    #[napi(constructor)]
    pub fn new() -> NativeCancel {
        NativeCancel::default()
    }

    #[napi]
    pub fn cancel(&self) {
        self.0.store(true, Relaxed);
    }
}

impl NativeCancel {
    /// What says whether to stop, for a `cancel_when`.
    pub(crate) fn check(&self) -> impl Fn() -> bool + Send + Sync + use<> {
        let flag = Arc::clone(&self.0);
        move || flag.load(Relaxed)
    }
}
