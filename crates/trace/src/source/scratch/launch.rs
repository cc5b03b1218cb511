//! Starts a command in a scratch copy: namespaces of its own, mounts that lead to a copy, and
//! nothing else of this process.
//!
//! Three processes are made. The *maker* enters the namespaces and makes the mounts. It starts the
//! *keeper*, which is number 1 there: when this process closes its line to it, or ends, the keeper
//! ends, and the kernel ends all that is left in the scratch and takes the mounts away. Then the
//! maker starts the command as a child of this process, and ends.

use std::ffi::{CString, OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::mem::size_of;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::ptr;
use std::time::Duration;

use super::layout::Layout;
use super::steps::{Step, done, errno};
use crate::source::gate::Gate;
use crate::source::ptrace::{Pid, duration};

/// All that the children need, made before them: after `fork` they may not ask for memory.
pub(super) struct Plan<'a> {
    pub(super) layout: &'a Layout,
    pub(super) program: CString,
    pub(super) arguments: Pointers,
    pub(super) environment: Pointers,
    pub(super) directory: CString,
    /// Where what is made first is mounted.
    pub(super) base: CString,
    pub(super) network: bool,
    pub(super) filter: Vec<libc::sock_filter>,
    pub(super) input: OwnedFd,
}

/// Texts, and a list of their addresses that ends with a null pointer.
pub(super) struct Pointers {
    _texts: Vec<CString>,
    list: Vec<*const libc::c_char>,
}

impl Pointers {
    pub(super) fn new(texts: impl IntoIterator<Item = OsString>) -> io::Result<Pointers> {
        let texts: Vec<CString> =
            texts.into_iter().map(|text| terminated(&text)).collect::<io::Result<_>>()?;
        let list = texts.iter().map(|text| text.as_ptr()).chain([ptr::null()]).collect();
        Ok(Pointers { _texts: texts, list })
    }
}

pub(super) fn terminated(text: &OsStr) -> io::Result<CString> {
    CString::new(text.as_bytes()).map_err(|_| io::Error::from_raw_os_error(libc::EINVAL))
}

/// A command in a scratch. It waits until `gate` is opened. When this is dropped all that is left
/// of it ends.
pub(super) struct Started {
    /// 0 once it has been waited for.
    pub(super) command: Pid,
    gate: Option<Gate>,
    /// The scratch seen from outside: the layers are in `layers`.
    pub(super) top: File,
    /// Views that the kernel did not make: their numbers among the steps, and errnos.
    pub(super) refused: Vec<(usize, i32)>,
    line: Option<OwnedFd>,
    keeper: OwnedFd,
}

impl Started {
    /// Lets the command begin.
    pub(super) fn begin(&mut self) {
        if let Some(gate) = self.gate.take() {
            gate.open();
        }
    }

    /// Waits for the command. Its status, and the processor's time of it.
    pub(super) fn reap(&mut self) -> (i32, Duration) {
        let mut status = 0;
        // SAFETY: a struct of numbers may be all zeros; the kernel writes to it and to `status`.
        let usage = unsafe {
            let mut usage: libc::rusage = std::mem::zeroed();
            loop {
                match libc::wait4(self.command, &raw mut status, 0, &raw mut usage) {
                    -1 if errno() == libc::EINTR => {}
                    // One that is traced may have stopped only.
                    number if number > 0 && libc::WIFSTOPPED(status) => {}
                    _ => break,
                }
            }
            usage
        };
        self.command = 0;
        (status, duration(usage.ru_utime) + duration(usage.ru_stime))
    }

    /// Ends all that is left in the scratch, and waits for that.
    pub(super) fn end(&mut self) {
        self.gate = None;
        self.line = None;
        // The keeper ends when all others are gone, and the command is this process's to wait for.
        if self.command != 0 {
            self.reap();
        }
        let keeper = self.keeper.as_raw_fd();
        let mut poll = libc::pollfd { fd: keeper, events: libc::POLLIN, revents: 0 };
        // SAFETY: the kernel writes to one struct.
        while unsafe { libc::poll(&raw mut poll, 1, -1) } == -1 && errno() == libc::EINTR {}
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        self.end();
    }
}

/// Why a scratch could not be made.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Refusal {
    /// The kernel refused the namespaces.
    Namespaces(i32),
    /// Or this step.
    Step(usize, i32),
    /// Or something else.
    Other(i32),
}

/// What the maker says: a kind, a number, an errno.
const WORDS: usize = 3;
const ENTERED: i32 = 1;
const NAMESPACES: i32 = 2;
const REFUSED_VIEW: i32 = 3;
const REFUSED_STEP: i32 = 4;
const REFUSED: i32 = 5;
const STARTED: i32 = 6;

/// The ends of what connects the processes.
struct Ends {
    maker: OwnedFd,
    line: OwnedFd,
    gate: Gate,
    /// What this process keeps: the children close it.
    ours: [RawFd; 2],
}

/// Starts it.
pub(super) fn start(plan: &Plan) -> Result<Started, Refusal> {
    let other = |error: io::Error| Refusal::Other(error.raw_os_error().unwrap_or(libc::EIO));
    let (mut ours, theirs) = UnixStream::pair().map_err(other)?;
    let (line, our_line) = io::pipe().map_err(other)?;
    let ends = Ends {
        maker: theirs.into(),
        line: line.into(),
        gate: Gate::new().map_err(other)?,
        ours: [ours.as_raw_fd(), our_line.as_raw_fd()],
    };
    // SAFETY: the child calls nothing but functions that are safe in a signal handler.
    let maker = unsafe { libc::fork() };
    match maker {
        -1 => return Err(Refusal::Other(errno())),
        // SAFETY: this is the child; `plan` was made for it.
        0 => unsafe { make(plan, &ends) },
        _ => {}
    }
    let Ends { maker: theirs, line, gate, .. } = ends;
    drop((theirs, line));
    let said = listen(&mut ours, maker);
    // One that waits for an answer ends.
    drop(ours);
    // SAFETY: the maker is a child, and was not waited for.
    unsafe { while libc::waitpid(maker, ptr::null_mut(), 0) == -1 && errno() == libc::EINTR {} }
    let Said { keeper, top, command, refused } = said?;
    Ok(Started { command, gate: Some(gate), top, refused, line: Some(our_line.into()), keeper })
}

/// What the maker said in the end.
struct Said {
    keeper: OwnedFd,
    top: File,
    command: Pid,
    refused: Vec<(usize, i32)>,
}

fn listen(maker: &mut UnixStream, number: Pid) -> Result<Said, Refusal> {
    let mut refused = Vec::new();
    loop {
        let mut bytes = [0; 4 * WORDS];
        if maker.read_exact(&mut bytes).is_err() {
            return Err(Refusal::Other(libc::EIO));
        }
        let word =
            |at: usize| i32::from_ne_bytes(bytes[4 * at..][..4].try_into().unwrap_or_default());
        let at = || usize::try_from(word(1)).unwrap_or_default();
        match word(0) {
            ENTERED => {
                let mapped = map_owners(number);
                mapped.map_err(|error| {
                    Refusal::Namespaces(error.raw_os_error().unwrap_or(libc::EPERM))
                })?;
                maker.write_all(&[1]).map_err(|_| Refusal::Other(libc::EIO))?;
            }
            NAMESPACES => return Err(Refusal::Namespaces(word(2))),
            REFUSED_VIEW => refused.push((at(), word(2))),
            REFUSED_STEP => return Err(Refusal::Step(at(), word(2))),
            STARTED => {
                let (keeper, command) = (word(1), word(2));
                let top = File::open(format!("/proc/{keeper}/cwd/.."));
                let keeper = pidfd(keeper).and_then(|keeper| Ok((keeper, top?)));
                let refusal =
                    |error: io::Error| Refusal::Other(error.raw_os_error().unwrap_or(libc::EIO));
                let (keeper, top) = keeper.map_err(refusal)?;
                return Ok(Said { keeper, top, command, refused });
            }
            _ => return Err(Refusal::Other(word(2))),
        }
    }
}

/// Gives the users and groups of this process the same numbers there: all of them if this process
/// may, else its own.
fn map_owners(maker: Pid) -> io::Result<()> {
    // SAFETY: these calls cannot fail, and touch no memory.
    let (user, group) = unsafe { (libc::geteuid(), libc::getegid()) };
    let same = |line: &str| {
        let mut words = line.split_whitespace();
        Some(format!("{0} {0} {1}\n", words.next()?, words.nth(1)?))
    };
    for (name, own) in [("uid_map", user), ("gid_map", group)] {
        let all: String =
            fs::read_to_string(format!("/proc/self/{name}"))?.lines().filter_map(same).collect();
        let place = format!("/proc/{maker}/{name}");
        if fs::write(&place, all).is_err() {
            if name == "gid_map" {
                fs::write(format!("/proc/{maker}/setgroups"), "deny")?;
            }
            fs::write(&place, format!("{own} {own} 1\n"))?;
        }
    }
    Ok(())
}

/// A descriptor that becomes readable when the process has ended.
pub(super) fn pidfd(process: Pid) -> io::Result<OwnedFd> {
    // SAFETY: plain numbers; the descriptor is new, and this process's own.
    unsafe {
        let file = libc::syscall(libc::SYS_pidfd_open, process, 0);
        match RawFd::try_from(file) {
            Ok(file) if file >= 0 => Ok(OwnedFd::from_raw_fd(file)),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

/// The maker.
///
/// # Safety
/// To be called in a new child, once. It asks for no memory and takes no lock.
unsafe fn make(plan: &Plan, ends: &Ends) -> ! {
    // SAFETY: as the caller vouches; descriptors that are closed here are this copy's.
    unsafe {
        for end in ends.ours {
            libc::close(end);
        }
        let made = enter(plan, ends).and_then(|()| build(plan, ends));
        let started = made.and_then(|streams| populate(plan, ends, streams));
        say(ends, started.unwrap_or_else(|refusal| refusal));
        libc::_exit(0)
    }
}

fn say(ends: &Ends, words: [i32; WORDS]) {
    // SAFETY: the kernel reads as many bytes as there are.
    unsafe {
        libc::write(ends.maker.as_raw_fd(), words.as_ptr().cast(), size_of::<[i32; WORDS]>());
    }
}

/// Enters the namespaces, and waits until users have their numbers there.
fn enter(plan: &Plan, ends: &Ends) -> Result<(), [i32; WORDS]> {
    let mut spaces = libc::CLONE_NEWUSER
        | libc::CLONE_NEWNS
        | libc::CLONE_NEWPID
        | libc::CLONE_NEWIPC
        | libc::CLONE_NEWUTS;
    if !plan.network {
        spaces |= libc::CLONE_NEWNET;
    }
    // SAFETY: plain numbers; the kernel writes one byte.
    unsafe {
        done(libc::unshare(spaces)).map_err(|errno| [NAMESPACES, 0, errno])?;
        say(ends, [ENTERED, 0, 0]);
        let mut byte = 0u8;
        if libc::read(ends.maker.as_raw_fd(), (&raw mut byte).cast(), 1) != 1 {
            return Err([NAMESPACES, 0, libc::EPERM]);
        }
    }
    Ok(())
}

/// Makes the scratch. Returns the files for standard output and standard error.
fn build(plan: &Plan, ends: &Ends) -> Result<(RawFd, RawFd), [i32; WORDS]> {
    let refused = |errno| [REFUSED, 0, errno];
    let none = ptr::null::<libc::c_char>();
    // SAFETY: all texts end with a NUL.
    let (out, errors) = unsafe {
        let private = libc::MS_REC | libc::MS_PRIVATE;
        done(libc::mount(none, c"/".as_ptr(), none, private, ptr::null())).map_err(refused)?;
        let memory = c"tmpfs".as_ptr();
        let safe = libc::MS_NOSUID | libc::MS_NODEV;
        let mode = c"mode=0755".as_ptr().cast();
        done(libc::mount(memory, plan.base.as_ptr(), memory, safe, mode)).map_err(refused)?;
        done(libc::chdir(plan.base.as_ptr())).map_err(refused)?;
        for name in [c"old", c"new", c"layers"] {
            done(libc::mkdir(name.as_ptr(), 0o755)).map_err(refused)?;
        }
        let how = libc::O_RDWR | libc::O_CREAT | libc::O_EXCL | libc::O_CLOEXEC;
        let [out, errors] =
            [c"stdout", c"stderr"].map(|name| libc::open(name.as_ptr(), how, 0o600));
        if out < 0 || errors < 0 {
            return Err(refused(errno()));
        }
        pivot(c".", c"old").map_err(refused)?;
        let new = c"/new".as_ptr();
        done(libc::mount(new, new, none, libc::MS_BIND, ptr::null())).map_err(refused)?;
        (out, errors)
    };
    for (number, step) in (0..).zip(&plan.layout.steps) {
        if matches!(step, Step::Processes(_)) {
            continue;
        }
        match (step.perform(), step) {
            (Ok(()), _) => {}
            (Err(errno), Step::View { .. }) => say(ends, [REFUSED_VIEW, number, errno]),
            (Err(errno), _) => return Err([REFUSED_STEP, number, errno]),
        }
    }
    if !plan.network {
        raise_loopback();
    }
    Ok((out, errors))
}

fn pivot(new: &std::ffi::CStr, old: &std::ffi::CStr) -> Result<(), i32> {
    // SAFETY: the texts end with a NUL.
    let result = unsafe { libc::syscall(libc::SYS_pivot_root, new.as_ptr(), old.as_ptr()) };
    if result == 0 { Ok(()) } else { Err(errno()) }
}

/// Lets programs in the scratch talk to each other by the address of this machine. If that is
/// refused they cannot.
fn raise_loopback() {
    // SAFETY: all zeros is an `ifreq`; its name ends with a NUL; the descriptor is closed here.
    unsafe {
        let socket = libc::socket(libc::AF_INET, libc::SOCK_DGRAM, 0);
        let mut request: libc::ifreq = std::mem::zeroed();
        for (place, byte) in request.ifr_name.iter_mut().zip(b"lo") {
            *place = *byte as libc::c_char;
        }
        request.ifr_ifru.ifru_flags = libc::IFF_UP as libc::c_short;
        libc::ioctl(socket, libc::SIOCSIFFLAGS as _, &raw const request);
        libc::close(socket);
    }
}

/// Starts the keeper and the command. Returns what is to be said of them.
fn populate(
    plan: &Plan,
    ends: &Ends,
    (out, errors): (RawFd, RawFd),
) -> Result<[i32; WORDS], [i32; WORDS]> {
    let refused = |errno| [REFUSED, 0, errno];
    // SAFETY: copies of this process, which go on as what is called says; the texts end with a NUL.
    unsafe {
        done(libc::chdir(c"/layers".as_ptr())).map_err(refused)?;
        let keeper = copy(0);
        match keeper {
            -1 => return Err(refused(errno())),
            0 => keep(ends),
            _ => {}
        }
        show_processes(plan)?;
        let moved = done(libc::chdir(c"/new".as_ptr()))
            .and_then(|()| pivot(c".", c"."))
            .and_then(|()| done(libc::umount2(c".".as_ptr(), libc::MNT_DETACH)))
            .and_then(|()| done(libc::chdir(plan.directory.as_ptr())));
        moved.map_err(refused)?;
        match copy(libc::CLONE_PARENT) {
            -1 => Err(refused(errno())),
            0 => become_command(plan, ends, [plan.input.as_raw_fd(), out, errors]),
            command => Ok([STARTED, keeper, command]),
        }
    }
}

/// Lets the scratch have its own `/proc`. Only a process in there can mount that, and this one is
/// not: it will have children there.
fn show_processes(plan: &Plan) -> Result<(), [i32; WORDS]> {
    let steps = || (0..).zip(&plan.layout.steps);
    for (number, step) in steps().filter(|(_, step)| matches!(step, Step::Processes(_))) {
        // SAFETY: the copy makes a few calls and ends; the kernel writes one status.
        let status = unsafe {
            let helper = copy(0);
            if helper == 0 {
                libc::_exit(step.perform().err().unwrap_or(0));
            }
            let mut status = 0;
            while libc::waitpid(helper, &raw mut status, 0) == -1 && errno() == libc::EINTR {}
            status
        };
        if status != 0 {
            return Err([REFUSED_STEP, number, libc::WEXITSTATUS(status)]);
        }
    }
    Ok(())
}

/// A copy of this process, as `fork` makes one.
///
/// # Safety
/// As for `fork`: this process has one thread, and the copy asks for no memory.
unsafe fn copy(how: libc::c_int) -> Pid {
    // SAFETY: without a stack of its own, a copy goes on with a copy of this one.
    let number = unsafe { libc::syscall(libc::SYS_clone, how | libc::SIGCHLD, 0, 0, 0, 0) };
    Pid::try_from(number).unwrap_or(-1)
}

/// The keeper: ends with the line to the process that wants it.
///
/// # Safety
/// As for `make`.
unsafe fn keep(ends: &Ends) -> ! {
    // SAFETY: calls that are safe in a signal handler; the descriptors are this copy's.
    unsafe {
        libc::signal(libc::SIGCHLD, libc::SIG_IGN);
        libc::dup2(ends.line.as_raw_fd(), 0);
        libc::syscall(libc::SYS_close_range, 1, libc::c_uint::MAX, 0);
        let mut byte = 0u8;
        while libc::read(0, (&raw mut byte).cast(), 1) == -1 && errno() == libc::EINTR {}
        libc::_exit(0)
    }
}

/// The command: waits for the gate, and has nothing of the process that wants it but its standard
/// streams.
///
/// # Safety
/// As for `make`.
unsafe fn become_command(plan: &Plan, ends: &Ends, streams: [RawFd; 3]) -> ! {
    // SAFETY: calls that are safe in a signal handler; the pointers are those of `plan`.
    unsafe {
        if let Err(errno) = ends.gate.wait() {
            libc::_exit(errno);
        }
        libc::setsid();
        // Above the three, so that none is put over another that is still needed.
        let above = streams.map(|stream| libc::fcntl(stream, libc::F_DUPFD_CLOEXEC, 10));
        for (number, stream) in (0..).zip(above) {
            if libc::dup2(stream, number) == -1 {
                libc::_exit(errno());
            }
        }
        if libc::syscall(libc::SYS_close_range, 3, libc::c_uint::MAX, 0) != 0 {
            libc::_exit(errno());
        }
        if !sys::was_pipe_ignored() {
            libc::signal(libc::SIGPIPE, libc::SIG_DFL);
        }
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const none, ptr::null_mut());
        let length = plan.filter.len() as libc::c_ushort;
        let program = libc::sock_fprog { len: length, filter: plan.filter.as_ptr().cast_mut() };
        if length > 0 && crate::source::launch::install(&program) != 0 {
            libc::_exit(errno());
        }
        // It may not undo the mounts; and gains nothing by programs that lend privileges.
        libc::prctl(libc::PR_CAPBSET_DROP, SYS_ADMIN, 0, 0, 0);
        libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        let (arguments, environment) = (&plan.arguments.list, &plan.environment.list);
        libc::execve(plan.program.as_ptr(), arguments.as_ptr(), environment.as_ptr());
        libc::_exit(errno())
    }
}

/// `CAP_SYS_ADMIN` (linux/capability.h).
const SYS_ADMIN: libc::c_ulong = 21;

/// Where what is made first can be mounted.
pub(super) fn base() -> &'static Path {
    ["/tmp", "/var/tmp", "/mnt"]
        .map(Path::new)
        .into_iter()
        .find(|it| it.is_dir())
        .unwrap_or(Path::new("/proc"))
}
