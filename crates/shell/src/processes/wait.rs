//! What became of a child, while what it writes is collected.

use std::time::Duration;

use sys::{Errno, Process};

use crate::streams::Table;

/// How long to wait for more to collect before looking whether the child has ended: another process
/// may hold its end of the pipe for longer.
const FIRST_PATIENCE: Duration = Duration::from_millis(10);
const LONGEST_PATIENCE: Duration = Duration::from_millis(200);

/// Waits until a child has ended; the status as `wait` gives it. What children write to captures
/// is collected meanwhile. A caught signal does not interrupt it.
///
/// Price: one `wait4`; for captures one `ppoll` and one `read` for each 64 KiB and for the end.
/// What is kept to be written is written first.
///
/// # Errors
/// The kernel's number: `ECHILD`; [`FULL`](crate::streams::FULL) if a capture's limit was reached
/// (the child is still to be waited for).
pub fn wait(child: Process, table: &Table) -> Result<i32, Errno> {
    collecting(table, Some(child), |block| sys::wait(&child, block))?.ok_or(Errno::CHILD)
}

/// As [`wait`], but a caught signal interrupts it: for the builtin `wait`.
///
/// Price: as [`wait`].
///
/// # Errors
/// As [`wait`]; `EINTR` if a caught signal is pending.
pub fn wait_unless_caught(child: Process, table: &Table) -> Result<i32, Errno> {
    let wait = || collecting(table, Some(child), |block| sys::wait(&child, block));
    table.unless_caught(wait)?.ok_or(Errno::CHILD)
}

/// Waits for whichever child of this thread ends first: which, and its status; `None` if none has
/// ended and `block` is false. A caught signal interrupts it.
///
/// Price: as [`wait`]; without `block` one `wait4`.
///
/// # Errors
/// As [`wait`], `ECHILD` if there is no child; `EINTR` if a caught signal is pending.
pub fn wait_any(table: &Table, block: bool) -> Result<Option<(Process, i32)>, Errno> {
    if !block {
        return sys::wait_for_any(false);
    }
    table.unless_caught(|| collecting(table, None, sys::wait_for_any))
}

/// Waits for whichever of these children ends first: which, and its status; `None` if there are
/// none.
///
/// Price: as [`wait`]; for more than one child one `pidfd_open` and one `close` each, and one
/// `ppoll` (more where `pidfd_open` is refused).
///
/// # Errors
/// As [`wait`]; `EMFILE`.
pub fn wait_first(children: &[Process], table: &Table) -> Result<Option<(Process, i32)>, Errno> {
    let one = match children {
        [] => return Ok(None),
        [one] => *one,
        _ => {
            table.settle();
            table.wait_for_one(children)?
        }
    };
    wait(one, table).map(|status| Some((one, status)))
}

/// Collects what is written to captures until `ended` has something to tell.
/// [`FULL`](crate::streams::FULL) if the script is to stop, as far as it waits for one child.
fn collecting<T>(
    table: &Table,
    child: Option<Process>,
    ended: impl Fn(bool) -> Result<Option<T>, Errno>,
) -> Result<Option<T>, Errno> {
    table.settle();
    let mut patience = FIRST_PATIENCE;
    while table.collect_once(patience)? {
        // Nothing came for a while.
        if let Some(done) = ended(false)? {
            table.collect_rest()?;
            return Ok(Some(done));
        }
        patience = (patience * 2).min(LONGEST_PATIENCE);
    }
    if let Some(child) = child {
        table.wait_until_ended(child)?;
    }
    ended(true)
}
