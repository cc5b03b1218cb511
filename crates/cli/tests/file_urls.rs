//! `fewer walk file:///path`: the disk, as by its path.

#![allow(clippy::unwrap_used, reason = "a test may panic")]
#![cfg(unix)]

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn fewer(words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fewer"));
    command.args(words).env_clear().stdin(Stdio::null()).output().unwrap()
}

/// A URL in which each byte of a path is encoded, but for the slashes.
fn url(path: &Path) -> String {
    let encoded = |&byte: &u8| match byte {
        b'/' => "/".to_owned(),
        byte => format!("%{byte:02x}"),
    };
    format!("file://{}", path.as_os_str().as_bytes().iter().map(encoded).collect::<String>())
}

#[test]
fn a_url_is_walked_and_printed_as_its_path() {
    let folder = tempfile::tempdir().unwrap();
    for name in [&b"plain"[..], b"a b", b"%41+", b"new\nline", b"\xff\xfe", "é".as_bytes()] {
        let root = folder.path().join(OsStr::from_bytes(name));
        // Some file systems take only UTF-8.
        if fs::create_dir(&root).is_err() {
            continue;
        }
        fs::write(root.join("file"), "").unwrap();
        let output = fewer(&["walk", "-0", "--sort", &url(&root)]);
        let root = root.as_os_str().as_bytes();
        assert_eq!(output.stdout, [root, b"\0", root, b"/file\0"].concat());
        assert!(output.stderr.is_empty() && output.status.success());
    }
    let written = format!("file://localhost{}", folder.path().display());
    let output = fewer(&["walk", "-g", "file", &written, "--count"]);
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn urls_and_paths_go_together() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let output = fewer(&["walk", path, &url(folder.path())]);
    assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("{path}\n{path}\n"));
}

#[test]
fn what_names_no_path_is_refused_by_name() {
    for (url, part) in [
        ("file://host/tmp", "'host' is another machine"),
        ("file://", "no path follows"),
        ("file:///tmp%2", "'%2'"),
        ("file:///tmp%00", "no name has a %00"),
    ] {
        let output = fewer(&["walk", url]);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains(part) && message.contains(url), "{message}");
        assert!(output.stdout.is_empty());
    }
    let missing = fewer(&["walk", "file:///no%20thing"]);
    let message = String::from_utf8(missing.stderr).unwrap();
    assert!(message.ends_with(" '/no thing': No such file or directory\n"), "{message}");
}
