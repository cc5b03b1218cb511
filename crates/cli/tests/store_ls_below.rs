//! `fewer ls -R s3://…`, against a server that answers as S3 does.

#![cfg(all(feature = "stores", feature = "ls"))]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod price;

use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, Output, Stdio};

use replay::{Faults, Keys, Replay};

fn server_of(keys: &[&str]) -> Replay {
    let keys = keys.iter().map(|key| (*key).to_owned()).collect();
    Replay::start(Keys::listed(keys), Faults::default()).unwrap()
}

fn ls(server: &Replay, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fewer"));
    command.arg("ls").arg("-R").args(words).env_clear().stdin(Stdio::null());
    command.args(["--no-sign-request", "--endpoint-url", &server.address()]);
    command.output().unwrap()
}

/// What is printed of these keys; nothing went wrong.
fn printed(keys: &[&str], words: &[&str]) -> String {
    let output = ls(&server_of(keys), words);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{words:?}");
    assert_eq!(output.status.code(), Some(0), "{words:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// What GNU ls prints of a disk with the same files, with headings as those of the bucket.
fn of_a_disk(keys: &[&str], words: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    for key in keys {
        let path = folder.path().join(key);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        if key.ends_with('/') {
            fs::create_dir_all(&path).unwrap()
        } else {
            fs::write(&path, "").unwrap()
        }
    }
    let mut command = Command::new("ls");
    command.args(["-R", "-p", "-1"]).args(words).env("LC_ALL", "C").current_dir(folder.path());
    let output = String::from_utf8(command.output().unwrap().stdout).unwrap();
    let heading = |line: &str| match line.strip_suffix(':') {
        Some(".") => "s3://b:".to_owned(),
        Some(path) => format!("s3://b{}/:", path.strip_prefix('.').unwrap()),
        None => line.to_owned(),
    };
    output.lines().map(|line| heading(line) + "\n").collect()
}

#[test]
fn a_bucket_is_printed_as_ls_prints_a_disk() {
    let keys = [
        ".git/x", "a/b/c/d", "a/b/e", "a/f", "b/.h/i", "b/c", "empty/", "k", "m/.n", "m/o/p",
        "z/y/x/w",
    ];
    for words in [&[][..], &["-A"], &["-r"], &["-A", "-r"], &["-I", "a"], &["-I", "b", "-A"]] {
        assert_eq!(
            printed(&keys, &[&["s3://b"], words].concat()),
            of_a_disk(&keys, words),
            "{words:?}"
        );
    }
}

#[test]
fn a_folder_with_hidden_names_alone_is_printed_without_them() {
    let keys = ["a/.b", "c/.d/e", "f/.g/h", "f/i/.j", "k/l"];
    for words in [&[][..], &["-A"], &["-a"], &["-r"], &["-S"], &["-I", "c"]] {
        let on_a_disk = of_a_disk(&keys, words);
        // A bucket has neither . nor ..
        let on_a_disk = on_a_disk.replace("./\n../\n", "").replace("../\n./\n", "");
        assert_eq!(printed(&keys, &[&["s3://b"], words].concat()), on_a_disk, "{words:?}");
    }
    assert_eq!(printed(&keys, &["s3://b/a/"]), "s3://b/a/:\n");
}

#[test]
fn keys_that_no_disk_has_have_their_folders() {
    let keys = ["//x", "a", "a-/b", "a/", "a//b", "a/c"];
    assert_eq!(
        printed(&keys, &["s3://b"]),
        "s3://b:\n/\na\na-/\na/\n\ns3://b//:\n/\n\ns3://b///:\nx\n\ns3://b/a-/:\nb\n\n\
         s3://b/a/:\n/\nc\n\ns3://b/a//:\nb\n"
    );
    // A prefix lists what begins with it.
    let expected =
        "s3://b/a:\na\na-/\na/\n\ns3://b/a-/:\nb\n\ns3://b/a/:\n/\nc\n\ns3://b/a//:\nb\n";
    assert_eq!(printed(&keys, &["s3://b/a"]), expected);
    assert_eq!(printed(&keys, &["s3://b/a-/"]), "s3://b/a-/:\nb\n");
    assert_eq!(printed(&keys, &["s3://b/none"]), "s3://b/none:\n");
}

#[test]
fn rows_have_the_columns_of_one_level() {
    let keys = ["a", "f/b", "f/g/c"];
    let row = |index: u64, name: &str| {
        format!("{} {} {name}", replay::size_of(index), replay::modified_of(index))
    };
    let long = printed(&keys, &["s3://b", "-l", "--time-style=+%s"]);
    let lines: Vec<&str> = long.lines().map(str::trim_start).collect();
    let [a, b, c] = [row(0, "a"), row(1, "b"), row(2, "c")];
    let unknown = |name: &str| format!("? ? {name}");
    let (f, g) = (unknown("f/"), unknown("g/"));
    let expected = ["s3://b:", &a, &f, "", "s3://b/f/:", &b, &g, "", "s3://b/f/g/:", &c];
    assert_eq!(lines, expected);
    let json = printed(&keys, &["s3://b", "--json"]);
    let rows: Vec<serde_json::Value> =
        json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let pairs: Vec<(&str, &str)> = rows
        .iter()
        .map(|row| {
            (row["directory"]["text"].as_str().unwrap(), row["name"]["text"].as_str().unwrap())
        })
        .collect();
    let expected = [
        ("s3://b", "a"),
        ("s3://b", "f/"),
        ("s3://b/f/", "b"),
        ("s3://b/f/", "g/"),
        ("s3://b/f/g/", "c"),
    ];
    assert_eq!(pairs, expected);
}

/// What is to be printed of these keys, which are sorted: each folder, and what is directly in it.
fn expected(keys: &[String]) -> String {
    let mut folders: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for key in keys {
        let ends = key.match_indices('/').map(|(at, _)| at + 1).chain([key.len()]);
        let mut from = 0;
        for end in ends.filter(|end| *end > 0) {
            let names = folders.entry(&key[..from]).or_default();
            if names.last() != Some(&&key[from..end]) {
                names.push(&key[from..end]);
            }
            from = end;
        }
    }
    // A folder comes before what is in it, and that before the next folder: the order of keys.
    let blocks = folders.iter().map(|(folder, names)| {
        let path = if folder.is_empty() { "s3://b".to_owned() } else { format!("s3://b/{folder}") };
        format!("{path}:\n{}\n", names.join("\n"))
    });
    blocks.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_large_bucket_is_not_held() {
    // One folder has half of the keys, more than are kept, and it is not the last.
    let all = Keys::skewed(300_000, 7);
    let keys: Vec<String> = (0..all.len()).map(|at| all.key(at)).collect();
    let server = Replay::start(all, Faults::default()).unwrap();
    let text = ls(&server, &["s3://b", "-A", "--calls"]);
    assert!(String::from_utf8(text.stdout).unwrap() == expected(&keys));
    let report = String::from_utf8(text.stderr).unwrap();
    assert!(report.contains(&format!("{} list requests", server.requests())), "{report}");
    // All pages, and the rows of the folder that is too large and of those around it.
    let requests = server.last_requests();
    let anew = requests.iter().filter(|request| request.contains("delimiter")).count();
    assert!((1..=10).contains(&anew), "{requests:?}");
    let pages = requests.len() - anew;
    assert!((300..=price::most_requests(300) as usize).contains(&pages), "{report}");
}

#[test]
fn a_listing_that_fails_prints_what_came() {
    let gone = Faults { no_bucket: true, ..Faults::default() };
    let server = Replay::start(Keys::numbered("k", 3), gone).unwrap();
    let output = ls(&server, &["s3://b"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    assert!(String::from_utf8(output.stderr).unwrap().contains("NoSuchBucket"));
    let server = server_of(&["a/b", "c"]);
    let output = ls(&server, &["wasb://b", "s3://b"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(output.stdout, b"s3://b:\na/\nc\n\ns3://b/a/:\nb\n");
}
