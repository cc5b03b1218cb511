//! The licences of the crates that a product is built from: they have to be passed on with it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::Release;
use super::sbom::{Parts, licence, metadata};

/// What the file is called in each package.
pub(super) const NAME: &str = "THIRD-PARTY";

/// How the names of files with a licence begin.
const FILES: &[&str] = &["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"];

/// The text for a crate of the workspace, built for a target.
pub(super) fn text(release: &Release, product: &str, triple: &str) -> Result<String, String> {
    let parts = Parts::of(&metadata(&release.root, triple)?, product)?;
    let mut list = String::new();
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    // The crates of this workspace have its own licence.
    for package in parts.others().filter(|package| !package["source"].is_null()) {
        let part = |key: &str| package[key].as_str().unwrap_or_default();
        let name = format!("{} {}", part("name"), part("version"));
        let _ = writeln!(list, "{name}: {}", licence(package));
        for text in texts_of(package)? {
            texts.entry(text).or_default().push(name.clone());
        }
    }
    let mut all = format!(
        "What is in this package contains the Rust standard library (MIT OR Apache-2.0; if it is\n\
         static also musl, MIT) and these crates. Their licences follow, each text once.\n\
         \n{list}"
    );
    for (text, names) in texts {
        let line = "-".repeat(80);
        let _ = write!(all, "\n{line}\n{}\n{line}\n\n{}\n", names.join(", "), text.trim_end());
    }
    Ok(all)
}

/// The licences in the folder of a package.
fn texts_of(package: &Value) -> Result<Vec<String>, String> {
    let manifest = Path::new(package["manifest_path"].as_str().unwrap_or_default());
    let folder = manifest.parent().unwrap_or(manifest);
    let entries = fs::read_dir(folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    let is_licence = |file: &&std::path::PathBuf| {
        let name = file.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        file.is_file() && FILES.iter().any(|begin| name.starts_with(begin))
    };
    let read = |file| fs::read(file).map(|text| String::from_utf8_lossy(&text).into_owned());
    let texts = files.iter().filter(is_licence).map(read);
    texts.collect::<Result<_, _>>().map_err(|why| format!("{}: {why}", folder.display()))
}
