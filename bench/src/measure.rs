//! One run of one command: how long it took and what it used.

use std::io::{self, Read};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
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
    /// What the process itself measured and printed, for those that do.
    pub(crate) inside_ms: Option<f64>,
}

/// The command for `arguments`, with an environment that is the same for all engines.
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
///
/// An engine that measures inside writes that one line into a pipe, which holds it until the end.
pub(crate) fn run_once(contender: &Contender, trees: &Path) -> Result<Sample, String> {
    let mut command = command(&contender.arguments(), trees);
    command
        .stdout(if contender.inside { Stdio::piped() } else { Stdio::null() })
        .stderr(Stdio::null());
    let (mut sample, status, child) =
        spawn_and_wait(&mut command).map_err(|error| format!("{}: {error}", contender.label))?;
    if !contender.succeeded(status) {
        return Err(format!("{}: {status}", contender.label));
    }
    if let Some(mut pipe) = child.stdout {
        let mut text = String::new();
        pipe.read_to_string(&mut text).map_err(|error| format!("{}: {error}", contender.label))?;
        let inside = inside_ms(&text).ok_or(format!("{} prints {text:?}", contender.label))?;
        sample.inside_ms = Some(inside);
    }
    Ok(sample)
}

/// The number before `ms`.
fn inside_ms(text: &str) -> Option<f64> {
    let mut words = text.split_whitespace().rev().skip_while(|word| *word != "ms");
    words.nth(1)?.parse().ok()
}

// Waited for by wait4, which unlike `Child::wait` says what the child used.
#[allow(clippy::zombie_processes)]
fn spawn_and_wait(command: &mut Command) -> io::Result<(Sample, ExitStatus, Child)> {
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
        inside_ms: None,
    };
    Ok((sample, ExitStatus::from_raw(status), child))
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
        let (sample, status, _) = spawn_and_wait(&mut command).unwrap();
        assert_eq!(status.code(), Some(3));
        assert!(sample.wall_ms >= 50.0 && sample.user_ms < 50.0 && sample.peak_kib > 0);
    }

    #[test]
    fn takes_the_number_before_the_unit() {
        assert_eq!(inside_ms("76560 lines, 7.25 ms\n"), Some(7.25));
        assert_eq!(inside_ms("76560 lines\n"), None);
    }
}
