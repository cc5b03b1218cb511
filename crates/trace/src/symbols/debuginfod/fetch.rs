//! One request to a server, made by the program curl.

use std::path::Path;

use fewer::path::base_name;
use fewer::{Errno, Scope};

/// What a request may take: the variables of elfutils.
#[derive(Debug)]
pub(super) struct Limits {
    /// A server has to send 100 KiB a second in this time, in seconds; 0 is for ever.
    timeout: u64,
    /// A whole request, in seconds.
    whole: Option<u64>,
    bytes: Option<u64>,
}

/// What a server has said.
pub(super) enum Answer {
    /// The file is there.
    Found,
    /// The server does not have it.
    Missing,
    /// It could not be asked; why.
    Failed(String),
}

impl Limits {
    pub(super) fn from_environment() -> Limits {
        const TIMEOUT_SECONDS: u64 = 90;
        let of = |name: &str| std::env::var(name).ok()?.trim().parse().ok();
        Limits {
            timeout: of("DEBUGINFOD_TIMEOUT").unwrap_or(TIMEOUT_SECONDS),
            whole: of("DEBUGINFOD_MAXTIME").filter(|seconds| *seconds > 0),
            bytes: of("DEBUGINFOD_MAXSIZE").filter(|bytes| *bytes > 0),
        }
    }
}

/// Gets a file and writes it to `into`.
pub(super) fn fetch(url: &str, into: &Path, limits: &Limits) -> Answer {
    const SLOW_BYTES_A_SECOND: u64 = 100 << 10;
    let mut words = Vec::new();
    let mut set = |flag: &str, value: u64| words.extend([flag.to_owned(), value.to_string()]);
    if limits.timeout > 0 {
        set("--connect-timeout", limits.timeout);
        set("--speed-time", limits.timeout);
        set("--speed-limit", SLOW_BYTES_A_SECOND);
    }
    limits.whole.into_iter().for_each(|seconds| set("--max-time", seconds));
    limits.bytes.into_iter().for_each(|bytes| set("--max-filesize", bytes));
    let scope = Scope::start();
    // -q: what the user has written down for other uses does not count.
    let curl = scope.command("curl").args(["-q", "--silent", "--show-error", "--fail"]);
    let curl = curl.args(["--location", "--globoff", "--write-out", "%{http_code}"]);
    let curl = curl.args(words).arg("--output").arg(into).args(["--url", url]);
    let output = match curl.output() {
        Ok(output) => output,
        Err(error) if error.errno() == Errno::NOENT => {
            return Answer::Failed("curl, which asks for it, is not installed".to_owned());
        }
        Err(error) => return Answer::Failed(error.to_string()),
    };
    /// curl's status for a `file:` that cannot be read.
    const NO_FILE: i32 = 37;
    match (output.status.code(), &*output.stdout) {
        (Some(0), _) => Answer::Found,
        (Some(NO_FILE), _) | (_, b"404") => Answer::Missing,
        _ => Answer::Failed(in_words(&output.stderr)),
    }
}

/// `curl: (7) Failed to connect to …`, without what stands before it.
fn in_words(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or("curl failed");
    line.split_once(") ").map_or(line, |(_, why)| why).trim_end_matches('.').to_owned()
}

/// A line on the terminal while a server is asked.
pub(super) struct Progress(Option<String>);

impl Progress {
    /// Price: one `ioctl`.
    pub(super) fn of(subject: &[u8]) -> Progress {
        let name = || fewer::present::escaped(base_name(subject)).to_string();
        Progress(sys::is_terminal(sys::STDERR).then(name))
    }

    pub(super) fn show(&self, server: &str) {
        if let Some(name) = &self.0 {
            write(&format!("\rdebug information of {name} from {server} …\x1b[K"));
        }
    }

    pub(super) fn clear(&self) {
        if self.0.is_some() {
            write("\r\x1b[K");
        }
    }
}

/// If that fails, there is nowhere to report it.
fn write(text: &str) {
    let _ = sys::write_all(sys::STDERR, text.as_bytes());
}
