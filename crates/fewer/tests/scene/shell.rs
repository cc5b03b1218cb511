//! A shell that goes somewhere by `chdir`, step by step: what a scope is compared with.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

pub(crate) struct Shell {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Shell {
    /// Starts one in `place`.
    pub(crate) fn start(place: &Path) -> Shell {
        let mut shell = Command::new("sh");
        shell.current_dir(place).env("LC_ALL", "C");
        shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = shell.spawn().unwrap();
        let (stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Shell { child, stdin, stdout: BufReader::new(stdout) }
    }

    /// What a command prints; `None` if it fails.
    pub(crate) fn run(&mut self, command: &str) -> Option<String> {
        writeln!(self.stdin, "{command}; printf '%s\\0' $?").unwrap();
        let mut answer = Vec::new();
        self.stdout.read_until(0, &mut answer).unwrap();
        let answer = String::from_utf8(answer).unwrap();
        Some(answer.strip_suffix("0\0")?.to_owned())
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
