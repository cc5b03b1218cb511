//! What is said on standard error of stores: nothing that controls a terminal, no password, and
//! which server it was.

#![cfg(feature = "stores")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "store_others/answers.rs"]
#[allow(dead_code, reason = "other tests look at requests")]
mod answers;

use std::net::TcpListener;

use answers::{Answers, run};

/// Nothing listens there, and no program gets this port by chance.
const NOBODY: &str = "127.0.0.1:1";

/// What is said of a failure.
fn said(words: &[&str]) -> String {
    let output = run(words, &[("AWS_ENDPOINT_URL", &format!("http://{NOBODY}"))]);
    assert!(matches!(output.status.code(), Some(1 | 2)), "{words:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// The same of a server with one answer.
fn answered(status: &'static str, body: &str, words: &[&str]) -> String {
    let server = Answers::give(vec![(status, body.to_owned())]);
    let endpoint = ["--no-sign-request", "--endpoint-url", &server.address()];
    said(&[words, &endpoint].concat())
}

#[test]
fn what_a_server_says_controls_no_terminal() {
    // No XML may have such a character, and servers send it.
    let error = "<Error><Code>Access\u{9b}31mDenied</Code><Message>\u{202e}a\u{1b}[2J\nb</Message>\
                 </Error>";
    for verb in ["walk", "ls", "size", "lines"] {
        let said = answered("403 Forbidden", error, &[verb, "s3://b/k"]);
        assert!(said.contains("Access\\u{9b}31mDenied"), "{said:?}");
        assert!(said.contains("\\u{202e}a\\x1b[2J"), "{said:?}");
        let is_control = |char: char| char.is_control() && char != '\n';
        assert!(!said.contains(is_control), "{said:?}");
    }
}

#[test]
fn an_address_controls_no_terminal() {
    for words in [
        &["walk", "s3://b\u{1b}[2J/k"][..],
        &["walk", "hdfs://n\u{1b}[2J/k"],
        &["walk", "webdav://n\u{1b}[2J/k"],
        &["walk", "s3://b", "n\u{1b}[2J"],
        &["lines", "s3://b\u{1b}[2J/k"],
        &["size", "s3://b", "--endpoint-url", "http:// \u{1b}[2J"],
    ] {
        let said = said(words);
        assert!(said.contains("\\x1b[2J") && !said.contains('\u{1b}'), "{words:?}: {said:?}");
    }
}

#[test]
fn a_server_that_is_not_there_is_named() {
    let endpoint = ["--no-sign-request", "--endpoint-url", &format!("http://u:secret@{NOBODY}")];
    let refused = format!("cannot reach {NOBODY}: Connection refused\n");
    for verb in ["walk", "lines"] {
        let said = said(&[&[verb, "s3://b/k"], &endpoint[..]].concat());
        assert!(said.ends_with(&refused), "{said}");
        assert!(!said.contains("secret"), "{said}");
    }
    assert!(said(&["walk", &format!("http://{NOBODY}/t/")]).ends_with(&refused));
    assert!(said(&["walk", &format!("hdfs://{NOBODY}/t/")]).ends_with(&refused));
    let said = said(&["lines", &format!("hdfs://{NOBODY}/t")]);
    assert!(said.ends_with(&refused), "{said}");
}

#[test]
fn a_server_that_does_not_answer_is_named() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let server = listener.local_addr().unwrap().to_string();
    let said = said(&["walk", &format!("hdfs://{server}/t"), "--request-timeout", "1"]);
    let why = format!(": the NameNode {server} did not answer a call in 1 second\n");
    assert!(said.ends_with(&why), "{said}");
}

#[test]
fn no_password_is_printed() {
    for address in [
        "s3://user:secret@b/k", "s3://user:sec/secret@b/k", "s3://user:1@secret@b/k",
        "gs://user:secret@b", "az://user:secret@c/p", "https://user:secret@a.example/p",
        "https://secret@a.example/p", "hdfs://user:secret@nn:8020/p",
        "webdav://user:secret@a.example/p",
    ] {
        for verb in ["walk", "ls", "size", "lines"] {
            let said = said(&[verb, address]);
            assert!(said.contains("://***@") && !said.contains("secret"), "{verb}: {said}");
            let reason = if address.starts_with("webdav") { "webdav" } else { "password" };
            assert!(said.contains(reason), "{verb}: {said}");
        }
    }
    let said = |words: &[&str]| said(&[&["walk"], words].concat());
    assert!(!said(&["s3://b", "--endpoint-url", "ftp://u:secret@h"]).contains("secret"));
    assert!(!said(&["s3://u:secret@b", "x"]).contains("secret"));
    assert!(!said(&["x", "s3://b", "http://u:secret@b"]).contains("secret"));
}

#[test]
fn what_is_no_name_of_a_bucket_is_said() {
    for (address, name) in [
        ("s3://My_Bucket!/k", "'My_Bucket!' is no name of a bucket"),
        ("s3://a..b/k", "'a..b' is no name of a bucket"),
        ("https://a?b/k", "'a?b' is no name of a server"),
        ("hdfs://a b/k", "'a b' is no name of a server"),
        ("s3:///k", "no name of a bucket follows the ://"),
        ("http:///k", "no name of a server follows the ://"),
    ] {
        let said = said(&["walk", address]);
        assert_eq!(said, format!("fewer: cannot list '{address}': {name}\n"));
    }
}

#[test]
fn who_reads_an_object_lists_nothing() {
    let endless = "x".repeat(3);
    for (status, body) in [("200 OK", &*endless), ("404 Not Found", "")] {
        let said = answered(status, body, &["lines", "s3://b/k.gz"]);
        assert!(said.contains("cannot read 's3://b/k.gz'") && !said.contains("list"), "{said}");
    }
    for address in ["s3://a..b/k", "hdfs://a b/k", "webdav://b/k", "s3://b--x-s3/k"] {
        let said = said(&["lines", address]);
        assert!(said.starts_with(&format!("fewer: cannot read '{address}': ")), "{said}");
    }
}

#[test]
fn what_is_supported_is_said_of_a_scheme_that_is_not() {
    let said = said(&["walk", "webhdfs://nn:9870/t"]);
    assert!(said.ends_with("only s3://, gs://, az://, https://, http:// and hdfs://\n"), "{said}");
}
