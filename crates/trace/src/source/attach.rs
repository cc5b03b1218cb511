//! Begins to watch a running process, with all its threads.

use std::ffi::OsStr;

use rustc_hash::FxHashSet;

use super::proc;
use super::ptrace::{self, Pid, Resume};
use super::{failed, failure};
use crate::Error;

/// Begins to trace all threads of a process, and makes them stop. Returns its number and theirs.
pub(crate) fn attach(process: Pid) -> Result<(Pid, Vec<Pid>), Error> {
    let name = process.to_string();
    let name = OsStr::new(&name);
    let missing = || failure(libc::ESRCH, "trace process", name);
    let process = proc::process(process).ok_or_else(missing)?;
    let mut seized = FxHashSet::default();
    // A thread that is not traced yet may make another one meanwhile: until there is no new one.
    loop {
        let before = seized.len();
        for thread in proc::threads(process) {
            if seized.contains(&thread) {
                continue;
            }
            match ptrace::seize(thread, ptrace::OPTIONS) {
                Ok(()) => {
                    seized.insert(thread);
                }
                // It has ended (the kernel forbids it where its status is not known to its parent
                // yet), or its maker is traced, so that it is as well.
                Err(_) if proc::has_ended(thread) || before > 0 => {}
                Err(error) => {
                    seized.iter().for_each(|thread| release(*thread));
                    return Err(refusal(&error, thread, name));
                }
            }
        }
        if seized.len() == before {
            break;
        }
    }
    if seized.is_empty() {
        return Err(missing());
    }
    for thread in &seized {
        // One that is gone says so later.
        let _gone = ptrace::interrupt(*thread);
    }
    Ok((process, seized.into_iter().collect()))
}

/// Why a process cannot be traced, as far as it is known.
fn refusal(error: &std::io::Error, thread: Pid, name: &OsStr) -> Error {
    if error.raw_os_error() != Some(libc::EPERM) {
        return failed(error, "trace process", name);
    }
    let action = match proc::tracer(thread) {
        Some(tracer) if tracer > 0 => "trace (one process can, and another does already) process",
        _ => {
            "trace (only root can, or the process's own user if kernel.yama.ptrace_scope is 0) \
              process"
        }
    };
    failed(error, action, name)
}

/// Lets go threads that were seized, because another one could not be.
pub(crate) fn release_all<'a>(threads: impl Iterator<Item = &'a Pid>) {
    threads.for_each(|thread| release(*thread));
}

/// Lets go a thread that runs: it must stop for that.
fn release(thread: Pid) {
    if ptrace::interrupt(thread).is_ok() && ptrace::wait_for(thread).is_ok() {
        let _gone = ptrace::resume(thread, Resume::Detach, 0);
    }
}
