//! Begins to watch a running process, with all its threads.

use std::collections::HashSet;
use std::ffi::OsStr;

use super::proc;
use super::ptrace::{self, Pid, Resume};
use super::{failed, failure};
use crate::Error;

/// Begins to trace all threads of a process, and makes them stop. Returns its number and theirs.
pub(crate) fn attach(process: u32) -> Result<(Pid, Vec<Pid>), Error> {
    let name = process.to_string();
    let name = OsStr::new(&name);
    let missing = || failure(libc::ESRCH, "trace process", name);
    let number = Pid::try_from(process).map_err(|_| missing())?;
    let process = proc::process(number).ok_or_else(missing)?;
    let mut seized = HashSet::new();
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
                // It ended, or its maker is traced, so that it is as well.
                Err(error) if error.raw_os_error() == Some(libc::ESRCH) => {}
                Err(_) if before > 0 => {}
                Err(error) => {
                    seized.iter().for_each(|thread| release(*thread));
                    return Err(failed(&error, "trace process", name));
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

/// Lets go a thread that runs: it must stop for that.
fn release(thread: Pid) {
    if ptrace::interrupt(thread).is_ok() && ptrace::wait_for(thread).is_ok() {
        let _gone = ptrace::resume(thread, Resume::Detach, 0);
    }
}
