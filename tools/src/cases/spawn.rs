//! Runs a program as a case asks: in its folder, with its environment, user, limits and streams,
//! with or without strace.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::bare_root::BareRoot;

use super::format::{Bytes, Case, Stream};
use super::tree::send;
use super::windows;
use crate::checkout;

/// No case takes a tenth of this; a program that hangs must not hang the runner.
const LONGEST_RUN: Duration = Duration::from_secs(120);
const POLL: Duration = Duration::from_millis(2);

pub(crate) struct Outcome {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
}

/// A command line, with strace's words in front if there are any, and the environment variables
/// that it has beyond those of every program.
#[derive(Clone)]
pub(crate) struct Words {
    line: Vec<OsString>,
    variables: Vec<(String, OsString)>,
    bare_root: Option<BareRoot>,
    is_for_windows: bool,
}

impl Words {
    /// These words as they are.
    pub(crate) fn plain(line: Vec<OsString>) -> Words {
        Words { line, variables: Vec::new(), bare_root: None, is_for_windows: false }
    }

    /// The words, followed by the arguments of a case.
    pub(crate) fn with(mut self, arguments: &[Vec<u8>], here: &Path) -> Words {
        self.line.extend(expanded(arguments, &self.seen(here)));
        self
    }

    /// The same for a program of Windows.
    pub(crate) fn for_windows(mut self) -> Words {
        self.is_for_windows = true;
        self
    }

    /// What the program calls this folder.
    fn seen(&self, here: &Path) -> PathBuf {
        if self.is_for_windows { windows::seen(here) } else { here.to_owned() }
    }

    /// What a variable of a case is called for the program to have it.
    fn variable(&self, name: &str) -> String {
        let prefix = if self.is_for_windows { windows::variable_prefix(name) } else { "" };
        format!("{prefix}{name}")
    }

    pub(crate) fn variables(mut self, variables: Vec<(String, OsString)>) -> Words {
        self.variables = variables;
        self
    }

    /// The same with this folder for a root.
    pub(crate) fn within(mut self, bare_root: Option<&BareRoot>) -> Words {
        self.bare_root = bare_root.cloned();
        self
    }

    /// The same, run by another program that takes them as arguments.
    pub(crate) fn behind(mut self, front: &[&str]) -> Words {
        self.line.splice(0..0, front.iter().map(OsString::from));
        self
    }

    /// A command of these words, with that environment and no other.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.line[0]);
        command.args(&self.line[1..]).env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.envs([("LC_ALL", "C"), ("TZ", "UTC"), ("HOME", checkout::NO_HOME)]);
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Puts a shell before the program that sets what only the process itself can set.
    fn prepared(self, case: &Case) -> Words {
        let mut script = String::new();
        if let Some(limit) = case.nofile {
            script.push_str(&format!("ulimit -n {limit}; "));
        }
        if case.signal.is_some() {
            // A shell in the background ignores SIGINT, and programs that it starts inherit that.
            script.push_str("exec env --default-signal=HUP,INT,PIPE,TERM ");
        } else {
            script.push_str("exec ");
        }
        let user = case.user.as_deref().filter(|_| checkout::is_root());
        if let Some(bare_root) = &self.bare_root {
            script.push_str(&bare_root.entry(user));
        } else if let Some(user) = user {
            let group = format!("--regid=$(id -g {user}) --clear-groups");
            script.push_str(&format!("setpriv --reuid={user} {group} --inh-caps=-all -- "));
        }
        script.push_str("\"$@\"");
        for stream in &case.closed {
            script.push_str(match stream {
                Stream::Stdin => " <&-",
                Stream::Stdout => " >&-",
                Stream::Stderr => " 2>&-",
            });
        }
        if script == "exec \"$@\"" {
            return self;
        }
        self.behind(&["sh", "-c", &script, "sh"])
    }
}

/// The arguments of a case that runs in this folder.
pub(crate) fn expanded(arguments: &[Vec<u8>], here: &Path) -> Vec<OsString> {
    arguments.iter().map(|argument| OsString::from(expand(argument, here))).collect()
}

/// The folder in which the case runs.
pub(crate) fn folder(case: &Case, here: &Path) -> PathBuf {
    let cwd = case.cwd.as_ref().map_or(&b""[..], |cwd| &cwd.0);
    here.join(OsStr::from_bytes(cwd))
}

/// `{here}` in an argument or in the environment is the case's folder.
fn expand(bytes: &[u8], here: &Path) -> std::path::PathBuf {
    const PLACE: &[u8] = b"{here}";
    let mut expanded = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(at) = rest.windows(PLACE.len()).position(|window| window == PLACE) {
        expanded.extend_from_slice(&rest[..at]);
        expanded.extend_from_slice(here.as_os_str().as_bytes());
        rest = &rest[at + PLACE.len()..];
    }
    expanded.extend_from_slice(rest);
    PathBuf::from(OsStr::from_bytes(&expanded))
}

/// A running program.
pub(crate) struct Running {
    child: Child,
    stdout: Option<JoinHandle<Vec<u8>>>,
    stderr: Option<JoinHandle<Vec<u8>>>,
    deadline: Instant,
}

/// Starts the program; `tracer` is strace and its options, or empty.
pub(crate) fn start(
    case: &Case,
    here: &Path,
    tracer: &[OsString],
    words: Words,
) -> Result<Running, String> {
    let mut words = words.prepared(case);
    words.line.splice(0..0, tracer.iter().cloned());
    let mut command = words.command();
    command.current_dir(folder(case, here));
    let seen = words.seen(here);
    let variable =
        |(name, value): (&String, &Bytes)| (words.variable(name), expand(&value.0, &seen));
    command.envs(case.env.iter().map(variable));
    command.stdin(stdin(case, here)?).stderr(Stdio::piped());
    command.stdout(match case.stdout_to.as_deref() {
        None => Stdio::piped(),
        Some("closed-pipe") => closed_pipe().map_err(|why| format!("cannot make a pipe: {why}"))?,
        Some(path) => fs::OpenOptions::new()
            .write(true)
            .open(path)
            .map_err(|why| format!("{path}: {why}"))?
            .into(),
    });
    // A group of its own, so that all of it can be ended at once.
    command.process_group(0);
    let mut child =
        command.spawn().map_err(|why| format!("cannot run {:?}: {why}", words.line[0]))?;
    if let (Some(text), Some(pipe)) = (&case.stdin, child.stdin.take()) {
        feed(pipe, text.0.clone());
    }
    Ok(Running {
        stdout: child.stdout.take().map(reader),
        stderr: child.stderr.take().map(reader),
        child,
        deadline: Instant::now() + LONGEST_RUN,
    })
}

fn stdin(case: &Case, here: &Path) -> Result<Stdio, String> {
    match (&case.stdin, &case.stdin_from) {
        (Some(_), _) => Ok(Stdio::piped()),
        (None, None) => Ok(Stdio::null()),
        (None, Some(path)) => {
            let path = here.join(OsStr::from_bytes(&path.0));
            let file = fs::File::open(&path);
            file.map(Stdio::from).map_err(|why| format!("{}: {why}", path.display()))
        }
    }
}

/// Writes into the program's standard input, as far as it wants to read.
fn feed(mut pipe: ChildStdin, text: Vec<u8>) {
    thread::spawn(move || pipe.write_all(&text));
}

/// A pipe without a reader.
fn closed_pipe() -> std::io::Result<Stdio> {
    std::io::pipe().map(|(_, writer)| writer.into())
}

fn reader(mut stream: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // If reading fails, the bytes read so far are judged.
        let _ = stream.read_to_end(&mut bytes);
        bytes
    })
}

impl Running {
    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn finish(mut self) -> Result<Outcome, String> {
        let status = loop {
            match self.child.try_wait().map_err(|why| format!("cannot wait: {why}"))? {
                Some(status) => break status,
                None if Instant::now() > self.deadline => return Err(self.end()),
                None => thread::sleep(POLL),
            }
        };
        let join = |reader: Option<JoinHandle<Vec<u8>>>| {
            reader.map_or(Ok(Vec::new()), |reader| reader.join().map_err(|_| "a reader died"))
        };
        Ok(Outcome { status, stdout: join(self.stdout)?, stderr: join(self.stderr)? })
    }

    /// Waits until the log shows the thread held at the entry of `call`; false if it never gets
    /// there. strace writes the line as the call is entered, and its end only after the delay.
    pub(crate) fn reaches(&mut self, log: &Path, call: &str) -> Result<bool, String> {
        let opening = format!("{call}(");
        loop {
            let written = fs::read(log).unwrap_or_default();
            let last = written.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
            if String::from_utf8_lossy(last).contains(&opening) {
                return Ok(true);
            }
            let ended = self.child.try_wait().map_err(|why| format!("cannot wait: {why}"))?;
            if ended.is_some() {
                return Ok(false);
            }
            if Instant::now() > self.deadline {
                return Err(self.end());
            }
            thread::sleep(POLL);
        }
    }

    /// Ends the tracer; the kernel then lets the traced process go on undisturbed.
    pub(crate) fn let_go(&self) -> Result<(), String> {
        let file = format!("/proc/{}/status", self.process());
        let status = fs::read_to_string(&file).map_err(|why| format!("{file}: {why}"))?;
        let tracer = status.lines().find_map(|line| line.strip_prefix("TracerPid:"));
        match tracer.and_then(|tracer| tracer.trim().parse().ok()) {
            Some(0) | None => Err("nothing traces the program any more".to_owned()),
            Some(tracer) => send(9, tracer),
        }
    }

    fn end(&mut self) -> String {
        end_group(self.process());
        let _ = self.child.wait();
        format!("still running after {} s", LONGEST_RUN.as_secs())
    }
}

/// Ends a program and all processes that it has started.
pub(crate) fn end_group(process: u32) {
    let kill = format!("kill -9 -{process}");
    let _ = checkout::output(Command::new("sh").args(["-c", &kill]));
}

/// How the program ended, for people.
pub(crate) fn ending(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit {code}"),
        (None, Some(signal)) => format!("killed by signal {signal}"),
        (None, None) => status.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_is_put_in_where_it_is_named() {
        let expanded = expand(b"a{here}/b{here}", Path::new("/x"));
        assert_eq!(expanded, Path::new("a/x/b/x"));
        assert_eq!(expand(b"{her}", Path::new("/x")), Path::new("{her}"));
    }
}
