//! The requests of ptrace that are used, one function each. All of them are about a thread that
//! this thread traces; on any other the kernel answers ESRCH, and so do these.

use std::io;
use std::mem::{MaybeUninit, size_of};
use std::time::Duration;

use super::registers::Registers;

/// A thread's (or process's) number, as the kernel hands it out.
pub(crate) type Pid = libc::pid_t;

/// The type of a request's number, in which the C libraries differ.
#[cfg(target_env = "musl")]
pub(super) type Request = libc::c_int;
/// The type of a request's number, in which the C libraries differ.
#[cfg(not(target_env = "musl"))]
pub(super) type Request = libc::c_uint;

/// The answer to `PTRACE_GET_SYSCALL_INFO` (linux/ptrace.h), which the libc crate has for glibc
/// alone.
#[repr(C)]
struct SyscallInfo {
    stop: u8,
    padding: [u8; 3],
    machine: u32,
    instruction_pointer: u64,
    stack_pointer: u64,
    /// Before a call its number and its six arguments; after it its result.
    values: [u64; 8],
}

const GET_SYSCALL_INFO: Request = 0x420e;
const GET_SIGNAL_MASK: Request = 0x420a;
const SET_SIGNAL_MASK: Request = 0x420b;
/// The values of `stop`: before a call, after it, and before it because a filter said so.
const ENTRY: u8 = 1;
const EXIT: u8 = 2;
const FILTER: u8 = 3;

/// What is asked for of every tracee: that its stops can be distinguished, and that its children
/// are traced from their first instruction on.
pub(crate) const OPTIONS: libc::c_int = libc::PTRACE_O_TRACESYSGOOD
    | libc::PTRACE_O_TRACEEXEC
    | libc::PTRACE_O_TRACEFORK
    | libc::PTRACE_O_TRACEVFORK
    | libc::PTRACE_O_TRACECLONE;

/// How a stopped thread goes on.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Resume {
    /// To the next stop that the filter or a signal makes.
    Continue,
    /// To the beginning or end of the next system call.
    Call,
    /// By one instruction.
    #[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "for the agent"))]
    Step,
    /// Not at all: it stays in its group's stop, as if it were not traced.
    Listen,
    /// It is traced no longer.
    Detach,
}

/// A call that is about to be made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    /// The kind of machine whose number it is (`AUDIT_ARCH_…`).
    pub(crate) machine: u32,
    pub(crate) number: u64,
    pub(crate) arguments: [u64; 6],
}

/// What the kernel says about a stop at a system call.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Info {
    /// It is about to be made.
    Entry(Entry),
    /// The same, where a filter made it stop.
    Filter(Entry),
    /// It is done.
    Exit { result: i64 },
    /// The stop has nothing to do with a call.
    Elsewhere,
}

fn answer(result: libc::c_long) -> io::Result<libc::c_long> {
    if result == -1 { Err(io::Error::last_os_error()) } else { Ok(result) }
}

/// A request whose third and fourth arguments are numbers.
fn plain(request: Request, thread: Pid, address: usize, data: usize) -> io::Result<()> {
    // SAFETY: none of the requests made through here writes to this process's memory; the kernel
    // checks the thread's number.
    answer(unsafe { libc::ptrace(request, thread, address, data) }).map(drop)
}

/// Whether there are such requests at all.
pub(crate) fn is_there() -> bool {
    // No thread has this number: the kernel answers ESRCH.
    let answer = plain(libc::PTRACE_INTERRUPT, 0, 0, 0);
    !answer.is_err_and(|error| error.raw_os_error() == Some(libc::ENOSYS))
}

/// Begins to trace a thread, without stopping it.
pub(crate) fn seize(thread: Pid, options: libc::c_int) -> io::Result<()> {
    plain(libc::PTRACE_SEIZE, thread, 0, options as usize)
}

/// Makes a thread stop soon (`PTRACE_EVENT_STOP`).
pub(crate) fn interrupt(thread: Pid) -> io::Result<()> {
    plain(libc::PTRACE_INTERRUPT, thread, 0, 0)
}

/// Lets a stopped thread go on, and hands it a signal unless that is 0.
pub(crate) fn resume(thread: Pid, how: Resume, signal: i32) -> io::Result<()> {
    let request = match how {
        Resume::Continue => libc::PTRACE_CONT,
        Resume::Call => libc::PTRACE_SYSCALL,
        Resume::Step => libc::PTRACE_SINGLESTEP,
        Resume::Listen => libc::PTRACE_LISTEN,
        Resume::Detach => libc::PTRACE_DETACH,
    };
    plain(request, thread, 0, signal as usize)
}

/// The number that belongs to an event: of a new process, or the one a thread had before execve.
pub(crate) fn message(thread: Pid) -> io::Result<Pid> {
    let mut message: libc::c_ulong = 0;
    // SAFETY: PTRACE_GETEVENTMSG writes one unsigned long, to a variable of that type.
    answer(unsafe { libc::ptrace(libc::PTRACE_GETEVENTMSG, thread, 0, &raw mut message) })?;
    Ok(message as Pid)
}

/// What call a thread stopped at, and whether before or after it.
pub(crate) fn info(thread: Pid) -> io::Result<Info> {
    let mut info = MaybeUninit::<SyscallInfo>::zeroed();
    let size = size_of::<SyscallInfo>();
    // SAFETY:
    // - The kernel writes at most `size` bytes, which is how large the variable is.
    // - All zeros is a value of the type: it is numbers only. So what the kernel leaves out is
    //   initialised as well.
    let info = unsafe {
        answer(libc::ptrace(GET_SYSCALL_INFO, thread, size, info.as_mut_ptr()))?;
        info.assume_init()
    };
    let [number, arguments @ .., _] = info.values;
    let entry = Entry { machine: info.machine, number, arguments };
    Ok(match info.stop {
        ENTRY => Info::Entry(entry),
        FILTER => Info::Filter(entry),
        EXIT => Info::Exit { result: info.values[0].cast_signed() },
        _ => Info::Elsewhere,
    })
}

/// The registers, as this machine has them.
#[derive(Clone, Copy)]
pub(crate) struct AllRegisters(libc::user_regs_struct);

impl AllRegisters {
    /// Reads them from a stopped thread.
    pub(crate) fn of(thread: Pid) -> io::Result<AllRegisters> {
        let mut registers = MaybeUninit::<libc::user_regs_struct>::zeroed();
        let mut block = libc::iovec {
            iov_base: registers.as_mut_ptr().cast(),
            iov_len: size_of::<libc::user_regs_struct>(),
        };
        // SAFETY: the kernel writes at most `iov_len` bytes to `iov_base`, which is the size of
        // the variable behind it; all zeros is a value of the type (numbers only).
        unsafe {
            let set = libc::NT_PRSTATUS as usize;
            answer(libc::ptrace(libc::PTRACE_GETREGSET, thread, set, &raw mut block))?;
            Ok(AllRegisters(registers.assume_init()))
        }
    }

    /// Writes them back to a stopped thread.
    pub(crate) fn put(&self, thread: Pid) -> io::Result<()> {
        let mut copy = self.0;
        let mut block = libc::iovec {
            iov_base: (&raw mut copy).cast(),
            iov_len: size_of::<libc::user_regs_struct>(),
        };
        // SAFETY: the kernel reads at most `iov_len` bytes from `iov_base`, a variable that size.
        unsafe {
            let set = libc::NT_PRSTATUS as usize;
            answer(libc::ptrace(libc::PTRACE_SETREGSET, thread, set, &raw mut block)).map(drop)
        }
    }

    /// The same registers at another instruction.
    pub(crate) fn at(&self, ip: u64) -> AllRegisters {
        let mut moved = *self;
        #[cfg(target_arch = "x86_64")]
        let register = &mut moved.0.rip;
        #[cfg(target_arch = "aarch64")]
        let register = &mut moved.0.pc;
        *register = ip;
        moved
    }

    /// As the kernel has them.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn raw(&mut self) -> &mut libc::user_regs_struct {
        &mut self.0
    }

    /// The call that is about to be made, if it is one of this machine: its number and arguments.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn call(&self) -> (u64, [u64; 6]) {
        let Self(at) = self;
        (at.orig_rax, [at.rdi, at.rsi, at.rdx, at.r10, at.r8, at.r9])
    }

    /// The call that is about to be made, if it is one of this machine: its number and arguments.
    #[cfg(target_arch = "aarch64")]
    pub(crate) fn call(&self) -> (u64, [u64; 6]) {
        let at = &self.0.regs;
        (at[8], [at[0], at[1], at[2], at[3], at[4], at[5]])
    }

    /// Those that unwinding starts from.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn start(&self) -> Registers {
        Registers { ip: self.0.rip, sp: self.0.rsp, fp: self.0.rbp, lr: 0 }
    }

    /// Those that unwinding starts from.
    #[cfg(target_arch = "aarch64")]
    pub(crate) fn start(&self) -> Registers {
        Registers { ip: self.0.pc, sp: self.0.sp, fp: self.0.regs[29], lr: self.0.regs[30] }
    }

    /// The register of a call's third argument.
    pub(crate) fn third_argument(&mut self) -> &mut u64 {
        #[cfg(target_arch = "x86_64")]
        let register = &mut self.0.rdx;
        #[cfg(target_arch = "aarch64")]
        let register = &mut self.0.regs[2];
        register
    }

    /// The register of a call's first argument.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn first_argument(&mut self) -> &mut u64 {
        &mut self.0.rdi
    }

    /// The register of a call's first argument.
    #[cfg(target_arch = "aarch64")]
    pub(crate) fn first_argument(&mut self) -> &mut u64 {
        &mut self.0.regs[0]
    }
}

/// Writes a word to a stopped thread's memory, also where it may not write itself: to its code.
pub(crate) fn poke(thread: Pid, address: u64, word: u64) -> io::Result<()> {
    plain(libc::PTRACE_POKEDATA, thread, address as usize, word as usize)
}

/// Which signals a stopped thread holds back.
pub(crate) fn signal_mask(thread: Pid) -> io::Result<u64> {
    let mut mask = 0u64;
    // SAFETY: the kernel writes as many bytes as the third argument says: the size of the variable.
    answer(unsafe { libc::ptrace(GET_SIGNAL_MASK, thread, size_of::<u64>(), &raw mut mask) })?;
    Ok(mask)
}

/// Lets it hold back others.
pub(crate) fn set_signal_mask(thread: Pid, mask: u64) -> io::Result<()> {
    // SAFETY: the kernel reads as many bytes as the third argument says: the size of the variable.
    answer(unsafe { libc::ptrace(SET_SIGNAL_MASK, thread, size_of::<u64>(), &raw const mask) })
        .map(drop)
}

/// What the kernel says about a signal.
pub(crate) struct SignalInfo(libc::siginfo_t);

impl SignalInfo {
    /// About the one that a thread stopped for.
    pub(crate) fn of(thread: Pid) -> io::Result<SignalInfo> {
        let mut info = MaybeUninit::<libc::siginfo_t>::zeroed();
        // SAFETY: the kernel writes one `siginfo_t`, of which all zeros is a value.
        unsafe {
            answer(libc::ptrace(libc::PTRACE_GETSIGINFO, thread, 0, info.as_mut_ptr()))?;
            Ok(SignalInfo(info.assume_init()))
        }
    }

    /// A thread that stopped for another signal has stopped for this one.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn put(&self, thread: Pid) -> io::Result<()> {
        // SAFETY: the kernel reads one `siginfo_t`.
        answer(unsafe { libc::ptrace(libc::PTRACE_SETSIGINFO, thread, 0, &raw const self.0) })
            .map(drop)
    }
}

/// Whether the signal that a thread is about to get was caused by its own instruction.
pub(crate) fn is_fault(thread: Pid) -> bool {
    SignalInfo::of(thread).is_ok_and(|info| info.0.si_code > 0)
}

/// A stopped thread's pointer to what is its own: for the C library it is also the thread's number.
#[cfg(target_arch = "x86_64")]
pub(crate) fn thread_pointer(thread: Pid) -> Option<u64> {
    Some(AllRegisters::of(thread).ok()?.0.fs_base)
}

/// A stopped thread's pointer to what is its own. The C library's number of the thread lies before
/// it, at a distance that differs from version to version.
#[cfg(target_arch = "aarch64")]
pub(crate) fn thread_pointer(_thread: Pid) -> Option<u64> {
    None
}

/// A thread that stopped, or is no more.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stop {
    pub(crate) thread: Pid,
    /// As `wait` has it.
    pub(crate) status: i32,
    /// The processor's time that its process has taken, with the children that it waited for.
    pub(crate) processor: Duration,
}

/// The next stop of any thread that this thread traces, or its end.
pub(crate) fn wait() -> io::Result<Stop> {
    wait4(-1, 0)
}

/// The next stop of any thread that this thread traces, if there is one already.
pub(crate) fn poll() -> Option<Stop> {
    wait4(-1, libc::WNOHANG).ok().filter(|stop| stop.thread > 0)
}

/// The next stop of one thread, or its end.
pub(crate) fn wait_for(thread: Pid) -> io::Result<Stop> {
    wait4(thread, 0)
}

/// Children of other threads of this process are theirs.
fn wait4(thread: Pid, how: i32) -> io::Result<Stop> {
    let (mut status, mut usage) = (0, MaybeUninit::<libc::rusage>::zeroed());
    let how = how | libc::__WALL | libc::__WNOTHREAD;
    // SAFETY: the kernel writes one int and one struct of numbers, of which all zeros is a value.
    let (thread, usage) = unsafe {
        let thread = libc::wait4(thread, &raw mut status, how, usage.as_mut_ptr());
        (thread, usage.assume_init())
    };
    if thread == -1 {
        return Err(io::Error::last_os_error());
    }
    Ok(Stop { thread, status, processor: duration(usage.ru_utime) + duration(usage.ru_stime) })
}

/// A time of the kernel's.
pub(crate) fn duration(time: libc::timeval) -> Duration {
    let seconds = Duration::from_secs(u64::try_from(time.tv_sec).unwrap_or(0));
    seconds + Duration::from_micros(u64::try_from(time.tv_usec).unwrap_or(0))
}

/// Sends a signal to a process. One that is gone needs none.
pub(crate) fn send(process: Pid, signal: i32) {
    // SAFETY: two numbers.
    unsafe { libc::kill(process, signal) };
}

/// Waits for a child that has ended, or is about to.
#[cfg(feature = "kernel")]
pub(crate) fn reap(child: Pid) {
    let _gone = wait_for(child);
}

/// Whether there is such a thread or process.
#[cfg(feature = "kernel")]
pub(crate) fn is_alive(thread: Pid) -> bool {
    // SAFETY: two numbers; 0 is no signal.
    unsafe { libc::kill(thread, 0) == 0 }
}
