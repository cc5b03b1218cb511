//! The licences of all dependencies: everything that is shipped can be used under terms as free as
//! this project's own.

use std::path::Path;

use super::{Finding, Tree};
use crate::{checkout, spdx};

const SHIPPED: &[&str] = &[
    "0BSD", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "BSD-2-Clause", "BSD-3-Clause",
    "CC0-1.0", "ISC", "MIT", "Unicode-3.0", "Unlicense", "Zlib",
    // The certificates of the web: data, under terms as free as those of a program.
    "CDLA-Permissive-2.0",
];

/// The fuzzer's run time, which is never shipped, is LLVM's.
const FUZZING: &[&str] = &["NCSA"];

pub(crate) fn tree(tree: &Tree) -> Result<Vec<Finding>, String> {
    let fuzzing = [SHIPPED, FUZZING].concat();
    let workspaces: [(&str, &[&str]); 5] = [
        ("", SHIPPED),
        ("bench/", SHIPPED),
        ("fuzz/", &fuzzing),
        ("bindings/python/", SHIPPED),
        ("bindings/node/", SHIPPED),
    ];
    let mut findings = Vec::new();
    for (folder, allowed) in workspaces {
        if tree.root.join(folder).join("Cargo.toml").is_file() {
            findings.extend(workspace(&tree.root, folder, allowed)?);
        }
    }
    Ok(findings)
}

fn workspace(root: &Path, folder: &str, allowed: &[&str]) -> Result<Vec<Finding>, String> {
    let metadata = checkout::cargo_metadata(&root.join(folder).join("Cargo.toml"), &[])?;
    let lock = format!("{folder}Cargo.lock");
    let locked = std::fs::read_to_string(root.join(&lock)).unwrap_or_default();
    let packages = metadata["packages"].as_array().ok_or("cargo metadata lists no packages")?;
    let mut findings = Vec::new();
    for package in packages {
        let name = package["name"].as_str().unwrap_or_default();
        let version = package["version"].as_str().unwrap_or_default();
        if let Some(why) = objection(package["license"].as_str(), allowed) {
            let line = line_in_lock(&locked, name, version);
            findings.push(Finding::new(&lock, line, format!("{name} {version}: {why}")));
        }
    }
    Ok(findings)
}

fn objection(licence: Option<&str>, allowed: &[&str]) -> Option<String> {
    let Some(licence) = licence else {
        return Some("states no licence".to_owned());
    };
    match spdx::satisfied(licence, allowed) {
        Ok(true) => None,
        Ok(false) => Some(format!("'{licence}' is not among the licences we ship")),
        Err(why) => Some(format!("'{licence}' cannot be understood: {why}")),
    }
}

fn line_in_lock(lock: &str, name: &str, version: &str) -> usize {
    let wanted = [format!("name = \"{name}\""), format!("version = \"{version}\"")];
    let lines: Vec<&str> = lock.lines().collect();
    let found = lines.windows(2).position(|pair| pair[0] == wanted[0] && pair[1] == wanted[1]);
    found.map_or(0, |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_or_foreign_licence_is_objected_to() {
        assert!(objection(None, SHIPPED).is_some());
        assert!(objection(Some("LGPL-2.1"), SHIPPED).is_some());
        assert!(objection(Some("MIT OR"), SHIPPED).is_some());
        assert!(objection(Some("MIT AND (Unlicense OR GPL-2.0)"), SHIPPED).is_none());
    }

    #[test]
    fn a_finding_points_into_the_lock_file() {
        let lock = "[[package]]\nname = \"a\"\nversion = \"1\"\n\nname = \"a\"\nversion = \"2\"\n";
        assert_eq!(line_in_lock(lock, "a", "2"), 5);
        assert_eq!(line_in_lock(lock, "b", "1"), 0);
    }
}
