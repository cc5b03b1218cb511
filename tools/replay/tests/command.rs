//! The command prints keys, or an address at which they are listed.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

fn replay(flags: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_replay"));
    command.args(flags);
    command
}

#[test]
fn keys_are_printed_one_a_line() {
    let flags = ["--keys", "3", "--shape", "numbered", "--prefix", "a/", "--list-keys"];
    let output = replay(&flags).output().unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "a/0\na/1\na/2\n");
}

#[test]
fn a_server_prints_its_address_and_has_the_faults_of_its_flags() {
    let flags = ["--keys", "3", "--shape", "numbered", "--refuse-every", "2", "--seed", "1"];
    let mut server = replay(&flags).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let mut stream = TcpStream::connect(line.trim_end().strip_prefix("http://").unwrap()).unwrap();
    let request = "GET /b?list-type=2 HTTP/1.1\r\nHost: b\r\nConnection: close\r\n\r\n";
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    server.kill().unwrap();
    server.wait().unwrap();
    assert!(answer.starts_with("HTTP/1.1 503 Slow Down\r\n"), "{answer}");
}

#[test]
fn an_address_in_use_is_an_error() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let output = replay(&["--keys", "1", "--port", &port]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stderr.starts_with(b"replay: "));
}
