//! Starts the first process: stopped before its program, until it is traced and has its filter.

use std::ffi::{CString, OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::ptr;

use super::gate::Gate;
use super::ptrace::{self, Pid};
use super::signals::Inherited;
use super::{Stage, failed, failure};
use crate::Error;

/// All that the child needs, made before the child: after `fork` it may not ask for memory.
struct Plan {
    program: CString,
    /// The words, each one's address in `arguments`, and a null pointer.
    _words: Vec<CString>,
    arguments: Vec<*const libc::c_char>,
    /// The same for the shell, which runs what the kernel finds to be no program.
    shell: Vec<*const libc::c_char>,
    filter: Vec<libc::sock_filter>,
    directory: Option<CString>,
    /// Files to be opened as standard input, output and error.
    streams: [Option<CString>; 3],
    /// Open when the child is traced.
    gate: Gate,
    inherited: Inherited,
    ignores_pipes: bool,
}

impl Plan {
    fn new(
        command: &[OsString],
        stage: &Stage,
        filter: Vec<libc::sock_filter>,
        gate: Gate,
        inherited: Inherited,
    ) -> Result<Plan, Error> {
        let name = command.first().map_or(OsStr::new(""), |name| name);
        let terminated = |word: &OsStr| {
            CString::new(word.as_bytes()).map_err(|_| failure(libc::EINVAL, "run", word))
        };
        let program = fewer::path::find_program(stage.directory.as_deref(), name)?;
        let program = terminated(program.as_os_str())?;
        let path = |path: &Option<PathBuf>| path.as_ref().map(|it| terminated(it.as_os_str()));
        let directory = path(&stage.directory).transpose()?;
        let [input, output, errors] = &stage.streams;
        let streams =
            [path(input).transpose()?, path(output).transpose()?, path(errors).transpose()?];
        let words: Vec<CString> =
            command.iter().map(|word| terminated(word)).collect::<Result<_, _>>()?;
        let mut arguments: Vec<_> = words.iter().map(|word| word.as_ptr()).collect();
        arguments.push(ptr::null());
        let mut shell = vec![SHELL.as_ptr(), program.as_ptr()];
        shell.extend(&arguments[1..]);
        Ok(Plan {
            program,
            _words: words,
            arguments,
            shell,
            filter,
            directory,
            streams,
            gate,
            inherited,
            ignores_pipes: sys::was_pipe_ignored(),
        })
    }
}

/// What runs a text without `#!`.
const SHELL: &std::ffi::CStr = c"/bin/sh";

/// Starts a command, traced from its `execve` on. If that fails the child ends with the errno as
/// its status.
/// With an empty filter it stops at its `execve` only when that is done.
pub(crate) fn launch(
    command: &[OsString],
    stage: &Stage,
    filter: Vec<libc::sock_filter>,
    inherited: &Inherited,
) -> Result<Pid, Error> {
    let name = command.first().map_or(OsStr::new(""), |name| name);
    let (child, gate) = prepare(command, stage, filter, inherited)?;
    let options = ptrace::OPTIONS | libc::PTRACE_O_EXITKILL | libc::PTRACE_O_TRACESECCOMP;
    if let Err(error) = ptrace::seize(child, options) {
        kill(child);
        return Err(failed(&error, "trace", name));
    }
    gate.open();
    Ok(child)
}

/// Ends a child that was not waited for.
pub(crate) fn kill(child: Pid) {
    // SAFETY: the child is ours and was not waited for, so that the number is still its own.
    unsafe {
        libc::kill(child, libc::SIGKILL);
        libc::waitpid(child, ptr::null_mut(), 0);
    }
}

/// Makes the child. It becomes the program when the gate is opened.
pub(crate) fn prepare(
    command: &[OsString],
    stage: &Stage,
    filter: Vec<libc::sock_filter>,
    inherited: &Inherited,
) -> Result<(Pid, Gate), Error> {
    let name = command.first().map_or(OsStr::new(""), |name| name);
    let gate = Gate::new().map_err(|error| failed(&error, "run", name))?;
    let plan = Plan::new(command, stage, filter, gate, *inherited)?;
    // SAFETY: the child calls nothing but functions that are safe in a signal handler: see
    // `become_program`.
    let child = unsafe { libc::fork() };
    match child {
        -1 => return Err(failed(&std::io::Error::last_os_error(), "run", name)),
        // SAFETY: this is the child; `plan` was made for it.
        0 => unsafe { become_program(&plan) },
        _ => {}
    }
    Ok((child, plan.gate))
}

/// The child: waits until it is traced, puts itself behind the filter, becomes the program.
///
/// # Safety
/// To be called in a new child, once. It asks for no memory and takes no lock: another thread may
/// have held one when the process was copied.
unsafe fn become_program(plan: &Plan) -> ! {
    // SAFETY:
    // - All functions called are safe in a signal handler, as POSIX or the kernel's interface has
    //   it: close, read, open, dup2, chdir, signal, prctl, execv, _exit.
    // - The pointers in `plan` point to what `plan` holds, and end with a null pointer.
    // - `program` lives longer than the call that reads it.
    unsafe {
        if let Err(errno) = plan.gate.wait() {
            libc::_exit(errno);
        }
        take_place(plan);
        // The runtime of this program ignores it; the command does what was inherited.
        if !plan.ignores_pipes {
            libc::signal(libc::SIGPIPE, libc::SIG_DFL);
        }
        plan.inherited.put_back();
        let length = plan.filter.len() as libc::c_ushort;
        let program = libc::sock_fprog { len: length, filter: plan.filter.as_ptr().cast_mut() };
        // A process without privilege may set a filter only after it gives up gaining any.
        if length > 0
            && install(&program) != 0
            && (libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || install(&program) != 0)
        {
            libc::_exit(*libc::__errno_location());
        }
        libc::execv(plan.program.as_ptr(), plan.arguments.as_ptr());
        if *libc::__errno_location() == libc::ENOEXEC {
            libc::execv(SHELL.as_ptr(), plan.shell.as_ptr());
        }
        libc::_exit(*libc::__errno_location());
    }
}

/// Opens the streams, and enters the directory.
///
/// # Safety
/// As for `become_program`, which calls it.
unsafe fn take_place(plan: &Plan) {
    // SAFETY: the functions called are safe in a signal handler; the paths are `plan`'s and end
    // with a NUL.
    unsafe {
        // The streams first: their paths are meant from where this process is.
        for (number, stream) in (0..).zip(&plan.streams) {
            if let Some(stream) = stream {
                let how =
                    if number == 0 { libc::O_RDONLY } else { libc::O_WRONLY | libc::O_APPEND };
                let file = libc::open(stream.as_ptr(), how);
                if file == -1 || libc::dup2(file, number) == -1 {
                    libc::_exit(*libc::__errno_location());
                }
                if file != number {
                    libc::close(file);
                }
            }
        }
        if let Some(directory) = &plan.directory
            && libc::chdir(directory.as_ptr()) != 0
        {
            libc::_exit(*libc::__errno_location());
        }
    }
}

/// Puts the calling thread behind a filter.
///
/// # Safety
/// `program` points to as many steps as it says.
pub(super) unsafe fn install(program: &libc::sock_fprog) -> libc::c_long {
    // SAFETY: the kernel reads the program that the caller vouches for.
    unsafe {
        // A program that is watched needs no protection from what it may guess about itself, which
        // some kernels give to a process with a filter, and which is slow. Old ones know no flags.
        let program = ptr::from_ref(program);
        let operation = libc::SECCOMP_SET_MODE_FILTER;
        let flag = libc::SECCOMP_FILTER_FLAG_SPEC_ALLOW;
        match libc::syscall(libc::SYS_seccomp, operation, flag, program) {
            0 => 0,
            _ => libc::syscall(libc::SYS_seccomp, operation, 0, program),
        }
    }
}
