//! Every Rust file is reached from a cargo target by `mod`, `#[path]` or `include!`.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use super::{Finding, Tree};
use crate::checkout;

/// Workspaces of this repository; those that do not exist yet are left out.
const MANIFESTS: &[&str] = &[
    "Cargo.toml", "bench/Cargo.toml", "fuzz/Cargo.toml", "bindings/python/Cargo.toml",
    "bindings/node/Cargo.toml",
];

/// Programs of a corpus, each built on its own by the chore that judges them; and a library that a
/// build script compiles.
const NOT_CARGO: &[&str] = &["cases/why/", "crates/trace/src/source/preloaded/"];

pub(crate) fn files(tree: &Tree) -> Result<Vec<Finding>, String> {
    let mut reached = BTreeSet::new();
    for manifest in MANIFESTS {
        let manifest = tree.root.join(manifest);
        if manifest.is_file() {
            for target in targets(&manifest)? {
                let folder = target.parent().unwrap_or(Path::new("")).to_owned();
                reach(tree, &target, &folder, &mut reached);
            }
        }
    }
    let mut findings = Vec::new();
    for file in tree.files.iter().filter(|file| file.is_rust() && !file.is_under(NOT_CARGO)) {
        if !reached.contains(&tree.root.join(&file.name)) {
            findings.push(Finding::new(&file.name, 1, "no cargo target reaches this file"));
        }
    }
    Ok(findings)
}

/// The root files of all targets of a workspace.
fn targets(manifest: &Path) -> Result<Vec<PathBuf>, String> {
    let metadata = checkout::cargo_metadata(manifest, &["--no-deps"])?;
    let packages = metadata["packages"].as_array().ok_or("cargo metadata lists no packages")?;
    let targets = packages.iter().filter_map(|package| package["targets"].as_array()).flatten();
    Ok(targets
        .filter_map(|target| target["src_path"].as_str())
        .map(|path| plain(Path::new(path)))
        .collect())
}

/// Marks a file and everything it names. `folder` is where its `mod x;` are looked for.
fn reach(tree: &Tree, path: &Path, folder: &Path, reached: &mut BTreeSet<PathBuf>) {
    let Some(name) = path.strip_prefix(&tree.root).ok().and_then(Path::to_str) else { return };
    let Some(file) = tree.files.iter().find(|file| file.name == name) else { return };
    if !reached.insert(path.to_owned()) {
        return;
    }
    let beside = path.parent().unwrap_or(Path::new(""));
    for module in modules(&file.code) {
        let inner = folder.join(module);
        reach(tree, &inner.with_extension("rs"), &inner, reached);
        reach(tree, &inner.join("mod.rs"), &inner, reached);
    }
    for named in named_files(&file.text) {
        let path = plain(&beside.join(named));
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        reach(tree, &path, &folder, reached);
    }
}

/// The names of `mod name;`; those with a block are in this file already.
fn modules(code: &str) -> Vec<&str> {
    let words: Vec<&str> = code.split_whitespace().collect();
    let pairs = words.windows(2).filter(|pair| pair[0] == "mod");
    pairs.filter_map(|pair| pair[1].strip_suffix(';')).collect()
}

/// The files of `#[path = "…"]`, also in `cfg_attr(…, path = "…")`, and `include!("…")`.
fn named_files(text: &str) -> Vec<&str> {
    let mut named = Vec::new();
    for opening in ["#[path = \"", "), path = \"", "include!(\""] {
        for (at, _) in text.match_indices(opening) {
            let rest = &text[at + opening.len()..];
            named.extend(rest.split('"').next().filter(|name| name.ends_with(".rs")));
        }
    }
    named
}

/// The path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            _ => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::super::File;
    use super::*;

    #[test]
    fn modules_are_followed_into_files_and_folders() {
        let files = [
            ("src/main.rs", "mod a;\npub(crate) mod b;\nmod here { }\n// mod c;"),
            ("src/a.rs", "mod deep;"),
            ("src/a/deep.rs", "#[path = \"../odd.rs\"] mod odd;"),
            ("src/b/mod.rs", ""),
            ("src/c.rs", ""),
            ("src/odd.rs", ""),
        ];
        let files = files.map(|(name, text)| File::new(name, text.to_owned())).into();
        let tree = Tree { root: "/r".into(), files };
        let mut reached = BTreeSet::new();
        reach(&tree, Path::new("/r/src/main.rs"), Path::new("/r/src"), &mut reached);
        let unreached: Vec<_> = tree.files.iter().map(|file| file.name.as_str()).collect();
        let unreached: Vec<_> =
            unreached.into_iter().filter(|name| !reached.contains(&tree.root.join(name))).collect();
        assert_eq!(unreached, ["src/c.rs"]);
    }
}
