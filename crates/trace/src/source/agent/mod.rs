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
//! | `registers` | what of a thread's registers is changed |
//! | `none` | machines without an agent |
//! | `leave` | takes a thread out of the agent before a signal reaches it |
//!
//! It is for programs of one thread, for now: code that another thread may be running is not
//! changed. A program that makes a thread gets its own code back first.

#[cfg(target_arch = "x86_64")]
mod drain;
#[cfg(target_arch = "x86_64")]
mod insert;
#[cfg(target_arch = "x86_64")]
mod leave;
#[cfg(not(target_arch = "x86_64"))]
mod none;
#[cfg(target_arch = "x86_64")]
mod patch;
#[cfg(target_arch = "x86_64")]
mod plans;
mod record;
#[cfg(target_arch = "x86_64")]
mod registers;
#[cfg(target_arch = "x86_64")]
mod remote;
#[cfg(target_arch = "x86_64")]
mod shared;
#[cfg(target_arch = "x86_64")]
mod sites;

use ::agent::layout::BASE;

use super::Tier;

/// The address behind the agent's `syscall`, in every program that it is brought into. `None`: it
/// is brought into none.
pub(crate) fn call_ends(tier: Tier) -> Option<u64> {
    let agent = ::agent::agent().filter(|_| tier != Tier::Ptrace)?;
    Some(BASE + agent.call_ends() as u64)
}

#[cfg(target_arch = "x86_64")]
pub(crate) use drain::Stamps;
#[cfg(not(target_arch = "x86_64"))]
pub(crate) use none::{SpaceAgent, Stamps};
pub(crate) use record::{Record, View};
#[cfg(target_arch = "x86_64")]
pub(crate) use sites::SpaceAgent;

/// What the agent has to compare to recognise a stack.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct StackKey {
    /// The frame pointer, if it matters.
    pub(crate) fp: Option<u64>,
    /// Words of memory: address and value.
    pub(crate) words: Vec<(u64, u64)>,
}
