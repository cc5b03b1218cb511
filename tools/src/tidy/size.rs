//! Limits on the length of lines and files.

use super::{File, Finding, Tree};

const COLUMNS: usize = 100;
const LINES: usize = 600;

/// Written by programs, or texts by others.
const NOT_OURS: &[&str] = &["Cargo.lock", "LICENSE"];

/// Files that may be longer: tables and records, by name, each with a reason.
const LONG: &[(&str, &str)] = &[
    ("bench/record/", "records are kept as they were measured"),
    ("crates/trace/src/syscall/name.rs", "the table of all system calls"),
    ("crates/trace/src/explain/remedies.toml", "the table of remedies, in ten languages"),
    ("include/fewer.h", "C programs include one header, and it is the manual"),
];

fn is_ours(file: &File) -> bool {
    let base = file.name.rsplit('/').next().unwrap_or_default();
    !NOT_OURS.iter().any(|name| base.starts_with(name))
}

fn is_long_by_name(file: &File) -> bool {
    LONG.iter().any(|(name, _)| file.name.starts_with(name))
}

pub(crate) fn columns(tree: &Tree) -> Result<Vec<Finding>, String> {
    let mut findings = Vec::new();
    for file in tree.files.iter().filter(|file| is_ours(file) && !is_long_by_name(file)) {
        let markdown = file.name.ends_with(".md");
        for (at, line) in file.text.lines().enumerate() {
            let columns = line.chars().count();
            // A table row or an address cannot be broken in two, nor can a line that a shell
            // writes.
            let said = file.name.starts_with("cases/sh/");
            let whole =
                said || line.contains("://") || (markdown && line.trim_start().starts_with('|'));
            if columns > COLUMNS && !whole {
                let why = format!("{columns} columns; at most {COLUMNS}");
                findings.push(Finding::new(&file.name, at + 1, why));
            }
        }
    }
    Ok(findings)
}

pub(crate) fn lines(tree: &Tree) -> Result<Vec<Finding>, String> {
    let mut findings = Vec::new();
    for file in tree.files.iter().filter(|file| is_ours(file) && !is_long_by_name(file)) {
        let lines = file.text.lines().count();
        if lines > LINES {
            let why = format!("{lines} lines; at most {LINES}");
            findings.push(Finding::new(&file.name, lines, why));
        }
    }
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(name: &str, text: String, rule: super::super::Rule) -> usize {
        let tree = Tree { root: "/".into(), files: vec![File::new(name, text)] };
        rule(&tree).unwrap().len()
    }

    #[test]
    fn columns_are_characters() {
        assert_eq!(found("a.rs", "é".repeat(100), columns), 0);
        assert_eq!(found("a.rs", "é".repeat(101), columns), 1);
    }

    #[test]
    fn tables_addresses_and_lock_files_are_excepted() {
        let long = "x".repeat(120);
        assert_eq!(found("a.md", format!("| {long} |"), columns), 0);
        assert_eq!(found("a.md", format!("https://{long}"), columns), 0);
        assert_eq!(found("Cargo.lock", long.clone(), columns), 0);
        assert_eq!(found("a.md", long, columns), 1);
    }

    #[test]
    fn a_file_ends_after_600_lines() {
        assert_eq!(found("a.rs", "x\n".repeat(600), lines), 0);
        assert_eq!(found("a.rs", "x\n".repeat(601), lines), 1);
    }
}
