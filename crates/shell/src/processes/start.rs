//! A program as a child, or in this process's place; a copy of this process.

use std::ffi::{CStr, CString};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};

use fewer::Scope;
pub use sys::Forked;
use sys::{Errno, Process, Program};

use crate::streams::{Real, Table};

/// A program to run.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// Its path, relative to the scope that it is run in.
    pub path: &'a CStr,
    /// Its arguments, its own name first.
    pub arguments: &'a [CString],
    /// Its environment, each `NAME=VALUE`.
    pub environment: &'a [CString],
    /// Signals that are ignored or caught here, and do what they do by default there. SIGPIPE
    /// belongs to them (this process ignores it) unless the script ignores it.
    pub default_signals: &'a [i32],
}

/// Starts a program with the table's descriptors in the scope's directory. The table is
/// [settled](Table::settle) first.
///
/// Price: one `clone3` and the few calls of the C library around it, as [`sys::start_program`]
/// says; settling; [`Open::real`](crate::streams::Open::real) for what was only in memory.
///
/// # Errors
/// The kernel's number: `ENOENT`, `EACCES`, `ENOEXEC` for a script without `#!`, `E2BIG`, `EAGAIN`.
pub fn spawn(run: &Run<'_>, table: &Table, scope: &Scope) -> Result<Process, Errno> {
    table.settle();
    let given = table.for_child()?;
    sys::start_program(&program(run, &borrowed(&given), scope))
}

/// Runs a program in the place of this process, which is settled first. Comes back only if that
/// cannot be done; the standard streams are the script's own then, and nothing else should be
/// relied on: the error is told, and the process ends.
///
/// Price: as [`sys::replace`] says.
pub fn exec(run: &Run<'_>, table: &Table, scope: &Scope) -> Errno {
    table.settle();
    match table.for_child() {
        Ok(given) => sys::replace(&program(run, &borrowed(&given), scope)),
        Err(errno) => errno,
    }
}

/// Makes a copy of this process, which goes on with the same script. The table is settled first,
/// and what the child writes to a capture goes to the parent's.
///
/// Price: one `clone`; settling; as [`spawn`] for what was only in memory.
///
/// # Errors
/// The kernel's number: `EAGAIN`, `ENOMEM`, `EMFILE`.
pub fn fork(table: &Table) -> Result<Forked, Errno> {
    table.settle();
    table.for_child()?;
    let forked = sys::fork()?;
    if forked == Forked::Child {
        table.after_fork();
    }
    Ok(forked)
}

fn borrowed(given: &[(i32, Option<Real>)]) -> Vec<(i32, Option<BorrowedFd<'_>>)> {
    given.iter().map(|(number, real)| (*number, real.as_ref().map(AsFd::as_fd))).collect()
}

fn program<'a>(
    run: &Run<'a>,
    descriptors: &'a [(i32, Option<BorrowedFd<'a>>)],
    scope: &'a Scope,
) -> Program<'a> {
    let directory = scope.as_fd();
    Program {
        path: run.path,
        arguments: run.arguments,
        environment: run.environment,
        // Below zero: AT_FDCWD, where this process is.
        directory: (directory.as_raw_fd() >= 0).then_some(directory),
        descriptors,
        default_signals: run.default_signals,
    }
}
