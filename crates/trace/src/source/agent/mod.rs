//! The agent in watched programs: makes and records calls there, so that they do not stop.
//!
//! The first calls from a site stop by the filter, as they do without an agent. Then the tracer
//! maps the agent into the program, and writes a jump to it over the site's `syscall`. What the
//! agent records goes through a ring of memory that both have mapped.
//!
//! | module | what is in it |
//! |---|---|
//! | `answers` | tells agents that answer from memory what has changed |
//! | `plans` | which calls the agent makes, and what it copies |
//! | `insert` | brings the agent in, and patches sites |
//! | `threads` | which thread has which block |
//! | `change` | changes code, also that of several threads |
//! | `drain` | takes records out of the rings |
//! | `faults` | puts back what the kernel does where such a signal is held back |
//! | `leave` | takes a thread out of the agent before a signal reaches it |
//! | `forward` | lets a thread go forward out of a stub |
//! | `none` | machines without an agent |
//!
//! A stack is recognised in the program, by the words of memory that it depends on: those that an
//! unwind read, and those from which a runtime's functions and lines were read (`source/stacks`).
//!
//! Each thread that makes many calls has a ring of its own, as long as there are some left. The
//! others stop at each call, as they do without an agent.

#[cfg(target_arch = "x86_64")]
mod answers;
#[cfg(target_arch = "x86_64")]
mod change;
#[cfg(target_arch = "x86_64")]
mod drain;
#[cfg(target_arch = "x86_64")]
mod faults;
#[cfg(target_arch = "x86_64")]
mod forward;
#[cfg(target_arch = "x86_64")]
mod insert;
#[cfg(target_arch = "x86_64")]
mod leave;
#[cfg(not(target_arch = "x86_64"))]
mod none;
#[cfg(target_arch = "x86_64")]
mod plans;
#[cfg(target_arch = "x86_64")]
mod threads;

use ::agent::layout::BASE;

use super::Tier;

/// The address behind the `syscall` by which the agent makes a program's calls, in every program
/// that it is brought into. `None`: it is brought into none.
pub(crate) fn call_ends(tier: Tier) -> Option<u64> {
    Some(passing(tier)?[0])
}

/// The addresses behind all `syscall` instructions of the agent: that one, and the one by which it
/// asks for itself.
pub(crate) fn passing(tier: Tier) -> Option<[u64; 2]> {
    let agent = ::agent::agent().filter(|_| tier != Tier::Ptrace)?;
    Some([agent.call_ends(), agent.question_ends()].map(|at| BASE + at as u64))
}
