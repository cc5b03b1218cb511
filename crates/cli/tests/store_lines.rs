//! `fewer lines` on objects: which bytes are asked for, and that they come once and in their order.

#![cfg(all(feature = "stores", feature = "lines"))]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "store_lines/server.rs"]
mod server;

use std::io::Write;
use std::process::{Command, Output, Stdio};

use server::{Faults, Server, header};

const MIB: usize = 1 << 20;

/// Lines of so many bytes in all.
fn text(bytes: usize) -> Vec<u8> {
    let mut text = Vec::with_capacity(bytes + 16);
    (0_u64..).map(|number| format!("line {number}\n")).find(|line| {
        text.extend_from_slice(line.as_bytes());
        text.len() >= bytes
    });
    text.truncate(bytes);
    text
}

fn lines(server: &Server, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fewer"));
    command.arg("lines").args(words).args(["--endpoint-url", &server.address()]);
    command.env_clear().env("AWS_ACCESS_KEY_ID", "a").env("AWS_SECRET_ACCESS_KEY", "b");
    command.stdin(Stdio::null()).output().unwrap()
}

fn printed(server: &Server, words: &[&str]) -> Vec<u8> {
    let output = lines(server, words);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{words:?}");
    assert_eq!(output.status.code(), Some(0), "{words:?}");
    output.stdout
}

fn failed(server: &Server, words: &[&str]) -> (Option<i32>, String, Vec<u8>) {
    let output = lines(server, words);
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.starts_with("fewer: cannot read 's3://b/"), "{message}");
    (output.status.code(), message, output.stdout)
}

/// What another program makes of bytes.
fn through(program: &str, words: &[&str], input: &[u8]) -> Vec<u8> {
    let mut command = Command::new(program);
    let piped = command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut process = piped.spawn().unwrap();
    let mut stdin = process.stdin.take().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(move || stdin.write_all(input).unwrap());
        process.wait_with_output().unwrap().stdout
    })
}

#[test]
fn an_object_comes_in_pieces_and_each_is_asked_for_once() {
    let object = text(17 * MIB + 5);
    let server = Server::start(object.clone(), Faults::default());
    assert!(printed(&server, &["s3://b/a/k"]) == object);
    let expected = [
        "bytes=0-1048575", "bytes=1048576-9437183", "bytes=9437184-17825791",
        "bytes=17825792-17825796",
    ];
    assert_eq!(server.ranges(), expected);
    let signed = |head: &String| head.contains("Signature=") && head.starts_with("GET /b/a/k ");
    assert!(server.heads().iter().all(signed));
}

#[test]
fn the_beginning_costs_one_request() {
    let server = Server::start(text(40 * MIB), Faults::default());
    assert_eq!(printed(&server, &["s3://b/k", "--first", "2"]), b"line 0\nline 1\n");
    assert_eq!(server.ranges(), ["bytes=0-1048575"]);
    let small = Server::start(b"a\nb".into(), Faults::default());
    let output = lines(&small, &["s3://b/k", "--count", "--calls", "--json"]);
    assert_eq!(output.stdout, b"{\"v\":1,\"path\":{\"text\":\"s3://b/k\"},\"lines\":1}\n");
    let costs = String::from_utf8(output.stderr).unwrap();
    assert!(costs.starts_with("{\"v\":1,\"objects\":1,\"requests\":1}\n"), "{costs}");
}

#[test]
fn what_is_not_wanted_is_not_waited_for() {
    // In the first piece, right behind it, and within another one.
    for stall_at in [1000, MIB + 100, 10 * MIB] {
        let object = text(40 * MIB);
        let faults = Faults { stall_at: Some(stall_at), ..Faults::default() };
        let server = Server::start(object.clone(), faults);
        let wanted = object[..stall_at].iter().filter(|byte| **byte == b'\n').count();
        let begin = std::time::Instant::now();
        let out = printed(&server, &["s3://b/k", "--first", &wanted.to_string()]);
        assert!(out == object[..out.len()] && out.len() + 20 > stall_at, "{stall_at}");
        // A request that is not answered is waited for, for 30 seconds.
        assert!(begin.elapsed().as_secs() < 25, "{stall_at}");
    }
}

#[test]
fn requests_that_failed_are_counted() {
    let objects = vec![("k".to_owned(), b"a\n".to_vec())];
    let server = Server::of(objects, Faults::default());
    let output = lines(&server, &["s3://b/k", "s3://b/none", "--calls", "--json", "--count"]);
    let costs = String::from_utf8(output.stderr).unwrap();
    // One of them for what is not there.
    assert_eq!(server.heads().len(), 2);
    assert!(costs.contains("{\"v\":1,\"objects\":2,\"requests\":2}\n"), "{costs}");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn what_is_cut_off_or_refused_is_asked_for_from_there() {
    let object = text(30 * MIB);
    let faults = Faults { cut_every: Some(2), refuse_every: Some(5), ..Faults::default() };
    let server = Server::start(object.clone(), faults);
    assert!(printed(&server, &["s3://b/k"]) == object);
    let ends: Vec<usize> = server
        .ranges()
        .iter()
        .map(|range| range.rsplit('-').next().unwrap().parse().unwrap())
        .collect();
    let starts = server.ranges();
    let starts = starts.iter().map(|range| range[6..range.find('-').unwrap()].parse().unwrap());
    let is_between = |start: &usize| start % (8 * MIB) != MIB && *start != 0;
    assert!(starts.filter(is_between).count() >= 2, "{:?}", server.ranges());
    assert!(
        ends.iter().all(|end| (end + 1) % (8 * MIB) == MIB || *end == 30 * MIB - 1),
        "{ends:?}"
    );
}

#[test]
fn an_object_that_is_written_meanwhile_is_no_mixture() {
    let object = text(20 * MIB);
    let server = Server::start(object.clone(), Faults { change_at: Some(2), ..Faults::default() });
    let (status, message, out) = failed(&server, &["s3://b/k"]);
    assert_eq!(
        (status, &*message),
        (Some(1), "fewer: cannot read 's3://b/k': it was written while it was read\n")
    );
    assert!(out == object[..MIB]);
    let heads = server.heads();
    let mut wanted = heads[1..].iter().map(|head| header(head, "if-match"));
    assert!(wanted.all(|etag| etag.as_deref() == Some("\"a\"")), "{heads:?}");
}

#[test]
fn a_store_that_knows_no_ranges_sends_the_whole() {
    let object = text(3 * MIB);
    let faults = Faults { ignores_ranges: true, ..Faults::default() };
    let server = Server::start(object.clone(), faults);
    assert!(printed(&server, &["s3://b/k"]) == object);
    assert_eq!(server.heads().len(), 1);
    let server = Server::start(vec![b'x'; 65 * MIB], faults);
    let (status, message, out) = failed(&server, &["s3://b/k"]);
    assert_eq!((status, out.len()), (Some(2), 0));
    assert!(message.contains("more than 64 MiB"), "{message}");
}

#[test]
fn what_is_compressed_is_decompressed() {
    let plain = text(5 * MIB);
    let gzip = through("gzip", &["-c"], &plain);
    let server = Server::start([&gzip[..], &gzip].concat(), Faults::default());
    assert!(printed(&server, &["s3://b/log.gz"]) == [&plain[..], &plain].concat());
    assert_eq!(printed(&server, &["s3://b/log.gz", "--last", "1"]), &plain[last_line(&plain)..]);
    let cut = Server::start(gzip[..gzip.len() / 2].into(), Faults::default());
    let (status, message, out) = failed(&cut, &["s3://b/log.gz"]);
    let early = "cannot read 's3://b/log.gz': it ends before its gzip does\n";
    assert!(status == Some(1) && message.ends_with(early), "{message}");
    assert!(!out.is_empty() && plain.starts_with(&out));
    let (status, message, out) = failed(&Server::start(plain, Faults::default()), &["s3://b/x.gz"]);
    assert!(status == Some(2) && out.is_empty() && message.contains("no gzip"), "{message}");
}

/// `printf 'one\ntwo\n' | zstd`, `printf 'three\n' | zstd --no-check`, by zstd 1.5.4, and between
/// them a frame to be skipped, which the format allows.
const FRAMES: [&[u8]; 3] = [
    b"\x28\xb5\x2f\xfd\x04\x58\x41\x00\x00one\ntwo\n", b"\x50\x2a\x4d\x18\x03\x00\x00\x00abc",
    b"\x28\xb5\x2f\xfd\x00\x58\x31\x00\x00three\n",
];

#[test]
fn frames_of_zstd_come_one_behind_the_other() {
    let sum = [0_u8; 4];
    let plain = [FRAMES[2], FRAMES[1], FRAMES[2]].concat();
    let server = Server::start(plain, Faults::default());
    assert_eq!(printed(&server, &["s3://b/a.zst"]), b"three\nthree\n");
    for cut in [3, 8, 13] {
        let cut = Server::start([FRAMES[2], &FRAMES[0][..cut]].concat(), Faults::default());
        let (status, message, _) = failed(&cut, &["s3://b/a.zst"]);
        let early = "cannot read 's3://b/a.zst': it ends before its zstd does\n";
        assert!(status == Some(1) && message.ends_with(early), "{message}");
    }
    for short in ["k.gz", "k.zst"] {
        let short = (Server::start(b"xyz".into(), Faults::default()), format!("s3://b/{short}"));
        let (status, message, _) = failed(&short.0, &[&short.1]);
        assert!(status == Some(2) && message.contains("it is no "), "{message}");
    }
    let wrong = Server::start([FRAMES[0], &sum].concat(), Faults::default());
    let (status, message, _) = failed(&wrong, &["s3://b/a.zst"]);
    assert!(status == Some(1) && message.contains("its checksum is another"), "{message}");
}

fn last_line(text: &[u8]) -> usize {
    text[..text.len() - 1].iter().rposition(|&byte| byte == b'\n').unwrap() + 1
}

#[test]
fn what_is_empty_has_no_lines_and_what_cannot_be_an_object_is_refused() {
    let empty = Server::start(Vec::new(), Faults::default());
    for key in ["k", "k.gz", "k.zst"] {
        assert_eq!(printed(&empty, &[&format!("s3://b/{key}")]), b"");
    }
    for (address, word) in [
        ("s3://b/", "it is a folder"),
        ("s3://b/a/", "it is a folder"),
        ("s3://b/a/../b", ". or .. in its key"),
        ("s3://other/k", "404"),
    ] {
        let output = lines(&empty, &[address]);
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && message.contains(word), "{message}");
    }
    let output = lines(&empty, &["s3://b/k", "--follow"]);
    assert!(output.status.code() == Some(2));
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "fewer: --follow is about files, and does not go with addresses of stores\n"
    );
}

#[test]
fn a_key_may_have_any_character() {
    let server = Server::start(b"x\n".into(), Faults::default());
    assert_eq!(printed(&server, &["s3://b/a b+%41é\n?#&=//x"]), b"x\n");
    let heads = server.heads();
    assert!(heads[0].starts_with("GET /b/a%20b%2B%2541%C3%A9%0A%3F%23%26%3D//x "), "{heads:?}");
}
