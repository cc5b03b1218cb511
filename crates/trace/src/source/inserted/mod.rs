//! What of the agent is in a program: its stubs, and the memory that it shares with the tracer.
//!
//! | module | what is in it |
//! |---|---|
//! | `patch` | whether a site can be patched, and with what |
//! | `sites` | the sites and stubs of an address space |
//! | `shared` | the memory that agent and tracer share |
//! | `rings`, `ring` | what is in it: for all threads of a process, and for one |
//! | `known_stacks` | where in it the stacks are that the agent recognises |
//! | `misses` | whether the calls of a site stop all the same |
//! | `changes` | what voids the answers that are remembered there |
//! | `remote` | calls that a stopped thread makes for the tracer |
//! | `registers` | what of a thread's registers is changed |
//! | `handlers` | what programs do about faults |
//! | `none` | machines without an agent |

use std::time::Instant;

use super::ptrace::Pid;
use super::record::Record;
use super::stamps::Stamps;
use super::{Answered, Tier};

mod changes;
mod handlers;
#[cfg(target_arch = "x86_64")]
mod known_stacks;
#[cfg(target_arch = "x86_64")]
mod misses;
#[cfg(not(target_arch = "x86_64"))]
mod none;
#[cfg(target_arch = "x86_64")]
mod patch;
#[cfg(target_arch = "x86_64")]
mod registers;
#[cfg(target_arch = "x86_64")]
mod remote;
#[cfg(target_arch = "x86_64")]
mod ring;
#[cfg(target_arch = "x86_64")]
mod rings;
#[cfg(target_arch = "x86_64")]
mod shared;
#[cfg(target_arch = "x86_64")]
mod sites;

/// The agents of a run.
pub(crate) struct Agents {
    /// Whether they are brought in.
    pub(crate) tier: Tier,
    /// The threads that have rings, ordered by the numbers of their address spaces.
    pub(crate) threads: Vec<(u32, Pid)>,
    pub(crate) stamps: Stamps,
    /// The threads whose calls were recorded since the last tick.
    pub(crate) busy: Vec<Pid>,
    /// A buffer for a record.
    pub(crate) record: Record,
    /// How many calls they have made.
    pub(crate) calls: u64,
    /// Those that they have answered instead.
    pub(crate) answered: Answered,
    /// What was changed, if they answer.
    pub(crate) changes: Changes,
}

impl Agents {
    /// There are none.
    pub(crate) fn new(tier: Tier, began: Instant) -> Agents {
        let (stamps, record) = (Stamps::new(began), Record::default());
        let (threads, busy, changes) = (Vec::new(), Vec::new(), Changes::default());
        let (calls, answered) = (0, Answered::default());
        Agents { tier, threads, stamps, busy, record, calls, answered, changes }
    }
}

pub(crate) use changes::Changes;
pub(crate) use handlers::Handlers;
#[cfg(not(target_arch = "x86_64"))]
pub(crate) use none::SpaceAgent;
#[cfg(target_arch = "x86_64")]
pub(crate) use {
    patch::{Patch, SYSCALL, stub_of},
    remote::{Failure, Remote},
    ring::Ring,
    rings::{Shared, is_block_with_ring},
    sites::{ISLAND, Original, SpaceAgent},
};
