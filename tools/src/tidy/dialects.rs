//! What the shell's dialects differ in is data: only their profiles name one.

use super::rust::{lines_with_word, without_tests};
use super::system_boundary::is_test;
use super::{Finding, Tree};

const SHELL: &[&str] = &["crates/shell/src/", "crates/cli/src/"];
const PROFILES: &[&str] = &["crates/shell/src/dialect/"];

const NAMES: &[&str] = &["Dialect::Posix", "Dialect::Bash", "Dialect::Ksh"];

pub(crate) fn named(tree: &Tree) -> Result<Vec<Finding>, String> {
    let mut findings = Vec::new();
    for file in tree.files.iter().filter(|file| file.is_rust() && file.is_under(SHELL)) {
        if file.is_under(PROFILES) || is_test(file) {
            continue;
        }
        let code = without_tests(&file.code);
        for name in NAMES {
            for line in lines_with_word(&code, name) {
                let why = format!("{name}: ask the profile for what differs, not for the dialect");
                findings.push(Finding::new(&file.name, line, why));
            }
        }
    }
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::super::File;
    use super::*;

    #[test]
    fn a_dialect_is_named_in_its_profile_and_in_tests() {
        let text = "fn f(d: Dialect) -> bool {\n    d == Dialect::Ksh\n}\n";
        let names = ["run/f.rs", "dialect/mod.rs", "run/tests/f.rs"];
        let files = names.map(|name| File::new(&format!("crates/shell/src/{name}"), text.into()));
        let findings = named(&Tree { root: "/".into(), files: files.into() }).unwrap();
        let found: Vec<_> = findings.iter().map(|one| (one.file.as_str(), one.line)).collect();
        assert_eq!(found, [("crates/shell/src/run/f.rs", 2)]);
    }
}
