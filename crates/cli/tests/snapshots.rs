//! What the verbs about snapshots say of files that they cannot use, and what they leave alone.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod folder;

use std::fs;
use std::os::unix::fs::symlink;

use folder::{Folder, err, expect, out};

/// A tree of two directories and three files, which was left alone for long enough to be known.
fn tree() -> Folder {
    let folder = Folder::new();
    fs::create_dir_all(folder.0.join("d/s")).unwrap();
    fs::create_dir(folder.0.join("e")).unwrap();
    for name in ["d/a", "d/s/b", "e/c"] {
        folder.write(name, "x\n");
    }
    std::thread::sleep(std::time::Duration::from_millis(50));
    expect(&folder.fewer(&["snapshot", "d", "-o", "file"]), 0);
    folder
}

const D: &str = "d\nd/a\nd/s\nd/s/b\n";

#[test]
fn a_file_that_is_no_snapshot_is_reported_and_all_is_read() {
    let folder = tree();
    folder.write("text", "x\n");
    let whole = fs::read(folder.0.join("file")).unwrap();
    fs::write(folder.0.join("half"), &whole[..whole.len() / 2]).unwrap();
    for (file, message) in [
        ("none", "cannot read snapshot 'none': No such file or directory"),
        ("text", "cannot use snapshot 'text': it is not a snapshot"),
        ("half", "cannot use snapshot 'half': it is not whole"),
        ("d", "cannot read snapshot 'd': Is a directory"),
    ] {
        let run = folder.fewer(&["walk", "--sort", "--since", file, "d"]);
        assert_eq!(err(&run), format!("fewer: {message}; everything is read\n"));
        assert_eq!(expect(&run, 0), D);
        let run = folder.fewer(&["changes", file]);
        assert_eq!(err(&run), format!("fewer: {message}\n"));
        assert_eq!(expect(&run, 2), "");
    }
}

#[test]
fn an_update_takes_the_place_of_no_other_file() {
    let folder = tree();
    folder.write("text", "x\n");
    let run = folder.fewer(&["walk", "--since", "text", "--update", "d"]);
    let message = "cannot use snapshot 'text': it is not a snapshot; it is not overwritten";
    assert_eq!((err(&run), expect(&run, 2)), (format!("fewer: {message}\n"), String::new()));
    assert_eq!(folder.read("text"), "x\n");
}

#[test]
fn directories_that_a_snapshot_does_not_have_are_named() {
    let folder = tree();
    let absolute = folder.0.join("d").display().to_string();
    for other in ["e", "./d", "d/s", &absolute] {
        let run = folder.fewer(&["walk", "--since", "file", "d", other]);
        let message = format!("snapshot 'file' is not of '{other}'; everything in it is read");
        assert_eq!(err(&run), format!("fewer: {message}\n"));
        assert!(out(&run).lines().any(|line| line == other), "{other}");
        expect(&run, 0);
    }
    let run = folder.fewer(&["changes", "file", "e"]);
    assert_eq!(err(&run), "fewer: the snapshot is not of 'e', but of 'd'\n");
    expect(&run, 2);
}

#[test]
fn an_update_takes_all_directories_of_the_file() {
    let folder = tree();
    expect(&folder.fewer(&["snapshot", "d", "e", "-o", "both"]), 0);
    for words in
        [&["changes", "both", "d", "--update"][..], &["watch", "--since", "both", "--update", "d"]]
    {
        let run = folder.fewer(words);
        assert_eq!(err(&run), "fewer: --update takes all directories of the snapshot\n");
        expect(&run, 2);
    }
    assert_eq!(expect(&folder.fewer(&["changes", "both", "e", "d", "--update"]), 0), "");
}

#[test]
fn what_changed_is_told_until_the_file_is_updated() {
    let folder = tree();
    assert_eq!(expect(&folder.fewer(&["changes", "file"]), 0), "");
    fs::rename(folder.0.join("d/s"), folder.0.join("d/t")).unwrap();
    fs::remove_file(folder.0.join("d/a")).unwrap();
    symlink("nowhere", folder.0.join("d/new")).unwrap();
    // In the order of the new paths.
    let told = "D d/a\nA d/new\nR d/s -> d/t\n";
    assert_eq!(expect(&folder.fewer(&["changes", "file"]), 0), told);
    let run = folder.fewer(&["changes", "file", "-0"]);
    assert_eq!(expect(&run, 0), "D d/a\0A d/new\0R d/s\0d/t\0");
    assert_eq!(expect(&folder.fewer(&["changes", "file", "--update"]), 0), told);
    assert_eq!(expect(&folder.fewer(&["changes", "file"]), 0), "");
    let run = folder.fewer(&["walk", "--sort", "--since", "file", "d"]);
    assert_eq!(expect(&run, 0), "d\nd/new\nd/t\nd/t/b\n");
}

#[test]
fn a_snapshot_that_cannot_be_made_or_written_fails() {
    let folder = tree();
    for (words, message) in [
        (["snapshot", "d", "-o", "no/file"], "cannot write snapshot 'no/file': No such file"),
        (["snapshot", "d", "-o", "e"], "cannot write snapshot 'e': Is a directory"),
        (["snapshot", "none", "-o", "new"], "cannot access 'none': No such file"),
    ] {
        let run = folder.fewer(&words);
        assert!(err(&run).starts_with(&format!("fewer: {message}")), "{}", err(&run));
        assert!(!run.status.success());
    }
    assert!(!folder.0.join("new").exists());
}
