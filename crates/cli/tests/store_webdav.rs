//! `fewer walk https://host/path` and other verbs, of a server of WebDAV: one request for each
//! collection, side by side, and an error for each that is closed.

#![cfg(feature = "stores")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "store_webdav/server.rs"]
mod server;

use std::collections::BTreeMap;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use server::{Faults, Server, header};

fn run(words: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fewer"));
    command.args(words).env_clear().env("TZ", "UTC").envs(variables.iter().copied());
    command.stdin(Stdio::null()).output().unwrap()
}

/// What is printed, with the server left out; nothing went wrong.
fn printed(server: &Server, words: &[&str]) -> String {
    let words: Vec<String> =
        words.iter().map(|word| word.replace("URL", &server.address())).collect();
    let output = run(&words.iter().map(String::as_str).collect::<Vec<_>>(), &[]);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{words:?}");
    assert_eq!(output.status.code(), Some(0), "{words:?}");
    String::from_utf8(output.stdout).unwrap().replace(&server.address(), "URL")
}

fn files() -> Vec<String> {
    ["a b+%41.gz", "c/", "d/e/f.gz", "d/e/é<&>", "d/.hidden/x", "d/g", "z#?"]
        .map(str::to_owned)
        .into()
}

fn small() -> Server {
    Server::start(&files(), Faults::default())
}

/// Five folders in each folder down to the third level, with two files in each.
fn deep() -> Vec<String> {
    let mut folders = vec![String::new()];
    let mut files = Vec::new();
    for _ in 0..4 {
        files.extend(folders.iter().flat_map(|it| (0..2).map(move |at| format!("{it}o{at}"))));
        folders =
            folders.iter().flat_map(|it| (0..5).map(move |at| format!("{it}f{at}/"))).collect();
    }
    files
}

const COLLECTIONS: usize = 1 + 5 + 25 + 125;

/// All that is below the root: a level, then those below it.
fn all(files: &[String]) -> Vec<String> {
    let mut all: Vec<String> = files.to_vec();
    for file in files {
        all.extend(file.match_indices('/').map(|(at, _)| file[..=at].to_owned()));
    }
    let folder = |name: &String| {
        let inside = name.trim_end_matches('/');
        inside[..inside.rfind('/').map_or(0, |at| at + 1)].to_owned()
    };
    all.sort_by_key(|name| (folder(name), name.clone()));
    all.dedup();
    all
}

#[test]
fn all_below_an_address_is_printed_for_a_request_a_collection() {
    let server = small();
    let expected: String = all(&files()).iter().map(|name| format!("URL/{name}\0")).collect();
    assert_eq!(printed(&server, &["walk", "URL", "-0"]), expected);
    // The root, c, d, d/e and d/.hidden.
    assert_eq!(server.heads().len(), 5);
    assert!(server.heads()[0].starts_with("PROPFIND / HTTP/1.1\r\n"), "{}", server.heads()[0]);
    let below = "URL/d/.hidden/\nURL/d/e/\nURL/d/g\nURL/d/.hidden/x\nURL/d/e/f.gz\nURL/d/e/é<&>\n";
    for address in ["URL/d", "URL/d/"] {
        assert_eq!(printed(&server, &["walk", address]), below);
    }
}

#[test]
fn what_is_not_wanted_is_not_asked_for() {
    for (words, expected, requests) in [
        (&["-d", "1"][..], "URL/a b+%41.gz\nURL/c/\nURL/d/\nURL/z#?\n", 1),
        (&["-d", "1", "--sort"], "URL/a b+%41.gz\nURL/c/\nURL/d/\nURL/z#?\n", 1),
        (&["-d", "2", "-t", "d"], "URL/c/\nURL/d/\nURL/d/.hidden/\nURL/d/e/\n", 3),
        (&["-E", "e", "-e", "gz"], "URL/a b+%41.gz\n", 4),
        (
            &["--no-hidden", "-S", "+3", "-t", "f"],
            "URL/a b+%41.gz\nURL/d/e/f.gz\nURL/d/e/é<&>\n",
            4,
        ),
        (
            &["--format", "{size} {mtime:%Y} {type} {}", "-g", "[cg]"],
            "0 2009 directory URL/c/\n1 2009 file URL/d/g\n",
            5,
        ),
        (&["--max-results", "1"], "URL/a b+%41.gz\n", 1),
    ] {
        let server = small();
        assert_eq!(printed(&server, &[&["walk", "URL"], words].concat()), expected);
        assert!(server.heads().len() == requests, "{words:?}: {}", server.heads().len());
    }
}

#[test]
fn collections_are_listed_side_by_side_whatever_fails_on_its_way() {
    let expected: Vec<String> = all(&deep()).iter().map(|name| format!("URL/{name}")).collect();
    // So slow that what else the machine does plays no part.
    let wait = Duration::from_millis(60);
    let server = Server::start(&deep(), Faults { wait, ..Faults::default() });
    let found = printed(&server, &["walk", "URL"]);
    assert!(found.lines().eq(&expected));
    assert_eq!(server.heads().len(), COLLECTIONS);
    assert!(server.most_at_once() > 4, "{}", server.most_at_once());
    let faults = Faults { wait, refuse_every: Some(13), cut_every: Some(17), ..Faults::default() };
    let server = Server::start(&deep(), faults);
    let output = run(&["walk", &server.address(), "--calls", "--json", "-j", "6", "--count"], &[]);
    assert_eq!(output.status.code(), Some(0));
    let costs: serde_json::Value = serde_json::from_slice(&output.stderr).unwrap();
    let [requests, repeated, slowed] =
        ["requests", "repeated", "slowed"].map(|name| costs[name].as_u64().unwrap() as usize);
    assert_eq!((requests, requests - repeated), (server.heads().len(), COLLECTIONS));
    assert!(slowed > 5 && repeated > slowed && server.most_at_once() <= 6, "{costs}");
    assert_eq!(costs["cents"].as_f64(), Some(0.0));
    let counted: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(counted["entries"].as_u64(), Some(expected.len() as u64));
}

#[test]
fn a_collection_that_is_closed_is_an_error_and_the_rest_is_listed() {
    let answers = [
        ("d/e/", ("403 Forbidden", String::new())),
        ("c/", ("404 Not Found", String::new())),
        ("d/.hidden/", ("405 Method Not Allowed", String::new())),
    ];
    let faults = Faults { answers: BTreeMap::from(answers), ..Faults::default() };
    let server = Server::start(&files(), faults);
    let output = run(&["walk", &server.address(), "-t", "f"], &[]);
    assert_eq!(output.status.code(), Some(1));
    let (out, said) = (String::from_utf8(output.stdout), String::from_utf8(output.stderr));
    let (out, said) = (out.unwrap(), said.unwrap().replace(&server.address(), "URL"));
    assert_eq!(out.replace(&server.address(), "URL"), "URL/a b+%41.gz\nURL/z#?\nURL/d/g\n");
    let mut lines: Vec<&str> = said.lines().collect();
    lines.sort_unstable();
    let [missing, closed, no_webdav] = lines[..] else { panic!("{said}") };
    assert!(missing.starts_with("fewer: cannot list 'URL/c/': the store answers 404"), "{said}");
    assert!(
        no_webdav.starts_with("fewer: cannot list 'URL/d/e/': the store answers 403"),
        "{said}"
    );
    assert!(closed.starts_with("fewer: cannot list 'URL/d/.hidden/': "), "{said}");
    assert!(closed.contains("405") && closed.contains("it speaks no WebDAV"), "{said}");
    let output = run(&["size", &server.address(), "-b", "-s"], &[]);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn an_address_that_cannot_be_listed_is_an_error_with_its_reason() {
    for (status, lines, part) in [
        ("401 Unauthorized", "WWW-Authenticate: Basic\r\n", "the store answers 401"),
        ("403 Forbidden", "", "the store answers 403"),
        ("404 Not Found", "", "the store answers 404"),
        ("405 Method Not Allowed", "", "it speaks no WebDAV"),
        ("302 Found", "Location: /d/\r\n", "'/d/' is not in the collection '/old'"),
        ("301 Moved Permanently", "", "the store answers 301"),
        ("200 OK", "", "no listing"),
    ] {
        let answers = BTreeMap::from([("old/", (status, lines.to_owned()))]);
        let server = Server::start(&files(), Faults { answers, ..Faults::default() });
        let output = run(&["walk", &format!("{}/old", server.address())], &[]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{said}");
        assert!(said.starts_with("fewer: cannot list 'http://127.0.0.1:"), "{said}");
        assert!(said.contains("/old/': ") && said.contains(part), "{said}, and not {part}");
    }
    // A redirection to the same collection is followed.
    let lines = "Location: /c/?session=1\r\n".to_owned();
    let answers = BTreeMap::from([("c/", ("307 Temporary Redirect", lines))]);
    let server = Server::start(&files(), Faults { answers, ..Faults::default() });
    assert_eq!(printed(&server, &["walk", "URL/c"]), "");
    assert_eq!(server.heads().len(), 2);
}

#[test]
fn levels_and_sums_are_those_of_other_stores() {
    let server = small();
    assert_eq!(printed(&server, &["ls", "URL/d"]), "e/\ng\n");
    let time = "2009-10-12 17:50";
    let long = format!("0 {time} .hidden/\n0 {time} e/\n1 {time} g\n");
    assert_eq!(printed(&server, &["ls", "-lA", "--time-style=long-iso", "URL/d/"]), long);
    assert_eq!(printed(&server, &["size", "-b", "-s", "URL/d"]), "11\tURL/d\n");
}

#[test]
fn lines_are_read_by_ranges() {
    let server = small();
    let address = format!("{}/d/g", server.address());
    let output = run(&["lines", "--count", "--calls", &address], &[]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{said}");
    // 1.2 MB: the first MiB, and what is behind it.
    assert!(said.starts_with("       2 requests for 1 objects"), "{said}");
    let ranges: Vec<_> = server.heads().iter().filter_map(|head| header(head, "range")).collect();
    assert_eq!(ranges, ["bytes=0-1048575", "bytes=1048576-1199999"]);
    assert_eq!(header(&server.heads()[1], "if-match").as_deref(), Some("\"e\""));
    for (path, part) in [("none", "404"), ("d/", "folder")] {
        let output = run(&["lines", &format!("{}/{path}", server.address())], &[]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains(part) && output.status.code() != Some(0), "{said}");
    }
}

#[test]
fn who_one_is_the_environment_says() {
    let authorization = Some("Basic YTpi");
    let server = Server::start(&files(), Faults { authorization, ..Faults::default() });
    let words = ["walk", &server.address(), "--count"];
    assert_eq!(run(&words, &[]).status.code(), Some(2));
    let user = [("WEBDAV_USERNAME", "a"), ("WEBDAV_PASSWORD", "b")];
    assert_eq!(run(&words, &user).status.code(), Some(0));
    assert_eq!(run(&[&words[..], &["--no-sign-request"]].concat(), &user).status.code(), Some(2));
}

#[test]
fn what_cannot_be_is_refused_before_the_first_request() {
    for (words, part) in [
        (&["--sort"][..], "in no order of all names"),
        (&["--since", "m", "--update"], "in no order of all names"),
        (&["--checkpoint", "c"], "--checkpoint: WebDAV"),
        (&["--endpoint-url", "http://127.0.0.1:1"], "the server is that of the address"),
        (&["--region", "x"], "--region is about S3"),
        (&["--owner", "root"], "--owner"),
    ] {
        let (server, folder) = (small(), tempfile::tempdir().unwrap());
        let mut command = Command::new(env!("CARGO_BIN_EXE_fewer"));
        command.arg("walk").arg(server.address()).args(words).current_dir(folder.path());
        let output = command.env_clear().output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && said.contains(part), "{said}, and not {part}");
        assert_eq!(server.heads().len(), 0, "{said}");
    }
    for address in ["https://user:secret@a.example/", "http://", "webdav://a.example/"] {
        let output = run(&["walk", address], &[]);
        assert_eq!(output.status.code(), Some(2));
    }
}

#[test]
#[cfg(feature = "tables")]
fn units_of_a_scan_are_collections() {
    let answers = BTreeMap::from([("f1/f1/", ("403 Forbidden", String::new()))]);
    let server = Server::start(&deep(), Faults { answers, ..Faults::default() });
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let unit = folder.path().join("unit");
    let mut open: Vec<Option<serde_json::Value>> = vec![None];
    let (mut rows, mut errors, mut units) = (0, 0, 0);
    while let Some(next) = open.pop() {
        let address = server.address();
        let mut words = vec!["scan", &address, "--out", out, "--budget", "100"];
        if let Some(next) = next {
            std::fs::write(&unit, next.to_string()).unwrap();
            words.extend(["--unit", unit.to_str().unwrap()]);
        }
        let output = run(&words, &[]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code().map(|status| status < 2), Some(true), "{said}");
        let result: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        rows += result["rows"].as_u64().unwrap();
        errors += result["errors"].as_u64().unwrap();
        units += 1;
        open.extend(result["left"].as_array().unwrap().iter().cloned().map(Some));
    }
    // Below the closed one there are two files, and five collections with two each.
    assert_eq!((rows, errors), (all(&deep()).len() as u64 - 17 + 1, 1));
    assert!(units > 1 && server.heads().len() == COLLECTIONS - 5, "{}", server.heads().len());
}
