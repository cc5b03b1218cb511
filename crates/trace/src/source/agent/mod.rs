//! The agent in watched programs: makes and records calls there, so that they do not stop.
//!
//! The first calls from a site stop by the filter, as they do without an agent. Then the tracer
//! maps the agent into the program, and writes a jump to it over the site's `syscall`. What the
//! agent records goes through a ring of memory that both have mapped.
//!
//! | module | what is in it |
//! |---|---|
//! | `plans` | which calls the agent makes, and what it copies |
//! | `patch` | whether a site can be patched, and with what |
//! | `sites` | the sites and stubs of an address space |
//! | `remote` | calls that a stopped thread makes for the tracer |
//! | `insert` | brings the agent in, and patches sites |
//! | `shared` | the memory that agent and tracer share |
//! | `record` | a record; memory as it was at the time of a call |
//! | `drain` | takes records out of the rings |
//! | `faults` | puts back what the kernel does where such a signal is held back |
//! | `leave` | takes a thread out of the agent before a signal reaches it |
//!
//! It is for programs of one thread, for now: code that another thread may be running is not
//! changed. A program that makes a thread gets its own code back first.

mod drain;
mod faults;
mod insert;
mod leave;
mod patch;
mod plans;
mod record;
mod remote;
mod shared;
mod sites;

/// The address behind the agent's `syscall`, in every program.
pub(crate) fn call_ends() -> u64 {
    ::agent::layout::BASE + ::agent::call_ends() as u64
}

pub(crate) use drain::Stamps;
pub(crate) use faults::Handlers;
pub(crate) use record::{Record, View};
pub(crate) use shared::StackKey;
pub(crate) use sites::SpaceAgent;
