//! Programs that make marked calls from known locations, and the stacks found there. What a frame's
//! function is called is asked of addr2line, so that nothing of ours is believed.

use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{Stacks, StoppedThread};
use crate::Registry;
use crate::source::memory;
use crate::source::paths::Paths;
use crate::source::ptrace::Request;
use crate::source::registers::Registers;

/// A call is marked by a path that begins like this.
const MARK: &[u8] = b"/trial/";

/// A folder that goes away again.
pub(super) struct Folder(
    pub(super) PathBuf,
    #[expect(dead_code, reason = "removes the folder when it is dropped")] tempfile::TempDir,
);

impl Folder {
    pub(super) fn new(name: &str) -> Folder {
        let folder = tempfile::Builder::new().prefix(&format!("trace-{name}-")).tempdir().unwrap();
        Folder(folder.path().to_owned(), folder)
    }

    /// A program in C.
    pub(super) fn c(&self, name: &str, text: &str, flags: &[&str]) -> PathBuf {
        let (source, program) = (self.0.join(format!("{name}.c")), self.0.join(name));
        std::fs::write(&source, text).unwrap();
        let mut cc = Command::new("cc");
        cc.args(["-w", "-o"]).arg(&program).arg(&source).args(flags);
        assert!(cc.status().unwrap().success(), "cc {name}");
        program
    }
}

/// The stack of a marked call.
#[derive(Clone, Debug)]
pub(super) struct Marked {
    /// What the call's path says behind the mark.
    pub(super) mark: String,
    /// Module and address of each frame, from the innermost outwards.
    pub(super) frames: Vec<(String, u64)>,
    pub(super) truncated: bool,
    /// Functions, files and lines of a script, from the innermost outwards.
    pub(super) locations: Vec<(String, String, u32)>,
}

impl Marked {
    /// The functions' names; `??` where there is none.
    pub(super) fn names(&self) -> Vec<String> {
        self.frames.iter().map(|(module, address)| function(module, *address)).collect()
    }

    /// The functions' names that begin with `t_` or are `main`.
    pub(super) fn functions(&self) -> Vec<String> {
        let own = |name: &String| name.starts_with("t_") || name == "main";
        self.names().into_iter().filter(own).collect()
    }
}

fn function(module: &str, address: u64) -> String {
    if !module.starts_with('/') || module.ends_with(".py") {
        return module.to_owned();
    }
    let output = Command::new("addr2line")
        .args(["-fe", module, &format!("{address:#x}")])
        .stderr(Stdio::null())
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or("??").to_owned()
}

/// Runs a program to its end and gives the stacks of all marked calls of its first thread.
pub(super) fn marked(program: &Path, arguments: &[&str]) -> Vec<Marked> {
    let (mut stacks, mut paths, mut registry) = (Stacks::new(), Paths::new(), Registry::default());
    let mut found = Vec::new();
    let mut command = Command::new(program);
    command.args(arguments);
    each_call(command, |process, registers, arguments| {
        let [number, paths_of @ ..] = arguments;
        let watched = [
            // 64-bit Arm has none.
            #[cfg(target_arch = "x86_64")]
            libc::SYS_access,
            libc::SYS_faccessat,
            libc::SYS_faccessat2,
            libc::SYS_openat,
        ];
        if !watched.contains(&number.cast_signed()) {
            return;
        }
        let Some(mark) = paths_of.iter().find_map(|at| mark(process, *at)) else { return };
        let mut events = Vec::new();
        stacks.mapped(1);
        let stack = stacks.capture(whose(process), registers, &mut paths, &mut events);
        events.iter().for_each(|event| registry.take(event));
        let frames = registry.stack(stack).map(|frame| {
            let module = String::from_utf8_lossy(registry.path(frame.module));
            (module.into_owned(), frame.address)
        });
        let frames = frames.collect();
        let locations = registry.stack(stack).flat_map(|frame| &frame.locations);
        let locations = locations.map(|p| (p.function.clone(), p.file.clone(), p.line)).collect();
        found.push(Marked { mark, frames, truncated: registry.is_truncated(stack), locations });
    });
    found
}

/// Runs a program to its end and stops where its first thread enters the kernel: its number, its
/// registers and the first two arguments are handed over.
pub(super) fn each_call(
    mut command: Command,
    mut see: impl FnMut(libc::pid_t, &Registers, [u64; 3]),
) {
    command.stdout(Stdio::null());
    // SAFETY: between fork and exec the child makes one call.
    unsafe {
        command.pre_exec(|| match libc::ptrace(libc::PTRACE_TRACEME, 0, 0, 0) {
            0 => Ok(()),
            _ => Err(std::io::Error::last_os_error()),
        });
    }
    let mut child = command.spawn().unwrap();
    let process = libc::pid_t::try_from(child.id()).unwrap();
    let mut entering = false;
    while let Some(stop) = wait(process) {
        let mut signal = 0;
        if stop == libc::SIGTRAP | 0x80 {
            entering = !entering;
            let (registers, arguments) = registers(process);
            if entering {
                see(process, &registers, arguments);
            }
        } else if stop != libc::SIGTRAP {
            signal = stop;
        }
        let options = libc::PTRACE_O_TRACESYSGOOD | libc::PTRACE_O_EXITKILL;
        trace(libc::PTRACE_SETOPTIONS, process, options as usize);
        trace(libc::PTRACE_SYSCALL, process, signal as usize);
    }
    // It has been waited for already; this says so to the standard library.
    let _ = child.wait();
}

/// A process with one thread and one space.
pub(super) fn whose(thread: libc::pid_t) -> StoppedThread {
    StoppedThread { space: 1, process: thread.unsigned_abs(), thread }
}

fn trace(request: Request, process: libc::pid_t, data: usize) {
    // SAFETY: neither request touches this process's memory.
    unsafe { libc::ptrace(request, process, 0, data) };
}

/// The signal that a process stopped with. `None` when it has ended.
fn wait(process: libc::pid_t) -> Option<i32> {
    let mut status = 0;
    // SAFETY: the kernel writes one int.
    let waited = unsafe { libc::waitpid(process, &raw mut status, libc::__WALL) };
    (waited == process && libc::WIFSTOPPED(status)).then(|| libc::WSTOPSIG(status))
}

#[cfg(target_arch = "x86_64")]
fn registers(process: libc::pid_t) -> (Registers, [u64; 3]) {
    // SAFETY: the kernel fills one struct of registers, which are integers.
    let all = unsafe {
        let mut all: libc::user_regs_struct = std::mem::zeroed();
        libc::ptrace(libc::PTRACE_GETREGS, process, 0, &raw mut all);
        all
    };
    (Registers { ip: all.rip, sp: all.rsp, fp: all.rbp, lr: 0 }, [all.orig_rax, all.rdi, all.rsi])
}

#[cfg(target_arch = "aarch64")]
fn registers(process: libc::pid_t) -> (Registers, [u64; 3]) {
    // SAFETY: the kernel fills one struct of registers, which are integers.
    let all = unsafe {
        let mut all: libc::user_regs_struct = std::mem::zeroed();
        let mut part = libc::iovec {
            iov_base: (&raw mut all).cast(),
            iov_len: size_of::<libc::user_regs_struct>(),
        };
        libc::ptrace(libc::PTRACE_GETREGSET, process, 1, &raw mut part);
        all
    };
    let registers = Registers { ip: all.pc, sp: all.sp, fp: all.regs[29], lr: all.regs[30] };
    (registers, [all.regs[8], all.regs[0], all.regs[1]])
}

fn mark(process: libc::pid_t, at: u64) -> Option<String> {
    let mut bytes = Vec::new();
    memory::ranges(
        process,
        &[(at, 8), (at.wrapping_add(8), 8), (at.wrapping_add(16), 48)],
        &mut bytes,
    );
    let text = bytes.strip_prefix(MARK)?;
    let end = text.iter().position(|&byte| byte == 0).unwrap_or(text.len());
    Some(String::from_utf8_lossy(&text[..end]).into_owned())
}
