//! A server that gives the answers that it was told to give, and keeps the heads of the requests.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Output, Stdio};
use std::thread::JoinHandle;

pub(crate) struct Answers {
    port: u16,
    server: JoinHandle<Vec<String>>,
}

impl Answers {
    /// Each answer, which is a status and a body, is for one connection. Without a status there is
    /// no answer: the connection ends.
    pub(crate) fn give(answers: Vec<(&'static str, String)>) -> Answers {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = std::thread::spawn(move || {
            answers.iter().map(|answer| give(&listener, answer)).collect()
        });
        Answers { port, server }
    }

    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The heads of the requests, once all answers were given.
    pub(crate) fn heads(self) -> Vec<String> {
        self.server.join().unwrap()
    }
}

fn give(listener: &TcpListener, (status, body): &(&str, String)) -> String {
    let (mut stream, _) = listener.accept().unwrap();
    let head = head(&mut stream);
    if !status.is_empty() {
        let (head, length) = ("Connection: close\r\nContent-Length", body.len());
        let answer = format!("HTTP/1.1 {status}\r\n{head}: {length}\r\n\r\n{body}");
        stream.write_all(answer.as_bytes()).unwrap();
    }
    head
}

fn head(stream: &mut TcpStream) -> String {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte).unwrap();
        head.push(byte[0]);
    }
    String::from_utf8(head).unwrap()
}

/// Runs `fewer walk` in an environment of these variables alone.
pub(crate) fn walk(words: &[&str], variables: &[(&str, &str)]) -> Output {
    run(&[&["walk"], words].concat(), variables)
}

/// Runs a verb of `fewer` in an environment of these variables alone.
pub(crate) fn run(words: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fewer"));
    command.args(words).env_clear().envs(variables.iter().copied());
    command.stdin(Stdio::null()).output().unwrap()
}

/// What is printed; nothing went wrong.
pub(crate) fn printed(words: &[&str], variables: &[(&str, &str)]) -> String {
    let output = walk(words, variables);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{words:?}");
    assert_eq!(output.status.code(), Some(0), "{words:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The message of what is refused.
pub(crate) fn refused(words: &[&str], variables: &[(&str, &str)]) -> String {
    let output = walk(words, variables);
    assert_eq!(output.status.code(), Some(2), "{words:?}");
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr).unwrap()
}
