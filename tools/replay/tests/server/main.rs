//! What a client sees, byte by byte.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod client;
mod faults;
mod listing;
mod objects;
