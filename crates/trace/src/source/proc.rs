//! What /proc knows about a process: asked at its beginning, and where nothing else says it.

use std::ffi::CString;
use std::fs;
use std::io::Read;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::MetadataExt;

use super::ptrace::Pid;
use crate::Text;

/// What the kernel puts behind the path of a file that has no name any more.
const DELETED: &[u8] = b" (deleted)";

/// At most this much of a command line is kept.
const COMMAND_LINE: u64 = 128 * 1024;

fn link(path: &str) -> Option<Vec<u8>> {
    let mut target = fs::read_link(path).ok()?.into_os_string().into_vec();
    // A file may be called that; only one that is gone has no links.
    if target.ends_with(DELETED) && fs::metadata(path).is_ok_and(|file| file.nlink() == 0) {
        target.truncate(target.len() - DELETED.len());
    }
    Some(target)
}

/// What a descriptor stands for.
pub(crate) fn descriptor(thread: Pid, descriptor: i32) -> Option<Vec<u8>> {
    link(&format!("/proc/{thread}/fd/{descriptor}"))
}

/// The descriptors that are open.
pub(crate) fn descriptors(thread: Pid) -> Vec<i32> {
    numbers(&format!("/proc/{thread}/fd"))
}

/// Whether `execve` closes a descriptor, as far as is known.
#[cfg(feature = "kernel")]
pub(crate) fn closes_at_exec(thread: Pid, descriptor: i32) -> Option<bool> {
    let text = fs::read_to_string(format!("/proc/{thread}/fdinfo/{descriptor}")).ok()?;
    let flags = text.lines().find_map(|line| line.strip_prefix("flags:"))?;
    let flags = i32::from_str_radix(flags.trim(), 8).ok()?;
    Some(flags & libc::O_CLOEXEC != 0)
}

/// The threads of a process.
pub(crate) fn threads(process: Pid) -> Vec<Pid> {
    numbers(&format!("/proc/{process}/task"))
}

/// All processes that this one can see.
pub(crate) fn all() -> Vec<Pid> {
    numbers("/proc")
}

/// The pid namespace that a process is in, as the kernel names it.
pub(crate) fn pid_namespace(process: Pid) -> Option<Vec<u8>> {
    link(&format!("/proc/{process}/ns/pid"))
}

/// The control groups that a process is in, one a line.
pub(crate) fn control_groups(process: Pid) -> String {
    fs::read_to_string(format!("/proc/{process}/cgroup")).unwrap_or_default()
}

fn numbers(directory: &str) -> Vec<i32> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// The working directory.
pub(crate) fn directory(thread: Pid) -> Option<Vec<u8>> {
    link(&format!("/proc/{thread}/cwd"))
}

/// The root directory.
pub(crate) fn root(thread: Pid) -> Option<Vec<u8>> {
    link(&format!("/proc/{thread}/root"))
}

/// The executable.
pub(crate) fn program(thread: Pid) -> Option<Vec<u8>> {
    link(&format!("/proc/{thread}/exe"))
}

/// The words that a program was started with.
pub(crate) fn arguments(thread: Pid) -> Vec<Text> {
    let mut line = Vec::new();
    if let Ok(file) = fs::File::open(format!("/proc/{thread}/cmdline")) {
        // What cannot be read is left out: nothing depends on it.
        let _ = file.take(COMMAND_LINE).read_to_end(&mut line);
    }
    if line.last() == Some(&0) {
        line.pop();
    } else if line.is_empty() {
        return Vec::new();
    }
    line.split(|byte| *byte == 0).map(Text::from).collect()
}

/// What a process may do to others, and become.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Privilege {
    /// No program that it starts gains any privilege.
    pub(crate) never_gains: bool,
    /// It may trace processes with more privilege than its own (`CAP_SYS_PTRACE`).
    pub(crate) may_trace_privileged: bool,
}

const CAP_SYS_PTRACE: u64 = 1 << 19;

/// What a process may do; `self` is this one.
pub(crate) fn privilege(process: &str) -> Privilege {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let value = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        line.unwrap_or_default().trim()
    };
    let effective = u64::from_str_radix(value("CapEff"), 16).unwrap_or(0);
    Privilege {
        never_gains: value("NoNewPrivs") == "1",
        may_trace_privileged: effective & CAP_SYS_PTRACE != 0,
    }
}

/// Whether a process's executable has capabilities of its own.
pub(crate) fn has_capabilities(process: Pid) -> bool {
    let Ok(path) = CString::new(format!("/proc/{process}/exe")) else { return false };
    // SAFETY: both texts end with a NUL; a size of 0 asks how long the value is, nothing is
    // written.
    let size = unsafe {
        libc::getxattr(path.as_ptr(), c"security.capability".as_ptr(), std::ptr::null_mut(), 0)
    };
    size > 0
}

/// The process that a thread belongs to.
pub(crate) fn process(thread: Pid) -> Option<Pid> {
    number_in_status(thread, "Tgid:")
}

/// The process that traces a thread; 0 if none does.
pub(crate) fn tracer(thread: Pid) -> Option<Pid> {
    number_in_status(thread, "TracerPid:")
}

/// Whether a thread has ended, also if nobody has waited for it yet.
pub(crate) fn has_ended(thread: Pid) -> bool {
    in_status(thread, "State:").is_none_or(|state| state.starts_with(['Z', 'X']))
}

/// A thread of a process that knows more than its number: the first one may have ended.
pub(crate) fn living_thread(process: Pid) -> Pid {
    if !has_ended(process) {
        return process;
    }
    threads(process).into_iter().find(|thread| !has_ended(*thread)).unwrap_or(process)
}

fn number_in_status(thread: Pid, label: &str) -> Option<Pid> {
    in_status(thread, label)?.parse().ok()
}

fn in_status(thread: Pid, label: &str) -> Option<String> {
    let status = fs::read_to_string(format!("/proc/{thread}/status")).ok()?;
    Some(status.lines().find_map(|line| line.strip_prefix(label))?.trim().to_owned())
}

/// The processor that a thread was last on.
pub(crate) fn processor(thread: Pid) -> Option<usize> {
    let stat = fs::read_to_string(format!("/proc/{thread}/stat")).ok()?;
    // The name may have anything in it, so that counting begins behind it: field 39 of proc(5).
    stat.rsplit_once(") ")?.1.split(' ').nth(36)?.parse().ok()
}

/// How many descriptors this process may have, and so whatever it starts.
pub(crate) fn descriptor_limit() -> Option<u64> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the kernel writes one `rlimit`, to a variable of that type.
    let result = unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) };
    (result == 0).then_some(limit.rlim_cur)
}

/// Whether a process may have so much memory (`RLIMIT_AS`) and no more, as far as is known.
pub(crate) fn has_memory_limit(process: Pid) -> bool {
    let limits = fs::read_to_string(format!("/proc/{process}/limits")).unwrap_or_default();
    let mut limit = limits.lines().filter_map(|line| line.strip_prefix("Max address space"));
    !limit.next().is_some_and(|limit| limit.trim_start().starts_with("unlimited"))
}

/// Whether a process ignores a signal.
pub(crate) fn ignores(process: Pid, signal: i32) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.unwrap_or(0) & (1 << (signal - 1)) != 0
}

/// Whether a signal has been sent to a process and not yet reached it.
pub(crate) fn is_pending(process: Pid, signal: i32) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let masks = status.lines().filter_map(|line| {
        let mask = line.strip_prefix("SigPnd:").or_else(|| line.strip_prefix("ShdPnd:"))?;
        u64::from_str_radix(mask.trim(), 16).ok()
    });
    masks.fold(0, |all, mask| all | mask) & (1 << (signal - 1)) != 0
}

/// Where a thread is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Whereabouts {
    /// It runs, or is about to.
    Running,
    /// It sleeps in the kernel, or has stopped.
    Asleep {
        /// The address at which it goes on.
        ip: u64,
        /// The number of the call that it is in, if it is in one.
        call: Option<u32>,
    },
    /// It is no more.
    Gone,
}

/// Where a thread is at this moment.
pub(crate) fn whereabouts(thread: Pid) -> Whereabouts {
    match fs::read_to_string(format!("/proc/{thread}/syscall")) {
        Ok(text) => {
            let asleep = call_in(&text).map(|(call, ip)| Whereabouts::Asleep { ip, call });
            asleep.unwrap_or(Whereabouts::Running)
        }
        // Where the kernel does not say it, each thread has to be made to stop.
        Err(_) if fs::metadata(format!("/proc/{thread}")).is_ok() => Whereabouts::Running,
        Err(_) => Whereabouts::Gone,
    }
}

/// The first field is the number of the call, or -1, and the last one the instruction pointer; of a
/// thread that runs there are no fields.
fn call_in(text: &str) -> Option<(Option<u32>, u64)> {
    let (call, _) = text.split_once(' ')?;
    let (_, ip) = text.trim_end().rsplit_once(' ')?;
    Some((call.parse().ok(), u64::from_str_radix(ip.strip_prefix("0x")?, 16).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_a_thread_is() {
        assert_eq!(call_in("running\n"), None);
        assert_eq!(call_in("-1 0x7ffc0 0x401000\n"), Some((None, 0x40_1000)));
        let reads = "0 0x3 0x7f 0x400 0x0 0x0 0x0 0x7ffc0 0x7f01\n";
        assert_eq!(call_in(reads), Some((Some(0), 0x7f01)));
    }
}
