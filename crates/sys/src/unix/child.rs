//! Children of a shell: start them with any descriptors, `fork`, `execve`, wait.

use std::ffi::{CStr, CString, c_int};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};

use rustix::process::{Pid, WaitOptions};

use super::launch::{Launch, Step, pointers};
use super::spawn::launch;
use super::stream::dup_over;
use super::{At, Descriptor, Process, duplicate_from, last_error, retry};
use crate::Errno;
use crate::counter::{Call, count};

/// A program to be run, and the descriptors that it gets.
#[derive(Clone, Copy, Debug)]
pub struct Program<'a> {
    /// Its path.
    pub path: &'a CStr,
    /// Its arguments, its own name first.
    pub arguments: &'a [CString],
    /// Its environment, each `NAME=VALUE`.
    pub environment: &'a [CString],
    /// The directory to start in; this process's own if `None`.
    pub directory: Option<At<'a>>,
    /// What each number is to be; closed if `None`. All other descriptors are inherited.
    pub descriptors: &'a [(i32, Option<BorrowedFd<'a>>)],
    /// Signals that get their default action in the child, also if they are ignored here.
    pub default_signals: &'a [i32],
}

/// Starts a child. The error is whatever goes wrong before the program runs, also in the child. The
/// signal mask is inherited.
///
/// Price: that of [`start`](super::start); one `fcntl` and one `close` for each descriptor that
/// stands in a circle with others (as in swapping two).
///
/// # Errors
/// As [`start`](super::start).
#[doc(alias = "posix_spawn")]
pub fn start_program(program: &Program<'_>) -> Result<Process, Errno> {
    let directory = program.directory.map(|at| Step::Enter(at.as_raw_fd()));
    let mut steps: Vec<_> = directory.into_iter().collect();
    let _moved = in_order(program.descriptors, |number, file| {
        steps.push(file.map_or(Step::Close(number), |file| Step::Put(file.as_raw_fd(), number)));
        Ok(())
    })?;
    launch(&Launch {
        program: program.path,
        search: false,
        arguments: &pointers(program.arguments),
        environment: &pointers(program.environment),
        steps: &steps,
        default_signals: program.default_signals,
        mask: None,
    })
}

/// Moves descriptors to their numbers, in an order in which none is overwritten before it was
/// moved. Returns those that had to be moved out of the way; the caller keeps them until all is
/// done.
fn in_order(
    wanted: &[(i32, Option<BorrowedFd<'_>>)],
    mut put: impl FnMut(c_int, Option<BorrowedFd<'_>>) -> Result<(), Errno>,
) -> Result<Vec<Descriptor>, Errno> {
    let above = wanted.iter().map(|&(number, _)| number).max().unwrap_or(0) + 1;
    let mut moved = Vec::new();
    let mut pending: Vec<(i32, Option<i32>)> =
        wanted.iter().map(|(number, file)| (*number, file.map(|file| file.as_raw_fd()))).collect();
    let mut at = 0;
    let mut since_put = 0;
    while !pending.is_empty() {
        at %= pending.len();
        let (number, _) = pending[at];
        let needed = |&(other, file): &(i32, Option<i32>)| other != number && file == Some(number);
        if let Some(circle) = pending.iter().position(needed) {
            since_put += 1;
            if since_put > pending.len() {
                // All that is left forms cycles: moving one descriptor out of the way breaks this
                // one.
                let file = borrow(wanted, &moved, number);
                let aside = duplicate_from(file.ok_or(Errno::BADF)?, above)?;
                pending[circle].1 = Some(aside.as_fd().as_raw_fd());
                moved.push(aside);
            } else {
                at += 1;
            }
            continue;
        }
        let (number, file) = pending.swap_remove(at);
        since_put = 0;
        match file {
            Some(file) => put(number, Some(borrow(wanted, &moved, file).ok_or(Errno::BADF)?))?,
            None => put(number, None)?,
        }
    }
    Ok(moved)
}

fn borrow<'a>(
    wanted: &[(i32, Option<BorrowedFd<'a>>)],
    moved: &'a [Descriptor],
    number: i32,
) -> Option<BorrowedFd<'a>> {
    let given = wanted.iter().filter_map(|&(_, file)| file);
    given.chain(moved.iter().map(AsFd::as_fd)).find(|file| file.as_raw_fd() == number)
}

/// Runs a program in the place of this one. It returns only if that fails; by then the descriptors
/// are in their places, the directory is changed and the signals have their default actions.
///
/// Price: one `execve`; one `dup3` or `close` for each descriptor that changes, one `fcntl` and one
/// `close` for each in a circle; one `fchdir` where the directory is another; one `rt_sigaction`
/// for each signal.
#[doc(alias = "execve")]
#[doc(alias = "dup3")]
pub fn replace(program: &Program<'_>) -> Errno {
    match try_replace(program) {
        Err(errno) => errno,
        Ok(never) => match never {},
    }
}

fn try_replace(program: &Program<'_>) -> Result<std::convert::Infallible, Errno> {
    if let Some(directory) = program.directory {
        rustix::process::fchdir(directory)?;
    }
    for &signal in program.default_signals {
        super::set_signal(signal, super::Action::Default)?;
    }
    let _moved = in_order(program.descriptors, |number, file| {
        let file = file.map(|file| file.as_raw_fd());
        // SAFETY: plain numbers. What is overwritten or closed is not used any more: the
        // process is about to be another program, and if it is not, it ends.
        let result = unsafe {
            match file {
                Some(file) if file == number => libc::fcntl(file, libc::F_SETFD, 0),
                Some(file) => dup_over(file, number),
                None => {
                    count(Call::Close);
                    libc::close(number);
                    0
                }
            }
        };
        if result < 0 { Err(last_error()) } else { Ok(()) }
    })?;
    let arguments = pointers(program.arguments);
    let environment = pointers(program.environment);
    count(Call::Execve);
    // SAFETY: the path and all strings end with a NUL, both lists with a null pointer; nothing is
    // written to.
    unsafe {
        libc::execve(program.path.as_ptr(), arguments.as_ptr().cast(), environment.as_ptr().cast());
    }
    Err(last_error())
}

/// Which of the two processes this is, after [`fork`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forked {
    /// The process that called `fork`; its new child.
    Parent(Process),
    /// The new child.
    Child,
}

/// Makes a copy of this process that has one thread: this one. A process with other threads must
/// not rely, in the child, on anything that they may have been in the middle of.
///
/// Price: one `clone`.
///
/// # Errors
/// The kernel's number: `EAGAIN`, `ENOMEM`.
#[doc(alias = "clone")]
pub fn fork() -> Result<Forked, Errno> {
    count(Call::Clone);
    // SAFETY: called before there is a child that could wait for the allocator's lock.
    #[cfg(target_env = "musl")]
    unsafe {
        dlmalloc::enable_alloc_after_fork();
    }
    // SAFETY: the C library puts its own locks (memory, files) in order in the child; this crate's
    // one lock is only taken at the first call of a thread and when counts are read.
    match unsafe { libc::fork() } {
        -1 => Err(last_error()),
        0 => Ok(Forked::Child),
        number => {
            Pid::from_raw(number).map(|id| Forked::Parent(Process::new(id))).ok_or(Errno::SRCH)
        }
    }
}

/// Waits for the child of this thread that ends first: its number, and the status as `wait` gives
/// it. `None` if none has ended and `block` is false.
///
/// Price: one `wait4`.
///
/// # Errors
/// The kernel's number: `ECHILD` if there is none.
#[doc(alias = "wait4")]
pub fn wait_for_any(block: bool) -> Result<Option<(Process, i32)>, Errno> {
    let options = own_children(block);
    let ended = retry(Call::Wait4, || rustix::process::wait(options))?;
    Ok(ended.map(|(id, status)| (Process::new(id), status.as_raw())))
}

fn own_children(block: bool) -> WaitOptions {
    // Children that other threads have started are for those threads to wait for. Linux alone can
    // tell them apart.
    #[cfg(target_os = "linux")]
    let own = WaitOptions::from_bits_retain(libc::__WNOTHREAD.cast_unsigned());
    #[cfg(not(target_os = "linux"))]
    let own = WaitOptions::empty();
    if block { own } else { own | WaitOptions::NOHANG }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CWD, pipe, read_behind, wait, write_all};

    fn run(script: &str, descriptors: &[(i32, Option<BorrowedFd<'_>>)]) -> (i32, String) {
        let (reader, writer) = pipe().unwrap();
        let all: Vec<_> = descriptors.iter().copied().chain([(1, Some(writer.as_fd()))]).collect();
        let arguments = ["sh", "-c", script].map(|word| CString::new(word).unwrap());
        let child = start_program(&Program {
            path: c"/bin/sh",
            arguments: &arguments,
            environment: &[],
            directory: Some(CWD).filter(|_| false),
            descriptors: &all,
            default_signals: &[libc::SIGPIPE],
        })
        .unwrap();
        drop(writer);
        let mut said = Vec::new();
        while read_behind(&reader, &mut said, 4096).unwrap() > 0 {}
        (wait(&child, true).unwrap().unwrap(), String::from_utf8(said).unwrap())
    }

    /// What a shell reads a descriptor by: it may know those of one digit only.
    fn path(number: i32) -> String {
        format!("/dev/fd/{number}")
    }

    fn holding(text: &str) -> Descriptor {
        let file = Descriptor::new(tempfile::tempfile().unwrap().into());
        write_all(file.as_fd(), text.as_bytes()).unwrap();
        crate::set_position(&file, 0).unwrap();
        file
    }

    #[test]
    fn descriptors_that_stand_in_a_circle_are_swapped() {
        let (a, b, c) = (holding("a\n"), holding("b\n"), holding("c\n"));
        let numbers = [&a, &b, &c].map(|file| file.as_fd().as_raw_fd());
        let wanted = [
            (numbers[0], Some(b.as_fd())),
            (numbers[1], Some(c.as_fd())),
            (numbers[2], Some(a.as_fd())),
        ];
        let [x, y, z] = numbers.map(path);
        let script = format!("cat {x} {y} {z}");
        assert_eq!(run(&script, &wanted), (0, "b\nc\na\n".into()));
    }

    #[test]
    fn what_is_closed_is_closed_and_what_stays_in_place_is_inherited() {
        let a = holding("a\n");
        let here = a.as_fd().as_raw_fd();
        let script = format!("cat {}; cat 2>&1 <&0 || echo closed", path(here));
        let (status, said) = run(&script, &[(here, Some(a.as_fd())), (0, None)]);
        assert_eq!((status, said.starts_with("a\n"), said.contains("closed")), (0, true, true));
    }

    #[test]
    fn chains_need_no_detour() {
        let (a, b) = (holding("a\n"), holding("b\n"));
        let [x, y] = [&a, &b].map(|file| file.as_fd().as_raw_fd());
        let above = x.max(y) + 20;
        for wanted in [
            [(y, Some(a.as_fd())), (above, Some(b.as_fd()))],
            [(above, Some(b.as_fd())), (y, Some(a.as_fd()))],
        ] {
            let mut order = Vec::new();
            let moved = in_order(&wanted, |number, _| {
                order.push(number);
                Ok(())
            });
            assert_eq!((moved.unwrap().len(), order), (0, vec![above, y]));
        }
    }
}
