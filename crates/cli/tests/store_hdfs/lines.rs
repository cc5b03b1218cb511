//! `fewer lines hdfs://…`.

use std::fs;
use std::process::{Command, Output, Stdio};

use super::cluster::{Cluster, cluster, stderr, verb};

const MIB: usize = 1 << 20;

/// `printf 'three\n' | zstd --no-check`, by zstd 1.5.4.
const FRAME: &[u8] = b"\x28\xb5\x2f\xfd\x00\x58\x31\x00\x00three\n";

fn lines(cluster: &Cluster, path: &str, words: &[&str]) -> Output {
    verb("lines", &cluster.address(path)).args(words).output().unwrap()
}

fn printed(cluster: &Cluster, path: &str, words: &[&str]) -> Vec<u8> {
    let output = lines(cluster, path, words);
    assert_eq!((&*stderr(&output), output.status.code()), ("", Some(0)), "{path} {words:?}");
    output.stdout
}

/// Lines of so many bytes in all.
fn text(bytes: usize) -> Vec<u8> {
    let mut text: Vec<u8> =
        (0..bytes / 8).flat_map(|number| format!("{number:07}\n").into_bytes()).collect();
    text.resize(bytes, b'x');
    text
}

#[test]
fn a_file_comes_in_pieces_whatever_its_blocks_are() {
    let Some(mut cluster) = cluster() else { return };
    let folder = tempfile::tempdir().unwrap();
    let local = folder.path().join("text");
    let large = text(20 * MIB + 5);
    fs::write(&local, &large).unwrap();
    cluster.tell("put", "/lines/large +%é", local.to_str().unwrap());
    let gzip = Command::new("gzip").arg("-c").arg(&local).stdin(Stdio::null()).output().unwrap();
    fs::write(&local, gzip.stdout).unwrap();
    cluster.tell("put", "/lines/log.gz", local.to_str().unwrap());
    fs::write(&local, FRAME).unwrap();
    cluster.tell("put", "/lines/a.zst", local.to_str().unwrap());
    cluster.tell("put", "/lines/no.gz", local.to_str().unwrap());
    cluster.tell("file", "/lines/empty", "0");

    let before = cluster.calls();
    assert!(printed(&cluster, "/lines/large +%é", &[]) == large);
    assert!(printed(&cluster, "/lines/log.gz", &[]) == large);
    assert_eq!(printed(&cluster, "/lines/a.zst", &[]), b"three\n");
    assert_eq!(printed(&cluster, "/lines/empty", &[]), b"");
    assert_eq!(printed(&cluster, "/lines/large +%é", &["--first", "2"]), b"0000000\n0000001\n");
    assert_eq!(printed(&cluster, "/lines/log.gz", &["--last", "1"]), b"xxxxx");
    // The NameNode is asked for blocks alone, and what it says of them is all that is needed.
    assert_eq!(cluster.calls(), before);
    // The first MiB, up to 8 MiB, to 16 MiB and the rest, and the call of the NameNode.
    for (words, requests) in [(&["--count"][..], 5), (&["--first", "1"], 2)] {
        let calls = lines(&cluster, "/lines/large +%é", &[words, &["--calls"]].concat());
        let expected = format!("{requests} requests for 1 objects\n");
        assert!(stderr(&calls).trim_start().starts_with(&expected), "{}", stderr(&calls));
    }
    let output = lines(&cluster, "/lines/no.gz", &[]);
    assert!(stderr(&output).contains("no.gz': it is no gzip"), "{}", stderr(&output));
}

#[test]
fn what_cannot_be_read_is_an_error_with_its_address() {
    let Some(cluster) = cluster() else { return };
    for (path, user, reason) in [
        ("/t/none", "root", "No such file or directory"),
        ("/t/a", "root", "Is a directory"),
        ("/t/a/x/y", "root", "Permission denied: /t/a/x (is not a directory)"),
        ("/t/denied/secret", "somebody", "Permission denied"),
    ] {
        let mut command = verb("lines", &cluster.address(path));
        let output = command.arg("--calls").env("HADOOP_USER_NAME", user).output().unwrap();
        let message = stderr(&output);
        let begin = format!("fewer: cannot read '{}': ", cluster.address(path));
        assert!(message.starts_with(&begin) && message.contains(reason), "{message}");
        assert!(message.contains("1 requests for 1 objects"), "{message}");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    }
    let output = verb("lines", "hdfs://127.0.0.1:1/x").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("hdfs://127.0.0.1:1/x"), "{}", stderr(&output));
    let output = lines(&cluster, "/t/a/x", &["--follow"]);
    assert!(stderr(&output).contains("--follow is about files"), "{}", stderr(&output));
}
