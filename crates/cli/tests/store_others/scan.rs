//! `fewer scan` of `az://`: units are prefixes, which are listed level by level, side by side.

use std::fs;
use std::time::Duration;

use serde_json::Value;

use crate::answers::run;
use crate::azure::{ACCOUNT, KEY};
use crate::azure_server::{Faults, Server};

/// Six folders in each folder down to the third level, with two objects in each.
fn deep() -> Vec<String> {
    let mut folders = vec!["p/".to_owned()];
    let mut keys = Vec::new();
    for depth in 0..4 {
        keys.extend(folders.iter().flat_map(|it| (0..2).map(move |at| format!("{it}o{at}"))));
        if depth < 3 {
            folders =
                folders.iter().flat_map(|it| (0..6).map(move |at| format!("{it}f{at}/"))).collect();
        }
    }
    keys
}

/// The prefixes of all levels.
fn prefixes() -> Vec<String> {
    let folder = |key: &String| key[..=key.rfind('/').unwrap()].to_owned();
    let mut prefixes: Vec<String> = deep().iter().map(folder).collect();
    prefixes.sort();
    prefixes.dedup();
    prefixes
}

fn scan(server: &Server, words: &[&str], folder: &std::path::Path) -> (Value, String) {
    let fixed = ["scan", "az://c/p/", "--calls", "--endpoint-url", &server.address(), "--out"];
    let words = [&fixed[..], &[folder.to_str().unwrap()], words].concat();
    let output = run(&words, &[ACCOUNT, KEY]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{said}");
    (serde_json::from_slice(&output.stdout).unwrap(), said)
}

#[test]
fn a_deep_tree_is_one_unit_whose_levels_are_listed_side_by_side() {
    // So slow that what else the machine does plays no part.
    let faults = Faults { wait: Duration::from_millis(60), ..Faults::default() };
    let (server, folder) = (Server::start(deep(), 5_000, faults), tempfile::tempdir().unwrap());
    let (result, said) = scan(&server, &[], folder.path());
    assert_eq!(result["rows"].as_u64(), Some(deep().len() as u64));
    assert_eq!(result["left"].as_array().map(Vec::len), Some(0));
    assert_eq!(server.prefixes(), prefixes());
    assert!(said.starts_with(&format!("{:>8} list requests", prefixes().len())), "{said}");
    assert!(server.most_at_once() > 4, "{}", server.most_at_once());
}

#[test]
fn units_have_each_level_once_whatever_is_refused() {
    let faults =
        Faults { wait: Duration::from_millis(1), refuse_every: Some(11), ..Faults::default() };
    let (server, folder) = (Server::start(deep(), 5_000, faults), tempfile::tempdir().unwrap());
    let unit = folder.path().join("unit");
    let (first, _) = scan(&server, &["--budget", "60"], folder.path());
    let mut results = vec![first];
    let mut open = results[0]["left"].as_array().unwrap().clone();
    assert!(open.len() > 1, "{open:?}");
    while let Some(next) = open.pop() {
        fs::write(&unit, next.to_string()).unwrap();
        let words = ["--budget", "60", "--unit", unit.to_str().unwrap()];
        let (result, _) = scan(&server, &words, folder.path());
        open.extend(result["left"].as_array().unwrap().iter().cloned());
        results.push(result);
    }
    let rows: u64 = results.iter().map(|result| result["rows"].as_u64().unwrap()).sum();
    assert_eq!(rows, deep().len() as u64);
    assert_eq!(server.prefixes(), prefixes());
    assert_eq!(server.requests(), prefixes().len() + server.refused());
}

#[test]
fn depth_and_exclusions_are_asked_of_no_server() {
    let (server, folder) =
        (Server::start(deep(), 5_000, Faults::default()), tempfile::tempdir().unwrap());
    let (result, _) = scan(&server, &["-d", "2", "-E", "f1"], folder.path());
    // Two objects in the prefix, and two in each of its folders but one.
    assert_eq!((result["rows"].as_u64(), server.requests()), (Some(12), 6));
    let (result, _) = scan(&server, &["-d", "1"], folder.path());
    // With a depth of one, folders are rows.
    assert_eq!((result["rows"].as_u64(), server.requests()), (Some(8), 7));
}
