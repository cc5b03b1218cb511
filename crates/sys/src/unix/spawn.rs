//! Children: start one in a directory that this process is not in, wait for it, end it.
//!
//! A child is made by the C library's `posix_spawn`, which shares memory with it until it runs the
//! program: nothing is copied, whatever the size of this process.

use std::ffi::{c_int, c_short};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};

#[cfg(not(target_os = "freebsd"))]
use libc::posix_spawn_file_actions_addfchdir_np;
use rustix::process::{Pid, Signal, WaitOptions};

#[cfg(target_os = "linux")]
use super::clone::by_clone;
use super::launch::{Launch, Process, Step, null, pointers};
#[cfg(target_os = "linux")]
use super::newer::Newer;
use super::{Descriptor, SignalMask, read_behind, retry};
use crate::counter::{Call, count};
use crate::{Errno, Start, Stream};

// The libc crate has no name for it there (spawn.h, FreeBSD 13.1).
#[cfg(target_os = "freebsd")]
unsafe extern "C" {
    fn posix_spawn_file_actions_addfchdir_np(
        actions: *mut libc::posix_spawn_file_actions_t,
        directory: c_int,
    ) -> c_int;
}

/// Starts a child. The error is whatever goes wrong before the program runs, also in the child. As
/// with the standard library's `Command`, SIGPIPE has its default action in the child, and the
/// signal mask is inherited unless another is named.
///
/// Price: one `clone3` is counted; one `clone` where a filter forbids that, and both for the first
/// child (where the C library or the kernel is older, the count means a `clone`). The C library
/// also makes a few uncounted calls for the child's stack and the signal mask (`mmap`, `munmap`,
/// `rt_sigprocmask`), and the child makes its own. One `fcntl` and one `close` for a
/// stream that is one of 0, 1 and 2. If the program could not be run, the C library
/// makes a `wait4`, which is counted too.
///
/// # Errors
/// The kernel's number: `ENOENT` and `EACCES` for the program, `EACCES` for a directory that may
/// not be searched any more, `ENOEXEC`, `E2BIG`, `EAGAIN`, …
#[doc(alias = "clone3")]
#[doc(alias = "clone")]
pub fn start(child: &Start<'_, SignalMask>) -> Result<Process, Errno> {
    // First, because a stream may be put over the directory's number.
    let mut steps: Vec<_> =
        child.directory.map(|at| Step::Enter(at.as_raw_fd())).into_iter().collect();
    // A stream that is itself 0, 1 or 2 would be overwritten before it is used: it is moved out of
    // the way.
    let mut moved: [Option<Descriptor>; 3] = [const { None }; 3];
    for (place, stream) in moved.iter_mut().zip(child.streams) {
        if let Stream::File(file) = stream
            && file.as_raw_fd() <= libc::STDERR_FILENO
        {
            *place = Some(duplicate(file)?);
        }
    }
    for ((number, stream), moved) in (0..).zip(child.streams).zip(&moved) {
        match (stream, moved) {
            (Stream::Inherit, _) => {}
            (Stream::Null, _) => steps.push(Step::OpenNull(number)),
            (Stream::File(_), Some(moved)) => {
                steps.push(Step::Put(moved.as_fd().as_raw_fd(), number))
            }
            (Stream::File(file), None) => steps.push(Step::Put(file.as_raw_fd(), number)),
        }
    }
    launch(&Launch {
        program: child.program,
        search: child.search,
        arguments: &pointers(child.arguments),
        environment: &pointers(child.environment),
        steps: &steps,
        // Programs expect to be ended when they write to a pipe without a reader; Rust ignores
        // SIGPIPE in this process, and a child inherits that.
        default_signals: &[libc::SIGPIPE],
        mask: child.mask,
    })
}

/// Starts the child. The C library makes a `clone3`, and a `clone` if the kernel does not know that
/// one; a filter that forbids it is for this crate to deal with.
#[cfg(target_os = "linux")]
pub(super) fn launch(launch: &Launch<'_>) -> Result<Process, Errno> {
    static CLONE3: Newer = Newer::new();
    CLONE3.or(|| by_posix_spawn(launch), || by_clone(launch))
}

/// Starts the child.
#[cfg(not(target_os = "linux"))]
pub(super) fn launch(launch: &Launch<'_>) -> Result<Process, Errno> {
    by_posix_spawn(launch)
}

fn by_posix_spawn(launch: &Launch<'_>) -> Result<Process, Errno> {
    let mut actions = Actions::new()?;
    for step in launch.steps {
        actions.add(*step)?;
    }
    let attributes = Attributes::new(launch.default_signals, launch.mask)?;
    let call = if launch.search { libc::posix_spawnp } else { libc::posix_spawn };
    let mut number = 0;
    count(Call::Clone3);
    // SAFETY: `program` and all strings of both lists end with a NUL, both lists end with a null
    // pointer, and they, the actions, the attributes and `number` outlive the call, which keeps
    // none of them. The strings are not written to, whatever the C type says. The descriptors in
    // the actions are open: the caller holds them.
    let code = unsafe {
        call(
            &mut number,
            launch.program.as_ptr(),
            &*actions.0,
            &*attributes.0,
            launch.arguments.as_ptr(),
            launch.environment.as_ptr(),
        )
    };
    if !matches!(code, 0 | libc::EAGAIN | libc::ENOMEM | libc::EPERM) {
        count(Call::Wait4); // the C library waited for a child that ran no program
    }
    done(code)?;
    Pid::from_raw(number).map(Process::new).ok_or(Errno::SRCH)
}

/// These functions return the error number instead of setting `errno`.
fn done(code: c_int) -> Result<(), Errno> {
    if code == 0 { Ok(()) } else { Err(Errno::from_raw_os_error(code)) }
}

/// The steps as `posix_spawn` takes them.
struct Actions(Box<libc::posix_spawn_file_actions_t>);

impl Actions {
    fn new() -> Result<Actions, Errno> {
        let mut actions = Box::new(MaybeUninit::uninit());
        // SAFETY: the call fills what it is given; on success it is initialised. It is boxed, so
        // it stays where it is until it is destroyed.
        unsafe {
            done(libc::posix_spawn_file_actions_init(actions.as_mut_ptr()))?;
            Ok(Actions(actions.assume_init()))
        }
    }

    fn add(&mut self, step: Step) -> Result<(), Errno> {
        let actions = &mut *self.0;
        // SAFETY: the actions are initialised; the numbers are only noted, and the path ends with a
        // NUL and is there for good.
        done(unsafe {
            match step {
                Step::Enter(at) => posix_spawn_file_actions_addfchdir_np(actions, at),
                Step::Put(file, number) => {
                    libc::posix_spawn_file_actions_adddup2(actions, file, number)
                }
                Step::Close(number) => libc::posix_spawn_file_actions_addclose(actions, number),
                Step::OpenNull(number) => {
                    let (path, flags) = null(number);
                    libc::posix_spawn_file_actions_addopen(actions, number, path.as_ptr(), flags, 0)
                }
            }
        })
    }
}

impl Drop for Actions {
    fn drop(&mut self) {
        // SAFETY: initialised, and not used any more.
        unsafe { libc::posix_spawn_file_actions_destroy(&mut *self.0) };
    }
}

/// What the child does about signals.
struct Attributes(Box<libc::posix_spawnattr_t>);

impl Attributes {
    fn new(defaults: &[c_int], mask: Option<SignalMask>) -> Result<Attributes, Errno> {
        let mut attributes = Box::new(MaybeUninit::uninit());
        let mut signals = MaybeUninit::uninit();
        let mut flags = libc::POSIX_SPAWN_SETSIGDEF;
        // SAFETY: each call fills what it is given, or takes what an earlier one has initialised;
        // the sets are copied.
        unsafe {
            done(libc::posix_spawnattr_init(attributes.as_mut_ptr()))?;
            let mut attributes = Attributes(attributes.assume_init());
            libc::sigemptyset(signals.as_mut_ptr());
            for &signal in defaults {
                libc::sigaddset(signals.as_mut_ptr(), signal);
            }
            done(libc::posix_spawnattr_setsigdefault(&mut *attributes.0, signals.as_ptr()))?;
            if let Some(mask) = mask {
                flags |= libc::POSIX_SPAWN_SETSIGMASK;
                done(libc::posix_spawnattr_setsigmask(&mut *attributes.0, mask.as_ptr()))?;
            }
            done(libc::posix_spawnattr_setflags(&mut *attributes.0, flags as c_short))?;
            Ok(attributes)
        }
    }
}

impl Drop for Attributes {
    fn drop(&mut self) {
        // SAFETY: initialised, and not used any more.
        unsafe { libc::posix_spawnattr_destroy(&mut *self.0) };
    }
}

/// The same open file under another number above 2, which programs that are run do not inherit.
///
/// Price: one `fcntl`; one `close` later.
///
/// # Errors
/// The kernel's number: `EMFILE`.
#[doc(alias = "fcntl")]
pub fn duplicate(file: BorrowedFd<'_>) -> Result<Descriptor, Errno> {
    retry(Call::Fcntl, || rustix::io::fcntl_dupfd_cloexec(file, 3)).map(Descriptor::new)
}

/// How a child ended: the status as `wait` gives it. `None` if it has not ended and `block` is
/// false.
///
/// Price: one `wait4`.
///
/// # Errors
/// The kernel's number: `ECHILD` if other code has waited for it, or SIGCHLD is ignored.
#[doc(alias = "wait4")]
pub fn wait(child: &Process, block: bool) -> Result<Option<i32>, Errno> {
    let options = if block { WaitOptions::empty() } else { WaitOptions::NOHANG };
    let ended = retry(Call::Wait4, || rustix::process::waitpid(Some(child.pid()), options))?;
    Ok(ended.map(|(_, status)| status.as_raw()))
}

/// Ends a child by SIGKILL. It must not have been waited for: otherwise the number may belong to
/// another process by now.
///
/// Price: one `kill`.
///
/// # Errors
/// The kernel's number: `EPERM`, `ESRCH`.
pub fn kill(child: &Process) -> Result<(), Errno> {
    retry(Call::Kill, || rustix::process::kill_process(child.pid(), Signal::KILL))
}

/// A new pipe: the end to read from and the end to write to. Programs that are run do not inherit
/// them.
///
/// Price: one `pipe2`; two `close` later.
///
/// # Errors
/// The kernel's number: `EMFILE`, `ENFILE`.
#[doc(alias = "pipe2")]
pub fn pipe() -> Result<(Descriptor, Descriptor), Errno> {
    let (reader, writer) = closed_on_run()?;
    Ok((Descriptor::new(reader), Descriptor::new(writer)))
}

#[cfg(not(target_vendor = "apple"))]
fn closed_on_run() -> Result<(OwnedFd, OwnedFd), Errno> {
    let flags = rustix::pipe::PipeFlags::CLOEXEC;
    retry(Call::Pipe2, || rustix::pipe::pipe_with(flags))
}

/// Without a call that does it at once: a child that another thread starts in between inherits it.
#[cfg(target_vendor = "apple")]
fn closed_on_run() -> Result<(OwnedFd, OwnedFd), Errno> {
    let both = retry(Call::Pipe2, rustix::pipe::pipe)?;
    for end in [&both.0, &both.1] {
        retry(Call::Fcntl, || rustix::io::fcntl_setfd(end, rustix::io::FdFlags::CLOEXEC))?;
    }
    Ok(both)
}

/// A pipe to read from, and where to.
type Source<'a> = (&'a Descriptor, &'a mut Vec<u8>);

/// What a pipe holds, unless its size was changed.
const PIPE_BYTES: usize = 64 << 10;

/// Reads two pipes up to their ends, each as it fills: what writes to them stops when one is full.
///
/// Price: one `read` for each block that arrives and one for each end, with a `ppoll` before it as
/// long as both are open.
///
/// # Errors
/// The kernel's number.
#[doc(alias = "ppoll")]
pub fn read_both(a: Source<'_>, b: Source<'_>) -> Result<(), Errno> {
    let rest = |pipe: &Descriptor, bytes: &mut Vec<u8>| -> Result<(), Errno> {
        while read_behind(pipe, bytes, PIPE_BYTES)? > 0 {}
        Ok(())
    };
    loop {
        let [first, second] = wait_for_either(a.0.as_fd(), b.0.as_fd())?;
        if first && read_behind(a.0, a.1, PIPE_BYTES)? == 0 {
            return rest(b.0, b.1);
        }
        if second && read_behind(b.0, b.1, PIPE_BYTES)? == 0 {
            return rest(a.0, a.1);
        }
    }
}

/// Waits until one of two files can be read or is at its end; returns which of them.
fn wait_for_either(a: BorrowedFd<'_>, b: BorrowedFd<'_>) -> Result<[bool; 2], Errno> {
    use rustix::event::{PollFd, PollFlags, poll};
    let mut both = [a, b].map(|file| PollFd::from_borrowed_fd(file, PollFlags::IN));
    retry(Call::Poll, || poll(&mut both, None))?;
    Ok(both.map(|file| !file.revents().is_empty()))
}
