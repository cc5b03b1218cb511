//! Runs a command untraced, and measures how long it takes.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::FromRawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileTypeExt;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::Ending;
use super::interrupt::InterruptGuard;
use super::ptrace::duration;
use crate::{Call, Error, Registry};

/// What a command takes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Baseline {
    /// From its start to its end.
    pub wall: Duration,
    /// Time of processors in programs: its own and those of the children that it waited for.
    pub user: Duration,
    /// The same in the kernel.
    pub system: Duration,
    /// How it ended, as `wait` has it.
    pub status: i32,
    /// Whether a user ended it by Ctrl-C: its times are those of a part then.
    pub interrupted: bool,
}

impl Baseline {
    /// How it ended.
    #[must_use]
    pub fn ending(&self) -> Ending {
        match libc::WIFSIGNALED(self.status) {
            true => Ending::Killed(libc::WTERMSIG(self.status)),
            false => {
                Ending::Exited(u8::try_from(libc::WEXITSTATUS(self.status)).unwrap_or(u8::MAX))
            }
        }
    }
}

/// Runs a command and waits for its end. What it writes goes to /dev/null. What it reads is the
/// file that standard input is, from its beginning, or nothing: see [`SingleUseInput`].
///
/// A Ctrl-C ends the command, not this process; if the command does not heed it, a second one
/// does. The command does not outlive this process.
///
/// # Errors
/// If it cannot be started.
pub fn baseline(command: &[OsString]) -> Result<Baseline, Error> {
    let name = command.first().map_or(OsStr::new(""), |name| name);
    let failed = |error: &io::Error| {
        let errno = error.raw_os_error().unwrap_or(libc::EINVAL);
        Error::new(fewer::Errno::from_raw_os_error(errno), "run", name.as_bytes())
    };
    let interrupts = InterruptGuard::take();
    let start = Instant::now();
    let child = match spawn(command) {
        // A text without `#!` is for the shell.
        Err(error) if error.raw_os_error() == Some(libc::ENOEXEC) => {
            spawn(&[&["/bin/sh".into()], command].concat())
        }
        other => other,
    };
    let child = child.map_err(|error| failed(&error))?;
    interrupts.is_for(child);
    let ended = wait(child, &interrupts);
    let wall = start.elapsed();
    let interrupted = interrupts.was_used();
    let (status, usage) = ended.map_err(|error| failed(&error))?;
    let (user, system) = (duration(usage.ru_utime), duration(usage.ru_stime));
    Ok(Baseline { wall, user, system, status, interrupted })
}

fn spawn(command: &[OsString]) -> io::Result<i32> {
    let Some((program, arguments)) = command.split_first() else {
        return Err(io::Error::from_raw_os_error(libc::ENOENT));
    };
    let mut command = Command::new(program);
    command.args(arguments).stdin(input()).stdout(Stdio::null()).stderr(Stdio::null());
    let parent = std::process::id();
    let ignores_pipes = sys::was_pipe_ignored();
    let bound = move || {
        // SAFETY: the calls take plain numbers, and all may be made in a new child.
        let parent_now = unsafe {
            if ignores_pipes {
                libc::signal(libc::SIGPIPE, libc::SIG_IGN);
            }
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0);
            libc::getppid()
        };
        match u32::try_from(parent_now) == Ok(parent) {
            true => Ok(()),
            false => Err(io::Error::from_raw_os_error(libc::ESRCH)),
        }
    };
    // SAFETY: `bound` takes no lock, and asks for no memory: an error is a number.
    unsafe { command.pre_exec(bound) };
    let child = command.spawn()?;
    i32::try_from(child.id()).map_err(io::Error::other)
}

/// What a command reads that is run a second time.
fn input() -> Stdio {
    // SAFETY: the descriptor is wrapped in what is not dropped, so it stays open, and as it is.
    let here = std::mem::ManuallyDrop::new(unsafe { File::from_raw_fd(libc::STDIN_FILENO) });
    let is_file = here.metadata().is_ok_and(|file| file.is_file());
    // Opened anew it is read from its beginning, whatever the first run has read.
    match is_file.then(|| File::open("/proc/self/fd/0")) {
        Some(Ok(file)) => file.into(),
        _ => Stdio::null(),
    }
}

/// Waits for the end of a child. Before its number can be given to another process, Ctrl-C stops
/// killing it.
fn wait(child: i32, interrupts: &InterruptGuard) -> io::Result<(i32, libc::rusage)> {
    // SAFETY: these structs of numbers may be all zeros.
    let (mut info, mut usage): (libc::siginfo_t, libc::rusage) = unsafe { std::mem::zeroed() };
    let mut status = 0;
    let (whom, how) = (child.unsigned_abs(), libc::WEXITED | libc::WNOWAIT);
    // SAFETY: the kernel fills `info`, which is a whole value.
    retry(|| unsafe { libc::waitid(libc::P_PID, whom, &raw mut info, how) })?;
    interrupts.is_for(0);
    // SAFETY: the same with `status` and `usage`.
    retry(|| unsafe { libc::wait4(child, &raw mut status, 0, &raw mut usage) })?;
    Ok((status, usage))
}

fn retry(mut call: impl FnMut() -> libc::c_int) -> io::Result<()> {
    loop {
        if call() != -1 {
            return Ok(());
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

/// A standard input that can be read once only: a pipe, a socket, a terminal. If the traced program
/// has read from it, a second run would do something else, and there can be no baseline.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SingleUseInput {
    name: Box<[u8]>,
}

impl SingleUseInput {
    /// What standard input is now; `None` if it can be read again, or there is nothing in it.
    #[must_use]
    pub fn of_this_process() -> Option<SingleUseInput> {
        let name = std::fs::read_link("/proc/self/fd/0").ok()?;
        let kind = std::fs::metadata("/proc/self/fd/0").ok()?.file_type();
        let is_null = name.as_os_str() == "/dev/null";
        let is_once = kind.is_fifo() || kind.is_socket() || (kind.is_char_device() && !is_null);
        is_once.then(|| SingleUseInput { name: name.as_os_str().as_bytes().into() })
    }

    /// Whether a call has read from it.
    #[must_use]
    pub fn is_read_by(&self, call: &Call, registry: &Registry) -> bool {
        use crate::Name::{
            Pread64, Preadv, Preadv2, Read, Readv, Recvfrom, Recvmmsg, Recvmsg, Sendfile, Splice,
            Tee,
        };
        let read = match call.name {
            Read | Readv | Pread64 | Preadv | Preadv2 | Recvfrom | Recvmsg | Recvmmsg | Splice
            | Tee => call.file,
            Sendfile => call.second,
            _ => return false,
        };
        call.result > 0 && registry.path(read) == &*self.name
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Mutex, PoisonError};

    use super::*;
    use crate::{Event, Name, PathId, Text};

    /// Only one `InterruptGuard` may live at a time.
    static ALONE: Mutex<()> = Mutex::new(());

    fn shell(script: &str) -> Baseline {
        let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        baseline(&["sh", "-c", script].map(OsString::from)).unwrap()
    }

    #[test]
    fn times_and_status_are_those_of_the_command() {
        let slept = shell("sleep 0.2; exit 3");
        assert_eq!(slept.status, 3 << 8);
        assert!(slept.wall >= Duration::from_millis(200) && slept.wall < Duration::from_secs(20));
        assert!(slept.user + slept.system < slept.wall && !slept.interrupted);
        let busy = shell("i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done");
        assert!(busy.user > Duration::from_millis(5) && busy.user <= busy.wall * 2);
        assert_eq!(shell("kill -9 $$").status, 9);
    }

    #[test]
    fn what_cannot_be_run_is_an_error() {
        let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let trouble = |name: &str| baseline(&[name.into()]).unwrap_err().to_string();
        assert_eq!(
            trouble("no such program\n"),
            "cannot run 'no such program\\n': No such file or directory"
        );
        assert_eq!(trouble("/"), "cannot run '/': Permission denied");
        assert!(baseline(&[]).is_err());
    }

    #[test]
    fn a_text_is_run_by_the_shell() {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("script");
        // Copied by a program: what this process has open for writing is open in a child that
        // another test starts meanwhile, and cannot be run (`ETXTBSY`).
        let text = folder.path().join("text");
        std::fs::write(&text, "exit $1\n").unwrap();
        let copy = Command::new("install").args(["-m", "700"]).args([&text, &script]).status();
        assert!(copy.unwrap().success());
        let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        assert_eq!(baseline(&[script.into(), "5".into()]).unwrap().status, 5 << 8);
    }

    #[test]
    fn a_second_interrupt_ends_what_does_not_heed_the_first() {
        // The test's process gets them, as it would from a terminal.
        let deaf = shell("trap '' INT; kill -INT $PPID; sleep 0.3; kill -INT $PPID; sleep 60");
        assert!(deaf.interrupted);
        assert_eq!(deaf.status, libc::SIGKILL);
        assert!(deaf.wall < Duration::from_secs(30));
        assert!(!shell("exit 0").interrupted);
    }

    #[test]
    fn reading_what_can_be_read_once_is_seen() {
        let mut registry = Registry::default();
        for (id, path) in [(1, "pipe:[7]"), (2, "/etc/passwd")] {
            registry.take(&Event::Path { id: PathId(id), path: Text::from(path) });
        }
        let once = SingleUseInput { name: b"pipe:[7]"[..].into() };
        let call =
            |name, file, result| Call { name, file: PathId(file), result, ..Call::default() };
        assert!(once.is_read_by(&call(Name::Read, 1, 5), &registry));
        for other in [(Name::Read, 1, 0), (Name::Read, 2, 5), (Name::Fstat, 1, 5)] {
            assert!(!once.is_read_by(&call(other.0, other.1, other.2), &registry));
        }
    }
}
