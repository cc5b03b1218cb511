//! An adapter that is started once: a case is a line on its standard input, and the outcome a line
//! on its standard output. For languages that take long to start.
//!
//!     request: WORD WORD...                            each in hexadecimal; - is an empty one
//!     answer:  STATUS STDOUT STDERR [CALL=COUNT]...    the streams likewise
//!
//! The first word of a request is the directory to work in, the second a verb or `scope`.

use std::ffi::OsString;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use super::bytes::show;
use super::spawn::{Outcome, Words, end_group};
use super::strace::Calls;

/// Longer than any case takes, also in an interpreter on a busy machine: a minute was too short.
const LONGEST_CASE: Duration = Duration::from_secs(300);
/// The first answer is not there before the language has started. The slowest (ABCL) takes half a
/// minute for that, and twice as long where three others run.
const LONGEST_START: Duration = Duration::from_secs(300);

/// The file in the scratch folder for its messages when it dies.
const LAST_WORDS: &str = "resident.stderr";

pub(crate) struct Resident {
    words: Words,
    last_words: PathBuf,
    running: Option<Running>,
}

struct Running {
    child: Child,
    requests: ChildStdin,
    answers: Receiver<Vec<u8>>,
    has_answered: bool,
}

impl Resident {
    /// It is started at the first request.
    pub(crate) fn new(words: Words, scratch: &Path) -> Resident {
        Resident { words, last_words: scratch.join(LAST_WORDS), running: None }
    }

    /// Runs a case; returns its outcome, and the calls that the library counted.
    pub(crate) fn ask(
        &mut self,
        folder: &Path,
        words: &[OsString],
    ) -> Result<(Outcome, Calls), String> {
        let mut running = match self.running.take() {
            Some(running) => running,
            None => Running::start(&self.words, &self.last_words)?,
        };
        let mut line = vec![hex(folder.as_os_str().as_bytes())];
        line.extend(words.iter().map(|word| hex(word.as_bytes())));
        match running.ask(&format!("{}\n", line.join(" "))) {
            Ok(answer) => {
                self.running = Some(running);
                parse(&answer)
            }
            // An adapter that failed to answer is not used again; the next case starts a new one.
            Err(why) => {
                running.end();
                let said = fs::read(&self.last_words).unwrap_or_default();
                Err(format!("the adapter {why}; it said: {}", show(&said)))
            }
        }
    }
}

impl Drop for Resident {
    fn drop(&mut self) {
        if let Some(running) = self.running.take() {
            running.end();
        }
    }
}

impl Running {
    fn start(words: &Words, last_words: &Path) -> Result<Running, String> {
        let file = fs::File::create(last_words).map_err(|why| format!("{LAST_WORDS}: {why}"))?;
        let mut command = words.command();
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(file).process_group(0);
        let mut child = start_it(&mut command)?;
        let streams = (child.stdin.take(), child.stdout.take());
        let (Some(requests), Some(stdout)) = streams else {
            return Err("the adapter has no streams".to_owned());
        };
        Ok(Running { child, requests, answers: lines(stdout), has_answered: false })
    }

    fn ask(&mut self, line: &str) -> Result<Vec<u8>, String> {
        let sent = self.requests.write_all(line.as_bytes()).and_then(|()| self.requests.flush());
        sent.map_err(|why| format!("takes no request: {why}"))?;
        let longest = if self.has_answered { LONGEST_CASE } else { LONGEST_START };
        let answer = self.answers.recv_timeout(longest).map_err(|why| match why {
            RecvTimeoutError::Timeout => format!("said nothing for {} s", longest.as_secs()),
            RecvTimeoutError::Disconnected => "ended without an answer".to_owned(),
        });
        self.has_answered = true;
        answer
    }

    fn end(mut self) {
        end_group(self.child.id());
        // It has been killed: its end means nothing.
        let _ = self.child.wait();
    }
}

fn start_it(command: &mut Command) -> Result<Child, String> {
    let program = command.get_program().to_owned();
    command.spawn().map_err(|why| format!("cannot run {}: {why}", program.display()))
}

/// The lines of a stream as they arrive, without their ends.
fn lines(stdout: ChildStdout) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut stdout = BufReader::new(stdout);
        let mut line = Vec::new();
        while stdout.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
            let ended = line.pop_if(|last| *last == b'\n').is_some();
            if !ended || sender.send(std::mem::take(&mut line)).is_err() {
                break;
            }
        }
    });
    receiver
}

fn hex(bytes: &[u8]) -> String {
    match bytes {
        [] => "-".to_owned(),
        _ => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
    }
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    if text == "-" {
        return Some(Vec::new());
    }
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let pairs = text.as_bytes().chunks(2).map(|pair| match *pair {
        [high, low] => Some(digit(high)? << 4 | digit(low)?),
        _ => None,
    });
    if text.is_empty() { None } else { pairs.collect() }
}

fn parse(answer: &[u8]) -> Result<(Outcome, Calls), String> {
    let wrong = || format!("the adapter's answer is none: {}", show(answer));
    let text = std::str::from_utf8(answer).map_err(|_| wrong())?;
    let mut words = text.split(' ');
    let status: u8 = words.next().and_then(|word| word.parse().ok()).ok_or_else(wrong)?;
    let stdout = words.next().and_then(unhex).ok_or_else(wrong)?;
    let stderr = words.next().and_then(unhex).ok_or_else(wrong)?;
    let count = |word: &str| {
        let (name, count) = word.split_once('=')?;
        Some((name.to_owned(), count.parse().ok()?))
    };
    let calls: Option<Calls> = words.map(count).collect();
    let status = ExitStatus::from_raw(i32::from(status) << 8);
    Ok((Outcome { status, stdout, stderr }, calls.ok_or_else(wrong)?))
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    #[test]
    fn bytes_go_there_and_back() {
        for bytes in [&b""[..], b"d/a b", b"\x00\xff\n-"] {
            assert_eq!(unhex(&hex(bytes)).unwrap(), bytes);
        }
        assert_eq!((hex(b""), hex(b"\xffa")), ("-".to_owned(), "ff61".to_owned()));
        for wrong in ["", "f", "fg", "é", "+f", "--"] {
            assert_eq!(unhex(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn an_answer_has_a_status_two_streams_and_counts() {
        let (outcome, calls) = parse(b"1 640a - openat=3 close=2").unwrap();
        assert_eq!(outcome.status.code(), Some(1));
        assert_eq!((&outcome.stdout[..], &outcome.stderr[..]), (&b"d\n"[..], &b""[..]));
        assert_eq!((calls["openat"], calls["close"], calls.len()), (3, 2, 2));
        for wrong in ["", "0", "0 -", "256 - -", "x - -", "0 - - openat", "0 6 -", "0  - -"] {
            assert!(parse(wrong.as_bytes()).is_err(), "{wrong}");
        }
    }

    fn resident(script: &str, scratch: &TempDir) -> Resident {
        let words = ["sh", "-c", script].map(OsString::from);
        Resident::new(Words::plain(words.into()), scratch.path())
    }

    #[test]
    fn one_process_answers_all_requests() {
        let scratch = TempDir::new().unwrap();
        let script = "while read -r d w; do n=$((n + 1)); echo \"$n $w -\"; done";
        let mut echo = resident(script, &scratch);
        for status in 1..4 {
            let (outcome, _) = echo.ask(Path::new("/"), &["x".into()]).unwrap();
            assert_eq!((outcome.status.code(), &outcome.stdout[..]), (Some(status), &b"x"[..]));
        }
    }

    #[test]
    fn one_that_died_is_started_again() {
        let scratch = TempDir::new().unwrap();
        let script = "read -r a; echo '0 - -'; read -r a; echo alas >&2";
        let mut once = resident(script, &scratch);
        assert!(once.ask(Path::new("/"), &[]).is_ok());
        let why = once.ask(Path::new("/"), &[]).err().unwrap();
        assert!(why.contains("ended without an answer") && why.contains("alas"), "{why}");
        assert!(once.ask(Path::new("/"), &[]).is_ok());
    }
}
