//! One run of one command: how long it took and what it used.

use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Instant;

use crate::engine::Contender;

/// What one process cost, together with the children it waited for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    /// From before the process is made until it has been waited for.
    pub(crate) wall_ms: f64,
    pub(crate) user_ms: f64,
    pub(crate) system_ms: f64,
    /// The largest resident set of any one process, in KiB. Never less than the runner's own:
    /// the kernel counts the memory from before execve.
    pub(crate) peak_kib: u64,
}

/// The command for `arguments`, with an environment that is the same for everybody.
pub(crate) fn command(arguments: &[String], trees: &Path) -> Command {
    let mut command = Command::new(&arguments[0]);
    command.args(&arguments[1..]).current_dir(trees).env_clear().env("LC_ALL", "C");
    for name in ["PATH", "HOME"] {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    command.stdin(Stdio::null());
    command
}

/// Runs a contender once, its output going to /dev/null. An exit status other than 0 is an error:
/// a walk that fails half-way is not a fast walk.
pub(crate) fn run_once(who: &Contender, trees: &Path, tree: &str) -> Result<Sample, String> {
    let mut command = command(&who.arguments(tree), trees);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let (sample, status) =
        spawn_and_wait(&mut command).map_err(|error| format!("{}: {error}", who.label))?;
    if who.succeeded(status) { Ok(sample) } else { Err(format!("{}: {status}", who.label)) }
}

// Waited for by wait4, which unlike `Child::wait` says what the child used.
#[allow(clippy::zombie_processes)]
fn spawn_and_wait(command: &mut Command) -> io::Result<(Sample, ExitStatus)> {
    let started = Instant::now();
    let child = command.spawn()?;
    let (status, usage) = wait4(child.id())?;
    let wall_ms = started.elapsed().as_secs_f64() * 1e3;
    let milliseconds = |time: libc::timeval| time.tv_sec as f64 * 1e3 + time.tv_usec as f64 / 1e3;
    let sample = Sample {
        wall_ms,
        user_ms: milliseconds(usage.ru_utime),
        system_ms: milliseconds(usage.ru_stime),
        peak_kib: usage.ru_maxrss.unsigned_abs(),
    };
    Ok((sample, ExitStatus::from_raw(status)))
}

fn wait4(pid: u32) -> io::Result<(i32, libc::rusage)> {
    let mut status = 0;
    // SAFETY: rusage consists of integers, for which all bits zero is a value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    loop {
        // SAFETY: both pointers are to live, writable values of the types that wait4 expects.
        let got = unsafe { libc::wait4(pid.cast_signed(), &mut status, 0, &mut usage) };
        if got >= 0 {
            return Ok((status, usage));
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_status_time_and_memory() {
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 0.05; exit 3"]);
        let (sample, status) = spawn_and_wait(&mut command).unwrap();
        assert_eq!(status.code(), Some(3));
        assert!(sample.wall_ms >= 50.0 && sample.user_ms < 50.0 && sample.peak_kib > 0);
    }
}
