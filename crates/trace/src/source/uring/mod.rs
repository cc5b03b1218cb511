//! io_uring: what a program asks for through memory that it shares with the kernel.
//!
//! | module | what is in it |
//! |---|---|
//! | `abi` | the kernel's structs, as bytes |
//! | `ring` | one ring: which submissions and completions are new; knows no process |
//! | `in_flight` | requests that were submitted and have no completion yet |
//! | `registered` | files that a ring knows by numbers of its own |
//! | `rings` | the rings of an address space, by descriptor |
//!
//! `decode::requests` follows the calls that make and enter rings, and reads the memory.

mod abi;
mod in_flight;
mod registered;
mod ring;
mod rings;

#[cfg(test)]
mod tests;

pub(crate) use abi::{Completion, PARAMETERS, Parameters, Submission, op};
pub(crate) use in_flight::{Answered, InFlight};
pub(crate) use registered::RegisteredFiles;
pub(crate) use ring::Ring;
pub(crate) use rings::{RingOwner, Rings, SharedRing, Unseen};
