//! Starts threads that share the work of a call.

use std::io;
use std::thread::{Builder, JoinHandle, Scope, ScopedJoinHandle};

/// Starts a thread that takes no signals: they are for the threads of the program that uses this
/// library, whose handlers do not expect to run on others.
///
/// # Errors
/// If no more threads can be started.
pub(crate) fn start_scoped<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    body: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    let _held = sys::hold_signals();
    Builder::new().spawn_scoped(scope, body)
}

/// As [`start_scoped`], for a thread that may outlive the call.
///
/// # Errors
/// If no more threads can be started.
pub(crate) fn start(body: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle<()>> {
    let _held = sys::hold_signals();
    Builder::new().spawn(body)
}
