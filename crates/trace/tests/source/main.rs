//! Traces real programs. What they must show comes from strace, from /proc, and from what the
//! programs say about themselves.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod agent;
mod attach;
mod calls;
mod counts;
mod fixture;
mod requests;
mod signals;
mod starts;
mod tracer;
