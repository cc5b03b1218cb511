//! `fewer size s3://…`, against a server that answers as S3 does.

#![cfg(all(feature = "stores", feature = "size"))]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod price;

use std::collections::BTreeMap;
use std::process::{Command, Output, Stdio};

use replay::{Faults, Keys, Replay};

/// Keys that a disk could not have are among them.
const KEYS: [&str; 12] = [
    ".git/config", "//", "a", "a/", "a//b", "a/b/c.gz", "a/b/d.txt", "ab/e.gz", "new\nline/x",
    "only/deep/er/f", "top", "x/",
];

fn server_of(keys: &[&str]) -> Replay {
    let keys = keys.iter().map(|key| (*key).to_owned()).collect();
    Replay::start(Keys::listed(keys), Faults::default()).unwrap()
}

fn size(server: &Replay, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fewer"));
    command.arg("size").args(words).env_clear().stdin(Stdio::null());
    command.args(["--no-sign-request", "--endpoint-url", &server.address()]);
    command.output().unwrap()
}

/// What is printed; nothing went wrong.
fn printed(server: &Replay, words: &[&str]) -> String {
    let output = size(server, words);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{words:?}");
    assert_eq!(output.status.code(), Some(0), "{words:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The rows of `-b -0`, by path; each path has one.
fn rows(server: &Replay, words: &[&str]) -> BTreeMap<String, u64> {
    let text = printed(server, &[&["-b", "-0"], words].concat());
    let rows = text.split_terminator('\0').map(|row| row.split_once('\t').unwrap());
    let map: BTreeMap<_, _> =
        rows.clone().map(|(size, path)| (path.to_owned(), size.parse().unwrap())).collect();
    assert_eq!(map.len(), rows.count(), "{text:?}");
    map
}

/// The sum of the sizes of keys that begin with a text.
fn sum(begin: &str) -> u64 {
    let all = KEYS.iter().zip(0..).filter(|(key, _)| key.starts_with(begin));
    all.map(|(_, index)| replay::size_of(index)).sum()
}

/// Rows of the bucket, and of what begins with these texts.
fn expected(below: &[&str]) -> BTreeMap<String, u64> {
    let rows = below.iter().map(|begin| (format!("s3://b/{begin}"), sum(begin)));
    rows.chain([("s3://b".to_owned(), sum(""))]).collect()
}

#[test]
fn a_folder_has_the_sum_of_all_keys_that_begin_with_it() {
    let server = server_of(&KEYS);
    let first = [".git/", "/", "a/", "ab/", "new\nline/", "only/", "x/"];
    assert_eq!(rows(&server, &["s3://b"]), expected(&first));
    assert_eq!(rows(&server, &["s3://b", "-s"]), expected(&[]));
    assert_eq!(rows(&server, &["s3://b", "-d", "0"]), expected(&[]));
    let second = ["//", "a//", "a/b/", "only/deep/"];
    assert_eq!(rows(&server, &["s3://b", "-d", "2"]), expected(&[&first[..], &second].concat()));
}

#[test]
fn objects_have_rows_beside_folders_of_their_name() {
    let server = server_of(&KEYS);
    let rows = rows(&server, &["s3://b", "-a"]);
    // The object `a` and the folder `a/`.
    assert_eq!(rows["s3://b/a"], replay::size_of(2));
    assert_eq!(rows["s3://b/a/"], (3..=6).map(replay::size_of).sum::<u64>());
    assert_eq!(rows["s3://b/top"], replay::size_of(10));
    assert_eq!(rows.len(), 1 + 7 + 2);
}

#[test]
fn a_prefix_counts_what_begins_with_it() {
    let server = server_of(&KEYS);
    let with = |address: &str, root: u64, folder: &str| {
        BTreeMap::from([(address.to_owned(), root), (format!("s3://b/{folder}"), sum(folder))])
    };
    assert_eq!(rows(&server, &["s3://b/on"]), with("s3://b/on", sum("on"), "only/"));
    assert_eq!(rows(&server, &["s3://b/only/"]), with("s3://b/only/", sum("only/"), "only/deep/"));
    assert_eq!(rows(&server, &["s3://b/none"]), [("s3://b/none".to_owned(), 0)].into());
    let empty = server_of(&[]);
    assert_eq!(printed(&empty, &["s3://b"]), "0\ts3://b\n");
}

#[test]
fn rows_are_ordered_and_chosen_as_those_of_a_disk() {
    let server = server_of(&KEYS);
    let text = printed(&server, &["s3://b", "-b", "-0"]);
    let sizes: Vec<u64> = text
        .split_terminator('\0')
        .map(|row| row.split_once('\t').unwrap().0.parse().unwrap())
        .collect();
    assert!(sizes.is_sorted() && text.ends_with(&format!("{}\ts3://b\0", sum(""))), "{text:?}");
    assert_eq!(
        printed(&server, &["s3://b/only/", "-b", "-r", "-c"]),
        format!("{0}\ts3://b/only/\n{0}\ts3://b/only/deep/\n{0}\ttotal\n", sum("only/"))
    );
    assert_eq!(
        printed(&server, &["s3://b", "-n", "1", "-B", "512"]),
        format!("{}\ts3://b\n", sum("").div_ceil(512))
    );
    assert_eq!(
        printed(&server, &["s3://b/x/", "-s", "--json"]),
        format!(
            "{{\"v\":1,\"path\":{{\"text\":\"s3://b/x/\"}},\"kind\":\"directory\",\"depth\":0,\
             \"allocated\":{0},\"size\":{0},\"entries\":1}}\n",
            replay::size_of(11)
        )
    );
}

#[test]
fn filters_say_what_counts() {
    let server = server_of(&KEYS);
    let of = |words: &[&str]| rows(&server, &[&["s3://b", "-s"], words].concat())["s3://b"];
    assert_eq!(of(&["-e", "gz"]), replay::size_of(5) + replay::size_of(7));
    assert_eq!(of(&["--no-hidden"]), sum("") - sum(".git/"));
    assert_eq!(of(&["-E", "a"]), sum("") - sum("a") + sum("ab/"));
}

#[test]
fn what_two_addresses_have_counts_once() {
    let server = server_of(&KEYS);
    let both = rows(&server, &["s3://b/a/", "s3://b/a/b/", "s3://b/", "-s", "-c"]);
    assert_eq!(
        both,
        [
            ("s3://b/a/".to_owned(), sum("a/")),
            ("s3://b/".to_owned(), sum("") - sum("a/")),
            ("total".to_owned(), sum("")),
        ]
        .into()
    );
    assert_eq!(server.requests(), 2);
}

#[test]
fn a_large_bucket_is_listed_for_the_price_of_a_walk() {
    let server = Replay::start(Keys::numbered("k/", 400_000), Faults::default()).unwrap();
    let output = size(&server, &["s3://b", "-b", "--calls", "--json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stderr).unwrap();
    let requests = report["requests"].as_u64().unwrap();
    assert_eq!((report["keys"].as_u64(), requests), (Some(400_000), server.requests()));
    assert!((400..=price::most_requests(400)).contains(&requests), "{requests}");
    let sum: u64 = (0..400_000).map(replay::size_of).sum();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains(&format!("\"size\":{sum},\"entries\":400000}}")), "{text}");
    let small = server_of(&KEYS);
    let output = size(&small, &["s3://b", "--calls", "--json"]);
    let expected =
        "{\"v\":1,\"keys\":12,\"requests\":1,\"repeated\":0,\"slowed\":0,\"cents\":0.0005}\n";
    assert_eq!(String::from_utf8(output.stderr).unwrap(), expected);
}

#[test]
fn what_cannot_be_listed_is_an_error_and_the_rest_counts() {
    let server = server_of(&KEYS);
    let output = size(&server, &["wasb://b", "s3://b/top", "-b"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().contains("wasb://"));
    let top = format!("{}\ts3://b/top\n", replay::size_of(10));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), top);
    let gone = Faults { no_bucket: true, ..Faults::default() };
    let server = Replay::start(Keys::numbered("k", 3), gone).unwrap();
    let output = size(&server, &["s3://b"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    assert!(String::from_utf8(output.stderr).unwrap().contains("NoSuchBucket"));
}

#[test]
fn what_is_about_files_is_refused_by_name() {
    let server = server_of(&KEYS);
    for (words, part) in [
        (&["s3://b", "-x"][..], "--one-file-system"),
        (&["s3://b", "-l"], "--count-links"),
        (&["s3://b", "--gitignore"], "--gitignore"),
        (&["s3://b", "--max-threads", "3"], "--max-threads"),
        (&["s3://b", "/tmp"], "'/tmp' is no address"),
        (&["gs://b", "--region", "x"], "--region"),
    ] {
        let output = size(&server, words);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{message}");
        assert!(message.starts_with("fewer: ") && message.contains(part), "{message}");
    }
    assert_eq!(server.requests(), 0);
}
