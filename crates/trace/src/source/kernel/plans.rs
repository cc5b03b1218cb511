//! What the kernel's program copies of a process's memory for each call: the agent's plans, and
//! more bits.

use ::agent::Plan;

use crate::source::decode::{ANSWER, STAT, STATFS, STATX};
use crate::source::filter::is_attended;
use crate::{Class, Machine, Name, Shape};

/// The plans of all calls lie below this number.
pub(super) const NUMBERS: u32 = 512;

/// Recorded only if the fourth argument is there and the time is over: who waits for a lock makes
/// too many others.
const TIMED_OUT: u64 = 64;
/// The first argument points to a `struct clone_args`.
const CLONE_ARGS: u64 = 128;
/// What is copied is no answer: it is there also if the call fails.
const ALWAYS: u64 = 256 << 20;
/// The result, or the answer's two, are descriptors that were made.
const DESCRIPTORS: u64 = 512 << 20;

/// The numbers of the calls that are recorded without being asked for, and their plans.
pub(super) fn words() -> impl Iterator<Item = (u32, u64)> {
    Name::ALL.iter().filter_map(|name| {
        let number = name.number(Machine::HERE).filter(|number| *number < NUMBERS)?;
        Some((number, word(*name)?))
    })
}

fn word(name: Name) -> Option<u64> {
    if name == Name::Futex {
        return Some(Plan::new().word() | TIMED_OUT);
    }
    if !name.is_watched() && (!is_attended(name) || name == Name::Prctl) {
        return None;
    }
    let plan = match name.shape() {
        Shape::Path(path) | Shape::At(_, path) => Plan::new().path(path),
        Shape::Paths(first, second) | Shape::Ats(_, first, _, second) => {
            Plan::new().path(first).path(second)
        }
        _ => Plan::new(),
    };
    Some(match name {
        Name::Clone3 => plan.word() | CLONE_ARGS,
        Name::Pipe | Name::Pipe2 => plan.answer(0, 8).word() | DESCRIPTORS,
        Name::Socketpair => plan.answer(3, 8).word() | DESCRIPTORS,
        Name::Socket
        | Name::Accept
        | Name::Accept4
        | Name::Eventfd
        | Name::Eventfd2
        | Name::EpollCreate
        | Name::EpollCreate1
        | Name::TimerfdCreate
        | Name::Signalfd
        | Name::Signalfd4
        | Name::InotifyInit
        | Name::InotifyInit1
        | Name::PidfdOpen => plan.word() | DESCRIPTORS,
        Name::Openat2 => plan.answer(2, 8).word(),
        Name::IoUringSetup => plan.answer(1, 120).word(),
        Name::Connect => plan.answer(1, ADDRESS).word() | ALWAYS,
        _ => answer(plan, name).word(),
    })
}

/// How long an address may be, in whole words.
const ADDRESS: usize = 112;

fn answer(plan: Plan, name: Name) -> Plan {
    match (name.class(), name.answer()) {
        (Class::Stat, Some(at)) if name == Name::Statx => plan.answer(at, STATX),
        (Class::Stat, Some(at)) => plan.answer(at, STAT),
        (Class::Statfs, Some(at)) => plan.answer(at, STATFS),
        (Class::Readlink | Class::Getcwd, Some(at)) => plan.bytes(at, libc::PATH_MAX as usize),
        _ if matches!(name, Name::Write | Name::Pwrite64 | Name::Sendto) => plan.bytes(1, ANSWER),
        (_, Some(at)) => plan.bytes(at, ANSWER),
        (_, None) => plan,
    }
}
