//! `fewer lines --follow` on files that grow, are replaced, cut short and removed.

#![allow(clippy::unwrap_used, reason = "a test may")]

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// A running `fewer lines -f`, and what it prints.
struct Following {
    child: Child,
    out: Receiver<Vec<u8>>,
    errors: Receiver<Vec<u8>>,
}

impl Drop for Following {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn pass_on(mut from: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut block = [0; 1024];
        while let Ok(got @ 1..) = from.read(&mut block) {
            if sender.send(block[..got].to_vec()).is_err() {
                break;
            }
        }
    });
    receiver
}

fn follow(words: &[&str], folder: &Path) -> Following {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fewer"));
    command.args(["lines", "-f"]).args(words).current_dir(folder).stdin(Stdio::null());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (out, errors) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    Following { child, out: pass_on(out), errors: pass_on(errors) }
}

/// Waits for just these bytes.
fn expect(from: &Receiver<Vec<u8>>, text: &str) {
    let mut found = Vec::new();
    while found.len() < text.len() {
        match from.recv_timeout(Duration::from_secs(20)) {
            Ok(bytes) => found.extend(bytes),
            Err(error) => panic!("{error}: {:?}, not {text:?}", String::from_utf8_lossy(&found)),
        }
    }
    assert_eq!(String::from_utf8_lossy(&found), text);
}

fn append(path: &Path, text: &str) {
    File::options()
        .append(true)
        .create(true)
        .open(path)
        .unwrap()
        .write_all(text.as_bytes())
        .unwrap();
}

#[test]
fn what_is_appended_comes_whatever_happens_to_the_name() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    append(&log, "one\ntwo\nthree\n");
    let run = follow(&["--last", "2", "log"], folder.path());
    expect(&run.out, "two\nthree\n");
    append(&log, "four\nfi");
    expect(&run.out, "four\nfi");
    append(&log, "ve\n");
    expect(&run.out, "ve\n");
    // Rotated: what the old file still gets before the new one is there is not lost.
    fs::rename(&log, folder.path().join("log.1")).unwrap();
    expect(&run.errors, "fewer: 'log' is not there any more\n");
    append(&folder.path().join("log.1"), "late\n");
    expect(&run.out, "late\n");
    append(&log, "new\n");
    expect(&run.errors, "fewer: 'log' is another file now, which is followed\n");
    expect(&run.out, "new\n");
    // Cut short, as logrotate's copytruncate does it.
    File::create(&log).unwrap();
    expect(&run.errors, "fewer: 'log' was cut short, and is followed from its beginning\n");
    append(&log, "again\n");
    expect(&run.out, "again\n");
    // Another file takes the name at once.
    append(&folder.path().join("next"), "next\n");
    fs::rename(folder.path().join("next"), &log).unwrap();
    expect(&run.out, "next\n");
}

#[test]
fn of_several_files_whole_lines_are_printed_and_one_may_come_later() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (folder.path().join("first"), folder.path().join("second"));
    append(&first, "1\n");
    let run = follow(&["first", "second"], folder.path());
    expect(&run.out, "1\n");
    expect(&run.errors, "fewer: cannot open 'second': No such file or directory\n");
    append(&second, "two");
    expect(&run.errors, "fewer: 'second' is another file now, which is followed\n");
    append(&first, "3\n");
    expect(&run.out, "3\n");
    append(&second, " ends\n");
    expect(&run.out, "two ends\n");
}

#[test]
fn without_a_file_to_follow_it_ends() {
    let folder = tempfile::tempdir().unwrap();
    let mut run = follow(&["-"], folder.path());
    assert_eq!(run.child.wait().unwrap().code(), Some(0));
    fs::create_dir(folder.path().join("d")).unwrap();
    let mut run = follow(&["d"], folder.path());
    assert_eq!(run.child.wait().unwrap().code(), Some(1));
}
