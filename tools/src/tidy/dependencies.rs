//! How many crates are compiled for what: one more is a decision, not an accident. A count is the
//! same on every machine, and a time is not.

use std::process::Command;

use super::{Finding, Tree};
use crate::checkout;

/// What is built, its words for `cargo tree`, and the limit.
const LIMITS: &[(&str, &[&str], usize)] = &[
    ("the library", &["-p", "fewer"], 20),
    ("libfewer", &["-p", "fewer-ffi"], 20),
    ("`walk` alone", &["-p", "fewer-cli", "--no-default-features", "--features", "walk"], 35),
    ("the command", &["-p", "fewer-cli"], 90),
];

/// What comes with object stores, which who walks a disk does without.
const ONLY_FOR_STORES: &[&str] =
    &["fewer-stores", "hdfs-native", "object_store", "prost", "reqwest", "rustls", "tokio"];

/// What comes with tables, which is for outputs that not every walk has.
const ONLY_FOR_TABLES: &[&str] =
    &["fewer-tables", "arrow-array", "arrow-ipc", "arrow-schema", "csv", "parquet"];

/// What the verbs on files and texts do without.
const NOT_FOR_WALK: &[&str] = &["fewer-shell", "fewer-trace", "fewer-budget"];

pub(crate) fn few(tree: &Tree) -> Result<Vec<Finding>, String> {
    let mut findings = Vec::new();
    for (what, words, limit) in LIMITS {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.current_dir(&tree.root).args(["tree", "-e", "normal", "--prefix", "none"]);
        let listed = checkout::output(cargo.args(*words))?;
        let names = crates(&String::from_utf8_lossy(&listed));
        findings.extend(too_many(what, names.len(), *limit));
        let not_for_walk = if words.contains(&"walk") { NOT_FOR_WALK } else { &[] };
        let without = [ONLY_FOR_STORES, ONLY_FOR_TABLES, not_for_walk].concat();
        findings.extend(names.iter().filter_map(|name| unwanted(what, name, &without)));
    }
    Ok(findings)
}

/// Names and versions; where a crate is listed again, a `(*)` follows.
fn crates(listed: &str) -> Vec<String> {
    let of = |line: &str| line.split(' ').take(2).collect::<Vec<_>>().join(" ");
    let mut crates: Vec<String> = listed.lines().map(of).collect();
    crates.sort();
    crates.dedup();
    crates
}

fn unwanted(what: &str, name: &str, without: &[&str]) -> Option<Finding> {
    let found = without.iter().find(|unwanted| name.split(' ').next() == Some(unwanted))?;
    Some(Finding::new("Cargo.toml", 0, format!("{what} compiles {found}")))
}

fn too_many(what: &str, count: usize, limit: usize) -> Option<Finding> {
    (count > limit).then(|| {
        Finding::new("Cargo.toml", 0, format!("{count} crates for {what}; at most {limit}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_counts_once_and_each_version_of_it() {
        let listed = "a v1.0.0\nb v1.0.0 (/x)\na v1.0.0 (*)\na v2.0.0\n";
        assert_eq!(crates(listed), ["a v1.0.0", "a v2.0.0", "b v1.0.0"]);
        assert!(too_many("it", 3, 3).is_none());
        assert!(too_many("it", 4, 3).is_some());
        assert!(unwanted("it", "fewer-shell v0.1.0", NOT_FOR_WALK).is_some());
        assert!(unwanted("it", "tokio v1.0.0", ONLY_FOR_STORES).is_some());
        assert!(unwanted("it", "parquet v60.1.0", ONLY_FOR_TABLES).is_some());
        assert!(unwanted("it", "fewer-sys v0.1.0", NOT_FOR_WALK).is_none());
    }
}
