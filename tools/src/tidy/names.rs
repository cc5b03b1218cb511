//! A module is named after what it does; these names say nothing.

use super::{Finding, Tree};

const EMPTY_NAMES: &[&str] =
    &["common", "core", "helper", "helpers", "misc", "types", "util", "utils"];

pub(crate) fn vague(tree: &Tree) -> Result<Vec<Finding>, String> {
    let mut findings = Vec::new();
    for file in &tree.files {
        let stem = file.name.strip_suffix(".rs").unwrap_or(&file.name);
        if let Some(name) = stem.split('/').find(|part| EMPTY_NAMES.contains(part)) {
            let why = format!("'{name}' says nothing about what is in it");
            findings.push(Finding::new(&file.name, 1, why));
        }
    }
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::super::File;
    use super::*;

    #[test]
    fn folders_and_modules_have_such_names() {
        let files = ["src/utils/a.rs", "src/types.rs", "src/mytypes.rs", "src/core.md"];
        let files = files.map(|name| File::new(name, String::new())).into();
        let findings = vague(&Tree { root: "/".into(), files }).unwrap();
        let found: Vec<_> = findings.iter().map(|finding| finding.file.as_str()).collect();
        assert_eq!(found, ["src/utils/a.rs", "src/types.rs"]);
    }
}
