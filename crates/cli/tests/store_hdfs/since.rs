//! `fewer walk --since FILE hdfs://…`.

use super::cluster::{Cluster, cluster, stderr};

/// The changes that are printed, without the address of the server; nothing went wrong.
fn changes(cluster: &Cluster, file: &str, words: &[&str]) -> String {
    cluster.printed("/since", &[&["--since", file], words].concat())
}

#[test]
fn what_came_went_and_changed_is_printed_in_the_order_of_a_sorted_walk() {
    let Some(mut cluster) = cluster() else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("manifest");
    let file = file.to_str().unwrap();
    for name in ["a/b/x", "a-/y", "a/z", "ä/1", "mode/f", "same/s"] {
        cluster.tell("file", &format!("/since/{name}"), "3");
    }
    let all: String = cluster.printed("/since", &["--sort"]);
    let added: String = all.lines().map(|path| format!("A {path}\n")).collect();
    let before = cluster.calls();
    assert_eq!(changes(&cluster, file, &["--update"]), added);
    // All is listed: the root, and each directory.
    assert_eq!(cluster.calls() - before, 1 + 7);
    assert_eq!(changes(&cluster, file, &[]), "");

    cluster.tell("delete", "/since/a/b", "");
    cluster.tell("file", "/since/a-/new\nline", "0");
    cluster.tell("file", "/since/a/z", "4");
    cluster.tell("mode", "/since/mode/f", "600");
    cluster.tell("mode", "/since/same", "750");
    cluster.tell("delete", "/since/ä", "");
    let expected = [
        "D /since/a/b", "D /since/a/b/x", "M /since/a/z", "A /since/a-/new\nline",
        "M /since/mode/f", "M /since/same", "D /since/ä", "D /since/ä/1",
    ];
    let found = changes(&cluster, file, &["-0"]);
    assert_eq!(found.split_terminator('\0').collect::<Vec<_>>(), expected);
    let gone = changes(&cluster, file, &["-t", "d", "-d", "1"]);
    assert_eq!(gone, "M /since/same\nD /since/ä\n");
    // The root is written in another way, and is the same.
    let output = cluster.walk("/since/", &["--since", file, "-g", "x"]);
    let expected = format!("D {}\n", cluster.address("/since/a/b/x"));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
    changes(&cluster, file, &["--update"]);
    assert_eq!(changes(&cluster, file, &[]), "");
    cluster.tell("delete", "/since", "");
}

#[test]
fn what_cannot_be_listed_is_not_gone() {
    let Some(mut cluster) = cluster() else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("manifest");
    let file = file.to_str().unwrap();
    for name in ["a/f", "closed/in/f", "closed/out", "z"] {
        cluster.tell("file", &format!("/hidden/{name}"), "1");
    }
    let update = ["--since", file, "--update"];
    assert_eq!(cluster.walk("/hidden", &update).status.code(), Some(0));
    let before = std::fs::read(file).unwrap();
    cluster.tell("mode", "/hidden/closed", "700");
    cluster.tell("delete", "/hidden/z", "");
    let mut command = cluster.command("/hidden", &update);
    let output = command.env("HADOOP_USER_NAME", "somebody").output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("/hidden/closed': Permission denied"), "{}", stderr(&output));
    let printed = String::from_utf8(output.stdout).unwrap().replace(&cluster.address(""), "");
    assert_eq!(printed, "M /hidden/closed\nD /hidden/z\n");
    assert!(std::fs::read(file).unwrap() == before);
    // The root is gone, or nobody answers: then nothing is known.
    cluster.tell("delete", "/hidden", "");
    let output = cluster.walk("/hidden", &update);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    assert!(std::fs::read(file).unwrap() == before);
}
